"""Files of many blocks that are built alike, in which one says what no other does."""

from __future__ import annotations

from tests.reducers.probes.probe import WORDS, Probe, rng, word


def _joined(blocks: list[str], at: int, odd: str) -> str:
    return "\n".join([*blocks[:at], odd, *blocks[at:]])


def buckets() -> Probe:
    r = rng("hcl_buckets")
    blocks = [
        f'resource "google_storage_bucket" "{word(r)}_{n}" {{\n  name     = "{word(r)}-{n}"\n'
        f'  location = "EU"\n  versioning {{\n    enabled = true\n  }}\n}}\n'
        for n in range(60)
    ]
    odd = (
        'resource "google_storage_bucket" "receipts" {\n  name     = "receipts"\n'
        '  location = "EU"\n  versioning {\n    enabled = false\n  }\n'
        "  retention_policy_locked = false\n}\n"
    )
    facts = ('"google_storage_bucket" "receipts"', "enabled = false", "retention_policy_locked")
    return Probe("hcl_odd_bucket", _joined(blocks, 41, odd), facts, "cat buckets.tf")


def style_sheet() -> Probe:
    r = rng("css_rules")
    blocks = [
        f".{word(r)}-{word(r)}-{n} {{\n  margin: {2 * r.randrange(1, 9)}px;\n  float: left;\n"
        f"  background: var(--paper);\n}}"
        for n in range(90)
    ]
    odd = ".cart .submit {\n  pointer-events: none; /* until the till is mended */\n}"
    facts = (".cart .submit {", "pointer-events: none; /* until the till is mended */")
    return Probe("css_odd_rule", _joined(blocks, 70, odd), facts, "cat shop.css")


def migration() -> Probe:
    r = rng("sql_migration")
    tables = [
        f"CREATE TABLE {word(r)}_{n} (\n  id uuid PRIMARY KEY,\n"
        f"  owner uuid NOT NULL REFERENCES {word(r)}_{n + 1}(id),\n"
        "  seen timestamptz NOT NULL DEFAULT now()\n);"
        for n in range(50)
    ]
    odd = (
        "DELETE FROM invoices WHERE booked < '2019-01-01';\n"
        "CREATE OR REPLACE FUNCTION no_rewrite() RETURNS trigger AS $$\nBEGIN\n"
        "  RAISE EXCEPTION 'a booked invoice is never changed';\nEND $$ LANGUAGE plpgsql;"
    )
    facts = ("DELETE FROM invoices WHERE booked", "'a booked invoice is never changed'")
    text = f"BEGIN;\n{_joined(tables, 33, odd)}\nCOMMIT;"
    return Probe("sql_odd_statement", text, facts, "cat db/0093_till.sql")


def graphql_types() -> Probe:
    r = rng("graphql_types")
    types = [
        f'"""What a {word(r)} is."""\ntype {word(r).title()}{n} implements Node {{\n  id: ID!\n'
        f"  {word(r)}Sum: Int!\n  {word(r)}s: [{word(r).title()}{n + 1}!]!\n  at: DateTime!\n}}\n"
        for n in range(50)
    ]
    odd = (
        "type Voucher implements Node {\n  id: ID!\n"
        '  rate: Float @deprecated(reason: "Read scale instead, it goes in March")\n}\n'
    )
    facts = ("type Voucher implements Node", '@deprecated(reason: "Read scale instead')
    return Probe("graphql_odd_field", _joined(types, 22, odd), facts, "cat schema.graphql")


def _site(name: str, n: int, inner: str) -> str:
    return (
        f"  server {{\n    listen 8443 ssl;\n    server_name {name}.shop.example;\n"
        f"    access_log /var/log/nginx/{n}.log;\n    location /api {{\n"
        f"      proxy_pass http://10.1.0.{n}:9000;\n{inner}    }}\n  }}"
    )


def nginx_sites() -> Probe:
    r = rng("nginx_sites")
    usual = "      proxy_buffering on;\n      proxy_send_timeout 30s;\n"
    sites = [_site(f"{word(r)}{n}", n, usual) for n in range(40)]
    odd = "      proxy_buffering off;\n      proxy_send_timeout 900s;\n"
    text = f"worker_processes 4;\nhttp {{\n{_joined(sites, 24, _site('depot', 77, odd))}\n}}"
    facts = ("server_name depot.shop.example", "proxy_buffering off", "proxy_send_timeout 900s")
    return Probe("nginx_odd_site", text, facts, "cat /etc/nginx/nginx.conf")


def zones() -> Probe:
    blocks = [
        f'zone "{name}{n}.example" {{\n  type master;\n  file "/etc/bind/{name}{n}.db";\n'
        "  allow-transfer { none; };\n};"
        for n in range(2)
        for name in WORDS
    ]
    odd = (
        'zone "till.example" {\n  type master;\n  file "/etc/bind/till.db";\n'
        "  allow-transfer { any; };\n};"
    )
    facts = ('zone "till.example"', "allow-transfer { any; }")
    return Probe("bind_odd_zone", _joined(blocks, 30, odd), facts, "cat /etc/bind/named.conf.local")


def ssh_hosts() -> Probe:
    r = rng("ssh_hosts")
    hosts = [
        f"Host {word(r)}-{n}\n    HostName 10.20.{n}.7\n    User deploy\n"
        f"    IdentityFile ~/.ssh/{word(r)}_{n}\n    ForwardAgent no\n"
        for n in range(45)
    ]
    odd = (
        "Host till-gate\n    HostName 10.20.99.7\n    User root\n"
        "    IdentityFile ~/.ssh/till\n    ForwardAgent yes\n"
    )
    facts = ("Host till-gate", "User root", "ForwardAgent yes")
    return Probe("ssh_odd_host", _joined(hosts, 27, odd), facts, "cat ~/.ssh/config")


def balancers() -> Probe:
    r = rng("haproxy_backends")
    parts = [
        f"backend {word(r)}_{n}\n    mode http\n    balance roundrobin\n"
        f"    option httpchk GET /health\n    server {word(r)} 10.30.{n}.4:8080 check\n"
        for n in range(40)
    ]
    odd = (
        "backend till_api\n    mode http\n    balance source\n"
        "    option httpchk GET /health\n    server till 10.30.200.4:8080 disabled\n"
    )
    facts = ("backend till_api", "balance source", "server till 10.30.200.4:8080 disabled")
    return Probe("haproxy_odd_backend", _joined(parts, 18, odd), facts, "cat haproxy.cfg")


PROBES = (
    buckets,
    style_sheet,
    migration,
    graphql_types,
    nginx_sites,
    zones,
    ssh_hosts,
    balancers,
)
