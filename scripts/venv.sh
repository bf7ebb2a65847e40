# shellcheck shell=bash
# Functions of scripts that need virtual environments of Python; to be sourced.

# have_venv reports whether there is a Python with venv, which is installed if that is possible.
have_venv() {
  if ! command -v python3 >/dev/null || ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    echo "python3 is missing or older than 3.10: skipping $0"
    return 1
  fi
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv || true
  fi
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    echo "python3 has no venv: skipping $0"
    return 1
  fi
}

# installed NAME REQUIREMENT… installs requirements into the virtual environment bin/NAME,
# unless they are there.
installed() {
  local folder=bin/$1
  shift
  if [ "$(cat "$folder/installed" 2>/dev/null)" = "$*" ] && "$folder/bin/python" -c '' 2>/dev/null; then
    return
  fi
  python3 -m venv --clear "$folder" && "$folder/bin/pip" install -q --retries 1 "$@" && echo "$*" >"$folder/installed"
}
