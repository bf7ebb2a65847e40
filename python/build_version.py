"""The version of lede, as Go and as Python write it."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent

# STAMP is a file of the source distribution, which has no git: the version of lede, and
# the time of its commit.
STAMP = ROOT / "python" / "VERSION"


def fail(message: str) -> SystemExit:
    """Return what ends the build with a message."""
    return SystemExit(f"lede-news: {message}")


class Stamp(NamedTuple):
    """The version of lede, as Go writes it, and the time of its commit."""

    version: str
    time: int


def git(*args: str) -> str | None:
    """Return what git prints, or None if there is no repository."""
    try:
        done = subprocess.run(["git", "-C", str(ROOT), *args], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def stamp() -> Stamp:
    """Return the version of these sources.

    It is that of the go command: the tag of the commit, or a pseudo-version.
    """
    if STAMP.is_file():
        version, time = STAMP.read_text().split()
        return Stamp(version, int(time))
    top = git("rev-parse", "--show-toplevel")
    commit = git("log", "-1", "--format=%H %ct")
    if top is None or Path(top).resolve() != ROOT or not commit:
        print(f"lede-news: {ROOT} is no git repository: the version is unknown", file=sys.stderr)
        return Stamp("devel", 1_577_836_800)
    name, time = commit.split()
    version = tag_version(name, int(time))
    if git("status", "--porcelain"):
        version += "+dirty"
    return Stamp(version, int(time))


TAG = re.compile(r"v(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?")


def tag_version(commit: str, time: int) -> str:
    """Return the version of a commit, without regard to changes of its files."""
    here, before = tags("--points-at", commit), tags("--merged", commit)
    if here:
        return max(here, key=precedence).group()
    suffix = f"{utc(time)}-{commit[:12]}"
    if not before:
        return f"v0.0.0-{suffix}"
    last = max(before, key=precedence)
    if last[4]:
        return f"{last.group()}.0.{suffix}"
    return f"v{last[1]}.{last[2]}.{int(last[3]) + 1}-0.{suffix}"


def tags(*which: str) -> list[re.Match[str]]:
    """Return tags that are versions of the module."""
    found = [m for t in (git("tag", *which) or "").split() if (m := TAG.fullmatch(t))]
    # The path of a module has its major version from 2 on.
    major = re.search(r"^module \S+/v(\d+)$", (ROOT / "go.mod").read_text(), re.MULTILINE)
    return [m for m in found if m[1] in ([major[1]] if major else ["0", "1"])]


def precedence(tag: re.Match[str]) -> tuple[Any, ...]:
    """Return the key that sorts tags as semantic versions."""
    pre = (tag[4] or "").lstrip("-")
    parts = [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in pre.split(".")]
    return int(tag[1]), int(tag[2]), int(tag[3]), not pre, parts


def utc(time: int) -> str:
    """Return a time as pseudo-versions have it."""
    return datetime.fromtimestamp(time, timezone.utc).strftime("%Y%m%d%H%M%S")


PSEUDO = re.compile(r"(v\d+\.\d+\.\d+)(?:-(.+)\.0|-0)?[-.](\d{14})-([0-9a-f]{12})")
PRE = re.compile(r"(v\d+\.\d+\.\d+)-(alpha|beta|rc)\.?(\d+)")


def python_version(version: str | None = None) -> str:
    """Return a version of Go as PEP 440 writes it; by default that of these sources."""
    version = version or stamp().version
    if version == "devel":
        return "0.0.0.dev0"
    version, _, dirty = version.partition("+")
    local = ""
    if m := PSEUDO.fullmatch(version):
        # The commit is before the next version: after v1.2.3-rc.1 it is before rc.2.
        base, pre, time, commit = m.groups()
        local = f"g{commit}"
        version = base
        if pre and (p := PRE.fullmatch(f"{base}-{pre}")):
            version = f"{base}-{p[2]}.{int(p[3]) + 1}"
        dev = f".dev{time}"
    else:
        dev = ""
    if p := PRE.fullmatch(version):
        version = p[1] + {"alpha": "a", "beta": "b", "rc": "rc"}[p[2]] + p[3]
    elif "-" in version:
        raise fail(f"the tag {version} has no form that Python knows: use vX.Y.Z or vX.Y.Z-rc.N")
    local = ".".join(filter(None, [local, dirty]))
    return version.removeprefix("v") + dev + (f"+{local}" if local else "")
