"""The build backend of the package: wheels with the program of lede inside.

It wraps hatchling, which makes the metadata and the archives, and builds the program
for each platform by cross compilation. ``python -m build`` writes the wheels of all
platforms; pip gets the one for its machine. ``-C platform=host``, ``-C platform=all``
and ``-C platform=linux-arm64`` choose others.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.build import (
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)

from build_version import ROOT, STAMP, fail, stamp

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]

VARIABLE = "github.com/lede-news/lede/internal/version.linked"

Settings = dict[str, Any] | None


class Platform(NamedTuple):
    """A platform of Go, and the tags of its wheel."""

    name: str  # linux-amd64
    tag: str  # of the wheel, without py3-none-

    @property
    def program(self) -> str:
        """Return the name of the program's file."""
        return "lede.exe" if self.name.startswith("windows-") else "lede"

    def environ(self) -> dict[str, str]:
        """Return the environment of the go command."""
        env = dict(os.environ, CGO_ENABLED="0", GOWORK="off", GOAMD64="v1", GOARM64="v8.0", GOEXPERIMENT="")
        if self.name != "host":
            env["GOOS"], env["GOARCH"] = self.name.split("-")
        return env


def linux(machine: str) -> str:
    """Return the tags of a static program: it runs with any C library, and without one."""
    return f"manylinux2014_{machine}.manylinux_2_17_{machine}.musllinux_1_1_{machine}"


# Programs of Go 1.26 run on macOS 12 and later.
PLATFORMS = {
    p.name: p
    for p in (
        Platform("linux-amd64", linux("x86_64")),
        Platform("linux-arm64", linux("aarch64")),
        Platform("darwin-amd64", "macosx_12_0_x86_64"),
        Platform("darwin-arm64", "macosx_12_0_arm64"),
        Platform("windows-amd64", "win_amd64"),
        Platform("windows-arm64", "win_arm64"),
    )
}


def host() -> Platform:
    """Return the platform of this Python, which need not be that of the machine."""
    name = sysconfig.get_platform()
    system, machine = name.split("-")[0], name.split("-")[-1]
    if machine == "universal2":
        machine = platform.machine()
    system = {"macosx": "darwin", "win": "windows"}.get(system, system)
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)
    if p := PLATFORMS.get(f"{system}-{machine}"):
        return p
    tag = re.sub(r"[^0-9A-Za-z]", "_", name)
    return Platform("windows-386" if name == "win32" else "host", tag)


def selected(settings: Settings) -> list[Platform]:
    """Return the platforms to build for, that of the wheel to return last."""
    # pip and build call hooks with pyproject_hooks, uv does not.
    hooks = any(name.endswith("PYPROJECT_HOOKS_BUILD_BACKEND") for name in os.environ)
    installing = "PIP_BUILD_TRACKER" in os.environ or not hooks
    names = (settings or {}).get("platform", "host" if installing else "all")
    chosen = {}
    for name in [names] if isinstance(names, str) else names:
        for p in PLATFORMS.values() if name == "all" else [PLATFORMS.get(name)]:
            if name == "host":
                p = host()
            if p is None:
                raise fail(f"unknown platform {name!r}: use host, all, {', '.join(PLATFORMS)}")
            chosen[p.name] = p
    return sorted(chosen.values(), key=lambda p: p == host())


def go(*args: str, env: dict[str, str] | None = None, cwd: Path = ROOT) -> str:
    """Run the go command, and return what it prints."""
    try:
        done = subprocess.run(["go", *args], cwd=cwd, env=env, stdout=subprocess.PIPE, text=True, check=True)
    except FileNotFoundError:
        raise fail(
            f"building lede needs Go {required()} or later, and there is no go command: "
            "install Go (https://go.dev/dl), or use a platform that has a wheel"
        ) from None
    except subprocess.CalledProcessError as e:
        raise fail(f"go {args[0]} failed with exit status {e.returncode}; its messages are above") from None
    return done.stdout.strip()


def required() -> str:
    """Return the version of Go that go.mod asks for."""
    found = re.search(r"^go (\S+)", (ROOT / "go.mod").read_text(), re.MULTILINE)
    assert found is not None
    return found[1]


def check_go() -> None:
    """End the build if Go is missing or too old."""
    # Outside the module, where an old command does not fail for go.mod. One that may fetch
    # other versions of itself does so inside of it.
    with tempfile.TemporaryDirectory() as folder:
        name, toolchain = (go("env", v, cwd=Path(folder)) for v in ("GOVERSION", "GOTOOLCHAIN"))
    found = re.match(r"go(\d+)\.(\d+)", name)
    if found and not re.search(r"auto|path", toolchain):
        want = tuple(int(n) for n in required().split(".")[:2])
        if (int(found[1]), int(found[2])) < want:
            raise fail(f"building lede needs Go {required()} or later, and this is {name}: https://go.dev/dl")


def build_program(p: Platform, to: Path) -> Path:
    """Build the program of a platform in a folder."""
    path = to / p.program
    flags = ["-trimpath", "-buildvcs=false", "-ldflags", f"-s -w -X {VARIABLE}={stamp().version}"]
    print(f"lede-news: building lede {stamp().version} for {p.name}", flush=True)
    go("build", *flags, "-o", str(path), "./cmd/lede", env=p.environ())
    path.chmod(0o755)
    return path


def licences(p: Platform) -> str:
    """Return the licences of the modules that are in the program."""
    form = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"
    lines = set(go("list", "-deps", "-f", form, "./cmd/lede", env=p.environ()).splitlines())
    modules = [("the Go standard library", "", go("env", "GOROOT"))]
    modules += sorted((m[0], m[1], m[2]) for line in lines if len(m := line.split("\t")) == 3)
    texts = ["The program of lede contains these modules, under these licences.\n"]
    for name, version, folder in modules:
        files = sorted(f for f in Path(folder).iterdir() if re.match(r"(LICEN[CS]E|COPYING|NOTICE|PATENTS)\b", f.name))
        if not files and version:
            raise fail(f"the module {name} {version} has no file with its licence")
        texts.append("=" * 80 + f"\n{name} {version}".rstrip() + "\n")
        texts += [f"--- {f.name}\n" + f.read_text(encoding="utf-8", errors="replace") for f in files]
    return "\n".join(texts)


@contextmanager
def commit_time() -> Iterator[None]:
    """Give files in archives the time of the commit, so that a commit has one wheel."""
    before = os.environ.get("SOURCE_DATE_EPOCH")
    if before is None:
        os.environ["SOURCE_DATE_EPOCH"] = str(stamp().time)
    try:
        yield
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Write the wheels of the selected platforms, and return the name of the last one."""
    platforms = selected(config_settings)
    check_go()
    with commit_time():
        for p in platforms:
            name = build_one(p, wheel_directory)
    return name


def build_one(p: Platform, wheel_directory: str) -> str:
    """Write the wheel of a platform."""
    from hatchling.builders.wheel import WheelBuilder

    with tempfile.TemporaryDirectory() as folder:
        program = build_program(p, Path(folder))
        notices = Path(folder, "LICENSES.txt")
        notices.write_text(licences(p), encoding="utf-8", newline="\n")

        class Builder(WheelBuilder):
            def get_default_build_data(self) -> dict[str, Any]:
                files = {str(f): f"lede_news/bin/{f.name}" for f in (program, notices)}
                data = super().get_default_build_data()
                return {**data, "force_include": files, "pure_python": False, "tag": f"py3-none-{p.tag}"}

        return Path(next(Builder(str(ROOT)).build(directory=wheel_directory, versions=["standard"]))).name


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Write the source distribution, with what is needed to build the program."""
    from hatchling.builders.sdist import SdistBuilder

    with tempfile.TemporaryDirectory() as folder, commit_time():
        file = Path(folder, STAMP.name)
        file.write_text(f"{stamp().version} {stamp().time}\n", newline="\n")

        class Builder(SdistBuilder):
            def get_default_build_data(self) -> dict[str, Any]:
                data = super().get_default_build_data()
                data["force_include"][str(file)] = STAMP.relative_to(ROOT).as_posix()
                return data

        return Path(next(Builder(str(ROOT)).build(directory=sdist_directory, versions=["standard"]))).name


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build the program in the source tree, and a wheel that points there."""
    from hatchling.build import build_editable

    check_go()
    folder = ROOT / "python" / "lede_news" / "bin"
    folder.mkdir(exist_ok=True)
    build_program(host(), folder)
    with commit_time():
        return build_editable(wheel_directory, config_settings, metadata_directory)


if "PIP_BUILD_TRACKER" not in os.environ:
    from hatchling.build import (
        prepare_metadata_for_build_editable,
        prepare_metadata_for_build_wheel,
    )

    __all__ += ["prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel"]
