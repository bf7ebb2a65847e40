"""Tasks of lede on Spark, without Spark: what a worker does with an archive."""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import on_linux, wait_until_gone

from lede_news import LedeError
from lede_news.spark import _files, _plan, _scratch, _task
from lede_news.spark._job import wrong_ranges
from lede_news.spark._task import ARTICLES, Setup, Task, follows, run_task, try_task

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Spark's workers of Python run on Unix")

PAGES = 40


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, cli: Callable[..., bytes]) -> Path:
    """A web archive of made-up pages."""
    path = tmp_path_factory.mktemp("archives") / "news.warc.gz"
    cli("newsroom", "write", "-n", PAGES, path)
    return path


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that Spark gives to workers."""
    folder = tmp_path / "blockmgr-1"
    folder.mkdir()
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(folder))
    return folder


def files() -> _files.Files:
    def none() -> _files.FileSystem:
        raise AssertionError("local files need no Java")

    return _files.Files(none)


def plan(out: Path, *archives: Path, split: int = 0) -> tuple[Setup, list[Task]]:
    """Make the plan of a job, and return what its workers get."""
    made = _plan.make_plan(files(), [str(a) for a in archives], [], split, {"sites": False, "partition_by": []})
    _plan.write_plan(files(), str(out), made)
    setup = Setup(str(out), ("--max-memory=256",), _task.plan_hash(made))
    return setup, _plan.tasks_of(_plan.parse(made, str(out)))


def listing(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def mark(out: Path, part: int = 0) -> dict[str, Any]:
    return dict(json.loads((out / f"_lede/parts/part-{part:05d}.json").read_text()))


def test_result(tmp_path: Path, archive: Path, local: Path) -> None:
    out = tmp_path / "out"
    setup, (task,) = plan(out, archive)
    summary = run_task(setup, ARTICLES, task)
    assert summary["pages"] == PAGES and summary["records"] == PAGES + summary["skipped"]
    assert mark(out) == summary
    assert set(listing(out)) == {"part-00000.parquet", "_lede/plan.json", "_lede/parts/part-00000.json"}
    assert os.listdir(local) == []  # the scratch folder is gone
    before = listing(out)
    again = run_task(dataclasses.replace(setup, flags=("--nonsense",)), ARTICLES, task)
    assert again == summary  # it is done, and lede is not run
    assert listing(out) == before


def test_failure_at_the_last_attempt(tmp_path: Path, local: Path) -> None:
    setup, (task,) = plan(tmp_path / "out", tmp_path / "missing.warc.gz")
    setup = dataclasses.replace(setup, attempts=3)
    for attempt in (0, 1):
        with pytest.raises(FileNotFoundError, match=r"missing\.warc\.gz does not exist"):
            try_task(setup, ARTICLES, task, attempt=attempt)
    found = try_task(setup, ARTICLES, task, attempt=2)
    assert found["error"] == f"{tmp_path / 'missing.warc.gz'} does not exist" and found["lasting"]
    assert not (tmp_path / "out/_lede/parts").exists()
    assert os.listdir(local) == []


def test_full_disk(tmp_path: Path, archive: Path, local: Path) -> None:
    """The error says so, nothing is left, and the task is done when there is room again."""
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    out = tmp_path / "out"
    setup, (task,) = plan(out, archive)
    temporary = out / "_lede" / "tmp"
    temporary.rmdir()
    temporary.symlink_to("/dev/full")  # no folder can be written to
    found = try_task(setup, ARTICLES, task)
    assert "_lede/tmp" in found["error"]
    assert not (out / "part-00000.parquet").exists()
    temporary.unlink()
    assert run_task(setup, ARTICLES, task)["pages"] == PAGES


def test_another_plan(tmp_path: Path, archive: Path, local: Path) -> None:
    """A task that still runs when another job has begun in the folder writes nothing."""
    out = tmp_path / "out"
    setup, (task,) = plan(out, archive)
    (out / "_lede/plan.json").write_text("{}")
    with pytest.raises(LedeError, match="another run has replaced the plan"):
        run_task(setup, ARTICLES, task)
    assert set(listing(out)) == {"_lede/plan.json"}


@pytest.fixture
def killed(tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let lede be killed as often as the file says that is returned."""
    left, script = tmp_path / "left", tmp_path / "lede"
    script.write_text(
        f'#!/bin/sh\nn=$(cat {left})\nif [ "$1" = batch ] && [ "$n" -gt 0 ]; then\n'
        f'echo $((n - 1)) >{left}\n{program} "$@" &\nsleep 0.2\nkill -9 $!\nkill -9 $$\nfi\nexec {program} "$@"\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("LEDE_COMMAND", str(script))
    return left


def test_lede_killed(tmp_path: Path, archive: Path, local: Path, killed: Path) -> None:
    killed.write_text("0")
    setup, (task,) = plan(tmp_path / "want", archive)
    want = run_task(setup, ARTICLES, task)
    setup, (task,) = plan(tmp_path / "out", archive)
    killed.write_text("2")
    got = run_task(setup, ARTICLES, task)
    assert killed.read_text().strip() == "0"
    same = ("pages", "records", "skipped", "failed", "types", "sites", "langs", "next")
    assert {n: got[n] for n in same} == {n: want[n] for n in same}


def test_lede_killed_again_and_again(tmp_path: Path, archive: Path, local: Path, killed: Path) -> None:
    setup, (task,) = plan(tmp_path / "out", archive)
    killed.write_text("100")
    found = try_task(setup, ARTICLES, task)
    assert "SIGKILL 3 times" in found["error"] and found["kind"] == "crash" and not found["lasting"]
    assert os.listdir(local) == []


def _run_in_child(setup: Setup, task: Task, start: Any) -> None:
    start.wait(30)
    run_task(setup, ARTICLES, task)


def test_attempts_at_the_same_time(tmp_path: Path, archive: Path, local: Path) -> None:
    """As with speculation: there is one result."""
    out = tmp_path / "out"
    setup, (task,) = plan(out, archive)
    fork = multiprocessing.get_context("fork")
    start = fork.Barrier(3)
    children = [fork.Process(target=_run_in_child, args=(setup, task, start)) for _ in range(3)]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    assert set(listing(out)) == {"part-00000.parquet", "_lede/plan.json", "_lede/parts/part-00000.json"}
    assert mark(out)["pages"] == PAGES
    assert os.listdir(local) == []


_WORKER = """
import sys, pickle
from lede_news.spark._task import ARTICLES, run_task
setup, task = pickle.load(sys.stdin.buffer)
run_task(setup, ARTICLES, task)
"""


@on_linux
def test_worker_killed(tmp_path: Path, archive: Path, local: Path) -> None:
    """lede ends with its worker, and the next task removes what it has left."""
    slow = tmp_path / "slow.warc.gz"
    slow.write_bytes(archive.read_bytes() * 200)
    setup, (task,) = plan(tmp_path / "out", archive)
    worker = subprocess.Popen([sys.executable, "-c", _WORKER], stdin=subprocess.PIPE)
    assert worker.stdin is not None
    worker.stdin.write(pickle.dumps((setup, dataclasses.replace(task, file=str(slow)))))
    worker.stdin.close()
    path = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
    deadline = time.monotonic() + 60
    while not (child := path.read_text().split()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    (left,) = [p for p in local.iterdir() if p.is_dir()]
    with _scratch.scratch() as other:
        assert left.exists() and other.exists()  # a folder in use stays
    worker.kill()
    worker.wait()
    wait_until_gone(int(child[0]))
    assert left.exists()
    run_task(setup, ARTICLES, task)
    assert not left.exists() and os.listdir(local) == []
    assert mark(tmp_path / "out")["pages"] == PAGES


def test_ranges(tmp_path: Path, archive: Path, local: Path) -> None:
    """Ranges have each page once, and follow each other."""
    out = tmp_path / "out"
    setup, tasks = plan(out, archive, split=archive.stat().st_size // 7)
    assert len(tasks) in (7, 8)
    summaries = {t.part: run_task(setup, ARTICLES, t) for t in tasks}
    assert sum(s["pages"] for s in summaries.values()) == PAGES
    assert wrong_ranges(tasks, summaries) == []
    # The range after one that failed cannot be judged, and the one after that can.
    some = {part: s for part, s in summaries.items() if part != 3}
    assert wrong_ranges(tasks, some) == []
    summaries[5]["begin"] += 1
    assert wrong_ranges(tasks, summaries) == [dataclasses.replace(tasks[5], start=summaries[4]["next"], exact=True)]


def test_false_start(tmp_path: Path, local: Path) -> None:
    """A page that shows a record is not taken for one."""
    record = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
    record += "WARC-Target-URI: https://a.example/{id}\r\nContent-Type: application/http\r\nContent-Length: {n}\r\n\r\n"
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"

    def response(name: str, text: str) -> str:
        body = f"{head}<html><title>{name}</title><p>{text}</p></html>"
        return record.format(id=name, n=len(body)) + body + "\r\n\r\n"

    words = "The tide table was wrong again, and three boats ran aground at the pier. " * 20
    shown = response("shown", words)
    path = tmp_path / "tricky.warc"
    path.write_text(
        response("one", words) + response("two", f"{words}\r\n\r\n{shown}{words}") + response("three", words),
        newline="",
    )
    text = path.read_bytes()
    split = text.index(b"urn:uuid:shown") - 60
    out = tmp_path / "out"
    setup, tasks = plan(out, path, split=split)
    assert len(tasks) >= 2
    for task in tasks:
        run_task(setup, ARTICLES, task)
    rounds = 0
    while wrong := wrong_ranges(tasks, {t.part: mark(out, t.part) for t in tasks}):
        rounds += 1
        assert rounds < 5
        for task in wrong:
            assert follows(run_task(setup, ARTICLES, task), task.start, task.until)
    assert rounds > 0
    assert sum(mark(out, t.part)["pages"] for t in tasks) == 3
