"""What people do wrong at first, and what the package says."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import lede_news as lede
from lede_news import aio

LONG = "<p>" + "word " * 1000


def test_long_pages_are_shown_by_their_beginning(page: bytes) -> None:
    assert repr(lede.Page("<p>a", url="https://paper.example/a")) == "Page('<p>a', url='https://paper.example/a')"
    assert repr(lede.Page(page)) == f"Page({page[:60]!r}…)"
    assert len(repr(lede.Page(LONG, id="a"))) < 100
    for p in (LONG, LONG.encode(), lede.Page(LONG)):
        (result,) = lede.extract_many([p])
        assert len(repr(result)) < 200
        assert result == (p, result.article, None)
    assert (
        repr(lede.Result("", None, lede.EmptyError("empty")))
        == "Result(page='', article=None, error=EmptyError('empty'))"
    )


@pytest.mark.parametrize("pages", ["<p>a", b"<p>a", lede.Page("<p>a")])
def test_one_page_in_place_of_many(pages: Any) -> None:
    with pytest.raises(TypeError, match=r"^pages must be an iterable of pages, and this is one page"):
        lede.extract_many(pages)

    async def many() -> None:
        async for _ in aio.extract_many(pages):
            pass

    with pytest.raises(TypeError, match=r"^pages must be an iterable of pages"):
        asyncio.run(many())


def test_path_in_place_of_a_page(tmp_path: Path) -> None:
    with pytest.raises(
        TypeError, match=r"^html must be str or bytes, not \w+Path; read the file, with read_bytes\(\)$"
    ):
        lede.extract(tmp_path)  # type: ignore[arg-type]
    with pytest.warns(UserWarning, match="^'news/story.html' is no page: use extract with the contents of the file$"):
        lede.extract("news/story.html")


def test_address_in_place_of_a_page() -> None:
    with lede.Extractor() as ex:
        for extract in (lede.extract, ex.extract):
            with pytest.warns(UserWarning, match="^'https://paper.example/a' is no page: use fetch$") as warned:
                extract("https://paper.example/a")
            assert warned[0].filename == __file__


def test_short_pages_are_pages(recwarn: pytest.WarningsRecorder) -> None:
    for html in (
        "<a>story.html",
        "The ferry is back.",
        "story.html and more",
        "a\nb.html",
        "<p>https://paper.example/a",
    ):
        lede.extract(html)
    assert not recwarn.list


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": "a"}, r'^workers "a": use a whole number$'),
        ({"workers": -3}, "^workers must be at least 1$"),
        ({"max_bytes": -5}, "^max_bytes must be at least 1$"),
        ({"page_time": -1}, "^page_time must be a positive duration, such as 10s$"),
        ({"favor": "x"}, "^favor=x: use precision or recall$"),
    ],
)
def test_wrong_values(options: Any, message: str) -> None:
    with lede.Extractor(**options) as ex, pytest.raises(lede.OptionError, match=message):
        ex.extract("<p>a")


def test_missing_file(tmp_path: Path) -> None:
    with (
        lede.Extractor(model=tmp_path / "nothing") as ex,
        pytest.raises(lede.StartError, match=r"^open .*nothing: no such"),
    ):
        ex.extract("<p>a")
