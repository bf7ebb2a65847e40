"""A process of ``lede pipe``, and the frames that it speaks. See docs/pipe.md."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import LedeError

_SIZES = struct.Struct(">II")
PROTOCOL = 1


class EndedError(Exception):
    """The process has ended."""


def command() -> str:
    """Return the path of the program that comes with the package, or ``LEDE_COMMAND``."""
    if path := os.environ.get("LEDE_COMMAND"):
        return path
    name = "lede.exe" if os.name == "nt" else "lede"
    return str(Path(__file__).parent / "bin" / name)


class Process:
    """A process that answers requests of one or several threads.

    No thread of its own reads the answers. A thread that waits for its answer reads
    for all of them, unless another one does.
    """

    def __init__(self, args: Sequence[str] = ()) -> None:
        self._child = subprocess.Popen(
            [command(), "pipe", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._child.stdin is not None and self._child.stdout is not None
        self._in, self._out = self._child.stdin, self._child.stdout
        self._buffer = bytearray()
        self._state = threading.Condition()
        self._writing = threading.Lock()
        self._reading = False
        self._ended = False
        self._last = 0
        self._waiting = 0  # requests without an answer
        self._answers: dict[int, tuple[dict[str, Any], bytes]] = {}
        self.hello, _ = self._read_frame()
        if self.hello.get("protocol") != PROTOCOL:
            raise LedeError(f"{command()} speaks another protocol: {self.hello}")
        self.window = int(self.hello["window"])

    def send(self, head: Mapping[str, Any], body: bytes = b"") -> int:
        """Send a request, and return its id. Answers are read if there are too many."""
        self._wait(lambda: self._waiting < self.window)
        with self._writing:
            with self._state:
                self._last += 1
                number = self._last
                self._waiting += 1
            encoded = json.dumps({"id": number, **head}).encode()
            try:
                for part in (_SIZES.pack(len(encoded), len(body)) + encoded, body):
                    rest = memoryview(part)
                    while rest:
                        rest = rest[self._in.write(rest) :]
            except OSError as e:
                self._end()
                raise EndedError from e
        return number

    def receive(self, number: int) -> tuple[dict[str, Any], bytes]:
        """Wait for the answer to a request."""
        self._wait(lambda: number in self._answers)
        return self._answers.pop(number)

    def _wait(self, ready: Any) -> None:
        with self._state:
            while not ready():
                if self._ended:
                    raise EndedError
                if self._reading:
                    self._state.wait()
                    continue
                self._reading = True
                self._state.release()
                frame = None
                try:
                    frame = self._read_frame()
                finally:
                    self._state.acquire()
                    self._reading = False
                    if frame is None:
                        self._ended = True
                    else:
                        self._waiting -= 1
                        self._answers[frame[0]["id"]] = frame
                    self._state.notify_all()

    def _read_frame(self) -> tuple[dict[str, Any], bytes]:
        head, body = _SIZES.unpack(self._read(_SIZES.size))
        return json.loads(self._read(head)), self._read(body)

    def _read(self, size: int) -> bytes:
        while len(self._buffer) < size:
            part = self._out.read(max(1 << 16, size - len(self._buffer)))
            if not part:
                raise EndedError
            self._buffer += part
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def _end(self) -> None:
        with self._state:
            self._ended = True
            self._state.notify_all()

    def close(self) -> None:
        """End the process."""
        self._in.close()
        self._child.wait()
        self._out.close()
