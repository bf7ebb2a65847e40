"""Processes of lede other than those that answer requests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import IO

from . import _fork
from ._process import command, start
from .errors import LedeError, OptionError, StartError


class Child:
    """A process of lede. A child that is forked from Python leaves it alone."""

    def __init__(
        self,
        args: Sequence[str],
        *,
        stdin: int | None = subprocess.DEVNULL,
        stdout: int | None = None,
        stderr: int | IO[bytes] | None = None,
    ) -> None:
        self.owner = os.getpid()
        with _fork.guard:
            self.process = start(args, stdin=stdin, stdout=stdout, stderr=stderr, console=stdout is None)

    def interrupt(self) -> None:
        """Ask the process to finish what it is doing and end."""
        if not self._is_ours():
            return
        if sys.platform == "win32":
            self.process.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End the process at once, and close its pipes."""
        if self._is_ours():
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def _is_ours(self) -> bool:
        return self.owner == os.getpid() and self.process.poll() is None


def last_message(lines: Sequence[str]) -> str:
    """Return the last message of lede among the lines that it printed, or ""."""
    for line in reversed(lines):
        if line.startswith("lede: "):
            return line.removeprefix("lede: ")
    return lines[-1] if lines else ""


def usage_error(message: str) -> LedeError:
    """Return the error of a command line that lede does not take."""
    if message.startswith(("unknown flag", "unknown command")):  # whose names are those of the package
        return StartError(f"{command()} is too old for this package: {message}")
    return OptionError(message)
