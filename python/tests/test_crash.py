"""Processes that end before they have answered."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pages
import pytest
from processes import lede_of

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


def test_a_page_that_ends_lede_once_has_its_article(
    fake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DIED", str(tmp_path / "died"))
    made = ["a", "b", "DIE-ONCE", "c", "d"]
    with lede.Extractor() as ex:
        results = list(ex.extract_many(made))
    assert [r.article.title for r in results if r.article] == made
    assert started(fake) in (2, 3)  # the private one, and another one if pages followed


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


def test_ctrl_c_while_an_article_is_waited_for(fake: Path) -> None:
    with lede.Extractor() as ex:
        results = ex.extract_many(["a", "b HOLD"])
        assert next(results).article
        with pytest.raises(KeyboardInterrupt):
            ex.extract("SIGINT")
        assert ex.extract("y").title == "y"
        assert [r.article.title for r in results if r.article] == ["b HOLD"]
    assert started(fake) == 1
