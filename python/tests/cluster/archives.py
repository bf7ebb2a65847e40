"""Archives for the tests of the cluster, and what ``lede`` on one machine makes of them.

The same sizes, corpora and program give the same bytes. Everything is written once, below
a folder that is kept, and read by all tests.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import itertools
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

LARGEST = "northcape-wire"  # the site with half of all pages
VERSION = 5  # changes with what is written
BEGIN = datetime(2026, 3, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class Sizes:
    """How much is written."""

    name: str
    archives: int
    pages: int
    split: int  # bytes after which an archive is split


SHORT = Sizes("short", archives=6, pages=400, split=256 << 10)
MEDIUM = Sizes("medium", archives=10, pages=2000, split=1 << 20)  # for stages that last some seconds
LONG = Sizes("long", archives=40, pages=20_400, split=4 << 20)


@dataclass
class Record:
    """A response in a web archive."""

    url: str
    page: bytes
    status: str = "200 OK"
    kind: str = "text/html; charset=utf-8"
    date: datetime = BEGIN
    id: str = ""
    type: str = "response"

    def encode(self) -> bytes:
        http = (
            f"HTTP/1.1 {self.status}\r\nContent-Type: {self.kind}\r\nContent-Length: {len(self.page)}\r\n\r\n".encode()
            + self.page
        )
        name = self.id or "urn:made-up:" + hashlib.sha256(self.url.encode() + self.page).hexdigest()[:24]
        head = (
            f"WARC/1.0\r\nWARC-Type: {self.type}\r\nWARC-Record-ID: <{name}>\r\n"
            f"WARC-Date: {self.date:%Y-%m-%dT%H:%M:%SZ}\r\nWARC-Target-URI: {self.url}\r\n"
            f"Content-Type: application/http; msgtype={self.type}\r\nContent-Length: {len(http)}\r\n\r\n"
        )
        return head.encode() + http + b"\r\n\r\n"


@dataclass
class Archives:
    """Archives, and the results of one machine for them."""

    folder: Path
    sizes: Sizes
    program: str
    paths: list[Path] = field(default_factory=list)

    @property
    def list(self) -> Path:
        """The file with a path on each line."""
        return self.folder / "archives.txt"

    def articles(self, name: str = "articles", *flags: str) -> Path:
        """Return the Parquet file of ``lede batch`` with these flags, in the order of the list."""
        return self._made(f"{name}.parquet", "batch", *map(str, self.paths), *flags, "--quiet", "--out")

    def two_pass(self) -> Path:
        """Return the Parquet file of ``lede batch --two-pass``."""
        return self.articles("two-pass", "--two-pass")

    def stories(self, articles: Path) -> Path:
        """Return the JSON lines of ``lede stories`` of a Parquet file."""
        return self._made(f"{articles.stem}-stories.jsonl", "stories", str(articles), "--quiet", "--out")

    def _made(self, name: str, *args: str) -> Path:
        stamp = Path(self.program).stat()
        done = self.folder / "reference" / f"{stamp.st_size}-{stamp.st_mtime_ns}" / name
        if not done.exists():
            done.parent.mkdir(parents=True, exist_ok=True)
            made = done.with_name("new-" + name)
            run = subprocess.run([self.program, *args, str(made), "--overwrite"], capture_output=True, check=False)
            # 1: some pages failed, as they should.
            assert run.returncode in (0, 1), run.stderr.decode()
            made.rename(done)
        return done


def archives(cache: Path, sizes: Sizes, program: str, corpora: Path) -> Archives:
    """Return the archives of these sizes, and write them if they are not there."""
    real = sorted(corpora.glob("*/gold.jsonl"))
    folder = cache / f"{sizes.name}-{VERSION}-{'real' if real else 'made-up'}"
    ready = Archives(folder, sizes, program)
    if not ready.list.exists():
        for old in cache.glob(f"{sizes.name}-*"):
            shutil.rmtree(old)
        _write(folder, sizes, program, real)
    ready.paths = [Path(line) for line in ready.list.read_text().splitlines()]
    return ready


def _write(folder: Path, sizes: Sizes, program: str, real: list[Path]) -> None:
    """Distribute all pages over archives. The first has six times as many as the others."""
    dice = random.Random(sizes.name)
    records = list(_records(sizes, program, real))
    dice.shuffle(records)
    weights = [6.0] + [1.0] * (sizes.archives - 1)
    shares: list[list[Record]] = [[] for _ in weights]
    for number, record in enumerate(records):
        record.date = BEGIN + timedelta(seconds=37 * number)
        shares[dice.choices(range(len(weights)), weights)[0]].append(record)
    paths = []
    for number, share in enumerate(shares):
        # Some names occur twice, in different folders.
        name = f"{'ab'[number % 2]}/news-{number // 2:03}.warc" + ("" if number % 3 == 1 else ".gz")
        paths.append(folder / name)
        write(paths[-1], share, number)
    partial = folder / "archives.partial"
    partial.write_text("".join(f"{path}\n" for path in paths))
    partial.rename(folder / "archives.txt")


def write(path: Path, records: Iterable[Record], number: int = 0) -> None:
    """Write a web archive, compressed by record if its name ends in .gz."""
    write_until(path, iter(records), sys.maxsize, number)


def write_until(path: Path, records: Iterator[Record], size: int, number: int = 0) -> None:
    """Write a web archive of this size, or of all records."""
    path.parent.mkdir(parents=True, exist_ok=True)
    info = (
        f"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:made-up:info-{number}>\r\n"
        f"WARC-Date: 2026-03-01T00:00:00Z\r\nContent-Type: application/warc-fields\r\nContent-Length: 17\r\n\r\n"
        "software: a test\n\r\n\r\n"
    )
    with path.open("wb") as out:
        for block in itertools.chain([info.encode()], (record.encode() for record in records)):
            out.write(gzip.compress(block, 4, mtime=0) if path.suffix == ".gz" else block)
            if out.tell() >= size:
                break


def _records(sizes: Sizes, program: str, real: list[Path]) -> Iterator[Record]:
    """All records: half are of one site, a fortieth fail or have no page."""
    most, odd = sizes.pages // 2 + sizes.pages // 50, max(20, sizes.pages // 40)
    yield from newsroom(program, most, "--sites", LARGEST)
    yield from _odd(odd)
    rest = sizes.pages - most - odd
    wire, some = rest * 3 // 10, rest // 5
    yield from _wire(program, wire)
    pages = list(corpus(real, some))
    yield from pages
    yield from newsroom(program, rest - wire - len(pages), "--seed", "7")


def newsroom(program: str, number: int, *flags: str) -> Iterator[Record]:
    """Pages of ``lede-lab newsroom``."""
    write = [program, "newsroom", "write", "--warc", "--total", str(number), *flags, "-"]
    with subprocess.Popen(write, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        while line := process.stdout.readline():
            if not line.startswith(b"WARC/"):
                continue
            head = {}
            while (line := process.stdout.readline()).strip():
                name, _, value = line.decode().partition(":")
                head[name.lower()] = value.strip()
            block = process.stdout.read(int(head["content-length"]))
            if head["warc-type"] == "response":
                page = block.partition(b"\r\n\r\n")[2]
                yield Record(head["warc-target-uri"], page, id=head["warc-record-id"].strip("<>"), kind="text/html")
    assert process.returncode == 0


def _wire(program: str, number: int) -> Iterator[Record]:
    """Wire stories, with copies, near copies and other articles on the same events, as plain pages."""
    lines = subprocess.run(
        [program, "newsroom", "wire", "--articles", str(number)], capture_output=True, check=True
    ).stdout.splitlines()
    for at, line in enumerate(lines):
        story = json.loads(line)
        body = "".join(f"<p>{html.escape(paragraph)}</p>\n" for paragraph in story["text"].split("\n"))
        title, date = html.escape(story["title"]), story["date"]
        page = (
            f'<!DOCTYPE html><html lang="{story["lang"]}"><head><meta charset="utf-8"><title>{title}</title>'
            f'<meta property="article:published_time" content="{date}"></head><body>\n'
            f'<nav><a href="/">Home</a> <a href="/news">News</a></nav><article><h1>{title}</h1>\n{body}</article>'
            '<footer><a href="/about">About us</a></footer></body></html>\n'
        )
        # Later versions have the id of the first, as an address that is fetched again.
        name = f"urn:made-up:{story['id']}"
        yield Record(story["url"], page.encode(), id=name.rpartition("-")[0] if at % 17 == 0 else name)


def corpus(corpora: list[Path], number: int) -> Iterator[Record]:
    """An even choice of the pages of corpora. All are UTF-8."""
    every: list[tuple[str, Path]] = []
    for gold in corpora:
        for line in gold.read_bytes().splitlines():
            entry = json.loads(line)
            site = entry.get("site") or f"{gold.parent.name}.example"
            every.append(
                (entry.get("url") or f"https://{site}/{entry['id']}", gold.parent / "pages" / f"{entry['id']}.html.gz")
            )
    for url, path in every[:: max(1, len(every) // max(1, number))][:number]:
        if path.exists() and path.stat().st_size < 200 << 10 and url.isascii() and url.isprintable() and " " not in url:
            yield Record(url, gzip.decompress(path.read_bytes()))


def _odd(number: int) -> Iterator[Record]:
    """Records that fail, are no pages, or look like something else."""
    paragraph = "<p>The council of Upper Mill voted on Tuesday to repair the old bridge before winter comes.</p>"
    for at in range(number):
        url = f"https://www.odd-{at % 7}.example/{at}"
        article = f"<title>Report {at}</title><h1>Report {at}</h1>{paragraph * 8}".encode()
        match at % 8:
            case 0:
                yield Record(url, b"<h1>Not found</h1>", status="404 Not Found")
            case 1:
                yield Record(url, b"")
            case 2:
                yield Record(url, b"\x00\xff\xfe" * 500, kind="image/png")
            case 3:  # a page about web archives: a record within a record
                yield Record(url, article + b"<pre>\r\n\r\n" + Record(url + "/x", article).encode() + b"</pre>")
            case 4:
                yield Record(url, b"\x1f\x8b\x08\x00 broken", kind="text/html\r\nContent-Encoding: gzip")
            case 5:
                yield Record(url, b"", status="302 Found\r\nLocation: /elsewhere")
            case 6:
                yield Record(url, b"<div>" * 3000 + article)
            case _:
                yield Record(url, article, type="request")
