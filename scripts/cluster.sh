#!/usr/bin/env bash
# Tests lede_news.spark on a Spark standalone cluster of this machine: a master and two
# workers on 127.0.0.1, one of which is killed.
#
#   scripts/cluster.sh            the test; arguments are passed on to pytest
#   scripts/cluster.sh --bench    the benchmark, bench/python/spark.py
#
# What cannot be installed is reported, and skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

PACKAGES=('pyspark==4.3.0' 'pyarrow==26.0.1' 'pytest==9.2.0')
export PIP_DISABLE_PIP_VERSION_CHECK=1
unset PYTHONPATH PYTHONHOME SPARK_HOME SPARK_CONF_DIR

# shellcheck source=scripts/venv.sh
. scripts/venv.sh
have_venv || exit 0
if [ "$(uname -s)" != Linux ]; then
  echo "processes are found by /proc, which only Linux has: skipping the cluster"
  exit 0
fi
if ! command -v java >/dev/null && [ -z "${JAVA_HOME:-}" ]; then
  echo "there is no Java: skipping the cluster"
  exit 0
fi
if ! installed cluster "${PACKAGES[@]}"; then
  echo "${PACKAGES[*]} cannot be installed: skipping the cluster"
  exit 0
fi

go build -o bin/ ./cmd/lede ./cmd/lede-lab
export LEDE_COMMAND="$PWD/bin/lede" PYTHONPATH="$PWD/python"
if [ "${1:-}" = --bench ]; then
  shift
  exec bin/cluster/bin/python bench/python/spark.py "$@"
fi
timeout --kill-after=30s 15m bin/cluster/bin/python -m pytest -q -rs python/tests/test_cluster.py "$@"
