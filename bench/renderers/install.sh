#!/usr/bin/env bash
# Installs the Markdown renderers of other languages into .installed, unless they
# are there. One that cannot be installed is reported, and its tests are skipped.
set -uo pipefail
cd "$(dirname "$0")"
mkdir -p .installed

# install NAME FILE runs install_NAME unless it has succeeded with the same FILE.
install() {
  local name=$1 file=$2 log=.installed/$1.log stamp=.installed/$1.done
  if cmp -s "$file" "$stamp"; then
    return
  fi
  rm -f "$stamp"
  if "install_$name" >"$log" 2>&1; then
    cp "$file" "$stamp"
  else
    echo "renderers: $name: cannot be installed, skipping its tests: $(grep -v '^\s*$' "$log" | tail -n 1)"
  fi
}

install_python() {
  rm -rf .installed/python
  python3 -m venv .installed/python &&
    .installed/python/bin/pip install -q --retries 1 -r python/requirements.txt
}

install_node() {
  mkdir -p .installed/node &&
    cp node/package.json node/package-lock.json node/.npmrc .installed/node/ &&
    (cd .installed/node && npm ci --ignore-scripts) &&
    # Node looks for packages next to the script only.
    ln -sfn ../.installed/node/node_modules node/node_modules
}

install python python/requirements.txt
install node node/package-lock.json
