"""The errors of lede.

Each kind of error has a class. ``LedeError`` is the base of all of them. ``kind`` is the
short name of the error, as records of a batch and the HTTP service have it.

>>> from lede_news import errors
>>> e = errors.error("no-content", "no article was found on the page", "a.html")
>>> type(e).__name__, e.kind, e.page, str(e)
('NoContentError', 'no-content', 'a.html', 'no article was found on the page')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .article import Article

__all__ = [
    "AddressError",
    "BrowserError",
    "CharsetError",
    "CrashError",
    "EmptyError",
    "FetchError",
    "FileError",
    "HangError",
    "JSONError",
    "LedeError",
    "MalformedError",
    "MethodError",
    "NoContentError",
    "NotArticleError",
    "NotHTMLError",
    "OptionError",
    "OutputError",
    "PageMemoryError",
    "PageTimeoutError",
    "RobotsError",
    "ScriptsError",
    "SourceError",
    "StartError",
    "StatusError",
    "TooLargeError",
    "WaitError",
]


class LedeError(Exception):
    """An error of lede.

    ``kind`` is its short name, and ``page`` the id or the URL of the page, if it is
    known. The message is that of lede: it says what failed and what to do next.
    """

    kind = "other"
    page: str | None = None

    def __init__(self, message: str, kind: str | None = None, page: str | None = None) -> None:
        """Make an error of a kind, by default that of the class."""
        super().__init__(message)
        if kind is not None:
            self.kind = kind
        if page is not None:
            self.page = page


class EmptyError(LedeError):
    """The page is empty."""

    kind = "empty"


class TooLargeError(LedeError):
    """The page is larger than ``max_bytes``."""

    kind = "too-large"


class NotHTMLError(LedeError):
    """The page is not HTML."""

    kind = "not-html"


class CharsetError(LedeError):
    """The name of the charset is unknown."""

    kind = "charset"


class MalformedError(LedeError):
    """The page cannot be parsed."""

    kind = "malformed"


class NoContentError(LedeError):
    """The page has no article.

    ``facts`` is an article without a body if at least the headline is known, as on a page
    with a video.
    """

    kind = "no-content"
    facts: Article | None = None


class ScriptsError(NoContentError):
    """The page is empty without its scripts."""

    kind = "scripts"


class NotArticleError(LedeError):
    """The page is not an article, and ``only_articles`` is set."""

    kind = "not-article"


class PageTimeoutError(LedeError):
    """The page took longer than ``page_time``."""

    kind = "timeout"


class OutputError(LedeError):
    """The article is many times larger than its page."""

    kind = "output"


class HangError(LedeError):
    """The page took far longer than ``page_time`` and was given up."""

    kind = "hang"


class PageMemoryError(LedeError):
    """The page takes more memory than is allowed."""

    kind = "memory"


class CrashError(LedeError):
    """lede failed on the page, which is a bug: please report it with the page."""

    kind = "crash"


class BrowserError(LedeError):
    """Chromium could not lay out the page."""

    kind = "browser"


class AddressError(LedeError):
    """The URL is not one that lede fetches."""

    kind = "address"


class FetchError(LedeError):
    """The page could not be fetched."""

    kind = "fetch"


class StatusError(LedeError):
    """The site answered with a redirect or an error instead of a page."""

    kind = "status"


class RobotsError(LedeError):
    """robots.txt of the site does not let programs fetch the page."""

    kind = "robots"


class WaitError(LedeError):
    """The site asks to wait for longer than lede waits."""

    kind = "wait"


class SourceError(LedeError):
    """An archive, or a part of one, cannot be read."""

    kind = "source"


class FileError(LedeError):
    """The file of a page cannot be read."""

    kind = "file"


class OptionError(LedeError, ValueError):
    """An option has an invalid value."""

    kind = "option"


class MethodError(OptionError):
    """There is no such extraction method."""

    kind = "method"


class JSONError(LedeError, ValueError):
    """A request, or the JSON of an article, is invalid."""

    kind = "json"


class StartError(LedeError):
    """The program of lede cannot be started."""

    kind = "start"


def _classes(base: type[LedeError]) -> dict[str, type[LedeError]]:
    found = {base.kind: base}
    for cls in base.__subclasses__():
        found.update(_classes(cls))
    return found


_CLASSES = _classes(LedeError)


def error(kind: str, message: str, page: str | None = None) -> LedeError:
    """Return the error of a kind.

    A kind that this version of the package does not know is a ``LedeError`` with that kind.
    """
    return _CLASSES.get(kind, LedeError)(message, kind or None, page)
