"""The command: ``spark-submit lede_spark.py extract --archives archives.txt --out articles``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from ..errors import LedeError, OptionError

_EXAMPLES = """examples:
  spark-submit --master spark://host:7077 lede_spark.py extract --archives archives.txt --out s3a://bucket/articles
  spark-submit lede_spark.py extract a.warc.gz b.warc.gz --out /shared/articles --sites --stories
  spark-submit lede_spark.py extract --archives archives.txt --out hdfs:///articles --partition-by lang,day
  spark-submit lede_spark.py stories --out /shared/articles
  spark-submit lede_spark.py stories --articles march.parquet --articles s3a://bucket/april/ --out /shared/spring
  python -m lede_news.spark package lede_news.zip"""
_LISTS = ("anchors", "index", "keep")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command."""
    form = argparse.RawDescriptionHelpFormatter
    made = argparse.ArgumentParser(
        "lede_spark.py", description="Run lede on Apache Spark.", epilog=_EXAMPLES, formatter_class=form
    )
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")

    one = commands.add_parser(
        "extract", help="extract the pages of archives into Parquet", epilog=_EXAMPLES, formatter_class=form
    )
    one.add_argument("archives", nargs="*", metavar="ARCHIVE", help="path or URI of an archive, such as a.warc.gz")
    one.add_argument(
        "--archives", dest="list", metavar="FILE", help="file with a path or URI on each line; - for standard input"
    )
    one.add_argument("--out", required=True, metavar="FOLDER", help="folder of the results: a path or a URI")
    one.add_argument("--overwrite", action="store_true", help="replace the results of another run")
    one.add_argument("--sites", action="store_true", help="learn about the sites first, as lede batch --two-pass does")
    one.add_argument("--stories", action="store_true", help="find stories and copies, as lede stories does")
    one.add_argument(
        "--split", type=size, default=0, metavar="SIZE", help="divide larger WARC files into ranges, such as 256MB"
    )
    one.add_argument(
        "--partition-by", default=(), metavar="COLUMNS", help="put rows into folders by columns, such as lang,site,day"
    )
    one.add_argument("--body", choices=("text", "md", "html", "blocks"), help="form of the body (default: text)")
    one.add_argument("--favor", choices=("precision", "recall"), help="leave doubtful text out, or keep it")
    one.add_argument("--max-memory", type=int, metavar="MB", help="memory limit of a task in MB (default: 2048)")
    one.add_argument("--method", help="extraction method (default: blend)")
    one.add_argument(
        "--only-articles", action="store_true", default=None, help="treat pages that are no articles as errors"
    )
    one.add_argument("--page-time", metavar="TIME", help="maximum time to extract a page, such as 2s")
    one.add_argument(
        "--batch-option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another option of lede batch, such as max-bytes=5000000",
    )
    one.add_argument(
        "--no-ship", dest="ship", action="store_false", help="do not send the package to the workers, which have it"
    )
    one.add_argument("--quiet", action="store_true", help="print no progress and no summary")

    two = commands.add_parser(
        "stories",
        help="find the stories of the results of extract, or of other articles",
        epilog=_EXAMPLES,
        formatter_class=form,
    )
    two.add_argument("--out", required=True, metavar="FOLDER", help="folder of the results: a path or a URI")
    two.add_argument(
        "--articles",
        action="append",
        metavar="PATH",
        help="Parquet or JSON lines of lede batch, or a folder; may be repeated (default: the articles in FOLDER)",
    )
    two.add_argument("--window", metavar="TIME", help="how far apart the articles of a story may be (default: 4d)")
    two.add_argument(
        "--no-ship", dest="ship", action="store_false", help="do not send the package to the workers, which have it"
    )

    three = commands.add_parser("package", help="write the package to a zip file for spark-submit --py-files")
    three.add_argument("path", metavar="FILE.zip", help="file to write")
    return made


def size(text: str) -> int:
    """Return a number of bytes, as lede reads them: 1000000, 256MB (times 1024 twice) or 1GB."""
    units = {unit + end: 1 << shift for unit, shift in (("K", 10), ("M", 20), ("G", 30)) for end in ("", "B", "IB")}
    units |= {"": 1, "B": 1}
    number = text.strip().rstrip("BbIiKkMmGg")
    unit = text.strip()[len(number) :].upper()
    try:
        value = float(number) * units[unit]
    except (ValueError, KeyError):
        raise argparse.ArgumentTypeError(f"{text!r} is no size: use bytes, or a number with MB or GB") from None
    if not 0 <= value < 1 << 62:
        raise argparse.ArgumentTypeError(f"{text!r} is no size that a file can have")
    return int(value)


def main(args: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status: 1 if pages or tasks failed, 2 for wrong arguments, 3 otherwise."""
    given = parser().parse_args(args)
    try:
        if given.command == "package":
            from ._package import package

            package(given.path)
            return 0
        return _with_spark(given)
    except (OptionError, TypeError) as e:
        print(f"lede: {e}", file=sys.stderr)
        return 2
    except (LedeError, OSError) as e:
        print(f"lede: {e}", file=sys.stderr)
        return 3


def _with_spark(given: argparse.Namespace) -> int:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise LedeError("pyspark is missing: pip install 'lede-news[spark]', or use spark-submit") from None
    options = _options(given) if given.command == "extract" else {}
    spark = SparkSession.builder.appName(f"lede {given.command}").getOrCreate()
    try:
        if given.command == "stories":
            from . import stories

            found = stories(spark, given.out, given.articles, window=given.window, ship=given.ship)
            print(f"lede: {found}", file=sys.stderr)
            return 1 if found.unreadable else 0
        from . import extract

        return extract(spark, **options).status
    finally:
        spark.stop()


def _options(given: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of extract."""
    archives = [*given.archives, *(_read_list(given.list) if given.list else [])]
    names = ["out", "overwrite", "sites", "stories", "split", "partition_by", "ship", "quiet"]
    names += ["body", "favor", "max_memory", "method", "only_articles", "page_time"]
    options: dict[str, Any] = {"archives": archives, **{n: getattr(given, n) for n in names}}
    options.update(_batch_options(given.batch_option, options))
    return options


def _batch_options(pairs: Sequence[str], given: dict[str, Any]) -> dict[str, Any]:
    """Return the other options of lede batch, of which there must be none twice and none that a job sets itself."""
    from ._extract import Flags

    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        key = name.removeprefix("--").replace("-", "_")
        key = {"with": "keep", "set": "settings"}.get(key, key)
        if key not in Flags.__annotations__:
            known = sorted(n for n in Flags.__annotations__ if n not in given)
            raise OptionError(f"--batch-option {pair}: use one of {', '.join(known).replace('_', '-')}")
        if given.get(key) is not None or (key in found and key not in _LISTS and key != "settings"):
            raise OptionError(f"--batch-option {pair}: {name} is set twice")
        if not equals:
            raise OptionError(f"--batch-option {pair}: use NAME=VALUE")
        if key == "settings":
            parameter, _, setting = value.partition("=")
            found.setdefault(key, {})[parameter] = setting
        elif key in _LISTS:
            found.setdefault(key, []).extend(value.split(",") if key == "keep" else [value])
        else:
            found[key] = value
    return found


def _read_list(path: str) -> list[str]:
    """Return the lines of a list, without empty ones and comments."""
    from ._files import is_local, local_path

    try:
        if path == "-":
            text = sys.stdin.read()
        elif is_local(path):
            text = local_path(path).read_text("utf-8-sig")
        else:
            from pyspark.sql import SparkSession

            from ._files import driver_files

            text = driver_files(SparkSession.builder.getOrCreate()).read(path).decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise LedeError(f"{path} is no list of archives: it is not UTF-8") from e
    except OSError as e:
        raise LedeError(f"the list of archives cannot be read: {e}") from e
    lines = [line.strip() for line in text.splitlines()]
    found = [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise LedeError(f"{path} has no archives: it needs a path on each line")
    return found
