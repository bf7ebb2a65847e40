"""One site with half of all pages does not make one reducer do all the work."""

from __future__ import annotations

from statistics import median

import pytest

from cluster.conftest import Undisturbed

SHARE = 0.35  # of the records of a shuffle that one task may read; a reducer of the largest site has half
FEW = 2000  # records that any task may read
STORY = 10_000  # articles that a story lists: a task of the last stage has all of them
ONE = "articles that are no copies"  # goes through compact data one after the other


def test_shuffles(whole: Undisturbed, long: bool) -> None:
    if not long:
        pytest.skip("LEDE_LONG is not set: there are too few pages")
    shuffles = 0
    for name, stage in whole.stages.items():
        for reads in stage.reads.values():
            records = [count for _, count in reads if count]
            if not records or ONE in name:
                continue
            shuffles += 1
            share = max(records) / sum(records)
            print(f"{name}: {len(records)} tasks, largest {max(records)}, median {median(records)}, share {share:.2f}")
            few = FEW + STORY if name.endswith(": stories") else FEW
            assert max(records) <= few or share <= SHARE, f"{name}: one task reads {share:.0%} of {sum(records)}"
    assert shuffles >= 5
