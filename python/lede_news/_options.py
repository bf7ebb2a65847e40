"""The options of an extraction, and how lede is given them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from .errors import error


class Options(TypedDict, total=False):
    """The options of an extraction. ``None`` is the default of each."""

    method: str | None
    """Extraction method (default: blend); ``lede methods`` lists them."""
    settings: Mapping[str, object] | None
    """Parameters of the method."""
    favor: Literal["precision", "recall"] | None
    """What to do with doubtful text: precision leaves it out, recall keeps it."""
    keep: Sequence[Literal["comments", "captions", "tables"]] | None
    """What to keep in addition."""
    pictures: bool | None
    """Whether to keep pictures and videos (default: True)."""
    only_articles: bool | None
    """Treat pages that are no articles as errors."""
    memory: Literal["off", "use", "learn"] | None
    """What to do with what is known about the site, with ``site_store``."""


class ExtractorOptions(Options, total=False):
    """The options of an ``Extractor``: those of its extractions, and of its process."""

    workers: int | None
    """Number of concurrent workers (default: one for each core)."""
    max_bytes: int | None
    """Maximum size of a page, in bytes (default: 20 MiB)."""
    page_time: float | None
    """Maximum time to extract a page, in seconds (default: 10)."""
    site_store: str | os.PathLike[str] | None
    """SQLite file, or folder of JSON files, with what is known about sites."""
    model: str | os.PathLike[str] | None
    """File of a model made by ``lede-lab train``."""
    timeout: float | None
    """Maximum time to fetch a page, in seconds (default: 30)."""
    user_agent: str | None
    """User-Agent header of fetches (default: lede and its version)."""
    allow_private: bool | None
    """Allow addresses of this machine and of private networks."""


_NAMES = {"settings": "set", "keep": "with"}  # names of the protocol that are no good ones in Python
_FLAGS = ("workers", "max_bytes", "page_time", "site_store", "model", "timeout", "user_agent", "allow_private")
_SECONDS = ("page_time", "timeout")
_MAX_FIELDS = (1 << 20) - 64


def split(options: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the fields of requests, and the arguments of the process."""
    args = []
    for name in _FLAGS:
        value = options.get(name)
        if value is None or value is False:
            continue
        flag = "--" + name.replace("_", "-")
        if value is True:
            args.append(flag)
        elif name in _SECONDS:
            args.append(f"{flag}={float(value):f}s")
        else:
            args.append(f"{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return fields({n: v for n, v in options.items() if n not in _FLAGS}, "Extractor"), args


def fields(options: Mapping[str, Any], function: str) -> dict[str, Any]:
    """Return options as the fields of a request."""
    found = {}
    for name, value in options.items():
        if name not in Options.__annotations__:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")
        if value is None:
            continue
        if name == "settings":
            value = [f"{n}={_setting(v)}" for n, v in value.items()]
        elif name == "keep":
            value = [value] if isinstance(value, str) else list(value)
        found[_NAMES.get(name, name)] = value
    return found


def _setting(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def encode(fields: Mapping[str, Any]) -> str:
    """Return fields as JSON without braces."""
    encoded = json.dumps(fields, separators=(",", ":"))[1:-1]
    if len(encoded) > _MAX_FIELDS:
        raise error("option", f"the options have {len(encoded)} bytes, and {_MAX_FIELDS} are allowed")
    return encoded
