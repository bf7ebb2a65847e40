"""JSON as lede writes it."""

from __future__ import annotations

import math
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any


def dumps(value: Any, *, indent: bool) -> str:
    """Return plain data as JSON, byte for byte as lede writes it, with a line feed at the end."""
    parts: list[str] = []
    _write(value, parts, "\n" if indent else "", ": " if indent else ":")
    parts.append("\n")
    return "".join(parts)


def _write(value: Any, out: list[str], line: str, colon: str) -> None:
    """Append a value. ``line`` begins a new line at its level; it is empty in one line."""
    if isinstance(value, str):
        out.append(_string(value))
    elif value is True:
        out.append("true")
    elif value is False:
        out.append("false")
    elif value is None:
        out.append("null")
    elif isinstance(value, dict):
        deeper, before = line and line + "  ", "{"
        for key, item in value.items():
            out += (before, deeper, _string(key), colon)
            _write(item, out, deeper, colon)
            before = ","
        out.append(line + "}" if value else "{}")
    elif isinstance(value, (list, tuple)):
        deeper, before = line and line + "  ", "["
        for item in value:
            out += (before, deeper)
            _write(item, out, deeper, colon)
            before = ","
        out.append(line + "]" if value else "[]")
    elif isinstance(value, int):
        out.append(int.__repr__(value))
    elif isinstance(value, float):
        out.append(_number(value))
    else:
        raise TypeError(f"{type(value).__name__} is not a type of JSON")


def _string(value: str) -> str:
    text: str = encode_basestring(value)
    if "\u2028" in text or "\u2029" in text:
        text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return text


def _number(value: float) -> str:
    """Return a number in the form of JavaScript, as Go does."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a number of JSON")
    text = float.__repr__(value)
    if text.endswith(".0"):
        return text[:-2]
    if "e" not in text:
        return text
    if 1e-6 <= abs(value) < 1e21:
        return format(Decimal(text), "f")
    return text.replace("e-0", "e-")
