"""Starting lede, frames, options and the functions of the package."""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import pages
import pytest

import lede_news as lede
from lede_news import _extractor, _process
from lede_news._options import split
from lede_news._process import Frames, write_frame


def test_extract() -> None:
    article = lede.extract(pages.page(3), "https://paper.example/3")
    assert article.title == "Bridge report 3"
    assert pages.words(3) in article.text
    assert "About us" not in article.text


def test_extract_many_keeps_the_order() -> None:
    made = [pages.page(i) for i in range(60)]
    results = list(lede.extract_many(made))
    assert [r.page for r in results] == made
    for i, r in enumerate(results):
        assert r.error is None
        assert r.article is not None
        assert pages.words(i) in r.article.text


def test_a_page_that_fails_does_not_end_extract_many() -> None:
    mixed: list[str | lede.Page] = [
        pages.page(1),
        "",
        lede.Page(b"", id="empty"),
        lede.Page("", url="https://paper.example/e"),
        pages.page(2),
    ]
    results = list(lede.extract_many(mixed))
    assert [r.article is not None for r in results] == [True, False, False, False, True]
    assert [r.error.kind for r in results if r.error] == ["empty"] * 3
    assert [r.error.page for r in results if r.error] == ["page 2", "empty", "https://paper.example/e"]


def test_an_exception_of_the_pages_comes_after_their_results() -> None:
    def some() -> Iterator[str]:
        yield from (pages.page(i) for i in range(5))
        raise LookupError("no more")

    results = lede.extract_many(some())
    assert [next(results).article.title for _ in range(5)] == [f"Bridge report {i}" for i in range(5)]  # type: ignore[union-attr]
    with pytest.raises(LookupError, match="no more"):
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
        assert taken <= 20 + 8 * ex._session.process().window
        results.close()  # type: ignore[attr-defined]
        assert ex.extract(pages.page(1)).title == "Bridge report 1"


def test_unknown_names_are_type_errors() -> None:
    with pytest.raises(TypeError, match=r"extract\(\) got an unexpected keyword argument 'methods'"):
        lede.extract("x", methods="nce")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="'workers'"):
        lede.extract_many([], workers=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Extractor\(\) got an unexpected keyword argument 'worker'"):
        lede.Extractor(worker=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"html must be str or bytes, not \w+Path"):
        lede.extract(Path("page.html"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="html must be str or bytes, not NoneType"):
        list(lede.extract_many([None]))  # type: ignore[list-item]
    with pytest.raises(TypeError, match="needs html, url or both"):
        lede.links()


def test_a_page_of_another_type_comes_after_the_results_before_it() -> None:
    results = lede.extract_many([pages.page(0), pages.page(1), None, pages.page(2)])  # type: ignore[list-item]
    assert [next(results).article.title for _ in range(2)] == ["Bridge report 0", "Bridge report 1"]  # type: ignore[union-attr]
    with pytest.raises(TypeError, match="page 3: html must be str or bytes, not NoneType"):
        next(results)


def test_a_page_that_cannot_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_extractor, "MAX_BODY", 10_000)
    made: list[str | lede.Page] = [
        pages.page(0),
        lede.Page("x" * 20_000, id="long"),
        lede.Page("x", link_text="x" * 2_000_000),
        pages.page(1),
    ]
    results = list(lede.extract_many(made))
    assert [r.error.kind if r.error else "" for r in results] == ["", "too-large", "option", ""]
    assert [r.error.page for r in results if r.error] == ["long", "page 3"]
    with pytest.raises(lede.TooLargeError, match="the page has 20000 bytes"):
        lede.extract("x" * 20_000)


def test_wrong_values_are_errors_with_the_message_of_lede() -> None:
    with pytest.raises(lede.LedeError, match="nosuch"):
        lede.extract(pages.page(1), method="nosuch")
    with pytest.raises(lede.OptionError, match="max_bytes"), lede.Extractor(max_bytes="many") as ex:  # type: ignore[arg-type]
        ex.extract(pages.page(1))
    assert lede.extract(pages.page(1)).title == "Bridge report 1"


def test_options_become_fields_and_flags() -> None:
    fields, args = split(
        {
            "method": "nce",
            "settings": {"a": 1, "b": True},
            "keep": ("comments", "tables"),
            "pictures": False,
            "favor": None,
            "workers": 2,
            "page_time": 0.5,
            "timeout": 3,
            "site_store": Path("sites.db"),
            "allow_private": True,
            "user_agent": "me",
            "model": None,
        }
    )
    assert fields == {"method": "nce", "set": ["a=1", "b=true"], "with": ["comments", "tables"], "pictures": False}
    assert args == [
        "--workers=2",
        "--page-time=0.500000s",
        "--site-store=sites.db",
        "--timeout=3.000000s",
        "--user-agent=me",
        "--allow-private",
    ]


def test_options_of_a_call_override_those_of_the_extractor(fake: Path) -> None:
    with lede.Extractor(method="nce") as ex:
        assert ex.extract("x").method == "nce"
        assert ex.extract("x", method="blend").method == "blend"
        assert [r.article.method for r in ex.extract_many(["x"], method="twcem") if r.article] == ["twcem"]
    assert len(fake.read_text().splitlines()) == 1


def test_nothing_is_started_before_it_is_needed(fake: Path) -> None:
    with lede.Extractor() as ex:
        ex.extract_many(["x"])
        assert not fake.exists()
        ex.extract("x")
    assert len(fake.read_text().splitlines()) == 1


def test_options_that_do_not_fit_into_a_frame() -> None:
    with pytest.raises(lede.LedeError, match="the options have 2000"):
        lede.extract(pages.page(1), link_text="x" * 2_000_000)
    assert lede.extract(pages.page(1), link_text="x" * 500_000).title == "Bridge report 1"


def test_an_extractor_is_closed_once_and_used_no_more(fake: Path) -> None:
    ex = lede.Extractor()
    with ex:
        ex.extract("x")
    ex.close()
    with pytest.raises(lede.LedeError, match="the Extractor is closed; make another one"):
        ex.extract("x")
    with pytest.raises(lede.LedeError, match="closed"):
        list(ex.extract_many(["x"]))
    with pytest.raises(lede.LedeError, match="closed"), ex:
        ex.extract("x")


def test_close_in_the_middle_of_extract_many(fake: Path) -> None:
    ex = lede.Extractor()
    results = ex.extract_many(["x", "y HOLD", "z HOLD"])
    assert next(results).article
    ex.close()
    with pytest.raises(lede.LedeError, match="closed"):
        list(results)


def test_an_extractor_can_be_pickled(fake: Path) -> None:
    with pickle.loads(pickle.dumps(lede.Extractor(method="nce"))) as ex:
        assert ex.extract("x").method == "nce"


def test_answers_in_any_pieces_and_order(fake: Path) -> None:
    made = ["a SPLIT", "b HOLD", "c LARGE", "d", "e HOLD SPLIT", "f LARGE", "g"] * 5
    with lede.Extractor() as ex:
        results = list(ex.extract_many(made))
    assert [r.article.title for r in results if r.article] == made
    assert [len(r.article.text) for r in results if r.article and "LARGE" in r.article.title] == [3_000_000] * 10


@pytest.mark.skipif(os.name == "nt", reason="the file cannot be shortened while lede has it")
def test_messages_of_lede_do_not_fill_the_disk(fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_process, "_STDERR", 1000)
    monkeypatch.setenv("FAKE_SAYS", "x" * 2000)
    with lede.Extractor() as ex:
        sizes = []
        for i, _ in enumerate(ex.extract_many(["x"] * 1030)):
            if i in (0, 1029):
                stderr = ex._session.process()._stderr
                assert stderr is not None
                sizes.append(os.fstat(stderr.fileno()).st_size)
        assert sizes == [2000, 0]
        with pytest.raises(lede.CrashError, match=r"this page is too much$"):
            ex.extract("DIE")


def test_frames() -> None:
    read, write = os.pipe()
    with open(read, "rb", buffering=0) as out, open(write, "wb", buffering=0) as into:
        frames = Frames(out)
        for body in (b"", b"page", b"\0" * 50_000):
            write_frame(into, b'{"id":1}', body)
        seen: list[tuple[dict[str, object], bytes]] = []
        while len(seen) < 3:
            seen += frames.read()
        assert seen == [({"id": 1}, b""), ({"id": 1}, b"page"), ({"id": 1}, b"\0" * 50_000)]


class TestStart:
    def fails(self, *, match: str) -> None:
        with lede.Extractor() as ex:
            with pytest.raises(lede.LedeError, match=match) as e:
                ex.extract("x")
            assert "install the wheel of lede-news for this platform, or set LEDE_COMMAND" in str(e.value)
            with pytest.raises(lede.LedeError, match=match):
                list(ex.extract_many(["x"]))

    def test_missing(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("LEDE_COMMAND", str(tmp_path / "lede"))
        self.fails(match="cannot start .*lede: there is no such program")

    @pytest.mark.skipif(os.name == "nt", reason="needs file modes")
    def test_not_executable(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        (tmp_path / "lede").write_text("x")
        monkeypatch.setenv("LEDE_COMMAND", str(tmp_path / "lede"))
        self.fails(match="it is not executable")

    def test_another_platform(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        (tmp_path / "lede.exe").write_bytes(b"\0\1\2\3")
        (tmp_path / "lede.exe").chmod(0o755)
        monkeypatch.setenv("LEDE_COMMAND", str(tmp_path / "lede.exe"))
        self.fails(match="it is no program for this platform")

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

    def test_output_that_is_no_frame(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        if os.name == "nt":
            pytest.skip("a script cannot stand in for a program on Windows")
        script = tmp_path / "lede"
        script.write_text("#!/bin/sh\necho HTTP/1.1 400 Bad Request\n")
        script.chmod(0o755)
        monkeypatch.setenv("LEDE_COMMAND", str(script))
        self.fails(match="its output is no frame")
