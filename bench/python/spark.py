"""Compare lede on Spark, in one process, with ``lede batch`` and ``lede stories``: ``make cluster-bench``.

The archives are those of the arguments, and the articles those of ``lede-lab newsroom wire``. The
processor time is that of the processes of lede, measured by a script in place of the program. Of the
stories, it prints how many pairs of articles that ``lede stories`` has in one story, and of copies, the slices have.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from lede_news._start import command

SCRIPT = """#!/bin/bash
TIMEFORMAT='%U %S'
{{ time {program} "$@" 2>&3; }} 3>&2 2>>{log}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", nargs="*", help="web archives to extract")
    parser.add_argument("--articles", type=int, default=8000, help="number of articles of stories (default: 8000)")
    parser.add_argument("--days", type=int, default=14, help="length of a slice (default: 14)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure(folder, args)


def measure(folder: Path, args: argparse.Namespace) -> None:
    from pyspark.sql import SparkSession

    from lede_news.spark import extract, stories

    log, script = folder / "log", folder / "lede"
    lab = Path(command()).with_name("lede-lab")
    script.write_text(SCRIPT.format(program=command(), log=log))
    script.chmod(0o755)
    os.environ.update(LEDE_COMMAND=str(script), PYSPARK_PYTHON=sys.executable)
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()

    def used() -> float:
        """Return the processor time of lede since the last call."""
        total = sum(float(n) for line in log.read_text().splitlines() for n in line.split())
        log.unlink()
        return total

    if args.archives:
        subprocess.run([script, "batch", "-q", "-w", "1", "--out", folder / "a.parquet", *args.archives], check=False)
        alone = used()
        done = extract(spark, args.archives, folder / "articles")
        print(f"{done.pages} pages: {used() / alone:.2f} of the processor time of lede batch ({alone:.1f} s)")
    articles, whole = folder / "wire.jsonl", folder / "whole.jsonl.gz"
    subprocess.run([lab, "newsroom", "wire", "--articles", str(args.articles), "--out", articles], check=True)
    subprocess.run([script, "stories", "-q", "-w", "1", articles, "--out", whole], check=True)
    alone = used()
    found = stories(spark, folder / "stories", str(articles), days=args.days)
    print(f"{args.articles} articles: {used() / alone:.2f} of the processor time of lede stories ({alone:.1f} s)")
    for what, want, got in zip(("stories", "copies"), pairs(whole), pairs(Path(found)), strict=True):
        print(f"pairs of {what}: recall {len(want & got) / len(want):.4f}, precision {len(want & got) / len(got):.4f}")
    spark.stop()


def pairs(file: Path) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return the pairs of articles of one story, and of copies."""
    same: set[tuple[str, str]] = set()
    copies: set[tuple[str, str]] = set()
    with gzip.open(file, "rt") as lines:
        for line in lines:
            groups = defaultdict(list)
            for a in json.loads(line)["articles"]:
                groups[a.get("copy_of") or a["id"]].append(a["id"])
            same.update(itertools.combinations(sorted(itertools.chain(*groups.values())), 2))
            for group in groups.values():
                copies.update(itertools.combinations(sorted(group), 2))
    return same, copies


if __name__ == "__main__":
    main()
