#!/usr/bin/env python3
"""Run lede on Apache Spark: ``spark-submit lede_spark.py extract --archives archives.txt --out articles``."""

import sys

from lede_news.spark._cli import main

if __name__ == "__main__":
    sys.exit(main())
