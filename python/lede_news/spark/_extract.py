"""Extraction: archives in, a folder of Parquet files out."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .._batch import Run, batch_flags
from .._start import command, last_message, usage_error
from ..errors import LedeError, OptionError
from . import _files, _stories

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from typing_extensions import Unpack

    from .._batch import ExtractFlags

T = TypeVar("T")
_COUNTS = ("pages", "failed", "partial", "quarantined", "lost_bytes")
_ENDINGS = (".gz", ".zst", ".warc", ".tar", ".zip", ".jsonl")


@dataclass(frozen=True)
class Failure:
    """An archive that could not be extracted. The next run tries it again."""

    archive: str
    error: str


@dataclass(frozen=True)
class Summary:
    """What is in the folder of results.

    Of ``archives`` that are done, ``skipped`` were done by an earlier run. ``failed`` of their
    ``pages`` have a row with ``error`` and ``kind``, ``partial`` ones were incomplete, and
    ``quarantined`` ones crashed or hung lede. ``lost_bytes`` are those of damaged archives.
    ``failures`` are the archives that are not done.
    """

    out: str
    archives: int
    skipped: int
    pages: int
    failed: int
    partial: int
    quarantined: int
    lost_bytes: int
    failures: tuple[Failure, ...]

    @property
    def status(self) -> int:
        """The exit status of the command: 1 if pages or archives failed."""
        return 1 if self.failures or self.failed else 0

    def __str__(self) -> str:
        """Return the counts in words."""
        text = f"{self.archives} archives, {self.skipped} of them done before: {self.pages} pages, {self.failed} failed"
        return text + "".join(f"\n{f.archive} failed: {f.error}" for f in self.failures)


def extract(
    spark: SparkSession,
    archives: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    site_store: str | os.PathLike[str] | None = None,
    stories: bool = False,
    **flags: Unpack[ExtractFlags],
) -> Summary:
    """Extract archives, each in a task of Spark, into Parquet files with the rows of ``lede batch``.

    Paths are those of disks that all machines share, or URIs that ``pyarrow.fs`` knows: s3, gs, hdfs.
    ``site_store`` is a file of ``lede site learn``, which tasks read. ``stories`` runs ``stories``
    afterwards. The flags are those of ``lede batch``; ``max_memory`` limits a task, in MB.

    A rerun does the archives that are not done, and refuses other flags unless ``overwrite`` is
    set, which deletes the folder first. An archive that fails does not end the job: it is tried once
    more, and is then in ``failures``.
    """
    done = run(spark, archives, out, batch_flags(flags), overwrite=overwrite, site_store=site_store)
    if stories:
        _stories.stories(spark, out)
    return done


def run(
    spark: SparkSession,
    archives: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    flags: Sequence[str],
    *,
    overwrite: bool = False,
    site_store: str | os.PathLike[str] | None = None,
) -> Summary:
    """Extract archives, with the flags as arguments of ``lede batch``."""
    out = _files.absolute(out)
    tasks = {task_name(path): path for path in map(_files.absolute, archives)}
    if not tasks:
        raise OptionError("no archives: name at least one")
    store = None if site_store is None else _files.absolute(site_store)
    _check_flags(flags)
    if overwrite:
        _files.delete(out)
    _check_settings(out, json.dumps({"flags": sorted(flags), "site_store": store}).encode())

    before = _done(out)
    failures: list[Failure] = []
    for _ in range(2):
        pending = {name: path for name, path in tasks.items() if name not in _done(out)}
        if not pending:
            break
        work = functools.partial(_extract_one, out, tuple(flags), store)
        failures = [f for f in run_tasks(spark, f"extract {len(pending)} archives", work, list(pending.items())) if f]
    done = _done(out) & tasks.keys()
    with ThreadPoolExecutor(16) as pool:
        summaries = list(pool.map(lambda n: json.loads(_files.read(f"{out}/_lede/parts/{n}.json")), sorted(done)))
    counts: Counter[str] = Counter()
    for summary in summaries:
        counts.update({name: summary[name] for name in _COUNTS})
    totals = {name: counts[name] for name in _COUNTS}
    left = tuple(f for f in failures if task_name(f.archive) not in done)
    return Summary(out, archives=len(done), skipped=len(before & done), failures=left, **totals)


def run_tasks(spark: SparkSession, what: str, work: Callable[[Any], T], items: Sequence[Any]) -> list[T]:
    """Call a function for each item, in a task of Spark of its own."""
    context = spark.sparkContext
    context.setJobDescription(f"lede: {what}")
    try:
        return list(context.parallelize(items, len(items)).map(work).collect())
    finally:
        context.setJobDescription(None)


def cores() -> int:
    """Return how many cores the task of Spark has that calls this."""
    from pyspark import TaskContext

    context = TaskContext.get()
    found = max(1, context.cpus()) if context else 1
    os.environ["GOMAXPROCS"] = str(found)  # else the garbage collector of lede would use cores of other tasks
    return found


def task_name(path: str) -> str:
    """Return the name of the files of an archive, which depends on its path alone."""
    name = path.rpartition("/")[2]
    while name.endswith(_ENDINGS):
        name = name.rpartition(".")[0]
    return f"{name}-{hashlib.sha256(path.encode()).hexdigest()[:8]}".lstrip("._")


def _extract_one(out: str, flags: tuple[str, ...], store: str | None, task: tuple[str, str]) -> Failure | None:
    """Extract an archive, on a worker. What is written twice, by a retry, is the same."""
    name, path = task
    try:
        with _files.scratch() as folder:
            args = [*flags, f"--workers={cores()}"]
            if store is not None:
                args += ["--no-learn", f"--site-store={_files.fetch([store], folder / 'sites.db')}"]
            archive = path if _files.is_local(path) else str(_files.fetch([path], folder / path.rpartition("/")[2]))
            if not os.access(archive, os.R_OK):
                return Failure(path, "no such archive, or it cannot be read")
            done = Run(archive, folder / "articles.parquet", False, False, args).wait(lambda _: None)
            _files.publish(folder / "articles.parquet", f"{out}/{name}.parquet")
            summary = {"archive": path, **asdict(done), "out": f"{name}.parquet"}
            _files.write(json.dumps(summary).encode(), f"{out}/_lede/parts/{name}.json")
    except (LedeError, OSError) as e:
        return Failure(path, f"{e}")
    return None


def _done(out: str) -> set[str]:
    """Return the names of the archives that are done."""
    return {n.removesuffix(".json") for n in _files.names(f"{out}/_lede/parts") if not n.startswith("_")}


def _check_flags(flags: Sequence[str]) -> None:
    """Raise OptionError if lede batch does not take flags, before any task does."""
    args = [command(), "batch", "--quiet", "--workers=1", *flags, "--out=-", "--", "-"]
    done = subprocess.run(args, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise usage_error(last_message(done.stderr.splitlines()))


def _check_settings(out: str, settings: bytes) -> None:
    path = f"{out}/_lede/settings.json"
    if "settings.json" not in _files.names(f"{out}/_lede"):
        _files.write(settings, path)
    elif (old := _files.read(path)) != settings:
        raise LedeError(
            f"{out} has results with other settings ({old.decode()}); name another folder, or use overwrite"
        )


def read_list(path: str) -> list[str]:
    """Return the lines of a list of archives, without empty ones and comments."""
    text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8-sig")
    return [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
