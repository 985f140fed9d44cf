# shellcheck shell=sh disable=SC2034,SC2154
# What install.sh asks of OpenClaw and tells it; read by it, with its settings and its `err`.

# Year, month and number of a release, as a basic regular expression.
VERSION='\(OpenClaw \)\{0,1\}v\{0,1\}\([0-9]\{4\}\.[0-9]\{1,2\}\.[0-9][^ ]*\)'

check_openclaw() {
    command -v "$OPENCLAW" >/dev/null ||
        err "$OPENCLAW was not found; install OpenClaw, or set OPENCLAW_BIN to its command"
    said=$("$OPENCLAW" --version 2>&1) ||
        err "$OPENCLAW --version failed; run it to see why, it said: $(telling_line)"
    version=$(printf '%s\n' "$said" | sed -n "s/^$VERSION\( .*\)\{0,1\}\$/\2/p" | head -n 1)
    [ -n "$version" ] ||
        err "$OPENCLAW --version tells no version of OpenClaw, but: $(telling_line)"
    is_at_least "$version" "$MIN_OPENCLAW" ||
        err "OpenClaw $version is too old; update it to $MIN_OPENCLAW or later"
}

# The line that says why: an error under its name, else the first one of some words.
telling_line() {
    printf '%s\n' "$said" | awk '
        /^[A-Za-z]*Error[: ]/ { error = $0; exit }
        NF > 1 && words == "" { words = $0 }
        NF && any == "" { any = $0 }
        END { print error != "" ? error : words != "" ? words : any != "" ? any : "nothing" }'
}

# What is set below `plugins`; a file that OpenClaw cannot read has "issues".
load_config() {
    CONFIG=$("$OPENCLAW" config get plugins --json 2>/dev/null)
    if ! issues=$(config_at issues) || [ -n "$issues" ]; then
        err "OpenClaw's configuration cannot be read; run: $OPENCLAW config validate"
    fi
}

# Reading files is quick; OpenClaw takes seconds, and is asked only where they say nothing.
is_installed() {
    config_at load.paths | while IFS= read -r folder; do
        ! is_ours_in "$folder" || exit 1
    done || return 0
    is_ours_in "${HOME_DIR%/*}/extensions/$ID" ||
        "$OPENCLAW" plugins inspect "$ID" --json >/dev/null 2>&1
}

is_ours_in() {
    [ -f "$1/openclaw.plugin.json" ] && [ "$(json_at id <"$1/openclaw.plugin.json")" = "$ID" ]
}

config_at() { printf '%s' "$CONFIG" | json_at "$1"; }

# The text at a dotted path of the JSON on stdin, of a list each on a line; nothing when
# there is none.
json_at() {
    "$PYTHON" -c '
import json, sys
value = json.load(sys.stdin)
for key in sys.argv[1].split("."):
    value = value.get(key) if isinstance(value, dict) else None
for each in value if isinstance(value, list) else [value]:
    print("" if each is None else each)' "$1" 2>/dev/null
}

patch() { printf '%s' "$1" | ensure "$OPENCLAW" config patch --stdin || exit 1; }

# A word as it is typed into a shell.
typed() {
    case $1 in
        *[!A-Za-z0-9_./+:@%,=-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
        *) printf '%s' "$1" ;;
    esac
}

# A word as JSON; null, which takes a key away, for none.
quoted() { if [ -n "$1" ]; then printf '"%s"' "$1"; else printf null; fi; }

is_at_least() {
    "$PYTHON" -c '
import re, sys
have, need = ([int(n) for n in re.findall(r"\d+", v.split("-")[0])] for v in sys.argv[1:])
sys.exit(not (have > need or have == need and "-" not in sys.argv[1]))' "$1" "$2" 2>/dev/null
}
