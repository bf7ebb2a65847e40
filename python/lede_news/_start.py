"""Starting the program of lede, and what it says if it does not start."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from . import _fork
from .errors import LedeError, OptionError, StartError

ADVICE = (
    "install the wheel of lede-news for this platform, or set LEDE_COMMAND to the path of a lede of the same version"
)


def command() -> str:
    """Return the path of the program that comes with the package, or ``LEDE_COMMAND``."""
    name = "lede.exe" if os.name == "nt" else "lede"
    return os.environ.get("LEDE_COMMAND") or str(Path(__file__).parent / "bin" / name)


class Child(subprocess.Popen[bytes]):
    """A process of lede, with unbuffered pipes. Ctrl-C on a terminal does not reach it, since it is for Python."""

    def __init__(
        self,
        args: Sequence[str],
        *,
        stdin: int | None = subprocess.DEVNULL,
        stdout: int | None = None,
        stderr: int | IO[bytes] | None = None,
    ) -> None:
        options: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
            if stdout is not None:  # else it is interrupted, for which it needs our console
                options["creationflags"] |= subprocess.CREATE_NO_WINDOW
        self.owner = os.getpid()
        try:
            with _fork.guard:  # else a child that is forked here would keep the pipes
                super().__init__([command(), *args], stdin=stdin, stdout=stdout, stderr=stderr, bufsize=0, **options)
        except OSError as e:
            if e.errno == errno.E2BIG or getattr(e, "winerror", 0) == 206:
                raise OptionError(
                    f"{len(args)} arguments are too many for a command: "
                    "name a folder, an archive or a list of URLs (urls) instead"
                ) from e
            raise StartError(f"cannot start {command()}: {_why(e)}") from e

    def interrupt(self) -> None:
        """Ask the process to finish what it is doing and end."""
        if self.owner == os.getpid() and self.poll() is None:
            if sys.platform == "win32":
                self.send_signal(signal.CTRL_BREAK_EVENT)
            else:
                self.send_signal(signal.SIGINT)

    def end(self) -> None:
        """End the process at once, unless another process started it, and close its pipes."""
        if self.owner != os.getpid():
            self.returncode = 0  # else Popen warns that it runs
        else:
            self.kill()
            self.wait()
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe is not None:
                pipe.close()


def ending(status: int | None) -> str:
    """Return an exit status in words."""
    if status is None or status >= 0:
        return f"exit status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"


def _why(e: OSError) -> str:
    if isinstance(e, FileNotFoundError):
        return f"there is no such program; {ADVICE}"
    if isinstance(e, PermissionError):
        return f"it is not executable; {ADVICE}"
    if e.errno == errno.ENOEXEC or e.strerror == "Bad CPU type in executable" or getattr(e, "winerror", 0) == 193:
        return f"it is not a program for this platform; {ADVICE}"
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
