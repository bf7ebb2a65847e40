#!/usr/bin/env bash
# Builds the wheels of the Python package, checks them, installs that of this machine
# into a fresh virtual environment, and tests the installed package.
#
#   scripts/python.sh               the wheels of this machine, Windows and macOS
#   LEDE_LONG=1 scripts/python.sh   all wheels, and the long forms of the tests
#   LEDE_PYTHONS="python3.10 python3.13" scripts/python.sh   the tests with these, too
#
# Arguments are passed on to pytest. What cannot be installed is reported, and skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

TOOLS=('build==1.6.1' 'hatchling==1.33.0' 'check-wheel-contents==0.6.3' 'twine==7.0.0' 'mypy==2.4.1' 'ruff==0.17.4' 'pytest==9.2.0' 'typing_extensions==4.16.0')
TEST=('pytest==9.2.0')
FRAMES=('pandas==3.1.1' 'polars==2.1.0')
SPARK=('pyspark==4.3.0')

# The package that is tested is the installed one, with the program that it holds.
unset PYTHONPATH PYTHONHOME LEDE_COMMAND
export PIP_DISABLE_PIP_VERSION_CHECK=1

if ! command -v python3 >/dev/null; then
  echo "python3 is missing: skipping the Python package"
  exit 0
fi
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
  echo "$(python3 --version) is older than 3.10: skipping the Python package"
  exit 0
fi
if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv || true
  fi
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    echo "python3 has no venv: skipping the Python package"
    exit 0
  fi
fi

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

part() { printf -- '\n-- %s (%d s)\n' "$*" "$SECONDS"; }

part "installing tools"
if ! installed python-tools "${TOOLS[@]}"; then
  echo "${TOOLS[*]} cannot be installed: skipping the Python package"
  exit 0
fi
tools=bin/python-tools/bin
tests=yes
if ! command -v java >/dev/null && [ -z "${JAVA_HOME:-}" ]; then
  echo "there is no Java: skipping the tests of lede on Spark"
  SPARK=()
fi
if [ ${#SPARK[@]} -gt 0 ] && ! installed python-test "${TEST[@]}" "${FRAMES[@]}" "${SPARK[@]}"; then
  echo "${SPARK[*]} cannot be installed: skipping the tests of lede on Spark"
  SPARK=()
fi
if ! installed python-test "${TEST[@]}" "${FRAMES[@]}" "${SPARK[@]}"; then
  echo "${FRAMES[*]} cannot be installed: skipping their tests"
  if ! installed python-test "${TEST[@]}"; then
    echo "${TEST[*]} cannot be installed: skipping the tests of the Python package"
    tests=
  fi
fi

part "ruff and mypy"
$tools/ruff check python
$tools/ruff format --check python
for version in 3.10 3.14; do
  $tools/mypy --python-version "$version" python/build_lede.py python/lede_news python/lede_spark.py python/tests python/examples python/bench
done

# The packages of lede that these platforms need are compiled by scripts/test.sh, with the
# same flags.
arch=$(go env GOARCH)
platforms=(-C "platform=windows-$arch" -C "platform=darwin-$arch" -C platform=host)
[ -z "${LEDE_LONG:-}" ] || platforms=(-C platform=all)

part "building wheels"
rm -rf bin/wheels
$tools/python -m build --no-isolation --outdir bin/wheels "${platforms[@]}"
ls -l bin/wheels

part "checking wheels"
$tools/twine --no-color check --strict bin/wheels/*
$tools/check-wheel-contents bin/wheels/*.whl

part "installing the wheel into a fresh environment"
python3 -m venv --clear --without-pip bin/python
$tools/pip --python bin/python install -q --no-index --find-links bin/wheels --only-binary lede-news --pre lede-news

# The types of the installed package are those that its users see.
part "types of the installed package"
$tools/mypy --strict --config-file= --cache-dir=bin/python/mypy --python-executable bin/python/bin/python python/tests/typed/user.py

[ -n "$tests" ] || exit 0
part "pytest"
# The libraries of the tests are not installed again each time.
where='import sysconfig; print(sysconfig.get_path("purelib"))'
bin/python-test/bin/python -c "$where" >"$(bin/python/bin/python -c "$where")/test.pth"
export LEDE_INSTALLED=1 LEDE_WHEELS="$PWD/bin/wheels" LEDE_BUILD_PYTHON="$PWD/$tools/python"
limit=20m # of a test that hangs
[ -z "${LEDE_LONG:-}" ] || limit=3h
timeout --foreground "$limit" bin/python/bin/python -I -m pytest -q -rs --durations=8 "$@"

for python in ${LEDE_PYTHONS:-}; do
  part "pytest with $("$python" --version)"
  "$python" -m venv --clear bin/python-other
  bin/python-other/bin/pip install -q --retries 1 "${TEST[@]}"
  bin/python-other/bin/pip install -q --no-index --find-links bin/wheels --only-binary lede-news --pre lede-news
  bin/python-other/bin/python -I -m pytest -q -rs "$@"
done

# Its figures are of no use with so few pages: see make python-bench.
part "the benchmark runs"
go build -o bin/library ./python/bench/library
bin/python/bin/python -I python/bench/throughput.py --made-up --pages 40 --single 10 --rounds 1 >/dev/null
