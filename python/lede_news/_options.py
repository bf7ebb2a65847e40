"""The options of an extraction, and how lede is given them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class Options(TypedDict, total=False):
    """The options of an extraction. ``None`` is the default of each."""

    method: str | None
    """Extraction method (default: blend); ``lede methods`` lists them."""
    settings: Mapping[str, object] | None
    """Parameters of the method."""
    favor: Literal["precision", "recall"] | None
    """What to do with doubtful text: precision leaves it out, recall keeps it."""
    keep: Sequence[Literal["comments", "captions", "tables", "cleaned"]] | None
    """What to keep in addition."""
    pictures: bool | None
    """Whether to keep pictures and videos (default: True)."""
    only_articles: bool | None
    """Treat non-articles as errors."""
    memory: Literal["off", "use", "learn"] | None
    """What to do with what is known about the site, with ``site_store``."""


class FetchOptions(Options, total=False):
    """The options of an extraction, and what is known about its page."""

    charset: str | None
    """Charset of the page, overriding what it declares."""
    link_text: str | None
    """Text of the link that led to the page."""
    site: str | None
    """Name of the site (default: the host of the URL)."""


class PageOptions(FetchOptions, total=False):
    """The options of an extraction, and what is known about its page."""

    header_charset: str | None
    """Charset that the HTTP header of the page declared."""


class ExtractorOptions(Options, total=False):
    """The options of an ``Extractor``: those of its extractions, and of its process."""

    workers: int | None
    """Number of concurrent workers (default: one for each core)."""
    max_bytes: int | None
    """Maximum size of a page, in bytes (default: 20 MiB)."""
    page_time: float | None
    """Maximum time to extract a page, in seconds (default: 10)."""
    site_store: str | os.PathLike[str] | None
    """SQLite file with what is known about sites."""
    model: str | os.PathLike[str] | None
    """File of a model made by ``lede-lab train``."""
    timeout: float | None
    """Maximum time to fetch a page, in seconds (default: 30)."""
    user_agent: str | None
    """User-Agent header of fetches (default: lede and its version)."""
    allow_private: bool | None
    """Allow addresses of this machine and of private networks."""


_NAMES = {"settings": "set", "keep": "with"}  # names of lede that are not good ones in Python
_SECONDS = ("checkpoint", "delay", "page_time", "timeout")


def fields(options: Mapping[str, Any], known: type, function: str) -> dict[str, Any]:
    """Return options as the fields of a request."""
    found = {}
    for name, value in options.items():
        if name not in known.__annotations__:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")
        if value is None:
            continue
        if name == "settings":
            value = [f"{n}={str(v).lower() if isinstance(v, bool) else v}" for n, v in value.items()]
        elif name == "keep":
            value = [value] if isinstance(value, str) else list(value)
        found[_NAMES.get(name, name)] = value
    return found


def flags(options: Mapping[str, Any], known: type, function: str) -> list[str]:
    """Return options as the arguments of a command."""
    args = []
    for name, value in fields(options, known, function).items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            args += [flag] if value else []
        elif name in _SECONDS and not isinstance(value, str):
            args.append(f"{flag}={float(value):f}s")
        else:
            args += [f"{flag}={v}" for v in paths(value)]
    return args


def paths(value: Any) -> list[str]:
    """Return one path or several as a list."""
    if isinstance(value, (str, int, float, os.PathLike)):
        value = [value]
    return [v if isinstance(v, str) else str(v) for v in value]
