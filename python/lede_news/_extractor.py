"""Extracting articles."""

from __future__ import annotations

import atexit
import os
import re
import sys
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _links, _options
from ._process import MAX_BODY, Request
from ._session import Session, python_ends
from .article import Article
from .errors import LedeError, error

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._links import Link
    from ._options import ExtractorOptions, Options

MAX_HELD = 64 << 20  # bytes of pages that extract_many holds at once, unless one is larger
_ADDRESS = re.compile(r"https?://\S+|[^\s<>]+\.(html?|xhtml|gz)", re.IGNORECASE)
_AHEAD = 8  # windows of pages that extract_many is ahead, at most, of one that takes long


@dataclass(frozen=True)
class Page:
    """A page: its HTML, as text or as bytes in any charset, and what is known about it.

    ``charset`` overrides what the page declares; ``header_charset`` is what the HTTP
    header declared. ``link_text`` is the text of the link that led to the page, and
    ``site`` the name of its site, if that is not the host of its address. ``partial`` is
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
        self._fields, args = _options.split(options)
        self._encoded = _options.encode({"do": "extract", **self._fields})
        self._session = Session(args)
        self._finalizer = weakref.finalize(self, self._session.close)

    def __enter__(self) -> Extractor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (dict(self._options),)

    def close(self) -> None:
        """End the process. Threads that wait for an article get an error."""
        self._session.close()

    def extract(
        self,
        html: str | bytes,
        url: str | None = None,
        *,
        charset: str | None = None,
        header_charset: str | None = None,
        link_text: str | None = None,
        site: str | None = None,
        **options: Unpack[Options],
    ) -> Article:
        """Return the article of a page. The options override those of the Extractor."""
        _warn_of_address(html)
        page = Page(html, url, None, charset, header_charset, link_text, site)
        request = _page_request(page, self._encode(options, "extract"), url)
        return Article.from_json(self._answer(request))

    def extract_many(self, pages: Iterable[str | bytes | Page], **options: Unpack[Options]) -> Iterator[Result]:
        """Extract pages on all cores, and yield the results in their order.

        A page that fails has an error in its result. Pages are taken from the iterable
        as they are needed, some ahead of the results.
        """
        check_pages(pages)
        return self._extract_many(pages, self._encode(options, "extract_many"))

    def _extract_many(self, pages: Iterable[str | bytes | Page], encoded: str) -> Iterator[Result]:
        session = self._session
        sent: deque[tuple[str | bytes | Page, Request]] = deque()
        held = number = 0
        most = session.process().window * _AHEAD
        taken = iter(pages)
        failed: Exception | None = None
        while True:
            number += 1
            try:
                page = next(taken)
                request = _numbered_request(page, encoded, number)
            except StopIteration:
                break
            except Exception as e:  # the results of the pages before come first
                failed = e
                break
            while sent and (len(sent) >= most or held + request.size > MAX_HELD):
                held -= sent[0][1].size
                yield self._first(sent)
            session.send(request)
            sent.append((page, request))
            held += request.size
            while sent and sent[0][1].answer is not None:
                held -= sent[0][1].size
                yield self._first(sent)
        while sent:
            yield self._first(sent)
        if failed is not None:
            raise failed

    def _one_of_many(self, **options: Unpack[Options]) -> Callable[[str | bytes | Page, int], Result]:
        """Return a function that extracts a page with a number as ``extract_many`` does."""
        encoded = self._encode(options, "extract_many")

        def extract(page: str | bytes | Page, number: int) -> Result:
            request = _numbered_request(page, encoded, number)
            self._session.send(request)
            return self._first(deque([(page, request)]))

        return extract

    def _first(self, sent: deque[tuple[str | bytes | Page, Request]]) -> Result:
        page, request = sent.popleft()
        head, body = self._session.receive(request, (r for _, r in sent))
        if "error" in head:
            return Result(page, None, error(head.get("kind", ""), head["error"], request.name))
        return Result(page, Article.from_json(body), None)

    def fetch(
        self,
        url: str,
        *,
        charset: str | None = None,
        link_text: str | None = None,
        site: str | None = None,
        **options: Unpack[Options],
    ) -> Article:
        """Fetch a page, and return its article."""
        fields = {**self._fields, **_options.fields(options, "fetch")}
        fields |= _given(url=url, charset=charset, link_text=link_text, site=site)
        return Article.from_json(self._request("fetch", fields, b"", url))

    def links(self, html: str | bytes | None = None, url: str | None = None, charset: str | None = None) -> list[Link]:
        """Return the links of a page, and which lead to stories. Without html, the page is fetched."""
        if html is None and url is None:
            raise TypeError("links() needs html, url or both")
        body, charset = (b"", charset) if html is None else _encode_page(html, charset)
        return _links.parse(self._request("links", _given(url=url, charset=charset), body, url))

    def _request(self, do: str, options: Mapping[str, Any], body: bytes, page_name: str | None) -> bytes:
        """Send a request, and return the body of its answer, or raise its error."""
        return self._answer(Request(_options.encode({"do": do, **options}), body, page_name))

    def _answer(self, request: Request) -> bytes:
        self._session.send(request)
        head, body = self._session.receive(request)
        if "error" in head:
            raise error(head.get("kind", ""), head["error"], request.name)
        return body

    def _encode(self, options: Mapping[str, Any], function: str) -> str:
        """Return the options of an extraction as the fields of its requests."""
        if not options:
            return self._encoded
        fields = _options.fields(options, function)
        return _options.encode({"do": "extract", **self._fields, **fields})


def _make(options: ExtractorOptions) -> Extractor:
    return Extractor(**options)


def _given(**fields: str | None) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value is not None}


def _page_request(page: str | bytes | Page, encoded: str, name: str | None) -> Request:
    """Return the request of a page."""
    if not isinstance(page, Page):
        body, charset = _encode_page(page, None)
        if charset is not None:
            encoded += ',"charset":"utf-8"'
        return Request(encoded, body, name)
    body, charset = _encode_page(page.html, page.charset)
    fields = _given(
        url=page.url,
        charset=charset,
        header_charset=page.header_charset,
        link_text=page.link_text,
        site=page.site,
        partial=page.partial,
    )
    if fields:
        encoded += "," + _options.encode(fields)
    return Request(encoded, body, page.id or page.url or name)


def check_pages(pages: object) -> None:
    """Raise an error for one page where several are expected: its letters are no pages."""
    if isinstance(pages, (str, bytes, bytearray, memoryview, Page)):
        raise TypeError("pages must be an iterable of pages, and this is one page: use extract, or a list")


def _numbered_request(page: str | bytes | Page, encoded: str, number: int) -> Request:
    """Return the request of a page of several. One that cannot be sent has its answer already."""
    name = f"page {number}"
    try:
        return _page_request(page, encoded, name)
    except TypeError as e:
        raise TypeError(f"{name}: {e}") from None
    except LedeError as e:
        request = Request(encoded, b"", (page.id or page.url) if isinstance(page, Page) else None)
        request.name = request.name or name
        request.answer = ({"error": str(e), "kind": e.kind}, b"")
        return request


def _encode_page(html: object, charset: str | None) -> tuple[bytes, str | None]:
    """Return a page as bytes, and its charset if it is known."""
    if isinstance(html, str):
        charset = "utf-8"
        try:
            data = html.encode()
        except UnicodeEncodeError:  # halves of surrogate pairs, which are joined or replaced
            data = html.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
    elif isinstance(html, (bytes, bytearray, memoryview)):
        data = bytes(html)  # no copy of bytes
    else:
        hint = "; read the file, with read_bytes()" if isinstance(html, os.PathLike) else ""
        raise TypeError(f"html must be str or bytes, not {type(html).__name__}{hint}")
    if len(data) > MAX_BODY:
        raise error("too-large", f"the page has {len(data)} bytes, and more than {MAX_BODY} cannot be sent")
    return data, charset


def _warn_of_address(html: object) -> None:
    """Warn of an address or a path in place of a page, of which lede would make an article of one word."""
    if isinstance(html, str) and len(html) < 1000 and _ADDRESS.fullmatch(html):
        use = "fetch" if "://" in html else "extract with the contents of the file"
        level, frame = 1, sys._getframe()
        while frame.f_back and frame.f_globals["__name__"].startswith(__package__):
            level, frame = level + 1, frame.f_back
        warnings.warn(f"{html!r} is no page: use {use}", stacklevel=level)


def page_size(page: str | bytes | Page) -> int:
    """Return the size of a page, roughly."""
    return len(page.html if isinstance(page, Page) else page)


_default = Extractor()
atexit.register(python_ends.set)  # runs before the finalizers of all Extractors, since it is registered later


def default() -> Extractor:
    """Return the Extractor of the functions of the package."""
    return _default
