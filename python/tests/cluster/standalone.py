"""A Spark standalone cluster on this machine: a master and workers on 127.0.0.1, and programs that run on it."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

from cluster import victims

T = TypeVar("T")
START = 90  # seconds until the cluster runs
RUN = 3600  # seconds of a program

# The kernel kills a process with the thread that started it. This one lasts.
_SPAWNER = ThreadPoolExecutor(1)

# Java that starts fast and compiles little, since most of its processes are soon killed.
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

# Speculation that hardly waits, so that it happens in tests.
SPECULATION = {
    "spark.speculation": "true",
    "spark.speculation.interval": "50ms",
    "spark.speculation.multiplier": "1.01",
    "spark.speculation.quantile": "0.1",
    "spark.speculation.minTaskRuntime": "50ms",
}


def free_port() -> int:
    """Return a port that is free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fetch(url: str) -> Any:
    """Return the JSON at an address, or None if there is none."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)
    except (OSError, urllib.error.URLError, ValueError):
        return None


def wait_for(what: str, ready: Callable[[], T | None], limit: float, failed: Callable[[], str] = lambda: "") -> T:
    """Wait until something is there, and return it."""
    until = time.monotonic() + limit
    while time.monotonic() < until:
        if found := ready():
            return found
        if reason := failed():
            raise AssertionError(f"{what}: {reason}")
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {limit} s")


def spark_home() -> Path:
    """Return the folder of Spark: SPARK_HOME, or that of the installed pyspark."""
    if home := os.environ.get("SPARK_HOME"):
        return Path(home)
    import pyspark

    assert pyspark.__file__
    return Path(pyspark.__file__).parent


def plain_environment(**more: str) -> dict[str, str]:
    """Return an environment without anything of this project, as that of a machine that never heard of it."""
    kept = {name: os.environ[name] for name in ("HOME", "JAVA_HOME", "LANG", "TMPDIR", "USER") if name in os.environ}
    path = os.pathsep.join(("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"))
    return {
        **kept,
        "PATH": path,
        "SPARK_HOME": str(spark_home()),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_JAVA_OPTS": QUICK,
        "SPARK_LAUNCHER_OPTS": QUICK,
        **more,
    }


def spawn(
    name: str, args: Sequence[str], environment: Mapping[str, str], out: IO[bytes], log: IO[bytes] | int
) -> subprocess.Popen[bytes]:
    """Start a program of Spark. It ends with the tests, also if they are killed."""

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", str(spark_home() / "bin" / name), *args],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=log,
            env=environment,
            start_new_session=True,
        )

    return _SPAWNER.submit(start).result()


class Daemon:
    """A process of the cluster with its log."""

    def __init__(self, log: Path, *args: str, environment: Mapping[str, str]) -> None:
        self.log = log
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as out:
            self.process = spawn("spark-class", args, environment, out, subprocess.STDOUT)

    @property
    def pid(self) -> int:
        return self.process.pid

    def ended(self) -> str:
        """Return why the process has ended, or "" if it runs."""
        if self.process.poll() is None:
            return ""
        return f"exit status {self.process.returncode}: {tail(self.log)}"


def tail(log: Path, size: int = 3000) -> str:
    """Return the end of a log."""
    return log.read_text(errors="replace")[-size:] if log.exists() else f"no {log}"


class Cluster:
    """A master and workers. The workers have a Python without this package, and know nothing of lede."""

    def __init__(
        self,
        folder: Path,
        python: str = sys.executable,
        workers: int = 2,
        memory: str = "1g",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.python, self.number, self.memory = folder, python, workers, memory
        self.port, self.ui = free_port(), free_port()
        self.environment = plain_environment(**(environment or {}))
        self.workers: list[Daemon] = []
        self.started = self.submitted = 0
        self.master = Daemon(
            folder / "master.log",
            "org.apache.spark.deploy.master.Master",
            *("--host", "127.0.0.1", "--port", str(self.port), "--webui-port", str(self.ui)),
            environment=self.environment,
        )
        try:
            wait_for("the master", self.state, START, self.master.ended)
            self.mend()
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    def state(self) -> dict[str, Any] | None:
        """Return what the master says."""
        found: dict[str, Any] | None = fetch(f"http://127.0.0.1:{self.ui}/json/")
        return found

    def alive(self) -> int:
        """Return the number of workers that the master knows and that live."""
        return sum(worker["state"] == "ALIVE" for worker in (self.state() or {}).get("workers", []))

    def mend(self) -> None:
        """Start as many workers as are missing, and wait for them."""
        self.replace_workers()
        wait_for("the workers", lambda: self.alive() == self.number, START, self.master.ended)

    def replace_workers(self) -> None:
        """Start as many workers as are missing."""
        self.workers = [worker for worker in self.workers if not worker.ended()]
        while len(self.workers) < self.number:
            self.started += 1
            self.workers.append(
                Daemon(
                    self.folder / f"worker-{self.started}.log",
                    "org.apache.spark.deploy.worker.Worker",
                    *("--cores", "1", "--memory", self.memory, "--host", "127.0.0.1"),
                    *("--work-dir", str(self.folder / f"worker-{self.started}"), self.url),
                    environment=self.environment,
                )
            )

    def submit(
        self,
        *args: str | Path,
        conf: Mapping[str, str] | None = None,
        files: Path | None = None,
        environment: Mapping[str, str] | None = None,
        python: str = sys.executable,
    ) -> Program:
        """Start spark-submit with a script and its arguments."""
        self.submitted += 1
        return Program(self, self.folder / f"run-{self.submitted}", args, conf or {}, files, environment or {}, python)

    def pids(self) -> list[int]:
        """Return the workers and all processes below them: executors, their Python workers, and what these run."""
        return victims.below(*(worker.pid for worker in self.workers if not worker.ended()))

    def stop(self) -> None:
        """End all processes."""
        daemons = [*self.workers, self.master]
        pids = victims.below(*(daemon.pid for daemon in daemons if not daemon.ended()))
        for pid in pids:
            victims.kill(pid)
        for daemon in daemons:
            daemon.process.wait()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Program:
    """A run of spark-submit: the driver."""

    def __init__(
        self,
        cluster: Cluster,
        folder: Path,
        args: tuple[str | Path, ...],
        conf: Mapping[str, str],
        files: Path | None,
        environment: Mapping[str, str],
        python: str,
    ) -> None:
        self.cluster, self.folder, self.ui = cluster, folder, free_port()
        self.events = folder / "events"
        self.events.mkdir(parents=True)
        self.out, self.log = folder / "stdout", folder / "stderr"
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "1g",
            "spark.ui.port": str(self.ui),
            "spark.ui.showConsoleProgress": "false",
            "spark.ui.liveUpdate.period": "20ms",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": self.events.as_uri(),
            "spark.eventLog.compress": "false",
            "spark.eventLog.rolling.enabled": "false",
            "spark.pyspark.driver.python": python,
            "spark.pyspark.python": cluster.python,
            **conf,
        }
        command = ["--master", cluster.url]
        command += [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
        command += ["--py-files", str(files)] if files else []
        with self.out.open("wb") as out, self.log.open("wb") as log:
            self.process = spawn(
                "spark-submit", [*command, *map(str, args)], plain_environment(**environment), out, log
            )

    def wait(self, limit: float = RUN) -> int:
        """Wait for the end, and return the exit status."""
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the program did not end within {limit} s: {tail(self.log)}") from None

    def check(self, status: int = 1) -> Program:
        """Wait for the end, and assert the exit status: 1, since some pages fail."""
        found = self.wait()
        ended = found == status and (status > 1 or "; results in " in self.printed())
        assert ended, f"exit status {found}, not {status}: {tail(self.out)}\n{tail(self.log, 6000)}"
        return self

    def kill(self) -> None:
        """Kill the driver: spark-submit, its JVM and Python."""
        for pid in victims.below(self.process.pid):
            victims.kill(pid)
        self.process.wait()

    def running(self) -> bool:
        return self.process.poll() is None

    def printed(self) -> str:
        """Return what the program printed."""
        return self.out.read_text(errors="replace") + self.log.read_text(errors="replace")

    def rest(self, path: str) -> Any:
        """Ask the REST interface of the driver."""
        base = f"http://127.0.0.1:{self.ui}/api/v1/applications"
        applications = fetch(base)
        return fetch(f"{base}/{applications[0]['id']}/{path}") if applications else None

    def active(self) -> list[dict[str, Any]]:
        """Return the stages that have running tasks now."""
        return [stage for stage in self.rest("stages?status=active") or [] if stage["numActiveTasks"] > 0]

    def event_log(self) -> Iterator[dict[str, Any]]:
        """Return the events of the program, as its history server would read them."""
        for file in sorted(path for path in self.events.rglob("*") if path.is_file()):
            for line in file.read_text().splitlines():
                try:
                    yield json.loads(line)
                except ValueError:  # the last line of a driver that was killed
                    return

    def stages(self) -> dict[str, Stage]:
        """Return the stages that ran, by what the UI calls them; those of one name are counted together."""
        found: dict[str, Stage] = {}
        names: dict[int, str] = {}
        for event in self.event_log():
            match event["Event"]:
                case "SparkListenerStageSubmitted":
                    info = event["Stage Info"]
                    name = (event.get("Properties") or {}).get("spark.job.description") or info["Stage Name"]
                    names[info["Stage ID"]] = name = stage_name(name)
                    found.setdefault(name, Stage())
                case "SparkListenerStageCompleted":
                    info = event["Stage Info"]
                    stage = found[names[info["Stage ID"]]]
                    stage.seconds += (info["Completion Time"] - info["Submission Time"]) / 1000
                case "SparkListenerTaskEnd":
                    stage = found[names[event["Stage ID"]]]
                    if event["Task End Reason"]["Reason"] == "Success":
                        read = event["Task Metrics"]["Shuffle Read Metrics"]
                        size = read["Remote Bytes Read"] + read["Local Bytes Read"]
                        stage.reads.setdefault(event["Stage ID"], []).append((size, read["Total Records Read"]))
                        stage.busy += event["Task Metrics"]["Executor Run Time"] / 1000
                        stage.tasks += 1
                    else:
                        stage.failed += 1
                    if event["Task Info"]["Speculative"]:
                        stage.speculative += 1
        return found


def stage_name(description: str) -> str:
    """Return the name of a stage in the UI without numbers of tasks and paths: ``lede: extract``."""
    return re.sub(r": \d+ tasks? .*", "", description)


@dataclass
class Stage:
    """What the stages of one name did."""

    seconds: float = 0
    busy: float = 0  # seconds of all tasks that were successful
    tasks: int = 0
    failed: int = 0  # attempts that failed or were killed
    speculative: int = 0
    reads: dict[int, list[tuple[int, int]]] = field(default_factory=dict)  # bytes and records of shuffles by stage
