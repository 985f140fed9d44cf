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

# shellcheck source=sidecar/openclaw.sh
. "$ROOT/sidecar/openclaw.sh"

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
    action=install engine=$ID build=yes by_action='' by_engine=''
    parse "$@"
    PYTHON=$(sh "$ROOT/sidecar/make-venv.sh" --python) || exit 1
    check_openclaw
    [ "$action$build" = installyes ] && check_node
    "$action"
}

parse() {
    while [ $# -gt 0 ]; do
        case $1 in
            --no-engine) choose_engine '' "$1" ;;
            --engine)
                case ${2-} in
                    '' | -*) misuse "--engine needs the ID of an engine" ;;
                    *[!A-Za-z0-9._-]*) misuse "$2 is not the ID of an engine" ;;
                esac
                choose_engine "$2" "$1 $2"
                shift
                ;;
            --no-build) build=no ;;
            --config-only) choose_action configure_only "$1" ;;
            --uninstall) choose_action uninstall "$1" ;;
            --yes | -y) ;;
            --help | -h)
                usage
                exit 0
                ;;
            *) misuse "unknown option $1" ;;
        esac
        shift
    done
    case $by_action$by_engine in
        --uninstall?* | --config-only--no-engine) contradict "$by_action" "$by_engine" ;;
    esac
}

choose_engine() {
    case $by_engine in '' | "$2") ;; *) contradict "$by_engine" "$2" ;; esac
    engine=$1 by_engine=$2
}

choose_action() {
    case $by_action in '' | "$2") ;; *) contradict "$by_action" "$2" ;; esac
    action=$1 by_action=$2
}

contradict() { misuse "$1 and $2 contradict each other"; }

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
    is_installed || err "the plugin is not installed; run ./install.sh without --config-only"
    check_engine
    before=$(config_at slots.contextEngine)
    [ -z "$engine" ] || remember "$before" "$engine"
    configure "${engine:-$before}"
    report
}

build() {
    [ -w "$ROOT" ] || err "$ROOT cannot be written; clone flowctx into a folder of your own"
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

# OpenClaw takes any name into the slot, and runs its own engine when there is none of it,
# or where all plugins are switched off.
check_engine() {
    [ "$(config_at enabled)" != False ] ||
        err "OpenClaw's plugins are switched off; run: $OPENCLAW config set plugins.enabled true"
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
        err "OpenClaw cannot load the plugin; see: $OPENCLAW plugins inspect $ID --runtime;" \
            "./install.sh --uninstall undoes it"
    # One that was chosen as the engine says so; about others the configuration is asked.
    case $1,$(printf '%s' "$seen" | json_at plugin.activationReason) in
        "$ID,selected context engine slot") now=$1 ;;
        *) load_config && now=$(config_at slots.contextEngine) ;;
    esac
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
  $(typed "$OPENCLAW") gateway restart
  $(typed "$PROGRAM") status
To undo all of this:
  $(typed "$ROOT/install.sh") --uninstall
END
}

uninstall() {
    load_config
    before=$(config_at slots.contextEngine)
    if is_installed; then
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
The stored data is kept; to delete it: rm -r $(typed "$HOME_DIR")
END
    echo "Restart the gateway: $(typed "$OPENCLAW") gateway restart"
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
