"""Files of a job: local and shared disks, and what Spark's file systems know, such as HDFS and S3.

A path without a scheme, or with ``file:``, is a local one and is used directly. Any other
scheme goes through Hadoop's file systems in a Java process: that of the driver, or on a
worker, where Python has none, one that ``_hadoop`` starts.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")  # more than one letter, unlike drives of Windows
_COPY = 1 << 20


def scheme(path: str) -> str:
    """Return the scheme of a path in lower case, or ""."""
    found = _SCHEME.match(path)
    return found[1].lower() if found else ""


def is_local(path: str) -> bool:
    """Report whether a path is one of a local or shared disk."""
    return scheme(path) in ("", "file")


def local_path(path: str) -> Path:
    """Return the file of a local path, which may begin with ``file:``, as Spark's do: nothing in it is escaped."""
    if scheme(path) == "file":
        path = re.sub(r"^//[^/]*", "", path[len("file:") :])
        if re.match(r"/[A-Za-z]:", path):  # a drive of Windows
            path = path[1:]
    return Path(path).absolute()


def absolute(path: str) -> str:
    """Return a path that means the same on every machine that has it."""
    return str(local_path(path)) if is_local(path) else path


def join(folder: str, *names: str) -> str:
    """Return the path of something in a folder."""
    return folder + ("" if folder.endswith("/") else "/") + "/".join(names)


def for_spark(path: str) -> str:
    """Return a path as Spark must be given it: a local one with its scheme, whatever fs.defaultFS is."""
    return f"file://{local_path(path).as_posix()}" if is_local(path) else path


def for_reading(path: str) -> str:
    """Return a path as Spark must be given it to read, where it looks for patterns."""
    return re.sub(r"([{}\[\]*?\\])", r"\\\1", for_spark(path))


class FileSystem(Protocol):
    """What a job does with files. Missing ones raise FileNotFoundError, other failures OSError."""

    def size(self, path: str) -> int:
        """Return the size of a file in bytes."""
        ...

    def exists(self, path: str) -> bool:
        """Report whether a file or folder exists."""
        ...

    def names(self, folder: str) -> list[str]:
        """Return the sorted names in a folder; none if it is missing."""
        ...

    def read(self, path: str) -> bytes:
        """Return a small file."""
        ...

    def fetch(self, path: str, to: Path, start: int = 0, end: int | None = None) -> None:
        """Copy a range of a file to the same offsets of a local one, which may exist."""
        ...

    def put(self, file: Path, path: str) -> None:
        """Copy a local file to a path, whose folder is made if it is missing."""
        ...

    def replace(self, source: str, target: str) -> None:
        """Rename a file, atomically where the file system can; what was there is replaced."""
        ...

    def delete(self, path: str) -> None:
        """Delete a file or folder, if it exists."""
        ...


class LocalFiles:
    """Files of local and shared disks."""

    def size(self, path: str) -> int:
        """Return the size of a file in bytes; a folder has none."""
        try:
            found = os.stat(local_path(path))
        except FileNotFoundError:
            raise FileNotFoundError(f"{path} does not exist") from None
        return 0 if stat.S_ISDIR(found.st_mode) else found.st_size

    def exists(self, path: str) -> bool:
        """Report whether a file or folder exists."""
        return local_path(path).exists()

    def names(self, folder: str) -> list[str]:
        """Return the sorted names in a folder; none if it is missing."""
        try:
            return sorted(os.listdir(local_path(folder)))
        except FileNotFoundError:
            return []

    def read(self, path: str) -> bytes:
        """Return a small file."""
        return local_path(path).read_bytes()

    def fetch(self, path: str, to: Path, start: int = 0, end: int | None = None) -> None:
        """Copy a range of a file to the same offsets of a local one, which may exist."""
        to.touch()
        with local_path(path).open("rb") as source, to.open("r+b") as target:
            source.seek(start)
            target.seek(start)
            left = sys.maxsize if end is None else end - start
            while left > 0 and (data := source.read(min(_COPY, left))):
                target.write(data)
                left -= len(data)

    def put(self, file: Path, path: str) -> None:
        """Copy a local file to a path, whose folder is made if it is missing."""
        target = local_path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        with file.open("rb") as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy, _COPY)
            copy.flush()
            os.fsync(copy.fileno())

    def replace(self, source: str, target: str) -> None:
        """Rename a file atomically; what was there is replaced."""
        local_path(target).parent.mkdir(parents=True, exist_ok=True)
        os.replace(local_path(source), local_path(target))

    def delete(self, path: str) -> None:
        """Delete a file or folder, if it exists."""
        file = local_path(path)
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file, ignore_errors=True)
            if file.exists():
                shutil.rmtree(file)
        else:
            file.unlink(missing_ok=True)


class Files:
    """The files of all schemes. ``jvm`` returns the Java side when it is first needed."""

    def __init__(self, hadoop: Callable[[], FileSystem], direct: bool = True) -> None:
        """Use local paths directly, or also them through Hadoop if ``direct`` is false."""
        self._local = LocalFiles()
        self._make = hadoop
        self._made: FileSystem | None = None
        self._direct = direct

    def of(self, path: str) -> FileSystem:
        """Return the file system of a path."""
        if self._direct and is_local(path):
            return self._local
        if self._made is None:
            self._made = self._make()
        return self._made

    def is_direct(self, path: str) -> bool:
        """Report whether lede can open a path itself."""
        return self._direct and is_local(path)

    def size(self, path: str) -> int:
        """Return the size of a file in bytes."""
        return self.of(path).size(path)

    def exists(self, path: str) -> bool:
        """Report whether a file or folder exists."""
        return self.of(path).exists(path)

    def names(self, folder: str) -> list[str]:
        """Return the sorted names in a folder; none if it is missing."""
        return self.of(folder).names(folder)

    def read(self, path: str) -> bytes:
        """Return a small file."""
        return self.of(path).read(path)

    def fetch(self, path: str, to: Path, start: int = 0, end: int | None = None) -> None:
        """Copy a range of a file to the same offsets of a local one."""
        self.of(path).fetch(path, to, start, end)

    def delete(self, path: str) -> None:
        """Delete a file or folder, if it exists."""
        self.of(path).delete(path)

    def publish(self, file: Path, path: str, folder: str) -> None:
        """Copy a local file to a path, where it appears complete.

        It is written in ``folder``, a temporary one on the same file system, and renamed.
        """
        files = self.of(path)
        partial = join(folder, f"{uuid.uuid4().hex}-{path.rpartition('/')[2]}")
        try:
            files.put(file, partial)
            files.replace(partial, path)
        except BaseException:
            with contextlib.suppress(OSError):
                files.delete(partial)
            raise


def driver_files(spark: Any) -> Files:
    """Return the files of a driver."""
    from ._hadoop import HadoopFiles

    context = spark.sparkContext
    return Files(lambda: HadoopFiles(context._jvm, context._jsc.hadoopConfiguration()))
