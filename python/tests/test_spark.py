"""lede on Spark, in one process: extraction, and what becomes of archives that fail."""

from __future__ import annotations

import datetime as dt
import functools
import gzip
import json
import os
import random
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pages
import pytest

import lede_news as lede

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")
if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
    pytest.skip("there is no Java", allow_module_level=True)

from lede_news.spark import _cli, _extract, _files, extract, stories
from lede_news.spark._extract import task_name

Warc = Callable[..., Path]
pytestmark = pytest.mark.filterwarnings("ignore")  # of Spark


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.local.dir": str(tmp_path_factory.mktemp("spark")),
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def archives(warc: Warc) -> list[Path]:
    """Three archives, the last of which is damaged."""
    made = [
        warc({f"https://paper.example/{n}/{i}": pages.page(10 * n + i).encode() for i in range(6)}, f"{n}.warc.gz")
        for n in range(3)
    ]
    data = bytearray(made[2].read_bytes())
    data[len(data) // 2 : len(data) // 2 + 300] = bytes(300)
    made[2].write_bytes(data)
    return made


def rows(spark: SparkSession, path: str | Path) -> list[str]:
    """Return the rows of Parquet files as sorted JSON."""
    return sorted(row for row in spark.read.parquet(str(path)).toJSON().collect())


def test_same_rows_as_batch(spark: SparkSession, archives: list[Path], tmp_path: Path) -> None:
    out, store = tmp_path / "out", tmp_path / "sites.db"
    with lede.Extractor(site_store=store, memory="learn") as ex:
        ex.extract(pages.page(1), "https://paper.example/")
    missing = tmp_path / "missing.warc.gz"
    done = extract(spark, [*archives, missing], out, site_store=store, body="md", keep=["captions"])
    assert [f.archive for f in done.failures] == [str(missing)]
    assert (done.archives, done.skipped, done.status) == (3, 0, 1)
    assert done.lost_bytes > 0

    for n, archive in enumerate(archives):
        whole = tmp_path / "whole" / f"{n}.parquet"
        lede.batch(archive, whole, body="md", keep=["captions"], site_store=store, no_learn=True)
    want = rows(spark, tmp_path / "whole")
    assert rows(spark, out) == want
    assert done.pages == len(want) >= 17
    assert [n for n in os.listdir(out) if n.endswith(".parquet")] != []
    summaries = spark.read.json(str(out / "_lede" / "parts"))
    assert sum(row.pages for row in summaries.collect()) == done.pages

    # What is done is skipped, and what failed is tried again.
    stamps = {p.name: p.stat().st_mtime_ns for p in out.glob("*.parquet")}
    shutil.copy(archives[0], missing)
    again = extract(spark, [*archives, missing], out, site_store=store, body="md", keep=["captions"])
    assert (again.archives, again.skipped, again.failures) == (4, 3, ())
    assert {p.name: p.stat().st_mtime_ns for p in out.glob("*.parquet") if p.name in stamps} == stamps
    with pytest.raises(lede.LedeError, match="has results with other settings"):
        extract(spark, archives, out, body="html")
    fresh = extract(spark, archives[:1], out, overwrite=True)
    assert (fresh.archives, fresh.pages) == (1, 6)
    assert not [p for p in out.rglob("*") if p.name.startswith("_") and p.name != "_lede"]


def test_readme(spark: SparkSession, warc: Warc, page: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    [code] = [
        c for c in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) if "lede_news.spark" in c
    ]
    warc({"https://paper.example/a": page})
    monkeypatch.chdir(tmp_path)
    exec(code.replace('"articles', f'"{tmp_path}/articles'), {"spark": spark})  # Spark has a folder of its own
    assert spark.read.parquet(str(tmp_path / "articles")).count() == 1


def test_mistakes(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(lede.OptionError, match="no archives"):
        extract(spark, [], tmp_path / "out")
    with pytest.raises(lede.OptionError, match="nosuch"):
        extract(spark, ["a.warc.gz"], tmp_path / "out", method="nosuch")
    with pytest.raises(lede.OptionError, match="window '20d': use hours or days"):
        stories(spark, tmp_path / "out", window="20d")
    assert not (tmp_path / "out").exists()


def test_names_of_tasks() -> None:
    assert task_name("s3a://bucket/CC-NEWS-20240501.warc.gz").startswith("CC-NEWS-20240501-")
    assert task_name("/a/x.warc.gz") != task_name("/b/x.warc.gz")
    assert _files.absolute("file:///a/b") == "/a/b"


def test_object_stores(archives: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task copies its archive from an object store, and its results to it."""
    from pyarrow import fs

    asked: list[str] = []

    class Store:
        @staticmethod
        def from_uri(uri: str) -> tuple[Any, str]:
            asked.append(uri)
            return fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), uri.removeprefix("s3://")

    monkeypatch.setattr(fs, "FileSystem", Store)
    (tmp_path / "bucket").mkdir()
    shutil.copy(archives[0], tmp_path / "bucket" / "a.warc.gz")
    work = functools.partial(_extract._extract_one, "s3a://bucket/out", ("--body=md",), None)
    assert work(("a", "s3a://bucket/a.warc.gz")) is None
    assert sorted(p.name for p in (tmp_path / "bucket" / "out").rglob("*.*")) == ["a.json", "a.parquet"]
    assert _extract._done("s3a://bucket/out") == {"a"}
    assert "No such file" in str(work(("b", "s3a://bucket/b.warc.gz")))
    assert asked[0] == "s3://bucket/a.warc.gz"


def wire(days: int, each: int) -> Iterator[dict[str, Any]]:
    """Yield articles: each day some stories, which two papers print on that day and a third the next day."""
    letters = random.Random(7)
    for day in range(days):
        for story in range(each):
            words = ["".join(letters.choices("abcdefghiklmnoprstuvw", k=8)).capitalize() for _ in range(120)]
            for paper, later in (("a", 0), ("b", 0), ("c", 1)):
                name = f"{day}-{story}-{paper}"
                date = dt.datetime(2024, 1, 1, 8) + dt.timedelta(days=day + later)
                yield {
                    "id": name,
                    "url": f"https://{paper}.example/{name}",
                    "site": f"{paper}.example",
                    "lang": "en",
                    "title": " ".join(words[:6]),
                    "text": " ".join(words),
                    "type": "article",
                    "first_seen" if paper == "b" else "date": f"{date.isoformat()}Z",
                }


def groups(file: Path) -> list[list[str]]:
    """Return the ids of the articles of each story."""
    with gzip.open(file, "rt") as lines:
        return sorted(sorted(a["id"] for a in json.loads(line)["articles"]) for line in lines)


def test_stories(spark: SparkSession, tmp_path: Path, cli: Callable[..., bytes]) -> None:
    articles, whole = tmp_path / "articles.jsonl", tmp_path / "whole.jsonl.gz"
    articles.write_text("".join(json.dumps(a) + "\n" for a in wire(50, 3)))
    path = stories(spark, tmp_path / "out", str(articles), days=14)
    assert path == f"{tmp_path}/out/_lede/stories.jsonl.gz"
    cli("stories", "--quiet", articles, "--out", whole)
    assert groups(Path(path)) == groups(whole)
    assert len(groups(whole)) == 150
    assert os.listdir(tmp_path / "out" / "_lede") == ["stories.jsonl.gz"]


def test_command(  # the last one, since it stops Spark
    spark: SparkSession, archives: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.txt").write_text(f"# archives\n\n{archives[0]}\n{archives[1]}\n")
    out = ["--out", str(tmp_path / "out")]
    with pytest.raises(SystemExit):
        _cli.main(["extract"])
    assert _cli.main(["extract", "--archives", str(tmp_path / "list.txt"), *out, "--", "--method=nce"]) == 0
    assert "lede: 2 archives, 0 of them done before: 12 pages, 0 failed" in capsys.readouterr().err
    assert spark.sparkContext._jsc is None
