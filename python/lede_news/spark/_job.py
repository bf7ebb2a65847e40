"""A job on the driver: the plan, the stages, and what they give."""

from __future__ import annotations

import dataclasses
import functools
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import LedeError
from . import _tables
from ._files import Files, driver_files, is_local, join
from ._hadoop import configuration, java_options
from ._plan import parse, read_plan, tasks_of
from ._progress import COUNTERS, Progress
from ._task import ARTICLES, Prepare, Setup, Stage, Task, failure, follows, part_name, plan_hash, try_task

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ROUNDS = 3  # that end with an aborted Spark job and get nothing done, before the job is given up
_MARK = re.compile(r"part-(\d{5,})\.json")


class Job:
    """A job: its Spark session, its folder of results, and its plan.

    ``out`` is the folder of results, ``files`` its file system as seen by the driver, and
    ``tasks`` the plan. ``setup`` goes to the workers. ``failures`` has the tasks that failed.
    """

    def __init__(
        self, spark: SparkSession, out: str, plan: bytes, flags: Sequence[str] = (), quiet: bool = True
    ) -> None:
        self.spark = spark
        self.out = out
        self.files: Files = driver_files(spark)
        self.plan = parse(plan, out)
        self.tasks: list[Task] = tasks_of(self.plan)
        self.failures: dict[tuple[str, int], dict[str, Any]] = {}
        self.progress = Progress(spark, quiet)
        remote = not all(is_local(p) for p in [out, *self.plan["archives"]])
        self.setup = Setup(
            out=out,
            flags=tuple(flags),
            plan=plan_hash(plan),
            hadoop=configuration(spark) if remote else None,
            java=java_options(spark) if remote else (),
            attempts=max_failures(spark),
        )

    @property
    def articles(self) -> Stage:
        """Return the stage that writes the articles: into OUT, or beside it if its folders are by columns."""
        folder = "_lede/articles" if self.plan["settings"].get("partition_by") else ARTICLES.folder
        return dataclasses.replace(ARTICLES, folder=folder)

    def read_articles(self) -> DataFrame | None:
        """Return the rows of all tasks that are done, with the number of the task as ``part``, or None without any."""
        return _tables.read_articles(self.spark, self.article_folder, self.done(self.articles))

    @property
    def article_folder(self) -> str:
        """Return the folder of the files of the articles, one for each task."""
        folder = self.articles.folder
        return self.path(folder) if folder else self.out

    def path(self, *names: str) -> str:
        """Return the path of something in the folder of results: ``job.path("_lede", "parts")``."""
        return join(self.out, *names)

    def describe(self, what: str) -> None:
        """Name the Spark jobs that follow in Spark's UI."""
        self.progress.describe(what)

    def run(
        self, stage: Stage, prepare: Prepare | None = None, tasks: Iterable[Task] | None = None
    ) -> list[dict[str, Any]]:
        """Run the tasks of a stage that are not done, and return the summaries of those that are.

        Ranges are verified: a range that does not begin where the one before it ended runs
        again. A task that fails at its last attempt is in ``failures``; the others run.
        """
        wanted = list(self.tasks if tasks is None else tasks)
        done = self.done(stage)
        pending = [t for t in wanted if t.part not in done]
        self._run(stage, prepare, pending)
        # What failed in a way that may pass is tried once more.
        again = [t for t in pending if (f := self.failures.get((stage.name, t.part))) and not f["lasting"]]
        self._run(stage, prepare, again)
        tried: set[tuple[int, int]] = set()
        while True:
            summaries = self.summaries(stage)
            wrong = wrong_ranges(wanted, summaries)
            # One that does not begin where it should after all has failed.
            for task in wrong:
                if (task.part, task.start) in tried and (stage.name, task.part) not in self.failures:
                    error = f"{task.path}: no record was found at byte {task.start}, where the range before it ends"
                    self.failures[stage.name, task.part] = failure(task, error, "source")
            wrong = [t for t in wrong if (t.part, t.start) not in tried]
            if not wrong:
                return [summaries[t.part] for t in wanted if t.part in summaries]
            tried |= {(t.part, t.start) for t in wrong}
            self._run(stage, prepare, wrong)

    def done(self, stage: Stage) -> set[int]:
        """Return the numbers of the tasks that are done."""
        names = self.files.names(self.path(stage.marks))
        return {int(m[1]) for n in names if (m := _MARK.fullmatch(n))}

    def summaries(self, stage: Stage) -> dict[int, dict[str, Any]]:
        """Return the summaries of the tasks that are done, by their numbers."""
        if not self.done(stage):
            return {}
        self.describe(f"read the summaries of {stage.name}")
        return _tables.read_summaries(self.spark, self.path(stage.marks))

    def _run(self, stage: Stage, prepare: Prepare | None, pending: Sequence[Task]) -> None:
        """Run tasks, each in a task of Spark. If Spark gives up, those that are left run again."""
        left, idle = list(pending), 0
        while left:
            try:
                results = self._submit(stage, prepare, left)
            except Exception as e:
                context = self.spark.sparkContext
                if context._jsc is None or context._jsc.sc().isStopped():
                    raise
                if "cancelled" in _reason(e):
                    raise LedeError(f"the job was cancelled; run it again to continue: {_reason(e)}") from e
                done = self.done(stage)
                before, left = len(left), [t for t in left if t.part not in done or t.exact]
                idle = idle + 1 if len(left) == before else 0
                if idle >= _ROUNDS:
                    names = ", ".join(t.path for t in left[:5])
                    raise LedeError(f"Spark has given up {len(left)} tasks {idle} times ({names}): {_reason(e)}") from e
                print(f"lede: Spark has given up a job, {len(left)} tasks run again: {_reason(e)}", file=sys.stderr)
                continue
            for result in results:
                key = (stage.name, int(result["part"]))
                if result.get("error"):
                    self.failures[key] = result
                else:
                    self.failures.pop(key, None)
            return

    def _submit(self, stage: Stage, prepare: Prepare | None, tasks: Sequence[Task]) -> list[dict[str, Any]]:
        context = self.spark.sparkContext
        setup = context.broadcast(self.setup)
        try:
            with self.progress.stage(f"{stage.name}: {len(tasks)} tasks into {self.out}", len(tasks)) as counts:
                function = functools.partial(_work, setup, stage, prepare, counts)
                rdd = context.parallelize(tasks, len(tasks)).setName(f"lede {stage.name}").map(function)
                return list(rdd.collect())
        finally:
            setup.unpersist()


def _work(setup: Any, stage: Stage, prepare: Prepare | None, counts: Any, task: Task) -> dict[str, Any]:
    """Run a task on a worker, and count it."""
    from pyspark import TaskContext

    context = TaskContext.get()
    cpus = max(1, context.cpus()) if context else 1
    attempt = context.attemptNumber() if context else 0
    settings: Setup = setup.value
    result = try_task(settings, stage, task, prepare, attempt, cpus)
    counts.add((1, *(int(result.get(name, 0)) for name in COUNTERS[1:])))
    return {n: v for n, v in result.items() if n in _RETURNED}


_RETURNED = ("part", "archive", "error", "kind", "lasting")


def wrong_ranges(tasks: Iterable[Task], summaries: dict[int, dict[str, Any]]) -> list[Task]:
    """Return the ranges to run again, from where the range before each has ended.

    A range looks for its first record, and may find a page that shows one. Only the first
    wrong range of each archive is returned: where the next one begins depends on it.
    """
    archives: dict[int, list[Task]] = defaultdict(list)
    for task in tasks:
        if task.is_range:
            archives[task.archive].append(task)
    wrong = []
    for ranges in archives.values():
        following: int | None = 0
        for task in sorted(ranges, key=lambda t: t.part):
            summary = summaries.get(task.part)
            if summary is None:  # it failed
                following = None
                continue
            if following is not None and not follows(summary, following, task.until):
                wrong.append(dataclasses.replace(task, start=following, exact=True))
                break
            if following is None or int(summary["begin"]) >= 0:
                following = int(summary["next"])
    return wrong


def max_failures(spark: SparkSession) -> int:
    """Return how often Spark tries a task."""
    context = spark.sparkContext
    if found := re.fullmatch(r"local\[[^,\]]*,\s*(\d+)\]", context.master):
        return int(found[1])
    if re.fullmatch(r"local(\[[^\]]*\])?", context.master):
        return 1
    return int(context.getConf().get("spark.task.maxFailures", "4"))


def open_job(spark: SparkSession, out: str) -> Job:
    """Return the job whose results are in a folder, by its plan.json."""
    from ._files import absolute

    out = absolute(out)
    plan = read_plan(driver_files(spark), out)
    if plan is None:
        raise LedeError(f"{out} has no results of lede: there is no _lede/plan.json in it")
    return Job(spark, out, plan)


def _reason(e: BaseException) -> str:
    """Return the first line of an exception of Spark that says what happened."""
    java = getattr(e, "java_exception", None)
    text = str(java.getMessage() if java is not None else e)
    return text.strip().split("\n")[0][:500]


__all__ = ["Job", "max_failures", "open_job", "part_name", "wrong_ranges"]
