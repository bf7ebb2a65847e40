"""Compare the speed of the package for Python with that of ``lede batch``: ``make python-bench``.

Pages are those of the corpora, evenly chosen. All ways get them as UTF-8, with their URLs and the
default settings, on all cores, and take turns, so that other load affects all equally. ``extract_many``
and ``aio`` start an Extractor, and read title and text of each article; ``extract`` does so one page at a
time. The result is the median of the rounds, and with --floor the exit status is 1 if ``extract_many`` has
less than that part of the speed of ``lede batch``.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import lede_news as lede
from lede_news import aio


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--corpora", type=Path, default=root.parent / "shared/corpora", help="folder of corpora")
    parser.add_argument("--pages", type=int, default=4000, help="number of pages (default: 4000)")
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds (default: 5)")
    parser.add_argument("--floor", type=float, default=0, help="least speed of extract_many, such as .85")
    args = parser.parse_args()
    pages = read_pages(args.corpora, args.pages)
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder, "pages.jsonl")
        with lines.open("w") as out:
            for page in pages:
                assert isinstance(page.html, bytes)
                out.write(json.dumps({"url": page.url or "", "html": page.html.decode("utf-8", "replace")}) + "\n")
        ways: dict[str, Callable[[], object]] = {
            "batch": lambda: lede.batch(lines, Path(folder, "out.jsonl"), overwrite=True),
            "extract_many": lambda: extract_many(pages),
            "aio": lambda: asyncio.run(extract_async(pages)),
            "extract": lambda: extract(pages[::4]),
        }
        rates: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(args.rounds):
            for name, run in ways.items():
                start = time.perf_counter()
                run()
                count = len(pages[::4]) if name == "extract" else len(pages)
                rates[name].append(count / (time.perf_counter() - start))
    base = median(rates["batch"])
    for name, found in rates.items():
        print(f"{name:13} {median(found):6.0f} pages/s  {median(found) / base:.2f} of batch")
    return int(median(rates["extract_many"]) < args.floor * base)


def read_pages(corpora: Path, count: int) -> list[lede.Page]:
    pages = []
    for gold in sorted(corpora.glob("*/gold.jsonl")):
        for line in gold.read_bytes().splitlines():
            entry = json.loads(line)
            file = gold.parent / "pages" / (entry["id"] + ".html.gz")
            if file.exists():
                pages.append(lede.Page(gzip.decompress(file.read_bytes()), url=entry.get("url"), charset="utf-8"))
    if not pages:
        sys.exit(f"no corpora in {corpora}")
    return pages[:: max(1, len(pages) // count)][:count]


def read(article: lede.Article | None) -> int:
    return len(article.title) + len(article.text) if article else 0


def extract_many(pages: list[lede.Page]) -> int:
    with lede.Extractor() as ex:
        return sum(read(r.article) for r in ex.extract_many(pages))


async def extract_async(pages: list[lede.Page]) -> int:
    async with aio.Extractor() as ex:
        return sum([read(r.article) async for r in ex.extract_many(pages)])


def extract(pages: list[lede.Page]) -> int:
    total = 0
    with lede.Extractor() as ex:
        for page in pages:
            try:
                total += read(ex.extract(page.html, page.url, charset=page.charset))
            except lede.LedeError:
                continue
    return total


if __name__ == "__main__":
    sys.exit(main())
