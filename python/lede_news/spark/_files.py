"""Files on shared disks and in object stores, by ``pyarrow.fs``."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pyarrow import fs

_SCHEMES = {"s3a": "s3", "s3n": "s3"}  # names of Spark that pyarrow does not know


def is_local(path: str) -> bool:
    """Report whether lede can open a path itself."""
    return "://" not in path


def absolute(path: str | os.PathLike[str]) -> str:
    """Return a path of a shared disk as an absolute one, and a URI as it is."""
    path = os.fspath(path)
    if path.startswith("file:"):
        path = "/" + path.removeprefix("file:").lstrip("/")
    return os.path.abspath(path) if is_local(path) else path.rstrip("/")


def _system(path: str) -> tuple[Any, str]:
    """Return the file system of a path, and the path in it."""
    if is_local(path):
        return fs.LocalFileSystem(), path
    scheme, _, rest = path.partition("://")
    found: tuple[Any, str] = fs.FileSystem.from_uri(f"{_SCHEMES.get(scheme, scheme)}://{rest}")
    return found


def fetch(paths: Iterable[str], to: Path) -> Path:
    """Copy files to a local one, one after the other."""
    with to.open("wb") as target:
        for path in paths:
            system, name = _system(path)
            with system.open_input_stream(name, compression=None) as source:
                shutil.copyfileobj(source, target, 1 << 20)
    return to


def publish(file: Path, path: str) -> None:
    """Copy a local file to a path, where it appears complete."""
    system, name = _system(path)
    folder, _, last = name.rpartition("/")
    partial = f"{folder}/_{uuid.uuid4().hex}-{last}"  # Spark ignores names that begin so
    system.create_dir(folder, recursive=True)
    try:
        with file.open("rb") as source, system.open_output_stream(partial, compression=None) as target:
            shutil.copyfileobj(source, target, 1 << 20)
        system.move(partial, name)
    except BaseException:
        with contextlib.suppress(OSError):
            system.delete_file(partial)
        raise


def read(path: str) -> bytes:
    """Return a small file."""
    system, name = _system(path)
    with system.open_input_stream(name, compression=None) as source:
        return bytes(source.read())


def write(data: bytes, path: str) -> None:
    """Write a small file, which appears complete."""
    with scratch() as folder:
        (folder / "file").write_bytes(data)
        publish(folder / "file", path)


def names(folder: str) -> list[str]:
    """Return the sorted names in a folder; none if it is missing."""
    system, name = _system(folder)
    return sorted(f.base_name for f in system.get_file_info(fs.FileSelector(name, allow_not_found=True)))


def delete(folder: str) -> None:
    """Delete a folder, if it exists."""
    system, name = _system(folder)
    if system.get_file_info(name).type != fs.FileType.NotFound:
        system.delete_dir(name)


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """Make a folder for a task in a local folder of Spark, and remove it after it."""
    folders = (os.environ.get("SPARK_LOCAL_DIRS") or os.environ.get("LOCAL_DIRS") or "").split(",")
    usable = [f for f in folders if f and os.access(f, os.W_OK)]
    with tempfile.TemporaryDirectory(prefix="lede-", dir=usable[0] if usable else None) as folder:
        yield Path(folder)
