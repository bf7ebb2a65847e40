"""Compare the speed of the package with that of ``lede batch`` and of the library in Go.

    make python-bench

The program is that of the package, or ``LEDE_COMMAND``, for all of them. Everything runs
in one session, on the same pages, and takes turns, so that other load on the machine
affects all equally. The result is the median of the rounds.

Pages are those of the corpora, evenly chosen, or made-up ones if there are none. All
systems get them as UTF-8, which is what they are whatever they declare, with their
addresses, and all use the default settings and a limit of ten seconds for a page. The
titles and texts of all articles are read, and must have the same size everywhere.

What is timed:

batch         ``lede batch``, from its start to its end: reads the pages from a folder
              of plain files, its fastest input, extracts them on all cores, and writes
              titles, texts and the other fields of its records to a file.
batch jsonl   the same, from a file of JSON lines.
extract_many  from the start of an Extractor to its end: the pages are in memory as
              bytes. Title and text of each article are read.
aio           the same by ``lede_news.aio``.
read_warc     the pages are read from a web archive by ``read_warc``.
extract       ``extract`` for one page at a time, with a process that runs already. Title
              and text are read.
library       package lede in Go, one page at a time, in a process that runs already,
              with the text of each article; the garbage collector may use all cores.

``extract`` and ``library`` alternate every few pages, the others once a round.

The floors are .85 of ``lede batch`` for extract_many, and .7 of the library for extract.
The processor time is that of all processes together. It changes less than the pages
per second if the machine is busy.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

import lede_news as lede
from lede_news import aio
from lede_news._start import command

CHUNK = 50  # pages after which extract and library alternate
PAGE_TIME = 10  # seconds


def main() -> None:
    """Run the comparison."""
    args = arguments()
    with tempfile.TemporaryDirectory() as folder:
        race = Race(args, Path(folder))
        for number in range(1, args.rounds + 1):
            race.round()
            print(f"round {number} of {args.rounds}", file=sys.stderr)
        race.close()
        race.report()
    if args.floors and not race.above_floors():
        sys.exit(1)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    root = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description="Compare the package with lede batch and with the library in Go.")
    parser.add_argument("--library", default=str(root / "bin/library"), help="default: bin/library")
    parser.add_argument("--corpora", type=Path, default=root.parent / "shared/corpora", help="folder of corpora")
    parser.add_argument("--made-up", action="store_true", help="use made-up pages even if there are corpora")
    parser.add_argument("--pages", type=int, default=4000, help="number of pages (default: 4000)")
    parser.add_argument("--single", type=int, default=1000, help="number for one page at a time (default: 1000)")
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds (default: 5)")
    parser.add_argument("--only", default="", help="comma-separated names of what is measured (default: all)")
    parser.add_argument("--floors", action="store_true", help="fail below .85 of lede batch or .7 of the library")
    return parser.parse_args()


def read_pages(corpora: Path) -> list[lede.Page]:
    """Return the pages of corpora."""
    pages = []
    for gold in sorted(corpora.glob("*/gold.jsonl")):
        for line in gold.read_bytes().splitlines():
            entry = json.loads(line)
            file = gold.parent / "pages" / (entry["id"] + ".html.gz")
            if file.exists():
                pages.append(lede.Page(gzip.decompress(file.read_bytes()), url=entry.get("url"), charset="utf-8"))
    return pages


def made_up_pages(archive: Path, program: str, number: int) -> list[lede.Page]:
    """Return pages of made-up news sites."""
    write = [program, "newsroom", "write", "--total", str(number), str(archive)]
    subprocess.run(write, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [lede.Page(page.html, url=page.url, charset="utf-8") for page in lede.read_warc(archive)]


class Race:
    """The systems, their pages, and what was measured."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self.folder, self.program = folder, command()
        self.kind, pages = "of the corpora", [] if args.made_up else read_pages(args.corpora)
        if not pages:
            self.kind, pages = "that are made up", made_up_pages(folder / "made.warc", self.program, args.pages)
        self.pages = evenly(pages, args.pages)
        self.single = evenly(self.pages, args.single)
        self.write_inputs()
        self.extractor = lede.Extractor(page_time=PAGE_TIME)
        self.library = subprocess.Popen(
            [args.library, folder / "single.jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        many: dict[str, Callable[[], int]] = {
            "batch": lambda: self.batch(folder / "corpus"),
            "extract_many": self.extract_many,
            "batch jsonl": lambda: self.batch(folder / "pages.jsonl"),
            "aio": self.aio,
            "read_warc": self.read_warc,
        }
        only = [name for name in args.only.split(",") if name]
        self.many = {name: run for name, run in many.items() if not only or name in only}
        self.one = not only or "extract" in only
        for run in (self.extract, self.by_library) if self.one else ():
            run(0, min(CHUNK, len(self.single)))  # which starts and warms up their processes
        self.rates: dict[str, list[float]] = {}
        self.used: dict[str, list[float]] = {}
        self.sizes: dict[str, int] = {}

    def write_inputs(self) -> None:
        """Write the pages in all forms in which the systems read them."""
        (self.folder / "corpus/pages").mkdir(parents=True)
        with (
            open(self.folder / "corpus/gold.jsonl", "w") as gold,
            open(self.folder / "pages.jsonl", "w") as lines,
            open(self.folder / "pages.warc", "wb") as archive,
        ):
            for number, page in enumerate(self.pages):
                (self.folder / f"corpus/pages/{number:06}.html").write_bytes(as_bytes(page))
                gold.write(json.dumps({"id": f"{number:06}", "url": page.url or ""}) + "\n")
                lines.write(as_line(page))
                archive.write(as_record(page))
        with open(self.folder / "single.jsonl", "w") as lines:
            for page in self.single:
                lines.write(as_line(page))

    def round(self) -> None:
        """Measure each system once."""
        for name, run in self.many.items():
            self.measure(name, run)
        if self.one:
            self.alternate()

    def measure(self, name: str, run: Callable[[], int]) -> None:
        """Measure a system that extracts all pages."""
        before, start = processor_time(), time.perf_counter()
        size = run()
        took, used = time.perf_counter() - start, processor_time() - before
        if name.startswith("batch"):
            size = self.batch_size()
        self.add(name, len(self.pages), took, used, size)

    def add(self, name: str, pages: int, took: float, used: float, size: int) -> None:
        """Keep the result of a round."""
        self.rates.setdefault(name, []).append(pages / took)
        self.used.setdefault(name, []).append(1000 * used / pages)
        if self.sizes.setdefault(name, size) != size:
            sys.exit(f"{name}: the articles have {size} bytes, and had {self.sizes[name]}")

    def batch(self, pages: Path) -> int:
        """Extract all pages by lede batch."""
        out = self.folder / "out.jsonl"
        run: list[str | Path] = [
            self.program,
            "batch",
            pages,
            "--charset",
            "utf-8",
            "--page-time",
            f"{PAGE_TIME}s",
            "--quiet",
        ]
        done = subprocess.run([*run, "--overwrite", "--out", out], check=False, stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):  # 1: some pages failed
            sys.exit(f"lede batch: {done.stderr}")
        return 0

    def batch_size(self) -> int:
        """Return the size of the articles that lede batch wrote."""
        with open(self.folder / "out.jsonl", encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        if len(records) != len(self.pages):
            sys.exit(f"lede batch wrote {len(records)} records for {len(self.pages)} pages")
        return sum(size_of(r["title"], r["text"]) for r in records if "error" not in r)

    def extract_many(self) -> int:
        """Extract all pages by extract_many."""
        with lede.Extractor(page_time=PAGE_TIME) as extractor:
            return total(extractor.extract_many(self.pages))

    def aio(self) -> int:
        """Extract all pages by the asyncio version of extract_many."""

        async def run() -> int:
            size = 0
            async with aio.Extractor(page_time=PAGE_TIME) as extractor:
                async for _, article, _ in extractor.extract_many(self.pages):
                    if article is not None:
                        size += size_of(article.title, article.text)
            return size

        return asyncio.run(run())

    def read_warc(self) -> int:
        """Extract the pages of a web archive."""
        with lede.Extractor(page_time=PAGE_TIME) as extractor:
            return total(extractor.extract_many(lede.read_warc(self.folder / "pages.warc")))

    def alternate(self) -> None:
        """Extract single pages by the package and by the library, in turns."""
        took = {"extract": 0.0, "library": 0.0}
        size = {"extract": 0, "library": 0}
        for start in range(0, len(self.single), CHUNK):
            end = min(start + CHUNK, len(self.single))
            began = time.perf_counter()
            size["extract"] += self.extract(start, end)
            took["extract"] += time.perf_counter() - began
            seconds, bytes_ = self.by_library(start, end)
            took["library"] += seconds
            size["library"] += bytes_
        for name in took:
            self.add(name, len(self.single), took[name], 0, size[name])

    def extract(self, start: int, end: int) -> int:
        """Extract pages one at a time."""
        size = 0
        for page in self.single[start:end]:
            try:
                article = self.extractor.extract(page.html, page.url, charset="utf-8")
            except lede.LedeError:
                continue
            size += size_of(article.title, article.text)
        return size

    def by_library(self, start: int, end: int) -> tuple[float, int]:
        """Extract pages one at a time by the library in Go."""
        assert self.library.stdin is not None and self.library.stdout is not None
        self.library.stdin.write(f"{start} {end}\n")
        nanoseconds, size = self.library.stdout.readline().split()
        return int(nanoseconds) / 1e9, int(size)

    def close(self) -> None:
        """End all processes, and compare the sizes of all articles."""
        self.extractor.close()
        self.library.communicate()
        for names in (("batch", "batch jsonl", "extract_many", "aio"), ("extract", "library")):
            sizes = {name: self.sizes[name] for name in names if name in self.sizes}
            if len(set(sizes.values())) > 1:
                sys.exit(f"the articles differ in size: {sizes}")

    def ratio(self, name: str, to: str) -> float | None:
        """Return the speed of a system relative to another one: the median of the rounds."""
        pairs = zip(self.rates.get(name, []), self.rates.get(to, []), strict=False)
        return median(a / b for a, b in pairs) if name in self.rates and to in self.rates else None

    def report(self) -> None:
        """Print the figures."""
        print(f"{len(self.pages)} pages {self.kind}, {len(self.single)} of them one at a time; ", end="")
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print(f"{'':14}{'pages/s':>9}{'of batch':>10}{'CPU ms/page':>13}{'of batch':>10}{'of library':>12}")
        for name, rates in self.rates.items():
            used = median(self.used[name])
            many = name in self.many
            batch = self.ratio(name, "batch") if many else None
            cpu = median(self.used["batch"]) / used if many and "batch" in self.used else None
            library = None if many else self.ratio(name, "library")
            print(
                f"{name:14}{median(rates):9.1f}{figure(batch, 10, 3)}{figure(used or None, 13, 2)}"
                f"{figure(cpu, 10, 3)}{figure(library, 12, 3)}"
            )

    def above_floors(self) -> bool:
        """Report whether the package is fast enough."""
        above = True
        for name, to, floor in (("extract_many", "batch", 0.85), ("extract", "library", 0.7)):
            ratio = self.ratio(name, to)
            if ratio is None or ratio < floor:
                print(f"{name}: {figure(ratio, 0, 3)} of the speed of {to}, and {floor} is the floor", file=sys.stderr)
                above = False
        return above


def figure(value: float | None, width: int, digits: int) -> str:
    """Return a figure of a table."""
    return f"{'-':>{width}}" if value is None else f"{value:{width}.{digits}f}"


def evenly(pages: list[lede.Page], most: int) -> list[lede.Page]:
    """Return at most a number of pages, evenly chosen."""
    number = min(most, len(pages))
    return [pages[i * len(pages) // number] for i in range(number)]


def total(results: Iterable[lede.Result]) -> int:
    """Return the size of articles."""
    return sum(size_of(article.title, article.text) for _, article, _ in results if article is not None)


def size_of(title: str, text: str) -> int:
    """Return the size of an article in bytes."""
    return len(title.encode()) + len(text.encode())


def as_bytes(page: lede.Page) -> bytes:
    """Return the HTML of a page, which is valid UTF-8."""
    assert isinstance(page.html, bytes)
    return page.html


def as_line(page: lede.Page) -> str:
    """Return a page as a line of JSON."""
    return json.dumps({"html": as_bytes(page).decode(), "url": page.url or ""}, ensure_ascii=False) + "\n"


def as_record(page: lede.Page) -> bytes:
    """Return a page as a record of a web archive."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + as_bytes(page)
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\nWARC-Target-URI: {page.url or 'https://page.invalid/'}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def processor_time() -> float:
    """Return the seconds of processor time of this process and of those that it has ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()
