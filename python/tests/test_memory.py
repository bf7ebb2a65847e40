"""Memory does not grow with the number of pages. LEDE_LONG=1 proves it with 100,000."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pages
import pytest
from processes import lede_of, memory, on_linux

import lede_news as lede

PYTHON = 8 << 20  # bytes by which the memory of Python may grow
LEDE = 64 << 20  # and that of lede, whose garbage collector decides when memory is given back


@on_linux
@pytest.mark.parametrize("failing", [False, True], ids=["articles", "errors"])
def test_memory_is_flat(failing: bool, long: bool) -> None:
    count = 100_000 if long else 3_000

    def made() -> Iterator[str | lede.Page]:
        for i in range(count):
            if failing and i % 2:
                yield lede.Page("" if i % 4 == 1 else b"%PDF-1.4 ", url=f"https://paper.example/{i}")
            else:
                yield pages.page(i, paragraphs=5 + i % 50)

    with lede.Extractor(workers=2) as ex:
        before = (0, 0)
        for i, r in enumerate(ex.extract_many(made())):
            assert (r.article is None) == (failing and i % 2 == 1)
            assert r.article is None or pages.words(i) in r.article.text
            if i == count // 10:
                gc.collect()
                before = memory(), memory(lede_of(ex))
        del r
        gc.collect()
        after = memory(), memory(lede_of(ex))
        assert i == count - 1
    print(
        f"{count} pages: Python {before[0] >> 20} to {after[0] >> 20} MB, lede {before[1] >> 20} to {after[1] >> 20} MB"
    )
    assert after[0] - before[0] < PYTHON
    assert after[1] - before[1] < LEDE


@on_linux
def test_memory_is_flat_one_page_at_a_time(long: bool) -> None:
    count = 100_000 if long else 1_500
    with lede.Extractor(workers=2) as ex:
        for i in range(count):
            assert pages.words(i) in ex.extract(pages.page(i)).text
            if i == count // 10:
                gc.collect()
                before = memory(), memory(lede_of(ex))
        gc.collect()
        after = memory(), memory(lede_of(ex))
    assert after[0] - before[0] < PYTHON
    assert after[1] - before[1] < LEDE


def test_articles_of_large_answers_do_not_stay(fake: object) -> None:
    with lede.Extractor() as ex:
        for r in ex.extract_many(["LARGE"] * 20):
            assert r.article is not None and len(r.article.text) == 3_000_000
        ex.extract("x")
        process = ex._session.process()
        assert not process._unanswered
        assert len(process._frames._buffer) < 1_000_000
