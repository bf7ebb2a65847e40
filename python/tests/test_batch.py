"""Batches: files in, a file out."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lede_news import _batch, _child
from lede_news._batch import Batch, BatchFlags, batch
from lede_news._read import read_warc
from lede_news.errors import CrashError, LedeError, OptionError, StartError

Cli = Callable[..., bytes]


def records(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_bytes().splitlines()]


@pytest.fixture
def pages(tmp_path: Path, page: bytes) -> Path:
    """A folder with three pages, one of them empty."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("a.html", "b.html"):
        (folder / name).write_bytes(page)
    (folder / "c.html").touch()
    return folder


def test_counts(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.jsonl"
    done = batch(pages, out)
    assert isinstance(done, Batch)
    assert (done.out, done.pages, done.failed, done.errors) == (out, 3, 1, {"empty": 1})
    assert done.types == {"article": 2}
    assert sum(done.sites.values()) == 2
    assert done.seconds > 0
    assert done.messages == ()
    assert [(r["id"], r.get("kind")) for r in records(out)] == [("a", None), ("b", None), ("c", "empty")]


@pytest.mark.parametrize("inputs", [list, tuple, iter])
def test_several_inputs(pages: Path, tmp_path: Path, inputs: Callable[[list[Any]], Any]) -> None:
    out = tmp_path / "out.jsonl"
    (pages / "-x.html").write_bytes(b"")
    old = os.getcwd()
    os.chdir(pages)
    try:
        assert batch(inputs([pages / "a.html", str(pages / "b.html"), "-x.html"]), str(out)).pages == 3
    finally:
        os.chdir(old)
    assert [r["id"] for r in records(out)] == ["a", "b", "-x"]


def test_flags_are_passed(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    links = tmp_path / "links.txt"
    links.write_text("https://paper.example/a\tThe ferry is back\n")
    done = batch(
        pages,
        out,
        method="twcem",
        anchors=[links, str(links)],
        body="md",
        page_time=1.5,
        checkpoint="500ms",
        workers=1,
        only_articles=False,
        favor=None,
        keep=["comments", "tables"],
    )
    assert done.pages == 3
    first = records(out)[0]
    assert first["method"].startswith("twcem")
    assert "body" in first
    batch(pages, out, overwrite=True, method="nce", settings={"a1": 12, "dates": True}, keep=["captions"])
    assert records(out)[0]["method"] == "nce"


def test_output_that_exists(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    batch(pages, out)
    before = out.read_bytes()
    with pytest.raises(LedeError, match=r"out\.jsonl exists: use --overwrite") as e:
        batch(pages, out)
    assert not isinstance(e.value, OptionError)
    assert out.read_bytes() == before
    done = batch(pages, out, resume=True)
    assert (done.pages, out.read_bytes()) == (0, before)
    assert "nothing to resume" in done.messages[0]
    assert batch(pages / "a.html", out, overwrite=True).pages == 1


def test_wrong_flags(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with pytest.raises(OptionError, match=r'^--body "pdf": use one of text, md, html, blocks$'):
        batch(pages, out, body="pdf")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r'^--workers "many": use a whole number$'):
        batch(pages, out, workers="many")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="the ending of the name must say the format"):
        batch(pages, tmp_path / "out.txt")
    with pytest.raises(OptionError, match="no input"):
        batch([], out)
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        batch(pages, out, colour="red")  # type: ignore[call-arg]
    assert not out.exists()


def test_work_that_cannot_be_done(page: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LedeError, match="no pages found in"):
        batch(tmp_path, tmp_path / "out.jsonl")
    with pytest.raises(LedeError, match="cannot write the result"):
        batch(tmp_path / "file", tmp_path / "file" / "out.jsonl")


def test_too_many_inputs(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="too many for a command"):
        batch(["x" * 1000] * 10_000, tmp_path / "out.jsonl")


def test_program_that_is_too_old(tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SAYS", "lede: unknown flag: --with-parent\nRun 'lede batch --help' for usage.\n")
    monkeypatch.setenv("FAKE_STATUS", "2")
    with pytest.raises(StartError, match="is too old for this package: unknown flag"):
        batch("pages", tmp_path / "out.jsonl")
    with pytest.raises(StartError, match="is too old for this package: unknown flag"):
        next(read_warc("pages"))
    assert len(fake.read_text().splitlines()) == 2


def test_program_that_says_nothing(tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SAYS", " ")
    monkeypatch.setenv("FAKE_STATUS", "0")
    with pytest.raises(LedeError, match="ended with exit status 0; run it again with resume=True"):
        batch("pages", tmp_path / "out.jsonl")
    with pytest.raises(CrashError, match=r"before the last page was read \(exit status 0\)"):
        next(read_warc("pages"))
    assert fake.exists()


def test_progress(pages: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    done = batch(pages, tmp_path / "out.jsonl", progress=lines.append)
    assert lines[0].startswith("lede: 3 pages in ")
    assert list(done.messages) == lines


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_terminal(pages: Path, tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    program = "import sys, lede_news as lede; print(lede.batch(sys.argv[1], sys.argv[2]).messages[0])"
    args = [sys.executable, "-c", program, str(pages), str(tmp_path / "out.jsonl")]
    done = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 1 << 16)
    os.close(ours)
    assert b"lede: 3 pages in" in shown
    assert done.stdout.startswith(b"lede: 3 pages in")


def test_names_are_those_of_the_command(cli: Cli) -> None:
    help_text = cli("batch", "--help").decode()
    flags = set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", help_text.partition("\nFlags:\n")[2], re.MULTILINE))
    assert len(flags) > 30
    own = {"help", "out", "overwrite", "resume", "summary"}  # arguments of batch, and its own affair
    names = {"set": "settings", "with": "keep"}
    want = {names.get(f, f.replace("-", "_")) for f in flags - own}
    assert set(BatchFlags.__annotations__) == want


@pytest.fixture
def archive(tmp_path: Path, cli: Cli) -> Path:
    """A web archive with 200 made-up pages."""
    path = tmp_path / "pages.warc.gz"
    cli("newsroom", "write", "--warc", "-n", "200", path)
    return path


def test_interrupt_and_resume(archive: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    assert batch(archive, whole).pages == 200

    def stop(line: str) -> None:
        # lede prints the address of the metrics before it begins.
        if "metrics on" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch(archive, out, metrics="127.0.0.1:0", progress=stop)
    done = batch(archive, out, resume=True)
    assert done.pages in (0, 200)  # 0 if lede was done before the interrupt came
    assert out.read_bytes() == whole.read_bytes()
    assert not list(tmp_path.glob("out.jsonl.*"))


def test_second_interrupt_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[_child.Child] = []

    class Child(_child.Child):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            started.append(self)

    def stop(line: str) -> None:
        raise KeyboardInterrupt(line)

    monkeypatch.setattr(_batch, "Child", Child)
    read, write = os.pipe()  # pages that never come
    stdin = os.dup(0)
    os.dup2(read, 0)
    try:
        with pytest.raises(KeyboardInterrupt):
            batch("-", tmp_path / "out.jsonl", metrics="127.0.0.1:0", progress=stop)
    finally:
        os.dup2(stdin, 0)
        for fd in (read, write, stdin):
            os.close(fd)
    assert started[0].process.returncode is not None


PROGRAM = """
import sys
import lede_news._batch as lede
lede.batch("-", sys.argv[1], metrics="127.0.0.1:0", progress=lambda line: print(line, flush=True))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_ends_with_python(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, tmp_path / "out.jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},  # its temporary folder is left behind
    ) as python:
        assert python.stdout is not None
        assert b"metrics on" in python.stdout.readline()
        python.send_signal(signal.SIGKILL)
        # lede has the same standard output, and its standard input does not end.
        assert python.stdout.read() == b""
