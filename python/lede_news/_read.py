"""The pages of files and archives."""

from __future__ import annotations

import io
import os
import subprocess
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import IO, Any

from ._extractor import Page
from ._process import PROTOCOL, EndedError, read_frame
from ._start import Child, ending, last_message, usage_error
from .errors import CrashError, LedeError, error


def read_warc(
    *paths: str | os.PathLike[str],
    max_bytes: int | None = None,
    on_error: Callable[[LedeError], object] | None = None,
) -> Generator[Page, None, None]:
    """Yield the pages of web archives (WARC), one after the other.

    ``paths`` can be anything that ``lede batch`` reads: also pages, folders, tar and zip archives
    and JSON lines, compressed or not. Each page has its id, and its URL where it is known.
    The pages are bytes, as they are stored. ``partial`` says why a page is incomplete.

    What cannot be read raises a ``LedeError`` that says where, after the pages before it: an
    archive that is damaged or missing, or a page larger than ``max_bytes`` (default: 20 MiB).
    With ``on_error`` that function is called instead, and reading goes on after the damage. It
    is also called for responses that are redirects or errors (kind "status"), which are
    skipped otherwise.

    The process of lede that reads ends with the iterator: at its end, when it is closed, or when
    it is no longer used.

    >>> for page in read_warc("CC-NEWS-20240501.warc.gz"):  # doctest: +SKIP
    ...     print(page.url, len(page.html))
    """
    if not paths:
        raise TypeError("read_warc() needs the path of an archive")
    args = ["pipe", "--read", f"--protocol={PROTOCOL}"]
    if max_bytes is not None:
        args.append(f"--max-bytes={max_bytes}")
    return _pages([*args, "--", *[os.fspath(path) for path in paths]], on_error)


def _pages(args: Sequence[str], on_error: Callable[[LedeError], object] | None) -> Generator[Page, None, None]:
    names = ("url", "id", "header_charset", "link_text", "site", "partial")
    with tempfile.TemporaryFile(prefix="lede-") as stderr:
        child = Child(args, stdout=subprocess.PIPE, stderr=stderr)
        try:
            for head, body in _frames(child, stderr):
                if "error" not in head:
                    yield Page(body, **{name: head.get(name) or None for name in names})
                    continue
                failed = error(head.get("kind", ""), head["error"], head.get("id") or head.get("url"))
                if on_error is not None:
                    on_error(failed)
                elif failed.kind != "status":
                    raise failed
        finally:
            child.end()


def _frames(child: Child, stderr: IO[bytes]) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yield the frames of pages until the one that says that it is the last."""
    assert isinstance(child.stdout, io.FileIO)
    while True:
        if child.owner != os.getpid():
            raise LedeError("another process has begun to read these pages; call read_warc in each process")
        try:
            head, body = read_frame(child.stdout)
        except (EndedError, OSError) as e:
            raise _early_end(child.wait(), stderr) from e
        if head.get("end"):
            return
        if "hello" not in head:
            yield head, body


def _early_end(status: int, stderr: IO[bytes]) -> LedeError:
    """Return the error of a process that has ended before the last page."""
    stderr.seek(0)
    said = last_message(stderr.read(1 << 20).decode("utf-8", "replace").splitlines())
    if status == 2:
        return usage_error(said)
    if status == 3:
        return LedeError(said)
    end = f"lede has ended before the last page was read ({ending(status)})"
    return CrashError(f"{end}: {said}" if said else end)
