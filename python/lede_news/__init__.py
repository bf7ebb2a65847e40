"""Extract the articles of news pages.

>>> import lede_news as lede
>>> article = lede.extract(html, "https://paper.example/a")
>>> for page, article, error in lede.extract_many(pages): ...

The functions are those of one ``Extractor``, which is shared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import errors
from ._batch import Batch, BatchFlags, batch
from ._extractor import Extractor, Link, Page, Result, default
from ._read import read_warc
from .article import Article, Author, Block, Cell, Image, Media, Post, Span
from .errors import *  # noqa: F403

__all__ = [
    "Article",
    "Author",
    "Batch",
    "BatchFlags",
    "Block",
    "Cell",
    "Extractor",
    "Image",
    "Link",
    "Media",
    "Page",
    "Post",
    "Result",
    "Span",
    "__version__",
    "batch",
    "extract",
    "extract_many",
    "fetch",
    "links",
    "read_warc",
]
__all__ += errors.__all__

extract = default().extract
extract_many = default().extract_many
fetch = default().fetch
links = default().links

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """Return the version, which is read when it is first needed: that takes longer than the rest of the import."""
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("lede-news")
        except PackageNotFoundError:  # a source tree that is not installed
            return "0.0.0.dev0"
