#!/usr/bin/env bash
# Runs every fuzz target of the module for the time given.
#
#   scripts/fuzz.sh 5m
set -euo pipefail
cd "$(dirname "$0")/.."
# Without a bound, Go spends more time on making interesting inputs smaller than on finding them.
time=${1:?how long for each target? For example 30s}

git grep -l '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u | while read -r dir; do
  git grep -h -o '^func Fuzz[A-Za-z0-9_]*' -- "$dir/*_test.go" ":!$dir/*/*" | sed 's/^func //' | sort | while read -r target; do
    echo "$dir $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x "./$dir"
  done
done
