"""The parts of an article, and the way from plain data to them and back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Author", "Block", "Cell", "Image", "Media", "Post", "Span"]


@dataclass(repr=False, slots=True)
class Part:
    """What all parts of an article have.

    ``extra`` has what a newer lede wrote and this package does not know.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the part as plain data: the JSON of lede."""
        return to_dict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make the part of what ``to_dict`` returned, or of the JSON of lede."""
        return cls(**read(cls, data))

    def __repr__(self) -> str:
        """Show the fields that have a value."""
        values = ((f.name, getattr(self, f.name)) for f in fields(self) if f.repr)
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in values if v)})"


@dataclass(repr=False, slots=True)
class Author(Part):
    """A person or an organization named in the byline."""

    name: str
    url: str = ""
    """The URL of the author's page, if the article links to it."""
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(repr=False, slots=True)
class Image(Part):
    """An image with its alternative text, caption and credit."""

    url: str
    alt: str = ""
    caption: str = ""
    credit: str = ""
    width: int = 0
    """In pixels, or 0 if unknown; ``height`` likewise."""
    height: int = 0
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(repr=False, slots=True)
class Media(Part):
    """A video or an audio recording."""

    url: str = ""
    title: str = ""
    poster: str = ""
    """The URL of the image that is shown before the video plays."""
    caption: str = ""
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(repr=False, slots=True)
class Post(Part):
    """A post of a social network that the article quotes."""

    url: str = ""
    author: str = ""
    """The author as the page names them, such as "Ann Lee (@annlee)"."""
    date: dt.datetime | dt.date | None = None
    text: str = ""
    """The text of the post, if the page has it."""
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(repr=False, slots=True)
class Span(Part):
    """A run of text with the same style and the same link target.

    White space is collapsed to single spaces; a line feed is a line break.
    """

    text: str
    mark: str = ""
    """The styles, separated by spaces.

    They are strong, emphasis, monospace, subscript, superscript and strike.
    """
    href: str = ""
    """The URL that the text links to."""
    extra: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def marks(self) -> frozenset[str]:
        """The styles as a set.

        >>> Span("really", mark="strong emphasis").marks >= {"strong"}
        True
        """
        return frozenset(self.mark.split())


@dataclass(repr=False, slots=True)
class Cell(Part):
    """A cell of a table."""

    header: bool = False
    colspan: int = 0
    """How many columns the cell covers; 0 means 1. ``rowspan`` likewise."""
    rowspan: int = 0
    blocks: list[Block] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(repr=False, slots=True)
class Block(Part):
    """A part of the body, such as a paragraph or a list.

    ``kind`` says which of the other fields are used: paragraph (spans), heading (spans,
    level), list (items, ordered, start), quote (blocks), table (rows, and spans for its
    caption), code (code, lang), picture (image), video (video), rule (none), embed (embed).

    >>> Block("paragraph", spans=[Span("The ferry is "), Span("back", mark="strong")]).text
    'The ferry is back'
    """

    kind: str
    level: int = 0
    """The level of a heading, from 1 to 6."""
    spans: list[Span] = field(default_factory=list)
    ordered: bool = False
    """Whether a list is numbered. ``start`` is its first number; 0 means 1."""
    start: int = 0
    items: list[list[Block]] = field(default_factory=list)
    """The items of a list. A nested list is a block of its item."""
    blocks: list[Block] = field(default_factory=list)
    """The content of a quote."""
    rows: list[list[Cell]] = field(default_factory=list)
    code: str = ""
    lang: str = ""
    """The programming language of a code block, if the page names it."""
    image: Image | None = None
    video: Media | None = None
    embed: Post | None = None
    extra: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def text(self) -> str:
        """The block as plain text, in the format of ``Article.text``."""
        return "\n".join(_lines([self]))

    def inner(self) -> Iterator[Block]:
        """Yield the blocks inside this one, in reading order, each before those inside it."""
        for block in self.blocks:
            yield from block._all()
        for item in self.items:
            for block in item:
                yield from block._all()
        for row in self.rows:
            for cell in row:
                for block in cell.blocks:
                    yield from block._all()

    def _all(self) -> Iterator[Block]:
        yield self
        yield from self.inner()


def read_date(text: str) -> dt.datetime | dt.date | None:
    """Read a date in RFC 3339 format, or a day."""
    try:
        if len(text) == len("2006-01-02"):
            return dt.date.fromisoformat(text)
        return dt.datetime.fromisoformat(text[:-1] + "+00:00" if text[-1:] == "Z" else text)
    except ValueError:  # such as the year 10000, which Python does not have
        return None


def list_of(cls: type[Part]) -> Callable[[Any], Any]:
    """Return a function that reads a list of parts."""
    read = cls.from_dict
    return lambda data: [read(d) for d in data]


def _lists_of(cls: type[Part]) -> Callable[[Any], Any]:
    read = cls.from_dict
    return lambda data: [[read(d) for d in inner] for inner in data]


# How the fields of each class are read; None is for plain data.
_READ: dict[type, dict[str, Callable[[Any], Any] | None]] = {}
# The fields of each class, and whether they are written even if they are empty.
_WRITE: dict[type, list[tuple[str, bool]]] = {}


def register(cls: type[Any], always: Iterable[str] = (), **reads: Callable[[Any], Any]) -> None:
    """Say how a class is read and written. A field without a default is always written."""
    own = [f for f in fields(cls) if f.name != "extra"]
    _READ[cls] = {f.name: reads.get(f.name) for f in own}
    required = {f.name for f in own if f.default is MISSING and f.default_factory is MISSING}
    _WRITE[cls] = [(f.name, f.name in required or f.name in always) for f in own]


register(Author)
register(Image)
register(Media)
register(Post, date=read_date)
register(Span)
register(Cell, blocks=list_of(Block))
register(
    Block,
    spans=list_of(Span),
    items=_lists_of(Block),
    blocks=list_of(Block),
    rows=_lists_of(Cell),
    image=Image.from_dict,
    video=Media.from_dict,
    embed=Post.from_dict,
)


def read(cls: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the fields of a class. What is unknown is in "extra"."""
    known = _READ[cls]
    values: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for name, value in data.items():
        if name not in known:
            extra[name] = value
        elif value is not None:
            read = known[name]
            if read is None:
                values[name] = value
            elif (converted := read(value)) is not None:
                values[name] = converted
            else:
                extra[name] = value
    if extra:
        values["extra"] = extra
    return values


def to_dict(part: Any, **given: Any) -> dict[str, Any]:
    """Return the fields that have a value, in the order of lede."""
    extra: dict[str, Any] = part.extra
    data: dict[str, Any] = {}
    for name, always in _WRITE[part.__class__]:
        value = given[name] if name in given else _plain(getattr(part, name))
        if value or always:
            data[name] = value
        elif name in extra:
            data[name] = extra[name]
    for name, value in extra.items():
        data.setdefault(name, copy_data(value))
    return data


def _plain(value: Any) -> Any:
    if isinstance(value, Part):
        return to_dict(value)
    if isinstance(value, list):
        return [_plain(v) for v in value]
    if isinstance(value, dt.date):
        text = value.isoformat()
        return text[:-6] + "Z" if text.endswith("+00:00") else text
    return value


def copy_data(value: Any) -> Any:
    """Return a copy of plain data."""
    if isinstance(value, Mapping):
        return {k: copy_data(v) if v.__class__ is not str else v for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [copy_data(v) if v.__class__ is not str else v for v in value]
    return value


def _lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of text of blocks."""
    for block in blocks:
        if block.kind in ("paragraph", "heading", "table", "code"):
            text = block.code if block.kind == "code" else "".join(s.text for s in block.spans)
            if line := text.strip():
                yield line
        if block.kind == "list":
            for item in block.items:
                yield from _lines(item)
        elif block.kind == "quote":
            yield from _lines(block.blocks)
        elif block.kind == "table":
            for row in block.rows:
                cells = (" ".join(_lines(cell.blocks)).replace("\n", " ") for cell in row)
                if line := "\t".join(cell for cell in cells if cell):
                    yield line
