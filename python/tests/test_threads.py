"""Threads that share an Extractor."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pages
import pytest

import lede_news as lede
from lede_news import _process


def in_threads(count: int, work: Callable[[int], object]) -> None:
    """Run a function in threads, and raise what one of them raised."""
    failures: list[BaseException] = []

    def run(n: int) -> None:
        try:
            work(n)
        except BaseException as e:
            failures.append(e)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if failures:
        raise failures[0]


def test_each_thread_gets_its_own_articles() -> None:
    def work(n: int) -> None:
        for i in range(15):
            number = 1000 * n + i
            assert ex.extract(pages.page(number)).title == f"Bridge report {number}"

    with lede.Extractor() as ex:
        in_threads(30, work)


def test_extract_many_in_threads_and_single_pages_beside_it() -> None:
    def work(n: int) -> None:
        if n % 2:
            for i in range(20):
                assert ex.extract(pages.page(i)).title == f"Bridge report {i}"
            return
        numbers = range(1000 * n, 1000 * n + 60)
        found = [r.article.title for r in ex.extract_many(pages.page(i) for i in numbers) if r.article]
        assert found == [f"Bridge report {i}" for i in numbers]

    with lede.Extractor() as ex:
        in_threads(6, work)


def test_two_generators_in_turn() -> None:
    with lede.Extractor(workers=2) as ex:
        evens = ex.extract_many(pages.page(i) for i in range(0, 120, 2))
        odds = ex.extract_many(pages.page(i) for i in range(1, 120, 2))
        found = [r.article.title for pair in zip(evens, odds, strict=True) for r in pair if r.article]
        assert found == [f"Bridge report {i}" for i in range(120)]


def test_abandoned_generators_leave_nothing() -> None:
    with lede.Extractor() as ex:
        for _ in range(10):
            results = ex.extract_many(pages.page(i) for i in range(100))
            assert next(results).article
            del results
        found = [r.article.title for r in ex.extract_many(pages.page(i) for i in range(50)) if r.article]
        assert found == [f"Bridge report {i}" for i in range(50)]
        process = ex._session.process()
        assert not process._unanswered
        assert process._bytes == 0


def test_close_wakes_the_threads_that_wait(fake: Path) -> None:
    ex = lede.Extractor()
    process = ex._session.process()
    messages = []

    def work(n: int) -> None:
        if n == 0:
            while len(process._unanswered) < process.window:
                pass
            ex.close()
            return
        with pytest.raises(lede.LedeError, match="closed") as e:
            ex.extract("LAST")
        messages.append(str(e.value))

    in_threads(process.window + 8, work)  # some wait for room
    assert len(messages) == process.window + 7


def test_close_while_a_thread_writes(fake: Path) -> None:
    ex = lede.Extractor()
    process = ex._session.process()

    def work(n: int) -> None:
        if n == 0:
            while not process._sending.locked() or not process._unanswered:
                pass
            ex.close()
            return
        with pytest.raises(lede.LedeError, match="closed"):
            list(ex.extract_many(["LAST", "x" * 30_000_000, "y"]))

    in_threads(2, work)


def test_bytes_in_flight_are_bounded(fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 0
    deliver = _process.Process._deliver

    def watch(self: _process.Process, head: dict[str, object], body: bytes) -> None:
        nonlocal most
        most = max(most, self._bytes)
        deliver(self, head, body)

    monkeypatch.setattr(_process, "MAX_UNANSWERED", 1_000_000)
    monkeypatch.setattr(_process.Process, "_deliver", watch)

    def work(n: int) -> None:
        made = [f"{n} {i} " + "x" * 300_000 for i in range(10)]
        found = [r.article.title for r in ex.extract_many(made) if r.article]
        assert found == [page[:100] for page in made]
        assert ex.extract("z" * 2_000_000).title == "z" * 100  # alone

    with lede.Extractor() as ex:
        in_threads(3, work)
    assert 600_000 < most <= 2_000_000
    assert ex._session._process is not None and ex._session._process._bytes == 0


def test_a_large_page() -> None:
    large = pages.page(1) + "<!-- " + "x" * 50_000_000 + " -->"
    results = list(lede.extract_many([large, pages.page(2), large]))
    assert [type(r.error) for r in results] == [lede.TooLargeError, type(None), lede.TooLargeError]
    with lede.Extractor(max_bytes=100_000_000) as ex:
        assert ex.extract(large).title == "Bridge report 1"
