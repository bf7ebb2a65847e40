#!/usr/bin/env bash
# Tests lede_news.spark on a Spark standalone cluster of this machine: a master and two
# workers on 127.0.0.1. Installs what it needs, and ends all that it starts.
#
#   scripts/cluster.sh               the short form: 400 pages, a kill of each kind
#   LEDE_LONG=1 scripts/cluster.sh   20,000 pages in 40 archives, kills in every stage
#   LEDE_CLUSTER=all scripts/cluster.sh   all tests of the long form, with few pages
#   scripts/cluster.sh --bench       the benchmark; arguments are those of python/bench/spark_cluster.py
#
# Arguments are passed on to pytest. What cannot be installed is reported, and skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

PACKAGES=('pyspark==4.3.0' 'pyarrow==26.0.1' 'pytest==9.2.0')
export PIP_DISABLE_PIP_VERSION_CHECK=1
unset PYTHONPATH PYTHONHOME SPARK_HOME SPARK_CONF_DIR

# apt PACKAGE… installs packages of Debian, if that is possible.
apt() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null &&
    apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"
}

# java_17 reports whether there is a Java that Spark can run with.
java_17() {
  local version
  version=$("${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
  [ -n "$version" ] && [ "$version" -ge 17 ]
}

if [ "$(uname -s)" != Linux ]; then
  echo "processes are found by /proc, which only Linux has: skipping the cluster"
  exit 0
fi
if ! command -v python3 >/dev/null || ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
  echo "python3 is missing or older than 3.10: skipping the cluster"
  exit 0
fi
if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
  apt python3-venv || true
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    echo "python3 has no venv: skipping the cluster"
    exit 0
  fi
fi
if ! java_17; then
  # The short form is part of the test script, and installs no Java.
  if [ -z "${LEDE_LONG:-}" ] && [ "${1:-}" != --bench ] || ! apt openjdk-17-jre-headless || ! java_17; then
    echo "Java 17 or later is missing: skipping the cluster"
    exit 0
  fi
fi

venv=bin/cluster
if [ "$(cat "$venv/installed" 2>/dev/null)" != "${PACKAGES[*]}" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
  echo "installing ${PACKAGES[*]}"
  if ! python3 -m venv --clear "$venv" || ! "$venv/bin/pip" install -q --retries 1 "${PACKAGES[@]}"; then
    echo "${PACKAGES[*]} cannot be installed: skipping the cluster"
    exit 0
  fi
  echo "${PACKAGES[*]}" >"$venv/installed"
fi

go build -o bin/lede ./cmd/lede

export LEDE_COMMAND="$PWD/bin/lede" PYTHONPATH="$PWD/python"
if [ "${1:-}" = --bench ]; then
  shift
  exec "$venv/bin/python" python/bench/spark_cluster.py --floors "$@"
fi

# All processes of the cluster end with pytest, also if it is killed.
limit=10m
[ -z "${LEDE_LONG:-}" ] && [ "${LEDE_CLUSTER:-}" != all ] || limit=4h
LEDE_CLUSTER=${LEDE_CLUSTER:-1} timeout --kill-after=30s "$limit" \
  "$venv/bin/python" -m pytest -q -rs --durations=8 -o faulthandler_timeout=1800 python/tests/cluster "$@"
