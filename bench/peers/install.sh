#!/usr/bin/env bash
# Installs the rivals that are not written in Go from their registries into
# .rivals, and lede's own package for Python from this repository:
#
#   ./install.sh                     all of them
#   ./install.sh python node rust    some of them; python includes lede
#   ./install.sh lede                lede's package, after those in Python
#
# A failure is reported in one line, and the others are still installed. A second
# run installs only what is missing or has changed; lede's package is always built
# again. The exit status is 1 if any failed.
set -uo pipefail
cd "$(dirname "$0")"
mkdir -p .rivals
failed=0

say() { printf 'rivals: %s\n' "$*"; }

# install NAME TOOL FILE… runs install_NAME unless it has succeeded with the same
# FILEs before. Its output goes to a log.
install() {
  local name=$1 tool=$2 log=.rivals/$1.log stamp=.rivals/$1.done
  shift 2
  if ! command -v "$tool" >/dev/null; then
    say "$name: skipped, $tool not found"
    failed=1
    return
  fi
  if cat "$@" | cmp -s - "$stamp"; then
    say "$name: already installed"
    return
  fi
  rm -f "$stamp"
  if "install_$name" >"$log" 2>&1; then
    cat "$@" >"$stamp"
    say "$name: installed"
  else
    say "$name: failed: $(grep -v '^\s*$' "$log" | tail -n 1) (more in $log)"
    failed=1
  fi
}

# install_again NAME TOOL runs install_NAME always.
install_again() {
  rm -f ".rivals/$1.done"
  install "$1" "$2" /dev/null
}

install_python() {
  rm -rf .rivals/python
  python3 -m venv .rivals/python &&
    # Older versions of pip fail on names of extras.
    .rivals/python/bin/pip install --upgrade 'pip==26.3' &&
    .rivals/python/bin/pip install -r python/requirements.txt -c python/constraints.txt
}

# install_lede builds the wheel of lede for this machine and installs it beside the
# rivals.
install_lede() {
  rm -rf .rivals/lede &&
    .rivals/python/bin/pip wheel --no-deps --wheel-dir .rivals/lede -C platform=host ../.. &&
    .rivals/python/bin/pip install --no-deps --force-reinstall .rivals/lede/*.whl
}

install_node() {
  mkdir -p .rivals/node &&
    cp node/package.json node/package-lock.json node/.npmrc .rivals/node/ &&
    (cd .rivals/node && npm ci --ignore-scripts) &&
    # Node looks for packages next to the script only.
    ln -sfn ../.rivals/node/node_modules node/node_modules
}

install_rust() {
  cargo build --release --manifest-path rust/Cargo.toml --target-dir .rivals/rust
}

for part in "${@:-python node rust}"; do
  for name in $part; do
    case $name in
      python)
        install python python3 python/requirements.txt python/constraints.txt
        install_again lede go
        ;;
      lede) install_again lede go ;;
      node) install node npm node/package.json node/package-lock.json ;;
      rust) install rust cargo rust/Cargo.toml rust/src/main.rs ;;
      *)
        say "unknown: $name; available: python, lede, node, rust"
        exit 2
        ;;
    esac
  done
done
exit "$failed"
