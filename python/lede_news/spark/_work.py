"""Tables that a long computation writes on its way, so that it can be continued.

Each table is written by Spark's committer, and then a mark beside it. After a failure, or if the
driver was killed, a rerun begins after the last table that has its mark. The plans of Spark
stay short, since each stage reads what the one before has written.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import Observation
from pyspark.sql import functions as F  # noqa: N812

from ._files import Files, for_reading, for_spark, join

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

# What the stages need. Skewed joins are those of texts and keys that very many articles have.
_SETTINGS = {
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.adaptive.coalescePartitions.enabled": "true",
    "spark.sql.adaptive.skewJoin.enabled": "true",
    "spark.sql.caseSensitive": "false",
    "spark.sql.jsonGenerator.ignoreNullFields": "true",
    "spark.sql.legacy.setopsPrecedence.enabled": "false",
    "spark.sql.optimizer.windowGroupLimitThreshold": "20000",
    "spark.sql.requireAllClusterKeysForDistribution": "false",
}


class Work:
    """The tables of a computation, in a folder of their own.

    ``inputs`` says what they are made of. If it is not what the folder was begun with, the
    folder is begun anew.
    """

    def __init__(self, spark: SparkSession, files: Files, folder: str, name: str, inputs: dict[str, Any]) -> None:
        self.spark = spark
        self.name = name
        self._files = files
        self._folder = folder
        self._begin(inputs)

    def _begin(self, inputs: dict[str, Any]) -> None:
        path = join(self._folder, "inputs.json")
        if self._files.exists(path):
            with contextlib.suppress(ValueError):
                if json.loads(self._files.read(path)) == inputs:
                    return
        self._files.delete(self._folder)
        self.write_json(path, inputs)

    def path(self, name: str) -> str:
        """Return the path of a table."""
        return join(self._folder, name)

    def table(self, name: str, what: str, make: Callable[[], DataFrame]) -> DataFrame:
        """Return a table, which is made and written first if it is not complete."""
        return self.counted(name, what, make)[0]

    def counted(
        self, name: str, what: str, make: Callable[[], DataFrame], where: Column | None = None
    ) -> tuple[DataFrame, bool]:
        """Return a table as ``table`` does, and whether it has rows with a condition."""
        mark = join(self._folder, f"{name}.json")
        if not self._files.exists(mark):
            seen = Observation()
            found = F.max(F.lit(True) if where is None else where).alias("found")
            self.write_table(lambda: make().observe(seen, found), self.path(name), what)
            self.write_json(mark, {"found": bool(seen.get["found"])})
        found = json.loads(self._files.read(mark))["found"]
        return self.spark.read.parquet(for_reading(self.path(name))), bool(found)

    def value(self, name: str, what: str, make: Callable[[], Any]) -> Any:
        """Return a small value that JSON can hold, which is computed first if it is not known."""
        mark = join(self._folder, f"{name}.json")
        if not self._files.exists(mark):
            with self.described(what):
                self.write_json(mark, make())
        return json.loads(self._files.read(mark))

    def write_table(self, make: Callable[[], DataFrame], path: str, what: str) -> None:
        """Write a table to a path. What is there is replaced."""
        with self.described(what):
            make().write.mode("overwrite").option("compression", "zstd").parquet(for_spark(path))

    def write_json(self, path: str, value: Any) -> None:
        """Write a small file, which appears complete."""
        with tempfile.TemporaryDirectory(prefix="lede-") as scratch:
            file = Path(scratch) / "value.json"
            file.write_text(json.dumps(value, sort_keys=True), encoding="utf-8")
            self._files.publish(file, path, join(self._folder, "_tmp"))

    @contextlib.contextmanager
    def described(self, what: str) -> Iterator[None]:
        """Name the jobs of Spark that run meanwhile."""
        context = self.spark.sparkContext
        before = context.getLocalProperty("spark.job.description")
        context.setJobDescription(f"{self.name}: {what}")
        try:
            yield
        finally:
            context.setLocalProperty("spark.job.description", before)


@contextlib.contextmanager
def settings(spark: SparkSession) -> Iterator[None]:
    """Set what the stages need of Spark, and restore it."""
    before: dict[str, str | None] = {name: spark.conf.get(name, None) for name in _SETTINGS}
    try:
        for name, value in _SETTINGS.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, old in before.items():
            if old is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, old)
