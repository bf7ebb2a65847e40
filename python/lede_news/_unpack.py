"""The program of a package that was imported from a zip file or a wheel.

It is unpacked once on a machine, into a folder of the user that no other user can write to.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import zipimport
from pathlib import Path

from .errors import StartError


def archive_of(loader: object) -> str | None:
    """Return the zip file that a module was imported from, or None."""
    return loader.archive if isinstance(loader, zipimport.zipimporter) else None


def unpack(loader: zipimport.zipimporter, name: str) -> Path:
    """Unpack the program of a zip file, unless that was done before, and return its path."""
    try:
        data = loader.get_data(os.path.join(loader.archive, "lede_news", "bin", name))
    except OSError as e:
        raise StartError(
            f"{loader.archive} has no program of lede for this platform: use the wheel for it, "
            "or a file that lede_news.spark.package() made there"
        ) from e
    digest = hashlib.sha256(data).hexdigest()[:32]
    try:
        folder = _private_folder()
        path = folder / digest / name
        if not _is_whole(path, data):
            _write(path, data)
    except OSError as e:
        raise StartError(f"the program of lede cannot be unpacked: {e}; set TMPDIR to a folder with room") from e
    return path


def _private_folder() -> Path:
    """Return a folder that belongs to this user alone."""
    user = os.getuid() if sys.platform != "win32" else os.environ.get("USERNAME", "user")
    places = [Path(tempfile.gettempdir(), f"lede-news-{user}")]
    for place in places:
        place.mkdir(mode=0o700, exist_ok=True)
        if _is_private(place):
            return place
    # Another user has made it, perhaps to have us run a program of theirs.
    return Path(tempfile.mkdtemp(prefix="lede-news-"))


def _is_private(folder: Path) -> bool:
    found = os.lstat(folder)
    if sys.platform == "win32":
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def _is_whole(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def _write(path: Path, data: bytes) -> None:
    """Write a program, which appears complete. Several processes may do so at once."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    fd, partial = tempfile.mkstemp(prefix=".lede-", dir=path.parent)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(partial, 0o700)
        os.replace(partial, path)
    except BaseException:
        os.unlink(partial)
        raise
