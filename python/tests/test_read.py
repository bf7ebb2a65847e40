"""The pages of archives."""

from __future__ import annotations

import gc
import gzip
import json
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pages
import pytest
from conftest import record

import lede_news as lede
from lede_news import Page, _read, _start
from lede_news._read import read_warc
from lede_news.errors import CrashError, FileError, LedeError, OptionError, SourceError, TooLargeError

PAGES = 60
URL = "https://paper.example/a"


@pytest.fixture
def archive(warc: Callable[..., Path]) -> Path:
    return warc({f"https://paper.example/{i}": pages.page(i).encode() for i in range(PAGES)})


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[_start.Child]:
    """The processes that the test starts."""
    found: list[_start.Child] = []

    class Child(_start.Child):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            found.append(self)

    monkeypatch.setattr(_read, "Child", Child)
    return found


def test_pages(archive: Path, started: list[_start.Child]) -> None:
    found = list(read_warc(archive))
    assert [p.html for p in found] == [pages.page(i).encode() for i in range(PAGES)]
    assert [p.url for p in found] == [f"https://paper.example/{i}" for i in range(PAGES)]
    assert len({p.id for p in found}) == PAGES
    assert started[0].returncode is not None


def test_what_is_known_about_a_page(tmp_path: Path, page: bytes) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(record(URL, page, kind="text/html; charset=koi8-r", more="WARC-Truncated: length\r\n"))
    [read] = read_warc(path)
    assert read == Page(page, URL, f"urn:x:{URL}", header_charset="koi8-r", partial="warc-truncated")
    [(_, article, _)] = lede.extract_many([read])
    assert article is not None
    assert (article.partial, article.partial_reason) == (True, "warc-truncated")
    line = {"id": "7", "url": URL, "html": "<p>\u00e9", "site": "The Paper", "link_text": "A ferry"}
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    assert list(read_warc(tmp_path / "a.jsonl")) == [
        Page("<p>\u00e9".encode(), URL, "7", header_charset="utf-8", site="The Paper", link_text="A ferry")
    ]


def test_other_inputs(tmp_path: Path) -> None:
    html = b"<title>A</title><p>The ferry is back."
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.html").write_bytes(html)
    (folder / "b.html.gz").write_bytes(gzip.compress(html))
    with tarfile.open(tmp_path / "t.tar.gz", "w:gz") as tar:
        tar.add(folder / "a.html", "a.html")
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as z:
        z.writestr("deep/c.html", html)
    found = list(read_warc(folder, tmp_path / "t.tar.gz", tmp_path / "z.zip", folder / "a.html"))
    assert [p.html for p in found] == [html] * 5
    assert [p.id for p in found] == ["folder/a", "folder/b", "t.tar.gz/a", "z.zip/deep/c", "a"]


def test_responses_that_are_not_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(record(URL, b"<p>Gone", status="404 Not Found") + record(URL, b"<p>A"))
    assert [p.html for p in read_warc(path)] == [b"<p>A"]
    errors: list[LedeError] = []
    assert len(list(read_warc(path, on_error=errors.append))) == 1
    assert [e.kind for e in errors] == ["status"]


def test_damage(archive: Path, started: list[_start.Child]) -> None:
    whole = list(read_warc(archive))
    data = bytearray(archive.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 500] = bytes(500)
    archive.write_bytes(data)
    found: list[Page] = []
    with pytest.raises(SourceError, match=r"news\.warc\.gz is damaged: .* at byte \d+") as e:
        found.extend(read_warc(archive))
    assert e.value.page
    assert found == whole[: len(found)] != []
    errors: list[LedeError] = []
    rest = list(read_warc(archive, on_error=errors.append))
    assert [e.kind for e in errors] == ["source"]
    assert len(found) < len(rest) < PAGES
    assert rest[-1] == whole[-1]
    assert all(c.returncode is not None for c in started)


def test_what_cannot_be_read(tmp_path: Path, archive: Path) -> None:
    with pytest.raises(FileError, match=r"gone\.warc: no such file or folder"):
        next(read_warc(tmp_path / "gone.warc"))
    with pytest.raises(OptionError, match="fetched by requests"):
        next(read_warc("https://paper.example/a"))
    with pytest.raises(TypeError, match="needs the path"):
        read_warc()
    with pytest.raises(TooLargeError, match="larger than 10 bytes"):
        next(read_warc(archive, max_bytes=10))


def test_process_that_is_killed(archive: Path, started: list[_start.Child]) -> None:
    found = read_warc(*[archive] * 50)  # more than fits into the pipe
    next(found)
    started[0].kill()
    with pytest.raises(CrashError, match="before the last page was read"):
        list(found)


def test_process_ends_with_the_iterator(archive: Path, started: list[_start.Child]) -> None:
    found = read_warc(*[archive] * 50)
    next(found)
    assert started[0].poll() is None
    del found
    gc.collect()
    assert started[0].returncode is not None


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork(archive: Path, started: list[_start.Child]) -> None:
    found = read_warc(*[archive] * 50)
    next(found)
    if not (child := os.fork()):
        try:
            next(found)
        except LedeError as e:
            os._exit(7 if "call read_warc in each process" in str(e) else 8)
        finally:
            os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert started[0].poll() is None
    assert sum(1 for _ in found) == 50 * PAGES - 1
