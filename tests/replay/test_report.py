"""The report is one page that anyone can read, on any screen, and that loads nothing."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from flowctx.cli.main import main
from flowctx.config import Settings
from tests.replay.chromium import CHROMIUM, colours, measure
from tests.replay.sessions import task, write
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body, assistant, call, result, user

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
EVIL = '</pre><script src="https://evil.example/x.js"></script><img src=x onerror=alert(1)>'


class _Outline(HTMLParser):
    """Tags with their attributes, and which of them never end."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "path", "rect", "line", "circle", "polyline"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()


@pytest.fixture(name="page", scope="module")
def _page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on a replay of twelve tasks, one of them hostile."""
    folder = tmp_path_factory.mktemp("report")
    tasks = [task(number) for number in range(11)]
    hostile = [*_step("e", EVIL), *_step("b", "row\n" * 3000), assistant(f"Decided: {EVIL}")]
    tasks.insert(2, [user(EVIL), *hostile])
    paths = [str(write(folder / f"{n:02}.jsonl", bodies)) for n, bodies in enumerate(tasks)]
    said = CliRunner().invoke(main, ["replay", *paths, "--json"])
    (folder / "replay.json").write_text(said.stdout)
    page = folder / "report.html"
    made = CliRunner().invoke(main, ["report", str(folder / "replay.json"), "--out", str(page)])
    assert made.exit_code == 0, made.output
    return page


def test_it_loads_nothing_and_runs_nothing(page: Path) -> None:
    """No address, no script, no handler: whatever the session said stays text."""
    outline = _Outline(page.read_text("utf-8"))
    assert not {tag for tag, _ in outline.tags} & {"script", "img", "link", "iframe", "object"}
    for tag, attributes in outline.tags:
        assert not any(name.startswith("on") or name == "src" for name in attributes), tag
        assert re.match(r"#|$", attributes.get("href") or "")
    assert "url(" not in page.read_text("utf-8")
    assert "@import" not in page.read_text("utf-8")
    assert outline.open == []


def test_it_shows_what_the_replay_found(page: Path) -> None:
    """Figures, a bar for each tier, a mark for each kind of round, notes and results."""
    text = page.read_text("utf-8")
    document = json.loads((page.parent / "replay.json").read_text())
    assert f"<dd>{document['total']['calls']:,}</dd>" in text
    assert text.count('class="round" d=') == sum(bool(turn["round"]) for turn in document["turns"])
    for tier in ("folded", "reduced", "raw"):
        shown = sum(turn["tiers"][tier] > 0 for turn in document["turns"])
        assert text.count(f'<rect class="{tier}"') == shown
    for note in document["notes"]:
        assert f"<code>{note['node']}</code>" in text
    assert "<title>Round: folding pays</title>" in text


def test_it_can_be_used_by_keyboard_and_ear(page: Path) -> None:
    """Every chart has a name, wide tables and long texts can be focused, headings are in order."""
    tags = _Outline(page.read_text("utf-8")).tags
    charts = [attributes for tag, attributes in tags if tag == "svg"]
    assert len(charts) == 3
    assert all(chart["role"] == "img" and chart["aria-label"] for chart in charts)
    scrolling = [a for t, a in tags if t == "pre" or a.get("class") == "wide"]
    assert scrolling
    assert all(attributes.get("tabindex") == "0" for attributes in scrolling)
    assert [tag for tag, _ in tags if re.fullmatch(r"h\d", tag)] == ["h1", *["h2"] * 5]
    assert ("html", {"lang": "en"}) in tags


def test_a_stored_session_has_a_report(tmp_path: Path) -> None:
    """Without a replay the page is made from the store: views, notes, results."""
    context = open_context(tmp_path / "flowctx", Settings())
    host = HostSession(context)
    history: list[Body] = []
    for number in range(8):
        host.assemble(history, budget=180_000)
        begun, done = task(number)[:-1], task(number)[-1]
        history += [*begun, *_step(f"b{number}", "row\n" * 3000), done]
    host.settle()
    context.close()
    page = tmp_path / "session.html"
    options = ["--out", str(page), "--state-dir", str(tmp_path)]
    made = CliRunner().invoke(main, ["report", "agent:main:main", *options])
    assert made.exit_code == 0, made.output
    text = page.read_text("utf-8")
    assert text.count('<rect class="folded"') > 2
    assert "Largest results" in text
    assert "messages in" in text


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    """A session that is not stored, and a document of another kind, are one line each."""
    (tmp_path / "other.json").write_text('{"total": 1}')
    said = CliRunner().invoke(main, ["report", str(tmp_path / "other.json")])
    assert (said.exit_code, "no document of" in said.stderr) == (1, True)
    open_context(tmp_path / "flowctx").close()
    said = CliRunner().invoke(main, ["report", "agent:none", "--state-dir", str(tmp_path)])
    assert (said.exit_code, "No session" in said.stderr) == (1, True)


@needs_chromium
@pytest.mark.parametrize(
    ("dark", "paper", "bars"),
    [
        (False, (251, 250, 247), [(122, 81, 149), (224, 164, 88)]),
        (True, (21, 23, 27), [(180, 147, 211), (232, 184, 120)]),
    ],
    ids=["light", "dark"],
)
def test_it_follows_light_and_dark(page: Path, dark: bool, paper: object, bars: list) -> None:
    """In a real browser the paper and the bars have the colours of the scheme asked for."""
    seen = colours(page, 1000, dark=dark)
    assert seen.most_common(1)[0][0] == paper
    assert all(seen[bar] > 50 for bar in bars)


@needs_chromium
@pytest.mark.parametrize("width", [500, 1200])
def test_it_fits_the_screen(page: Path, width: int) -> None:
    """Nothing but what scrolls by itself is wider than a phone, and no label is tiny there."""
    overflow = "document.documentElement.scrollWidth - innerWidth"
    assert int(measure(page, overflow, width)) <= 0
    size = "document.querySelector('svg text').getBoundingClientRect().height"
    assert float(measure(page, size, width)) >= 9


def _step(id_: str, text: str) -> list[Body]:
    return [assistant(call(id_, command=f"cat {text[:30]}")), result(id_, text)]
