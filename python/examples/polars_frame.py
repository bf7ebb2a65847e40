"""Pages in a polars frame: extract their articles, and write Parquet.

python polars_frame.py PAGE.html… --out articles.parquet
"""

from __future__ import annotations

import argparse
from pathlib import Path

import polars as pl

import lede_news as lede

SCHEMA = {"title": pl.String, "byline": pl.String, "published": pl.String, "words": pl.Int64, "text": pl.String}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--out", default="articles.parquet")
    args = parser.parse_args()

    pages = pl.DataFrame({"file": [p.name for p in args.pages], "html": [p.read_bytes() for p in args.pages]})

    # extract_many keeps the order, so its results fit the rows.
    articles = pl.DataFrame(
        [{name: value(r.article, name) for name in SCHEMA} for r in lede.extract_many(pages["html"])],
        schema=SCHEMA,
    )
    frame = pl.concat([pages.drop("html"), articles], how="horizontal")

    frame.write_parquet(args.out)
    longest = frame.filter(pl.col("title").is_not_null()).sort("words", descending=True)
    for row in longest.select("words", "title").iter_rows():
        print(*row)


def value(article: lede.Article | None, name: str) -> object:
    """Return a field of an article, with dates as text: some have no time of day."""
    found = getattr(article, name) if article else None
    return str(found) if name == "published" and found else found


if __name__ == "__main__":
    main()
