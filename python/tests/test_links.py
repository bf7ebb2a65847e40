"""Links."""

from __future__ import annotations

from lede_news._links import Link, parse


def test_parse() -> None:
    body = (
        '{"url":"https://paper.example/a","text":"The ferry\u2028 is back",'
        '"story":true,"score":1,"why":"a headline"}\n'
        '{"url":"https://paper.example/news","text":"News",'
        '"story":false,"score":0.02,"why":"short","section":true,"new":1}\n'
    )
    first, second = parse(body.encode())
    assert first == Link("https://paper.example/a", "The ferry\u2028 is back", True, 1.0, "a headline")
    assert isinstance(first.score, float)
    assert (second.story, second.section) == (False, True)
    assert parse(b"") == []
