"""Many pages, from files to a file, with ``lede batch``."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

from . import _options
from ._start import Child, ending, last_message, usage_error
from .errors import LedeError

if TYPE_CHECKING:
    from typing_extensions import Unpack

_Path: TypeAlias = "str | os.PathLike[str]"
_Paths: TypeAlias = "_Path | Iterable[_Path]"


class ExtractFlags(TypedDict, total=False):
    """The flags of ``lede batch`` that change articles; ``None`` is the default of each.

    Times are in seconds, or in the form of lede, such as "2s". ``settings`` is ``--set``, and
    ``keep`` is ``--with``. ``lede batch --help`` describes them all.
    """

    body: Literal["text", "md", "html", "blocks", "cleaned"] | None
    charset: str | None
    favor: Literal["precision", "recall"] | None
    keep: Sequence[Literal["comments", "captions", "tables"]] | None
    max_bytes: int | None
    max_memory: int | None
    method: str | None
    model: _Path | None
    only_articles: bool | None
    page_time: float | str | None
    settings: Mapping[str, object] | None
    site: str | None


class BatchFlags(ExtractFlags, total=False):
    """The flags of ``lede batch``. Those that can be repeated take one value or several."""

    allow_private: bool | None
    archives: _Path | None
    connections: int | None
    delay: float | str | None
    neighbours: _Paths | None
    no_learn: bool | None
    one_per_story: bool | None
    part: str | None
    site_store: _Path | None
    stories: _Path | None
    timeout: float | str | None
    urls: _Paths | None
    user_agent: str | None
    verbose: bool | None
    workers: int | None


@dataclass(frozen=True)
class Batch:
    """What ``batch`` did.

    ``pages`` counts the pages with a result, also those of an interrupted run that was
    resumed. ``failed`` of them have a record with ``error`` and ``kind``; ``errors`` counts
    them by kind. ``partial`` pages were incomplete, ``left_out`` ones have no record because
    of ``one_per_story``, and ``quarantined`` ones crashed or hung lede. ``lost_bytes`` are
    those of damaged archives. ``types`` and ``langs`` count the pages with an
    article. ``messages`` is what lede printed, such as warnings.
    """

    out: Path
    pages: int = 0
    failed: int = 0
    partial: int = 0
    left_out: int = 0
    quarantined: int = 0
    lost_bytes: int = 0
    seconds: float = 0.0
    errors: dict[str, int] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    langs: dict[str, int] = field(default_factory=dict)
    messages: tuple[str, ...] = field(default=(), repr=False)


def batch(
    inputs: _Paths,
    out: _Path,
    *,
    overwrite: bool = False,
    resume: bool = False,
    progress: Callable[[str], object] | None = None,
    **flags: Unpack[BatchFlags],
) -> Batch:
    """Extract many pages into a file: run ``lede batch`` and wait for its end.

    ``inputs`` are pages, folders, archives (WARC, tar, zip, JSON lines) and URLs, one or
    several. The ending of ``out`` selects the format: .jsonl, .csv, .parquet or .sqlite, among
    others. An output that exists is replaced with ``overwrite``; ``resume`` continues an
    interrupted run, and is harmless if there is none. The other flags are those of the command.

    A page that fails has a record that says why, and is counted in ``failed``; it raises no
    exception. ``OptionError`` means that a flag is invalid, and another ``LedeError`` that the
    work could not be done. Ctrl-C ends the run after the pages that are being extracted; run it
    again with ``resume=True`` to continue.

    ``progress`` is called with each line that lede prints, at least every ten seconds:
    ``progress=print``. Without it, the lines are printed if standard error is a terminal.

    >>> done = batch("pages/", "articles.jsonl")  # doctest: +SKIP
    >>> done.pages, done.failed  # doctest: +SKIP
    (1000, 3)
    """
    return Run(inputs, out, overwrite, resume, batch_flags(flags)).wait(progress)


def batch_flags(flags: Mapping[str, Any]) -> list[str]:
    """Return flags as the arguments of the command."""
    return _options.flags(flags, BatchFlags, "batch")


class Run:
    """A run of ``lede batch``. It ends with Python, since lede cannot print its progress any more."""

    def __init__(self, inputs: _Paths, out: _Path, overwrite: bool, resume: bool, flags: Sequence[str]) -> None:
        self._out = Path(out)
        self._messages: deque[str] = deque(maxlen=1000)
        args = ["batch", f"--out={out}", *flags]
        args += [f"--{name}" for name, on in (("overwrite", overwrite), ("resume", resume)) if on]
        paths = _options.paths(inputs)
        stdin = None if "-" in paths else subprocess.DEVNULL
        self._folder = tempfile.TemporaryDirectory(prefix="lede-", ignore_cleanup_errors=True)
        self._summary = Path(self._folder.name, "summary.json")
        try:
            args += [f"--summary={self._summary}", "--", *paths]
            self._child = Child(args, stdin=stdin, stderr=subprocess.PIPE)
        except BaseException:
            self._folder.cleanup()
            raise

    def interrupt(self) -> None:
        """End the run after the pages that are being extracted."""
        self._child.interrupt()

    def wait(self, progress: Callable[[str], object] | None) -> Batch:
        """Wait for the end of the run. An exception, such as that of Ctrl-C, ends it first."""
        if progress is None and sys.stderr is not None and sys.stderr.isatty():
            progress = _print
        with self._folder, contextlib.ExitStack() as stack:
            stack.callback(self._child.end)
            try:
                self._read(progress)
            except BaseException:
                self._child.interrupt()
                self._read(None)  # a second Ctrl-C ends it at once
                raise
            counts: dict[str, Any] = {}
            with contextlib.suppress(OSError, ValueError):
                counts = json.loads(self._summary.read_text("utf-8"))
        status = self._child.returncode
        if status not in (0, 1) or not counts.get("complete"):
            raise self._error(status, counts.get("error"))
        names = set(Batch.__dataclass_fields__) & counts.keys()
        return Batch(self._out, **{name: counts[name] for name in names}, messages=tuple(self._messages))

    def _read(self, progress: Callable[[str], object] | None) -> None:
        """Read what the process prints until it ends."""
        rest = b""
        assert self._child.stderr is not None
        while part := self._child.stderr.read(1 << 16):
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                self._messages.append(line.decode("utf-8", "replace"))
                if progress is not None:
                    progress(self._messages[-1])
        self._child.wait()

    def _error(self, status: int, message: str | None) -> LedeError:
        """Return the error of a run that is not complete."""
        said = message or last_message(self._messages)
        if status == 2:
            return usage_error(said)
        if status == 3 and said:
            return LedeError(said)
        end = f"lede batch has ended with {ending(status)}; run it again with resume=True to continue"
        return LedeError(f"{end}: {said}" if said else end)


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
