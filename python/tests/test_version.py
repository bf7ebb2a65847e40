"""The version of the wheel is that of lede, which is that of the go command."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.mark.parametrize(
    ("go", "python"),
    [
        ("v1.2.3", "1.2.3"),
        ("v0.1.0", "0.1.0"),
        ("v1.2.3+dirty", "1.2.3+dirty"),
        ("v1.2.3-rc.1", "1.2.3rc1"),
        ("v1.2.3-beta.12", "1.2.3b12"),
        ("v1.2.3-alpha1", "1.2.3a1"),
        ("v0.0.0-20261116161445-7879364718ff", "0.0.0.dev20261116161445+g7879364718ff"),
        ("v0.0.0-20261116161445-7879364718ff+dirty", "0.0.0.dev20261116161445+g7879364718ff.dirty"),
        ("v1.2.4-0.20261116161445-7879364718ff", "1.2.4.dev20261116161445+g7879364718ff"),
        ("v1.2.3-rc.1.0.20261116161445-7879364718ff", "1.2.3rc2.dev20261116161445+g7879364718ff"),
        ("devel", "0.0.0.dev0"),
    ],
)
def test_form(version_of: Callable[[str], str], go: str, python: str) -> None:
    assert version_of(go) == python


def test_unknown_form(version_of: Callable[[str], str]) -> None:
    with pytest.raises(SystemExit, match=r"^lede-news: the tag v1\.2\.3-final has no form that Python knows"):
        version_of("v1.2.3-final")


@pytest.mark.skipif(not shutil.which("git") or not shutil.which("go"), reason="there is no git, or no Go")
def test_same_as_go(build_version: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*args: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.example", *args], cwd=root, check=True)

    def same() -> str:
        program = tmp_path / "program"
        subprocess.run(["go", "build", "-buildvcs=true", "-o", program, "."], cwd=root, check=True, env=env)
        out = subprocess.run(["go", "version", "-m", program], check=True, capture_output=True, text=True).stdout
        found = re.search(r"^\tmod\texample.org/a\t(\S+)", out, re.MULTILINE)
        assert found
        assert build_version.stamp().version == found[1]
        return found[1]

    env = {k: v for k, v in os.environ.items() if k != "GOFLAGS"}
    root = tmp_path / "repository"
    root.mkdir()
    monkeypatch.setattr(build_version, "ROOT", root.resolve())
    monkeypatch.setattr(build_version, "STAMP", root / "VERSION")
    (root / "go.mod").write_text("module example.org/a\n\ngo 1.24\n")
    (root / "main.go").write_text("package main\n\nfunc main() {}\n")
    assert build_version.stamp().version == "devel"
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    assert same().startswith("v0.0.0-")
    for tag in ("v1.9.0", "v1.10.0", "v2.0.0", "nightly", "v1.11.0-rc.1"):
        git("tag", tag)
    assert same() == "v1.11.0-rc.1"
    git("commit", "-qm", "two", "--allow-empty")
    assert same().startswith("v1.11.0-rc.1.0.")
    git("tag", "-a", "-m", "eleven", "v1.11.0")
    assert same() == "v1.11.0"
    git("commit", "-qm", "three", "--allow-empty")
    assert same().startswith("v1.11.1-0.")
    (root / "main.go").write_text("package main\n\nfunc main() { println() }\n")
    assert same().endswith("+dirty")


def test_stamp_of_a_source_distribution(
    build_version: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_version, "STAMP", tmp_path / "VERSION")
    (tmp_path / "VERSION").write_text("v1.2.3 1700000000\n")
    assert build_version.stamp() == ("v1.2.3", 1700000000)
    assert build_version.python_version() == "1.2.3"


def test_version_is_an_attribute() -> None:
    import lede_news

    assert re.match(r"\d+\.\d+\.\d+", lede_news.__version__)
    assert "__version__" in lede_news.__all__
    with pytest.raises(AttributeError, match=r"^module 'lede_news' has no attribute 'nothing'$"):
        _ = lede_news.nothing  # type: ignore[attr-defined]
