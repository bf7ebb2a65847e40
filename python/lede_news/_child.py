"""Processes of lede other than those that answer requests."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import IO, Any

from . import _fork
from ._process import command
from .errors import OptionError, StartError


class Child:
    """A process of lede that Ctrl-C on a terminal does not reach.

    A child that is forked from Python leaves it alone.
    """

    def __init__(
        self,
        args: Sequence[str],
        *,
        stdin: int | None = subprocess.DEVNULL,
        stdout: int | None = None,
        stderr: int | IO[bytes] | None = None,
    ) -> None:
        options: dict[str, Any] = {}
        if sys.platform == "win32":
            options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        else:
            options["start_new_session"] = True
        self.owner = os.getpid()
        try:
            with _fork.guard:
                self.process = subprocess.Popen(
                    [command(), *args],
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    bufsize=0,
                    **options,
                )
        except OSError as e:
            if e.errno == errno.E2BIG or getattr(e, "winerror", 0) == 206:
                raise OptionError(
                    f"{len(args)} arguments are too many for a command: name a folder or an archive instead"
                ) from e
            raise StartError(f"cannot start {command()}: {e.strerror}") from e

    def interrupt(self) -> None:
        """Ask the process to finish what it is doing and end."""
        if sys.platform == "win32":
            self._signal(signal.CTRL_BREAK_EVENT)
        else:
            self._signal(signal.SIGINT)

    def kill(self) -> None:
        """End the process at once, and close its pipes."""
        if sys.platform == "win32":
            self._signal(signal.SIGTERM)
        else:
            self._signal(signal.SIGKILL)
        if self.owner == os.getpid():
            self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def _signal(self, number: int) -> None:
        if self.owner == os.getpid() and self.process.poll() is None:
            self.process.send_signal(number)


def ending(status: int) -> str:
    """Return an exit status in words."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"


def last_message(lines: Sequence[str]) -> str:
    """Return the last message of lede among the lines that it printed, or ""."""
    for line in reversed(lines):
        if line.startswith("lede: "):
            return line.removeprefix("lede: ")
    return lines[-1] if lines else ""
