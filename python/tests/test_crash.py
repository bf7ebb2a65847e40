"""Processes that end before they have answered."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pages
import pytest
from processes import lede_of, wait_until_gone

import lede_news as lede

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs signals")


def started(log: Path) -> int:
    return len(log.read_text().splitlines())


def test_a_page_that_ends_lede_is_named(fake: Path) -> None:
    made: list[str | lede.Page] = [f"page of number {i}" for i in range(40)]
    made[7] = "DIE"
    made[20] = lede.Page("DIE, too", url="https://paper.example/die")
    made[21] = lede.Page("DIE again", id="third")
    with lede.Extractor() as ex:
        results = list(ex.extract_many(made))
        assert ex.extract("after").title == "after"
    assert [r.page for r in results] == made
    assert [i for i, r in enumerate(results) if r.error] == [7, 20, 21]
    for i, r in enumerate(results):
        if i not in (7, 20, 21):
            assert r.article is not None and r.article.title == f"page of number {i}"
    errors = [r.error for r in results if r.error]
    assert [type(e) for e in errors] == [lede.CrashError] * 3
    assert [e.page for e in errors] == ["page 8", "https://paper.example/die", "third"]
    assert [str(e).partition(" ends lede")[0] for e in errors] == [
        "page 8 (3 bytes)",
        "https://paper.example/die (8 bytes)",
        "third (9 bytes)",
    ]
    for e in errors:
        assert "SIGKILL" in str(e)
        assert "this page is too much" in str(e)


def test_a_page_that_ends_lede_alone(fake: Path) -> None:
    with lede.Extractor() as ex:
        with pytest.raises(lede.CrashError, match=r"the page \(3 bytes\) ends lede \(signal SIGKILL\)"):
            ex.extract("DIE")
        with pytest.raises(lede.CrashError, match=r"^https://paper\.example/ "):
            ex.extract("DIE", "https://paper.example/")
        assert ex.extract("x").title == "x"


def test_a_page_that_ends_lede_once_has_its_article(
    fake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DIED", str(tmp_path / "died"))
    made = ["a", "b", "DIE-ONCE", "c", "d"]
    with lede.Extractor() as ex:
        results = list(ex.extract_many(made))
    assert [r.article.title for r in results if r.article] == made
    assert started(fake) in (2, 3)  # the private one, and another one if pages followed


def test_all_pages_end_lede(fake: Path) -> None:
    with lede.Extractor() as ex:
        results = list(ex.extract_many(["DIE"] * 20))
    assert [type(r.error) for r in results] == [lede.CrashError] * 20
    assert [r.error.page for r in results if r.error] == [f"page {i}" for i in range(1, 21)]


def test_threads_get_their_articles_although_lede_ends(fake: Path) -> None:
    outcomes: dict[int, list[str]] = {}

    def work(n: int) -> None:
        outcomes[n] = []
        for i in range(20):
            name = f"{n}-{i}" + (" DIE" if i == n + 5 else "")
            try:
                outcomes[n].append(ex.extract(name).title)
            except lede.CrashError:
                outcomes[n].append("crash")

    with lede.Extractor() as ex:
        threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    for n in range(6):
        assert outcomes[n] == ["crash" if i == n + 5 else f"{n}-{i}" for i in range(20)]


def test_lede_is_killed() -> None:
    with lede.Extractor() as ex:
        seen = []
        for i, r in enumerate(ex.extract_many(pages.page(i) for i in range(120))):
            assert r.error is None and r.article is not None
            seen.append(r.article.title)
            if i % 40 == 10:
                os.kill(lede_of(ex), signal.SIGKILL)
        assert seen == [f"Bridge report {i}" for i in range(120)]
        before = lede_of(ex)
        os.kill(before, signal.SIGKILL)
        assert ex.extract(pages.page(5)).title == "Bridge report 5"
        assert lede_of(ex) != before


def test_lede_is_killed_while_two_generators_take_turns() -> None:
    with lede.Extractor() as ex:
        evens = ex.extract_many(pages.page(i) for i in range(0, 80, 2))
        odds = ex.extract_many(pages.page(i) for i in range(1, 80, 2))
        seen = []
        for i, pair in enumerate(zip(evens, odds, strict=True)):
            seen += [r.article.title for r in pair if r.article]
            if i == 10:
                os.kill(lede_of(ex), signal.SIGKILL)
        assert seen == [f"Bridge report {i}" for i in range(80)]


def test_lede_was_stopped_long_before_it_is_used_again() -> None:
    with lede.Extractor() as ex:
        pid = lede_of(ex)
        os.kill(pid, signal.SIGKILL)
        ex._session.process()._child.wait()
        results = list(ex.extract_many(pages.page(i) for i in range(20)))
        assert [r.article.title for r in results if r.article] == [f"Bridge report {i}" for i in range(20)]


def test_ctrl_c_while_an_article_is_waited_for(fake: Path) -> None:
    with lede.Extractor() as ex:
        ex.extract("x")
        first = lede_of(ex)
        with pytest.raises(KeyboardInterrupt):
            ex.extract("SIGINT")
        wait_until_gone(first)
        assert ex.extract("y").title == "y"
        with pytest.raises(KeyboardInterrupt):
            list(ex.extract_many(["a", "b", "SIGINT", "c"]))
        assert [r.article.title for r in ex.extract_many(["a", "b"]) if r.article] == ["a", "b"]


def test_ctrl_c_in_the_middle_of_a_large_page(fake: Path) -> None:
    with lede.Extractor() as ex:
        results = ex.extract_many(["STUCK", "x" * 9_000_000])
        with pytest.raises(KeyboardInterrupt):
            next(results)
        assert ex.extract("y").title == "y"


def test_ctrl_c_does_not_lose_the_pages_of_others(fake: Path) -> None:
    with lede.Extractor() as ex:
        results = ex.extract_many(["a", "b HOLD", "c HOLD", "d HOLD"])
        first = next(results)
        assert first.article is not None and first.article.title == "a"
        with pytest.raises(KeyboardInterrupt):
            ex.extract("SIGINT")
        thread = threading.Thread(target=lambda: titles.extend(r.article.title for r in results if r.article))
        titles: list[str] = []
        thread.start()
        while thread.is_alive():  # an answer to another page ends HOLD
            ex.extract("y")
        assert titles == ["b HOLD", "c HOLD", "d HOLD"]
    assert started(fake) == 2


def test_ctrl_c_while_another_thread_reads(fake: Path) -> None:
    titles: list[str] = []
    with lede.Extractor() as ex:
        process = ex._session.process()
        thread = threading.Thread(target=lambda: titles.append(ex.extract("a HOLD").title))
        thread.start()
        while not process._reading:
            pass
        with pytest.raises(KeyboardInterrupt):
            ex.extract("SIGINT")
        while thread.is_alive():
            ex.extract("y")
        assert titles == ["a HOLD"]
    assert started(fake) <= 2  # one, unless Ctrl-C came while the page was written
