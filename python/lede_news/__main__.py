"""Runs the program of lede: ``python -m lede_news extract page.html``."""

from __future__ import annotations

import os
import subprocess
import sys

from ._start import command


def main() -> int:
    """Run lede with the arguments of this process, and return its exit status."""
    args = [command(), *sys.argv[1:]]
    try:
        if os.name != "nt":
            os.execv(args[0], args)
        return _child(args)
    except OSError as e:
        print(
            f"lede: {args[0]} cannot be run: {e.strerror}; set LEDE_COMMAND, or install lede-news again",
            file=sys.stderr,
        )
        return 3


def _child(args: list[str]) -> int:
    """Run lede as a child, since Windows cannot replace a process."""
    child = subprocess.Popen(args)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            # Ctrl-C reaches the child too, which ends in its own way.
            continue


if __name__ == "__main__":
    sys.exit(main())
