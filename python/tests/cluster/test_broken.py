"""Archives that are damaged or missing, and disks that are full: the failure is named, and nothing else is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cluster.archives import Archives
from cluster.conftest import Run, in_long_form
from cluster.results import assert_articles, assert_clean, read_articles, table
from cluster.standalone import Cluster

pytestmark = in_long_form
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")


def test_missing(few: Archives, run: Run, out: Path, work: Path) -> None:
    """An archive is missing: all others are done, and a rerun completes the job."""
    copies = _copies(few, work / "missing")
    missing = copies[2]
    kept = missing.rename(missing.with_name("kept"))
    listed = _list(copies, work / "missing.txt")
    failed = run(listed, out).check(1)
    assert f"{missing} does not exist" in failed.printed()
    errors = {row["archive"]: row["error"] for row in table(out, "archives") if row["error"]}
    assert errors == {str(missing): f"{missing} does not exist"}
    tasks = {row["archive"]: row["error"] for row in table(out, "failures") if row["id"] is None}
    assert tasks == errors
    expected = _reference(few, copies, "without", but=(missing,))
    assert read_articles(out).equals(read_articles(expected))

    kept.rename(missing)
    again = run(listed, out).check(1)
    assert again.stages()["lede: extract"].tasks == 1
    assert_articles(out, _reference(few, copies, "with"))
    assert_clean(out)
    assert not [row for row in table(out, "failures") if row["id"] is None]


def test_damaged(few: Archives, run: Run, out: Path, work: Path) -> None:
    """Stretches of an archive are lost: that is in the tables, and all others are as on one machine."""
    copies = _copies(few, work / "damaged")
    data = bytearray(copies[0].read_bytes())
    data[len(data) // 2 : len(data) // 2 + 1000] = os.urandom(1000)
    copies[0].write_bytes(data)
    copies[3].write_bytes(b"this is no archive\n" * 100)
    copies[5].write_bytes(copies[5].read_bytes()[:-500])
    listed = _list(copies, work / "damaged.txt")
    printed = run(listed, out, "--split", str(few.sizes.split)).check(1).printed()
    assert_articles(out, _reference(few, copies, "damaged"))
    damaged = {row["archive"] for row in table(out, "archives") if row["damaged"] or row["lost_bytes"]}
    assert damaged == {str(copies[at]) for at in (0, 3, 5)}
    named = {row["archive"]: row["error"] for row in table(out, "failures") if row["kind"] == "source"}
    assert named.keys() >= damaged
    assert "bytes of archives are damaged" in printed
    for row in table(out, "archives"):
        assert row["records"] + row["damaged"] == row["pages"] + row["skipped"], row

    # What could be read is done: mended archives are read again with --overwrite.
    for path, copy in zip(few.paths, copies, strict=True):
        shutil.copy(path, copy)
    run(listed, out, "--split", str(few.sizes.split), "--overwrite").check(1)
    assert_articles(out, _reference(few, copies, "mended"))
    assert_clean(out)


@needs_root
def test_full_disk_of_results(few: Archives, run: Run, work: Path) -> None:
    with _disk(work / "small-out", "300k") as disk:
        failed = run(few.list, disk / "out")
        assert failed.wait() in (1, 3)
        assert "no space" in failed.printed().lower()
        subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
        run(few.list, disk / "out").check(1)
        assert_articles(disk / "out", few.articles())
        assert_clean(disk / "out")


@needs_root
def test_full_disk_of_spark(few: Archives, run: Run, out: Path, work: Path, bare_python: str) -> None:
    """Spark and tasks keep what they need for a while on a disk that is full."""
    with (
        _disk(work / "small-local", "1m") as disk,
        Cluster(work / "small", bare_python, workers=1, environment={"SPARK_LOCAL_DIRS": str(disk)}) as small,
    ):
        failed = run(few.list, out, on=small)
        assert failed.wait() in (1, 3)
        assert "no space" in failed.printed().lower()
        subprocess.run(["mount", "-o", "remount,size=500m", disk], check=True)
        run(few.list, out, on=small).check(1)
        assert_articles(out, few.articles())
        assert_clean(out)


@contextmanager
def _disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of this size, in memory."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def _copies(archives: Archives, folder: Path) -> list[Path]:
    """Copy archives, with the names of their folders, so that they can be damaged."""
    copies = [folder / path.relative_to(archives.folder) for path in archives.paths]
    for path, copy in zip(archives.paths, copies, strict=True):
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    return copies


def _list(paths: list[Path], file: Path) -> Path:
    file.write_text("# archives\n\n" + "".join(f"{path}\n" for path in paths))
    return file


def _reference(archives: Archives, paths: list[Path], name: str, but: tuple[Path, ...] = ()) -> Path:
    """Return what lede batch makes of archives. Those that are left out leave their names to the others."""
    reference = paths[0].parents[1] / f"{name}.parquet"
    inputs = [str(path) for path in paths if path not in but]
    command = [archives.program, "batch", *inputs, "--quiet", "--out", str(reference)]
    assert subprocess.run(command, check=False).returncode in (0, 1)
    return reference
