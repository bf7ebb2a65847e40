"""A task: one archive, or a range of one, through ``lede batch`` on a worker."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._child import Child
from .._start import ending, last_message, usage_error
from ..errors import LedeError
from ._files import Files, join, local_path
from ._scratch import scratch

SLACK = 4 << 20  # bytes after a range that are copied with it, for its last record
_RESUMES = 2  # how often lede goes on after it was killed, before the task fails
_TAIL = 64 << 10


@dataclass(frozen=True)
class Task:
    """A line of ``lede step plan``: the records of an archive that begin in a range."""

    part: int
    archive: int
    path: str  # as the list has it
    file: str  # as workers find it
    name: str = ""  # what ids begin with
    start: int = 0
    until: int = 0  # 0 is the end
    exact: bool = False  # a record begins at start

    @property
    def is_range(self) -> bool:
        """Report whether the task is a range of an archive."""
        return self.start != 0 or self.until != 0


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
    hadoop: bytes | None = None  # the Hadoop configuration of the driver, unless all files are local
    java: tuple[str, ...] = ()  # options of Java
    attempts: int = 1  # of Spark for a task
    direct: bool = True  # use local files directly, and not through Hadoop

    def files(self) -> Files:
        """Return the files as a worker sees them."""
        from ._hadoop import worker_files

        return Files(lambda: worker_files(self.hadoop or b"<configuration/>", self.java), self.direct)


def part_name(part: int) -> str:
    """Return the name of the files of a task, without ending."""
    return f"part-{part:05d}"


def plan_hash(plan: bytes) -> str:
    """Return the hash of a plan, by which tasks of another run in the same folder are found."""
    return hashlib.sha256(plan).hexdigest()


def try_task(
    setup: Setup, stage: Stage, task: Task, prepare: Prepare | None = None, attempt: int = 0, workers: int = 1
) -> dict[str, Any]:
    """Run a task, and return its summary, or at the last attempt a failure.

    Before that a failure is an exception, so that Spark tries the task again, perhaps elsewhere.
    """
    try:
        return run_task(setup, stage, task, prepare, workers)
    except Exception as e:
        if attempt + 1 < setup.attempts:
            raise
        kind = e.kind if isinstance(e, LedeError) else "file"
        return failure(task, _one_line(e), kind, lasting=isinstance(e, FileNotFoundError))


def failure(task: Task, error: str, kind: str, lasting: bool = False) -> dict[str, Any]:
    """Return what a task gives that failed. If it is ``lasting``, it is not tried again at once."""
    return {"part": task.part, "archive": task.archive, "error": error, "kind": kind, "lasting": lasting}


def run_task(
    setup: Setup, stage: Stage, task: Task, prepare: Prepare | None = None, workers: int = 1
) -> dict[str, Any]:
    """Run a task on a worker, and return its summary; it is skipped if it is done."""
    files = setup.files()
    if done := read_mark(files, setup, stage, task):
        return done
    started = time.monotonic()
    with scratch() as folder:
        extra = prepare(setup, task, folder) if prepare else []
        flags = [f"--workers={workers}", *setup.flags, *stage.flags, *extra]
        run = _Run(files, task, folder, f"result{stage.ending}", flags, workers)
        summary = run.run()
        summary.update(part=task.part, archive=task.archive, path=task.path, seconds=time.monotonic() - started)
        return _commit(files, setup, stage, task, run.result, summary)


def read_mark(files: Files, setup: Setup, stage: Stage, task: Task) -> dict[str, Any] | None:
    """Return the summary of a task that is done."""
    try:
        found = json.loads(files.read(join(setup.out, stage.marks, f"{part_name(task.part)}.json")))
    except FileNotFoundError:
        return None
    except ValueError:  # torn by a file system without atomic renames
        return None
    if not isinstance(found, dict) or not found.get("complete"):
        return None
    # An exact task replaces one that began at the wrong offset.
    if task.exact and not follows(found, task.start, task.until):
        return None
    return found


def follows(summary: dict[str, Any], start: int, until: int) -> bool:
    """Report whether a range began at the right offset, at which the range before it ended."""
    begin = int(summary.get("begin", 0))
    if begin < 0:
        return start < 0 or 0 < until <= start
    return begin == start


def _commit(
    files: Files, setup: Setup, stage: Stage, task: Task, result: Path, summary: dict[str, Any]
) -> dict[str, Any]:
    """Move a result and then its summary to their places, unless another attempt has done so."""
    if plan_hash(files.read(join(setup.out, "_lede", "plan.json"))) != setup.plan:
        raise LedeError(f"another run has replaced the plan in {setup.out}; this one has ended")
    if done := read_mark(files, setup, stage, task):
        return done
    name, temporary = part_name(task.part), join(setup.out, "_lede", "tmp")
    pages = result.with_name(f"{result.name}.quarantine")
    for page in sorted(p for p in pages.rglob("*") if p.is_file()):
        files.publish(page, join(setup.out, "_lede", "quarantine", name, page.relative_to(pages).as_posix()), temporary)
    place = join(setup.out, stage.folder) if stage.folder else setup.out
    files.publish(result, join(place, name + stage.ending), temporary)
    mark = result.with_name("mark.json")
    mark.write_text(json.dumps(summary, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    files.publish(mark, join(setup.out, stage.marks, f"{name}.json"), temporary)
    return summary


class _Run:
    """``lede batch`` over the archive of a task, in a scratch folder."""

    def __init__(self, files: Files, task: Task, folder: Path, result: str, flags: list[str], cores: int) -> None:
        self._files = files
        self._task = task
        self._folder = folder
        self._flags = flags
        self._cores = cores
        self.result = folder / result

    def run(self) -> dict[str, Any]:
        """Run lede, and return the summary of a complete run."""
        task = self._task
        size = self._files.size(task.file)  # a missing archive is not one with a failed page
        if self._files.is_direct(task.file):
            return self._lede(local_path(task.file), self._bytes(size))
        copy = self._folder / "in" / task.file.rstrip("/").rpartition("/")[2]
        copy.parent.mkdir()
        copy.touch()
        start = max(task.start, 0)
        end = max(start, min(size, task.until + SLACK)) if task.until else size
        if start < end:
            self._files.fetch(task.file, copy, start, end)
        while True:
            summary = self._lede(copy, self._bytes(size))
            # A record that begins in the range may end far behind it.
            if end >= size or 0 <= summary.get("next", -1) < end or not self._bytes(size):
                return summary
            more = min(size, end + 8 * max(end - task.until, SLACK))
            self._files.fetch(task.file, copy, end, more)
            end = more

    def _bytes(self, size: int) -> int:
        """Return how many bytes of an archive belong to the task."""
        return max(0, min(self._task.until or size, size) - max(self._task.start, 0))

    def _lede(self, path: Path, size: int) -> dict[str, Any]:
        """Run lede until it is done. If it is killed it goes on, and finds the page that is to blame, if one is."""
        for left in range(_RESUMES, -1, -1):
            # There are no counts of a result that was complete when lede was killed.
            again = "--overwrite" if left == _RESUMES or self.result.exists() else "--resume"
            status, summary, said = self._once([again, *self._arguments(path)])
            if status in (0, 1) and summary.get("complete"):
                if summary.get("unreadable"):
                    raise LedeError(f"{self._task.path} cannot be read; see the messages of the worker", "source")
                return {**summary, "bytes": size}
            message = str(summary.get("error") or said)
            if status == 2:
                raise usage_error(message)
            if status >= 0:
                raise LedeError(f"{self._task.path}: {message or ending(status)}")
        raise LedeError(
            f"{self._task.path}: lede was ended by {ending(status)} {_RESUMES + 1} times: {message}", "crash"
        )

    def _arguments(self, path: Path) -> list[str]:
        task = self._task
        args = [f"--out={self.result}", f"--as={task.name}", f"--origin={task.path}"]
        if task.is_range:
            args += [f"--from={task.start}", f"--until={task.until}"]
        if task.exact:
            args.append("--exact")
        return [*args, *self._flags, "--", str(path)]

    def _once(self, args: list[str]) -> tuple[int, dict[str, Any], str]:
        counts, words = self._folder / "summary.json", self._folder / "messages"
        with words.open("wb") as stderr:
            command = ["batch", "--with-parent", "--quiet", f"--summary={counts}", *args]
            child = Child(command, stderr=stderr, cores=self._cores)
            try:
                status = child.process.wait()
            finally:
                child.kill()
        summary: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError):
            summary = json.loads(counts.read_text("utf-8"))
        with words.open("rb") as file:
            file.seek(max(0, words.stat().st_size - _TAIL))
            said = file.read().decode("utf-8", "replace").splitlines()
        return status, summary, last_message(said)


def _one_line(e: BaseException) -> str:
    text = " ".join(str(e).split()) or type(e).__name__
    return text if len(text) <= 2000 else text[:2000] + "…"
