"""Starting the program of lede, and what it says if it does not start."""

from __future__ import annotations

import errno
import functools
import os
import signal
import subprocess
import sys
import zipimport
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from .errors import LedeError, OptionError, StartError

_FORMATS = (errno.ENOEXEC, getattr(errno, "EBADARCH", errno.ENOEXEC))
ADVICE = (
    "install the wheel of lede-news for this platform, or set LEDE_COMMAND to the path of a lede of the same version"
)


def command() -> str:
    """Return the path of the program that comes with the package, or ``LEDE_COMMAND``."""
    if path := os.environ.get("LEDE_COMMAND"):
        return path
    name = "lede.exe" if os.name == "nt" else "lede"
    loader = globals().get("__loader__")
    if isinstance(loader, zipimport.zipimporter):
        return _unpacked(loader, name)
    return str(Path(__file__).parent / "bin" / name)


@functools.lru_cache(1)
def _unpacked(loader: zipimport.zipimporter, name: str) -> str:
    from ._unpack import unpack

    return str(unpack(loader, name))


def start(
    args: Sequence[str],
    *,
    stdin: int | None,
    stdout: int | None,
    stderr: int | IO[bytes] | None,
    console: bool = False,
    cores: int = 0,
) -> subprocess.Popen[bytes]:
    """Start lede. Ctrl-C on a terminal does not reach it, since it is for Python.

    ``console`` is for Windows, where a process can be interrupted only from its own console. ``cores`` is
    how many cores it uses at most, 0 is all: it would use some of others to collect garbage.
    """
    program = command()
    options: dict[str, Any] = {"env": {**os.environ, "GOMAXPROCS": str(cores)}} if cores else {}
    if sys.platform == "win32":
        options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
        if not console:
            options["creationflags"] |= subprocess.CREATE_NO_WINDOW
    else:
        options["start_new_session"] = True
    try:
        return subprocess.Popen([program, *args], stdin=stdin, stdout=stdout, stderr=stderr, bufsize=0, **options)
    except OSError as e:
        if e.errno == errno.E2BIG or getattr(e, "winerror", 0) == 206:
            raise OptionError(
                f"{len(args)} arguments are too many for a command: "
                "name a folder, an archive or a list of addresses (urls) instead"
            ) from e
        raise StartError(f"cannot start {program}: {_why(e)}") from e


def ending(status: int | None) -> str:
    """Return an exit status in words."""
    if status is None or status >= 0:
        return f"exit status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"


def _why(e: OSError) -> str:
    match e:
        case FileNotFoundError():
            return f"there is no such program; {ADVICE}"
        case PermissionError():
            return f"it is not executable; {ADVICE}"
    if e.errno in _FORMATS or getattr(e, "winerror", 0) in (193, 216):
        return f"it is no program for this platform; {ADVICE}"
    return str(e.strerror)  # too little memory, for example


def last_message(lines: Sequence[str]) -> str:
    """Return the last message of lede among the lines that it printed, or ""."""
    for line in reversed(lines):
        if line.startswith("lede: "):
            return line.removeprefix("lede: ")
    return lines[-1] if lines else ""


def usage_error(message: str) -> LedeError:
    """Return the error of a command line that lede does not take."""
    if message.startswith(("unknown flag", "unknown command")):  # whose names are those of the package
        return StartError(f"{command()} is too old for this package: {message}; {ADVICE}")
    return OptionError(message)
