"""What hatchling needs to know to build the package: its version, and a hook that puts the program into wheels.

The program is built by Go, which must be installed. A wheel is for the platform of this Python, or for
the one that ``LEDE_PLATFORM`` names, such as linux-arm64.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent.parent
STAMP = ROOT / "python" / "VERSION"  # the version, in a source distribution, which has no git


def linux(machine: str) -> str:
    """Return the tags of a static program: it runs with any C library, and without one."""
    return f"manylinux2014_{machine}.manylinux_2_17_{machine}.musllinux_1_1_{machine}"


PLATFORMS = {  # of Go, and the tags of their wheels; programs of Go 1.26 run on macOS 12 and later
    "linux-amd64": linux("x86_64"),
    "linux-arm64": linux("aarch64"),
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
    "windows-arm64": "win_arm64",
}


class Hook(BuildHookInterface[Any]):  # type: ignore[misc]
    """Adds the program and its licences to wheels, and the version to source distributions."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the program."""
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        if self.target_name == "sdist":
            (folder / "VERSION").write_text(go_version() + "\n", newline="\n")
            build_data["force_include"][str(folder / "VERSION")] = "python/VERSION"
            return
        name, tag = selected()
        if version == "editable":
            folder = ROOT / "python" / "lede_news" / "bin"
            folder.mkdir(exist_ok=True)
        program = folder / ("lede.exe" if name.startswith("windows-") else "lede")
        env = environment(name)
        link = f"-s -w -X github.com/lede-news/lede/internal/version.linked={go_version()}"
        go("build", "-trimpath", "-buildvcs=false", "-ldflags", link, "-o", str(program), "./cmd/lede", env=env)
        program.chmod(0o755)
        licences = go("run", "./scripts/licences", "./cmd/lede", env=dict(os.environ, GOWORK="off"))
        (folder / "LICENSES.txt").write_text(licences, encoding="utf-8", newline="\n")
        if version != "editable":
            files = (program, folder / "LICENSES.txt")
            build_data["force_include"].update({str(f): f"lede_news/bin/{f.name}" for f in files})
        build_data.update({"pure_python": False, "tag": f"py3-none-{tag}"})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove temporary files."""
        self._folder.cleanup()


def selected() -> tuple[str, str]:
    """Return the platform to build for, and the tag of its wheel."""
    if name := os.environ.get("LEDE_PLATFORM"):
        if name not in PLATFORMS:
            raise SystemExit(f"lede-news: LEDE_PLATFORM={name}: use one of {', '.join(PLATFORMS)}")
        return name, PLATFORMS[name]
    full = sysconfig.get_platform()  # of this Python, which need not be that of the machine
    system, machine = full.split("-")[0], full.split("-")[-1]
    machine = platform.machine() if machine == "universal2" else machine
    system = {"macosx": "darwin", "win": "windows"}.get(system, system)
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)
    tag = re.sub(r"[^0-9A-Za-z]", "_", full)
    return f"{system}-{machine}", PLATFORMS.get(f"{system}-{machine}", tag)


def environment(name: str) -> dict[str, str]:
    """Return the environment of the go command for a platform."""
    env = dict(os.environ, CGO_ENABLED="0", GOWORK="off")
    if name in PLATFORMS:
        env["GOOS"], env["GOARCH"] = name.split("-")
    return env


def go(*args: str, env: dict[str, str]) -> str:
    """Run the go command, and return what it prints."""
    try:
        done = subprocess.run(["go", *args], cwd=ROOT, env=env, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    except FileNotFoundError:
        raise SystemExit(
            "lede-news: building lede needs Go: install it (https://go.dev/dl), or use a platform that has a wheel"
        ) from None
    except subprocess.CalledProcessError as e:
        raise SystemExit(f"lede-news: go {args[0]} failed with exit status {e.returncode}") from None
    return done.stdout.strip()


def git(*args: str) -> str:
    """Return what git prints, or "" if it fails."""
    try:
        return subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def go_version() -> str:
    """Return the version of these sources: a tag, or v1.2.3-14-g0123456789ab after it."""
    if STAMP.is_file():
        return STAMP.read_text().strip()
    if Path(git("rev-parse", "--show-toplevel") or "/").resolve() != ROOT:
        return "devel"
    dirty = "-dirty" if git("status", "--porcelain") else ""
    tagged = git("describe", "--tags", "--match=v[0-9]*", "--abbrev=12")
    return (tagged or f"v0.0.0-{git('rev-list', '--count', 'HEAD')}-g{git('rev-parse', '--short=12', 'HEAD')}") + dirty


VERSION = re.compile(r"v(\d+\.\d+\.)(\d+)(?:-(alpha|beta|rc)\.?(\d+))?(?:-(\d+)-(g[0-9a-f]+))?(?:-(dirty))?")


def python_version(version: str | None = None) -> str:
    """Return a version of lede as PEP 440 writes it; by default that of these sources."""
    version = version or go_version()
    if version == "devel":
        return "0.0.0.dev0"
    found = VERSION.fullmatch(version)
    if not found:
        raise SystemExit(f"lede-news: the tag {version} has no form that Python knows: use vX.Y.Z or vX.Y.Z-rc.N")
    base, patch, pre, number, after, commit, dirty = found.groups()
    later = 1 if after else 0  # a commit after v1.2.3 is before v1.2.4
    text = f"{base}{int(patch) + (0 if pre else later)}"
    if pre:
        text += {"alpha": "a", "beta": "b", "rc": "rc"}[pre] + str(int(number) + later)
    local = ".".join(part for part in (commit, dirty) if part)
    return text + (f".dev{after}" if after else "") + (f"+{local}" if local else "")
