"""The functions of the package for asyncio, with the same names.

>>> from lede_news import aio
>>> article = await aio.extract(html, "https://paper.example/a")
>>> async for page, article, error in aio.extract_many(pages): ...

Threads wait for lede, and the event loop is not blocked. A call that is cancelled leaves
everything usable: the answer of lede is dropped when it arrives.
"""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from . import _batch, _extractor, _read
from ._extractor import MAX_HELD, Page, Result, check_pages, page_size
from ._threads import Threads

if TYPE_CHECKING:
    from typing_extensions import ParamSpec, Unpack

    from ._batch import Batch, BatchFlags, _Paths
    from ._links import Link
    from ._options import ExtractorOptions, Options
    from .article import Article
    from .errors import LedeError

    P = ParamSpec("P")
    T = TypeVar("T")

__all__ = ["Extractor", "Page", "Result", "batch", "extract", "extract_many", "fetch", "links", "read_warc"]

_THREADS = min(64, 4 * (os.cpu_count() or 1) + 4)  # they wait; lede has its own workers
_AT_ONCE = 256 << 10  # bytes of pages that read_warc reads before it changes threads


class Extractor:
    """An ``Extractor`` for asyncio, with the same options.

    >>> async with aio.Extractor(method="nce") as ex:
    ...     article = await ex.extract(html)
    """

    def __init__(self, **options: Unpack[ExtractorOptions]) -> None:
        self._extractor = _extractor.Extractor(**options)
        self._threads = Threads(_THREADS)

    async def __aenter__(self) -> Extractor:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End the process. Calls that wait for an article get an error."""
        await asyncio.wrap_future(Threads(1).submit(self._extractor.close))  # all others may be busy
        self._threads.close()

    async def extract(
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
        return await self._run(
            self._extractor.extract,
            html,
            url,
            charset=charset,
            header_charset=header_charset,
            link_text=link_text,
            site=site,
            **options,
        )

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
        extract = self._extractor._one_of_many(**options)
        source = _Source(pages)
        sent: deque[tuple[asyncio.Future[Result], int]] = deque()
        held = number = 0
        try:
            while sent or not source.ended:
                first = sent[0][0] if sent else None
                if first is not None and first.done():
                    held -= sent.popleft()[1]
                    yield first.result()
                elif source.ended or len(sent) >= 2 * _THREADS or held >= MAX_HELD:
                    assert first is not None
                    await asyncio.wait((first,))
                elif await source.wait(first):
                    number += 1
                    size = page_size(source.page)
                    sent.append((self._submit(extract, source.page, number), size))
                    held += size
        finally:
            for future in (source.coming, *(f for f, _ in sent)):
                if future is not None:
                    future.cancel()
        if source.error is not None:
            raise source.error

    async def fetch(
        self,
        url: str,
        *,
        charset: str | None = None,
        link_text: str | None = None,
        site: str | None = None,
        **options: Unpack[Options],
    ) -> Article:
        """Fetch a page, and return its article."""
        return await self._run(self._extractor.fetch, url, charset=charset, link_text=link_text, site=site, **options)

    async def links(
        self, html: str | bytes | None = None, url: str | None = None, charset: str | None = None
    ) -> list[Link]:
        """Return the links of a page, and which lead to stories. Without html, the page is fetched."""
        return await self._run(self._extractor.links, html, url, charset)

    async def _run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._submit(call, *args, **kwargs)

    def _submit(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        return asyncio.wrap_future(self._threads.submit(functools.partial(call, *args, **kwargs)))


class _Source:
    """The pages of an iterable, asynchronous or not."""

    def __init__(self, pages: Iterable[str | bytes | Page] | AsyncIterable[str | bytes | Page]) -> None:
        if isinstance(pages, AsyncIterable):
            self._async: AsyncIterator[str | bytes | Page] | None = aiter(pages)
        else:
            self._async, self._sync = None, iter(pages)
        self.page: str | bytes | Page = b""
        self.coming: asyncio.Future[str | bytes | Page] | None = None
        self.ended = False
        self.error: Exception | None = None  # is raised after the results of the pages before it

    async def wait(self, other: asyncio.Future[Result] | None) -> bool:
        """Wait for the next page, or until something else is done, and report whether there is a page."""
        try:
            if self._async is None:
                self.page = next(self._sync)
                return True
            if self.coming is None:
                self.coming = asyncio.ensure_future(anext(self._async))
            if other is not None:
                await asyncio.wait((self.coming, other), return_when=asyncio.FIRST_COMPLETED)
                if not self.coming.done():
                    return False
            self.page = await self.coming
            self.coming = None
            return True
        except (StopIteration, StopAsyncIteration):
            self.ended = True
        except Exception as e:
            self.ended, self.error = True, e
        return False


_default = Extractor()


async def extract(
    html: str | bytes,
    url: str | None = None,
    *,
    charset: str | None = None,
    header_charset: str | None = None,
    link_text: str | None = None,
    site: str | None = None,
    **options: Unpack[Options],
) -> Article:
    """Return the article of a page. See ``Extractor.extract``."""
    return await _default.extract(
        html,
        url,
        charset=charset,
        header_charset=header_charset,
        link_text=link_text,
        site=site,
        **options,
    )


def extract_many(
    pages: Iterable[str | bytes | Page] | AsyncIterable[str | bytes | Page], **options: Unpack[Options]
) -> AsyncIterator[Result]:
    """Extract pages on all cores, and yield the results in their order.

    See ``Extractor.extract_many``.
    """
    return _default.extract_many(pages, **options)


async def fetch(
    url: str,
    *,
    charset: str | None = None,
    link_text: str | None = None,
    site: str | None = None,
    **options: Unpack[Options],
) -> Article:
    """Fetch a page, and return its article. See ``Extractor.fetch``."""
    return await _default.fetch(url, charset=charset, link_text=link_text, site=site, **options)


async def links(html: str | bytes | None = None, url: str | None = None, charset: str | None = None) -> list[Link]:
    """Return the links of a page, and which lead to stories. Without html, the page is fetched."""
    return await _default.links(html, url, charset)


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
            reading = asyncio.ensure_future(_default._run(_some, pages))
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

    A run that is cancelled ends some seconds later, as with Ctrl-C; run it again with
    ``resume=True`` to continue.
    """
    loop = asyncio.get_running_loop()
    cancelled = threading.Event()

    def show(line: str) -> None:
        if cancelled.is_set():
            raise asyncio.CancelledError
        if progress is not None:
            loop.call_soon_threadsafe(progress, line)

    try:
        return await _default._run(
            _batch.batch, inputs, out, overwrite=overwrite, resume=resume, progress=show, **flags
        )
    except asyncio.CancelledError:
        cancelled.set()
        raise
