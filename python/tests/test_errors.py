"""The errors."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable

import pytest

from lede_news import errors


@pytest.mark.parametrize(
    ("kind", "cls"),
    [
        ("empty", errors.EmptyError),
        ("too-large", errors.TooLargeError),
        ("no-content", errors.NoContentError),
        ("scripts", errors.ScriptsError),
        ("timeout", errors.PageTimeoutError),
        ("crash", errors.CrashError),
        ("option", errors.OptionError),
        ("method", errors.MethodError),
    ],
)
def test_kind(kind: str, cls: type[errors.LedeError]) -> None:
    e = errors.error(kind, "what failed", "a.html")
    assert type(e) is cls
    assert (e.kind, e.page, str(e)) == (kind, "a.html", "what failed")


def test_unknown_kind() -> None:
    e = errors.error("eclipse", "it is too dark")
    assert type(e) is errors.LedeError
    assert (e.kind, e.page) == ("eclipse", None)
    assert errors.error("", "no kind").kind == "other"


def test_hierarchy() -> None:
    assert issubclass(errors.ScriptsError, errors.NoContentError)
    assert issubclass(errors.MethodError, ValueError)
    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, errors.LedeError)]
    assert all(c.__doc__ for c in classes)
    assert sorted([c.__name__ for c in classes] + ["error"]) == sorted(errors.__all__)
    kinds = [c.kind for c in classes]
    assert len(set(kinds)) == len(kinds)


def test_kinds_of_the_protocol(cli: Callable[..., bytes]) -> None:
    head = cli("pipe")[8:]  # after the sizes of the first frame
    for kind in json.loads(head)["kinds"]:
        e = errors.error(kind, "what failed")
        assert e.kind == kind
        assert type(e) is not errors.LedeError or kind == "other"


def test_pickle() -> None:
    for e in (errors.error("status", "404", "https://paper.example/a"), errors.error("new", "?")):
        copy = pickle.loads(pickle.dumps(e))
        assert type(copy) is type(e)
        assert (copy.kind, copy.page, copy.args) == (e.kind, e.page, e.args)
