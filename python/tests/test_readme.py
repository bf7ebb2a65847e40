"""Every example of the README runs, and gives what the README says."""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import lede_news as lede
from lede_news import aio

README = Path(__file__).resolve().parents[1] / "README.md"
SITE = "https://quay-courier.example"
CODE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block:
    def __init__(self, found: re.Match[str], text: str) -> None:
        self.language, self.code = found[1], found[2]
        self.line = text.count("\n", 0, found.start()) + 1


def blocks() -> list[Block]:
    text = README.read_text(encoding="utf-8")
    return [Block(found, text) for found in CODE.finditer(text)]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: bytes, warc: Callable[..., Path]) -> Path:
    """A folder with the files that the README reads."""
    (tmp_path / "ferry.html").write_bytes(page)
    warc({f"{SITE}/news/ferry-returns": page, f"{SITE}/news/again": page})
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the functions fetch pages of this machine."""
    with lede.Extractor(allow_private=True) as ex:
        monkeypatch.setattr(lede, "fetch", ex.fetch)
        monkeypatch.setattr(lede, "links", ex.links)
        yield


def test_examples(files: Path, local: None, server: str) -> None:
    names: dict[str, Any] = {}
    printed = None
    ran = 0
    for block in blocks():
        code = block.code
        if "fetch(" in code:
            code = code.replace(SITE, server)
        if block.language == "pycon":
            flags = doctest.ELLIPSIS | doctest.REPORT_NDIFF
            test = doctest.DocTestParser().get_doctest(code, names, "README.md", str(README), block.line)
            log = io.StringIO()
            failed, tried = doctest.DocTestRunner(optionflags=flags).run(test, out=log.write, clear_globs=False)
            assert not failed and tried, log.getvalue()
            names.update(test.globs)
        elif block.language == "python" and "lede_news.spark" in code:
            continue  # test_spark.py runs it
        elif block.language == "python":
            if "import pandas" in code and not importlib.util.find_spec("pandas"):
                print(f"the example in line {block.line} needs pandas, which is not installed")
                continue
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile("\n" * block.line + code, str(README), "exec"), names)
            printed = out.getvalue()
            for shown in re.findall(r"print\(.*#  ?(.+)", code):
                assert shown in printed
        elif block.language == "text":
            assert printed == code
        else:
            assert block.language == "console", f"line {block.line}: what is this?"
            continue
        ran += 1
    assert ran >= 10


def test_commands(files: Path, program: str) -> None:
    lines = [line for b in blocks() if b.language == "console" for line in b.code.splitlines()]
    assert lines[0] == "$ pip install lede-news"
    for line in lines[1:]:
        assert line.startswith("$ ")
        args = shlex.split(line[2:])
        if args[0] in ("pip", "spark-submit"):
            continue
        if args[0] == "python":
            args[0] = sys.executable
        elif args[0] == "lede":
            args[0] = program
        done = subprocess.run(args, capture_output=True, check=False)
        assert done.returncode == 0 and done.stdout, (line, done.stderr)


def test_names() -> None:
    """All public names of lede in the README exist."""
    text = README.read_text(encoding="utf-8")
    for name in set(re.findall(r"\blede\.([A-Za-z_]\w*)", text)):
        assert hasattr(lede, name), name
    for name in set(re.findall(r"\baio\.([A-Za-z_]\w*)", text)):
        assert hasattr(aio, name), name
    for name in set(re.findall(r"`(\w+Error)`", text)) - {"ValueError"}:
        assert hasattr(lede, name), name
    errors = {n for n in lede.__all__ if n.endswith("Error")} - {"LedeError"}
    assert errors == set(re.findall(r"`(\w+Error)`", text.partition("## Errors")[2])) - {"ValueError"}
    fields = set(lede.Article.__dataclass_fields__) | {n for n in vars(lede.Article) if not n.startswith("_")}
    table = text.partition("## One page")[2].partition("## Many pages")[0]
    for row in re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE):
        assert set(re.findall(r"`(\w+)`", row)) <= fields, row
    moved = text.partition("## Coming from another library")[2]
    ours = [line.split(" | ")[1] for line in moved.splitlines() if line.startswith("| `")]
    used = {n for cell in ours for n in re.findall(r"(?:\ba|\barticle|\))\.(\w+)", cell)}
    assert len(used) >= 10 and used <= fields


def test_options_are_described() -> None:
    from lede_news._options import ExtractorOptions, PageOptions

    text = README.read_text(encoding="utf-8").partition("## Options")[2].partition("## Processes")[0]
    for name in {**PageOptions.__annotations__, **ExtractorOptions.__annotations__}:
        assert re.search(rf"\b{name}\b", text), name


def test_links_are_absolute(repository: Path) -> None:
    """The README is also the description of the package on PyPI, where relative links lead nowhere."""
    targets = re.findall(r"\]\(([^)]*)\)", README.read_text(encoding="utf-8"))
    here = "https://github.com/lede-news/lede/"
    for target in targets:
        assert target.startswith(("https://", "#")), target
        if target.startswith(here):
            path = re.sub(r"^(blob|tree)/main/", "", target.removeprefix(here))
            assert (repository / path).exists(), target
