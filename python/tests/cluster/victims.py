"""Processes of a cluster: which there are, and how they are killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cluster.standalone import Program


def command_of(pid: int) -> list[str]:
    """Return the command line of a process, or nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
    except OSError:
        return []


def parents() -> dict[int, int]:
    """Return the parent of each process that runs."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                found[int(folder.name)] = int(parent)
    return found


def below(*roots: int) -> list[int]:
    """Return processes and all their descendants."""
    children: dict[int, list[int]] = {}
    for pid, parent in parents().items():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    todo = list(roots)
    while todo:
        pid = todo.pop()
        found.append(pid)
        todo += children.get(pid, [])
    return found


def kill(pid: int) -> bool:
    """Kill a process as kill -9 does, and report whether it ran."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def is_executor(command: list[str]) -> bool:
    return any(part.endswith("CoarseGrainedExecutorBackend") for part in command)


def is_python_worker(command: list[str]) -> bool:
    return any(part in ("pyspark.daemon", "pyspark.worker") for part in command)


def is_lede(command: list[str]) -> bool:
    """Report whether a command is lede, whatever file it was unpacked to."""
    return bool(command) and Path(command[0]).name.startswith("lede") and len(command) > 1


def executors(program: Program) -> list[int]:
    """Return the JVMs of executors."""
    return [pid for pid in program.cluster.pids() if is_executor(command_of(pid))]


def python_workers(program: Program) -> list[int]:
    """Return the Python processes of tasks. Their parent, which forks them, has the same command line."""
    pids = [pid for pid in program.cluster.pids() if is_python_worker(command_of(pid))]
    parent = parents()
    return [pid for pid in pids if parent.get(pid) in pids]


def ledes(program: Program) -> list[int]:
    """Return the processes of lede that tasks have started."""
    return [pid for pid in program.cluster.pids() if is_lede(command_of(pid))]


def workers(program: Program) -> list[int]:
    """Return the workers of Spark. The first is killed with all that it started, as if its machine were gone."""
    return [worker.pid for worker in program.cluster.workers if not worker.ended()]


def drivers(program: Program) -> list[int]:
    """Return the processes of the driver."""
    return below(program.process.pid) if program.running() else []


def one_executor(program: Program) -> list[int]:
    return executors(program)[:1]


def one_python_worker(program: Program) -> list[int]:
    return python_workers(program)[:1]


def one_lede(program: Program) -> list[int]:
    return ledes(program)[:1]


def one_worker(program: Program) -> list[int]:
    return workers(program)[:1]


def orphans(text: str) -> list[str]:
    """Return the commands of processes of lede that run outside of the cluster and name a path."""
    return [
        " ".join(command)
        for pid in parents()
        if is_lede(command := command_of(pid)) and any(text in part for part in command)
    ]
