"""Stories of a table of articles, as ``lede stories`` finds them on one machine.

Everything that needs one article, or two texts, is done by ``lede step`` in parallel. Spark sorts and
joins in between: see docs/cluster.md for the stages. Only the articles that are no copies are gone through
one after the other, in order of time, by one task over compact data.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812

from ..errors import LedeError, OptionError
from . import _copies
from ._counts import StoryCounts
from ._files import absolute, driver_files, for_reading, for_spark, join
from ._steps import StepError, read_lines, run_step, step_lines, through
from ._work import Work, settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

    from ._job import Job

# The fields of articles that are used.
_ARTICLE = ("id", "url", "site", "title", "text", "lang", "date", "first_seen", "type", "error")
_TEXTS = """id string, url string, site string, title string, lang string, published bigint, seen bigint, time bigint,
    `order` string, hash string, size bigint, shingles bigint, keys array<bigint>, text string, error string"""
_TERMS = "node bigint, id string, time bigint, hash string, terms string"
_CLUSTER = "node bigint, story string, score double, reason string, vector string"
_STORIES = """story string, headline string, first string, papers array<string>, languages array<string>,
    start string, `end` string, terms array<string>, count bigint,
    articles array<struct<id: string, url: string, site: string, title: string, lang: string, date: string,
        first_seen: string, score: double, reason: string, copy_of: string, copied_from: string,
        shared: double, added: double, cut: double>>"""

_MAX_MEMBERS = 10_000  # articles that a story lists
_BLOCK_BITS = 10  # of numbers of articles: a block is so many that follow each other
_SHARES = 64  # that the copies of an article are divided in
_LINES = tuple(end + z for end in (".jsonl", ".ndjson", ".json") for z in ("", ".gz", ".zst"))


def write(job: Job) -> int:
    """Write the stories of a job to OUT/_lede/stories, and return their number."""
    return find_in_job(job).stories


def find_in_job(job: Job, window: str | None = None) -> StoryCounts:
    """Find the stories of the articles of a job."""
    inputs = {"plan": job.setup.plan, "parts": _digest(sorted(job.done(job.articles))), "window": window}
    return _find(job.spark, job.out, lambda: _lines_of(job.spark, job.read_articles()), inputs)


def find_stories(
    spark: SparkSession, articles: str | Sequence[str], out: str, *, window: str | None = None, keep_work: bool = False
) -> StoryCounts:
    """Find the copies and stories of articles, and return how many there are.

    ``articles`` are files of Parquet or JSON lines that ``lede batch`` has written, or folders or
    patterns of such files. The stories are written to ``OUT/_lede/stories`` as Parquet: the fields
    are those of ``lede stories --out FILE.jsonl``, and so are the values, which ``story_lines``
    returns as lines. ``window`` is how far apart in time the articles of a story may be, such as "4d".

    A rerun after a failure continues after the last stage that is complete, and one after success
    changes nothing, unless the articles or the window are others. ``keep_work`` keeps the tables of
    the stages in ``OUT/_lede/work``.
    """
    given = [absolute(path) for path in ([articles] if isinstance(articles, str) else articles)]
    if not given:
        raise OptionError("no articles: name a file or folder that lede batch has written")
    files = driver_files(spark)
    paths = [for_reading(path) if files.exists(path) else for_spark(path) for path in given]
    found = [_list(spark, path) for path in paths]
    inputs = {"articles": _digest(found), "window": window}
    return _find(spark, absolute(out), lambda: _articles(spark, paths, found), inputs, keep_work)


def _find(
    spark: SparkSession,
    out: str,
    articles: Callable[[], DataFrame],
    inputs: dict[str, Any],
    keep_work: bool = False,
) -> StoryCounts:
    """Find the stories of articles, which are lines of JSON. ``inputs`` says what these are, and has the window."""
    files = driver_files(spark)
    target = join(out, "_lede", "stories")
    mark = join(target, "_lede.json")
    if files.exists(mark):
        done = json.loads(files.read(mark))
        if done["inputs"] == inputs:
            files.delete(join(out, "_lede", "work"))  # if it ended before it could
            return StoryCounts(*done["counts"])
    _check_window(inputs["window"])
    with settings(spark), _explained():
        work = Work(spark, files, join(out, "_lede", "work", "stories"), "lede stories", inputs)
        raw = _texts(work, articles)
        members = _members(work, raw.where("error IS NULL").drop("error"), inputs["window"])
        work.write_table(lambda: _described(members), target, "stories")
        with work.described("counts"):
            bad = raw.where("error IS NOT NULL").agg(F.count("*"), F.min("error")).first() or (0, None)
            counts = StoryCounts(_table(spark, target).count(), members.count(), bad[0], bad[1] or "")
        work.write_json(mark, {"inputs": inputs, "counts": counts})
    if not keep_work:
        files.delete(join(out, "_lede", "work"))
    return counts


def _check_window(window: str | None) -> None:
    """Raise an error if lede does not know what a window means, before the stages that come first."""
    try:
        list(through(["step", "cluster", *_window(window)], []))
    except StepError as e:
        raise OptionError(f"window: {e}") from None


def _window(window: str | None) -> list[str]:
    return [] if window is None else [f"--window={window}"]


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Say in a line why a stage failed."""
    try:
        yield
    except (PySparkException, Py4JError) as e:
        found = re.search(r"StepError: (.*)", str(e))
        why = found[1] if found else str(e).strip().split("\n")[0]
        raise LedeError(f"cannot find the stories: {why}; run it again to continue after the last stage") from e


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def story_lines(spark: SparkSession, out: str) -> Iterator[str]:
    """Yield the stories in OUT as the lines that ``lede stories --out FILE.jsonl`` writes, in the same order."""
    table = _table(spark, join(absolute(out), "_lede", "stories"))
    rows = table.orderBy("_metadata.file_name", "_metadata.row_index").select(*table.columns)
    for row in rows.toLocalIterator():
        yield _line(row)


def _table(spark: SparkSession, path: str) -> DataFrame:
    return spark.read.schema(_STORIES).parquet(for_reading(path))


def _line(row: Row) -> str:
    """Return a story as lede writes it in JSON."""
    text = json.dumps(_plain(row.asDict(recursive=True)), ensure_ascii=False, separators=(",", ":"))
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")  # as Go does


def _plain(value: Any) -> Any:
    """Return a value without fields that are null, and with numbers as Go writes them."""
    match value:
        case dict():
            return {name: _plain(v) for name, v in value.items() if v is not None}
        case list():
            return [_plain(v) for v in value]
        case float() if value.is_integer():
            return int(value)
    return value


def _list(spark: SparkSession, path: str) -> list[tuple[str, int, str]]:
    """Return the files of articles at a path, with their sizes and when they were written."""
    try:
        files = spark.read.format("binaryFile").load(path)
    except AnalysisException as e:
        raise LedeError(f"cannot read articles: {str(e.getMessage() or e).strip()}") from None
    rows = files.select("path", "length", F.col("modificationTime").cast("string")).collect()
    found = sorted((row[0], row[1], row[2]) for row in rows if _is_parquet(row[0]) or _is_lines(row[0]))
    if rows and not found:
        raise LedeError(f"cannot read articles: {path} has no files that end in .parquet or .jsonl")
    return found


def _is_parquet(name: str) -> bool:
    return name.lower().endswith(".parquet")


def _is_lines(name: str) -> bool:
    return name.lower().endswith(_LINES)


def _articles(spark: SparkSession, paths: Sequence[str], found: Sequence[Sequence[tuple[str, int, str]]]) -> DataFrame:
    """Return the articles of files as lines of JSON."""
    schema = ", ".join(f"{name} string" for name in _ARTICLE)
    parts = [_lines_of(spark, None)]
    for path, files in zip(paths, found, strict=True):
        if any(_is_parquet(file[0]) for file in files):
            read = spark.read.option("pathGlobFilter", "*.parquet").schema(schema)
            parts.append(_lines_of(spark, read.parquet(path)))
        if any(_is_lines(file[0]) for file in files):
            read = spark.read.option("pathGlobFilter", f"*{{{','.join(_LINES)}}}")
            parts.append(read.text(path, lineSep="\n").select("value"))
    return functools.reduce(lambda a, b: a.unionByName(b), parts)


def _lines_of(spark: SparkSession, rows: DataFrame | None) -> DataFrame:
    """Return rows of articles as lines of JSON."""
    if rows is None:
        return spark.createDataFrame([], "value string")
    return rows.select(F.to_json(F.struct(*_ARTICLE)).alias("value"))


def _texts(work: Work, articles: Callable[[], DataFrame]) -> DataFrame:
    """Return what the other stages need of each article, and lines that cannot be read, with an error."""

    def make() -> DataFrame:
        lines = articles()
        return read_lines(step_lines(lines, ["texts", "--text", "--unreadable"]), lines, _TEXTS)

    return work.table("texts", "texts of articles", make)


def _members(work: Work, raw: DataFrame, window: str | None) -> DataFrame:
    """Return the articles of all stories with what is written of them."""
    numbered = _numbered(work, raw)
    nodes = work.table("nodes", "distinct texts", lambda: _nodes(raw, numbered))
    postings = _copies.postings(nodes)
    buckets = work.table("buckets", "texts that share keys", lambda: _copies.buckets(postings))
    candidates = work.table(
        "candidates",
        "candidates for copies",
        lambda: _copies.candidates(nodes, _copies.shared_keys(postings, buckets), _copies.versions(numbered)),
    )
    copies = work.table("copies", "comparison of texts", lambda: _copies.copies(nodes, candidates))
    parents, roots = _copies.parents(work, nodes, copies)
    terms = work.table("terms", "terms of articles", lambda: _terms(nodes, parents))
    placed = work.table("cluster", "stories of articles that are no copies", lambda: _cluster(terms, window))
    return work.table("members", "articles of stories", lambda: _places(numbered, placed, parents, roots))


def _numbered(work: Work, raw: DataFrame) -> DataFrame:
    """Return the articles without texts: each has a number in the order, and the node of its text.

    An article that is there twice, with the same text, counts once.
    """
    first = F.row_number().over(Window.partitionBy("id", "hash").orderBy("order"))
    place = F.monotonically_increasing_id()  # the partition, and the row in it, in 31 and 33 bits

    def ordered() -> DataFrame:
        rows = raw.drop("text", "keys", "size").withColumn("row", first).where("row = 1").drop("row")
        return rows.orderBy("order").drop("order").withColumn("place", place)

    table = work.table("ordered", "order of articles", ordered).withColumn("part", F.shiftright("place", 33))

    def sizes() -> dict[str, Any]:
        counts = sorted(tuple(row) for row in table.groupBy("part").count().collect())  # one for each partition
        latest = table.agg(F.max("time")).first()
        return {"parts": counts, "latest": (latest and latest[0]) or 0}

    known = work.value("sizes", "number of articles", sizes)
    before, offsets = 0, []
    for part, count in known["parts"]:
        offsets.append((part, before))
        before += count

    def numbered() -> DataFrame:
        starts = work.spark.createDataFrame(offsets, "part bigint, start bigint")
        row = F.col("place").bitwiseAND((1 << 33) - 1)
        rows = table.join(F.broadcast(starts), "part").withColumn("number", F.col("start") + row + 1)
        firsts = rows.groupBy("hash").agg(F.min("number").alias("node"))
        return (
            rows.join(firsts, "hash")
            .withColumn("time", F.coalesce("time", F.lit(known["latest"])))
            .drop("place", "part", "start")
        )

    return work.table("articles", "numbers of articles", numbered)


def _nodes(raw: DataFrame, numbered: DataFrame) -> DataFrame:
    """Return the distinct texts, each with the article that had it first."""
    row = F.row_number().over(Window.partitionBy("hash").orderBy("order"))
    texts = raw.select("hash", "order", "keys", "text").withColumn("row", row).where("row = 1")
    firsts = numbered.where("number = node")
    return firsts.join(texts.select("hash", "keys", "text"), "hash")


def _terms(nodes: DataFrame, parents: DataFrame) -> DataFrame:
    """Return the compact terms of the nodes that are no copies."""
    alone = nodes.join(parents.select("node"), "node", "left_anti")
    fields = ("node", "id", "time", "hash", "title", "lang", "published", "seen", "text")
    return run_step(alone.select(*fields), ["terms"], _TERMS)


def _cluster(terms: DataFrame, window: str | None) -> DataFrame:
    """Return the stories of the nodes that are no copies. One task goes through them in their order."""
    return run_step(terms.repartition(1).sortWithinPartitions("node"), ["cluster", *_window(window)], _CLUSTER)


def _places(numbered: DataFrame, placed: DataFrame, parents: DataFrame, roots: DataFrame) -> DataFrame:
    """Return the articles of stories, each with its place."""
    firsts = numbered.where("number = node").select("node", F.col("id").alias("first_id"))
    alone = placed.join(firsts, "node").withColumn("copy_of", F.col("first_id"))
    of = firsts.select(F.col("node").alias("parent"), F.col("first_id").alias("parent_id"))
    origins = alone.select(F.col("node").alias("root"), "story", "copy_of")
    # Very many copies may have the same parent or root.
    with_parents = _join_spread(parents, of, "parent")
    with_stories = _join_spread(roots, origins, "root").drop("root")
    copies = with_parents.join(with_stories, "node").join(firsts, "node")
    places = alone.unionByName(copies, allowMissingColumns=True)
    first = F.col("number") == F.col("node")
    alone_here = first & F.col("parent").isNull()
    same = F.lit(1.0)
    members = numbered.join(places, "node").select(
        *("story", "number", "node", "id", "url", "site", "title", "lang", "published", "seen", "time"),
        F.when(alone_here, F.col("score")).alias("score"),
        F.when(alone_here, F.col("reason")).alias("reason"),
        F.when(alone_here, F.col("vector")).alias("vector"),
        F.when(first, F.col("parent")).otherwise(F.col("node")).alias("parent"),
        F.when(first, F.col("parent_id")).otherwise(F.col("first_id")).alias("parent_id"),
        F.when(~alone_here, F.col("copy_of")).alias("copy_of"),
        F.when(first, F.col("likeness")).otherwise(same).alias("likeness"),
        F.when(first, F.col("in_a")).otherwise(same).alias("in_a"),
        F.when(first, F.col("in_b")).otherwise(same).alias("in_b"),
        F.when(first, F.col("shared")).otherwise(F.col("shingles")).alias("shared"),
    )
    return members


def _join_spread(copies: DataFrame, articles: DataFrame, key: str) -> DataFrame:
    """Join copies with the articles that they name by a key, whatever number of them has the same.

    The copies of an article are divided by their nodes, and each share is joined on its own.
    """
    divided = copies.withColumn("share", F.pmod("node", F.lit(_SHARES)))
    named = divided.select(key, "share").distinct().join(articles, key)
    return divided.join(named, [key, "share"]).drop("share")


def _described(members: DataFrame) -> DataFrame:
    """Return the stories, in their order: by when they began, then by their ids."""
    sizes = members.groupBy("story").agg(F.min("time").alias("start"), F.count("*").alias("count"))
    rows = (
        _listed(members, sizes)
        .join(sizes, "story")
        .repartitionByRange("start", "story")
        .sortWithinPartitions("start", "story", "number")
    )
    return run_step(rows, ["stories"], _STORIES)


def _listed(members: DataFrame, sizes: DataFrame) -> DataFrame:
    """Return the articles that stories list, and of stories with more of them a few others.

    A task has all that this returns of a story, which must not be half of all articles.
    """
    block = F.shiftright("number", _BLOCK_BITS)
    large = sizes.where(F.col("count") > _MAX_MEMBERS).select("story")
    blocks = members.join(F.broadcast(large), "story", "left_semi").groupBy("story", block.alias("block")).count()
    before = F.sum("count").over(Window.partitionBy("story").orderBy("block")) - F.col("count")
    begun = blocks.withColumn("before", before).where(F.col("before") < _MAX_MEMBERS)
    last = begun.groupBy("story").agg(F.max("block").alias("last"))
    listed = members.join(F.broadcast(last), "story", "left").where(F.coalesce(block <= F.col("last"), F.lit(True)))
    return listed.drop("last")
