"""Sites on Spark: the same rows as ``lede batch --two-pass`` on one machine."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
    pytest.skip("there is no Java", allow_module_level=True)

from lede_news.spark import _sites, extract, open_job
from lede_news.spark._job import Job

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FLAGS = {"page_time": "1h", "only_articles": True}
LARGEST = "marston-gazette"
SITES = (LARGEST, "northmoor-times", "orla-pulse", "le-fanal", "daily-whirl", "copperhaven-post")
ARCHIVES = 5


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
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
        f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


@pytest.fixture(scope="module")
def archives(program: str, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Web archives with 300 pages, of which half are of one site, and some are in two archives.

    The last archive has one page only, which is not recognized as an article without its site.
    """
    folder = tmp_path_factory.mktemp("archives")
    pages: list[tuple[str, bytes]] = []
    for site in SITES:
        count = 150 if site == LARGEST else 30
        made = folder / site
        args = ["newsroom", "write", str(made), "--sites", site, "--pages", str(count)]
        subprocess.run([program, *args], check=True, capture_output=True)
        for line in (made / "gold.jsonl").read_text("utf-8").splitlines():
            gold = json.loads(line)
            pages.append((gold["url"], (made / "pages" / f"{gold['id']}.html").read_bytes()))
    rng = random.Random(3)
    pages += rng.sample(pages, 30)
    rng.shuffle(pages)
    pages.insert(7, ("https://empty.example/1", b"<p>nothing"))
    paths = []
    for i in range(ARCHIVES):
        path = folder / f"a{i}.warc.gz"
        with path.open("wb") as file:
            for n, (url, page) in enumerate(pages[i::ARCHIVES]):
                file.write(gzip.compress(record(url, page, f"{i}-{n}"), 1, mtime=0))
        paths.append(path)
    return paths


def rows_of(table: DataFrame) -> list[str]:
    return sorted(json.dumps(row.asDict(recursive=True), sort_keys=True, default=str) for row in table.collect())


def one_machine(spark: SparkSession, program: str, archives: list[Path], folder: Path, *flags: str) -> list[str]:
    """Return the rows of lede batch."""
    out = folder / "one.parquet"
    args = ["batch", "--quiet", "--overwrite", "--page-time=1h", "--only-articles", *flags, f"--out={out}"]
    assert subprocess.run([program, *args, *map(str, archives)], check=False).returncode in (0, 1)
    return rows_of(spark.read.parquet(str(out)))


def test_rows_are_those_of_one_machine(
    spark: SparkSession, program: str, archives: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows equal ``--two-pass``, of archives and of ranges, and a rerun does nothing."""
    want = one_machine(spark, program, archives, tmp_path, "--two-pass")
    assert want != one_machine(spark, program, archives, tmp_path), "the first pass changes nothing"
    for split in (0, 64 << 10):
        out = tmp_path / f"out{split}"
        summary = extract(spark, archives, out, sites=True, split=split, quiet=True, **FLAGS)  # type: ignore[arg-type]
        assert summary.pages == len(want) and not summary.failures
        assert summary.tasks == ARCHIVES if not split else summary.tasks > 2 * ARCHIVES
        assert rows_of(spark.read.parquet(str(out))) == want
        assert not (out / "_lede" / "sites").exists()
        profiles = {r["site"]: r["pages"] for r in spark.read.parquet(str(out / "_lede" / "profiles")).collect()}
        assert len(profiles) >= len(SITES) and max(profiles.values()) == 64

        before = {p: p.stat().st_mtime_ns for p in out.rglob("part-*") if "_lede/observ" in str(p)}
        assert len(before) == 2 * summary.tasks
        with monkeypatch.context() as patch:
            patch.setattr(_sites, "read_observations", None)
            again = extract(spark, archives, out, sites=True, split=split, quiet=True, **FLAGS)  # type: ignore[arg-type]
        assert again.pages == summary.pages
        assert before == {p: p.stat().st_mtime_ns for p in out.rglob("part-*") if "_lede/observ" in str(p)}


def test_rerun_continues(spark: SparkSession, program: str, archives: list[Path], tmp_path: Path) -> None:
    """What is missing is made again, from what is there."""
    want = one_machine(spark, program, archives, tmp_path, "--two-pass")
    out = tmp_path / "out"
    extract(spark, archives, out, sites=True, quiet=True, **FLAGS)  # type: ignore[arg-type]
    lede = out / "_lede"
    profiles = sorted((lede / "profiles").glob("*.parquet"))
    # The driver was killed while articles were extracted.
    (lede / "parts" / "part-00002.json").unlink()
    (out / "part-00002.parquet").unlink()
    extract(spark, archives, out, sites=True, quiet=True, **FLAGS)  # type: ignore[arg-type]
    assert rows_of(spark.read.parquet(str(out))) == want
    assert sorted((lede / "profiles").glob("*.parquet")) == profiles, "profiles in use were learned again"
    # It was killed before the profiles were complete, and before all observations were made.
    for name in ("parts", "observed"):
        (lede / name / "part-00001.json").unlink()
    shutil.rmtree(lede / "parts")
    (lede / "profiles" / "_lede.json").unlink()
    extract(spark, archives, out, sites=True, quiet=True, **FLAGS)  # type: ignore[arg-type]
    assert rows_of(spark.read.parquet(str(out))) == want


def test_missing_archive(spark: SparkSession, program: str, archives: list[Path], tmp_path: Path) -> None:
    """The other archives are extracted as if it were not in the list, and it is extracted when it is there."""
    late = tmp_path / "late.warc.gz"
    want = one_machine(spark, program, archives[:2], tmp_path, "--two-pass")
    out = tmp_path / "out"
    paths = [*archives[:2], late]
    summary = extract(spark, paths, out, sites=True, quiet=True, **FLAGS)  # type: ignore[arg-type]
    assert [f.archive for f in summary.failures] == [str(late)]
    assert "No such file" in summary.failures[0].error
    assert rows_of(spark.read.parquet(str(out))) == want
    shutil.copy(archives[3], late)
    summary = extract(spark, paths, out, sites=True, quiet=True, **FLAGS)  # type: ignore[arg-type]
    assert not summary.failures
    got = rows_of(spark.read.parquet(str(out)))
    assert len(got) > len(want) and set(want) <= set(got)


def plan_of(table: DataFrame) -> str:
    """Return the physical plan, the last step first."""
    return str(table._jdf.queryExecution().executedPlan().toString())


def test_skew(spark: SparkSession) -> None:
    """A site with half of all pages is spread, and cut to 64 before it is in one partition."""
    rows = spark.range(200_000).selectExpr(
        "IF(id % 2 = 0, 'large.example', CONCAT('s', id % 5000, '.example')) AS site",
        "xxhash64(id % 150000) AS hash",
        "CAST(xxhash64(id % 150000) AS string) AS data",
    )
    plan = plan_of(_sites.limits(rows))
    steps = re.findall(r"WindowGroupLimit.*?(?:Partial|Final)|Exchange hashpartitioning\(site#\d+, hash#\d+|Exchange hashpartitioning\(site#\d+,", plan)
    kinds = [re.sub(r"#\d+", "", s.split("(")[-1] if "Exchange" in s else s.rsplit(None, 1)[-1]) for s in steps]
    assert kinds == ["Final", "site,", "Partial", "site, hash"], plan

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


def test_task_gets_the_profiles_of_its_sites(
    spark: SparkSession, program: str, archives: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    stores: dict[int, Any] = {}
    monkeypatch.setattr(_sites, "forget", lambda job: None)
    extract(spark, archives[:2], out, sites=True, quiet=True, **FLAGS)  # type: ignore[arg-type]
    job: Job = open_job(spark, str(out))
    for task in job.tasks:
        scratch = tmp_path / f"scratch{task.part}"
        scratch.mkdir()
        flags = _sites.prepare(job.setup, task, scratch)
        assert flags == [f"--site-store={scratch / 'sites.db'}", "--no-learn"]
        listed = subprocess.run([program, "site", "ls", flags[0]], check=True, capture_output=True).stdout.decode()
        stores[task.part] = {line.split()[0] for line in listed.splitlines()}
        rows = spark.read.parquet(str(out / f"part-0000{task.part}.parquet")).where("error IS NULL OR error = ''")
        assert {re.sub(r"^www\.", "", r["site"]) for r in rows.select("site").distinct().collect()}
    names = {line["site"] for line in map(json.loads, gzip.open(out / "_lede" / "observations" / "part-00000.jsonl.gz"))}
    assert stores[0] <= names
    assert "empty.example" in names | {
        line["site"] for line in map(json.loads, gzip.open(out / "_lede" / "observations" / "part-00001.jsonl.gz"))
    }
