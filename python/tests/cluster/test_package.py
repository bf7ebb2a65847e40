"""Machines on which nothing is installed, and file systems of other schemes."""

from __future__ import annotations

from pathlib import Path

from cluster.archives import Archives
from cluster.conftest import SCRIPT, Run, in_long_form
from cluster.results import assert_articles, assert_clean
from cluster.standalone import Cluster
from lede_news import spark

pytestmark = in_long_form


def test_nothing_installed(few: Archives, cluster: Cluster, bare_python: str, out: Path, work: Path) -> None:
    """Neither the driver nor the workers have anything but Spark and the file that package makes."""
    package = spark.package(work / "lede_news.zip")
    args = (SCRIPT, "extract", "--archives", few.list, "--out", out, "--sites", "--stories")
    cluster.submit(*args, files=package, python=bare_python).check()
    assert_articles(out, few.two_pass())
    assert_clean(out)


def test_another_scheme(few: Archives, run: Run, out: Path, work: Path) -> None:
    """Archives and results are on a file system that only Hadoop knows."""
    # viewfs://test/archives is the folder of the archives, as a cluster with several file systems has it.
    conf = {
        "spark.hadoop.fs.viewfs.mounttable.test.link./archives": few.folder.as_uri(),
        "spark.hadoop.fs.viewfs.mounttable.test.link./results": work.as_uri(),
    }
    listed = work / "viewfs.txt"
    listed.write_text("".join(f"viewfs://test/archives/{path.relative_to(few.folder)}\n" for path in few.paths))
    flags = ("--split", str(few.sizes.split), "--sites", "--stories")
    run(listed, f"viewfs://test/results/{out.name}", *flags, conf=conf).check()
    assert_articles(out, few.two_pass())
    assert_clean(out)
