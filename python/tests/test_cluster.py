"""A Spark standalone cluster on this machine, one worker of which is killed. See scripts/cluster.sh."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pages
import pytest
from processes import on_linux, runs

import lede_news as lede

pytest.importorskip("pyspark")
pytestmark = [on_linux, pytest.mark.filterwarnings("ignore")]  # of Spark

ARCHIVES, EACH = 12, 40


class Cluster:
    """A master and workers. Each is a process group of its own, which is killed at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        home = Path(sys.modules["pyspark"].__file__ or "").parent
        self.command = [str(home / "bin" / "spark-class"), "org.apache.spark.deploy"]
        self.start("master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.url = self.wait_for(0, "Starting Spark master at ").split()[-1]
        self.workers = [self.worker() for _ in range(2)]

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a worker with one core."""
        args = ("--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0")
        started = self.start("worker.Worker", *args, "--work-dir", str(self.folder / "work"), self.url)
        self.wait_for(len(self.processes) - 1, "Successfully registered with master")
        return started

    def start(self, name: str, *args: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{len(self.processes)}.log").open("wb") as log:
            command = [self.command[0], f"{self.command[1]}.{name}", *args]
            env = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1"}
            self.processes.append(subprocess.Popen(command, stdout=log, stderr=log, env=env, start_new_session=True))
        return self.processes[-1]

    def wait_for(self, number: int, words: str) -> str:
        """Return the line of a log that has some words. The limit is that of the whole run."""
        while True:
            for line in (self.folder / f"{number}.log").read_text("utf-8", "replace").splitlines():
                if words in line:
                    return line
            assert self.processes[number].poll() is None, f"{number}.log ends without {words!r}"
            time.sleep(0.1)

    def close(self) -> None:
        for process in self.processes:
            kill_tree(process.pid)
            process.wait()


def children(pid: int) -> list[int]:
    """Return the ids of the processes below one."""
    try:
        own = [int(n) for t in Path(f"/proc/{pid}/task").iterdir() for n in (t / "children").read_text().split()]
    except FileNotFoundError:
        return []
    return [*own, *(c for o in own for c in children(o))]


def kill_tree(pid: int) -> None:
    """Kill a process and those below it, as the end of a machine does."""
    for one in (pid, *children(pid)):
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            continue


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    (tmp_path / "cluster").mkdir()
    made = Cluster(tmp_path / "cluster")
    yield made
    made.close()


def test_a_worker_is_killed(cluster: Cluster, tmp_path: Path, warc: Callable[..., Path]) -> None:
    from pyspark.sql import SparkSession

    from lede_news.spark import extract

    archives = [
        warc({f"https://paper.example/{n}/{i}": pages.page(100 * n + i).encode() for i in range(EACH)}, f"{n}.warc.gz")
        for n in range(ARCHIVES)
    ]
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master(cluster.url)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", "512m")
        .config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", ""))
        .config("spark.executorEnv.LEDE_COMMAND", os.environ.get("LEDE_COMMAND", ""))
        .getOrCreate()
    )
    out = tmp_path / "out"
    victim = cluster.workers[0]

    def kill() -> None:
        while not list(out.glob("*.parquet")):  # tasks are at work
            time.sleep(0.01)
        kill_tree(victim.pid)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        done = extract(spark, archives, out)
        killer.join()
        again = extract(spark, archives, out)
        rows = spark.read.parquet(str(out))
        ids = [row.id for row in rows.select("id").collect()]
    finally:
        spark.stop()
    assert not runs(victim.pid)
    assert (done.archives, done.pages, done.failed, done.failures) == (ARCHIVES, ARCHIVES * EACH, 0, ())
    assert again.skipped == ARCHIVES
    assert len(ids) == len(set(ids)) == ARCHIVES * EACH
    whole = tmp_path / "whole.jsonl"
    assert lede.batch(archives, whole).pages == len(ids)
