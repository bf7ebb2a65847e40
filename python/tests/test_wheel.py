"""The wheels, the source distribution, and what pip makes of them."""

from __future__ import annotations

import base64
import csv
import email
import email.message
import hashlib
import io
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
from types import ModuleType

import pytest

import lede_news

WHEELS = Path(os.environ.get("LEDE_WHEELS") or "-")
WHEEL_FILES = sorted(WHEELS.glob("*.whl")) if WHEELS.is_dir() else []

PLATFORMS = {
    "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64": ("elf", 62),
    "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64": ("elf", 183),
    "macosx_12_0_x86_64": ("mach-o", 0x01000007),
    "macosx_12_0_arm64": ("mach-o", 0x0100000C),
    "win_amd64": ("pe", 0x8664),
    "win_arm64": ("pe", 0xAA64),
}

needs_wheels = pytest.mark.skipif(not WHEEL_FILES, reason="no wheels: scripts/python.sh builds them (LEDE_WHEELS)")
every_wheel = pytest.mark.parametrize("path", WHEEL_FILES, ids=lambda p: p.stem.split("-")[-1].split(".")[0])


@pytest.mark.skipif(not os.environ.get("LEDE_INSTALLED"), reason="scripts/python.sh tests the installed package")
def test_the_installed_package_is_tested(repository: Path, program: str) -> None:
    site = Path(sysconfig.get_path("platlib")).resolve()
    assert Path(lede_news.__file__).resolve().parent == site / "lede_news"
    assert Path(program).resolve().parent == site / "lede_news" / "bin"
    assert str(repository / "python") not in sys.path


@needs_wheels
def test_platforms(long: bool) -> None:
    found = {p.stem.split("-")[-1] for p in WHEEL_FILES}
    if long:
        assert found == set(PLATFORMS)
    else:
        assert found <= set(PLATFORMS) and len(found) > 1


@needs_wheels
@every_wheel
def test_program(path: Path) -> None:
    tag = path.stem.split("-")[-1]
    kind, machine = PLATFORMS[tag]
    with zipfile.ZipFile(path) as wheel:
        name = "lede_news/bin/lede" + (".exe" if kind == "pe" else "")
        assert wheel.getinfo(name).external_attr >> 16 & 0o777 == 0o755
        data = wheel.read(name)
    assert {"elf": elf, "mach-o": mach_o, "pe": pe}[kind](data) == machine


def elf(data: bytes) -> int:
    """Return the machine of a static program."""
    assert data[:6] == b"\x7fELF\x02\x01"
    (start,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    kinds = {struct.unpack_from("<I", data, start + size * i)[0] for i in range(count)}
    assert 1 in kinds  # PT_LOAD
    assert not kinds & {2, 3}  # PT_DYNAMIC, PT_INTERP
    return int(struct.unpack_from("<H", data, 18)[0])


def mach_o(data: bytes) -> int:
    """Return the machine of a program that runs on macOS 12, signed where it must be."""
    magic, machine, _, _, count = struct.unpack_from("<IIIII", data)
    assert magic == 0xFEEDFACF
    commands, at = {}, 32
    for _ in range(count):
        kind, size = struct.unpack_from("<II", data, at)
        commands[kind] = data[at : at + size]
        at += size
    _, least = struct.unpack_from("<II", commands[0x32], 8)  # LC_BUILD_VERSION
    assert least <= 12 << 16
    assert 0x1D in commands or machine != 0x0100000C  # LC_CODE_SIGNATURE
    return int(machine)


def pe(data: bytes) -> int:
    """Return the machine of a program for Windows."""
    assert data[:2] == b"MZ"
    (at,) = struct.unpack_from("<I", data, 60)
    assert data[at : at + 4] == b"PE\0\0"
    return int(struct.unpack_from("<H", data, at + 4)[0])


@needs_wheels
@every_wheel
def test_files(path: Path, repository: Path) -> None:
    tag = path.stem.split("-")[-1]
    info = f"lede_news-{lede_news.__version__}.dist-info"
    package = repository / "python" / "lede_news"
    want = {f"lede_news/{p.relative_to(package).as_posix()}" for p in package.rglob("*.py")} | {
        "lede_news/py.typed",
        "lede_news/bin/LICENSES.txt",
        f"lede_news-{lede_news.__version__}.data/scripts/lede_spark.py",
        "lede_news/bin/lede" + (".exe" if tag.startswith("win_") else ""),
        *(f"{info}/{n}" for n in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")),
    }
    with zipfile.ZipFile(path) as wheel:
        assert set(wheel.namelist()) == want
        assert wheel.read(f"{info}/licenses/LICENSE") == (repository / "LICENSE").read_bytes()
        licences = wheel.read("lede_news/bin/LICENSES.txt").decode()
        modules = re.findall(r"^={80}\n(\S+) v", licences, re.MULTILINE)
        assert "golang.org/x/net" in modules and "modernc.org/sqlite" in modules
        assert "Copyright 2009 The Go Authors" in licences
        tags = email.message_from_bytes(wheel.read(f"{info}/WHEEL")).get_all("Tag")
        assert tags == [f"py3-none-{t}" for t in tag.split(".")]
        records = list(csv.reader(io.StringIO(wheel.read(f"{info}/RECORD").decode())))
        assert {r[0] for r in records} == want
        for name, digest, size in records:
            if not name.endswith("/RECORD"):
                data = wheel.read(name)
                encoded = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
                assert (digest, int(size)) == (f"sha256={encoded}", len(data)), name
    assert path.stat().st_size < 25 << 20


@needs_wheels
@every_wheel
def test_metadata(path: Path, repository: Path) -> None:
    with zipfile.ZipFile(path) as wheel:
        info = f"lede_news-{lede_news.__version__}.dist-info"
        data: email.message.Message = email.message_from_bytes(wheel.read(f"{info}/METADATA"))
        assert wheel.read(f"{info}/entry_points.txt").decode().split() == [
            "[console_scripts]",
            "lede",
            "=",
            "lede_news.__main__:main",
        ]
    assert data["Name"] == "lede-news"
    assert data["Version"] == lede_news.__version__
    assert data["License-Expression"] == "Apache-2.0"
    assert data["Requires-Python"] == ">=3.10"
    assert data.get_all("Requires-Dist") == ["pyspark>=3.5; extra == 'spark'"]
    text = data.get_payload(decode=True)
    assert isinstance(text, bytes)
    assert text.decode().strip() == (repository / "python" / "README.md").read_text(encoding="utf-8").strip()


@needs_wheels
def test_source_distribution(repository: Path) -> None:
    (path,) = WHEELS.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        files = {n.partition("/")[2] for n in sdist.getnames()}
    if not shutil.which("go"):
        pytest.skip("there is no Go to list what the program needs")
    form = (
        "{{if .Module}}{{if .Module.Main}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}\n{{end}}"
        "{{range .EmbedFiles}}{{$d}}/{{.}}\n{{end}}{{end}}{{end}}"
    )
    needed = set()
    for system in ("linux", "darwin", "windows"):
        args = ["go", "list", "-deps", "-f", form, "./cmd/lede"]
        env = dict(os.environ, GOOS=system, CGO_ENABLED="0")
        out = subprocess.run(args, cwd=repository, env=env, check=True, capture_output=True, text=True).stdout
        needed |= {Path(line).relative_to(repository).as_posix() for line in out.split("\n") if line}
    assert needed <= files
    package = {p.relative_to(repository).as_posix() for p in (repository / "python/lede_news").rglob("*.py")}
    others = {
        *("LICENSE", "PKG-INFO", "go.mod", "go.sum", "pyproject.toml", ".gitignore"),
        *("python/README.md", "python/VERSION", "python/build_lede.py", "python/build_version.py"),
        "python/lede_news/py.typed",
        "python/lede_spark.py",
    }
    stray = files - needed - package - others
    # Files for other systems than the three are not listed.
    assert {n for n in stray if not re.search(r"_(other|unix|\w*bsd|plan9)\.go$", n)} == set()


@pytest.mark.skipif(not os.environ.get("LEDE_BUILD_PYTHON"), reason="scripts/python.sh says which Python can build")
class TestBackend:
    def build(self, repository: Path, to: Path, settings: str, **env: str) -> subprocess.CompletedProcess[str]:
        code = f"import build_lede; print(build_lede.build_wheel({str(to)!r}, {settings}))"
        return subprocess.run(
            [os.environ["LEDE_BUILD_PYTHON"], "-c", code],
            cwd=repository,
            env={**os.environ, "PYTHONPATH": str(repository / "python"), **env},
            capture_output=True,
            text=True,
            check=False,
        )

    @needs_wheels
    def test_reproducible(self, repository: Path, tmp_path: Path, build_version: ModuleType) -> None:
        if build_version.python_version() != lede_news.__version__:
            pytest.skip("files have changed since the wheels were built")
        done = self.build(repository, tmp_path, "None", GOFLAGS="-trimpath")
        assert done.returncode == 0, done.stderr
        name = done.stdout.split()[-1]
        # That of scripts/python.sh was built from the source distribution.
        assert (tmp_path / name).read_bytes() == (WHEELS / name).read_bytes()

    def test_unknown_platform(self, repository: Path, tmp_path: Path) -> None:
        done = self.build(repository, tmp_path, "{'platform': 'amiga'}")
        assert done.returncode == 1
        assert done.stderr.strip().startswith("lede-news: unknown platform 'amiga': use host, all, linux-amd64")

    def test_no_go(self, repository: Path, tmp_path: Path) -> None:
        done = self.build(repository, tmp_path, "None", PATH=str(tmp_path))
        assert done.returncode == 1
        assert "needs Go 1." in done.stderr and "there is no go command" in done.stderr

    @pytest.mark.skipif(os.name == "nt", reason="a script stands in for Go")
    def test_old_go(self, repository: Path, tmp_path: Path) -> None:
        old = tmp_path / "go"
        old.write_text('#!/bin/sh\ncase "$2" in GOVERSION) echo go1.20.3;; *) echo;; esac\n')
        old.chmod(0o755)
        done = self.build(repository, tmp_path, "None", PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        assert done.returncode == 1
        assert "needs Go 1." in done.stderr and "this is go1.20.3" in done.stderr


def test_version_of_the_program(program: str, version_of: Callable[[str], str]) -> None:
    if os.environ.get("LEDE_COMMAND"):
        pytest.skip("LEDE_COMMAND is set: the program is not that of the package")
    out = subprocess.run([program, "pipe"], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
    size, _ = struct.unpack_from(">II", out)
    found = re.search(rb'"version":"([^"]+)"', out[8 : 8 + size])
    assert found
    assert version_of(found[1].decode()) == lede_news.__version__
    line = subprocess.run([program, "--version"], capture_output=True, check=True, text=True).stdout
    assert line.split()[:2] == ["lede", found[1].decode()]


def test_python_m(program: str, page: bytes, cli: Callable[..., bytes]) -> None:
    run = [sys.executable, "-m", "lede_news"]
    done = subprocess.run([*run, "extract", "-f", "md", "-"], input=page, capture_output=True, check=True)
    assert done.stdout == cli("extract", "-f", "md", "-", stdin=page)
    assert subprocess.run([*run, "no-such-command"], capture_output=True, check=False).returncode == 2


@pytest.mark.skipif(not os.environ.get("LEDE_INSTALLED"), reason="scripts/python.sh tests the installed package")
def test_console_script(page: bytes, cli: Callable[..., bytes]) -> None:
    script = shutil.which("lede", path=sysconfig.get_path("scripts"))
    assert script
    done = subprocess.run([script, "extract", "-"], input=page, capture_output=True, check=True)
    assert done.stdout == cli("extract", "-", stdin=page)


def test_missing_program(tmp_path: Path) -> None:
    env = dict(os.environ, LEDE_COMMAND=str(tmp_path / "nothing"))
    done = subprocess.run(
        [sys.executable, "-m", "lede_news", "version"], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert done.stderr == (
        f"lede: {tmp_path / 'nothing'} cannot be run: No such file or directory; "
        "set LEDE_COMMAND, or install lede-news again\n"
    )


def test_child(program: str) -> None:
    """Windows runs lede as a child: its exit status is passed on."""
    from lede_news.__main__ import _child

    assert _child([program, "version"]) == 0
    assert _child([program, "no-such-command"]) == 2
