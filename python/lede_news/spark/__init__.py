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

from typing import TYPE_CHECKING

from ._extract import Failure, Flags, Summary, extract
from ._job import open_job
from ._package import package

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Failure", "Flags", "Summary", "extract", "package", "stories"]


def stories(spark: SparkSession, out: str) -> int:
    """Find the stories of the articles in a folder of results, and return their number.

    It is what ``extract`` does with ``stories=True``: the table is in ``OUT/_lede/stories``.
    """
    from . import _stories

    return _stories.write(open_job(spark, out))
