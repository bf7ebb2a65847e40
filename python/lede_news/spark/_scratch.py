"""Scratch folders on a worker, in the local folders of Spark.

A folder is locked as long as its task runs. The lock goes when the process ends, however it
ends, so that the next task on the machine removes what killed workers have left.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_PREFIX = "lede-"


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """Make a folder for a task, and remove it after it."""
    folders = local_folders()
    for folder in folders:
        with contextlib.suppress(OSError):
            sweep(folder)
    folder = max(folders, key=lambda f: shutil.disk_usage(f).free)
    lock, fd = _locked(folder)
    try:
        made = lock.with_suffix("")
        made.mkdir(mode=0o700)
        yield made
    finally:
        _remove(lock)
        os.close(fd)


def local_folders() -> list[Path]:
    """Return the local folders that Spark gives to Python workers."""
    names = os.environ.get("SPARK_LOCAL_DIRS") or os.environ.get("LOCAL_DIRS") or ""
    folders = [Path(n) for n in names.split(",") if n]
    usable = [f for f in folders if f.is_dir() and os.access(f, os.W_OK)]
    return usable or [Path(tempfile.gettempdir())]


def sweep(folder: Path) -> None:
    """Remove the scratch folders of processes that have ended, also of other executors if theirs are beside it."""
    beside = folder.parent.glob("blockmgr-*") if folder.name.startswith("blockmgr-") else ()
    for place in {folder, *beside}:
        for lock in place.glob(f"{_PREFIX}*.lock"):
            with contextlib.suppress(OSError):
                fd = os.open(lock, os.O_RDWR)
                try:
                    if _lock(fd, lock):
                        _remove(lock)
                finally:
                    os.close(fd)


def _locked(folder: Path) -> tuple[Path, int]:
    """Make a lock that no other process has, also none that removes leftovers."""
    while True:
        path = folder / f"{_PREFIX}{uuid.uuid4().hex}.lock"
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        if _lock(fd, path) or sys.platform == "win32":
            return path, fd
        os.close(fd)


def _lock(fd: int, path: Path) -> bool:
    """Lock a file that is still there, if no other process has it."""
    if sys.platform == "win32":
        return False  # leftovers stay there until Spark removes its folders
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(fd), os.stat(path))
    except OSError:
        return False


def _remove(lock: Path) -> None:
    shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
    lock.unlink(missing_ok=True)
