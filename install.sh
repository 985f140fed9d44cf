#!/bin/sh
# Puts flowctx into OpenClaw and makes it the context engine, or takes it away again.
set -u

MIN_OPENCLAW=2026.8.1
MIN_NODE=20
ID=flowctx
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
PROGRAM=$ROOT/.venv/bin/flowctx
BUNDLE=$ROOT/plugin-shim/dist/index.js
OPENCLAW=${OPENCLAW_BIN:-openclaw}
HOME_DIR=${OPENCLAW_STATE_DIR:-$HOME/.openclaw}/flowctx
# Which engine the slot named before we took it, and which one we put there.
RECORD=$HOME_DIR/install.json

usage() {
    cat <<'END'
Usage: ./install.sh [OPTION]...

Builds flowctx, installs it into OpenClaw and makes it the context engine.
Safe to run again: it then updates what is there.

Options:
  --no-engine    install the plugin, but leave the context engine as it is
  --engine ID    install the plugin, and make ID the context engine
  --no-build     take what an earlier run or `make setup` built
  --config-only  only set the engine and the permission; the plugin is installed
  --uninstall    remove the plugin and give back the engine that was set before;
                 stored data stays
  --yes          accepted for scripts; there is nothing to confirm
  --help         show this text

Environment:
  OPENCLAW_BIN        the openclaw command, when it is not on PATH
  OPENCLAW_STATE_DIR  OpenClaw's state directory (default: ~/.openclaw)
  PYTHON              the Python to build with (3.11 or later)

Exit code: 0 done, 1 not possible (one line says what to do), 2 wrong usage.
END
}

main() {
    action=install engine=$ID build=yes
    parse "$@"
    PYTHON=$(sh "$ROOT/sidecar/make-venv.sh" --python) || exit 1
    check_openclaw
    [ "$action$build" = installyes ] && check_node
    "$action"
}

parse() {
    while [ $# -gt 0 ]; do
        case $1 in
            --no-engine) engine='' ;;
            --engine)
                [ -n "${2-}" ] || misuse "--engine needs the ID of an engine"
                shift
                engine=$1
                ;;
            --no-build) build=no ;;
            --config-only) action=configure_only ;;
            --uninstall) action=uninstall ;;
            --yes | -y) ;;
            --help | -h)
                usage
                exit 0
                ;;
            *) misuse "unknown option $1" ;;
        esac
        case $engine in
            *[!A-Za-z0-9._-]*) misuse "$engine is not the ID of an engine" ;;
        esac
        shift
    done
}

check_openclaw() {
    command -v "$OPENCLAW" >/dev/null ||
        err "$OPENCLAW was not found; install OpenClaw, or set OPENCLAW_BIN to its command"
    said=$("$OPENCLAW" --version 2>&1) ||
        err "$OPENCLAW --version failed; run it to see why: $(printf '%s' "$said" | tail -n 1)"
    version=$(printf '%s\n' "$said" | sed -n 's/^[^0-9]*\([0-9][0-9.]*[^ ]*\).*/\1/p' | head -n 1)
    is_at_least "$version" "$MIN_OPENCLAW" ||
        err "OpenClaw ${version:-of unknown version} is too old; update it to $MIN_OPENCLAW or later"
}

install() {
    load_config
    check_engine
    [ "$build" = no ] || build
    check_build
    before=$(config_at slots.contextEngine)
    remember "$before" "${engine:-$before}"
    say "Installing the plugin into OpenClaw $version"
    ensure "$OPENCLAW" plugins install "$ROOT/plugin-shim" --link --force --accept-capabilities
    configure "${engine:-$before}"
    report
}

configure_only() {
    load_config
    "$OPENCLAW" plugins inspect "$ID" --json >/dev/null 2>&1 ||
        err "the plugin is not installed; run ./install.sh without --config-only"
    check_engine
    before=$(config_at slots.contextEngine)
    [ -z "$engine" ] || remember "$before" "$engine"
    configure "${engine:-$before}"
    report
}

build() {
    if ! is_current requirements-dev.lock && ! is_current requirements.lock; then
        sh "$ROOT/sidecar/make-venv.sh" requirements.lock || exit 1
    fi
    say "Building the plugin"
    (cd "$ROOT/plugin-shim" && npm ci --loglevel=error >&2 && npm run --silent build >&2) ||
        err "npm could not build the plugin; is the package registry reachable?"
}

is_current() {
    cmp -s "$ROOT/sidecar/$1" "$ROOT/.venv/$1" && is_of_here &&
        "$PROGRAM" --version >/dev/null 2>&1
}

# In a copied checkout the program runs the code of the one that it was copied from.
is_of_here() { [ "$(cat "$ROOT/.venv/location" 2>/dev/null)" = "$ROOT" ]; }

check_node() {
    if ! found=$(node --version 2>/dev/null) || ! npm --version >/dev/null 2>&1; then
        err "node or npm was not found; install Node.js $MIN_NODE or later"
    fi
    is_at_least "${found#v}" "$MIN_NODE" ||
        err "Node.js $found is too old to build with; install $MIN_NODE or later"
}

# OpenClaw takes any name into the slot, and runs its own engine when there is none of it.
check_engine() {
    case $engine in '' | "$ID" | legacy) return ;; esac
    "$OPENCLAW" plugins inspect "$engine" --json >/dev/null 2>&1 ||
        err "OpenClaw has no context engine $engine; see: $OPENCLAW plugins list"
}

check_build() {
    [ ! -f "$ROOT/.venv/location" ] || is_of_here ||
        err "$ROOT/.venv was made in another folder; run ./install.sh without --no-build"
    "$PROGRAM" --version >/dev/null 2>&1 ||
        err "$PROGRAM does not run; run ./install.sh without --no-build"
    [ -f "$BUNDLE" ] || err "$BUNDLE is missing; run ./install.sh without --no-build"
}

# Installing alone neither enables the plugin nor names the engine where it was
# uninstalled before, so both are set, and looked at once OpenClaw has loaded it.
configure() {
    say "Setting the context engine and the permission"
    patch "{\"plugins\": {\"slots\": {\"contextEngine\": $(quoted "$1")}, \"entries\":
        {\"$ID\": {\"enabled\": true, \"llm\": {\"allowAgentIdOverride\": true}}}}}"
    say "Checking that OpenClaw loads it"
    seen=$("$OPENCLAW" plugins inspect "$ID" --runtime --json 2>/dev/null)
    [ "$(printf '%s' "$seen" | json_at plugin.status)" = loaded ] ||
        err "OpenClaw cannot load the plugin; see: $OPENCLAW plugins inspect $ID --runtime"
    load_config
    now=$(config_at slots.contextEngine)
    [ "$now" = "$1" ] ||
        err "the context engine was not set; run: $OPENCLAW config get plugins.slots.contextEngine"
}

report() {
    cat <<END
$("$PROGRAM" --version) is installed.

Changed in OpenClaw's configuration:
  plugin          $ROOT/plugin-shim
  context engine  ${now:-not set} (was ${before:-not set})
  permission      plugins.entries.$ID.llm.allowAgentIdOverride = true,
                  so that each agent's own model may write its notes

Restart the gateway, send a message, then look whether it is in use:
  $OPENCLAW gateway restart
  $PROGRAM status
To undo all of this:
  $ROOT/install.sh --uninstall
END
}

uninstall() {
    load_config
    before=$(config_at slots.contextEngine)
    if "$OPENCLAW" plugins inspect "$ID" --json >/dev/null 2>&1; then
        say "Removing the plugin from OpenClaw"
        ensure "$OPENCLAW" plugins uninstall "$ID" --force
    fi
    previous=$(recorded previous_engine)
    is_ours=no
    case $before in "$ID" | "$(recorded set_engine)") is_ours=yes ;; esac
    forget
    rm -f "$RECORD"
    rmdir "$HOME_DIR" 2>/dev/null
    echo "flowctx is not installed in OpenClaw any more."
    if [ "$is_ours" = yes ]; then
        echo "The context engine is as before: ${previous:-not set}."
    elif [ -n "$before" ]; then
        echo "The context engine stays $before, which flowctx did not set."
    fi
    [ ! -d "$HOME_DIR" ] || cat <<END
The stored data is kept; to delete it: rm -r "$HOME_DIR"
END
    echo "Restart the gateway: $OPENCLAW gateway restart"
}

# What the host leaves of the plugin would keep a later install from enabling it.
forget() {
    slots=''
    if [ "$is_ours" = yes ]; then
        slots="\"slots\": {\"contextEngine\": $(quoted "$previous")},"
    fi
    patch "{\"plugins\": {$slots \"entries\": {\"$ID\": null}}}"
}

# Only an engine that none of our runs has set is worth coming back to.
remember() {
    previous=$1
    case $1 in "$ID" | "$(recorded set_engine)") previous=$(recorded previous_engine) ;; esac
    (umask 077 && mkdir -p "$HOME_DIR" && printf '{"previous_engine": "%s", "set_engine": "%s"}\n' \
        "$previous" "$2" >"$RECORD") || err "$RECORD cannot be written; is $HOME_DIR yours?"
}

recorded() { [ ! -f "$RECORD" ] || json_at "$1" <"$RECORD"; }

# What is set below `plugins`; a file that OpenClaw cannot read has "issues".
load_config() {
    CONFIG=$("$OPENCLAW" config get plugins --json 2>/dev/null)
    if ! issues=$(config_at issues) || [ -n "$issues" ]; then
        err "OpenClaw's configuration cannot be read; run: $OPENCLAW config validate"
    fi
}

config_at() { printf '%s' "$CONFIG" | json_at "$1"; }

# The text at a dotted path of the JSON on stdin; nothing when there is none.
json_at() {
    "$PYTHON" -c '
import json, sys
value = json.load(sys.stdin)
for key in sys.argv[1].split("."):
    value = value.get(key) if isinstance(value, dict) else None
print(value or "")' "$1" 2>/dev/null
}

# A word as JSON; null, which takes a key away, for none.
quoted() { if [ -n "$1" ]; then printf '"%s"' "$1"; else printf null; fi; }

patch() { printf '%s' "$1" | ensure "$OPENCLAW" config patch --stdin || exit 1; }

is_at_least() {
    "$PYTHON" -c '
import re, sys
have, need = ([int(n) for n in re.findall(r"\d+", v.split("-")[0])] for v in sys.argv[1:])
sys.exit(not (have > need or have == need and "-" not in sys.argv[1]))' "$1" "$2" 2>/dev/null
}

# Run a command quietly; when it fails, show what it said and stop.
ensure() {
    said=$("$@" 2>&1) && return
    printf '%s\n' "$said" >&2
    err "OpenClaw refused; mend what it says and run ./install.sh again ($*)"
}

misuse() {
    say "error: $*; see ./install.sh --help"
    exit 2
}
say() { printf '%s\n' "$*" >&2; }
err() {
    say "error: $*"
    exit 1
}

main "$@" || exit 1
