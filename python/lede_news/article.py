"""The article of a page.

The classes have the fields of the JSON that ``lede extract -f json`` prints, by the same
names. A field without a value is empty: "", 0, False, [], or None.

>>> from lede_news import Article
>>> article = Article.from_json('{"title": "The ferry is back", "published": "2024-05-07"}')
>>> article.title, article.published
('The ferry is back', datetime.date(2024, 5, 7))
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from .blocks import (
    Author,
    Block,
    Cell,
    Image,
    Media,
    Post,
    Span,
    copy_data,
    list_of,
    read,
    read_date,
    register,
    to_dict,
)

__all__ = ["Article", "Author", "Block", "Cell", "Image", "Media", "Post", "Span"]


@dataclass(repr=False)
class Article:
    """A news article extracted from a page."""

    url: str = ""
    """The URL of the page, if it is known."""
    canonical: str = ""
    """The URL that the page declares as its own."""
    title: str = ""
    """The headline, without the name of the site."""
    standfirst: str = ""
    """The summary that the page shows between headline and body. ``text`` begins with it."""
    description: str = ""
    """The summary that the page declares."""
    authors: list[Author] = field(default_factory=list)
    """The persons and organizations named in the byline."""
    published: dt.datetime | dt.date | None = None
    """The date of publication: a ``date`` if the page has no time of day."""
    modified: dt.datetime | dt.date | None = None
    """The date of the last change."""
    lang: str = ""
    """A BCP 47 language tag such as "en" or "pt-BR"."""
    site: str = ""
    """The name of the site, such as "The Guardian"."""
    section: str = ""
    """The part of the site that the article is in, such as "Sports"."""
    tags: list[str] = field(default_factory=list)
    """The keywords that the page declares."""
    lead: Image | None = None
    """The main image."""
    body: list[Block] = field(default_factory=list)
    """The article in reading order, without headline, byline and dateline."""
    comments: list[str] = field(default_factory=list)
    """The readers' comments, if they were requested with ``keep``."""
    cleaned: str = ""
    """The page's own HTML without what the method dropped, if it was requested with ``keep``."""
    next_page: str = ""
    """The URL of the next page of an article that is split over several pages."""
    paywalled: bool = False
    """Whether readers must pay or register for the whole article."""
    type: str = ""
    """The kind of page: article, index or other."""
    form: str = ""
    """The form of the article: liveblog, gallery, video, or "" for running text."""
    confidence: float = 0.0
    """How certain the method is of its choice, from 0 to 1."""
    method: str = ""
    """The name of the method that chose the body."""
    partial: bool = False
    """Whether the page was incomplete, so that the article may be too."""
    partial_reason: str = ""
    """Why the page was incomplete, such as "node-limit"."""
    words: int = 0
    """The number of words of the body, as lede counted them."""
    text: str = ""
    """The body as plain text, with a paragraph a line, as lede wrote it."""
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
    """What a newer lede wrote, and this package does not know."""

    @classmethod
    def from_json(cls, data: bytes | str) -> Article:
        """Make an article of the JSON of lede."""
        raw = json.loads(data if isinstance(data, str) else data.decode("utf-8"))
        if not isinstance(raw, dict):
            raise ValueError(f"an article is a JSON object, and this is a {type(raw).__name__}")
        return cls._of(raw)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Article:
        """Make an article of what ``to_dict`` returned, or of the JSON of lede."""
        return cls._of(copy_data(data))

    @classmethod
    def _of(cls, raw: dict[str, Any]) -> Article:
        """Make an article of data that are its own. Blocks are made when ``body`` is read."""
        article = cls.__new__(cls)
        values = article.__dict__
        body = raw.pop("body", None)
        values.update(read(cls, raw))
        values["_body"] = body
        return article

    if not TYPE_CHECKING:  # it would hide names that do not exist from type checkers

        def __getattr__(self, name: str) -> Any:
            """Make what is not set yet. Scalars have a default in the class."""
            values = self.__dict__
            if name == "body":
                value = [Block.from_dict(b) for b in values.get("_body") or ()]
            elif name in _LISTS:
                value = _LISTS[name]()
            else:
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
            value = values.setdefault(name, value)  # another thread may have made it
            if name == "body":
                values.pop("_body", None)
            return value

    def to_dict(self) -> dict[str, Any]:
        """Return the article as plain data: the JSON of ``lede extract -f json``."""
        data = self._data()
        if "body" not in self.__dict__:
            data["body"] = copy_data(data["body"])
        return data

    def _data(self) -> dict[str, Any]:
        """Return the article as plain data, whose body is shared if it was not read yet."""
        if "body" in self.__dict__:
            return to_dict(self)
        return to_dict(self, body=self.__dict__.get("_body") or [])

    def to_json(self, *, indent: bool = True) -> str:
        """Return the article as JSON, as ``lede extract -f json`` prints it, or in one line."""
        return json.dumps(self._data(), ensure_ascii=False, allow_nan=False, indent=2 if indent else None)

    def format(self, name: str, *, body_only: bool = False, links: bool = False, fragment: bool = False) -> str:
        """Return what ``lede extract -f NAME`` prints: text, md, html or json.

        ``body_only`` leaves out headline, byline, date, standfirst, lead picture and
        comments. ``links`` adds the URL of each link after its words, in text.
        ``fragment`` gives an article element without the document around it, in HTML.
        """
        from ._extractor import default
        from ._process import Request

        options: dict[str, Any] = {"do": "format", "format": name}
        if body_only:
            options["body_only"] = True
        if links:
            options["with"] = ["links"]
        if fragment:
            options["fragment"] = True
        request = Request(options, json.dumps(self._data()).encode(), self.url or self.title)
        return default()._answer(request).decode()

    @property
    def markdown(self) -> str:
        """The article as Markdown: what ``lede extract -f md`` prints."""
        return self.format("md")

    @property
    def html(self) -> str:
        """The article as an HTML document: what ``lede extract -f html`` prints."""
        return self.format("html")

    def _repr_html_(self) -> str:
        """Show the article in a notebook."""
        return self.format("html", fragment=True)

    def blocks(self) -> Iterator[Block]:
        """Yield all blocks of the body in reading order, also those inside others.

        A block comes before the blocks inside it.
        """
        for block in self.body:
            yield from block._all()

    @property
    def byline(self) -> str:
        """The names of the authors, separated by commas."""
        return ", ".join(author.name for author in self.authors)

    @property
    def images(self) -> list[Image]:
        """The images of the article, the lead first, each once."""
        found: dict[str, Image] = {}
        pictures = [b.image for b in self.blocks() if b.kind == "picture"]
        for image in [self.lead, *pictures]:
            if image is None or not image.url:
                continue
            # The lead often appears in the body again, and has a caption only there.
            if image.url not in found or (image.caption and not found[image.url].caption):
                found[image.url] = image
        return list(found.values())

    def __repr__(self) -> str:
        """Show what tells articles apart."""
        shown: list[tuple[str, Any]] = [("title", self.title), ("site", self.site)]
        shown += [("published", str(self.published or "")), ("words", self.words)]
        return f"Article({', '.join(f'{n}={v!r}' for n, v in shown if v)})"


register(
    Article,
    always={"title", "body", "type", "confidence", "method", "words", "text"},
    authors=list_of(Author),
    published=read_date,
    modified=read_date,
    lead=Image.from_dict,
    body=list_of(Block),
    confidence=float,
)
_LISTS = {f.name: f.default_factory for f in fields(Article) if f.default_factory is not MISSING}
