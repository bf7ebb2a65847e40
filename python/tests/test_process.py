"""The functions of the package, their options, threads, and what people do wrong at first."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pages
import pytest
from processes import lede_of, memory, on_linux

import lede_news as lede
from lede_news import aio
from lede_news._options import ExtractorOptions, flags

JAPANESE = "市長は火曜日、古い橋を冬の前に再び開くと発表した。渡し船は毎日運航する。"


def test_extract() -> None:
    article = lede.extract(pages.page(3), "https://paper.example/3")
    assert article.title == "Bridge report 3"
    assert pages.words(3) in article.text
    assert "About us" not in article.text


@pytest.mark.parametrize("way", ["meta", "header_charset", "charset", "text", "surrogates"])
def test_charsets(way: str) -> None:
    lying = '<meta charset="koi8-r">'
    made: dict[str, lede.Page] = {
        "meta": lede.Page(pages.page(1, head='<meta charset="euc-jp">', text=JAPANESE).encode("euc-jp")),
        "header_charset": lede.Page(pages.page(1, head="", text=JAPANESE).encode("euc-jp"), header_charset="euc-jp"),
        "charset": lede.Page(pages.page(1, head=lying, text=JAPANESE).encode("euc-jp"), charset="euc-jp"),
        "text": lede.Page(pages.page(1, head=lying, text=JAPANESE), charset="koi8-r"),
        "surrogates": lede.Page(pages.page(1, text=JAPANESE + "\ud83c\udf09 and half \ud83c one.")),
    }
    page = made[way]
    [result] = lede.extract_many([page])
    assert result.article is not None and JAPANESE in result.article.text
    alone = lede.extract(page.html, charset=page.charset, header_charset=page.header_charset)
    assert alone == result.article
    assert ("🌉 and half \ufffd" in alone.text) == (way == "surrogates")


def test_facts_of_a_page_without_text() -> None:
    page = "<title>The ferry race</title><nav><a href=/>Home</a></nav><h1>The ferry race</h1><video src=a.mp4></video>"
    with pytest.raises(lede.NoContentError) as caught:
        lede.extract(page)
    assert caught.value.facts is not None
    assert caught.value.facts.title == "The ferry race"
    with pytest.raises(lede.NoContentError) as caught:
        lede.extract("<nav><a href=/>Home</a></nav>")
    assert caught.value.facts is None


def test_extract_many_keeps_the_order() -> None:
    made = [pages.page(i) for i in range(60)]
    results = list(lede.extract_many(made))
    assert [r.page for r in results] == made
    assert all(r.article and pages.words(i) in r.article.text for i, r in enumerate(results))


def test_a_page_that_fails_does_not_end_extract_many() -> None:
    mixed: list[str | lede.Page] = [
        pages.page(1),
        "",
        lede.Page(b"", id="empty"),
        lede.Page("x", link_text="x" * 2_000_000, url="https://paper.example/e"),
        pages.page(2),
    ]
    results = list(lede.extract_many(mixed))
    assert [r.article is not None for r in results] == [True, False, False, False, True]
    assert [r.error.kind for r in results if r.error] == ["empty", "empty", "option"]
    assert [r.error.page for r in results if r.error] == ["page 2", "empty", "https://paper.example/e"]


def test_an_exception_of_the_pages_comes_after_their_results() -> None:
    def some() -> Iterator[Any]:
        yield from (pages.page(i) for i in range(5))
        yield None

    results = lede.extract_many(some())
    assert [next(results).article.title for _ in range(5)] == [f"Bridge report {i}" for i in range(5)]  # type: ignore[union-attr]
    with pytest.raises(TypeError, match="page 6: html must be str or bytes, not NoneType"):
        next(results)


def test_pages_are_taken_as_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield pages.page(taken)

    with lede.Extractor(workers=1) as ex:
        results = ex.extract_many(endless())
        for _ in range(20):
            assert next(results).article
        assert taken <= 20 + 8 * ex._session.process().hello["window"] + 1
        del results
        assert ex.extract(pages.page(1)).title == "Bridge report 1"


def test_answers_in_any_pieces_and_order(fake: Path) -> None:
    made = ["a SPLIT", "b HOLD", "c LARGE", "d", "e HOLD SPLIT", "f LARGE", "g"] * 5
    with lede.Extractor() as ex:
        results = list(ex.extract_many(made))
    assert [r.article.title for r in results if r.article] == made


def test_threads_share_an_extractor() -> None:
    def work(n: int) -> None:
        numbers = range(1000 * n, 1000 * n + 40)
        if n % 2:
            assert all(ex.extract(pages.page(i)).title == f"Bridge report {i}" for i in numbers)
        else:
            found = [r.article.title for r in ex.extract_many(map(pages.page, numbers)) if r.article]
            assert found == [f"Bridge report {i}" for i in numbers]

    with lede.Extractor() as ex, ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))


def test_close_wakes_the_threads_that_wait(fake: Path) -> None:
    ex = lede.Extractor()
    results = ex.extract_many(["x", "y HOLD", "z HOLD"])
    assert next(results).article
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(list, results)
        ex.close()
        with pytest.raises(lede.LedeError, match="the Extractor is closed; make another one"):
            waiting.result()
    ex.close()
    with pytest.raises(lede.LedeError, match="closed"):
        ex.extract("x")


@on_linux
def test_memory_does_not_grow(long: bool) -> None:
    count = 100_000 if long else 2_000

    def made() -> Iterator[str]:
        return (pages.page(i, paragraphs=5 + i % 50) if i % 3 else "" for i in range(count))

    with lede.Extractor(workers=2) as ex:
        before = (0, 0)
        for i, r in enumerate(ex.extract_many(made())):
            assert (r.article is None) == (i % 3 == 0)
            if i == count // 4:
                gc.collect()
                before = memory(), memory(lede_of(ex))
        gc.collect()
        assert memory() - before[0] < 8 << 20
        assert memory(lede_of(ex)) - before[1] < 64 << 20  # its garbage collector decides


def test_unknown_names_are_type_errors() -> None:
    with pytest.raises(TypeError, match=r"extract\(\) got an unexpected keyword argument 'methods'"):
        lede.extract("x", methods="nce")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Extractor\(\) got an unexpected keyword argument 'worker'"):
        lede.Extractor(worker=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"html must be str or bytes, not \w+Path; read the file, with read_bytes\(\)$"):
        lede.extract(Path("page.html"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="needs html, url or both"):
        lede.links()


@pytest.mark.parametrize("one", ["<p>a", b"<p>a", lede.Page("<p>a")])
def test_one_page_in_place_of_many(one: Any) -> None:
    with pytest.raises(TypeError, match=r"^pages must be an iterable of pages, and this is one page"):
        lede.extract_many(one)
    with pytest.raises(TypeError, match=r"^pages must be an iterable of pages"):
        asyncio.run(anext(aio.extract_many(one)))  # type: ignore[arg-type]


def test_url_in_place_of_a_page(recwarn: pytest.WarningsRecorder) -> None:
    for html in ("<a>story.html", "The ferry is back.", "a\nb.html", "<p>https://paper.example/a"):
        lede.extract(html)
    assert not recwarn.list
    lede.extract("https://paper.example/a")
    lede.extract("news/story.html")
    assert [str(w.message).partition(": ")[2] for w in recwarn] == [
        "use fetch",
        "use extract with the contents of the file",
    ]
    assert recwarn[0].filename == __file__


def test_long_pages_are_shown_by_their_beginning(page: bytes) -> None:
    assert repr(lede.Page("<p>a", url="https://paper.example/a")) == "Page('<p>a', url='https://paper.example/a')"
    assert repr(lede.Page(page)) == f"Page({page[:60]!r}…)"
    assert len(repr(lede.Result(page, None, lede.EmptyError("empty")))) < 200


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": "a"}, r'^workers "a": use a whole number$'),
        ({"page_time": -1}, "^page_time must be a positive duration, such as 10s$"),
        ({"favor": "x"}, r"^favor=x: use .*precision.*recall$"),
        ({"method": "nosuch"}, "nosuch"),
    ],
)
def test_wrong_values_are_errors_with_the_message_of_lede(options: Any, message: str) -> None:
    with lede.Extractor(**options) as ex, pytest.raises(lede.OptionError, match=message):
        ex.extract("<p>a")


def test_options_become_flags() -> None:
    options = {"workers": 2, "page_time": 0.5, "site_store": Path("sites.db"), "allow_private": True, "model": None}
    want = ["--workers=2", "--page-time=0.500000s", "--site-store=sites.db", "--allow-private"]
    assert flags(options, ExtractorOptions, "Extractor") == want


def test_options_of_a_call_override_those_of_the_extractor(fake: Path) -> None:
    with pickle.loads(pickle.dumps(lede.Extractor(method="nce"))) as ex:
        many = ex.extract_many(["x"], method="twcem")
        assert not fake.exists()  # nothing is started before it is needed
        assert ex.extract("x").method == "nce"
        assert ex.extract("x", method="blend").method == "blend"
        assert [r.article.method for r in many if r.article] == ["twcem"]
    assert len(fake.read_text().splitlines()) == 1


class TestStart:
    def fails(self, *, match: str) -> None:
        with lede.Extractor() as ex, pytest.raises(lede.StartError, match=match) as e:
            ex.extract("x")
        assert "install the wheel of lede-news for this platform, or set LEDE_COMMAND" in str(e.value)

    def test_missing(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("LEDE_COMMAND", str(tmp_path / "lede"))
        self.fails(match="cannot start .*lede: there is no such program")

    def test_another_platform(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        (tmp_path / "lede.exe").write_bytes(b"\0\1\2\3")
        (tmp_path / "lede.exe").chmod(0o755)
        monkeypatch.setenv("LEDE_COMMAND", str(tmp_path / "lede.exe"))
        self.fails(match="it is not a program for this platform")

    def test_another_program(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LEDE_COMMAND", sys.executable)
        self.fails(match="cannot start .*pipe")

    def test_another_protocol(self, fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FAKE_HELLO", json.dumps({"protocol": 2}))
        self.fails(match="its protocol is 2, and that of this package 1")

    def test_an_old_lede(self, fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FAKE_SAYS", 'lede: unknown command "pipe" for "lede"')
        monkeypatch.setenv("FAKE_STATUS", "2")
        self.fails(match="lede is too old for this package: unknown command")

    def test_output_that_is_not_a_frame(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        if os.name == "nt":
            pytest.skip("a script cannot stand in for a program on Windows")
        script = tmp_path / "lede"
        script.write_text("#!/bin/sh\necho HTTP/1.1 400 Bad Request\n")
        script.chmod(0o755)
        monkeypatch.setenv("LEDE_COMMAND", str(script))
        self.fails(match="its output is not a frame")
