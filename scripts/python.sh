#!/usr/bin/env bash
# Builds the wheel of the Python package for this machine, installs it into a fresh
# virtual environment, and tests the installed package.
#
#   scripts/python.sh               what a change needs
#   LEDE_LONG=1 scripts/python.sh   the wheels of all platforms, and the long forms of the tests
#   LEDE_PYTHONS="python3.10 python3.13" scripts/python.sh   the tests with these, too
#
# Arguments are passed on to pytest. What cannot be installed is reported, and skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

TOOLS=('build==1.6.1' 'hatchling==1.33.0' 'check-wheel-contents==0.6.3' 'twine==7.0.0' 'mypy==2.4.1' 'ruff==0.17.4' 'pytest==9.2.0' 'typing_extensions==4.16.0')
TEST=('pytest==9.2.0')
LIBRARIES=('pandas==3.1.1' 'pyspark==4.3.0' 'pyarrow==26.0.1')
PLATFORMS=(linux-amd64 linux-arm64 darwin-amd64 darwin-arm64 windows-amd64 windows-arm64)

# The package that is tested is the installed one, with the program that it holds.
unset PYTHONPATH PYTHONHOME LEDE_COMMAND LEDE_PLATFORM
export PIP_DISABLE_PIP_VERSION_CHECK=1

# shellcheck source=scripts/venv.sh
. scripts/venv.sh
part() { printf -- '\n-- %s (%d s)\n' "$*" "$SECONDS"; }

part "installing tools"
have_venv || exit 0
if ! installed python-tools "${TOOLS[@]}"; then
  echo "${TOOLS[*]} cannot be installed: skipping the Python package"
  exit 0
fi
tools=bin/python-tools/bin
tests=yes
if ! installed python-test "${TEST[@]}" "${LIBRARIES[@]}"; then
  echo "${LIBRARIES[*]} cannot be installed: skipping their tests"
  if ! installed python-test "${TEST[@]}"; then
    echo "${TEST[*]} cannot be installed: skipping the tests of the Python package"
    tests=
  fi
fi

part "ruff and mypy"
$tools/ruff check python bench/python
$tools/ruff format --check python bench/python
$tools/mypy python/hatch_build.py python/lede_news python/lede_spark.py python/tests python/examples bench/python

part "building wheels"
rm -rf bin/wheels
$tools/python -m build --no-isolation --outdir bin/wheels
if [ -n "${LEDE_LONG:-}" ]; then
  for platform in "${PLATFORMS[@]}"; do
    LEDE_PLATFORM=$platform $tools/python -m build --wheel --no-isolation --outdir bin/wheels
  done
fi
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
export LEDE_INSTALLED=1 LEDE_WHEELS="$PWD/bin/wheels"
timeout --foreground 60m bin/python/bin/python -I -m pytest -q -rs --durations=8 --ignore python/tests/test_cluster.py "$@"

for python in ${LEDE_PYTHONS:-}; do
  part "pytest with $("$python" --version)"
  "$python" -m venv --clear bin/python-other
  bin/python-other/bin/pip install -q --retries 1 "${TEST[@]}"
  bin/python-other/bin/pip install -q --no-index --find-links bin/wheels --only-binary lede-news --pre lede-news
  bin/python-other/bin/python -I -m pytest -q -rs --ignore python/tests/test_cluster.py "$@"
done
