"""lede on Apache Spark: web archives in, Parquet out, on many machines.

>>> from lede_news import spark as lede_spark
>>> done = lede_spark.extract(spark, ["s3a://bucket/a.warc.gz"], "s3a://bucket/articles")  # doctest: +SKIP
"""

from __future__ import annotations
