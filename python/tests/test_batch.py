"""Batches: files in, a file out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pages
import pytest

from lede_news._batch import BatchFlags, batch, batch_flags
from lede_news.errors import LedeError, OptionError, StartError


def records(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_bytes().splitlines()]


@pytest.fixture
def folder(tmp_path: Path, page: bytes) -> Path:
    """A folder with three pages, one of them empty."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("a.html", "b.html"):
        (folder / name).write_bytes(page)
    (folder / "c.html").touch()
    return folder


def test_counts(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.jsonl"
    lines: list[str] = []
    done = batch(folder, out, progress=lines.append)
    assert (done.out, done.pages, done.failed, done.errors) == (out, 3, 1, {"empty": 1})
    assert done.types == {"article": 2}
    assert done.seconds > 0
    assert list(done.messages) == lines != []
    assert [(r["id"], r.get("kind")) for r in records(out)] == [("a", None), ("b", None), ("c", "empty")]


def test_flags_are_passed(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.jsonl"
    monkeypatch.chdir(folder)
    (folder / "-x.html").write_bytes(b"")
    done = batch(
        iter([str(folder / "a.html"), "-x.html"]),
        out,
        method="twcem",
        body="md",
        page_time=1.5,
        workers=1,
        only_articles=False,
        favor=None,
        keep=["comments", "tables"],
        settings={},
    )
    assert done.pages == 2
    assert records(out)[0]["method"].startswith("twcem") and "body" in records(out)[0]


def test_output_that_exists(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    batch(folder, out)
    before = out.read_bytes()
    with pytest.raises(LedeError, match=r"out\.jsonl exists: use --overwrite"):
        batch(folder, out)
    batch(folder, out, resume=True)
    assert out.read_bytes() == before
    assert batch(folder / "a.html", out, overwrite=True).pages == 1


def test_wrong_flags(folder: Path, tmp_path: Path) -> None:
    out, empty = tmp_path / "out.jsonl", tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(OptionError, match=r'^--body "pdf": use one of text, md, html, blocks, cleaned$'):
        batch(folder, out, body="pdf")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no input"):
        batch([], out)
    with pytest.raises(OptionError, match="too many for a command"):
        batch(["x" * 1000] * 10_000, tmp_path / "out.jsonl")
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        batch(folder, out, colour="red")  # type: ignore[call-arg]
    with pytest.raises(LedeError, match="no pages found in"):
        batch(empty, out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("said", "status", "cls", "match"),
    [
        ("lede: unknown flag: --summary", "2", StartError, "is too old for this package: unknown flag"),
        (" ", "0", LedeError, "ended with exit status 0; run it again with resume=True"),
    ],
)
def test_another_program(
    tmp_path: Path,
    fake: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    status: str,
    cls: type[LedeError],
    match: str,
) -> None:
    monkeypatch.setenv("FAKE_SAYS", said + "\n")
    monkeypatch.setenv("FAKE_STATUS", status)
    with pytest.raises(cls, match=match):
        batch("pages", tmp_path / "out.jsonl")
    assert fake.exists()


def test_names_are_those_of_the_command(cli: Callable[..., bytes]) -> None:
    values: dict[str, object] = {"settings": {"a": 1}, "keep": "tables", "body": "md", "favor": "recall"}
    for name, kind in BatchFlags.__annotations__.items():
        words = str(kind)
        values.setdefault(name, True if "bool" in words else 1 if "int" in words or "float" in words else "x")
    assert len(values) > 20
    assert cli("batch", *batch_flags(values), "--help")


def test_interrupt_and_resume(warc: Callable[..., Path], tmp_path: Path) -> None:
    archive = warc({f"https://paper.example/{i}": pages.page(i).encode() for i in range(200)})
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    assert batch(archive, whole).pages == 200

    def stop(line: str) -> None:
        if "level=DEBUG" in line:  # of the first page
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch(archive, out, verbose=True, progress=stop)
    batch(archive, out, resume=True)
    assert out.read_bytes() == whole.read_bytes()
    assert not list(tmp_path.glob("out.jsonl.*"))


PROGRAM = """
import sys
import lede_news as lede
lede.batch("-", sys.argv[1], verbose=True, progress=lambda line: print(line, flush=True))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_ends_with_python(tmp_path: Path, long: bool) -> None:
    if not long:
        pytest.skip("lede prints its progress every ten seconds")
    ours, theirs = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, tmp_path / "out.jsonl"],
        stdin=ours,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},  # its temporary folder is left behind
    ) as python:
        os.close(ours)
        assert python.stdout is not None
        line = json.dumps({"html": pages.page(1)}).encode() + b"\n"
        read = threading.Event()

        def feed() -> None:
            while not read.wait(0.5):
                os.write(theirs, line)

        feeder = threading.Thread(target=feed)
        feeder.start()
        assert python.stdout.readline()
        read.set()
        feeder.join()
        python.send_signal(signal.SIGKILL)
    with pytest.raises(BrokenPipeError):  # noqa: PT012 (nobody reads the pages any more)
        while True:
            os.write(theirs, line)
            time.sleep(0.05)
    os.close(theirs)
    assert not (tmp_path / "out.jsonl").exists()
