"""Processes of lede other than those that answer requests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import IO

from . import _fork
from ._start import start


class Child:
    """A process of lede. A child that is forked from Python leaves it alone."""

    def __init__(
        self,
        args: Sequence[str],
        *,
        stdin: int | None = subprocess.DEVNULL,
        stdout: int | None = None,
        stderr: int | IO[bytes] | None = None,
        cores: int = 0,
    ) -> None:
        self.owner = os.getpid()
        with _fork.guard:
            self.process = start(args, stdin=stdin, stdout=stdout, stderr=stderr, console=stdout is None, cores=cores)

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
