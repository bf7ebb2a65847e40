"""The examples run, as their users would run them."""

from __future__ import annotations

import csv
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
TITLE = "Ferry returns to Saltmarsh End after two years"


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    def run(name: str, *args: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-X", "utf8", str(EXAMPLES / name), *map(str, args)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        return done

    return run


def needs(library: str) -> None:
    if not importlib.util.find_spec(library):
        pytest.skip(f"{library} is not installed")


def test_every_example_is_tested() -> None:
    tests = Path(__file__).read_text(encoding="utf-8")
    names = sorted(p.name for p in EXAMPLES.glob("*.py"))
    assert names and [n for n in names if f'run("{n}"' not in tests] == []


def test_pandas(run: Callable[..., subprocess.CompletedProcess[str]], page_files: list[Path], tmp_path: Path) -> None:
    needs("pandas")
    (tmp_path / "empty.html").touch()
    done = run("pandas_frame.py", *page_files, "empty.html", "--out", "a.csv")
    assert TITLE in done.stdout
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    assert len(rows) == len(page_files) + 1
    assert [r["error"] for r in rows] == [""] * len(page_files) + ["empty"]
    (row,) = (r for r in rows if r["title"] == TITLE)
    assert row["byline"] == "Imogen Tarrant"
    assert row["published"] == "2024-05-14T06:30:00+01:00"
    assert row["text"].startswith("The first ferry in two years")


def test_crawl(run: Callable[..., subprocess.CompletedProcess[str]], server: str) -> None:
    done = run("crawl.py", f"{server}/", "--allow-private", "--most", 2)
    assert done.stdout == f"139 words: {TITLE}\n" * 2


def test_archive(
    run: Callable[..., subprocess.CompletedProcess[str]],
    warc: Callable[..., Path],
    page: bytes,
    front_page: bytes,
) -> None:
    archive = warc({"https://paper.example/a": page, "https://paper.example/": front_page})
    done = run("archive.py", archive)
    (line,) = done.stdout.splitlines()
    found = json.loads(line)
    assert found["url"] == "https://paper.example/a"
    assert found["title"] == TITLE
    assert found["date"] == "2024-05-14 06:30:00+01:00"
    assert done.stderr == "1 articles; 1 pages without one; 0 could not be read\n"
