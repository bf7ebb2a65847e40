"""lede on Apache Spark: web archives in, Parquet out, on many machines.

>>> from lede_news.spark import extract
>>> done = extract(spark, ["s3a://bucket/a.warc.gz"], "s3a://bucket/articles")  # doctest: +SKIP
>>> spark.read.parquet("s3a://bucket/articles").select("title", "site").show()  # doctest: +SKIP

Results are in a folder, OUT. Beside the Parquet files of the articles it has a folder
``_lede``, which Spark does not read as a part of the table: ``archives`` and ``failures`` are
tables of what was read and what was not, ``stories`` is that of the stories, and the rest lets
a run be repeated. The module needs ``pip install 'lede-news[spark]'``; workers need nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ._counts import StoryCounts
from ._extract import Failure, Flags, Summary, extract
from ._job import open_job
from ._package import package
from ._package import ship as ship_package

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Failure", "Flags", "StoryCounts", "Summary", "extract", "package", "stories", "story_lines"]


def stories(
    spark: SparkSession,
    out: str | os.PathLike[str],
    articles: str | Sequence[str] | None = None,
    *,
    window: str | None = None,
    ship: bool = True,
) -> StoryCounts:
    """Find the copies and stories of articles, as ``lede stories`` does, and return how many there are.

    ``articles`` are files of Parquet or JSON lines that ``lede batch`` has written, or folders or
    patterns of such files. Without it they are the results of ``extract`` in ``out``, which does the
    same with ``stories=True``. The table is in ``OUT/_lede/stories``: it has the fields of
    ``lede stories --out FILE.jsonl``, and ``story_lines`` returns it as these lines. ``window`` is how
    far apart in time the articles of a story may be, such as "4d", the default.

    A rerun after a failure continues after the last stage that is complete, and one after success
    changes nothing, unless the articles or the window are others. ``ship`` sends this package to the
    workers, so that they need nothing installed.
    """
    from . import _stories

    if ship:
        ship_package(spark)
    if articles is None:
        return _stories.find_in_job(open_job(spark, os.fspath(out)), window)
    return _stories.find_stories(spark, articles, os.fspath(out), window=window)


def story_lines(spark: SparkSession, out: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the stories in OUT as the lines that ``lede stories --out FILE.jsonl`` writes, in the same order."""
    from . import _stories

    return _stories.story_lines(spark, os.fspath(out))
