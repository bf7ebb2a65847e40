"""Web archives to JSON lines, one article a line.

    python archive.py CC-NEWS-*.warc.gz > articles.jsonl

``lede.batch`` does this faster and can be interrupted; here, Python sees each article on its way.
"""

from __future__ import annotations

import argparse
import json
import sys

import lede_news as lede


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--min-words", type=int, default=50, help="leave shorter articles out")
    args = parser.parse_args()

    damage: list[lede.LedeError] = []
    written = failed = 0
    pages = lede.read_warc(*args.archives, on_error=damage.append)
    for page, article, _ in lede.extract_many(pages, only_articles=True):
        assert isinstance(page, lede.Page)
        if article is None:
            failed += 1
        elif article.words >= args.min_words:
            written += 1
            line = {"url": page.url, "title": article.title, "date": str(article.published or ""), "text": article.text}
            print(json.dumps(line, ensure_ascii=False))
    print(f"{written} articles; {failed} pages without one; {len(damage)} could not be read", file=sys.stderr)


if __name__ == "__main__":
    main()
