"""The plan of a job: its settings, its archives and its tasks, kept in OUT/_lede/plan.json.

It is made by lede, so that ``lede batch --part`` and Spark can continue each other.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .._start import last_message, start, usage_error
from ..errors import LedeError
from ._files import Files, absolute, join
from ._task import Task

_THREADS = 16  # that ask a file system for sizes


def run_lede(args: Sequence[str], stdin: bytes = b"") -> bytes:
    """Run lede on the driver with some input, and return what it prints."""
    with tempfile.TemporaryFile() as file:
        file.write(stdin)
        file.seek(0)
        child = start(args, stdin=file.fileno(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, words = child.communicate()
    if child.returncode not in (0, 1):
        said = last_message(words.decode("utf-8", "replace").splitlines())
        raise usage_error(said) if child.returncode == 2 else LedeError(said or f"lede {args[0]} failed")
    return out


def check_flags(flags: Sequence[str]) -> None:
    """Raise OptionError if lede batch does not take flags, before any task does."""
    run_lede(["batch", "--quiet", "--workers=1", "--out=-", *flags, "--", "-"])


def sizes(files: Files, archives: Sequence[str]) -> list[int]:
    """Return the sizes of archives. One that is missing has none: its task fails, and the others run."""

    def size(path: str) -> int:
        try:
            return files.size(path)
        except OSError:
            return -1

    with ThreadPoolExecutor(_THREADS) as pool:
        return list(pool.map(size, archives))


def make_plan(
    files: Files, archives: Sequence[str], flags: Sequence[str], split: int, settings: Mapping[str, Any]
) -> bytes:
    """Return plan.json: tasks and settings as lede has them, and settings of the job."""
    pairs = zip(archives, sizes(files, archives), strict=True)
    lines = "".join(json.dumps({"path": path, "size": size}) + "\n" for path, size in pairs)
    made = json.loads(run_lede(["step", "plan", "--json", f"--split={split}", "--", *flags], lines.encode()))
    made["settings"].update(settings)
    return (json.dumps(made, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def read_plan(files: Files, out: str) -> bytes | None:
    """Return plan.json of a folder of results, or None if there is none."""
    try:
        return files.read(join(out, "_lede", "plan.json"))
    except FileNotFoundError:
        return None


def write_plan(files: Files, out: str, plan: bytes) -> None:
    """Write plan.json."""
    write_small(files, join(out, "_lede", "plan.json"), plan, join(out, "_lede", "tmp"))


def write_small(files: Files, path: str, data: bytes, temporary: str) -> None:
    """Write a small file, which appears complete."""
    with tempfile.TemporaryDirectory(prefix="lede-") as folder:
        file = Path(folder, "file")
        file.write_bytes(data)
        files.publish(file, path, temporary)


def parse(plan: bytes, out: str) -> dict[str, Any]:
    """Return a plan, or raise LedeError if it is none."""
    try:
        found = json.loads(plan)
        assert isinstance(found["tasks"], list) and isinstance(found["settings"], dict)
    except (ValueError, KeyError, TypeError, AssertionError) as e:
        raise LedeError(f"{join(out, '_lede', 'plan.json')} is damaged; use overwrite to begin again") from e
    return dict(found)


def tasks_of(plan: Mapping[str, Any]) -> list[Task]:
    """Return the tasks of a plan."""
    return [
        Task(t["part"], t["archive"], t["path"], absolute(t["path"]), t["name"], t["from"], t["until"])
        for t in plan["tasks"]
    ]


def check_same(old: Mapping[str, Any], new: Mapping[str, Any], out: str) -> None:
    """Raise LedeError if the plan of a folder is not that of this run."""
    advice = "use the same ones, name another folder, or use overwrite to begin again"
    if old["archives"] != new["archives"]:
        raise LedeError(f"{out} has the results of other archives; {advice}")
    for path, was, size in zip(old["archives"], old.get("sizes", []), new["sizes"], strict=False):
        if was > 0 and size >= 0 and was != size:
            raise LedeError(
                f"{path} has changed since the results in {out}: it had {was} bytes, and now has {size}; {advice}"
            )
    before, now = old["settings"], new["settings"]
    for name in sorted({*before, *now} - {"flags"}):
        if before.get(name) != now.get(name):
            raise LedeError(f"{out} has results with {name} {before.get(name)}, and not {now.get(name)}; {advice}")
    if changed := sorted({*before.get("flags", [])} ^ {*now["flags"]}):
        raise LedeError(f"{out} has results with other settings ({', '.join(changed)}); {advice}")
    if old.get("fields") != new.get("fields"):
        raise LedeError(f"{out} has results of another version of lede, with other fields; {advice}")
