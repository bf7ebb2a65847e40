"""The errors."""

from __future__ import annotations

import pickle

import lede_news as lede
from lede_news import errors


def test_kinds_have_classes() -> None:
    for name in errors.__all__:
        cls = getattr(errors, name)
        e = errors.error(cls.kind, "what failed", "a.html")
        assert type(e) is cls is getattr(lede, name)
        assert (e.kind, e.page, str(e)) == (cls.kind, "a.html", "what failed")
        assert cls.__doc__
    assert issubclass(errors.ScriptsError, errors.NoContentError)
    assert issubclass(errors.MethodError, ValueError)


def test_unknown_kind() -> None:
    e = errors.error("eclipse", "it is too dark")
    assert type(e) is errors.LedeError
    assert (e.kind, e.page) == ("eclipse", None)
    assert errors.error("", "no kind").kind == "other"


def test_pickle() -> None:
    for e in (errors.error("status", "404", "https://paper.example/a"), errors.error("new", "?")):
        copy = pickle.loads(pickle.dumps(e))
        assert type(copy) is type(e)
        assert (copy.kind, copy.page, copy.args) == (e.kind, e.page, e.args)
