"""Extracting articles."""

from __future__ import annotations

import atexit
import json
import os
import re
import warnings
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ._options import ExtractorOptions, FetchOptions, Options, PageOptions, fields, flags
from ._process import Answer, Request
from ._session import Session, python_ends
from .article import Article
from .errors import LedeError, NoContentError, error

if TYPE_CHECKING:
    from typing_extensions import Unpack

MAX_HELD = 64 << 20  # bytes of pages that extract_many holds at once, unless one is larger
_AHEAD = 8  # windows of pages that extract_many is ahead, at most, of one that takes long
_ADDRESS = re.compile(r"https?://\S+|[^\s<>]+\.(html?|xhtml|gz)", re.IGNORECASE)


@dataclass(frozen=True)
class Page:
    """A page: its HTML, as text or as bytes in any charset, and what is known about it.

    ``charset`` overrides what the page declares; ``header_charset`` is what the HTTP
    header declared. ``link_text`` is the text of the link that led to the page, and
    ``site`` the name of its site, if that is not the host of its URL. ``partial`` is
    why the page is incomplete, such as "warc-truncated"; the article has it as
    ``partial_reason``.
    """

    html: str | bytes
    url: str | None = None
    id: str | None = None
    charset: str | None = None
    header_charset: str | None = None
    link_text: str | None = None
    site: str | None = None
    partial: str | None = None

    def __repr__(self) -> str:
        """Show the beginning of the page, and what is known about it."""
        known = (f", {n}={v!r}" for n, v in vars(self).items() if n != "html" and v is not None)
        return f"Page({_shown(self.html)}{''.join(known)})"


class Result(NamedTuple):
    """What became of a page of ``extract_many``: an article, or an error."""

    page: str | bytes | Page
    article: Article | None
    error: LedeError | None

    def __repr__(self) -> str:
        """Show the beginning of the page, and what became of it."""
        page = repr(self.page) if isinstance(self.page, Page) else _shown(self.page)
        return f"Result(page={page}, article={self.article!r}, error={self.error!r})"


def _shown(html: str | bytes) -> str:
    return repr(html) if len(html) <= 60 else f"{html[:60]!r}…"


@dataclass(frozen=True)
class Link:
    """A link of a page, and whether it leads to a story.

    ``score`` is the probability that it does, from 0 to 1, and ``why`` says what weighed
    most. ``section`` means that the link probably leads to the front of a section of the
    same site, with links to stories.
    """

    url: str
    text: str
    story: bool
    score: float
    why: str
    section: bool = False


class Extractor:
    """Extracts articles with one process of lede.

    The process is started when it is first needed, and ended by ``close``, at the end of
    ``with``, or with Python. Threads can share an Extractor. A child that is forked starts
    a process of its own.

    >>> with Extractor(method="nce", workers=4) as ex:
    ...     article = ex.extract(html, "https://paper.example/a")
    """

    def __init__(self, **options: Unpack[ExtractorOptions]) -> None:
        self._options = options
        own = {n: v for n, v in options.items() if n not in Options.__annotations__}
        self._session = Session(flags(own, ExtractorOptions, "Extractor"))
        self._fields = fields({n: v for n, v in options.items() if n not in own}, Options, "Extractor")
        self._finalizer = weakref.finalize(self, self._session.close)

    def __enter__(self) -> Extractor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return (default, ()) if self is _default else (_make, (dict(self._options),))

    def close(self) -> None:
        """End the process. Threads that wait for an article get an error."""
        self._session.close()

    def extract(self, html: str | bytes, url: str | None = None, **options: Unpack[PageOptions]) -> Article:
        """Return the article of a page. The options override those of the Extractor."""
        if isinstance(html, str) and len(html) < 1000 and _ADDRESS.fullmatch(html):
            use = "fetch" if "://" in html else "extract with the contents of the file"
            warnings.warn(f"{html!r} is not a page: use {use}", stacklevel=2)
        return Article.from_json(self._answer(self._extraction(html, url, options)))

    def extract_many(self, pages: Iterable[str | bytes | Page], **options: Unpack[Options]) -> Iterator[Result]:
        """Extract pages on all cores, and yield the results in their order.

        A page that fails has an error in its result. Pages are taken from the iterable
        as they are needed, some ahead of the results.
        """
        check_pages(pages)
        return self._extract_many(pages, self._extract_fields(options, Options, "extract_many"))

    def _extract_many(self, pages: Iterable[str | bytes | Page], fields: Mapping[str, Any]) -> Iterator[Result]:
        sent: deque[tuple[str | bytes | Page, Request | LedeError]] = deque()
        held = number = 0
        most = _AHEAD * int(self._session.process().hello["window"])
        taken = iter(pages)
        while True:
            number += 1
            try:
                page = next(taken)
                request = numbered_request(page, fields, number)
            except Exception as e:  # the results of the pages before come first
                failed: Exception = e
                break
            while sent and (len(sent) >= most or held + page_size(page) > MAX_HELD or is_done(sent[0][1])):
                held -= page_size(sent[0][0])
                yield self._result(*sent.popleft())
            if isinstance(request, Request):
                self._session.send(request)
            sent.append((page, request))
            held += page_size(page)
        while sent:
            yield self._result(*sent.popleft())
        if not isinstance(failed, StopIteration):
            raise failed

    def _result(self, page: str | bytes | Page, request: Request | LedeError) -> Result:
        if isinstance(request, LedeError):
            return Result(page, None, request)
        return make_result(page, request, self._session.receive(request))

    def fetch(self, url: str, **options: Unpack[FetchOptions]) -> Article:
        """Fetch a page, and return its article."""
        return Article.from_json(self._answer(self._fetch(url, options)))

    def links(self, html: str | bytes | None = None, url: str | None = None, charset: str | None = None) -> list[Link]:
        """Return the links of a page, and which lead to stories. Without html, the page is fetched."""
        return parse_links(self._answer(links_request(html, url, charset)))

    def _extraction(self, html: str | bytes, url: str | None, options: Mapping[str, Any]) -> Request:
        """Return the request of an extraction."""
        given = self._extract_fields(options, PageOptions, "extract")
        return _page_request(Page(html, url, charset=given.get("charset")), given, url)

    def _fetch(self, url: str, options: Mapping[str, Any]) -> Request:
        """Return the request of a fetch."""
        given = {**self._fields, **fields(options, FetchOptions, "fetch")}
        return Request({"do": "fetch", **given, "url": url}, b"", url)

    def _extract_fields(self, options: Mapping[str, Any], known: type, function: str) -> dict[str, Any]:
        return {"do": "extract", **self._fields, **fields(options, known, function)}

    def _answer(self, request: Request) -> bytes:
        """Send a request, and return the body of its answer, or raise its error."""
        self._session.send(request)
        return body_of(request, self._session.receive(request))


def _make(options: ExtractorOptions) -> Extractor:
    return Extractor(**options)


def body_of(request: Request, answer: Answer) -> bytes:
    """Return the body of an answer, or raise its error."""
    head, body = answer
    if "error" in head:
        failed = error(head.get("kind", ""), head["error"], request.name)
        if body and isinstance(failed, NoContentError):
            failed.facts = Article.from_json(body)
        raise failed
    return body


def make_result(page: str | bytes | Page, request: Request, answer: Answer) -> Result:
    """Return the result of a page of several."""
    try:
        return Result(page, Article.from_json(body_of(request, answer)), None)
    except LedeError as e:
        return Result(page, None, e)


def is_done(request: Request | LedeError) -> bool:
    """Report whether a page of several has its result."""
    return isinstance(request, LedeError) or request.future.done()


def links_request(html: str | bytes | None, url: str | None, charset: str | None) -> Request:
    """Return the request of links."""
    if html is None and url is None:
        raise TypeError("links() needs html, url or both")
    return _page_request(Page(b"" if html is None else html, url, charset=charset), {"do": "links"}, url)


def parse_links(body: bytes) -> list[Link]:
    """Return the links of JSON lines, as ``lede links --json`` prints them."""
    lines = (json.loads(line) for line in body.splitlines())  # of bytes: not at U+2028
    return [Link(**{n: v for n, v in line.items() if n in Link.__dataclass_fields__}) for line in lines]


def numbered_request(page: str | bytes | Page, fields: Mapping[str, Any], number: int) -> Request | LedeError:
    """Return the request of a page of several, or the error of one that cannot be sent."""
    try:
        return _page_request(page if isinstance(page, Page) else Page(page), fields, f"page {number}")
    except TypeError as e:
        raise TypeError(f"page {number}: {e}") from None
    except LedeError as e:
        return e


_PAGE = ("url", "charset", "header_charset", "link_text", "site", "partial")


def _page_request(page: Page, fields: Mapping[str, Any], name: str | None) -> Request:
    """Return the request of a page."""
    known = {n: v for n in _PAGE if (v := getattr(page, n)) is not None}
    html: object = page.html
    if isinstance(html, str):
        known["charset"] = "utf-8"
        try:
            data = html.encode()
        except UnicodeEncodeError:  # halves of surrogate pairs, which are joined or replaced
            data = html.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
    elif isinstance(html, (bytes, bytearray, memoryview)):
        data = bytes(html)  # no copy of bytes
    else:
        hint = "; read the file, with read_bytes()" if isinstance(html, os.PathLike) else ""
        raise TypeError(f"html must be str or bytes, not {type(html).__name__}{hint}")
    return Request({**fields, **known}, data, page.id or page.url or name)


def check_pages(pages: object) -> None:
    """Raise an error for one page where several are expected: its letters are not pages."""
    if isinstance(pages, (str, bytes, bytearray, memoryview, Page)):
        raise TypeError("pages must be an iterable of pages, and this is one page: use extract, or a list")


def page_size(page: str | bytes | Page) -> int:
    """Return the size of a page, roughly."""
    return len(page.html if isinstance(page, Page) else page)


_default = Extractor()
atexit.register(python_ends.set)  # runs before the finalizers of all Extractors, since it is registered later


def default() -> Extractor:
    """Return the Extractor of the functions of the package."""
    return _default
