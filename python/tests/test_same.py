"""The package gives what the command gives, byte for byte.

The pages are a sample of each corpus, and all pages of testdata/pages. With LEDE_LONG the sample is
the whole corpora.
"""

from __future__ import annotations

import gzip
import json
import pickle
import re
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

import lede_news as lede
from lede_news import Article, LedeError, OptionError, Page

EACH = 12  # pages of each corpus


@pytest.fixture(scope="module")
def files(corpus_files: Callable[[int], list[Path]]) -> list[Path]:
    """The sample of the corpora."""
    return corpus_files(EACH)


def read(file: Path) -> bytes:
    data = file.read_bytes()
    return gzip.decompress(data) if file.suffix == ".gz" else data


def pages_of(files: list[Path], charset: str | None = "utf-8") -> Iterator[Page]:
    for file in files:
        yield Page(read(file), id=str(file), charset=charset)


def run(program: str, *args: str | Path) -> bytes:
    """Run lede, where some pages may fail, and return what it prints."""
    done = subprocess.run([program, *map(str, args)], capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.stdout


def in_parts(program: str, args: list[str], files: list[Path], part: int = 200) -> bytes:
    """Run lede for all files, a part at a time."""
    parts = [run(program, *args, *files[i : i + part]) for i in range(0, len(files), part)]
    return b"".join(parts)


def of_command(program: str, files: list[Path], *args: str) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Yield what ``lede extract -f json`` prints for each file: its article, or its error.

    The article is as of one file: without its name, which is the first field.
    """
    lines = in_parts(program, ["extract", "-f", "json", *args], files).splitlines(keepends=True)
    assert len(lines) == len(files)
    for line, file in zip(lines, files, strict=True):
        data = json.loads(line)
        start = f'{{"input":{json.dumps(str(file))},'.encode()
        assert line.startswith(start)
        yield b"{" + line[len(start) :], data


def is_message(error: LedeError, message: str) -> bool:
    """Report whether an error has a message of the command, whatever they say to do about it."""
    return str(error).partition("; ")[0] == message.partition("; ")[0]


def check_articles(program: str, files: list[Path], *args: str, charset: str | None = "utf-8", **options: Any) -> int:
    """Compare the articles and the errors of files, and return the number of articles."""
    if charset is not None:
        args = (*args, "--charset", charset)
    articles = 0
    results = lede.extract_many(pages_of(files, charset), **options)
    for (line, data), (page, article, error) in zip_longest(of_command(program, files, *args), results):
        assert isinstance(page, Page)
        if article is None:
            assert error is not None
            assert (error.kind, error.page) == (data["kind"], page.id)
            assert is_message(error, data["error"])
            continue
        assert article.to_json(indent=False).encode() == line, page.id
        articles += 1
    return articles


def test_corpora(program: str, files: list[Path]) -> None:
    articles = check_articles(program, files)
    assert articles > 0.9 * len(files)


def test_made_up_pages(program: str, page_files: list[Path]) -> None:
    assert check_articles(program, page_files, charset=None) == len(page_files)


BAD = {"empty": b"", "not-html": b"\x89PNG\r\n\x1a\n" + bytes(2000), "no-content": b"<title>A</title><p></p>"}


def test_errors(program: str, tmp_path: Path) -> None:
    files = [tmp_path / f"{kind}.html" for kind in BAD]
    for file, page in zip(files, BAD.values(), strict=True):
        file.write_bytes(page)
    assert check_articles(program, files) == 0
    front = b"<ul>" + b"<li><a href=/a>A headline of one story</a>" * 80 + b"</ul><p>All the news of the day.</p>"
    files[0].write_bytes(front)
    assert check_articles(program, files[:2], "--only-articles", only_articles=True) == 0
    kinds = [r.error.kind for r in lede.extract_many(BAD.values()) if r.error is not None]
    assert kinds == list(BAD)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        (["--method", "nce"], {"method": "nce"}),
        (["--method", "coreex"], {"method": "coreex"}),
        (["--method", "twcem"], {"method": "twcem"}),
        (["--method", "stadynot"], {"method": "stadynot"}),
        (["--method", "wrapper"], {"method": "wrapper"}),
        (["--method", "nce", "--set", "a1=12"], {"method": "nce", "settings": {"a1": 12}}),
        (["--favor", "precision"], {"favor": "precision"}),
        (
            ["--favor", "recall", "--with", "comments,captions,tables"],
            {"favor": "recall", "keep": ["comments", "captions", "tables"]},
        ),
        (["--no-pictures"], {"pictures": False}),
        (["--only-articles"], {"only_articles": True}),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, list) else "",
)
def test_options(
    program: str, corpus_files: Callable[[int], list[Path]], args: list[str], options: dict[str, Any]
) -> None:
    files = corpus_files(2)
    assert check_articles(program, files, *args, **options) > len(files) // 3


def test_extract_is_extract_many(files: list[Path]) -> None:
    pages = list(pages_of(files))[::3]
    for page, article, error in lede.extract_many(pages):
        assert isinstance(page, Page)
        if error is None:
            assert lede.extract(page.html, charset="utf-8") == article
        else:
            with pytest.raises(type(error), match=f"^{re.escape(str(error))}$"):
                lede.extract(page.html, charset="utf-8")


def test_text_is_as_good_as_bytes(program: str, files: list[Path]) -> None:
    files = files[::4]
    pages = [read(file).decode("utf-8", "replace") for file in files]
    for (line, data), (_, article, error) in zip_longest(
        of_command(program, files, "--charset", "utf-8"), lede.extract_many(pages)
    ):
        assert article is None or article.to_json(indent=False).encode() == line
        assert error is None or is_message(error, data["error"])


@pytest.mark.parametrize("name", ["text", "md", "html"])
def test_formats(program: str, files: list[Path], name: str) -> None:
    files = files[::2]
    want = in_parts(program, ["extract", "-f", name, "--charset", "utf-8"], files, part=len(files))
    articles = [r.article for r in lede.extract_many(pages_of(files)) if r.article is not None]
    # The command writes several articles one after the other, and in HTML without documents.
    assert "\n".join(a.format(name, fragment=True) for a in articles).encode() == want


FORMATS: list[tuple[list[str], Callable[[Article], str]]] = [
    (["-f", "json"], lambda a: a.to_json()),
    (["-f", "json"], lambda a: a.format("json")),
    (["-f", "text"], lambda a: a.format("text")),
    (["-f", "md"], lambda a: a.markdown),
    (["-f", "html"], lambda a: a.html),
    (["-f", "text", "--body-only"], lambda a: a.format("text", body_only=True)),
    (["-f", "text", "--with", "links"], lambda a: a.format("text", links=True)),
    (["-f", "html", "--body-only"], lambda a: a.format("html", body_only=True)),
]


@pytest.mark.parametrize(("args", "write"), FORMATS, ids=[" ".join(args) for args, _ in FORMATS])
def test_one_page(program: str, page_files: list[Path], args: list[str], write: Callable[[Article], str]) -> None:
    with ThreadPoolExecutor(2) as pool:
        printed = pool.map(lambda file: run(program, "extract", *args, file), page_files)
        for file, want in zip(page_files, printed, strict=True):
            assert write(lede.extract(read(file))).encode() == want, file


def test_changed_article_is_rendered_again(page: bytes) -> None:
    a = lede.extract(page)
    before = a.markdown
    assert a.markdown is before
    a.body[0].spans[0].text = "It was a quiet day. "
    assert "It was a quiet day." in a.markdown
    a.title = "Another headline"
    assert a.markdown.startswith("# Another headline\n")
    assert pickle.loads(pickle.dumps(a)).markdown == a.markdown
    assert a._repr_html_().startswith("<article")
    with pytest.raises(OptionError, match="pdf"):
        a.format("pdf")


def test_links(program: str, corpora: list[Path]) -> None:
    pages = []
    for corpus in corpora:
        gold = [json.loads(line) for line in (corpus / "gold.jsonl").read_bytes().splitlines()]
        addresses = {g["id"]: g.get("url") or "https://paper.example/" for g in gold}
        found = sorted(corpus.glob("pages/*.html.gz"))
        pages += [(file, addresses[file.name.removesuffix(".html.gz")]) for file in found[:: len(found) // 3 + 1]]

    def printed(page: tuple[Path, str]) -> bytes:
        file, url = page
        args = [program, "links", "--json", "--charset", "utf-8", "--url", url, str(file)]
        done = subprocess.run(args, capture_output=True, check=False)
        assert done.returncode == 0 or done.stderr.endswith(b" has no links\n"), done.stderr
        return done.stdout

    stories = 0
    with ThreadPoolExecutor(2) as pool:
        for (file, url), out in zip(pages, pool.map(printed, pages), strict=True):
            links = lede.links(read(file), url, charset="utf-8")
            want = [{"section": False, **json.loads(line)} for line in out.splitlines()]
            assert [vars(link) for link in links] == want
            stories += sum(link.story for link in links)
    assert stories > len(pages)


def record_of(page: Page, article: Article | None, error: LedeError | None) -> dict[str, Any]:
    """Return the record that ``lede batch --body blocks`` writes for a page."""
    if article is None:
        assert error is not None
        return {"id": page.id, "url": page.url or "", "error": error, "kind": error.kind}
    data = article.to_dict()
    address = page.url or article.canonical
    record: dict[str, Any] = {"id": page.id, "url": address, "date": data.get("published", "")}
    record["authors"] = [a.name for a in article.authors]
    record["images"] = [{"url": i.url, "caption": i.caption} for i in article.images]
    lead = article.lead
    record["lead"] = lead and {"url": lead.url, "caption": lead.caption}
    for name in ("title", "text", "modified", "lang", "site", "standfirst", "section", "canonical", "type", "method"):
        record[name] = data.get(name, "")
    for name in ("comments", "tags"):
        record[name] = data.get(name, [])
    for name in ("next_page", "form", "paywalled", "partial", "partial_reason", "body", "confidence"):
        if name in data:
            record[name] = data[name]
    return record


def one_line(value: Any) -> Any:
    """Collapse white space, as articles do and records of a batch do not."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, list):
        return [one_line(v) for v in value]
    return {k: one_line(v) for k, v in value.items()} if isinstance(value, dict) else value


def test_batch(files: list[Path], cli: Callable[..., bytes], tmp_path: Path) -> None:
    archive, lines, out = tmp_path / "a.warc.gz", tmp_path / "b.jsonl", tmp_path / "out.jsonl"
    cli("newsroom", "write", "--warc", "-n", "30", archive)
    with lines.open("w", encoding="utf-8") as f:
        for i, file in enumerate(files[::3]):
            html = read(file).decode("utf-8", "replace")
            f.write(json.dumps({"id": str(i), "url": f"https://paper{i}.example/", "html": html}) + "\n")
        for kind, bad in BAD.items():
            f.write(json.dumps({"id": kind, "html": bad.decode("latin-1")}) + "\n")
    done = lede.batch([archive, lines, *files[1::20]], out, body="blocks")
    records = [json.loads(line) for line in out.read_bytes().splitlines()]
    results = list(lede.extract_many(lede.read_warc(archive, lines, *files[1::20])))
    assert len(records) == len(results) == done.pages
    for record, (page, article, error) in zip(records, results, strict=True):
        assert isinstance(page, Page)
        if error is not None:
            assert is_message(error, record["error"])
            record["error"] = error
        want = record_of(page, article, error)
        for name in ("id", "url", "text", "body", "confidence", "error"):
            assert want.get(name) == record.get(name), page.id
        assert one_line(want) == one_line(record), page.id
    assert done.failed == sum(r.error is not None for r in results) >= 2
