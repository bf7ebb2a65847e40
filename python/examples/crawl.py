"""Crawl the front page of a paper with asyncio: a queue of addresses, some fetched at a time.

    python crawl.py https://paper.example/ --most 20

This is a small crawler for one site. ``lede follow`` obeys robots.txt, waits between requests, and knows
feeds and sitemaps; use it for more.
"""

from __future__ import annotations

import argparse
import asyncio

import lede_news as lede
from lede_news import aio


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--most", type=int, default=20, help="stories to fetch")
    parser.add_argument("--at-once", type=int, default=4, help="concurrent requests")
    parser.add_argument("--allow-private", action="store_true", help="allow addresses of this machine")
    args = parser.parse_args()

    queue: asyncio.Queue[str] = asyncio.Queue()
    async with aio.Extractor(allow_private=args.allow_private, timeout=20) as ex:
        # dict.fromkeys drops addresses that are linked twice.
        stories = dict.fromkeys(link.url for link in await ex.links(url=args.url) if link.story)
        for url in list(stories)[: args.most]:
            queue.put_nowait(url)

        async def work() -> None:
            while not queue.empty():
                url = queue.get_nowait()
                try:
                    article = await ex.fetch(url)
                except lede.LedeError as e:
                    print(f"failed: {url}: {e}")
                else:
                    print(f"{article.words} words: {article.title}")

        await asyncio.gather(*(work() for _ in range(args.at_once)))


if __name__ == "__main__":
    asyncio.run(main())
