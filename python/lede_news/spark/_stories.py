"""Stories: ``lede stories`` on slices of time, each in a task, and ``lede stories join`` for the slices.

A slice also has the articles of the window before it, so that slices share the articles by which
their stories are joined.
"""

from __future__ import annotations

import functools
import math
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .._start import Child, ending, last_message, usage_error
from ..errors import LedeError, OptionError
from . import _files

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_FIELDS = ("id", "url", "site", "title", "text", "lang", "date", "first_seen", "type", "error")
_HOURS = {"d": 24, "h": 1}


def stories(
    spark: SparkSession,
    out: str | os.PathLike[str],
    articles: str | Sequence[str] | None = None,
    *,
    window: str = "4d",
    days: int = 14,
) -> str:
    """Find copies and stories, as ``lede stories`` does, and return the path of the file with them.

    ``articles`` are files or folders of Parquet or JSON lines (.jsonl) of ``lede batch``; without
    it, they are those of ``extract`` in ``out``. The file, ``OUT/_lede/stories.jsonl.gz``, has the
    lines of ``lede stories --out FILE.jsonl``; it is replaced. ``window`` is how far apart in time the
    articles of a story may be, and ``days`` the length of a slice, at least that of the window.

    An article without a date goes by when it was first seen, or by the date in the name of its file,
    which is that of its archive. Ids must be unique, as those of web archives are.
    """
    found = re.fullmatch(r"(\d+)([dh])", window)
    overlap = math.ceil(int(found[1]) * _HOURS[found[2]] / 24) if found else 0
    if not found or not 0 < overlap <= days:
        raise OptionError(f"window {window!r}: use hours or days up to those of a slice ({days}), such as 4d")
    out = _files.absolute(out)
    target, folder = f"{out}/_lede/stories.jsonl.gz", f"{out}/_lede/slices"
    spark.sparkContext.setJobDescription("lede: divide articles by time")
    count = _divide(_read(spark, out, articles), f"{folder}/articles", overlap, days)

    from ._extract import run_tasks

    work = functools.partial(_run_slice, folder, window)
    slices = run_tasks(spark, f"find stories in {count} slices", work, range(count))
    with _files.scratch() as local:
        parts = [_files.fetch([path], local / path.rpartition("/")[2]) for path in slices if path]
        _lede("stories", "join", "--quiet", f"--out={local / 'stories.jsonl.gz'}", "--", *map(str, parts))
        _files.publish(local / "stories.jsonl.gz", target)
    _files.delete(folder)
    return target


def _read(spark: SparkSession, out: str, articles: str | Sequence[str] | None) -> DataFrame:
    """Return the articles, with the columns that lede stories reads."""
    from pyspark.sql import functions as sql

    paths = [out] if articles is None else [articles] if isinstance(articles, str) else list(articles)
    lines = [".jsonl" in path.rpartition("/")[2] for path in paths]
    if not paths or any(lines) != all(lines):
        raise OptionError("articles are files or folders of Parquet, or files of JSON lines (.jsonl), and not both")
    read = spark.read.schema(", ".join(f"{name} string" for name in _FIELDS)).json if lines[0] else spark.read.parquet
    found = read(*paths) if not lines[0] else read(paths)
    missing = [sql.lit(None).cast("string").alias(n) for n in _FIELDS if n not in found.columns]
    frame = found.select("*", *missing).withColumn("file", sql.input_file_name())
    kept = sql.col("error").isNull() & (sql.coalesce("text", sql.lit("")) != "")
    return frame.where(kept & ~sql.coalesce("type", sql.lit("")).isin("index", "other")).select(*_FIELDS, "file")


def _divide(frame: DataFrame, to: str, overlap: int, days: int) -> int:
    """Write the articles of each slice to a folder, slice=17, and return the number of slices."""
    from pyspark.sql import functions as sql

    def day(text: Column) -> Column:
        return sql.try_to_timestamp(sql.substring(text, 1, 10), sql.lit("yyyy-MM-dd")).cast("date")

    named = sql.regexp_extract("file", r"(?:19|20)\d\d[01]\d[0-3]\d", 0)
    of_file = sql.try_to_timestamp(sql.when(named != "", named), sql.lit("yyyyMMdd"))
    seen = sql.coalesce(
        sql.when(sql.col("first_seen") != "", sql.col("first_seen")),
        sql.date_format(of_file, "yyyy-MM-dd'T'00:00:00'Z'"),
    )
    dated, first = day(sql.col("date")), day(sql.col("first_seen"))
    time = sql.when(first.isNull() | (dated <= sql.date_add(first, 1)), dated)
    frame = frame.withColumn("first_seen", seen).withColumn("day", sql.unix_date(sql.coalesce(time, first)))

    bounds = frame.select(sql.percentile_approx("day", [0.005, 0.995]).alias("b")).first()
    start, end = bounds["b"] if bounds and bounds["b"] else (0, 0)
    count = max(1, round((end - start + 1) / days))  # the last slice may be half as long again
    day_of = sql.coalesce("day", sql.lit(end))
    number = sql.greatest(sql.lit(0), sql.least(sql.lit(count - 1), sql.floor((day_of - start) / days)))
    following = sql.least(sql.lit(count - 1), number + (day_of >= start + (number + 1) * days - overlap).cast("int"))
    sliced = frame.withColumn("slice", sql.explode(sql.array_distinct(sql.array(number, following))))
    writer = sliced.drop("day", "file").write.mode("overwrite").partitionBy("slice")
    writer.option("compression", "gzip").json(to)
    return int(count)


def _run_slice(folder: str, window: str, number: int) -> str | None:
    """Find the stories of a slice, on a worker, and return the path of the file with them."""
    from ._extract import cores

    source = f"{folder}/articles/slice={number}"
    files = [f"{source}/{n}" for n in _files.names(source) if n.startswith("part-")]
    if not files:
        return None
    target = f"{folder}/slice-{number:05d}.jsonl.gz"
    with _files.scratch() as local:
        articles = _files.fetch(files, local / "articles.jsonl.gz")
        found = local / Path(target).name
        flags = ["--quiet", f"--window={window}", f"--workers={cores()}", f"--out={found}"]
        _lede("stories", *flags, "--", str(articles))
        _files.publish(found, target)
    return target


def _lede(*args: str) -> None:
    """Run lede."""
    child = Child(args, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        said = last_message(child.communicate()[1].decode("utf-8", "replace").splitlines())
    finally:
        child.end()
    if child.returncode == 2:
        raise usage_error(said)
    if child.returncode not in (0, 1):
        raise LedeError(said or f"lede {args[0]} has ended with {ending(child.returncode)}")
