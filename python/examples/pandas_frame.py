"""Pages in a pandas frame: add columns with their articles, and write CSV.

    python pandas_frame.py PAGE.html… --out articles.csv

With pyarrow, frame.to_parquet works too; lede.batch writes Parquet without it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

import lede_news as lede


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--out", default="articles.csv")
    args = parser.parse_args()

    frame = pd.DataFrame({"file": [p.name for p in args.pages], "html": [p.read_bytes() for p in args.pages]})

    # extract_many keeps the order, so its results fit the rows.
    frame = frame.join(pd.DataFrame([columns(r) for r in lede.extract_many(frame["html"])], index=frame.index))

    frame.drop(columns="html").to_csv(args.out, index=False)
    print(frame[["file", "title", "published", "words", "error"]].to_string())


def columns(result: lede.Result) -> dict[str, object]:
    """Return the columns of a page. A page that failed has only its error."""
    if result.article is None:
        return {"error": result.error.kind if result.error else None}
    article = result.article
    return {
        "title": article.title,
        "byline": article.byline,
        "published": article.published.isoformat() if article.published else None,
        "words": article.words,
        "text": article.text,
    }


if __name__ == "__main__":
    main()
