"""A job on the driver: the plan, the stages, and what they give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ._files import Files, driver_files, join
from ._task import ARTICLES, Prepare, Setup, Stage, Task

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Job:
    """A job: its Spark session, its folder of results, and its plan.

    ``out`` is the folder of results, ``files`` its file system as seen by the driver, and
    ``tasks`` the plan. ``setup`` goes to the workers.
    """

    def __init__(self, spark: SparkSession, out: str, setup: Setup, tasks: Sequence[Task]) -> None:
        self.spark = spark
        self.out = out
        self.files: Files = driver_files(spark)
        self.setup = setup
        self.tasks = list(tasks)

    def path(self, *names: str) -> str:
        """Return the path of something in the folder of results: ``job.path("_lede", "parts")``."""
        return join(self.out, *names)

    def describe(self, what: str) -> None:
        """Name the Spark jobs that follow in Spark's UI."""
        raise NotImplementedError

    def run(
        self, stage: Stage, prepare: Prepare | None = None, tasks: Iterable[Task] | None = None
    ) -> list[dict[str, Any]]:
        """Run the tasks of a stage that are not done, and return the summaries of all of its tasks.

        Ranges are verified: a range that does not begin where the one before it ended runs
        again. A task that fails at its last attempt has ``error`` in its summary.
        """
        raise NotImplementedError


def open_job(spark: SparkSession, out: str) -> Job:
    """Return the job whose results are in a folder, by its plan.json."""
    raise NotImplementedError


def _extract(job: Job, sites: bool, stories: bool) -> None:
    """Run the stages. This is where sites and stories plug in."""
    prepare: Prepare | None = None
    if sites:
        from . import _sites

        prepare = _sites.learn(job)  # observations and profiles; what gives a task its --site-store
    job.run(ARTICLES, prepare)
    if stories:
        from . import _stories

        _stories.write(job)  # OUT/_lede/stories
