"""The package gives what the command gives."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lede_news as lede
from lede_news import Article

Cli = Callable[..., bytes]


def check(program: str, files: list[Path], args: list[str], charset: str | None = None, **options: Any) -> int:
    """Compare the articles and errors of files with those of the command, and return the number of articles."""
    done = subprocess.run(
        [program, "extract", "-f", "json", *args, *files], capture_output=True, check=False, encoding="utf-8"
    )
    articles = 0
    pages = [lede.Page(lede_file(f), id=str(f), charset=charset) for f in files]
    lines = done.stdout.splitlines() if len(files) > 1 else [done.stdout]
    for line, (page, article, error) in zip(lines, lede.extract_many(pages, **options), strict=True):
        want = json.loads(line)
        assert isinstance(page, lede.Page) and want.pop("input") == page.id
        if article is None:
            assert error is not None and (error.kind, error.page) == (want["kind"], page.id)
        else:
            assert article.to_dict() == want
            assert json.loads(article.to_json()) == want
            articles += 1
    return articles


def lede_file(file: Path) -> bytes:
    import gzip

    data = file.read_bytes()
    return gzip.decompress(data) if file.suffix == ".gz" else data


def test_corpora(program: str, corpus_files: Callable[[int], list[Path]]) -> None:
    files = corpus_files(6)
    assert check(program, files, ["--charset", "utf-8"], charset="utf-8") > 0.9 * len(files)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ([], {}),
        (["--method", "nce", "--set", "a1=12"], {"method": "nce", "settings": {"a1": 12}}),
        (
            ["--favor", "recall", "--with", "comments,captions,tables"],
            {"favor": "recall", "keep": ["comments", "captions", "tables"]},
        ),
        (["--no-pictures", "--only-articles"], {"pictures": False, "only_articles": True}),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, list) else "",
)
def test_options(
    program: str, page_files: list[Path], tmp_path: Path, args: list[str], options: dict[str, Any]
) -> None:
    (tmp_path / "empty.html").touch()
    assert check(program, [*page_files, tmp_path / "empty.html"], args, **options) > len(page_files) // 2


FORMATS: list[tuple[list[str], Callable[[Article], str]]] = [
    (["-f", "json"], lambda a: a.format("json")),
    (["-f", "md"], lambda a: a.markdown),
    (["-f", "html"], lambda a: a.html),
    (["-f", "html", "--body-only"], lambda a: a.format("html", body_only=True)),
    (["-f", "text", "--with", "links"], lambda a: a.format("text", links=True)),
]


@pytest.mark.parametrize(("args", "write"), FORMATS, ids=[" ".join(args) for args, _ in FORMATS])
def test_formats(cli: Cli, page: bytes, args: list[str], write: Callable[[Article], str]) -> None:
    article = lede.extract(page)
    assert write(article).encode() == cli("extract", *args, "-", stdin=page)
    article.title = "Another headline"
    assert "Another headline" in write(article) or "--body-only" in args


def test_cleaned(cli: Cli, page: bytes) -> None:
    article = lede.extract(page, keep=["cleaned"])
    assert article.cleaned.encode() == cli("extract", "-f", "cleaned", "-", stdin=page)
    assert not lede.extract(page).cleaned


def test_formats_of_python(page: bytes) -> None:
    article = lede.extract(page)
    assert article._repr_html_().startswith("<article")
    with pytest.raises(lede.OptionError, match="pdf"):
        article.format("pdf")


def test_links(cli: Cli, front_page: bytes, tmp_path: Path) -> None:
    (tmp_path / "front.html").write_bytes(front_page)
    url = "https://quay-courier.example/"
    printed = cli("links", tmp_path / "front.html", "--url", url, "--json").splitlines()
    found = lede.links(front_page, url)
    assert len(found) == len(printed) > 5
    for link, line in zip(found, printed, strict=True):
        want = json.loads(line)
        assert (link.url, link.text, link.story, link.score) == tuple(
            want[n] for n in ("url", "text", "story", "score")
        )
        assert (link.why, link.section) == (want["why"], want.get("section", False))


def test_site_store(page: bytes, tmp_path: Path) -> None:
    url = "https://quay-courier.example/a"
    with lede.Extractor(site_store=tmp_path / "sites.db", memory="learn") as ex:
        assert ex.extract(page, url) == lede.extract(page, url)
    assert (tmp_path / "sites.db").stat().st_size
