"""The end of Python, and what is left then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pages
import pytest
from processes import on_linux, runs, wait_until_gone

import lede_news as lede

TESTS = Path(__file__).parent


def python(script: str) -> subprocess.Popen[str]:
    """Start Python with the modules of the tests and of the package that is tested."""
    path = [str(TESTS), str(Path(lede.__file__).parents[1])]
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", f"import sys; sys.path[:0] = {path!r}\n{script}"],
        stdin=subprocess.PIPE,
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
    "no with": "ex = lede.Extractor(); ex.extract(pages.page(1)); print(pid(ex))",
    "never used": "ex = lede.Extractor(); print(0)",
    "forgotten": """
ex = lede.Extractor(); ex.extract(pages.page(1)); print(pid(ex)); del ex
lede.extract(pages.page(1))
""",
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
    "a daemon thread that waits for the next page": """
ready = threading.Event()
def slow():
    for i in range(30): yield pages.page(i)
    ready.set()
    while True: time.sleep(100)
threading.Thread(target=lambda: list(lede.extract_many(slow())), daemon=True).start()
ready.wait(); print(pid())
""",
    "sys.exit": "lede.extract(pages.page(1)); print(pid()); sys.exit()",
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
    await aio.extract(pages.page(1))
    async for r in aio.extract_many(pages.page(i) for i in range(100)):
        break
asyncio.run(main()); print(pid(aio._default._extractor))
""",
    "a console": """
import code
console = code.InteractiveConsole({"lede": lede, "pages": pages})
for line in ("a = lede.extract(pages.page(1))", "g = lede.extract_many([pages.page(2)] * 50)", "r = next(g)"):
    assert not console.push(line)
print(pid())
""",
}


@pytest.mark.parametrize("end", ENDS)
def test_lede_ends_with_python(end: str) -> None:
    if end == "a fork" and not hasattr(os, "fork"):
        pytest.skip("needs fork")
    with python(HEAD + ENDS[end]) as p:
        out, err = p.communicate()
    assert err == ""
    assert p.returncode == 0
    pid = int(out)
    if sys.platform == "linux" and pid:
        assert not runs(pid)


def test_asyncio_does_not_wait_for_answers_that_are_of_no_use(fake: Path) -> None:
    script = """
import asyncio
from lede_news import aio
async def main():
    task = asyncio.ensure_future(aio.extract("LAST"))
    while not (p := aio._default._extractor._session._process) or not p._unanswered:
        await asyncio.sleep(0)
asyncio.run(main())
"""
    with python(HEAD + script) as p:
        assert p.communicate() == ("", "")
    assert p.returncode == 0


@on_linux
def test_lede_ends_when_python_is_killed() -> None:
    script = HEAD + "lede.extract(pages.page(1)); print(pid(), flush=True); time.sleep(1000)"
    with python(script) as p:
        assert p.stdout is not None
        pid = int(p.stdout.readline())
        assert runs(pid)
        p.kill()
    wait_until_gone(pid)
    assert not runs(pid)


@on_linux
def test_lede_ends_when_python_is_killed_at_work_and_a_child_lives() -> None:
    script = (
        HEAD
        + """
results = lede.extract_many(pages.page(i) for i in range(100_000))
next(results)
child = os.fork()
if child == 0:
    time.sleep(1000)
print(pid(), child, flush=True)
for r in results: pass
"""
    )
    with python(script) as p:
        assert p.stdout is not None
        pid, child = map(int, p.stdout.readline().split())
        p.kill()
        wait_until_gone(pid)
        assert runs(child)
        os.kill(child, signal.SIGKILL)


def test_an_extractor_without_references_ends_its_process() -> None:
    ex = lede.Extractor()
    ex.extract(pages.page(1))
    child = ex._session.process()._child
    del ex
    assert child.returncode == 0
