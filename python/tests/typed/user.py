"""What a type checker knows about the installed package. scripts/python.sh checks it with mypy --strict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lede_news as lede

if TYPE_CHECKING:
    from typing_extensions import assert_type

    article = lede.extract("<p>…", url="https://paper.example/a", favor="precision")
    assert_type(article, lede.Article)
    assert_type(article.title, str)
    for page, found, error in lede.extract_many([b"<p>\xe9", "<p>…", lede.Page("<p>…", url="https://paper.example/a")]):
        assert_type(page, "str | bytes | lede.Page")
        assert_type(found, "lede.Article | None")
        assert_type(error, "lede.LedeError | None")
    lede.extract("<p>…", no_such_option=1)  # type: ignore[call-arg]
    with lede.Extractor(method="nce", workers=2) as ex:
        assert_type(ex.fetch("https://paper.example/a"), lede.Article)
        assert_type(ex.links("<a href=/a>A</a>"), list[lede.Link])
