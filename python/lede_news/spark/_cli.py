"""The command: ``spark-submit lede_spark.py extract --archives archives.txt --out articles``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ..errors import LedeError, OptionError

_EXAMPLES = """examples:
  spark-submit --master spark://host:7077 lede_spark.py extract --archives archives.txt --out s3a://bucket/articles
  spark-submit lede_spark.py extract a.warc.gz b.warc.gz --out /shared/articles --stories -- --body md
  spark-submit lede_spark.py extract --archives archives.txt --out /shared/articles --site-store /shared/sites.db
  spark-submit lede_spark.py stories --out /shared/articles
  spark-submit lede_spark.py stories --articles /shared/march --articles /shared/april --out /shared/spring"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command."""
    form = argparse.RawDescriptionHelpFormatter
    made = argparse.ArgumentParser(
        "lede_spark.py", description="Run lede on Apache Spark.", epilog=_EXAMPLES, formatter_class=form
    )
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("extract", help="extract the pages of archives into Parquet; -- FLAGS of lede batch")
    add = one.add_argument
    add("archives", nargs="*", metavar="ARCHIVE", help="path or URI of an archive, such as a.warc.gz")
    add("--archives", dest="list", metavar="FILE", help="file with a path or URI on each line; - for standard input")
    add("--out", required=True, metavar="FOLDER", help="folder of the results: a path or a URI")
    add("--overwrite", action="store_true", help="delete the results of another run")
    add("--site-store", metavar="FILE", help="what is known about sites, made by lede site learn; it is only read")
    add("--stories", action="store_true", help="find stories and copies afterwards")
    two = commands.add_parser("stories", help="find the stories of the results of extract, or of other articles")
    add = two.add_argument
    add("--out", required=True, metavar="FOLDER", help="folder of the results: a path or a URI")
    add("--articles", action="append", metavar="PATH", help="Parquet or JSON lines of lede batch; may be repeated")
    add("--window", metavar="TIME", default="4d", help="how far apart the articles of a story may be (default: 4d)")
    add("--days", type=int, default=14, help="length of a slice of time in days (default: 14)")
    return made


def main(args: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status: 1 if pages or tasks failed, 2 for wrong arguments, 3 otherwise."""
    args = sys.argv[1:] if args is None else list(args)
    split = args.index("--") if "--" in args else len(args)
    given, flags = parser().parse_args(args[:split]), args[split + 1 :]
    try:
        return _run(given, flags)
    except (OptionError, TypeError) as e:
        print(f"lede: {e}", file=sys.stderr)
        return 2
    except (LedeError, OSError) as e:
        print(f"lede: {e}", file=sys.stderr)
        return 3


def _run(given: argparse.Namespace, flags: Sequence[str]) -> int:
    try:
        from pyspark.sql import SparkSession

        from . import _extract, _stories
    except ImportError as e:
        raise LedeError(f"{e.name} is missing: pip install 'lede-news[spark]'") from None
    spark = SparkSession.builder.appName(f"lede {given.command}").getOrCreate()
    try:
        if given.command == "stories":
            path = _stories.stories(spark, given.out, given.articles, window=given.window, days=given.days)
            print(f"lede: {path}", file=sys.stderr)
            return 0
        archives = [*given.archives, *(_extract.read_list(given.list) if given.list else [])]
        done = _extract.run(spark, archives, given.out, flags, overwrite=given.overwrite, site_store=given.site_store)
        print(f"lede: {done}", file=sys.stderr)
        if given.stories:
            _stories.stories(spark, given.out)
        return done.status
    finally:
        spark.stop()
