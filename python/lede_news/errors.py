"""The errors of lede."""

from __future__ import annotations


class LedeError(Exception):
    """An error of lede. ``kind`` is its short name, as records of a batch have it."""

    kind = "other"

    def __init__(self, message: str, kind: str | None = None) -> None:
        super().__init__(message)
        if kind is not None:
            self.kind = kind


class NoContentError(LedeError):
    """No article was found on the page."""

    kind = "no-content"


class CrashError(LedeError):
    """The page ended the process of lede."""

    kind = "crash"


def error(kind: str, message: str) -> LedeError:
    """Return the error of a kind."""
    for cls in LedeError.__subclasses__():
        if cls.kind == kind:
            return cls(message)
    return LedeError(message, kind)
