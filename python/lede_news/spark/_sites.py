"""Sites in two passes: observations of all tasks, profiles, and what a task gets of them.

The first pass is ``lede batch --observe`` over all tasks. Of the observations of a site the 64 with the
smallest hashes count, so that it does not matter in which task they were made, nor how often.
``lede step profiles`` turns them into the profile of the site, which is that of ``lede batch --two-pass``
on one machine. The second pass then gets the profiles of the sites of each task in a store.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .._child import Child
from .._start import ending, last_message
from ..errors import LedeError
from ._files import for_reading, for_spark, join
from ._scratch import scratch
from ._steps import run_step
from ._task import Prepare, Setup, Stage, Task, part_name, plan_hash

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

    from ._job import Job

OBSERVE = Stage("observe", "_lede/observations", ".jsonl.gz", "_lede/observed", ("--observe",))

PAGES = 64  # that a profile is learned from, as in internal/twopass
_OBSERVATION = "site STRING, hash BIGINT, data STRING"
_PROFILE = "site STRING, pages BIGINT, data STRING"
_PART = r"part-(\d{5,})\.jsonl\.gz$"
_PROFILES = ("_lede", "profiles")  # the table
_MARK = "_lede.json"  # in its folder: it is complete
_SITES = "_lede/sites"  # the profiles of each task, until its articles are written
_COPY = 1 << 20


def learn(job: Job) -> Prepare:
    """Learn about the sites of all archives, and return what gives a task the profiles of its sites.

    What was done before is not done again. The profiles stay as they are when they are used: an
    archive that could not be read when they were made gets them, but adds nothing to them.
    """
    from ._work import settings

    if len(written := job.done(job.articles)) == len(job.tasks):
        return prepare
    job.run(OBSERVE)
    observed = job.done(OBSERVE) - {part for stage, part in job.failures if stage == OBSERVE.name}
    with settings(job.spark):
        if observed and not _is_learned(job, observed, bool(written)):
            _write_profiles(job, observed)
        _write_sites(job, sorted(observed - written))
    return prepare


def forget(job: Job) -> None:
    """Delete the profiles of each task when no task needs them any more. The table of all profiles stays."""
    if len(job.done(job.articles)) == len(job.tasks):
        job.files.delete(job.path(_SITES))


def prepare(setup: Setup, task: Task, folder: Path) -> list[str]:
    """Make the site store of a task, on its worker, and return the flags with which lede uses it."""
    files = setup.files()
    packed, store = folder / "sites.jsonl.gz", folder / "sites.db"
    try:
        files.fetch(join(setup.out, _SITES, f"{part_name(task.part)}.jsonl.gz"), packed)
    except FileNotFoundError as e:
        raise LedeError(f"{task.path} could not be read in the first pass, which learns about sites", "source") from e
    for left in store.parent.glob(f"{store.name}*"):
        left.unlink()
    _import(packed, store)
    packed.unlink()
    return [f"--site-store={store}", "--no-learn"]


def _import(packed: Path, store: Path) -> None:
    """Put the profiles of a file into a store."""
    with tempfile.TemporaryFile(prefix="lede-") as stderr:
        args = ["site", "import", "--replace", f"--site-store={store}", "-"]
        child = Child(args, stdin=subprocess.PIPE, stderr=stderr)
        try:
            assert child.process.stdin is not None
            with contextlib.suppress(BrokenPipeError), child.process.stdin as sink, gzip.open(packed, "rb") as source:
                while data := source.read(_COPY):
                    sink.write(data)
            status = child.process.wait()
        finally:
            child.kill()
        if status:
            stderr.seek(0)
            said = last_message(stderr.read().decode("utf-8", "replace").splitlines())
            raise LedeError(f"the profiles of sites could not be stored: {said or ending(status)}")


def _is_learned(job: Job, observed: set[int], used: bool) -> bool:
    """Report whether there are profiles, of all observations unless they were used already."""
    try:
        mark = json.loads(job.files.read(job.path(*_PROFILES, _MARK)))
        return used or set(mark["parts"]) == observed
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return False


def read_observations(job: Job, parts: Iterable[int]) -> DataFrame:
    """Return the observations of tasks, with the number of the task as ``part``."""
    from pyspark.sql import functions as F  # noqa: N812

    rows = (
        job.spark.read.schema(_OBSERVATION)
        .option("mode", "FAILFAST")
        .option("pathGlobFilter", f"part-*{OBSERVE.ending}")
        .json(for_reading(job.path(OBSERVE.folder)))
        .withColumn("part", F.regexp_extract(F.input_file_name(), _PART, 1).cast("int"))
    )
    wanted = set(parts)
    there = {int(m[1]) for n in job.files.names(job.path(OBSERVE.folder)) if (m := re.search(_PART, n))}
    if there - wanted:  # done otherwise, or of a task that failed after it
        rows = rows.where(F.col("part").isin(sorted(wanted)))
    return rows


def limits(observations: DataFrame) -> DataFrame:
    """Return the sites with at least 64 observations, and the largest hash that counts of each.

    Only names and hashes are shuffled. They are spread by both first, and each partition passes on no
    more than 64 of a site, so that a site with half of all pages is no more work than another one.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F  # noqa: N812

    number = F.row_number().over(Window.partitionBy("site").orderBy("hash"))
    pairs = observations.where("data IS NOT NULL").select("site", "hash").distinct()
    return pairs.withColumn("number", number).where(f"number = {PAGES}").selectExpr("site", "hash AS most")


def smallest(observations: DataFrame) -> DataFrame:
    """Return the 64 observations of each site with the smallest hashes, once each. No others are shuffled."""
    from pyspark.sql import functions as F  # noqa: N812

    rows = observations.where("data IS NOT NULL").join(F.broadcast(limits(observations)), "site", "left")
    return rows.where("most IS NULL OR hash <= most").select("site", "hash", "data").dropDuplicates(["site", "hash"])


def profiles(observations: DataFrame) -> DataFrame:
    """Return the profiles of sites that ``lede step profiles`` makes of observations."""
    rows = smallest(observations).repartition("site").sortWithinPartitions("site", "hash")
    return run_step(rows, ["profiles"], _PROFILE)


def _write_profiles(job: Job, observed: set[int]) -> None:
    """Write the table of profiles, and then its mark."""
    folder = job.path(*_PROFILES)
    job.describe("learn about sites")
    job.files.delete(job.path(_SITES))  # of profiles that are replaced
    table = profiles(read_observations(job, observed))
    table.write.mode("overwrite").option("compression", "zstd").parquet(for_spark(folder))
    with tempfile.TemporaryDirectory(prefix="lede-") as made:
        mark = Path(made, _MARK)
        mark.write_text(json.dumps({"parts": sorted(observed)}) + "\n", "utf-8")
        job.files.publish(mark, join(folder, _MARK), job.path("_lede", "tmp"))


def _write_sites(job: Job, pending: list[int]) -> None:
    """Write the profiles of the sites of each task that has none yet."""
    from pyspark.sql import functions as F  # noqa: N812

    there = set(job.files.names(job.path(_SITES)))
    parts = [p for p in pending if f"{part_name(p)}.jsonl.gz" not in there]
    if not parts:
        return
    job.describe("give each task the profiles of its sites")
    table = job.spark.read.schema(_PROFILE).parquet(for_spark(job.path(*_PROFILES)))
    pairs = read_observations(job, parts).where(F.col("part").isin(parts)).select("part", "site").distinct()
    # Also a task without any profile has a file.
    none = F.lit(None).cast("string")
    every = job.spark.createDataFrame([(p,) for p in parts], "part INT").select(
        "part", none.alias("site"), none.alias("line")
    )
    line = F.to_json(F.struct("site", "pages", "data")).alias("line")
    rows = pairs.join(table, "site").select("part", "site", line).unionByName(every)
    rows = rows.repartition(len(parts), "part").sortWithinPartitions("part", "site")
    setup = job.spark.sparkContext.broadcast(job.setup)
    try:
        rows.rdd.foreachPartition(functools.partial(_write_files, setup))
    finally:
        setup.unpersist()


def _write_files(setup: Any, rows: Iterable[Row]) -> None:
    """Write the lines of tasks, on a worker. The rows of a task follow each other."""
    settings: Setup = setup.value
    files = settings.files()
    for part, lines in groupby(rows, key=lambda row: int(row[0])):
        with scratch() as folder:
            name = f"{part_name(part)}.jsonl.gz"
            with (folder / name).open("wb") as file:
                _pack(file, (row[2] for row in lines))
            if plan_hash(files.read(join(settings.out, "_lede", "plan.json"))) != settings.plan:
                raise LedeError(f"another run has replaced the plan in {settings.out}; this one has ended")
            files.publish(folder / name, join(settings.out, _SITES, name), join(settings.out, "_lede", "tmp"))


def _pack(file: IO[bytes], lines: Iterator[str | None]) -> None:
    """Write lines as gzip, always with the same bytes."""
    with gzip.GzipFile("", "wb", 1, file, mtime=0) as packed:
        for line in lines:
            if line is not None:
                packed.write(line.encode() + b"\n")
