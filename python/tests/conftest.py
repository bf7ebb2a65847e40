"""What several tests need: the program, synthetic pages, and the corpora."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from lede_news._start import command

REPOSITORY = Path(__file__).resolve().parents[2]
LONG = bool(os.environ.get("LEDE_LONG"))


def shared() -> Path:
    """Return the folder named shared beside the repository, or beside one of the folders around it."""
    for folder in REPOSITORY.parents:
        if (folder / "shared" / "corpora").is_dir():
            return folder / "shared"
    return REPOSITORY.parent / "shared"


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """Ctrl-C is an exception, also if the tests run in the background of a shell, which ignores it there."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return REPOSITORY


@pytest.fixture(scope="session")
def long() -> bool:
    """Whether the long forms of tests run (LEDE_LONG)."""
    return LONG


@pytest.fixture(scope="session")
def program() -> str:
    """The path of the program of lede."""
    return command()


@pytest.fixture(scope="session")
def cli(program: str) -> Callable[..., bytes]:
    """Run lede and return what it prints: ``cli("extract", "-", stdin=html)``."""

    def run(*args: str | Path, stdin: bytes = b"", status: int = 0) -> bytes:
        done = subprocess.run([program, *map(str, args)], input=stdin, capture_output=True, check=False)
        assert done.returncode == status, done.stderr.decode()
        return done.stdout

    return run


@pytest.fixture(scope="session")
def page_files() -> list[Path]:
    """The synthetic pages of testdata/pages."""
    files = sorted(REPOSITORY.glob("testdata/pages/*/source.html"))
    assert files, "no pages in testdata/pages"
    return files


@pytest.fixture(scope="session")
def page() -> bytes:
    """One synthetic page."""
    return (REPOSITORY / "testdata/pages/modern-semantic/source.html").read_bytes()


@pytest.fixture(scope="session")
def corpus_files() -> Callable[[int], list[Path]]:
    """Return a sample of the pages of each corpus: ``corpus_files(20)`` has up to 20 of each, all with LEDE_LONG."""
    folders = sorted(f.parent for f in shared().glob("corpora/*/gold.jsonl"))
    if not folders:
        pytest.skip("no corpora in ../shared/corpora beside the repository")

    def files(each: int) -> list[Path]:
        sample = []
        for folder in folders:
            pages = sorted(folder.glob("pages/*.html.gz"))
            sample += pages if LONG else pages[:: max(1, len(pages) // each)][:each]
        return sample

    return files


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let fake_lede.py stand in for lede, and return the file that has a line for each time it was started."""
    if os.name == "nt":
        pytest.skip("a script cannot stand in for a program on Windows")
    script = tmp_path / "lede"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{Path(__file__).with_name("fake_lede.py")}" "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("LEDE_COMMAND", str(script))
    monkeypatch.setenv("FAKE_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


FRONT_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The Quay Courier</title></head><body>
<nav><a href="/">Home</a> <a href="/news/">News</a> <a href="/sport/">Sport</a> <a href="/about">About us</a></nav>
<main>
<h2><a href="/news/2024/05/14/ferry-returns-to-saltmarsh-end-after-two-years">Ferry returns to Saltmarsh End after two years</a></h2>
<h2><a href="/news/2024/05/13/divers-report-on-the-old-pier-at-saltmarsh-end">Divers report on the old pier at Saltmarsh End</a></h2>
<h2><a href="/sport/2024/05/13/rowers-win-the-estuary-cup-in-heavy-rain">Rowers win the estuary cup in heavy rain</a></h2>
</main>
<footer><a href="/privacy">Privacy</a> <a href="/newsletter">Newsletter</a></footer>
</body></html>
"""  # noqa: E501


@pytest.fixture(scope="session")
def front_page() -> bytes:
    """The front page of a synthetic paper."""
    return FRONT_PAGE.encode()


@pytest.fixture(scope="session")
def server(page: bytes, front_page: bytes) -> Iterator[str]:
    """The URL of a synthetic paper on this machine: its front page, and a story at every other URL."""

    class Paper(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = front_page if self.path == "/" else page
            self.send_response(404 if self.path == "/robots.txt" else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Paper) as paper:
        thread = threading.Thread(target=paper.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{paper.server_port}"
        paper.shutdown()
        thread.join()


@pytest.fixture
def warc(tmp_path: Path) -> Callable[..., Path]:
    """Write a web archive with pages by their URLs."""

    def write(pages: dict[str, bytes], name: str = "news.warc.gz") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"".join(gzip.compress(record(url, page)) for url, page in pages.items()))
        return path

    return write


def record(
    url: str, page: bytes, status: str = "200 OK", kind: str = "text/html; charset=utf-8", more: str = ""
) -> bytes:
    """Return a record of a web archive."""
    http = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + page
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{url}>\r\nWARC-Date: 2024-05-14T12:00:00Z\r\n"
        f"WARC-Target-URI: {url}\r\n{more}Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"
