"""A process of ``lede pipe``, and the frames that it speaks. See docs/pipe.md."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from typing import IO, Any

from . import _fork
from ._start import ADVICE, command, ending, last_message, start, usage_error
from .errors import LedeError, OptionError, StartError

PROTOCOL = 1
MAX_HEAD = 1 << 20
MAX_BODY = (1 << 32) - 1
MAX_UNANSWERED = 64 << 20  # bytes of pages that a process holds at once, unless one is larger
_SIZES = struct.Struct(">II")
_BUFFER = 256 << 10
_STDERR = 1 << 20  # bytes of standard error that are kept while the process runs
_TAIL = 4 << 10  # and that are shown
_START_TIME = 60.0
_END_TIME = 5.0


class EndedError(Exception):
    """The process has ended, or what it wrote is no frame."""


class Request:
    """A request: the fields of its head in JSON, without braces and id, and its body."""

    __slots__ = ("answer", "body", "fields", "name", "number", "process", "size")

    def __init__(self, fields: str, body: bytes, name: str | None = None) -> None:
        self.fields = fields
        self.body = body
        self.size = len(body)
        self.name = name  # of the page
        self.process: Process | None = None  # to which it was sent
        self.number = 0
        self.answer: tuple[dict[str, Any], bytes] | None = None


class Frames:
    """Reads the frames of a pipe, which must not be buffered."""

    def __init__(self, file: io.FileIO) -> None:
        self._file = file
        self._buffer = bytearray(_BUFFER)
        self._view = memoryview(self._buffer)
        self._start = self._end = 0
        self._need = 0  # size of the next frame, if it is known

    def read(self) -> list[tuple[dict[str, Any], bytes]]:
        """Wait for a frame, and return it and those that have arrived with it."""
        while not (found := self._parse()):
            self._fill()
        return found

    def _parse(self) -> list[tuple[dict[str, Any], bytes]]:
        found = []
        start, end, view = self._start, self._end, self._view
        self._need = 0
        while end - start >= _SIZES.size:
            head, body = _SIZES.unpack_from(view, start)
            if head > MAX_HEAD:
                raise EndedError("its output is no frame")
            stop = start + _SIZES.size + head + body
            if stop > end:
                self._need = stop - start
                break
            start += _SIZES.size
            try:
                fields = json.loads(str(view[start : start + head], "utf-8"))
                if not isinstance(fields, dict):
                    raise ValueError("a head is an object")
            except ValueError as e:
                raise EndedError("its output is no frame") from e
            found.append((fields, bytes(view[start + head : stop])))
            start = stop
        self._start = start
        return found

    def _fill(self) -> None:
        rest = self._end - self._start
        size = max(_BUFFER, self._need)
        if size != len(self._buffer) and rest <= size:
            buffer = bytearray(size)
            buffer[:rest] = self._view[self._start : self._end]
            self._buffer, self._view = buffer, memoryview(buffer)
        elif self._start:
            self._view[:rest] = self._view[self._start : self._end]
        self._start, self._end = 0, rest
        size = self._file.readinto(self._view[rest:])
        if not size:
            raise EndedError("its output has ended")
        self._end += size


def write_frame(file: io.FileIO, head: bytes, body: bytes) -> None:
    """Write a frame to a pipe, which must not be buffered."""
    start = _SIZES.pack(len(head), len(body)) + head
    done = 0
    if sys.platform != "win32":
        done = os.writev(file.fileno(), (start, body))
    if done < len(start):
        _write(file, start[done:])
        done = len(start)
    if done < len(start) + len(body):
        _write(file, memoryview(body)[done - len(start) :])


def _write(file: io.FileIO, data: bytes | memoryview) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


class Process:
    """A process that answers requests of one or several threads.

    No thread of its own reads the answers. A thread that waits for its answer reads
    for all of them, unless another one does. No thread sends more requests than
    the window allows, so that lede reads them even if no answer is taken.
    """

    def __init__(self, args: Sequence[str] = ()) -> None:
        self._lock = threading.Lock()  # of the fields below
        self._sending = threading.Lock()  # is held while room is waited for, and a request is written
        self._reading = False
        self._blocked: dict[int, threading.Lock] = {}  # threads that wait while another one reads
        self._unanswered: dict[int, Request] = {}
        self._bytes = 0  # of the unanswered requests
        self._last = 0
        self.ended: str | None = None  # "died", or why it was ended: "given up", "closed", "forked"
        with _fork.guard:  # else a child that is forked here would keep the pipes
            self._start(args)
            _fork.register(self)
        try:
            self._frames = Frames(self._out)
            self._hello()
        except BaseException:
            self._end("given up")
            self._free()
            raise

    def _start(self, args: Sequence[str]) -> None:
        self._stderr: IO[bytes] | None = None
        self._last_words = ""
        with contextlib.suppress(OSError):  # no folder for temporary files can be written
            self._stderr = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (closed by _free)
        try:
            self._child = start(
                ["pipe", "--protocol", str(PROTOCOL), *args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr or subprocess.DEVNULL,
            )
        except LedeError:
            if self._stderr is not None:
                self._stderr.close()
            raise
        assert isinstance(self._child.stdin, io.FileIO) and isinstance(self._child.stdout, io.FileIO)
        self._in, self._out = self._child.stdin, self._child.stdout
        if sys.platform != "win32":
            import fcntl

            if sys.platform == "linux":
                for pipe in (self._in, self._out):
                    with contextlib.suppress(OSError):  # the user has too many large pipes
                        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)
            if self._stderr is not None:  # so that lede writes at the end also after _shorten
                flags = fcntl.fcntl(self._stderr, fcntl.F_GETFL)
                fcntl.fcntl(self._stderr, fcntl.F_SETFL, flags | os.O_APPEND)

    def _hello(self) -> None:
        program = command()
        try:
            if sys.platform != "win32":
                import select

                poll = select.poll()
                poll.register(self._out, select.POLLIN)
                if not poll.poll(_START_TIME * 1000):
                    raise EndedError(f"it wrote nothing for {_START_TIME:.0f} seconds")
            [(hello, _)] = self._frames.read()
        except (EndedError, OSError, ValueError) as e:
            self._end("died")
            said = self.last_words()
            message = last_message(said.splitlines())
            if self._child.returncode == 2 and (refused := re.match(r"--(?!protocol)([a-z-]+)(.*)", message)):
                raise OptionError(refused[1].replace("-", "_") + refused[2]) from None
            if self._child.returncode == 2 and message.startswith("unknown"):
                raise usage_error(message) from None
            if self._child.returncode == 3:  # such as a model that is missing
                raise StartError(message) from None
            raise StartError(f"cannot start {program}: {message or e}; {ADVICE}") from e
        if hello.get("protocol") != PROTOCOL:
            version = hello.get("protocol", "unknown")
            raise StartError(
                f"cannot use {program}: its protocol is {version}, and that of this package {PROTOCOL}; {ADVICE}"
            )
        self.hello = hello
        self.window = max(1, int(hello.get("window", 1)))

    def send(self, request: Request) -> bool:
        """Send a request, or return False if the process has ended before.

        If there is no room, answers are read until there is.
        """
        try:
            with self._sending:
                if not self._wait(None, request.size):
                    return False
                self._write_request(request)
                return True
        finally:
            if self.ended is not None:
                self._leave()

    def _write_request(self, request: Request) -> None:
        try:
            with self._lock:
                self._last = number = self._last + 1
                self._unanswered[number] = request
                self._bytes += request.size
                request.process, request.number = self, number
            head = f'{{"id":{number},{request.fields}}}'.encode()
            write_frame(self._in, head, request.body)
        except (OSError, ValueError):
            self._end("died")
        except BaseException:  # the frame is perhaps half written
            self._end("given up")
            raise
        if not number % 1024:
            self._shorten()

    def wait(self, request: Request) -> bool:
        """Wait for the answer to a request, or return False if the process has ended without it."""
        if request.answer is not None:
            return True
        try:
            return self._wait(request, 0)
        finally:
            if self.ended is not None:
                self._leave()

    def _wait(self, request: Request | None, size: int) -> bool:
        """Wait for the answer to a request, or if there is none for room to send one."""
        number = 0 if request is None else request.number
        reads = False
        try:
            while True:
                with self._lock:
                    if self._is_ready(request, size):
                        return True
                    if self.ended is not None:
                        return False
                    if reads := not self._reading:
                        self._reading = True
                    else:
                        blocked = self._blocked[number] = threading.Lock()
                        blocked.acquire()
                if reads:
                    self._read_for_all(request, size)
                    reads = False
                else:
                    blocked.acquire()
        except (EndedError, OSError, ValueError):
            self._reading = False
            self._end("died")
            return False
        except BaseException:  # an interrupt, for example
            if reads:  # and half a frame is perhaps read
                self._reading = False
                self._end("given up")
            with self._lock:
                if self._blocked.pop(number, None) is None:
                    self._wake_one()
            raise

    def _is_ready(self, request: Request | None, size: int) -> bool:
        if request is not None:
            return request.answer is not None
        return self.ended is None and (
            not self._unanswered or (len(self._unanswered) < self.window and self._bytes + size <= MAX_UNANSWERED)
        )

    def _read_for_all(self, request: Request | None, size: int) -> None:
        """Read answers until the one to a request, or room, is there."""
        while True:
            frames = self._frames.read()
            with self._lock:
                for head, body in frames:
                    self._deliver(head, body)
                if self.ended is not None or self._is_ready(request, size):
                    self._reading = False
                    self._wake_one()
                    return

    def _deliver(self, head: dict[str, Any], body: bytes) -> None:
        request = self._unanswered.pop(head.get("id", 0), None)
        if request is None:
            return
        self._bytes -= request.size
        request.body = b""
        request.answer = (head, body)
        for number in (request.number, 0):
            if blocked := self._blocked.pop(number, None):
                blocked.release()

    def _wake_one(self) -> None:
        """Let another thread read, if one waits."""
        if self._blocked and not self._reading:
            self._blocked.popitem()[1].release()

    def _end(self, cause: str) -> None:
        with self._lock:
            if self.ended is None:
                self.ended = cause
            for blocked in self._blocked.values():
                blocked.release()
            self._blocked.clear()
            self._unanswered.clear()

    def close(self) -> None:
        """End the process. Threads that wait for it are woken."""
        busy = bool(self._unanswered)
        self._end("closed")
        if self.ended == "closed":
            self._close_pipes()
            if busy:
                self._child.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(_END_TIME)
        self._free()

    def _close_pipes(self) -> None:
        """Close the pipes of an ended process, except one that another thread uses, which does so itself."""
        if self._sending.acquire(blocking=False):
            try:
                self._in.close()
            finally:
                self._sending.release()
        if not self._reading:
            self._out.close()

    def _free(self) -> None:
        """Free all that an ended process holds."""
        if self.ended == "forked":
            return
        self._close_pipes()
        self._child.kill()  # does nothing if it has ended
        self._child.wait()
        with self._lock:
            if self._stderr is not None:
                self._last_words = self._read_stderr(self._stderr)
                self._stderr.close()
                self._stderr = None

    def _leave(self) -> None:
        """Free what an ended process holds, in a thread that used it."""
        if self.ended == "closed":  # the thread that closes it waits for its end
            self._close_pipes()
        elif self.ended is not None:
            self._free()

    def after_fork(self) -> None:
        """Leave the process to the parent, in a child that was forked."""
        self._lock, self._sending = threading.Lock(), threading.Lock()
        self._blocked.clear()
        self._unanswered.clear()
        self._reading = False
        if self.ended is None:
            self.ended = "forked"
        self._child.returncode = self._child.returncode or 0  # else Popen warns that it runs
        for file in (self._in, self._out, self._stderr):
            if file is not None:
                with contextlib.suppress(OSError):
                    file.close()

    def how_it_ended(self) -> str:
        """Return the exit status of an ended process in words."""
        return ending(self._child.returncode)

    def last_words(self) -> str:
        """Return the end of what an ended process wrote to standard error."""
        self._free()
        return self._last_words

    @staticmethod
    def _read_stderr(file: IO[bytes]) -> str:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _TAIL))
        return file.read().decode("utf-8", "replace").strip()

    def _shorten(self) -> None:
        """Empty the file of standard error if it has grown."""
        if self._stderr is not None and sys.platform != "win32":
            fd = self._stderr.fileno()
            if os.fstat(fd).st_size > _STDERR:
                os.ftruncate(fd, 0)
