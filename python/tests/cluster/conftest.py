"""A cluster for all tests, its archives, and jobs on it. ``scripts/cluster.sh`` sets LEDE_CLUSTER."""

from __future__ import annotations

import importlib
import itertools
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from cluster import archives as made
from cluster.standalone import SPECULATION, Cluster, Program

if not os.environ.get("LEDE_CLUSTER"):
    collect_ignore_glob = ["test_*.py"]

REPOSITORY = Path(__file__).resolve().parents[3]
Run = Callable[..., Program]


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


@pytest.fixture(scope="session")
def archives(long: bool, program: str) -> made.Archives:
    """The archives, with the results of one machine."""
    corpora = next(
        (folder / "shared/corpora" for folder in REPOSITORY.parents if (folder / "shared/corpora").is_dir()),
        REPOSITORY / "none",
    )
    return made.archives(REPOSITORY / "bin/cluster-data", made.LONG if long else made.SHORT, program, corpora)


@pytest.fixture(scope="session")
def bare_python(work: Path) -> str:
    """A Python without any package, for the workers."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", work / "python"], check=True)
    return str(work / "python/bin/python")


@pytest.fixture(scope="session")
def package(work: Path, program: str) -> Path:
    """What lede_news.spark.package makes: all that workers need."""
    return Path(importlib.import_module("lede_news.spark").package(work / "package"))


@pytest.fixture(scope="session")
def slow_package(work: Path, package: Path) -> Path:
    """The same package, but lede waits a second before it begins, so that there is time to kill."""
    slow = work / "slow" / package.name
    slow.parent.mkdir()
    with zipfile.ZipFile(package) as fast, zipfile.ZipFile(slow, "w") as copy:
        for entry in fast.infolist():
            data = fast.read(entry)
            if Path(entry.filename).name == "lede":
                program = work / "slow/lede"
                program.write_bytes(data)
                program.chmod(0o755)
                data = f'#!/bin/sh\nsleep 1\nexec "{program}" "$@"\n'.encode()
            copy.writestr(entry, data)
    return slow


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


@pytest.fixture
def run(cluster: Cluster, package: Path, program: str) -> Iterator[Run]:
    """Start ``lede_spark.py extract`` on the cluster, with speculation: ``run(list, out, "--sites")``."""
    started: list[Program] = []

    def start(
        archives: Path,
        out: Path | str,
        *flags: str | Path,
        conf: Mapping[str, str] | None = None,
        files: Path = package,
        on: Cluster = cluster,
    ) -> Program:
        environment = {"PYTHONPATH": str(REPOSITORY / "python"), "LEDE_COMMAND": program}
        args = (REPOSITORY / "python/lede_spark.py", "extract", "--archives", archives, "--out", out, *flags)
        settings = {**SPECULATION, **(conf or {})}
        started.append(on.submit(*args, conf=settings, files=files, environment=environment))
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


@pytest.fixture(scope="session")
def undisturbed(running: Cluster, work: Path) -> dict[str, float]:
    """The stages of a job, and their times. test_result fills it by a job that is not disturbed."""
    return {}
