"""One site with half of all pages does not make one reducer do all the work."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from cluster.archives import Archives
from cluster.conftest import Run

SHARE = 0.35  # of the records of a shuffle that one task may read; a reducer of the largest site has half
FEW = 2000  # records that any task may read
ONE = "articles that are no copies"  # goes through compact data one after the other


def test_shuffles(archives: Archives, run: Run, out: Path, long: bool) -> None:
    if not long:
        pytest.skip("LEDE_LONG is not set: there are too few pages")
    conf = {  # so much data is one partition otherwise
        "spark.sql.shuffle.partitions": "16",
        "spark.sql.adaptive.coalescePartitions.minPartitionNum": "16",
        "spark.sql.adaptive.coalescePartitions.minPartitionSize": "1k",
    }
    program = run(archives.list, out, "--split", str(archives.sizes.split), "--sites", "--stories", conf=conf).check()
    shuffles = 0
    for name, stage in program.stages().items():
        for reads in stage.reads.values():
            records = [count for _, count in reads if count]
            if not records or ONE in name:
                continue
            shuffles += 1
            share = max(records) / sum(records)
            print(f"{name}: {len(records)} tasks, largest {max(records)}, median {median(records)}, share {share:.2f}")
            assert max(records) <= FEW or share <= SHARE, f"{name}: one task reads {share:.0%} of {sum(records)}"
    assert shuffles >= 5
