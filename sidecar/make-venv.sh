#!/bin/sh
# Makes the checkout's virtual environment: what a lock file pins, and flowctx
# itself, editable.
#
# usage: make-venv.sh LOCK       name of a lock file beside this script
#        make-venv.sh --python   only print the Python that would be used
set -u

SIDECAR=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
ROOT=$(dirname -- "$SIDECAR")
VENV=$ROOT/.venv
VENV_PYTHON=$VENV/bin/python
CANDIDATES="python3 python3.14 python3.13 python3.12 python3.11"

main() {
    find_python
    if [ "$1" = --python ]; then
        printf '%s\n' "$FOUND"
        return
    fi
    case $ROOT in
        *[\$:]*) err "Python packages cannot be built in $ROOT: rename the folder, without \$ and :" ;;
    esac
    [ -w "$ROOT" ] || err "$ROOT cannot be written; clone flowctx into a folder of your own"
    is_usable || create
    say "Installing the Python packages of $1"
    pip install --require-hashes -r "$SIDECAR/$1" ||
        err "pip could not install the packages; is the package index reachable?"
    say "Installing flowctx into $VENV"
    pip install --no-deps --editable "$SIDECAR" ||
        err "pip could not install flowctx; it says why above"
    pwd -P >"$VENV/location"
    # Tells a later run what lies here; written last, so that it tells the truth.
    cp "$SIDECAR/$1" "$VENV/$1"
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        FOUND=$PYTHON
        is_new_enough "$FOUND" || err "$FOUND (from PYTHON) is not Python 3.11 or later"
        return
    fi
    for FOUND in $CANDIDATES; do
        is_new_enough "$FOUND" && return
    done
    err "Python 3.11 or later was not found; install it, or set PYTHON to its path"
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

# Scripts of a virtual environment name their Python by its whole path.
is_usable() {
    [ "$(cat "$VENV/location" 2>/dev/null)" = "$ROOT" ] &&
        is_new_enough "$VENV_PYTHON" && "$VENV_PYTHON" -c 'import pip' 2>/dev/null
}

create() {
    say "Creating $VENV"
    said=$("$FOUND" -m venv --clear "$VENV" 2>&1) && return
    # Debian keeps ensurepip in a package of its own; a pip outside will do.
    "$FOUND" -m venv --clear --without-pip "$VENV" 2>/dev/null &&
        "$FOUND" -m pip --python "$VENV_PYTHON" install --quiet pip 2>/dev/null && return
    rm -rf "$VENV"
    if "$FOUND" -c 'import ensurepip' 2>/dev/null; then
        err "$FOUND could not make $VENV: $(printf '%s\n' "$said" | tail -n 1)"
    fi
    package=$("$FOUND" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    err "$FOUND cannot make virtual environments; on Debian or Ubuntu install $package"
}

# One line for every few packages, and what pip said last when it failed.
pip() {
    { "$VENV_PYTHON" -m pip --disable-pip-version-check "$@" 2>&1 || echo "pip failed"; } |
        awk '/^(Collecting|Processing|Requirement already)/ && ++seen % 10 == 0 {
                 print "  " seen " packages" > "/dev/stderr"
             }
             $0 == "pip failed" { failed = 1; next }
             { last[++lines % 15] = $0 }
             END {
                 for (n = lines + 1; failed && n <= lines + 15; n++)
                     if (last[n % 15] != "") print last[n % 15] > "/dev/stderr"
                 exit failed
             }'
}

say() { printf '%s\n' "$*" >&2; }
err() {
    say "error: $*"
    exit 1
}

cd "$ROOT" && main "${1:?name a lock file}"
