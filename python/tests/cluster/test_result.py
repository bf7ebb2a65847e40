"""The result of a job is that of one machine, row by row."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow.parquet

from cluster.archives import Archives
from cluster.conftest import SITES_AND_STORIES, Run, Undisturbed, in_long_form
from cluster.results import assert_articles, assert_clean, assert_stories, parts, table


@in_long_form
def test_equal_to_batch(archives: Archives, run: Run, out: Path) -> None:
    run(archives.list, out, "--split", str(archives.sizes.split)).check()
    assert_articles(out, archives.articles())
    assert_clean(out)
    assert len(parts(out)) > len(archives.paths), "no archive was split"
    _assert_counts(archives, out)


@in_long_form
def test_two_passes_and_stories(archives: Archives, run: Run, whole: Undisturbed) -> None:
    out = whole.out
    assert_articles(out, archives.two_pass())
    assert_stories(out, archives.stories(archives.two_pass()))
    assert_clean(out)
    _assert_counts(archives, out)

    # A rerun does nothing again.
    before = _times(out)
    again = run(archives.list, out, "--split", str(archives.sizes.split), *SITES_AND_STORIES).check()
    assert not [name for name in again.stages() if name == "lede: extract" or "lede stories" in name]
    assert _times(out) == before


def _times(out: Path) -> dict[str, int]:
    """Return when each part was written."""
    return {path.name: path.stat().st_mtime_ns for path in parts(out)}


def _assert_counts(archives: Archives, out: Path) -> None:
    """Assert that the tables of archives and failures agree with the articles."""
    rows = pyarrow.parquet.read_table(archives.articles(), columns=["id", "url", "error", "kind"]).to_pylist()
    counts = table(out, "archives")
    assert [row["archive"] for row in counts] == [str(path) for path in archives.paths]
    assert sum(row["pages"] for row in counts) == len(rows)
    failed = [row for row in rows if row["error"]]
    assert sum(row["failed"] for row in counts) == len(failed)
    for row in counts:
        assert row["records"] + row["damaged"] == row["pages"] + row["skipped"], row
        assert row["done"] == row["tasks"] and row["error"] is None, row
    found = Counter((row["id"], row["url"], row["kind"], row["error"]) for row in table(out, "failures"))
    assert found == Counter((row["id"], row["url"], row["kind"], row["error"]) for row in failed)
