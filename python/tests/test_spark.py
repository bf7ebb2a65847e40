"""lede on Spark, with a session on this machine: results, tables, reruns, and other file systems."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'lede-news[spark]'")
if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
    pytest.skip("there is no Java", allow_module_level=True)

import lede_news as lede
from lede_news.spark import Summary, _job, _tables, extract

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGES = 30
COUNTS = ("records", "pages", "articles", "failed", "skipped", "damaged", "lost_bytes", "bytes")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of archives and results, which is also viewfs://test/data."""
    return tmp_path_factory.mktemp("root")


@pytest.fixture(scope="module")
def spark(root: Path, program: str) -> Iterator[SparkSession]:
    """A session of Spark, whose workers have no other program of lede than this one."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # which has the package
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", str(root / "warehouse"))
        .config("spark.local.dir", str(root / "local"))
        .config("spark.hadoop.fs.viewfs.mounttable.test.link./data", f"file://{root}")
        .config("spark.executorEnv.PYTHONWARNINGS", "ignore")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def archives(root: Path, cli: Callable[..., bytes]) -> list[Path]:
    """Two archives of made-up pages, and one that is cut off."""
    paths = [root / "a.warc.gz", root / "b.warc.gz", root / "broken.warc.gz"]
    for seed, path in enumerate(paths):
        cli("newsroom", "write", "-n", PAGES, "--seed", seed + 1, path)
    data = paths[2].read_bytes()
    paths[2].write_bytes(data[: len(data) // 2])
    return paths


@pytest.fixture(scope="module")
def want(root: Path, archives: list[Path], spark: SparkSession) -> list[Any]:
    """The rows of one run of lede batch."""
    lede.batch(archives, root / "want.parquet", quiet=True)
    return rows(spark, root / "want.parquet")


def rows(spark: SparkSession, path: Path | str) -> list[Any]:
    """Return the rows of a table, in order."""
    columns = [c for c in spark.read.parquet(str(path)).columns if c != "part"]
    return sorted(
        (row.asDict(recursive=True) for row in spark.read.parquet(str(path)).select(*columns).collect()), key=_id
    )


def _id(row: dict[str, Any]) -> str:
    return str(row.get("id") or row.get("archive"))


def table(spark: SparkSession, out: Path, name: str) -> list[Any]:
    return rows(spark, f"{out}/_lede/{name}")


@pytest.fixture(scope="module")
def first(root: Path, archives: list[Path], spark: SparkSession) -> Summary:
    """A job that has one archive which is missing."""
    return extract(spark, [*archives, root / "late.warc.gz"], root / "out", quiet=True)


def test_same_rows_as_batch(root: Path, spark: SparkSession, first: Summary, want: list[Any]) -> None:
    assert rows(spark, root / "out") == want
    assert (first.tasks, first.done, first.status) == (4, 3, 1)
    (failed,) = first.failures
    assert failed.error == f"{root / 'late.warc.gz'} does not exist" and failed.part == 3
    assert f"task 3 failed: {failed.error}" in str(first)


def test_tables(root: Path, spark: SparkSession, first: Summary) -> None:
    """Counts add up, and what failed is named."""
    found = table(spark, root / "out", "archives")
    assert [Path(r["archive"]).name for r in found] == ["a.warc.gz", "b.warc.gz", "broken.warc.gz", "late.warc.gz"]
    for row in found:
        assert row["records"] + row["damaged"] == row["pages"] + row["skipped"]
        assert row["pages"] == row["articles"] + row["others"] + row["failed"]
    assert [r["done"] for r in found] == [1, 1, 1, 0]
    assert found[2]["lost_bytes"] > 0 and found[3]["error"].endswith("does not exist")
    for name in COUNTS:
        assert sum(r[name] for r in found) == getattr(first, name), name
    failures = table(spark, root / "out", "failures")
    assert len(failures) == first.failed + len(first.failures)
    assert {(Path(r["archive"]).name, r["kind"]) for r in failures} == {
        ("broken.warc.gz", "source"),
        ("late.warc.gz", "file"),
    }


@pytest.mark.parametrize("most", [1000, 1])
def test_rows_of_tasks_that_are_done(
    root: Path, spark: SparkSession, first: Summary, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """A file of another task is left out, however many conditions that takes."""
    monkeypatch.setattr(_tables, "_MAX_SPANS", most)
    found = _tables.read_articles(spark, str(root / "out"), [0, 2])
    assert found is not None and {row["part"] for row in found.select("part").distinct().collect()} == {0, 2}
    parts = spark.read.parquet(*(str(root / f"out/part-0000{n}.parquet") for n in (0, 2)))
    assert sorted(r["id"] for r in found.collect()) == sorted(r["id"] for r in parts.collect())


def test_rerun(
    root: Path, archives: list[Path], spark: SparkSession, first: Summary, cli: Callable[..., bytes]
) -> None:
    """What is done stays as it is, and what failed is tried again."""
    out, late = root / "out", root / "late.warc.gz"
    before = {p: p.stat().st_mtime_ns for p in out.glob("part-*")}
    assert len(before) == 3
    cli("newsroom", "write", "-n", PAGES, "--seed", 9, late)
    done = extract(spark, [*archives, late], out, quiet=True)
    assert (done.done, done.failures) == (4, ())
    assert done.pages == first.pages + PAGES == len(rows(spark, out))
    assert {p: p.stat().st_mtime_ns for p in before} == before
    assert len(table(spark, out, "failures")) == done.failed
    assert not (out / "_lede/tmp").exists()


def test_other_settings_are_refused(root: Path, archives: list[Path], spark: SparkSession, first: Summary) -> None:
    paths, out = [*archives, root / "late.warc.gz"], root / "out"
    with pytest.raises(lede.LedeError, match="other archives"):
        extract(spark, archives, out, quiet=True)
    with pytest.raises(lede.LedeError, match=r"other settings \(--body=md"):
        extract(spark, paths, out, body="md", quiet=True)
    with pytest.raises(lede.LedeError, match="partition_by"):
        extract(spark, paths, out, partition_by="lang", quiet=True)
    with pytest.raises(lede.OptionError, match="unknown method"):
        extract(spark, paths, out, method="nonsense", quiet=True)
    with pytest.raises(lede.OptionError, match="cannot be partitioned by 'text'"):
        extract(spark, paths, out, partition_by="lang,text", quiet=True)
    with pytest.raises(TypeError, match="two_pass"):
        extract(spark, paths, out, two_pass=True)  # type: ignore[call-arg]


def test_overwrite_and_partitions(root: Path, archives: list[Path], spark: SparkSession, want: list[Any]) -> None:
    """Folders by columns have the same rows, also when it is done again, and replace other results."""
    out = root / "by column"
    extract(spark, archives[:1], out, quiet=True)
    for _ in range(2):
        done = extract(
            spark, archives, out, overwrite=not list(out.glob("lang=*")), partition_by="lang,day", quiet=True
        )
        assert done.pages == len(want)
        assert not list(out.glob("part-*")) and (out / "lang=en").is_dir()
        got = spark.read.parquet(str(out))
        assert got.count() == len(want)
        texts = {r.id: (r.text, r.lang or "", str(r.day or "")) for r in got.collect()}
        assert texts == {r["id"]: (r["text"], r["lang"], r["date"][:10]) for r in want}


def test_other_file_systems(root: Path, archives: list[Path], spark: SparkSession, want: list[Any]) -> None:
    """Through Hadoop, in ranges: the same rows, but for the names of the archives."""
    out = "viewfs://test/data/hadoop"
    split = archives[0].stat().st_size // 3
    done = extract(spark, [f"viewfs://test/data/{a.name}" for a in archives], out, split=split, quiet=True)
    assert done.tasks > 5 and not done.failures
    got = rows(spark, out)
    assert [{**r, "error": ""} for r in got] == [{**r, "error": ""} for r in want]
    (error,) = [r["error"] for r in got if r["error"]]
    assert error.startswith("viewfs://test/data/broken.warc.gz is damaged")
    assert not list((root / "local").rglob("lede-*"))


def test_aborted_jobs(root: Path, archives: list[Path], spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Spark gives a job up, what is left runs again; if that goes on, the job ends."""
    submit, calls = _job.Job._submit, []

    def failing(self: _job.Job, stage: Any, prepare: Any, tasks: Any) -> Any:
        calls.append(len(tasks))
        if len(calls) == 1:
            submit(self, stage, prepare, tasks[:1])
            raise RuntimeError("Job aborted due to stage failure")
        return submit(self, stage, prepare, tasks)

    monkeypatch.setattr(_job.Job, "_submit", failing)
    done = extract(spark, archives, root / "aborted", quiet=True)
    assert calls[:2] == [3, 2] and done.done == 3
    monkeypatch.setattr(_job.Job, "_submit", lambda *_: (_ for _ in ()).throw(RuntimeError("Job aborted")))
    with pytest.raises(lede.LedeError, match=r"given up 3 tasks 3 times .*Job aborted"):
        extract(spark, archives, root / "given up", quiet=True)


def test_readme(root: Path, archives: list[Path], spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of the README runs."""
    text = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(from lede_news\.spark .*?)^```$", text, re.MULTILINE | re.DOTALL)
    folder = root / "readme"
    folder.mkdir()
    monkeypatch.chdir(folder)
    shutil.copy(archives[0], "news.warc.gz")
    names = {"spark": spark}
    exec(code.replace('"articles', f'"{folder}/articles'), names)
    assert "pages of 1 archives" in str(names["done"])


def test_attempts(spark: SparkSession) -> None:
    assert _job.max_failures(spark) == 1


def test_import_without_spark() -> None:
    code = "import lede_news, sys; sys.exit('pyspark' in sys.modules or 'lede_news.spark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
