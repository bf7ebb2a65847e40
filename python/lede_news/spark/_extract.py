"""Extraction: archives in, a folder of Parquet files and tables out."""

from __future__ import annotations

import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from .. import _batch
from ..errors import LedeError, OptionError
from . import _package, _plan, _tables
from ._files import Files, absolute, driver_files, join
from ._job import Job
from ._task import failure, part_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from typing_extensions import Unpack

COLUMNS = ("lang", "site", "day", "type", "section", "kind", "method")  # of --partition-by
_PART = re.compile(r"part-\d{5,}\.parquet")


class Flags(TypedDict, total=False):
    """The flags of ``lede batch`` that a job takes; ``None`` is the default of each.

    They are those of ``lede_news.BatchFlags``. The files of ``anchors``, ``index`` and ``model``
    must be on every machine, as on a shared disk. ``lede batch --help`` describes them all.
    """

    anchors: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None
    body: Literal["text", "md", "html", "blocks"] | None
    charset: str | None
    favor: Literal["precision", "recall"] | None
    index: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None
    keep: Sequence[Literal["comments", "captions", "tables"]] | None
    max_bytes: int | None
    max_memory: int | None
    method: str | None
    model: str | os.PathLike[str] | None
    only_articles: bool | None
    page_time: float | str | None
    settings: Mapping[str, object] | None
    site: str | None


@dataclass(frozen=True)
class Failure:
    """A task that failed at all attempts. The next run of the job tries it again."""

    archive: str
    part: int
    kind: str
    error: str


@dataclass(frozen=True)
class Summary:
    """What a job did, with what earlier runs of it did in the same folder.

    ``records`` were read and ``damaged`` stretches of archives found; together they are
    ``pages`` and ``skipped`` records, which are no pages. ``failed`` pages have a row with
    ``error`` and ``kind``, and ``errors`` counts them by kind. ``articles`` pages are articles;
    the others are index pages and the like. ``failures`` are the tasks that failed.
    """

    out: str
    archives: int = 0
    tasks: int = 0
    done: int = 0
    records: int = 0
    pages: int = 0
    articles: int = 0
    failed: int = 0
    partial: int = 0
    skipped: int = 0
    damaged: int = 0
    quarantined: int = 0
    lost_bytes: int = 0
    bytes: int = 0
    stories: int | None = None
    seconds: float = 0.0
    errors: dict[str, int] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()

    @property
    def status(self) -> int:
        """Return the exit status of the command: 1 if a page or a task failed, else 0."""
        return 1 if self.failed or self.failures else 0

    def __str__(self) -> str:
        """Return the summary in words, in several lines."""
        rate = f", {self.pages / self.seconds:.0f} pages/s" if self.seconds else ""
        lines = [f"{self.pages} pages of {self.archives} archives in {self.seconds:.0f}s{rate}; results in {self.out}"]
        lines.append(
            f"  {self.records} records: {self.skipped} no pages, {self.articles} articles, {self.failed} failed"
        )
        if self.errors:
            lines.append("  errors: " + ", ".join(f"{n} {kind}" for kind, n in _largest(self.errors)))
        if self.lost_bytes:
            lines.append(f"  {self.lost_bytes} bytes of archives are damaged and were skipped")
        if self.stories is not None:
            lines.append(f"  {self.stories} stories")
        lines += [f"  task {f.part} failed: {f.error}" for f in self.failures[:10]]
        if len(self.failures) > 10:
            lines.append(f"  and {len(self.failures) - 10} more; see {join(self.out, '_lede', 'failures')}")
        if self.failures:
            lines.append(f"  {len(self.failures)} of {self.tasks} tasks failed; run the job again to try them again")
        return "\n".join(lines)


def extract(
    spark: SparkSession,
    archives: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    sites: bool = False,
    stories: bool = False,
    split: int = 0,
    partition_by: str | Sequence[str] = (),
    overwrite: bool = False,
    ship: bool = True,
    quiet: bool = False,
    **flags: Unpack[Flags],
) -> Summary:
    """Extract the pages of archives on a Spark cluster into a folder of Parquet files.

    ``archives`` are paths of local or shared disks, or URIs that Spark can read, such as
    hdfs:// and s3a://; so is ``out``. Each archive is a task. ``split`` divides WARC files that are
    larger than so many bytes into ranges, each a task. ``sites`` learns about the sites first, as
    ``lede batch --two-pass`` does, ``stories`` finds stories and copies, as ``lede stories`` does.
    ``partition_by`` names columns, such as ``["lang", "day"]``, by which the rows are put into
    folders. The other flags are those of ``lede batch``.

    Run it again after it was interrupted: what is done is skipped, and what failed is tried
    again. Results with other settings or of other archives are refused, or replaced with
    ``overwrite``. A page that fails has a row that says why; a task that fails, such as one whose
    archive is missing, is in ``failures`` of the summary, and the other tasks are done.

    ``ship`` sends this package to the workers, so that they need nothing installed.

    >>> done = extract(spark, ["a.warc.gz", "b.warc.gz"], "articles")  # doctest: +SKIP
    >>> spark.read.parquet("articles").select("title", "site").show()  # doctest: +SKIP
    """
    began = time.monotonic()
    try:
        _ = spark.sparkContext
    except Exception as e:
        raise OptionError(
            "Spark Connect does not run tasks of Python on archives: use a session with a SparkContext"
        ) from e
    paths = _batch._strings(archives)
    columns = [c.strip() for c in partition_by.split(",")] if isinstance(partition_by, str) else list(partition_by)
    arguments = _check(paths, columns, flags, sites)
    target = absolute(os.fspath(out))
    files = driver_files(spark)
    plan = _plan.make_plan(files, paths, arguments, split, {"sites": sites, "partition_by": columns})
    plan = _prepare(files, target, plan, overwrite)
    if ship:
        _package.ship(spark)
    job = Job(spark, target, plan, arguments, quiet)
    with job.progress.named():
        count = _run(job, sites, stories, columns)
        summary = _summary(job, count, began)
    if not quiet:
        print("".join(f"lede: {line}\n" for line in str(summary).split("\n")), end="", file=sys.stderr, flush=True)
    return summary


def _check(paths: Sequence[str], columns: Sequence[str], flags: Mapping[str, Any], sites: bool = False) -> list[str]:
    """Raise an error for arguments that are wrong, and return the flags of lede batch."""
    if not paths:
        raise OptionError("no input: name at least one archive")
    if "-" in paths:
        raise OptionError("workers have no standard input: name files")
    for name in columns:
        if name not in COLUMNS:
            raise OptionError(f"rows cannot be partitioned by {name!r}: use one of {', '.join(COLUMNS)}")
    if len(set(columns)) < len(columns):
        raise OptionError("a column can be named only once in partition_by")
    for name in flags:
        if name not in Flags.__annotations__:
            raise TypeError(f"extract() got an unexpected keyword argument {name!r}")
    arguments = _batch._flags(flags)
    # Tasks get the site store that --site needs.
    _plan.check_flags([a for a in arguments if not sites or not a.startswith("--site=")])
    return arguments


def _prepare(files: Files, out: str, plan: bytes, overwrite: bool) -> bytes:
    """Return the plan of the job: that of the folder if it has one, else this one."""
    if overwrite:
        _clear(files, out)
    elif (found := _plan.read_plan(files, out)) is not None:
        _plan.check_same(_plan.parse(found, out), _plan.parse(plan, out), out)
        return found  # with the ranges of archives that were missing, or are now
    elif any(_PART.fullmatch(name) for name in files.names(out)):
        raise LedeError(f"{out} has Parquet files but no _lede/plan.json; name another folder, or use overwrite")
    _plan.write_plan(files, out, plan)
    return plan


def _clear(files: Files, out: str) -> None:
    """Delete the results of another run.

    What is in plan.json then ends tasks that still run somewhere, and says that the folder is
    not usable if this is interrupted.
    """
    names = files.names(out)
    if "_lede" in names:
        _plan.write_plan(files, out, b"an overwrite was interrupted: use overwrite again\n")
        for name in files.names(join(out, "_lede")):
            if name != "plan.json":
                files.delete(join(out, "_lede", name))
    columns = tuple(f"{c}=" for c in COLUMNS)
    for name in names:
        if _PART.fullmatch(name) or name == "_SUCCESS" or name.startswith(columns):
            files.delete(join(out, name))


def _run(job: Job, sites: bool, stories: bool, columns: Sequence[str]) -> int | None:
    """Run the stages, and return the number of stories."""
    prepare = None
    if sites:
        from . import _sites

        prepare = _sites.learn(job)
    job.run(job.articles, prepare)
    if sites:
        _sites.forget(job)
    if columns:
        _partition(job, columns)
    if not stories:
        return None
    from . import _stories

    return _stories.write(job)


def _partition(job: Job, columns: Sequence[str]) -> None:
    """Put rows into folders by columns, unless that was done with the same rows."""
    done, mark = " ".join(map(str, sorted(job.done(job.articles)))).encode(), job.path("_lede", "partitioned")
    if job.files.exists(mark) and job.files.read(mark) == done:
        return
    job.describe(f"partition by {', '.join(columns)}")
    rows = job.read_articles()
    if rows is not None:
        job.files.delete(mark)
        _tables.write_partitioned(rows, job.out, columns)
        _plan.write_small(job.files, mark, done, job.path("_lede", "tmp"))


def _summary(job: Job, stories: int | None, began: float) -> Summary:
    """Write the tables, and return the summary."""
    archives: list[str] = job.plan["archives"]
    summaries = job.summaries(job.articles)
    failed = {
        part: found
        for (stage, part), found in sorted(job.failures.items())
        if part not in summaries or stage == job.articles.name
    }
    for task in job.tasks:
        if task.part not in summaries and task.part not in failed:
            error = f"its summary cannot be read: delete {job.path(job.articles.marks, part_name(task.part))}.json"
            failed[task.part] = failure(task, error, "file")
    job.describe("write the table of archives")
    errors = {part: str(f["error"]) for part, f in failed.items()}
    _tables.write_archives(job.spark, job.path("_lede", "archives"), archives, job.tasks, summaries, errors)
    job.describe("write the table of failures")
    kinds = {part: (str(f["kind"]), str(f["error"])) for part, f in failed.items()}
    rows = job.read_articles()
    _tables.write_failures(job.spark, job.path("_lede", "failures"), archives, job.tasks, rows, kinds)
    if len(summaries) == len(job.tasks):  # nothing can be in use there
        job.files.delete(job.path("_lede", "tmp"))
    counts = {name: sum(s[name] for s in summaries.values()) for name in _tables.COUNTS}
    by_part = {t.part: archives[t.archive] for t in job.tasks}
    return Summary(
        out=job.out,
        archives=len(archives),
        tasks=len(job.tasks),
        done=len(summaries),
        articles=sum(s["types"].get("article", 0) for s in summaries.values()),
        stories=stories,
        seconds=time.monotonic() - began,
        errors=dict(_largest(sum((Counter(s["errors"]) for s in summaries.values()), Counter()))),
        failures=tuple(Failure(by_part[part], part, kind, error) for part, (kind, error) in kinds.items()),
        **counts,
    )


def _largest(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
