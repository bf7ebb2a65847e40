"""The package for asyncio."""

from __future__ import annotations

import asyncio
import inspect
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
    while not (process := ex._session._process) or len(process._unanswered) < count:  # noqa: ASYNC110
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
        with pytest.raises(TypeError, match="methods"):
            await aio.extract("x", methods="nce")  # type: ignore[call-arg]
        articles = await asyncio.gather(*(aio.extract(pages.page(i)) for i in range(200)))
        assert [a.title for a in articles] == numbered(200)

    run(main())
    run(main())  # in another event loop


@pytest.mark.parametrize("asynchronous", [False, True])
def test_extract_many(asynchronous: bool) -> None:
    async def later() -> AsyncIterator[str]:
        for i in range(100):
            await asyncio.sleep(0)
            yield pages.page(i)

    async def main() -> list[str]:
        source: Iterable[str] | AsyncIterable[str] = later() if asynchronous else map(pages.page, range(100))
        return [r.article.title async for r in aio.extract_many(source) if r.article]

    assert run(main()) == numbered(100)


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


def test_an_exception_of_the_pages_comes_after_their_results() -> None:
    def some() -> Iterator[str]:
        yield from (pages.page(i) for i in range(4))
        yield ""
        raise LookupError("no more")

    async def main() -> list[str]:
        results = aio.extract_many(some())
        titles = [r.article.title for r in [await anext(results) for _ in range(4)] if r.article]
        assert isinstance((await anext(results)).error, lede.EmptyError)
        with pytest.raises(LookupError, match="no more"):
            await anext(results)
        return titles

    assert run(main()) == numbered(4)


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
        assert taken <= 10 + aio._AHEAD + 1
        await results.aclose()  # type: ignore[attr-defined]
        assert (await aio.extract(pages.page(1))).title == "Bridge report 1"

    run(main())


def test_cancelled_calls_leave_everything_usable(fake: Path) -> None:
    async def main() -> None:
        async with aio.Extractor() as ex:
            waiting = asyncio.ensure_future(ex.extract("HOLD"))
            other = asyncio.ensure_future(ex.extract("HOLD 2"))
            await unanswered(ex, 2)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert (await ex.extract("x")).title == "x"
            assert (await other).title == "HOLD 2"
            results = ex.extract_many(["a", "b HOLD", "c HOLD"])
            assert (await anext(results)).article
            rest = asyncio.ensure_future(anext(results))
            await asyncio.sleep(0)
            rest.cancel()
            with pytest.raises(asyncio.CancelledError):
                await rest
            assert (await ex.extract("y")).title == "y"
            last = asyncio.ensure_future(ex.extract("LAST"))
            await unanswered(ex, 1)
        with pytest.raises(lede.LedeError, match="closed"):
            await last

    run(main())


def test_a_crash(fake: Path) -> None:
    async def main() -> None:
        async with aio.Extractor() as ex:
            made = [f"page {i}" + (" DIE" if i == 5 else "") for i in range(20)]
            results = [r async for r in ex.extract_many(made)]
            assert [r.page for r in results] == made
            assert [i for i, r in enumerate(results) if isinstance(r.error, lede.CrashError)] == [5]

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
