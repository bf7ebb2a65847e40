"""Extract the articles of news pages.

>>> import lede_news as lede
>>> article = lede.extract(html, "https://paper.example/a")
>>> for page, article, error in lede.extract_many(pages): ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ._batch import Batch, BatchFlags, batch
from ._extractor import Extractor, Page, Result, default
from ._links import Link
from ._read import read_warc
from .article import Article, Author, Block, Cell, Image, Media, Post, Span
from .errors import (
    AddressError,
    BrowserError,
    CharsetError,
    CrashError,
    EmptyError,
    FetchError,
    FileError,
    HangError,
    JSONError,
    LedeError,
    MalformedError,
    MethodError,
    NoContentError,
    NotArticleError,
    NotHTMLError,
    OptionError,
    PageMemoryError,
    PageTimeoutError,
    RobotsError,
    ScriptsError,
    SourceError,
    StartError,
    StatusError,
    TooLargeError,
    WaitError,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

__all__ = [
    "AddressError",
    "Article",
    "Author",
    "Batch",
    "BatchFlags",
    "Block",
    "BrowserError",
    "Cell",
    "CharsetError",
    "CrashError",
    "EmptyError",
    "Extractor",
    "FetchError",
    "FileError",
    "HangError",
    "Image",
    "JSONError",
    "LedeError",
    "Link",
    "MalformedError",
    "Media",
    "MethodError",
    "NoContentError",
    "NotArticleError",
    "NotHTMLError",
    "OptionError",
    "Page",
    "PageMemoryError",
    "PageTimeoutError",
    "Post",
    "Result",
    "RobotsError",
    "ScriptsError",
    "SourceError",
    "Span",
    "StartError",
    "StatusError",
    "TooLargeError",
    "WaitError",
    "__version__",
    "batch",
    "extract",
    "extract_many",
    "fetch",
    "links",
    "read_warc",
]

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """Return the version, which is read when it is first needed: that takes longer than the rest of the import."""
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib.metadata import PackageNotFoundError, version

        try:
            globals()[name] = version("lede-news")
        except PackageNotFoundError:  # a source tree that is not installed
            globals()[name] = "0.0.0.dev0"
        return globals()[name]


def extract(
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
    return default().extract(
        html,
        url,
        charset=charset,
        header_charset=header_charset,
        link_text=link_text,
        site=site,
        **options,
    )


def extract_many(pages: Iterable[str | bytes | Page], **options: Unpack[Options]) -> Iterator[Result]:
    """Extract pages on all cores, and yield the results in their order.

    See ``Extractor.extract_many``.
    """
    return default().extract_many(pages, **options)


def fetch(
    url: str,
    *,
    charset: str | None = None,
    link_text: str | None = None,
    site: str | None = None,
    **options: Unpack[Options],
) -> Article:
    """Fetch a page, and return its article. See ``Extractor.fetch``."""
    return default().fetch(url, charset=charset, link_text=link_text, site=site, **options)


def links(html: str | bytes | None = None, url: str | None = None, charset: str | None = None) -> list[Link]:
    """Return the links of a page, and which lead to stories. Without html, the page is fetched."""
    return default().links(html, url, charset)
