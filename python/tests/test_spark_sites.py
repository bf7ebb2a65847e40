"""Sites on Spark: the same rows as ``lede batch --two-pass`` on one machine."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
    pytest.skip("there is no Java", allow_module_level=True)

from lede_news.errors import OptionError
from lede_news.spark import Flags, Summary, _extract, _sites, extract
from lede_news.spark._job import open_job

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LARGEST = "marston-gazette"
SITES = (LARGEST, "northmoor-times", "orla-pulse", "le-fanal", "daily-whirl", "copperhaven-post")
ARCHIVES = 3
SPLIT = 200 << 10


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # which has the package
    folder = tmp_path_factory.mktemp("spark")
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.local.dir", str(folder / "local"))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def record(url: str, page: bytes, name: str) -> bytes:
    """Return a record of a web archive."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{name}>\r\nWARC-Date: 2026-03-01T00:00:00Z\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


@pytest.fixture(scope="module")
def archives(program: str, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Web archives of which half of the pages are of one site, and some are in two archives.

    The last one has only some of the sites.
    """
    folder = tmp_path_factory.mktemp("archives")
    pages: list[tuple[str, bytes]] = []
    for site in SITES:
        count = 110 if site == LARGEST else 22
        made = folder / site
        args = ["newsroom", "write", str(made), "--sites", site, "--pages", str(count)]
        subprocess.run([program, *args], check=True, capture_output=True)
        for line in (made / "gold.jsonl").read_text("utf-8").splitlines():
            gold = json.loads(line)
            pages.append((gold["url"], (made / "pages" / f"{gold['id']}.html").read_bytes()))
    rng = random.Random(3)
    pages += rng.sample(pages, 20)
    rng.shuffle(pages)
    some = [p for p in pages if any(site in p[0] for site in SITES[:3])][:20]
    parts = [[p for p in pages if p not in some][i :: ARCHIVES - 1] for i in range(ARCHIVES - 1)]
    parts.append([*some, ("https://empty.example/1", b"<p>nothing")])
    paths = []
    for i, part in enumerate(parts):
        path = folder / f"a{i}.warc.gz"
        with path.open("wb") as file:
            for n, (url, page) in enumerate(part):
                file.write(gzip.compress(record(url, page, f"{i}-{n}"), 1, mtime=0))
        paths.append(path)
    return paths


def rows_of(spark: SparkSession, path: Path) -> list[str]:
    """Return all rows of a file or folder, sorted."""
    rows = spark.read.parquet(str(path)).collect()
    return sorted(json.dumps(row.asDict(recursive=True), sort_keys=True, default=str) for row in rows)


def one_machine(spark: SparkSession, program: str, archives: list[Path], folder: Path, *flags: str) -> list[str]:
    """Return the rows of lede batch."""
    out = folder / "one.parquet"
    args = ["batch", "--quiet", "--overwrite", "--page-time=1h", "--only-articles", *flags, f"--out={out}"]
    assert subprocess.run([program, *args, *map(str, archives)], check=False).returncode == 1
    return rows_of(spark, out)


def run(spark: SparkSession, archives: list[Path], out: Path, split: int = SPLIT) -> Summary:
    flags: Flags = {"page_time": "1h", "only_articles": True}
    return extract(spark, archives, out, sites=True, split=split, quiet=True, ship=False, **flags)


@dataclass
class Done:
    """A complete job."""

    archives: list[Path]
    out: Path
    want: list[str]  # the rows of one machine
    summary: Summary

    def lines(self, part: int) -> list[dict[str, Any]]:
        with gzip.open(self.out / "_lede" / "observations" / f"part-{part:05d}.jsonl.gz") as file:
            return [json.loads(line) for line in file]


@pytest.fixture(scope="module")
def done(spark: SparkSession, program: str, archives: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Done:
    folder = tmp_path_factory.mktemp("job")
    want = one_machine(spark, program, archives, folder, "--two-pass")
    assert want != one_machine(spark, program, archives, folder), "the first pass changes nothing"
    return Done(archives, folder / "out", want, run(spark, archives, folder / "out"))


def test_rows_are_those_of_one_machine(spark: SparkSession, done: Done) -> None:
    """Rows equal ``--two-pass``, also of ranges of archives."""
    assert done.summary.pages == len(done.want) and not done.summary.failures
    assert done.summary.tasks > ARCHIVES
    assert rows_of(spark, done.out) == done.want
    assert not (done.out / "_lede" / "sites").exists()
    profiles = {r["site"]: r["pages"] for r in spark.read.parquet(str(done.out / "_lede" / "profiles")).collect()}
    assert len(profiles) == len(SITES) and max(profiles.values()) == 64
    last = done.lines(done.summary.tasks - 1)
    assert {"site": "empty.example", "hash": 0, "data": None} in last


def test_rerun_does_nothing(spark: SparkSession, done: Done, monkeypatch: pytest.MonkeyPatch) -> None:
    def times() -> dict[Path, int]:
        return {p: p.stat().st_mtime_ns for n in ("observ*", "profiles") for p in done.out.glob(f"_lede/{n}/part-*")}

    before = times()
    assert len(before) > 2 * done.summary.tasks
    monkeypatch.setattr(_sites, "read_observations", None)
    assert run(spark, done.archives, done.out).pages == done.summary.pages
    assert times() == before


def test_rerun_continues(spark: SparkSession, program: str, done: Done, tmp_path: Path) -> None:
    """What is missing is made again, from what is there. A task gets the profiles of its sites only."""
    lede, part = done.out / "_lede", done.summary.tasks - 1
    tables = sorted((lede / "profiles").glob("*.parquet"))
    # The driver was killed while articles were extracted.
    (lede / "parts" / f"part-{part:05d}.json").unlink()
    (done.out / f"part-{part:05d}.parquet").unlink()
    job = open_job(spark, str(done.out))
    prepare = _sites.learn(job)
    assert [p.name for p in (lede / "sites").iterdir()] == [f"part-{part:05d}.jsonl.gz"]
    flags = prepare(job.setup, job.tasks[part], tmp_path)
    assert flags == [f"--site-store={tmp_path / 'sites.db'}", "--no-learn"]
    listed = subprocess.run([program, "site", "ls", flags[0]], check=True, capture_output=True).stdout.decode()
    stored = {line.split()[0] for line in listed.splitlines()}
    assert stored == {line["site"] for line in done.lines(part) if line["data"]} and 0 < len(stored) <= 3
    run(spark, done.archives, done.out)
    assert rows_of(spark, done.out) == done.want
    assert sorted((lede / "profiles").glob("*.parquet")) == tables, "profiles in use were learned again"
    # It was killed before the profiles were complete, and before all observations were made.
    (lede / "observed" / f"part-{part:05d}.json").unlink()
    (lede / "profiles" / "_lede.json").unlink()
    shutil.rmtree(lede / "parts")
    run(spark, done.archives, done.out)
    assert rows_of(spark, done.out) == done.want


def test_missing_archive(spark: SparkSession, program: str, archives: list[Path], tmp_path: Path) -> None:
    """The other archives are extracted as if it were not in the list, and it is extracted when it is there."""
    late, out = tmp_path / "late.warc.gz", tmp_path / "out"
    paths = [archives[-1], late]
    want = one_machine(spark, program, archives[-1:], tmp_path, "--two-pass")
    summary = run(spark, paths, out, 0)
    assert [f.archive for f in summary.failures] == [str(late)]
    assert "does not exist" in summary.failures[0].error
    assert rows_of(spark, out) == want
    shutil.copy(archives[0], late)
    assert not run(spark, paths, out, 0).failures
    got = rows_of(spark, out)
    assert len(got) > len(want) and set(want) < set(got)


def test_site_is_that_of_all_pages() -> None:
    """``site`` is allowed with ``sites``, and else refused, since it does nothing."""
    assert _extract._check(["a.warc"], [], {"site": "paper.example"}, sites=True) == ["--site=paper.example"]
    with pytest.raises(OptionError, match="--site requires"):
        _extract._check(["a.warc"], [], {"site": "paper.example"})


def plan_of(table: DataFrame) -> str:
    """Return the physical plan, the last step first."""
    return str(table._jdf.queryExecution().executedPlan().toString())


def test_skew(spark: SparkSession) -> None:
    """A site with half of all pages is spread, and cut to 64 before it is in one partition."""
    rows = spark.range(20_000).selectExpr(
        "IF(id % 2 = 0, 'large.example', CONCAT('s', id % 500, '.example')) AS site",
        "xxhash64(id % 15000) AS hash",
        "CAST(xxhash64(id % 15000) AS string) AS data",
    )
    plan = plan_of(_sites.limits(rows))
    shuffle = r"Exchange hashpartitioning\((site#\d+(?:, hash#\d+L)?), "
    kinds = [
        limit or re.sub(r"#\d+L?", "", keys)
        for limit, keys in re.findall(rf"WindowGroupLimit.*?(Partial|Final)|{shuffle}", plan)
    ]
    assert kinds == ["Final", "site", "Partial", "site, hash"], plan

    found: dict[str, set[int]] = {}
    for row in rows.select("site", "hash").distinct().collect():
        found.setdefault(row["site"], set()).add(row["hash"])
    want = {site: sorted(hashes)[:64] for site, hashes in found.items()}
    got: dict[str, list[int]] = {}
    for row in _sites.smallest(rows).collect():
        assert row["data"] == str(row["hash"])
        got.setdefault(row["site"], []).append(row["hash"])
    assert {site: sorted(hashes) for site, hashes in got.items()} == want

    # The rows that the last shuffle gets, by partition.
    sizes = _sites.smallest(rows).repartition(4, "site").rdd.glom().map(len).collect()
    assert max(sizes) < 2 * sum(sizes) / len(sizes), sizes
    assert Counter(len(h) for h in got.values())[64] == 1
