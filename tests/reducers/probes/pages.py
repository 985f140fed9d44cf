"""Pages, prose and text nobody reads."""

from __future__ import annotations

import base64

from tests.reducers.probes.probe import Probe, hexes, rng, word


def html_page() -> Probe:
    r = rng("html")
    menu = "".join(
        f'<li><a class="m{n}" href="/{word(r)}">{word(r).title()} {word(r)}</a></li>\n'
        for n in range(150)
    )
    body = "".join(
        f"<p>Chapter {n} recounts how the {word(r)} was moved by the {word(r)} team over the winter.</p>\n"
        for n in range(30)
    )
    text = (
        f"<!doctype html><html><head><title>Advisory 2026-17</title><style>{'.a{b:c}' * 900}</style></head><body><nav><ul>{menu}</ul></nav>"
        f"<main><h1>Advisory 2026-17</h1>{body}<h2>Affected versions</h2><p>All releases from 4.1.0 up to <b>4.3.7</b> leak the session key.</p>"
        f"<table><tr><th>Fixed in</th><td>4.3.8</td></tr></table>{body}</main></body></html>"
    )
    return Probe(
        "html_advisory",
        text,
        ("Affected versions", "4.3.7", "leak the session key", "4.3.8"),
        "curl -s https://sec.example.org/17",
        "web_fetch",
    )


def sitemap() -> Probe:
    r = rng("sitemap")
    urls = [
        f"  <url>\n    <loc>https://shop.example.org/{word(r)}/{n}</loc>\n    <lastmod>2026-05-01</lastmod>\n    <priority>0.5</priority>\n  </url>"
        for n in range(220)
    ]
    urls[97] = (
        "  <url>\n    <loc>https://shop.example.org/internal/price-override</loc>\n    <lastmod>1999-12-31</lastmod>\n    <priority>1.0</priority>\n  </url>"
    )
    text = '<?xml version="1.0"?>\n<urlset>\n' + "\n".join(urls) + "\n</urlset>"
    return Probe(
        "xml_sitemap",
        text,
        ("/internal/price-override", "1999-12-31"),
        "curl -s https://shop.example.org/sitemap.xml",
    )


def wrapped_report() -> Probe:
    r = rng("wrapped")
    lines: list[str] = []
    for n in range(90):
        lines += [
            f"In section {n} the reviewers went through the {word(r)} and the {word(r)} once more and",
            f"found that the wording of the {word(r)} needs no change for the time being.",
            "",
        ]
    lines[132:132] = [
        "The auditors concluded that control AC-7 has failed since 14 February 2026, because the",
        'rotation job runs as user "svc-old"; Tomasz Wilk must replace it before the 2 June audit.',
        "",
    ]
    facts = ("AC-7 has failed since 14 February 2026", "svc-old", "Tomasz Wilk")
    return Probe("wrapped_report", "\n".join(lines), facts, "cat audit.txt", "read")


def readme() -> Probe:
    r = rng("readme")
    lines = ["# Relay", "", "Relay moves files.", ""]
    for n in range(22):
        lines += [
            f"## {word(r).title()} {n}",
            "",
            f"The {word(r)} of a {word(r)} is kept in a {word(r)} file and read at start.",
            "",
        ]
        lines += [f"- {word(r)}: the {word(r)} of {word(r)}" for _ in range(6)] + [
            "",
            "```sh",
            f"relay {word(r)} --{word(r)}",
            "```",
            "",
        ]
    lines += [
        "## Limits",
        "",
        "Files above 5 GiB are refused with RELAY_E_TOO_LARGE.",
        "",
        "### Known gaps",
        "",
    ]
    return Probe(
        "readme",
        "\n".join(lines),
        ("## Limits", "RELAY_E_TOO_LARGE", "### Known gaps", "# Relay"),
        "cat README.md",
        "read",
    )


def changelog() -> Probe:
    r = rng("changelog")
    lines = ["Changelog", "=========", ""]
    for n in range(60, 0, -1):
        lines += (
            [f"2.{n}.0 (2026-0{n % 9 + 1}-11)", "-" * 19, ""]
            + [f"* {word(r).title()} the {word(r)} of the {word(r)}." for _ in range(4)]
            + [""]
        )
    at = lines.index("2.23.0 (2026-06-11)")
    lines[at + 3] = "* BREAKING: `open()` no longer follows symlinks (GH-4711)."
    return Probe(
        "changelog_rst",
        "\n".join(lines),
        ("BREAKING: `open()` no longer follows symlinks (GH-4711).", "2.60.0"),
        "cat CHANGES.rst",
        "read",
    )


def pem_bundle() -> Probe:
    r = rng("pem")
    blobs = []
    for n in range(14):
        raw = base64.b64encode(bytes(r.randrange(256) for _ in range(900))).decode()
        blobs += [
            f"subject=CN = ca-{n}.example.org",
            "-----BEGIN CERTIFICATE-----",
            *[raw[i : i + 64] for i in range(0, len(raw), 64)],
            "-----END CERTIFICATE-----",
        ]
    blobs.append("verify error:num=10:certificate has expired (ca-9.example.org)")
    return Probe(
        "pem_bundle",
        "\n".join(blobs),
        ("certificate has expired (ca-9.example.org)", "subject=CN = ca-0.example.org"),
        "openssl s_client -showcerts",
        exit_code=1,
    )


def hexdump() -> Probe:
    r = rng("hexdump")
    lines = [
        f"{n * 16:08x}  {' '.join(hexes(r, 2) for _ in range(16))}  |{'.' * 16}|"
        for n in range(500)
    ]
    return Probe("hexdump", "\n".join(lines), (lines[0], lines[-1]), "hexdump -C image.bin")


PROBES = (html_page, sitemap, wrapped_report, readme, changelog, pem_bundle, hexdump)
