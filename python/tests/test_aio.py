"""The package for asyncio."""

from __future__ import annotations

import asyncio
import inspect
import os
import threading
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import pages
import pytest

import lede_news as lede
from lede_news import aio

T = TypeVar("T")


def run(awaitable: Awaitable[T]) -> T:
    async def main() -> T:
        return await awaitable

    return asyncio.run(main())


async def unanswered(ex: aio.Extractor, count: int) -> None:
    """Wait until a number of requests was sent that have no answer."""
    while not (process := ex._extractor._session._process) or len(process._unanswered) < count:  # noqa: ASYNC110
        await asyncio.sleep(0)


def numbered(count: int) -> list[str]:
    return [f"Bridge report {i}" for i in range(count)]


def test_functions() -> None:
    async def main() -> None:
        article = await aio.extract(pages.page(1), "https://paper.example/1")
        assert article == lede.extract(pages.page(1), "https://paper.example/1")
        assert (await aio.links(pages.page(1), "https://paper.example/"))[0].url == "https://paper.example/"
        with pytest.raises(lede.AddressError):
            await aio.fetch("nothing://paper.example/")
        with pytest.raises(lede.EmptyError):
            await aio.extract("")
        with pytest.raises(TypeError, match="methods"):
            await aio.extract("x", methods="nce")  # type: ignore[call-arg]

    run(main())
    run(main())  # in another event loop


def test_many_calls_at_once() -> None:
    async def main() -> list[str]:
        articles = await asyncio.gather(*(aio.extract(pages.page(i)) for i in range(200)))
        return [a.title for a in articles]

    assert run(main()) == numbered(200)


@pytest.mark.parametrize("kind", ["list", "generator", "asynchronous"])
def test_extract_many(kind: str) -> None:
    async def asynchronous() -> AsyncIterator[str]:
        for i in range(100):
            await asyncio.sleep(0)
            yield pages.page(i)

    async def main() -> list[str]:
        source: Iterable[str] | AsyncIterable[str] = map(pages.page, range(100))
        if kind == "list":
            source = [pages.page(i) for i in range(100)]
        elif kind == "asynchronous":
            source = asynchronous()
        return [r.article.title async for r in aio.extract_many(source) if r.article]

    assert run(main()) == numbered(100)


def test_a_page_that_fails_does_not_end_extract_many() -> None:
    async def main() -> list[lede.Result]:
        return [r async for r in aio.extract_many([pages.page(1), "", lede.Page("", id="e"), pages.page(2)])]

    results = run(main())
    assert [r.article is not None for r in results] == [True, False, False, True]
    assert [r.error.page for r in results if r.error] == ["page 2", "e"]


def test_results_do_not_wait_for_the_next_page() -> None:
    async def main() -> list[str]:
        seen: list[str] = []
        received = asyncio.Event()

        async def slow() -> AsyncIterator[str]:
            for i in range(3):
                yield pages.page(i)
                await received.wait()  # for the result of this page
                received.clear()

        async for r in aio.extract_many(slow()):
            assert r.article
            seen.append(r.article.title)
            received.set()
        return seen

    assert run(main()) == numbered(3)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_an_exception_of_the_pages_comes_after_their_results(asynchronous: bool) -> None:
    def some() -> Iterator[str]:
        yield from (pages.page(i) for i in range(5))
        raise LookupError("no more")

    async def some_later() -> AsyncIterator[str]:
        for page in some():
            yield page

    async def main() -> list[str]:
        results = aio.extract_many(some_later() if asynchronous else some())
        titles = [r.article.title for r in [await anext(results) for _ in range(5)] if r.article]
        with pytest.raises(LookupError, match="no more"):
            await anext(results)
        return titles

    assert run(main()) == numbered(5)


def test_pages_are_taken_as_they_are_needed() -> None:
    taken = 0

    async def endless() -> AsyncIterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield pages.page(taken)

    async def main() -> None:
        results = aio.extract_many(endless())
        for _ in range(10):
            assert (await anext(results)).article
        assert taken <= 10 + 2 * aio._THREADS + 1
        await results.aclose()  # type: ignore[attr-defined]
        assert (await aio.extract(pages.page(1))).title == "Bridge report 1"

    run(main())


def test_cancelled_calls_leave_everything_usable(fake: Path) -> None:
    async def main() -> None:
        async with aio.Extractor() as ex:
            waiting = asyncio.ensure_future(ex.extract("HOLD"))
            others = [asyncio.ensure_future(ex.extract(f"HOLD {i}")) for i in range(3)]
            await unanswered(ex, 4)
            waiting.cancel()
            others[0].cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert (await ex.extract("x")).title == "x"
            assert [(await o).title for o in others[1:]] == ["HOLD 1", "HOLD 2"]
            results = ex.extract_many(["a", "b HOLD", "c HOLD"])
            assert (await anext(results)).article
            rest = asyncio.ensure_future(anext(results))
            await asyncio.sleep(0)
            rest.cancel()
            with pytest.raises(asyncio.CancelledError):
                await rest
            assert (await ex.extract("y")).title == "y"
            assert not ex._extractor._session.process()._unanswered
        with pytest.raises(lede.LedeError, match="closed"):
            await ex.extract("z")

    run(main())


def test_close_while_all_threads_wait(fake: Path) -> None:
    async def main() -> None:
        ex = aio.Extractor()
        waiting = [asyncio.ensure_future(ex.extract("LAST")) for _ in range(2 * aio._THREADS)]
        await unanswered(ex, 8)
        await ex.close()
        for w in waiting:
            with pytest.raises(lede.LedeError, match="closed"):
                await w

    run(main())


def test_forked_children_have_threads() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    assert run(aio.extract(pages.page(1))).title == "Bridge report 1"
    if (pid := os.fork()) == 0:
        status = 1
        try:
            status = int(run(aio.extract(pages.page(2))).title != "Bridge report 2")
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0
    assert run(aio.extract(pages.page(3))).title == "Bridge report 3"


def test_the_loop_is_not_blocked(fake: Path) -> None:
    async def main() -> None:
        async with aio.Extractor() as ex:
            waiting = asyncio.ensure_future(ex.extract("HOLD"))
            await unanswered(ex, 1)
            assert not waiting.done()
            await ex.extract("x")
            assert (await waiting).title == "HOLD"

    run(main())


def test_a_crash(fake: Path) -> None:
    async def main() -> None:
        async with aio.Extractor() as ex:
            made = [f"page {i}" + (" DIE" if i == 5 else "") for i in range(20)]
            results = [r async for r in ex.extract_many(made)]
            assert [r.page for r in results] == made
            assert [i for i, r in enumerate(results) if isinstance(r.error, lede.CrashError)] == [5]
            assert sum(r.article is not None for r in results) == 19

    run(main())


def test_loops_in_threads() -> None:
    titles: dict[int, list[str]] = {}

    async def main(n: int) -> None:
        titles[n] = [r.article.title async for r in aio.extract_many(map(pages.page, range(30))) if r.article]

    threads = [threading.Thread(target=lambda n=n: asyncio.run(main(n))) for n in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert titles == dict.fromkeys(range(3), numbered(30))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "pages"
    made.mkdir()
    for i in range(30):
        (made / f"{i:02}.html").write_text(pages.page(i, paragraphs=5 + 20 * i))
    return made


def test_read_warc(folder: Path) -> None:
    async def main() -> None:
        found = [p async for p in aio.read_warc(folder)]
        assert found == list(lede.read_warc(folder))
        titles = [r.article.title async for r in aio.extract_many(aio.read_warc(folder)) if r.article]
        assert titles == numbered(30)
        with pytest.raises(lede.LedeError, match="nosuch"):
            [p async for p in aio.read_warc(folder / "nosuch.warc")]
        some = aio.read_warc(folder)
        assert (await anext(some)).id == "00"
        await some.aclose()  # type: ignore[attr-defined]

    run(main())


def test_batch(folder: Path, tmp_path: Path) -> None:
    lines: list[str] = []

    async def main() -> None:
        done = await aio.batch(folder, tmp_path / "out.jsonl", progress=lines.append)
        assert (done.pages, done.failed) == (30, 0)
        with pytest.raises(lede.LedeError, match="overwrite"):
            await aio.batch(folder, tmp_path / "out.jsonl")

    run(main())
    assert lines


def test_same_parameters() -> None:
    for name in ("batch", "extract", "extract_many", "fetch", "links", "read_warc"):
        here, there = inspect.signature(getattr(aio, name)), inspect.signature(getattr(lede, name))
        assert list(here.parameters) == list(there.parameters)
        if not hasattr(lede.Extractor, name):
            continue
        method = inspect.signature(getattr(aio.Extractor, name))
        assert list(method.parameters)[1:] == list(there.parameters)
