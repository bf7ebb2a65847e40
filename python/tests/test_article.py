"""Articles: their fields, JSON, blocks, dates, pickles."""

from __future__ import annotations

import copy
import datetime as dt
import doctest
import json
import pickle
import re
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lede_news import article, blocks, errors
from lede_news.article import Article, Author, Block, Cell, Image, Post, Span

ROOT = Path(__file__).parents[2]

DATA: dict[str, Any] = {
    "url": "https://paper.example/ferry",
    "title": "The ferry is back",
    "authors": [{"name": "Ann Lee", "url": "https://paper.example/ann"}, {"name": "Bo Ek"}],
    "published": "2024-05-07T06:00:00+02:00",
    "modified": "2024-05-08",
    "site": "The Paper",
    "tags": ["ferries"],
    "lead": {"url": "https://paper.example/a.jpg", "width": 800},
    "body": [
        {
            "kind": "paragraph",
            "spans": [{"text": "It left "}, {"text": "at six", "mark": "strong"}],
        },
        {"kind": "quote", "blocks": [{"kind": "paragraph", "spans": [{"text": "At last."}]}]},
        {
            "kind": "list",
            "ordered": True,
            "items": [
                [
                    {
                        "kind": "paragraph",
                        "spans": [{"text": "one", "href": "https://paper.example/1"}],
                    }
                ],
                [{"kind": "paragraph", "spans": [{"text": "two"}]}, {"kind": "rule"}],
            ],
        },
        {
            "kind": "table",
            "spans": [{"text": "Times"}],
            "rows": [
                [
                    {"header": True, "blocks": [{"kind": "paragraph", "spans": [{"text": "to"}]}]},
                    {
                        "colspan": 2,
                        "blocks": [
                            {"kind": "paragraph", "spans": [{"text": "6\n7"}]},
                            {"kind": "code", "code": "x = 1", "lang": "c"},
                        ],
                    },
                ]
            ],
        },
        {"kind": "picture", "image": {"url": "https://paper.example/a.jpg", "caption": "The pier"}},
        {"kind": "video", "video": {"url": "https://paper.example/v", "title": "Film"}},
        {"kind": "embed", "embed": {"author": "Cy", "date": "2024-05-06T12:00:00Z", "text": "Hi"}},
    ],
    "type": "article",
    "confidence": 1,
    "method": "blend",
    "words": 9,
    "text": "It left at six\nAt last.\none\ntwo\nTimes\nto\t6 7 x = 1",
}


def test_round_trip() -> None:
    a = Article.from_dict(DATA)
    assert a.to_dict() == DATA
    assert a.body[0].spans == [Span("It left "), Span("at six", mark="strong")]
    assert a.to_dict() == DATA  # now from the blocks
    assert list(a.to_dict()) == list(DATA)
    assert Article.from_json(json.dumps(DATA)) == a == Article.from_json(json.dumps(DATA).encode())


def test_data_are_not_shared() -> None:
    data = copy.deepcopy(DATA)
    a = Article.from_dict(data)
    data["body"].clear()
    a.to_dict()["body"].clear()
    a.to_dict()["tags"].clear()
    assert a.to_dict() == DATA


def test_empty() -> None:
    a = Article.from_json("{}")
    assert a == Article()
    assert (a.authors, a.body, a.comments, a.tags, a.extra) == ([], [], [], [], {})
    assert (a.published, a.lead, a.title) == (None, None, "")
    always = {"title", "body", "type", "confidence", "method", "words", "text"}
    assert set(a.to_dict()) == always
    with pytest.raises(AttributeError, match="no attribute 'headline'"):
        a.headline  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("text", ["[]", "3", "null"])
def test_no_object(text: str) -> None:
    with pytest.raises(ValueError, match="an article is a JSON object"):
        Article.from_json(text)


def test_unknown_fields_survive() -> None:
    data = copy.deepcopy(DATA)
    data["mood"] = {"calm": [0.5]}
    data["body"][0]["column"] = 2
    data["body"][0]["spans"][0]["colour"] = "red"
    data["lead"]["licence"] = "CC0"
    a = Article.from_dict(data)
    assert a.to_dict() == data
    assert a.body[0].extra == {"column": 2}
    assert a.to_dict() == data
    assert a.extra == {"mood": {"calm": [0.5]}}


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("2024-05-07", dt.date(2024, 5, 7)),
        ("2024-05-07T06:00:00Z", dt.datetime(2024, 5, 7, 6, tzinfo=dt.timezone.utc)),
        (
            "2024-05-07T06:00:00-09:30",
            dt.datetime(2024, 5, 7, 6, tzinfo=dt.timezone(-dt.timedelta(hours=9, minutes=30))),
        ),
        ("0999-01-01T00:00:00Z", dt.datetime(999, 1, 1, tzinfo=dt.timezone.utc)),
        ("12024-05-07T06:00:00Z", None),  # Python has no such year
        ("soon", None),
    ],
)
def test_date(text: str, want: dt.date | None) -> None:
    a = Article.from_dict({"published": text})
    assert a.published == want
    assert type(a.published) is type(want)
    assert a.to_dict()["published"] == text
    post = Post.from_dict({"date": text})
    assert (post.date, post.to_dict()) == (want, {"date": text})


def test_text_of_blocks() -> None:
    a = Article.from_dict(DATA)
    assert "\n".join(b.text for b in a.body if b.text) == a.text
    assert a.body[2].text == "one\ntwo"
    assert Block("paragraph", spans=[Span("\u00a0 "), Span(" a "), Span("b\n")]).text == "a b"


def test_blocks_in_reading_order() -> None:
    a = Article.from_dict(DATA)
    kinds = [b.kind for b in a.blocks()]
    assert kinds == [
        *("paragraph", "quote", "paragraph", "list", "paragraph", "paragraph", "rule"),
        *("table", "paragraph", "paragraph", "code", "picture", "video", "embed"),
    ]
    assert [b.text for b in a.body[2].inner()] == ["one", "two", ""]


def test_images_and_byline() -> None:
    a = Article.from_dict(DATA)
    assert a.images == [Image("https://paper.example/a.jpg", caption="The pier")]
    assert a.byline == "Ann Lee, Bo Ek"
    assert Article().images == []


def test_repr_is_short() -> None:
    a = Article.from_dict(DATA)
    assert repr(a) == (
        "Article(title='The ferry is back', site='The Paper', published='2024-05-07 06:00:00+02:00', words=9)"
    )
    assert repr(Article()) == "Article()"
    assert repr(a.body[0].spans[1]) == "Span(text='at six', mark='strong')"
    assert repr(Block("rule")) == "Block(kind='rule')"


@pytest.mark.parametrize("read", [False, True])
def test_pickle_and_copy(read: bool) -> None:
    a = Article.from_dict(DATA)
    if read:
        assert len(a.body) == 7
    for b in (pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy(a)):
        assert b == a
        assert b.to_dict() == DATA
    deep = copy.deepcopy(a)
    deep.body[0].spans[0].text = "It stayed "
    assert deep != a
    assert a.to_dict() == DATA


def test_changes_are_written() -> None:
    a = replace(Article.from_dict(DATA), title="The ferry is gone")
    a.authors.append(Author("Cy Fox"))
    a.tags = []
    a.body[0].spans[0].text = "It stayed "
    a.published = dt.date(2024, 5, 9)
    data = a.to_dict()
    assert (data["title"], data["authors"][2]) == ("The ferry is gone", {"name": "Cy Fox"})
    assert "tags" not in data
    assert data["body"][0]["spans"][0] == {"text": "It stayed "}
    assert data["published"] == "2024-05-09"
    assert Article(comments=["First!"]).to_dict()["comments"] == ["First!"]
    assert Block("table", rows=[[Cell(colspan=2)]]).to_dict() == {
        "kind": "table",
        "rows": [[{"colspan": 2}]],
    }


def test_body_that_is_set_before_it_is_read() -> None:
    a = Article.from_dict(DATA)
    a.body = [Block("rule")]
    for b in (a, pickle.loads(pickle.dumps(a)), copy.deepcopy(a)):
        assert b.to_dict()["body"] == [{"kind": "rule"}]
        assert b.body == [Block("rule")]


def test_json() -> None:
    a = Article(title='"<&>\u2028é', confidence=0.25)
    want = (
        '{"title": "\\"<&>\u2028é", "body": [], "type": "", "confidence": 0.25, "method": "", "words": 0, "text": ""}'
    )
    assert a.to_json(indent=False) == want
    assert a.to_json().splitlines()[1].startswith('  "title": ')
    with pytest.raises(ValueError, match="JSON compliant"):
        Article(confidence=float("nan")).to_json()


def go_structs() -> dict[str, str]:
    """Return the source of the structs of package article."""
    source = "".join((ROOT / "article" / f).read_text() for f in ("article.go", "block.go"))
    structs = dict(re.findall(r"^type (\w+) struct \{\n(.*?)^\}", source, re.MULTILINE | re.DOTALL))
    del structs["Date"]  # which is a string in JSON
    return structs


def test_fields_are_those_of_go() -> None:
    structs = go_structs()
    assert set(structs) == set(article.__all__)
    for name, body in structs.items():
        want = re.findall(r'`json:"(\w+)', body)
        if name == "Article":
            want += ["words", "text"]  # which format.JSON adds
        got = [f.name for f in fields(getattr(article, name))]
        assert got == [*want, "extra"], name


def test_written_even_if_empty_as_in_go() -> None:
    for name, body in go_structs().items():
        always = set(re.findall(r'`json:"(\w+)"`', body))
        if name == "Article":
            always |= {"words", "text"}
            empty = Article()
        else:
            empty = getattr(article, name)(*[""] * len(always))
        assert set(empty.to_dict()) == always, name


def test_pages() -> None:
    files = sorted((ROOT / "testdata" / "pages").glob("*/want.json"))
    assert files
    for file in files:
        want = json.loads(file.read_text())
        a = Article.from_dict(want)
        assert a.to_dict() == want
        assert a.body
        assert a.to_dict() == want
        assert list(a.to_dict()) == list(want)


@pytest.mark.parametrize("module", [article, blocks, errors], ids=lambda m: m.__name__)
def test_examples(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert failed == 0 < tried
