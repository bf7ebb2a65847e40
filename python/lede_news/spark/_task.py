"""A task: one archive, or a range of one, through ``lede batch`` on a worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Task:
    """A line of ``lede step plan``: the records of an archive that begin in a range."""

    part: int
    archive: int
    path: str  # as the list has it
    name: str = ""  # what ids begin with
    start: int = 0
    until: int = 0  # 0 is the end
    exact: bool = False  # a record begins at start


@dataclass(frozen=True)
class Stage:
    """A run of ``lede batch`` over all tasks, and where its results go.

    The result of a task is ``OUT/FOLDER/part-00017ENDING``; ``OUT/MARKS/part-00017.json`` is
    its summary, which is written after it and means that the task is done.
    """

    name: str  # of the stage in Spark's UI
    folder: str  # of the results in OUT, "" for OUT itself
    ending: str
    marks: str
    flags: tuple[str, ...] = ()  # added to those of the job


ARTICLES = Stage("extract", "", ".parquet", "_lede/parts")

# Called on the worker before lede, with a scratch folder that is removed after the task;
# returns flags to add.
Prepare = Callable[["Setup", Task, Path], list[str]]


@dataclass(frozen=True)
class Setup:
    """What every task of a job needs. It travels to the workers."""

    out: str
    flags: tuple[str, ...]  # of lede batch
    plan: str  # hash of plan.json
    hadoop: bytes | None  # the Hadoop configuration of the driver
    classpath: tuple[str, ...] = ()
    attempts: int = 1


def part_name(part: int) -> str:
    """Return the name of the files of a task, without ending."""
    return f"part-{part:05d}"


def run_task(setup: Setup, stage: Stage, task: Task, prepare: Prepare | None = None) -> dict[str, Any]:
    """Run a task on a worker, and return its summary; it is skipped if it is done."""
    raise NotImplementedError
