#!/usr/bin/env bash
# Repeats the experiments of the papers.
#
#   scripts/papers.sh            all, on the corpora, and updates docs/papers.md
#   scripts/papers.sh --quick    the short form on made-up pages, which the tests of
#                                internal/lab/experiments check; it writes nothing
#
# CORPORA is the folder of the corpora (default ../shared/corpora).
set -euo pipefail
cd "$(dirname "$0")/.."

CORPORA=${CORPORA:-../shared/corpora}
mkdir -p bin
go build -o bin/lede-lab ./cmd/lede-lab

if [ "${1:-}" = --quick ]; then
  for paper in nce coreex twcem stadynot wrapper; do
    bin/lede-lab experiment $paper --quick
  done
  exit 0
fi
if [ ! -e "$CORPORA" ]; then
  echo "papers: no corpora in $CORPORA"
  exit 1
fi
run() {
  local paper=$1 corpora=()
  shift
  while [ $# -gt 0 ] && [ "${1#--}" = "$1" ]; do
    corpora+=("$CORPORA/$1")
    shift
  done
  bin/lede-lab experiment "$paper" "${corpora[@]}" --update docs/papers.md "$@"
}
pairs=()
if [ -e "$CORPORA/../pairs" ]; then
  pairs=(--pairs "$CORPORA/../pairs") # that people judged, for the claim of NCE
fi
browser=()
if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || [ -n "${LEDE_CHROMIUM:-}" ]; then
  browser=(--browser) # for the time that NCE saves
fi
run nce l3s-gn1 cleanportaleval daniel dragnet fundus-publishers "${browser[@]}" "${pairs[@]}"
run coreex l3s-gn1 daniel fundus-publishers wcxb
run twcem cleaneval chinese daniel fundus-publishers l3s-gn1
run stadynot daniel cleanportaleval
run wrapper daniel cleanportaleval fundus-publishers
