"""Many pages, from files to a file, with ``lede batch``."""

from __future__ import annotations

import codecs
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
from ._child import Child
from ._start import ending, last_message, usage_error
from .errors import LedeError

if TYPE_CHECKING:
    from typing_extensions import Unpack

_Path: TypeAlias = "str | os.PathLike[str]"
_Paths: TypeAlias = "_Path | Iterable[_Path]"


class BatchFlags(TypedDict, total=False):
    """The flags of ``lede batch``; ``None`` is the default of each.

    Those that can be repeated take one value or several. Times are in seconds, or in the form
    of lede, such as "2s" or "500ms". ``settings`` is ``--set``, and ``keep`` is ``--with``.
    ``lede batch --help`` describes them all.
    """

    allow_private: bool | None
    anchors: _Paths | None
    archives: _Path | None
    body: Literal["text", "md", "html", "blocks"] | None
    browser: bool | None
    charset: str | None
    checkpoint: float | str | None
    connections: int | None
    delay: float | str | None
    favor: Literal["precision", "recall"] | None
    index: _Paths | None
    keep: Sequence[Literal["comments", "captions", "tables"]] | None
    max_bytes: int | None
    max_memory: int | None
    method: str | None
    metrics: str | None
    model: _Path | None
    network: bool | None
    no_learn: bool | None
    observe: bool | None
    one_per_story: bool | None
    only_articles: bool | None
    page_time: float | str | None
    part: str | None
    quarantine: _Path | None
    quiet: bool | None
    settings: Mapping[str, object] | None
    shard: str | None
    site: str | None
    site_store: _Path | None
    split: str | None
    stories: _Path | None
    timeout: float | str | None
    two_pass: bool | None
    urls: _Paths | None
    user_agent: str | None
    verbose: bool | None
    workers: int | None


_SECONDS = ("checkpoint", "delay", "page_time", "timeout")
_MAX_MESSAGES = 1000


@dataclass(frozen=True)
class Batch:
    """What ``batch`` did.

    ``pages`` counts the pages with a result, also those of an interrupted run that was
    resumed; it is 0 if ``resume`` found a complete output. ``failed`` of them have a record with
    ``error`` and ``kind``; ``errors`` counts them by kind. ``partial`` pages were
    incomplete, ``left_out`` ones have no record because of ``one_per_story``, and
    ``quarantined`` ones crashed or hung lede. ``repeated_ids`` is an estimate, and
    ``lost_bytes`` are those of damaged archives. ``types``, ``langs`` and ``sites`` count
    the pages with an article. ``messages`` is what lede printed, such as warnings.
    """

    out: Path
    pages: int = 0
    failed: int = 0
    partial: int = 0
    left_out: int = 0
    quarantined: int = 0
    repeated_ids: int = 0
    lost_bytes: int = 0
    seconds: float = 0.0
    errors: dict[str, int] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    langs: dict[str, int] = field(default_factory=dict)
    sites: dict[str, int] = field(default_factory=dict, repr=False)
    messages: tuple[str, ...] = field(default=(), repr=False)


_COUNTS = ("pages", "failed", "partial", "left_out", "quarantined", "repeated_ids", "lost_bytes")
_BY = ("errors", "types", "langs", "sites")


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

    ``inputs`` are pages, folders, archives (WARC, tar, zip, JSON lines) and addresses, one or
    several. The ending of ``out`` selects the format: .jsonl, .csv, .parquet or .sqlite, among
    others. An output that exists is replaced with ``overwrite``; ``resume`` continues an
    interrupted run, and is harmless if there is none. The other flags are those of the command.

    A page that fails has a record that says why, and is counted in ``failed``; it raises no
    exception. ``OptionError`` means that a flag is invalid, and another ``LedeError`` that the
    work could not be done. Ctrl-C ends the run after the pages that are being extracted; run it
    again with ``resume=True`` to continue.

    On a terminal lede shows its progress. Elsewhere, as in notebooks, ``progress`` is called
    with each line that it prints, at least every ten seconds: ``progress=print``.

    >>> done = batch("pages/", "articles.jsonl")  # doctest: +SKIP
    >>> done.pages, done.failed  # doctest: +SKIP
    (1000, 3)
    """
    live = progress is None and sys.stderr is not None and sys.stderr.isatty()
    args = ["batch", f"--out={os.fspath(out)}", "--with-parent", *_flags(flags)]
    args += [f"--{name}" for name, on in (("overwrite", overwrite), ("resume", resume)) if on]
    if live:
        args.append("--live")
    elif progress is None:
        args.append("--quiet")
    paths = _strings(inputs)
    with tempfile.TemporaryDirectory(prefix="lede-", ignore_cleanup_errors=True) as folder:
        summary = Path(folder, "summary.json")
        args += [f"--summary={summary}", "--", *paths]
        run = _Run(args, _show if live else progress, live, stdin="-" in paths)
        status = run.wait()
        counts: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError):
            counts = json.loads(summary.read_text("utf-8"))
    if status not in (0, 1) or not counts.get("complete"):
        raise run.error(status, counts.get("error"))
    return Batch(
        out=Path(out),
        **{name: counts[name] for name in (*_COUNTS, *_BY)},
        seconds=float(counts["seconds"]),
        messages=tuple(run.messages),
    )


def _strings(values: _Paths) -> list[str]:
    """Return one path or several as a list."""
    if isinstance(values, (str, os.PathLike)):
        values = [values]
    return [os.fspath(v) for v in values]


def _flags(flags: Mapping[str, Any]) -> list[str]:
    """Return flags as the arguments of the command."""
    args = []
    for name, value in flags.items():
        if name not in BatchFlags.__annotations__:
            raise TypeError(f"batch() got an unexpected keyword argument {name!r}")
        if name in ("settings", "keep"):
            [(name, value)] = _options.fields({name: value}, "batch").items() or [(name, None)]
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            args.append(flag)
        elif name in _SECONDS and not isinstance(value, str):
            args.append(f"{flag}={float(value):f}s")
        elif isinstance(value, (str, int, float)):
            args.append(f"{flag}={value}")
        else:
            args += [f"{flag}={v}" for v in _strings(value)]
    return args


def _show(text: str) -> None:
    """Show what lede prints to a terminal."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


class _Run:
    """A process of ``lede batch``, and what it prints."""

    def __init__(self, args: Sequence[str], show: Callable[[str], object] | None, live: bool, stdin: bool) -> None:
        self._show = show
        self._live = live
        self.messages: deque[str] = deque(maxlen=_MAX_MESSAGES)
        self._child = Child(args, stdin=None if stdin else subprocess.DEVNULL, stderr=subprocess.PIPE)

    def wait(self) -> int:
        """Wait for the end of the process, and return its exit status.

        If an exception comes, such as that of Ctrl-C, the process is asked to end first.
        """
        try:
            return self._read()
        except BaseException:
            self._child.interrupt()
            try:
                self._read()
            except BaseException:  # a second Ctrl-C
                self._child.kill()
                raise
            raise

    def _read(self) -> int:
        """Read what the process prints until it ends."""
        process = self._child.process
        assert process.stderr is not None
        rest = ""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while not process.stderr.closed and (part := process.stderr.read(1 << 16)):
            text = decoder.decode(part)
            if self._live and self._show is not None:
                self._show(text)
            *lines, rest = (rest + text).split("\n")
            for line in lines:
                line = line.rpartition("\x1b[K")[2]  # without the live line
                self.messages.append(line)
                if not self._live and self._show is not None:
                    self._show(line)
        process.stderr.close()
        return process.wait()

    def error(self, status: int, message: str | None) -> LedeError:
        """Return the error of a run that is not complete."""
        said = message or last_message(self.messages)
        if status == 2:
            return usage_error(said)
        if status == 3 and said:
            return LedeError(said)
        end = f"lede batch has ended with {ending(status)}; run it again with resume=True to continue"
        return LedeError(f"{end}: {said}" if said else end)
