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

import pytest

import lede_news as lede
from lede_news import Page, _child, _read
from lede_news._read import read_warc
from lede_news.errors import CrashError, FileError, LedeError, OptionError, SourceError, TooLargeError

PAGES = 60


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, cli: Callable[..., bytes]) -> Path:
    """A web archive with made-up pages."""
    path = tmp_path_factory.mktemp("archive") / "pages.warc.gz"
    cli("newsroom", "write", "--warc", "-n", str(PAGES), path)
    return path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[_child.Child]:
    """The processes that the test starts."""
    found: list[_child.Child] = []

    class Child(_child.Child):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            found.append(self)

    monkeypatch.setattr(_read, "Child", Child)
    return found


def record(body: str, status: str = "200 OK", kind: str = "text/html", more: str = "") -> bytes:
    """Return a record of a web archive with a response."""
    http = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n{body}".encode()
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://paper.example/a\r\n"
        "WARC-Date: 2024-05-07T06:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
        f"{more}Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def test_pages(archive: Path, started: list[_child.Child]) -> None:
    pages = list(read_warc(archive))
    assert len(pages) == PAGES
    assert len({p.id for p in pages}) == PAGES
    assert all(p.url and p.url.startswith("http") and b"<" in p.html for p in pages if isinstance(p.html, bytes))
    assert all(isinstance(p.html, bytes) for p in pages)
    assert pages == list(read_warc(str(archive)))
    assert [c.process.returncode is not None for c in started] == [True, True]


def test_what_is_known_about_a_page(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(record("<p>A", kind="text/html; charset=koi8-r"))
    url, name = "https://paper.example/a", "urn:uuid:00000000-0000-0000-0000-000000000001"
    assert list(read_warc(path)) == [Page(b"<p>A", url, name, header_charset="koi8-r")]
    lines = tmp_path / "a.jsonl"
    line = {"id": "7", "url": url, "html": "<p>\u00e9", "site": "The Paper", "link_text": "A ferry"}
    lines.write_text(json.dumps(line))
    [page] = read_warc(lines)
    assert (page.id, page.url, page.site, page.link_text) == ("7", url, "The Paper", "A ferry")
    assert page.html == "<p>\u00e9".encode()


def test_incomplete_pages(tmp_path: Path, page: bytes) -> None:
    path, out = tmp_path / "a.warc", tmp_path / "out.jsonl"
    path.write_bytes(record(page.decode(), more="WARC-Truncated: length\r\n"))
    [read] = read_warc(path)
    assert read.partial == "warc-truncated"
    [(_, article, _)] = lede.extract_many([read])
    assert article is not None
    assert (article.partial, article.partial_reason) == (True, "warc-truncated")
    assert lede.batch(path, out).partial == 1
    assert json.loads(out.read_bytes())["partial_reason"] == article.partial_reason


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
    pages = list(read_warc(folder, tmp_path / "t.tar.gz", tmp_path / "z.zip", folder / "a.html"))
    assert [p.html for p in pages] == [html] * 5
    assert [p.id for p in pages] == ["folder/a", "folder/b", "t.tar.gz/a", "z.zip/deep/c", "a"]


def test_responses_that_are_no_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(record("<p>Gone", status="404 Not Found") + record("<p>A"))
    assert [p.html for p in read_warc(path)] == [b"<p>A"]
    errors: list[LedeError] = []
    assert len(list(read_warc(path, on_error=errors.append))) == 1
    assert [e.kind for e in errors] == ["status"]


def test_damage(archive: Path, tmp_path: Path, started: list[_child.Child]) -> None:
    data = bytearray(archive.read_bytes())
    whole = list(read_warc(archive))
    middle = len(data) // 2
    data[middle : middle + 500] = bytes(500)
    path = tmp_path / "damaged.warc.gz"
    path.write_bytes(data)
    pages: list[Page] = []
    with pytest.raises(SourceError, match=r"damaged\.warc\.gz is damaged: .* at byte \d+") as e:
        pages.extend(read_warc(path))
    assert 0 < len(pages) < PAGES
    assert pages == whole[: len(pages)]
    assert e.value.page
    errors: list[LedeError] = []
    rest = list(read_warc(path, on_error=errors.append))
    assert [e.kind for e in errors] == ["source"]
    assert len(pages) < len(rest) < PAGES
    assert rest[-1] == whole[-1]
    assert all(c.process.returncode is not None for c in started)


def test_archive_that_is_cut_off(archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.warc.gz"
    path.write_bytes(archive.read_bytes()[:-100])
    pages = read_warc(path)
    for _ in range(PAGES - 1):
        next(pages)
    with pytest.raises(SourceError, match="cut off"):
        next(pages)
    assert next(pages, None) is None


def test_what_cannot_be_read(tmp_path: Path, archive: Path) -> None:
    with pytest.raises(FileError, match=r"gone\.warc: no such file or folder"):
        next(read_warc(tmp_path / "gone.warc"))
    with pytest.raises(OptionError, match="addresses are fetched by requests"):
        next(read_warc("https://paper.example/a"))
    with pytest.raises(OptionError, match="--max-bytes must be at least 1"):
        next(read_warc(archive, max_bytes=0))
    with pytest.raises(TypeError, match="needs the path"):
        read_warc()
    with pytest.raises(TooLargeError, match="larger than 10 bytes"):
        next(read_warc(archive, max_bytes=10))
    errors: list[LedeError] = []
    assert list(read_warc(archive, max_bytes=10, on_error=errors.append)) == []
    assert len(errors) == PAGES


def test_process_that_is_killed(archive: Path, started: list[_child.Child]) -> None:
    pages = read_warc(*[archive] * 50)  # more than fits into the pipe
    next(pages)
    started[0].process.kill()
    rest: list[Page] = []
    with pytest.raises(CrashError, match="before the last page was read"):
        rest.extend(pages)
    assert len(rest) < 50 * PAGES


def test_process_ends_with_the_iterator(archive: Path, started: list[_child.Child]) -> None:
    for way in ("close", "forget", "raise"):
        pages = read_warc(*[archive] * 50)
        next(pages)
        process = started[-1].process
        assert process.poll() is None
        if way == "close":
            pages.close()
        elif way == "raise":
            with pytest.raises(ValueError, match="stop"):
                pages.throw(ValueError("stop"))
        del pages
        gc.collect()
        assert process.returncode is not None


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork(archive: Path, started: list[_child.Child]) -> None:
    pages = read_warc(*[archive] * 50)
    for _ in range(PAGES):
        next(pages)
    if not (child := os.fork()):
        try:
            while True:  # those that have arrived before the fork
                next(pages)
        except LedeError as e:
            os._exit(7 if "call read_warc in each process" in str(e) else 8)
        finally:
            os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert started[0].process.poll() is None
    assert sum(1 for _ in pages) == 49 * PAGES
