"""Runs a job: ``python -m lede_news.spark extract --archives archives.txt --out articles``."""

from __future__ import annotations

import sys

from ._cli import main

if __name__ == "__main__":
    sys.exit(main())
