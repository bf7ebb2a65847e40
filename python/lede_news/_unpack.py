"""The program of a package that was imported from a zip file or a wheel.

It is unpacked once on a machine, into a folder of the user that no other user can write to.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import zipfile
import zipimport
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from .errors import StartError


def archive_of(loader: object) -> str | None:
    """Return the zip file that a module was imported from, or None."""
    return loader.archive if isinstance(loader, zipimport.zipimporter) else None


def unpack(loader: zipimport.zipimporter, name: str) -> Path:
    """Unpack the program of a zip file, unless that was done before, and return its path."""
    try:
        with _program(loader, name) as data:
            digest = _digest(data)
    except (OSError, KeyError, zipfile.BadZipFile) as e:
        raise StartError(
            f"{loader.archive} has no program of lede for this platform: use the wheel for it, "
            "or a file that lede_news.spark.package() made there"
        ) from e
    try:
        path = _private_folder() / digest[:32] / name
        if not _is_whole(path, digest):
            with _program(loader, name) as data:
                _write(path, data)
    except OSError as e:
        raise StartError(f"the program of lede cannot be unpacked: {e}; set TMPDIR to a folder with room") from e
    return path


@contextlib.contextmanager
def _program(loader: zipimport.zipimporter, name: str) -> Iterator[IO[bytes]]:
    """Open the program in a zip file. It is read in pieces: a worker has little memory."""
    with zipfile.ZipFile(loader.archive) as archive, archive.open(f"lede_news/bin/{name}") as file:
        yield file


def _digest(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while piece := file.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()


def _private_folder() -> Path:
    """Return a folder that belongs to this user alone."""
    user = os.getuid() if sys.platform != "win32" else os.environ.get("USERNAME", "user")
    folder = Path(tempfile.gettempdir(), f"lede-news-{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    if _is_private(folder):
        return folder
    # Another user has made it, perhaps to have us run a program of theirs.
    return Path(tempfile.mkdtemp(prefix="lede-news-"))


def _is_private(folder: Path) -> bool:
    found = os.lstat(folder)
    if sys.platform == "win32":
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def _is_whole(path: Path, digest: str) -> bool:
    try:
        with path.open("rb") as file:
            return _digest(file) == digest
    except OSError:
        return False


def _write(path: Path, data: IO[bytes]) -> None:
    """Write a program, which appears complete. Several processes may do so at once."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    fd, partial = tempfile.mkstemp(prefix=".lede-", dir=path.parent)
    try:
        with os.fdopen(fd, "wb") as file:
            shutil.copyfileobj(data, file, 1 << 20)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(partial, 0o700)
        os.replace(partial, path)
    except BaseException:
        os.unlink(partial)
        raise
