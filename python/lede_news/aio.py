"""The functions of the package for asyncio, with the same names.

>>> from lede_news import aio
>>> article = await aio.extract(html, "https://paper.example/a")
>>> async for page, article, error in aio.extract_many(pages): ...

The event loop is not blocked. A call that is cancelled leaves everything usable: the answer of
lede is dropped when it arrives.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from . import _extractor, _read
from ._batch import Run, batch_flags
from ._extractor import MAX_HELD, Page, Result, body_of, check_pages, make_result, numbered_request, page_size
from ._options import Options
from ._process import Answer, EndedError, Request
from .article import Article

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._batch import Batch, BatchFlags, _Paths
    from ._extractor import Link
    from ._options import ExtractorOptions, FetchOptions, PageOptions
    from .errors import LedeError

__all__ = ["Extractor", "Page", "Result", "batch", "extract", "extract_many", "fetch", "links", "read_warc"]

_AHEAD = 64  # pages that extract_many is ahead, at most, of one that takes long
_AT_ONCE = 256 << 10  # bytes of pages that read_warc reads before it changes threads


class Extractor:
    """An ``Extractor`` for asyncio, with the same options.

    >>> async with aio.Extractor(method="nce") as ex:
    ...     article = await ex.extract(html)
    """

    def __init__(self, **options: Unpack[ExtractorOptions]) -> None:
        self._extractor = _extractor.Extractor(**options)
        self._session = self._extractor._session

    async def __aenter__(self) -> Extractor:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End the process. Calls that wait for an article get an error."""
        await asyncio.to_thread(self._session.close)

    async def extract(self, html: str | bytes, url: str | None = None, **options: Unpack[PageOptions]) -> Article:
        """Return the article of a page. The options override those of the Extractor."""
        return Article.from_json(await self._body(self._extractor._extraction(html, url, options)))

    async def extract_many(
        self,
        pages: Iterable[str | bytes | Page] | AsyncIterable[str | bytes | Page],
        **options: Unpack[Options],
    ) -> AsyncIterator[Result]:
        """Extract pages on all cores, and yield the results in their order.

        A page that fails has an error in its result. Pages are taken as they are needed,
        some ahead of the results. The event loop reads an iterable that is not
        asynchronous, and is blocked if that waits for something.
        """
        check_pages(pages)
        fields = self._extractor._extract_fields(options, Options, "extract_many")
        sent: deque[tuple[asyncio.Task[Result], int]] = deque()
        held = 0
        change = asyncio.Event()  # of sent

        async def send() -> None:
            nonlocal held
            number = 0
            async for page in _each(pages):
                number += 1
                request = numbered_request(page, fields, number)
                size = page_size(page)
                while sent and (len(sent) >= _AHEAD or held + size > MAX_HELD):
                    change.clear()
                    await change.wait()
                sent.append((asyncio.ensure_future(self._result(page, request)), size))
                held += size
                change.set()

        sender = asyncio.ensure_future(send())
        sender.add_done_callback(lambda _: change.set())
        try:
            while sent or not sender.done():
                if not sent:
                    change.clear()
                    await change.wait()
                    continue
                result = await sent[0][0]
                held -= sent.popleft()[1]
                change.set()
                yield result
            await sender  # raises the error of the pages
        finally:
            for task in (sender, *(t for t, _ in sent)):
                task.cancel()

    async def _result(self, page: str | bytes | Page, request: Request | LedeError) -> Result:
        if not isinstance(request, Request):
            return Result(page, None, request)
        return make_result(page, request, await self._answer(request))

    async def fetch(self, url: str, **options: Unpack[FetchOptions]) -> Article:
        """Fetch a page, and return its article."""
        return Article.from_json(await self._body(self._extractor._fetch(url, options)))

    async def links(
        self, html: str | bytes | None = None, url: str | None = None, charset: str | None = None
    ) -> list[Link]:
        """Return the links of a page, and which lead to stories. Without html, the page is fetched."""
        return _extractor.parse_links(await self._body(_extractor.links_request(html, url, charset)))

    async def _body(self, request: Request) -> bytes:
        return body_of(request, await self._answer(request))

    async def _answer(self, request: Request) -> Answer:
        """Send a request, and wait for its answer. What blocks, which is rare, does so in a thread."""
        if not self._session.is_running:
            await asyncio.to_thread(self._session.process)
        self._session.send(request)
        try:
            return await asyncio.wrap_future(request.future)
        except EndedError:
            return await asyncio.to_thread(self._session.receive, request)


async def _each(
    pages: Iterable[str | bytes | Page] | AsyncIterable[str | bytes | Page],
) -> AsyncIterator[str | bytes | Page]:
    if isinstance(pages, AsyncIterable):
        async for page in pages:
            yield page
    else:
        for page in pages:
            yield page
            await asyncio.sleep(0)  # lets results be taken


_default = Extractor()
extract = _default.extract
extract_many = _default.extract_many
fetch = _default.fetch
links = _default.links


async def read_warc(
    *paths: str | os.PathLike[str],
    max_bytes: int | None = None,
    on_error: Callable[[LedeError], object] | None = None,
) -> AsyncIterator[Page]:
    """Yield the pages of web archives (WARC), one after the other. See ``lede_news.read_warc``.

    ``on_error`` is called in another thread.
    """
    pages = _read.read_warc(*paths, max_bytes=max_bytes, on_error=on_error)
    reading: asyncio.Future[list[Page]] | None = None
    try:
        while True:
            reading = asyncio.ensure_future(asyncio.to_thread(_some, pages))
            some = await asyncio.shield(reading)
            for page in some:
                yield page
            if not some:
                return
    finally:
        if reading is not None and not reading.done():  # it was cancelled, and a thread still reads
            reading.add_done_callback(lambda _: pages.close())
        else:
            pages.close()


def _some(pages: Iterator[Page]) -> list[Page]:
    """Return the next pages: a few if they are small, to change threads less often."""
    some, size = [], 0
    for page in pages:
        some.append(page)
        size += page_size(page)
        if size > _AT_ONCE:
            break
    return some


async def batch(
    inputs: _Paths,
    out: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    resume: bool = False,
    progress: Callable[[str], object] | None = None,
    **flags: Unpack[BatchFlags],
) -> Batch:
    """Extract many pages into a file. See ``lede_news.batch``.

    A run that is cancelled ends after the pages that are being extracted, as with Ctrl-C; run it
    again with ``resume=True`` to continue. ``progress`` is called in another thread.
    """
    run = Run(inputs, out, overwrite, resume, batch_flags(flags))
    try:
        return await asyncio.to_thread(run.wait, progress)
    except asyncio.CancelledError:
        run.interrupt()
        raise
