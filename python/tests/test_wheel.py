"""The wheels, the source distribution, and the version."""

from __future__ import annotations

import email
import os
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import lede_news

WHEELS = Path(os.environ.get("LEDE_WHEELS") or "-")
WHEEL_FILES = sorted(WHEELS.glob("*.whl")) if WHEELS.is_dir() else []
needs_wheels = pytest.mark.skipif(not WHEEL_FILES, reason="no wheels: scripts/python.sh builds them (LEDE_WHEELS)")
needs_installed = pytest.mark.skipif(not os.environ.get("LEDE_INSTALLED"), reason="scripts/python.sh installs it")

PLATFORMS = {  # the beginning of the program, and where it names its machine
    "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64": (b"\x7fELF\x02\x01", 18, 62),
    "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64": (b"\x7fELF\x02\x01", 18, 183),
    "macosx_12_0_x86_64": (b"\xcf\xfa\xed\xfe", 4, 0x0007),
    "macosx_12_0_arm64": (b"\xcf\xfa\xed\xfe", 4, 0x000C),
    "win_amd64": (b"MZ", None, 0x8664),
    "win_arm64": (b"MZ", None, 0xAA64),
}


@needs_installed
def test_the_installed_package_is_tested(repository: Path, program: str) -> None:
    site = Path(sysconfig.get_path("platlib")).resolve()
    assert Path(lede_news.__file__).resolve().parent == site / "lede_news"
    assert Path(program).resolve().parent == site / "lede_news" / "bin"
    assert str(repository / "python") not in sys.path


@needs_wheels
def test_platforms(long: bool) -> None:
    found = {p.stem.split("-")[-1] for p in WHEEL_FILES}
    assert found == set(PLATFORMS) if long else found <= set(PLATFORMS)


@needs_wheels
@pytest.mark.parametrize("path", WHEEL_FILES, ids=lambda p: p.stem.split("-")[-1].split(".")[0])
def test_wheel(path: Path, repository: Path) -> None:
    tag = path.stem.split("-")[-1]
    info = f"lede_news-{lede_news.__version__}.dist-info"
    program = "lede_news/bin/lede" + (".exe" if tag.startswith("win_") else "")
    package = repository / "python" / "lede_news"
    want = {f"lede_news/{p.relative_to(package).as_posix()}" for p in package.rglob("*.py")} | {
        *("lede_news/py.typed", "lede_news/bin/LICENSES.txt", program),
        f"lede_news-{lede_news.__version__}.data/scripts/lede_spark.py",
        *(f"{info}/{n}" for n in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")),
    }
    with zipfile.ZipFile(path) as wheel:
        assert set(wheel.namelist()) == want
        assert wheel.getinfo(program).external_attr >> 16 & 0o777 == 0o755
        check_machine(wheel.read(program), *PLATFORMS[tag])
        modules = re.findall(r"^={80}\n(\S+) v", wheel.read("lede_news/bin/LICENSES.txt").decode(), re.MULTILINE)
        assert "golang.org/x/net" in modules
        tags = email.message_from_bytes(wheel.read(f"{info}/WHEEL")).get_all("Tag")
        assert tags == [f"py3-none-{t}" for t in tag.split(".")]
        data = email.message_from_bytes(wheel.read(f"{info}/METADATA"))
    assert (data["Name"], data["Version"]) == ("lede-news", lede_news.__version__)
    assert {r.partition(">")[0] for r in data.get_all("Requires-Dist") or []} == {"pyspark", "pyarrow"}
    assert path.stat().st_size < 25 << 20


def check_machine(data: bytes, start: bytes, at: int | None, machine: int) -> None:
    """Check the machine of a program, and that one for Linux is static."""
    assert data.startswith(start)
    at = struct.unpack_from("<I", data, 60)[0] + 4 if at is None else at
    assert struct.unpack_from("<H", data, at)[0] == machine
    if start[1:4] == b"ELF":
        (first,) = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        kinds = {struct.unpack_from("<I", data, first + size * i)[0] for i in range(count)}
        assert 1 in kinds and not kinds & {2, 3}  # PT_LOAD, but no PT_DYNAMIC and no PT_INTERP


@needs_wheels
def test_source_distribution(repository: Path) -> None:
    """It has what the program needs, and not the rest of the repository."""
    (path,) = WHEELS.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        files = {n.partition("/")[2] for n in sdist.getnames()}
    form = (
        "{{if .Module}}{{if .Module.Main}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}\n{{end}}"
        "{{range .EmbedFiles}}{{$d}}/{{.}}\n{{end}}{{end}}{{end}}"
    )
    for system in ("linux", "darwin", "windows"):
        args = ["go", "list", "-deps", "-f", form, "./cmd/lede"]
        env = dict(os.environ, GOOS=system, CGO_ENABLED="0")
        out = subprocess.run(args, cwd=repository, env=env, check=True, capture_output=True, text=True).stdout
        assert {Path(line).relative_to(repository).as_posix() for line in out.split("\n") if line} <= files
    assert {"go.mod", "LICENSE", "python/README.md", "python/VERSION", "python/hatch_build.py"} <= files
    assert not [n for n in files if n.startswith(("internal/lab/", "python/tests", "bench/")) or "_test.go" in n]


def test_version_of_the_program(program: str, repository: Path) -> None:
    if os.environ.get("LEDE_COMMAND"):
        pytest.skip("LEDE_COMMAND is set: the program is not that of the package")
    line = subprocess.run([program, "--version"], capture_output=True, check=True, text=True).stdout
    assert python_version(repository, line.split()[1]) == lede_news.__version__


VERSIONS = {
    "v1.2.3": "1.2.3",
    "v1.2.3-rc.1": "1.2.3rc1",
    "v1.2.3-14-g0123456789ab": "1.2.4.dev14+g0123456789ab",
    "v1.2.3-rc.1-2-g0123456789ab-dirty": "1.2.3rc2.dev2+g0123456789ab.dirty",
    "v0.0.0-310-g0123456789ab": "0.0.1.dev310+g0123456789ab",
    "devel": "0.0.0.dev0",
}


@pytest.mark.parametrize("version", VERSIONS)
def test_versions(repository: Path, version: str) -> None:
    assert python_version(repository, version) == VERSIONS[version]


def python_version(repository: Path, version: str) -> str:
    """Return a version of lede as Python writes it, without hatchling."""
    source = (repository / "python" / "hatch_build.py").read_text()
    names: dict[str, object] = {"re": re}
    start = source.index("VERSION = re.compile")
    exec(f"from __future__ import annotations\n{source[start:]}", names)
    made: Callable[[str], str] = names["python_version"]  # type: ignore[assignment]
    return made(version)


def test_python_m(page: bytes, cli: Callable[..., bytes], tmp_path: Path) -> None:
    run = [sys.executable, "-m", "lede_news"]
    done = subprocess.run([*run, "extract", "-f", "md", "-"], input=page, capture_output=True, check=True)
    assert done.stdout == cli("extract", "-f", "md", "-", stdin=page)
    assert subprocess.run([*run, "no-such-command"], capture_output=True, check=False).returncode == 2
    env = dict(os.environ, LEDE_COMMAND=str(tmp_path / "nothing"))
    done = subprocess.run([*run, "version"], env=env, capture_output=True, check=False)
    assert done.returncode == 3
    assert b"set LEDE_COMMAND, or install lede-news again" in done.stderr


@needs_installed
def test_console_script(page: bytes, cli: Callable[..., bytes]) -> None:
    script = shutil.which("lede", path=sysconfig.get_path("scripts"))
    assert script and shutil.which("lede_spark.py", path=sysconfig.get_path("scripts"))
    done = subprocess.run([script, "extract", "-"], input=page, capture_output=True, check=True)
    assert done.stdout == cli("extract", "-", stdin=page)


def test_version_is_an_attribute() -> None:
    assert re.match(r"\d+\.\d+\.\d+", lede_news.__version__)
    with pytest.raises(AttributeError, match=r"^module 'lede_news' has no attribute 'nothing'$"):
        _ = lede_news.nothing  # type: ignore[attr-defined]
