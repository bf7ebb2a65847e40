"""Extraction as a part of work that is spread over processes.

    python multiprocess.py PAGE.html…

Each process of the pool has a process of lede of its own, started by its first page. For extraction alone
no pool is needed: extract_many uses all cores.
"""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import lede_news as lede


def longest_word(path: str) -> tuple[str, str]:
    """Return the title of a page and the longest word of its article: it stands for slow Python code."""
    try:
        article = lede.extract(Path(path).read_bytes())
    except lede.LedeError as e:
        return path, f"({e.kind})"
    words = Counter(word.strip(".,;:!?“”'\"()") for word in article.text.split())
    return article.title, max(words, key=len, default="")


def main() -> None:
    with ProcessPoolExecutor(max_workers=2) as pool:
        for title, word in pool.map(longest_word, sys.argv[1:]):
            print(f"{word}: {title}")


if __name__ == "__main__":
    main()
