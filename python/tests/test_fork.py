"""Forked children, multiprocessing, and the end of Python."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pages
import pytest
from processes import lede_of, on_linux, runs, title, wait_until_gone, with_fork

import lede_news as lede

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # of threads, in Python 3.12 and later


def in_child(work: Callable[[], object]) -> str:
    """Fork, and return what a function returned in the child."""
    read, write = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            answer = str(work())
        except BaseException as e:
            answer = repr(e)
        os.write(write, answer.encode())
        os._exit(0)
    os.close(write)
    with open(read, "rb") as out:
        answer = out.read().decode()
    os.waitpid(pid, 0)
    return answer


@with_fork
def test_a_generator_goes_on_in_parent_and_child() -> None:
    with lede.Extractor() as ex:
        results = ex.extract_many(pages.page(i) for i in range(40))
        for _ in range(10):
            next(results)
        parent = lede_of(ex)

        def rest() -> list[str]:
            return [r.article.title for r in results if r.article]

        expected = [f"Bridge report {i}" for i in range(10, 40)]
        assert in_child(rest) == str(expected)
        assert in_child(ex.close) == "None"
        assert rest() == expected
        assert lede_of(ex) == parent


@with_fork
def test_forks_while_threads_extract() -> None:
    stop = threading.Event()
    wrong: list[str] = []

    def work(n: int) -> None:
        while not stop.is_set():
            if (found := ex.extract(pages.page(n)).title) != f"Bridge report {n}":
                wrong.append(found)

    with lede.Extractor() as ex:
        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        try:
            for i in range(20):
                assert in_child(partial(ex.extract, pages.page(i))).startswith(f"Article(title='Bridge report {i}'")
        finally:
            stop.set()
            for t in threads:
                t.join()
    assert not wrong


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_multiprocessing(method: str) -> None:
    assert title(0) == "Bridge report 0"  # so that there is something to inherit
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(title, range(8)) == [f"Bridge report {i}" for i in range(8)]
        found = pool.map(lede.extract, [pages.page(i) for i in range(8)])  # pickles the Extractor
        assert [a.title for a in found] == [f"Bridge report {i}" for i in range(8)]
    assert title(1) == "Bridge report 1"


def python(script: str) -> subprocess.Popen[str]:
    """Start Python with the modules of the tests and of the package that is tested."""
    path = [str(Path(__file__).parent), str(Path(lede.__file__).parents[1])]
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", f"import sys; sys.path[:0] = {path!r}\n{HEAD}{script}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


HEAD = """
import lede_news as lede, pages, os, threading, time
def pid(ex=lede._extractor.default()):
    return ex._session.process()._child.pid
"""

ENDS = {
    "functions": "lede.extract(pages.page(1)); print(pid())",
    "forgotten": "ex = lede.Extractor(); ex.extract(pages.page(1)); print(pid(ex)); del ex",
    "in the middle of a generator": """
results = lede.extract_many(pages.page(i) for i in range(1000))
next(results); print(pid())
""",
    "a daemon thread": """
def work():
    while True: lede.extract(pages.page(1))
for _ in range(3): threading.Thread(target=work, daemon=True).start()
lede.extract(pages.page(1)); print(pid())
""",
    "a fork": """
lede.extract(pages.page(1)); print(pid(), flush=True)
if os.fork() == 0:
    lede.extract(pages.page(2))
else:
    os.wait()
""",
    "asyncio": """
import asyncio
from lede_news import aio
async def main():
    async for r in aio.extract_many(pages.page(i) for i in range(100)):
        break
asyncio.run(main()); print(pid(aio._default._extractor))
""",
}


@pytest.mark.parametrize("end", ENDS)
def test_lede_ends_with_python(end: str) -> None:
    if end == "a fork" and not hasattr(os, "fork"):
        pytest.skip("needs fork")
    script = ENDS[end] if end != "a fork" else f"import warnings; warnings.simplefilter('ignore')\n{ENDS[end]}"
    with python(script) as p:
        out, err = p.communicate()
    assert (err, p.returncode) == ("", 0)
    if sys.platform == "linux":
        assert not runs(int(out))


@on_linux
def test_lede_ends_when_python_is_killed_at_work_and_a_child_lives() -> None:
    script = """
results = lede.extract_many(pages.page(i) for i in range(100_000))
next(results)
child = os.fork()
if child == 0:
    time.sleep(1000)
print(pid(), child, flush=True)
for r in results: pass
"""
    with python(f"import warnings; warnings.simplefilter('ignore')\n{script}") as p:
        assert p.stdout is not None
        pid, child = map(int, p.stdout.readline().split())
        p.kill()
        wait_until_gone(pid)
        assert runs(child)
        os.kill(child, signal.SIGKILL)
