"""Make a table of articles with pandas: one row for each page.

python pandas_frame.py PAGE.html… --out articles.csv
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

    # extract_many keeps the order, so the results are columns of the same frame.
    results = list(lede.extract_many(frame["html"]))
    frame["title"] = [r.article.title if r.article else None for r in results]
    frame["text"] = [r.article.text if r.article else None for r in results]
    frame["error"] = [r.error.kind if r.error else None for r in results]

    frame.drop(columns="html").to_csv(args.out, index=False)
    print(frame[["title", "error"]].to_string())


if __name__ == "__main__":
    main()
