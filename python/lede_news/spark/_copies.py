"""Copies among texts: candidates by shared keys, comparison, parents and originals.

A node is a text, and its number that of the first article that has it. So a node with a smaller
number precedes one with a larger number, and a copy is made of a node before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappush, heappushpop
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812

from ._steps import run_step

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._work import Work

MAX_BUCKET = 64  # nodes that are kept of those that share a key: the first ones
MAX_VERSIONS = 8  # nodes of articles with the same id that a node is compared with

_OVERLAP = ("likeness", "in_a", "in_b", "shared")  # of a node with one that it shares text with
_NEAR = "array<struct<node: bigint, likeness: double, in_a: double, in_b: double, shared: bigint>>"
_CANDIDATES = "node bigint, of array<array<bigint>>, rest bigint, full boolean"
_COPIES = f"node bigint, near {_NEAR}, `all` boolean"


def postings(nodes: DataFrame) -> DataFrame:
    """Return a row for each key of each node, except that of the whole text."""
    keys = F.slice("keys", F.lit(2), F.greatest(F.size("keys") - 1, F.lit(0)))
    return nodes.select("node", "shingles", F.explode(keys).alias("key"))


def buckets(postings: DataFrame) -> DataFrame:
    """Return the first nodes of each key that several nodes have, in order.

    Spark applies the limit before the shuffle, so that a key in very many texts costs no more
    than others.
    """
    row = F.row_number().over(Window.partitionBy("key").orderBy("node"))
    lists = (
        postings.withColumn("row", row)
        .where(F.col("row") <= MAX_BUCKET)
        .groupBy("key")
        .agg(F.sort_array(F.collect_list(F.struct("node", "shingles"))).alias("list"))
        .where(F.size("list") > 1)
    )
    return lists.select("key", F.col("list.node").alias("nodes"), F.col("list.shingles").alias("sizes"))


def shared_keys(postings: DataFrame, buckets: DataFrame) -> DataFrame:
    """Return how many keys each node shares with nodes before it: node, full, candidates.

    A candidate is [node, keys, weight, shingles]. ``full`` says that there are more nodes with a key than listed.
    """
    last = F.element_at("nodes", -1)
    listed = F.when(F.col("node") > last, F.size("nodes")).otherwise(F.array_position("nodes", F.col("node")) - 1)
    hits = (
        postings.select("node", "key")
        .join(buckets, "key")
        .withColumn("listed", listed.cast("int"))
        .where(F.col("listed") > 0)
        .select(
            "node",
            F.when(F.col("listed") < MAX_BUCKET, F.floor(F.lit(MAX_BUCKET) / F.col("listed")))
            .otherwise(F.lit(0))
            .cast("bigint")
            .alias("weight"),
            (F.col("listed") >= MAX_BUCKET).alias("full"),
            F.arrays_zip(
                F.slice("nodes", F.lit(1), F.col("listed")).alias("other"),
                F.slice("sizes", F.lit(1), F.col("listed")).alias("size"),
            ).alias("list"),
        )
        .repartition("node")  # lists travel before they are unrolled, and only once
    )
    pairs = (
        hits.select("node", "weight", "full", F.explode("list").alias("c"))
        .groupBy("node", F.col("c.other").alias("other"))
        .agg(
            F.count("*").alias("keys"),
            F.sum("weight").alias("weight"),
            F.first("c.size").cast("bigint").alias("size"),
            F.max("full").alias("full"),
        )
    )
    return pairs.groupBy("node").agg(
        F.max("full").alias("full"), F.collect_list(F.array("other", "keys", "weight", "size")).alias("candidates")
    )


def versions(articles: DataFrame) -> DataFrame:
    """Return the nodes of earlier articles with the same id, for nodes that have such: node, versions."""
    several = F.count("*").over(Window.partitionBy("id")) > 1
    rows = (
        articles.select("id", "number", "node", several.alias("several"))
        .where("several")
        .sortWithinPartitions("id", "number")
        .select("id", "number", "node")
    )
    found = rows.rdd.mapPartitions(_earlier)
    return articles.sparkSession.createDataFrame(found, "node bigint, versions array<bigint>")


def _earlier(rows: Iterable[Any]) -> Iterator[tuple[int, list[int]]]:
    """Yield the first nodes of those before it with the same id, for each row that is the first of its node."""
    last: str | None = None
    first: list[int] = []  # the smallest ones, negative, as a heap
    for name, number, node in rows:
        if name != last:
            last, first = name, []
        if first and number == node:
            yield node, sorted(-n for n in first)
        (heappush if len(first) < MAX_VERSIONS else heappushpop)(first, -node)


def candidates(nodes: DataFrame, shared: DataFrame, versions: DataFrame) -> DataFrame:
    """Return which nodes each node is compared with: node, of, rest, full."""
    rows = (
        nodes.where(F.size("keys") > 1)
        .select("node", "shingles", F.size("keys").alias("keys"))
        .join(shared.join(versions, "node", "full_outer"), "node")
        .select("node", "shingles", "keys", F.coalesce("full", F.lit(False)).alias("full"), "versions", "candidates")
    )
    return run_step(rows, ["candidates"], _CANDIDATES)


def copies(nodes: DataFrame, candidates: DataFrame) -> DataFrame:
    """Return the nodes that each node shares text with: node, near, all."""
    texts = nodes.select("node", "text")
    pairs = candidates.select("node", F.posexplode("of").alias("at", "c")).select(
        F.col("node").alias("of_node"),
        "at",
        F.col("c")[0].alias("node"),
        F.col("c")[1].alias("keys"),
        (F.col("c")[2] == 1).alias("version"),
    )
    lists = (
        pairs.join(texts, "node")
        .groupBy(F.col("of_node").alias("node"))
        .agg(F.sort_array(F.collect_list(F.struct("at", "node", "text", "keys", "version"))).alias("list"))
    )
    rows = (
        candidates.drop("of")
        .join(lists, "node")
        .join(nodes.select("node", "text", F.size("keys").alias("keys")), "node")
        .withColumn("of", F.transform("list", lambda c: c.dropFields("at")))
        .drop("list")
    )
    return run_step(rows, ["copies"], _COPIES)


def best_parents(near: DataFrame) -> DataFrame:
    """Return the parent of each node that is a copy: the one that shares most of its text."""
    order = F.transform(
        "near", lambda c: F.struct(c["shared"], c["likeness"], (-c["node"]).alias("before"), c["in_a"], c["in_b"])
    )
    return (
        near.where(F.size("near") > 0)
        .select("node", F.array_max(order).alias("best"))
        .select("node", (-F.col("best.before")).alias("parent"), *(f"best.{name}" for name in _OVERLAP))
    )


def originals(work: Work, parents: DataFrame, prefix: str) -> DataFrame:
    """Return the original of each copy: node, root.

    Each round doubles how far a node sees, so that a chain of a thousand copies takes ten.
    """
    roots = parents.select("node", F.col("parent").alias("root"))
    for step in range(64):
        name = f"{prefix}{step}"
        before = roots

        def jump(before: DataFrame = before) -> DataFrame:
            further = before.select(F.col("node").alias("root"), F.col("root").alias("further"))
            return before.join(further, "root", "left").select(
                "node", F.coalesce("further", "root").alias("root"), F.col("further").isNotNull().alias("moved")
            )

        what = f"originals of copies, round {step + 1}"
        table, moved = work.counted(name, what, jump, F.col("moved"))
        roots = table.select("node", "root")
        if not moved:
            break
    return roots


def parents(work: Work, nodes: DataFrame, copies: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Return the parents of copies, with what they share, and the originals.

    A node that could not be compared with all that share keys with it is also compared with the
    originals of its copies. These depend on the parents of earlier nodes, which may depend on
    the same for others: it is repeated until no parent changes, mostly once or twice.
    """
    found = work.table("parents-0", "parents of copies", lambda: best_parents(copies))
    incomplete = copies.where(~F.col("all") & (F.size("near") > 0)).select("node", "near")
    compared: DataFrame | None = None
    step = 0
    while True:
        roots = originals(work, found, f"roots-{step}-")
        known, before = compared, found

        def asked(roots: DataFrame = roots) -> DataFrame:
            return (
                incomplete.select("node", F.explode("near.node").alias("copy"), F.col("near.node").alias("known"))
                .join(roots.select(F.col("node").alias("copy"), "root"), "copy")
                .where(~F.array_contains("known", F.col("root")))
                .select("node", "root")
                .distinct()
            )

        wanted, some = work.counted(f"wanted-{step}", "originals to compare copies with", asked)
        if step == 0 and not some:
            return found, roots

        def compare(wanted: DataFrame = wanted, known: DataFrame | None = known) -> DataFrame:
            missing = wanted if known is None else wanted.join(known, ["node", "root"], "left_anti")
            new = compare_roots(nodes, missing)
            return new if known is None else known.unionByName(new)

        compared = work.table(f"compared-{step}", "comparison with originals", compare)

        def choose(wanted: DataFrame = wanted, compared: DataFrame = compared, before: DataFrame = before) -> DataFrame:
            chosen = best_parents(with_roots(copies, wanted, compared))
            return chosen.join(before.select("node", F.col("parent").alias("before")), "node")

        step += 1
        changes = F.col("parent") != F.col("before")
        table, changed = work.counted(f"parents-{step}", "parents of copies", choose, changes)
        found = table.drop("before")
        if not changed:
            return found, roots


def compare_roots(nodes: DataFrame, pairs: DataFrame) -> DataFrame:
    """Compare nodes with originals: node, root, copy (null if it is none)."""
    texts = nodes.select(F.col("node").alias("root"), "text")
    lists = (
        pairs.join(texts, "root")
        .groupBy("node")
        .agg(F.collect_list(F.struct(F.col("root").alias("node"), "text")).alias("of"))
    )
    rows = lists.join(nodes.select("node", "text", F.size("keys").alias("keys")), "node").withColumn(
        "roots", F.lit(True)
    )
    near = run_step(rows, ["copies"], _COPIES)
    found = near.select("node", F.explode("near").alias("copy")).withColumn("root", F.col("copy.node"))
    return pairs.join(found, ["node", "root"], "left").select("node", "root", "copy")


def with_roots(copies: DataFrame, wanted: DataFrame, compared: DataFrame) -> DataFrame:
    """Return copies with the originals among those that they share text with."""
    more = (
        wanted.join(compared, ["node", "root"])
        .where(F.col("copy").isNotNull())
        .groupBy("node")
        .agg(F.collect_list("copy").alias("more"))
    )
    both = F.concat("near", F.coalesce("more", F.array().cast(_NEAR)))
    return copies.join(more, "node", "left").select("node", both.alias("near"))
