# Shared by the scripts beside it: a virtual environment with what they need. Sourced, not run.
#
# Needs bash, a Python >= 3.11 (the one in $PYTHON, else the newest on PATH) and the Python package index; nothing else.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

fail() {
    printf 'error: %s\n' "$1" >&2
    exit "${2:-3}"
}

# The first interpreter that is new enough and can make virtual environments.
find_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3.13 python3.12 python3.11 python3 python; do
        if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            printf '%s' "$candidate"
            return
        fi
    done
    fail "no Python >= 3.11 with venv found on PATH; install one, or name it: PYTHON=/path/to/python3.11 $0"
}

# environment FOLDER PIP-ARGUMENT... : makes FOLDER, or brings it up to date when pyproject.toml has changed since.
environment() {
    local folder=$1 python stamp
    shift
    stamp=$(cat "$root/pyproject.toml" - <<<"$*" | cksum)
    if [ -x "$folder/bin/python" ] && [ "$(cat "$folder/.stamp" 2>/dev/null)" = "$stamp" ]; then
        return
    fi
    python=$(find_python) || exit
    "$python" -m venv --clear "$folder"
    # Dependency groups need pip 25.1.
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
    (cd "$root" && "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@")
    printf '%s' "$stamp" >"$folder/.stamp"
}
