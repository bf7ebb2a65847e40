"""kill -9 of everything that runs, in the middle of stages: nothing is lost, and nothing doubled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster import victims
from cluster.archives import Archives
from cluster.conftest import Run, Undisturbed, in_long_form
from cluster.killer import Victim, in_turn, once_in_each
from cluster.results import assert_articles, assert_clean, assert_stories, parts
from cluster.standalone import wait_for

ALL: list[Victim] = [victims.one_lede, victims.one_python_worker, victims.one_executor, victims.one_worker]
NOTICED = 1.0  # seconds that a stage lasts if somebody is sure to see it


@pytest.fixture(autouse=True)
def _no_orphans(out: Path) -> Iterator[None]:
    """No process of lede goes on for long without its task."""
    yield
    wait_for("no process of lede without a task", lambda: not victims.orphans(str(out)), 30)


def test_each_in_extraction(archives: Archives, run: Run, slow: str, out: Path) -> None:
    """Kill one of each kind in the stage that extracts, the driver last. The rerun does the rest."""
    flags = ("--split", str(archives.sizes.split))
    program = run(archives.list, out, *flags, lede=slow)
    with in_turn("lede: extract", *ALL, victims.drivers)(program) as killer:
        program.wait()
    assert [name for _, name in killer.kills] == [victim.__name__ for victim in (*ALL, victims.drivers)], killer.seen
    assert program.process.returncode != 0
    # The rerun begins while tasks of the first may still run.
    program = run(archives.list, out, *flags).check()
    assert program.stages()["lede: extract"].tasks < len(parts(out)), "the rerun did everything again"
    assert_articles(out, archives.articles())
    assert_clean(out)


@in_long_form
@pytest.mark.parametrize("victim", ALL)
def test_one_in_each_stage(several: Archives, run: Run, out: Path, victim: Victim, undisturbed: Undisturbed) -> None:
    program = run(several.list, out, "--split", str(several.sizes.split), "--sites", "--stories")
    with once_in_each(victim)(program) as killer:
        program.check()
    print(f"{victim.__name__}: {killer.kills}")
    if victim in (victims.one_executor, victims.one_worker):
        assert not _long(undisturbed) - set(killer.hit(victim))
    else:
        assert len(killer.hit(victim)) >= 5, killer.kills
    _assert_all(several, out)


@in_long_form
def test_driver_in_each_stage(several: Archives, run: Run, out: Path, undisturbed: Undisturbed) -> None:
    hit: list[str] = []
    for _ in range(len(undisturbed.stages) + 5):
        program = run(several.list, out, "--split", str(several.sizes.split), "--sites", "--stories")
        with once_in_each(victims.drivers, tuple(hit))(program) as killer:
            status = program.wait()
        hit += killer.hit(victims.drivers)
        if status == 1:  # some pages fail
            break
    assert status == 1
    print(f"driver: {hit}")
    assert not _long(undisturbed) - set(hit)
    _assert_all(several, out)


def _long(undisturbed: Undisturbed) -> set[str]:
    """Return the stages that last long enough to be seen."""
    return {name for name, stage in undisturbed.stages.items() if stage.seconds > NOTICED}


def _assert_all(several: Archives, out: Path) -> None:
    assert_articles(out, several.two_pass())
    assert_stories(out, several.stories(several.two_pass()))
    assert_clean(out)
