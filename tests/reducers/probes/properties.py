"""What programs tell of a thing property by property: units, cards, stores, processors."""

from __future__ import annotations

from tests.reducers.probes.described import pairs
from tests.reducers.probes.probe import Probe, hexes, rng, word

_UNIT = {
    12: "Restart=on-failure",
    31: "Result=oom-kill",
    44: "NRestarts=17",
    58: "ExecMainStatus=9",
    71: "ActiveState=failed",
    72: "SubState=failed",
    90: "MemoryMax=402653184",
    93: "MemoryPeak=402653184",
}


def unit_properties() -> Probe:
    """All properties of a unit that was ended for want of memory."""
    r = rng("unit properties")
    values = ["no", "yes", "[not set]", "infinity", "0", ""]
    lines = [
        _UNIT.get(n, f"{word(r).title()}{word(r).title()}{n}={r.choice(values)}")
        for n in range(150)
    ]
    facts = ("Result=oom-kill", "NRestarts=17", "ExecMainStatus=9", "ActiveState=failed", _UNIT[90])
    return Probe("unit_properties", "\n".join(lines), facts, "systemctl show till.service")


def card_counters() -> Probe:
    """Counters of a network card, nearly all nothing; those of one fault are not."""
    r = rng("card counters")
    counts = {
        f"{side}_queue_{n}_{what}": r.randint(10**6, 10**8) if what != "drops" else 0
        for n in range(24)
        for side in ("rx", "tx")
        for what in ("packets", "bytes", "drops")
    }
    kinds = ("errors", "over_errors", "frame_errors", "aborted", "carrier", "fifo_errors", "pause")
    counts |= {f"{side}_{what}": 0 for side in ("rx", "tx") for what in kinds}
    counts |= {"rx_crc_errors": 48113, "rx_length_errors": 0, "link_down_events_phy": 26}
    lines = ["NIC statistics:", *(f"     {key}: {value}" for key, value in counts.items())]
    facts = ("rx_crc_errors: 48113", "link_down_events_phy: 26")
    return Probe("card_counters", "\n".join(lines), facts, "ethtool -S enp65s0f0")


_STORE: dict[str, dict[str, object]] = {
    "Server": {"redis_version": "7.2.4", "tcp_port": 6379, "uptime_in_seconds": 861203},
    "Clients": {"connected_clients": 412, "blocked_clients": 0, "maxclients": 10000},
    "Memory": {"used_memory_human": "3.71G", "maxmemory_human": "4.00G"},
    "Persistence": {"loading": 0, "rdb_last_bgsave_status": "err", "aof_enabled": 0},
    "Stats": {"total_connections_received": 88123, "rejected_connections": 0},
    "Replication": {"role": "slave", "master_host": "10.8.0.4", "master_link_status": "down"},
}


def store_info() -> Probe:
    """What a store says of itself, key by key: its link is down and it could not save."""
    r = rng("store info")
    lines = []
    for name, told in _STORE.items():
        lines += [f"# {name}", *(f"{key}:{value}" for key, value in told.items())]
        lines += [f"{name.lower()}_{word(r)}_{n}:{r.randint(0, 9000)}" for n in range(18)] + [""]
    facts = ("rdb_last_bgsave_status:err", "master_link_status:down", "master_host:10.8.0.4")
    sizes = ("used_memory_human:3.71G", "maxmemory_human:4.00G")
    return Probe("store_info", "\n".join(lines), (*facts, *sizes), "redis-cli -h 10.8.0.9 info")


def control_data() -> Probe:
    """The control file of a cluster of databases that was not shut down in order."""
    r = rng("control data")
    told: dict[str, object] = {
        "pg_control version number": 1300,
        "Database system identifier": 7301988214410021,
        "Database cluster state": "in crash recovery",
        "pg_control last modified": "Mon 30 Nov 2026 23:12:44",
    }
    told |= {f"Latest checkpoint's {word(r)}{n}": f"0/{hexes(r, 7).upper()}" for n in range(26)}
    told |= {"wal_level setting": "replica", "Data page checksum version": 0}
    told |= {f"Maximum {word(r)} of {word(r)}s": r.randint(8, 2048) for _ in range(24)}
    facts = ("in crash recovery", "Data page checksum version:", "Mon 30 Nov 2026 23:12:44")
    lines = pairs(told, 38)
    return Probe("control_data", "\n".join(lines), facts, "pg_controldata /var/lib/postgresql/16")


def processor() -> Probe:
    """A machine's processor, with one fault of it that nothing guards against."""
    told: dict[str, object] = {
        "Architecture": "x86_64",
        "Byte Order": "Little Endian",
        "CPU(s)": 64,
        "On-line CPU(s) list": "0-47",
        "Off-line CPU(s) list": "48-63",
        "Vendor ID": "AuthenticAMD",
        "Model name": "AMD EPYC 7543P 32-Core Processor",
        "Thread(s) per core": 2,
        "Frequency boost": "disabled",
        "Flags": " ".join(f"flag{n}" for n in range(90)),
        "Virtualization": "AMD-V",
        "L1d cache": "1 MiB (32 instances)",
        "L3 cache": "256 MiB (8 instances)",
        "NUMA node0 CPU(s)": "0-47",
    }
    names = ("Gather data sampling", "Itlb multihit", "L1tf", "Mds", "Meltdown", "Mmio stale data")
    told |= {f"Vulnerability {name}": "Not affected" for name in names}
    told["Vulnerability Spec rstack overflow"] = "Vulnerable: Safe RET, no microcode"
    told |= {f"Vulnerability {name}": "Not affected" for name in ("Retbleed", "Srbds", "Tsx async")}
    facts = ("AMD EPYC 7543P", "48-63", "Vulnerable: Safe RET, no microcode", "Frequency boost:")
    return Probe(
        "processor", "\n".join(pairs(told, 38)), (*facts, "256 MiB (8 instances)"), "lscpu"
    )


PROBES = (unit_properties, card_counters, store_info, control_data, processor)
