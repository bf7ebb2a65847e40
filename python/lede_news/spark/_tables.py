"""The tables of a job: the counts of each archive, what failed, and articles by columns."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ._files import for_reading, for_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ._task import Task

COUNTS = ("records", "pages", "failed", "partial", "skipped", "damaged", "quarantined", "lost_bytes", "bytes")
_SUMMARY = (
    ", ".join(f"{name} BIGINT" for name in (*COUNTS, "begin", "next"))
    + ", complete BOOLEAN, seconds DOUBLE, errors MAP<STRING, BIGINT>, types MAP<STRING, BIGINT>"
)
_ARCHIVES = (
    "archive STRING, tasks INT, done INT, "
    + ", ".join(f"{n} BIGINT" for n in ("records", "pages", "articles", "others", *COUNTS[2:]))
    + ", seconds DOUBLE, error STRING"
)
_FAILURES = "archive STRING, part INT, id STRING, url STRING, kind STRING, error STRING"
_MAX_SPANS = 1000  # conditions that Spark can compile
_PART = r"part-(\d{5,})\.[a-z]+$"


def read_summaries(spark: SparkSession, folder: str) -> dict[int, dict[str, Any]]:
    """Return the summaries in a folder, by the numbers of their tasks."""
    from pyspark.sql import functions as f

    rows = (
        spark.read.schema(_SUMMARY)
        .option("pathGlobFilter", "part-*.json")
        .json(for_reading(folder))
        .withColumn("part", f.regexp_extract(f.input_file_name(), _PART, 1).cast("int"))
    )
    found = {}
    for row in rows.collect():
        summary = row.asDict()
        if not summary["complete"]:
            continue
        for name in COUNTS:
            summary[name] = summary[name] or 0
        for name in ("errors", "types"):
            summary[name] = summary[name] or {}
        found[int(summary["part"])] = summary
    return found


def read_articles(spark: SparkSession, folder: str, parts: Iterable[int]) -> DataFrame | None:
    """Return the rows of the tasks that are done, with the number of the task as ``part``, or None without any."""
    from pyspark.sql import functions as f

    done = sorted(parts)
    if not done:
        return None
    rows = spark.read.option("pathGlobFilter", "part-*.parquet").parquet(for_reading(folder))
    rows = rows.withColumn("part", f.regexp_extract(f.input_file_name(), _PART, 1).cast("int"))
    # A task that failed may have left a file. Numbers without gaps are a short condition.
    spans, first = [], done[0]
    for number, following in zip(done, [*done[1:], -1], strict=True):
        if following != number + 1:
            spans.append(f.col("part").between(first, number))
            first = following
    if len(spans) <= _MAX_SPANS:
        return rows.where(functools.reduce(lambda a, b: a | b, spans))
    return rows.join(f.broadcast(spark.createDataFrame([(part,) for part in done], "part INT")), "part", "left_semi")


def write_archives(
    spark: SparkSession,
    folder: str,
    archives: Sequence[str],
    tasks: Sequence[Task],
    summaries: dict[int, dict[str, Any]],
    failures: dict[int, str],
) -> None:
    """Write the counts of each archive."""
    rows = archive_rows(archives, tasks, summaries, failures)
    frame = spark.createDataFrame(rows, _ARCHIVES)
    frame.coalesce(1).write.mode("overwrite").parquet(for_spark(folder))


def archive_rows(
    archives: Sequence[str],
    tasks: Sequence[Task],
    summaries: dict[int, dict[str, Any]],
    failures: dict[int, str],
) -> list[tuple[Any, ...]]:
    """Return the counts of each archive."""
    made: list[dict[str, Any]] = [
        {"tasks": 0, "done": 0, "articles": 0, "others": 0, "seconds": 0.0, "error": None, **dict.fromkeys(COUNTS, 0)}
        for _ in archives
    ]
    for task in tasks:
        row = made[task.archive]
        row["tasks"] += 1
        if task.part in failures:
            row["error"] = row["error"] or failures[task.part]
        if (summary := summaries.get(task.part)) is None:
            continue
        row["done"] += 1
        row["seconds"] += summary["seconds"] or 0.0
        for name in COUNTS:
            row[name] += summary[name]
        row["articles"] += (articles := summary["types"].get("article", 0))
        row["others"] += summary["pages"] - summary["failed"] - articles
    names = [column.split()[0] for column in _ARCHIVES.split(", ")]
    return [tuple(path if n == "archive" else row[n] for n in names) for path, row in zip(archives, made, strict=True)]


def write_failures(
    spark: SparkSession,
    folder: str,
    archives: Sequence[str],
    tasks: Sequence[Task],
    articles: DataFrame | None,
    failures: dict[int, tuple[str, str]],
) -> None:
    """Write the pages that failed, the damaged stretches, and the tasks that failed."""
    from pyspark.sql import functions as f

    by_part = {t.part: archives[t.archive] for t in tasks}
    rows = [(by_part[part], part, None, None, kind, error) for part, (kind, error) in sorted(failures.items())]
    frame = spark.createDataFrame(rows, _FAILURES)
    if articles is not None:
        names = spark.createDataFrame(list(by_part.items()), "part INT, archive STRING")
        failed = articles.where(f.col("error") != "").select("part", "id", "url", "kind", "error")
        frame = failed.join(names, "part").select("archive", "part", "id", "url", "kind", "error").unionByName(frame)
    frame = frame.repartitionByRange("part", "id").sortWithinPartitions("part", "id")
    frame.write.mode("overwrite").parquet(for_spark(folder))


def write_partitioned(articles: DataFrame, out: str, columns: Sequence[str]) -> None:
    """Write articles into folders by columns, such as ``lang=en/day=2026-03-01``.

    Each folder is replaced as a whole, so that doing it again changes nothing. A value with
    many rows is divided among several tasks, and those with few share one.
    """
    from pyspark.sql import functions as f

    rows = articles.drop("part")
    if "day" in columns:
        rows = rows.withColumn("day", f.substring("date", 1, 10))
    for name in columns:  # an empty value has no folder of its own
        rows = rows.withColumn(name, f.when(f.col(name).cast("string") != "", f.col(name)))
    rows = rows.hint("rebalance", *columns)
    writer = rows.write.mode("overwrite").option("partitionOverwriteMode", "dynamic")
    writer.partitionBy(*columns).parquet(for_spark(out))
