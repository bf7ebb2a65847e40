"""What tests ask about processes."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pages
import pytest

import lede_news as lede

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
with_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def lede_of(extractor: lede.Extractor) -> int:
    """Return the id of the process of an Extractor."""
    return extractor._session.process()._child.pid


def runs(pid: int) -> bool:
    """Report whether a process runs. One that has ended but is not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> None:
    """Wait until a process has ended. If it never does, the test runs into the limit of the whole run."""
    while runs(pid):
        time.sleep(0.01)


def title(number: int) -> str:
    """Return the title of a page, with the Extractor of the package. Other processes can import it."""
    return lede.extract(pages.page(number)).title


def memory(pid: int | str = "self") -> int:
    """Return the resident memory of a process, in bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"no memory of process {pid}")
