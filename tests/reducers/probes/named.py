"""Outputs in which every name is a fact, and ones whose odd line says little by itself."""

from __future__ import annotations

import json

from tests.reducers.probes.probe import WORDS, Probe, hexes, rng, word


def every_heading() -> Probe:
    lines: list[str] = []
    paths = [f"src/part{n}/{WORDS[n % len(WORDS)]}.py" for n in range(30)]
    for path in paths:
        lines += [
            path,
            *(f"{10 + 7 * k}:    total = tally_{word(rng(path))}({k})" for k in range(6)),
        ]
        lines.append("")
    return Probe("rg_every_heading", "\n".join(lines), tuple(paths), "rg -n --heading tally_")


def untracked_secrets() -> Probe:
    lines = ["On branch main", "", "Changes not staged for commit:"]
    lines += [f"\tmodified:   src/pkg{n % 7}/module_{n}.py" for n in range(120)]
    lines += ["", "Untracked files:", *(f"\tnotes/draft_{n}.md" for n in range(60))]
    lines[150:150] = ["\t.env.production"]
    lines[170:170] = ["\tid_rsa"]
    facts = ("\t.env.production", "\tid_rsa", "On branch main")
    return Probe("git_status_odd_names", "\n".join(lines), facts, "git status")


def newest_commits() -> Probe:
    r = rng("newest_commits")
    verbs = ("Fix", "Add", "Remove", "Document", "Test", "Bump", "Rename")
    lines = [
        f"{hexes(r, 9)} {r.choice(verbs)} {word(r)} handling in the {word(r)} (#{900 - n})"
        for n in range(200)
    ]
    lines[133] = f'{hexes(r, 9)} Revert "Enable strict verification"'
    facts = (*(line[:9] for line in lines[:20]), lines[133][10:])
    return Probe("git_oneline_newest", "\n".join(lines), facts, "git log --oneline -200")


def playbook() -> Probe:
    lines = [f"PLAY [web] {'*' * 40}", ""]
    for n in range(40):
        lines.append(f"TASK [role{n % 5} : Install set {n}] {'*' * 40}")
        lines += [f"{'changed' if (n + h) % 3 else 'ok'}: [web{h:02}]" for h in range(4)]
        if n == 23:
            lines.append('fatal: [web02]: FAILED! => {"msg": "No package matching libfoo"}')
        lines.append("")
    lines += ["PLAY RECAP ****", "web02        : ok=39   changed=20   failed=1"]
    facts = ("TASK [role3 : Install set 23]", "No package matching libfoo", "ok=39")
    return Probe("ansible_task", "\n".join(lines), facts, "ansible-playbook site.yml", exit_code=2)


_CPP = (
    "class Ring final : public Base<T> {",
    "  explicit Ring(Allocator alloc = Allocator{}) noexcept;",
    "  Ring& operator=(Ring&& other) noexcept;",
    "  friend std::ostream& operator<<(std::ostream& os, const Ring& r);",
    "  operator bool() const;",
)
_CPP_BODIES = (
    "template <typename T>\nRing<T>::Ring(Allocator alloc) noexcept : Base<T>(alloc) {",
    "template <typename T>\nRing<T>::~Ring() {",
    "template <typename T>\ntemplate <class U>\nbool Ring<T>::push(U&& value) {",
    "std::map<std::string, int>\nParser::parse_all(const std::string& text,\n"
    "                  std::function<void(int)> on_done) const {",
    "bool operator==(const Point& a, const Point& b) noexcept {",
    "auto Engine::run() const -> Result<int> {",
    'extern "C" int plugin_init(void* context) {',
)


def cpp_in_a_namespace() -> Probe:
    body = "\n".join(f'  if (step({n}) > {n * 3}) {{ log("branch {n}"); }}' for n in range(25))
    text = "#include <vector>\n\nnamespace flow::net {\n\ntemplate <typename T>\n"
    text += "\n".join(_CPP) + "\n};\n\n"
    text += "\n".join(f"{head}\n{body}\n}}\n" for head in _CPP_BODIES) + "}  // namespace\n"
    facts = tuple(line for head in (*_CPP, *_CPP_BODIES) for line in head.split("\n"))
    return Probe("cpp_in_a_namespace", text, facts, "cat src/ring.cpp")


_PATHS = tuple(
    f"/v1/{WORDS[n % 10]}s/{'{id}/' if n % 2 else ''}{WORDS[n // 10]}-{n}" for n in range(81)
)


def openapi_yaml() -> Probe:
    lines = ["openapi: 3.0.3", "info:", "  title: Shop", "paths:"]
    for n, path in enumerate(_PATHS):
        lines += [f"  {path}:", "    get:", f"      operationId: get{n}", "      responses:"]
        lines += ["        '200':", "          description: OK"]
        lines += ["      deprecated: true"] if n == 44 else []
    facts = (*_PATHS, "deprecated: true")
    return Probe("openapi_every_path", "\n".join(lines), facts, "cat openapi.yaml")


def openapi_json() -> Probe:
    paths = {
        path: {"get": {"operationId": f"get{n}", "responses": {"200": {"description": "OK"}}}}
        for n, path in enumerate(_PATHS)
    }
    text = json.dumps({"openapi": "3.0.3", "info": {"title": "Shop"}, "paths": paths}, indent=2)
    return Probe("openapi_json_every_path", text, _PATHS, "cat openapi.json")


def packages() -> Probe:
    r = rng("packages")
    widths = (30, 24, 13)
    rows = [
        ("ii", f"lib{word(r)}{n}:amd64", f"{n % 9}.{n % 13}-{n % 5}", "amd64", f"for {word(r)}")
        for n in range(200)
    ]
    rows[77] = ("iU", "libbroken:amd64", "1.2-1", "amd64", "half configured")
    rows[150] = ("rc", "oldthing", "0.9-1", "all", "removed")
    lines = [
        "Desired=Unknown/Install/Remove/Purge/Hold",
        "| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst",
        "||/ "
        + "".join(map(str.ljust, ("Name", "Version", "Architecture"), widths))
        + "Description",
        "+++-" + "-".join("=" * (width - 1) for width in widths) + "-" + "=" * 30,
    ]
    lines += [f"{row[0]}  {''.join(map(str.ljust, row[1:4], widths))}{row[4]}" for row in rows]
    facts = ("iU  libbroken", "rc  oldthing")
    return Probe("dpkg_list", "\n".join(lines), facts, "dpkg -l")


def empty_file() -> Probe:
    lines = ["total 2312"] + [
        f"-rw-r--r-- 1 app app {1000 + n * 37:7} Mar {n % 28 + 1:2} 10:{n % 60:02} part-{n:04}.bin"
        for n in range(150)
    ]
    lines[80] = "-rw-r--r-- 1 app app       0 Mar 14 10:19 part-0079.bin"
    return Probe("ls_empty_file", "\n".join(lines), (lines[80],), "ls -la data/")


def many_failures() -> Probe:
    names = [f"tests/test_{WORDS[n % 9]}.py::TestPart{n % 7}::test_case_{n}" for n in range(300)]
    lines = [f"{'=' * 27} FAILURES {'=' * 27}"]
    for n in range(300):
        lines += [f"_______ TestPart{n % 7}.test_case_{n} _______", "", "    def test(self):"]
        lines += [f">       assert tally({n}) == {n + 1}", f"E       assert {n} == {n + 1}", ""]
        lines += [f"tests/test_{WORDS[n % 9]}.py:{n + 10}: AssertionError"]
    lines.append(f"{'=' * 20} short test summary info {'=' * 20}")
    lines += [f"FAILED {name} - assert {n} == {n + 1}" for n, name in enumerate(names)]
    lines.append("=========== 300 failed, 600 passed in 12.34s ===========")
    facts = (*names, "300 failed, 600 passed")
    return Probe("pytest_300_failures", "\n".join(lines), facts, "pytest", exit_code=1)


PROBES = (
    every_heading, untracked_secrets, newest_commits, playbook, cpp_in_a_namespace,
    openapi_yaml, openapi_json, packages, empty_file, many_failures,
)  # fmt: skip
