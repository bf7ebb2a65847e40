"""The progress of a job: names in Spark's UI, counters, and a line on standard error."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PROPERTIES = ("spark.job.description", "spark.jobGroup.id", "spark.job.interruptOnCancel")
_EVERY = 10.0  # seconds between lines
COUNTERS = ("tasks", "pages", "failed", "bytes")


class Progress:
    """Names the jobs of Spark, and shows how far they are."""

    def __init__(self, spark: SparkSession, quiet: bool) -> None:
        self._context = spark.sparkContext
        self._quiet = quiet

    def describe(self, what: str, group: str = "lede") -> None:
        """Name the Spark jobs that follow in Spark's UI."""
        self._context.setJobGroup(group, f"lede: {what}", interruptOnCancel=True)

    @contextlib.contextmanager
    def named(self) -> Iterator[None]:
        """Give Spark jobs their names back at the end."""
        before = {name: self._context.getLocalProperty(name) for name in _PROPERTIES}
        try:
            yield
        finally:
            for name, value in before.items():
                self._context.setLocalProperty(name, value)

    @contextlib.contextmanager
    def stage(self, what: str, tasks: int) -> Iterator[Any]:
        """Show the progress of a stage, whose tasks add their counts to the accumulator."""
        group = f"lede-{uuid.uuid4().hex[:8]}"
        self.describe(what, group)
        shown = Shown(self._context, group)
        counts = self._context.accumulator((0,) * len(COUNTERS), Sum(shown.update))
        ended = threading.Event()
        thread = threading.Thread(target=self._watch, args=(what, tasks, counts, ended), daemon=True)
        thread.start()
        try:
            yield counts
        finally:
            ended.set()
            thread.join()

    def _watch(self, what: str, tasks: int, counts: Any, ended: threading.Event) -> None:
        began = time.monotonic()
        while not ended.wait(_EVERY):
            if not self._quiet:
                print(f"lede: {line(what, tasks, counts.value, time.monotonic() - began)}", file=sys.stderr, flush=True)


def line(what: str, tasks: int, counts: tuple[int, ...], seconds: float) -> str:
    """Return a line of progress."""
    done, pages, failed, size = counts
    some = f", {failed} failed" if failed else ""
    of = f"{what.partition(':')[0]}: {done} of {tasks} tasks"
    return f"{of}, {pages} pages{some}, {size / 1e6:.0f} MB, {pages / max(seconds, 0.001):.0f} pages/s"


class Sum:
    """Adds up the counts of tasks, as an accumulator of Spark does.

    On the driver, ``changed`` is called with each sum: Spark does so when it hears of the end of
    a task, and waits for it.
    """

    def __init__(self, changed: Callable[[tuple[int, ...]], object] | None = None) -> None:
        self._changed = changed

    def __reduce__(self) -> tuple[type[Sum], tuple[()]]:
        """Leave the driver's part behind."""
        return (Sum, ())

    def zero(self, value: tuple[int, ...]) -> tuple[int, ...]:
        """Return the counts of nothing."""
        return (0,) * len(value)

    def addInPlace(self, one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, ...]:  # noqa: N802 - Spark's name
        """Return the sum of two counts."""
        added = tuple(a + b for a, b in zip(one, two, strict=True))
        if self._changed is not None:
            self._changed(added)
        return added


class Shown:
    """Shows counts among the accumulators of a stage in Spark's UI.

    Spark shows accumulators that have a name, and those of Python have none. So the driver
    adds the counts to what the UI knows about the stage. Spark promises none of what this uses:
    if it fails, the UI shows no counts, and nothing else is different.
    """

    def __init__(self, context: Any, group: str) -> None:
        self._context = context
        self._group = group
        self._stage: Any = None
        self._ids: list[int] = []
        self._failed = False

    def update(self, counts: tuple[int, ...]) -> None:
        """Show counts at the running stage."""
        if self._failed:
            return
        try:
            self._update(counts)
        except Exception:
            self._failed = True

    def _update(self, counts: tuple[int, ...]) -> None:
        java, spark = self._context._jvm, self._context._jsc.sc()
        if self._stage is None:
            tracker = self._context.statusTracker()
            jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(self._group)]
            stages = [stage for job in jobs if job is not None for stage in job.stageIds]
            self._stage = spark.dagScheduler().stageIdToStage().apply(max(stages)).latestInfo()
            self._ids = [int(spark.longAccumulator(f"lede {name}").id()) for name in COUNTERS]
        none, some = java.scala.Option.empty, java.scala.Some
        for number, name, count in zip(self._ids, COUNTERS, counts, strict=True):
            info = java.org.apache.spark.scheduler.AccumulableInfo(
                number, some(f"lede {name}"), none(), some(count), False, True, none()
            )
            self._stage.accumulables().put(number, info)
