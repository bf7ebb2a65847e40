"""lede on Apache Spark: web archives in, Parquet out, on many machines.

>>> from lede_news.spark import extract
>>> done = extract(spark, ["s3a://bucket/a.warc.gz"], "s3a://bucket/articles")  # doctest: +SKIP
>>> spark.read.parquet("s3a://bucket/articles").select("title", "site").show()  # doctest: +SKIP

Each archive is a task, and a Parquet file in OUT. The folder ``OUT/_lede``, which Spark does not
read as a part of the table, has a summary of each archive and the stories. The module needs
``pip install 'lede-news[spark]'`` on the driver, and lede-news and pyarrow on the workers.
"""

from __future__ import annotations

from ._extract import Failure, Summary, extract
from ._stories import stories

__all__ = ["Failure", "Summary", "extract", "stories"]
