"""A cluster for all tests, its archives, and jobs on it. ``scripts/cluster.sh`` sets LEDE_CLUSTER."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from cluster import archives as made
from cluster.standalone import QUICK, SPECULATION, Cluster, Program, Stage

if not os.environ.get("LEDE_CLUSTER"):
    collect_ignore_glob = ["test_*.py"]

REPOSITORY = Path(__file__).resolve().parents[3]
SCRIPT = REPOSITORY / "python/lede_spark.py"
Run = Callable[..., Program]

# The short form has little time. LEDE_CLUSTER=all runs all tests, with few pages.
in_long_form = pytest.mark.skipif(
    not os.environ.get("LEDE_LONG") and os.environ.get("LEDE_CLUSTER") != "all", reason="LEDE_LONG is not set"
)
SETTINGS = {**SPECULATION, "spark.driver.extraJavaOptions": QUICK, "spark.executor.extraJavaOptions": QUICK}


@pytest.fixture(scope="session")
def work(request: pytest.FixtureRequest) -> Iterator[Path]:
    """The folder of the cluster, with all logs and results. It is kept if a test fails."""
    folder = REPOSITORY / "bin/cluster-run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    yield folder
    if request.session.testsfailed:
        print(f"\nlogs and results are kept in {folder}", file=sys.stderr)
    else:
        shutil.rmtree(folder, ignore_errors=True)


def _archives(sizes: made.Sizes, program: str) -> made.Archives:
    corpora = next(
        (folder / "shared/corpora" for folder in REPOSITORY.parents if (folder / "shared/corpora").is_dir()),
        REPOSITORY / "none",
    )
    return made.archives(REPOSITORY / "bin/cluster-data", sizes, program, corpora)


@pytest.fixture(scope="session")
def archives(long: bool, program: str) -> made.Archives:
    """The archives, with the results of one machine."""
    return _archives(made.LONG if long else made.SHORT, program)


@pytest.fixture(scope="session")
def few(program: str) -> made.Archives:
    """The archives of the short form, also in the long one."""
    return _archives(made.SHORT, program)


@pytest.fixture(scope="session")
def several(program: str) -> made.Archives:
    """Archives whose stages last long enough to kill something in each, and no longer."""
    return _archives(made.MEDIUM, program)


@pytest.fixture(scope="session")
def bare_python(work: Path) -> str:
    """A Python without any package, for the workers."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", work / "python"], check=True)
    return str(work / "python/bin/python")


@pytest.fixture(scope="session")
def slow(work: Path, program: str) -> str:
    """A program that waits before it becomes lede batch, so that there is time to kill."""
    script = work / "slow/lede"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\n[ "$1" != batch ] || sleep 0.7\nexec "{program}" "$@"\n')
    script.chmod(0o755)
    return str(script)


@pytest.fixture(scope="session")
def running(work: Path, bare_python: str) -> Iterator[Cluster]:
    """A cluster of two workers."""
    with Cluster(work / "cluster", bare_python) as cluster:
        yield cluster


@pytest.fixture
def cluster(running: Cluster) -> Cluster:
    """The cluster, with all workers, whatever was killed before."""
    running.mend()
    return running


def extract(
    cluster: Cluster,
    program: str,
    archives: Path | str,
    out: Path | str,
    *flags: str | Path,
    conf: Mapping[str, str] | None = None,
) -> Program:
    """Start ``lede_spark.py extract``. The driver has the package and the program, and sends both to the workers."""
    environment = {"PYTHONPATH": str(REPOSITORY / "python"), "LEDE_COMMAND": program}
    args = (SCRIPT, "extract", "--archives", archives, "--out", out, *flags)
    return cluster.submit(*args, conf={**SETTINGS, **(conf or {})}, environment=environment)


@pytest.fixture
def run(cluster: Cluster, program: str) -> Iterator[Run]:
    """Start ``lede_spark.py extract`` on the cluster, with speculation: ``run(list, out, "--sites")``."""
    started: list[Program] = []

    def start(
        archives: Path | str,
        out: Path | str,
        *flags: str | Path,
        conf: Mapping[str, str] | None = None,
        lede: str = program,
        on: Cluster = cluster,
    ) -> Program:
        started.append(extract(on, lede, archives, out, *flags, conf=conf))
        return started[-1]

    yield start
    for job in started:
        if job.running():
            job.kill()


@pytest.fixture
def out(work: Path, request: pytest.FixtureRequest) -> Path:
    """A folder for results that does not exist."""
    name = "".join(letter if letter.isalnum() else "-" for letter in request.node.name)
    return next(path for number in itertools.count() if not (path := work / f"out-{name}-{number}").exists())


@dataclass(frozen=True)
class Undisturbed:
    """A job in which nothing was killed."""

    out: Path
    stages: dict[str, Stage]


SITES_AND_STORIES = ("--sites", "--stories")
MANY_PARTITIONS = {  # so little data is one partition otherwise
    "spark.sql.shuffle.partitions": "16",
    "spark.sql.adaptive.coalescePartitions.minPartitionNum": "16",
    "spark.sql.adaptive.coalescePartitions.minPartitionSize": "1k",
}


def _undisturbed(
    cluster: Cluster, program: str, archives: made.Archives, out: Path, conf: Mapping[str, str] | None = None
) -> Undisturbed:
    cluster.mend()
    flags = ("--split", str(archives.sizes.split), *SITES_AND_STORIES)
    return Undisturbed(out, extract(cluster, program, archives.list, out, *flags, conf=conf).check().stages())


@pytest.fixture(scope="session")
def undisturbed(running: Cluster, several: made.Archives, program: str, work: Path) -> Undisturbed:
    """A job with all stages, as long as those in which something is killed."""
    return _undisturbed(running, program, several, work / "out-undisturbed")


@pytest.fixture(scope="session")
def whole(running: Cluster, archives: made.Archives, program: str, work: Path) -> Undisturbed:
    """A job with all stages over all archives, with many partitions."""
    return _undisturbed(running, program, archives, work / "out-whole", MANY_PARTITIONS)
