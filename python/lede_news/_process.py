"""A process of ``lede pipe``, and the frames that it speaks. See docs/pipe.md."""

from __future__ import annotations

import contextlib
import io
import json
import re
import struct
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from queue import SimpleQueue
from typing import IO, Any

from . import _fork
from ._start import ADVICE, Child, command, ending, last_message, usage_error
from .errors import OptionError, StartError, error

PROTOCOL = 1
MAX_HEAD = 1 << 20
MAX_BODY = (1 << 32) - 1
_SIZES = struct.Struct(">II")
_TAIL = 4 << 10  # bytes of standard error that are kept
_START_TIME = 60.0
_END_TIME = 5.0

Answer = tuple[dict[str, Any], bytes]


class EndedError(Exception):
    """The process has ended, or what it wrote is not a frame."""


class Request:
    """A request: the fields of its head without the id, its body, and the name of the page.

    ``future`` is its answer, which ``process`` gives.
    """

    __slots__ = ("body", "fields", "future", "name", "process")

    def __init__(self, fields: Mapping[str, Any], body: bytes, name: str | None = None) -> None:
        if len(body) > MAX_BODY:
            raise error("too-large", f"the page has {len(body)} bytes, and more than {MAX_BODY} cannot be sent", name)
        self.fields = json.dumps(fields, separators=(",", ":"))[1:-1]
        if len(self.fields) > MAX_HEAD - 64:
            raise error("option", f"the options have {len(self.fields)} bytes, and {MAX_HEAD - 64} are allowed", name)
        self.body = body
        self.name = name
        self.process: Process
        self.future: Future[Answer]


def read_frame(file: io.FileIO) -> Answer:
    """Read a frame of a pipe, which must not be buffered."""
    head, body = _SIZES.unpack(_read(file, _SIZES.size))
    if head > MAX_HEAD:
        raise EndedError("its output is not a frame")
    data = _read(file, head + body)
    try:
        fields = json.loads(data[:head])
    except ValueError as e:
        raise EndedError("its output is not a frame") from e
    return fields, bytes(data[head:])


def _read(file: io.FileIO, size: int) -> bytearray:
    data = bytearray(size)
    rest = memoryview(data)
    while rest:
        count = file.readinto(rest)
        if not count:
            raise EndedError("its output has ended")
        rest = rest[count:]
    return data


def write_frame(file: io.FileIO, head: bytes, body: bytes) -> None:
    """Write a frame to a pipe, which must not be buffered."""
    for data in (_SIZES.pack(len(head), len(body)) + head, body):
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]


class Process:
    """A process that answers requests of one or several threads.

    Threads of its own write the requests, read the answers, and read standard error. Since
    answers are always read, any number of requests may be unanswered.
    """

    def __init__(self, args: Sequence[str] = ()) -> None:
        self.ended = False
        self.forked = False
        self._lock = threading.Lock()
        hello: Future[Answer] = Future()
        self._unanswered = {0: hello}  # by the numbers of the requests
        self._last = 0
        self._requests: SimpleQueue[tuple[bytes, bytes] | None] = SimpleQueue()
        self._said = b""
        pipe = subprocess.PIPE
        with _fork.guard:  # a child that is forked closes the pipes
            self._child = Child(["pipe", f"--protocol={PROTOCOL}", *args], stdin=pipe, stdout=pipe, stderr=pipe)
            _fork.register(self)
        self._stderr = _thread(self._read_messages, self._child.stderr)
        _thread(self._read_answers, self._child.stdout)
        _thread(self._write_requests, self._child.stdin)
        try:
            self.hello = self._check_hello(hello)
        except BaseException:
            self._child.kill()
            raise

    def _check_hello(self, future: Future[Answer]) -> dict[str, Any]:
        try:
            hello, _ = future.result(_START_TIME)
        except (EndedError, FutureTimeoutError) as e:
            message, status = last_message(self._last_words().splitlines()), self._child.returncode
            if status == 2 and (refused := re.match(r"--(?!protocol)([a-z-]+)(.*)", message)):
                raise OptionError(refused[1].replace("-", "_") + refused[2]) from None
            if status == 2 and message.startswith("unknown"):
                raise usage_error(message) from None
            if status == 3:  # such as a model that is missing
                raise StartError(message) from None
            why = message or str(e) or f"it wrote nothing for {_START_TIME:.0f} seconds"
            raise StartError(f"cannot start {command()}: {why}; {ADVICE}") from e
        if hello.get("protocol") != PROTOCOL:
            raise StartError(
                f"cannot use {command()}: its protocol is {hello.get('protocol', 'unknown')}, "
                f"and that of this package {PROTOCOL}; {ADVICE}"
            )
        return hello

    def send(self, request: Request) -> None:
        """Send a request. Its future raises EndedError if the process ends without an answer."""
        with self._lock:
            if self.ended:
                raise EndedError
            self._last += 1
            request.process, request.future = self, Future()
            self._unanswered[self._last] = request.future
            self._requests.put((f'{{"id":{self._last},{request.fields}}}'.encode(), request.body))

    def _write_requests(self, stdin: io.FileIO) -> None:
        with stdin, contextlib.suppress(OSError):  # of a process that has ended
            while (request := self._requests.get()) is not None:
                write_frame(stdin, *request)
                del request  # else an idle thread would keep a page

    def _read_answers(self, stdout: io.FileIO) -> None:
        why = ""
        with stdout:
            try:
                while True:
                    self._deliver(*read_frame(stdout))
            except (EndedError, OSError) as e:
                why = str(e)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_END_TIME if why.endswith("ended") else 0)
        self._child.kill()
        self._child.wait()
        self._stderr.join(_END_TIME)
        with self._lock:
            self.ended = True
            lost, self._unanswered = self._unanswered, {}
        self._requests.put(None)
        for future in lost.values():
            with _fork.guard:
                if future.set_running_or_notify_cancel():
                    future.set_exception(EndedError(why))

    def _deliver(self, head: dict[str, Any], body: bytes) -> None:
        with self._lock:
            future = self._unanswered.pop(head.get("id", 0), None)
        with _fork.guard:  # a child that is forked has no answer that is half there
            if future is not None and future.set_running_or_notify_cancel():
                future.set_result((head, body))

    def _read_messages(self, stderr: io.FileIO) -> None:
        with stderr:
            while data := stderr.read(_TAIL):
                self._said = (self._said + data)[-_TAIL:]

    def close(self) -> None:
        """End the process. Requests without an answer raise EndedError."""
        if self.forked or self.ended:
            return
        with self._lock:
            busy = bool(self._unanswered)
        if busy:  # before the end of the requests, at which it would still answer
            self._child.terminate()
        self._requests.put(None)
        try:
            self._child.wait(_END_TIME)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()

    def after_fork(self) -> None:
        """Leave the process to the parent, in a child that was forked."""
        self._lock = threading.Lock()
        self._unanswered = {}
        self.ended = self.forked = True
        self._child.end()

    def blame(self, request: Request) -> str:
        """Return the message of a request that ended this process."""
        message = (
            f"{request.name or 'the page'} ({len(request.body)} bytes) ends lede ({ending(self._child.returncode)}), "
            "also if it is the only page; please report it with the page"
        )
        words = self._last_words()
        return f"{message}: {words}" if words else message

    def _last_words(self) -> str:
        return self._said.decode("utf-8", "replace").strip()


def _thread(work: Callable[[Any], None], pipe: IO[bytes] | None) -> threading.Thread:
    thread = threading.Thread(target=work, args=(pipe,), name="lede", daemon=True)
    thread.start()
    return thread
