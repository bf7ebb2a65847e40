"""The progress of a job: names in Spark's UI, counters, and a line on standard error."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PROPERTIES = ("spark.job.description", "spark.jobGroup.id", "spark.job.interruptOnCancel")
_EVERY = 10.0  # seconds between lines
_SHOWN = 1.0  # seconds between updates of Spark's UI
COUNTERS = ("tasks", "pages", "failed", "bytes")


class Progress:
    """Names the jobs of Spark, and shows how far they are."""

    def __init__(self, spark: SparkSession, quiet: bool) -> None:
        self._context = spark.sparkContext
        self._quiet = quiet

    def describe(self, what: str) -> None:
        """Name the Spark jobs that follow in Spark's UI."""
        self._context.setJobGroup("lede", f"lede: {what}", interruptOnCancel=True)

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
    def stage(self, what: str, tasks: int) -> Iterator[dict[str, Any]]:
        """Show the progress of a stage, whose tasks add to the counters."""
        self.describe(what)
        counters: dict[str, Any] = {name: self._context.accumulator(0) for name in COUNTERS}
        ended = threading.Event()
        thread = threading.Thread(target=self._watch, args=(what, tasks, counters, ended), daemon=True)
        thread.start()
        try:
            yield counters
        finally:
            ended.set()
            thread.join()

    def _watch(self, what: str, tasks: int, counters: dict[str, Any], ended: threading.Event) -> None:
        ui = Shown(self._context, f"lede: {what}")
        began = said = time.monotonic()
        while not ended.wait(_SHOWN):
            now = time.monotonic()
            values = {name: int(counters[name].value) for name in COUNTERS}
            ui.update(values)
            if not self._quiet and now - said >= _EVERY:
                said = now
                print(f"lede: {line(what, tasks, values, now - began)}", file=sys.stderr, flush=True)


def line(what: str, tasks: int, values: dict[str, int], seconds: float) -> str:
    """Return a line of progress."""
    rate = values["pages"] / seconds if seconds > 0 else 0
    failed = f", {values['failed']} failed" if values["failed"] else ""
    done = f"{what.partition(':')[0]}: {values['tasks']} of {tasks} tasks"
    return f"{done}, {values['pages']} pages{failed}, {values['bytes'] / 1e6:.0f} MB, {rate:.0f} pages/s"


class Shown:
    """Counters among the accumulators of a stage in Spark's UI.

    Spark shows named accumulators, and those of Python have no names. So the driver adds the
    values to what the UI knows about the stage. This is no promise of Spark's interface: if it
    fails there is nothing to see, and nothing else happens.
    """

    def __init__(self, context: Any, description: str) -> None:
        self._context = context
        self._description = description
        self._broken = False

    def update(self, values: dict[str, int]) -> None:
        """Show values at the running stage."""
