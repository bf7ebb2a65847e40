"""Machines on which nothing is installed, and file systems of other schemes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cluster.archives import Archives
from cluster.conftest import SCRIPT, Run, in_long_form
from cluster.results import assert_articles, assert_clean, assert_stories
from cluster.standalone import Cluster
from lede_news import spark

pytestmark = in_long_form


def test_nothing_installed(few: Archives, cluster: Cluster, bare_python: str, out: Path, work: Path) -> None:
    """Neither the driver nor the workers have anything but Spark and the file that package makes."""
    package = spark.package(work / "lede_news.zip")
    # Python looks for packages beside the script first.
    script = shutil.copy(SCRIPT, work / "script.py")
    args = (script, "extract", "--archives", few.list, "--out", out, "--sites", "--stories")
    cluster.submit(*args, files=package, python=bare_python).check()
    assert_articles(out, few.two_pass())
    assert_stories(out, few.stories(few.two_pass()))
    assert_clean(out)


@pytest.mark.parametrize("more", [(), ("--sites", "--stories")], ids=["articles", "all"])
def test_another_scheme(few: Archives, run: Run, out: Path, work: Path, more: tuple[str, ...]) -> None:
    """Archives and results are on a file system that only Hadoop knows."""
    # viewfs://test/archives is the folder of the archives, as a cluster with several file systems has it.
    conf = {
        "spark.hadoop.fs.viewfs.mounttable.test.link./archives": few.folder.as_uri(),
        "spark.hadoop.fs.viewfs.mounttable.test.link./results": work.as_uri(),
    }
    listed = work / "viewfs.txt"
    listed.write_text("".join(f"viewfs://test/archives/{path.relative_to(few.folder)}\n" for path in few.paths))
    run(listed, f"viewfs://test/results/{out.name}", "--split", str(few.sizes.split), *more, conf=conf).check()
    expected = few.two_pass() if more else few.articles()
    assert_articles(out, expected)
    if more:
        assert_stories(out, few.stories(expected))
    assert_clean(out)
