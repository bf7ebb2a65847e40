#!/usr/bin/env bash
# Compares the quality of every method on the development corpora with the
# floors in bench/floors.json.
#
#   scripts/eval-gate.sh             all pages
#   scripts/eval-gate.sh --sample    the fixed sample used by CI
#   scripts/eval-gate.sh --raise     raise the floors, of all pages and of the sample
#
# CORPORA is the folder of the corpora (default ../shared/corpora).
set -euo pipefail
cd "$(dirname "$0")/.."

CORPORA=${CORPORA:-../shared/corpora}
corpora=("$CORPORA"/*/gold.jsonl)
if [ ! -e "${corpora[0]}" ]; then
  echo "eval-gate: skipped: no corpora in $CORPORA"
  exit 0
fi
corpora=("${corpora[@]%/gold.jsonl}")

mkdir -p bin
go build -o bin/lede-lab ./cmd/lede-lab
gate() { bin/lede-lab eval "${corpora[@]}" --floors bench/floors.json "$@"; }

case "${1:-}" in
  --raise) gate --raise && gate --raise --sample ;;
  *) gate "$@" ;;
esac
