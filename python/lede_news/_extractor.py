"""Extracting articles."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ._process import Process
from .article import Article
from .errors import LedeError, error


@dataclass(frozen=True)
class Page:
    """A page: its HTML, as text or as bytes in any charset, and what is known about it."""

    html: str | bytes
    url: str | None = None


class Result(NamedTuple):
    """What became of a page of :func:`extract_many`: an article, or an error."""

    page: str | bytes | Page
    article: Article | None
    error: LedeError | None


class Extractor:
    """Extracts articles with one process, which it ends with ``close`` or at the end of ``with``."""

    def __init__(self, *, method: str | None = None) -> None:
        self._options: dict[str, Any] = {} if method is None else {"method": method}
        self._process = Process()

    def __enter__(self) -> Extractor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def extract(self, html: str | bytes, url: str | None = None) -> Article:
        """Return the article of a page."""
        return self._article(self._send(Page(html, url)))

    def extract_many(self, pages: Iterable[str | bytes | Page]) -> Iterator[Result]:
        """Extract pages on all cores, and yield the results in their order."""
        sent: deque[tuple[str | bytes | Page, int]] = deque()

        def first() -> Result:
            page, number = sent.popleft()
            try:
                return Result(page, self._article(number), None)
            except LedeError as e:
                return Result(page, None, e)

        for page in pages:
            if len(sent) >= self._process.window:
                yield first()
            sent.append((page, self._send(page)))
        while sent:
            yield first()

    def _send(self, page: str | bytes | Page) -> int:
        p = page if isinstance(page, Page) else Page(page)
        head = {"do": "extract", **self._options}
        if p.url is not None:
            head["url"] = p.url
        body = p.html
        if isinstance(body, str):
            head["charset"] = "utf-8"
            body = body.encode("utf-8", "replace")
        return self._process.send(head, body)

    def _article(self, number: int) -> Article:
        head, body = self._process.receive(number)
        if "error" in head:
            raise error(head.get("kind", ""), head["error"])
        return Article.from_dict(json.loads(body))
