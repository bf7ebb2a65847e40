"""Rows of tables through ``lede step``, the functions of lede for distributed engines.

A task starts one process of lede for each partition. Lines go in and lines come out at the same
time, so that memory is bounded whatever the partition has. A process that fails or is killed
fails the task, which Spark tries again.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import IO, TYPE_CHECKING

from .._child import Child
from .._start import ending, last_message
from ..errors import LedeError

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructType

_CHUNK = 1 << 16  # bytes that are written at a time
_READ = 1 << 18
_TAIL = 1 << 12  # bytes of standard error that a message is looked for in

# Jackson refuses longer strings than 20 million characters by default, and the text of an article is one.
_MAX_STRING = str((1 << 31) - 1)


class StepError(LedeError):
    """A process of ``lede step`` failed or was killed."""

    kind = "step"


def through(args: Sequence[str], lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that ``lede`` with these arguments writes for the given lines.

    The process ends with the iterator: at its end, when it is closed, or when it is no longer used.
    If this Python process is killed, lede ends too, since its pipes are closed.
    """
    with tempfile.TemporaryFile(prefix="lede-") as stderr:
        child = Child(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, cores=1)
        assert child.process.stdin is not None and child.process.stdout is not None
        with child.process.stdin as sink:
            try:
                complete = yield from _exchange(sink, child.process.stdout, iter(lines))
                status = child.process.wait()
                if status or not complete:
                    raise StepError(_why(args, status, stderr))
            finally:
                child.kill()


def _exchange(sink: IO[bytes], source: IO[bytes], lines: Iterator[str]) -> Generator[str, None, bool]:
    """Write lines to a process and yield those that it writes. Return whether it has read all of them.

    One thread does both: the iterators of Spark must be used by the thread of the task.
    """
    for pipe in (sink, source):
        os.set_blocking(pipe.fileno(), False)
    complete = True
    rest: list[bytes] = []  # of a line whose end is not yet read
    with selectors.DefaultSelector() as ready:
        ready.register(sink, selectors.EVENT_WRITE)
        ready.register(source, selectors.EVENT_READ)
        pending = memoryview(_chunk(lines))
        while True:
            if not pending and not sink.closed:
                ready.unregister(sink)
                sink.close()
            for key, _ in ready.select():
                if key.fileobj is sink:
                    try:
                        pending = pending[os.write(sink.fileno(), pending[:_CHUNK]) :]
                    except BlockingIOError:
                        continue
                    except BrokenPipeError:  # it has ended; what it wrote before is read
                        pending, complete = memoryview(b""), False
                        continue
                    if not pending:
                        pending = memoryview(_chunk(lines))
                    continue
                try:
                    data = os.read(source.fileno(), _READ)
                except BlockingIOError:
                    continue
                if not data:
                    return complete and sink.closed and not rest
                *whole, last = data.split(b"\n")
                if whole:
                    rest.append(whole[0])
                    whole[0] = b"".join(rest)
                    rest.clear()
                if last:
                    rest.append(last)
                for line in whole:
                    yield line.decode()


def _chunk(lines: Iterator[str]) -> bytes:
    """Return some lines, or nothing after the last."""
    size, some = 0, []
    for line in lines:
        data = line.encode("utf-8", "replace")
        some.append(data)
        size += len(data)
        if size >= _CHUNK:
            break
    some.append(b"")
    return b"\n".join(some)


def _why(args: Sequence[str], status: int, stderr: IO[bytes]) -> str:
    size = stderr.seek(0, os.SEEK_END)
    stderr.seek(max(0, size - _TAIL))
    message = last_message(stderr.read().decode("utf-8", "replace").strip().splitlines())
    return f"lede {' '.join(args)} failed ({ending(status)}): {message or 'it did not say why'}"


def run_step(rows: DataFrame, args: Sequence[str], schema: StructType | str) -> DataFrame:
    """Return what ``lede step`` with these arguments makes of rows, which it reads as lines of JSON.

    Fields that are null are left out of the lines. The order of rows within partitions is kept.
    """
    from pyspark.sql import functions as F  # noqa: N812 (as everywhere)

    columns: list[Column] = [rows[f"`{name}`"] for name in rows.columns]
    lines = rows.select(F.to_json(F.struct(*columns)).alias("value"))
    return read_lines(step_lines(lines, args), rows, schema)


def step_lines(lines: DataFrame, args: Sequence[str]) -> RDD[str]:
    """Return the lines that ``lede step`` writes for a table whose only column is the line."""
    return lines.rdd.mapPartitions(_partition(["step", *args]))


def read_lines(lines: RDD[str], like: DataFrame, schema: StructType | str) -> DataFrame:
    """Return lines of JSON as a table. One that is no JSON fails the task."""
    read = like.sparkSession.read.option("mode", "FAILFAST").option("maxStringLen", _MAX_STRING)
    return read.json(lines, schema=schema)


def _partition(args: Sequence[str]) -> Callable[[Iterable[tuple[str]]], Iterator[str]]:
    """Return the function of a task. What it refers to travels to the workers."""

    def run(rows: Iterable[tuple[str]]) -> Iterator[str]:
        rows = iter(rows)
        first = next(rows, None)
        if first is None:  # without a process
            return
        yield from through(args, _values(first, rows))

    return run


def _values(first: tuple[str], rows: Iterable[tuple[str]]) -> Iterator[str]:
    yield first[0]
    for row in rows:
        yield row[0]
