"""Requests that survive the end of the process that should answer them."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from . import _fork
from ._process import Answer, EndedError, Process, Request
from .errors import LedeError

python_ends = threading.Event()


class Session:
    """A process that is started when it is first needed, and again when it has ended."""

    def __init__(self, args: Sequence[str] = ()) -> None:
        self._args = list(args)
        self._process: Process | None = None
        self._private: Process | None = None  # for pages of a process that has ended
        self._closed = False
        self.after_fork()
        _fork.register(self)

    def after_fork(self) -> None:
        """Forget the locks, in a child that was forked."""
        self._lock = threading.Lock()  # of the fields above
        self._alone = threading.Lock()  # is held while a page is in the private process

    @property
    def is_running(self) -> bool:
        """Whether there is a process."""
        return self._process is not None and not self._process.ended

    def process(self) -> Process:
        """Return the process, which is started if there is none."""
        with self._lock:
            self._check()
            if self._process is None or self._process.ended:
                self._process = Process(self._args)
            return self._process

    def send(self, request: Request) -> None:
        """Send a request."""
        while True:
            try:
                return self.process().send(request)
            except EndedError:
                continue

    def receive(self, request: Request) -> Answer:
        """Wait for the answer to a request. If its process ends, it is sent again, to a process that has no other."""
        if request.process.forked:
            self.send(request)
        try:
            return request.future.result()
        except EndedError:
            with self._alone:
                return self._send_alone(request)

    def _send_alone(self, request: Request) -> Answer:
        with self._lock:
            self._check()
            if self._private is None or self._private.ended:
                self._private = Process([*self._args, "--workers=1"])
            private = self._private
        private.send(request)
        try:
            return request.future.result()
        except EndedError:
            self._check()
            return {"error": private.blame(request), "kind": "crash"}, b""
        except BaseException:  # the next page would not be alone
            private.close()
            raise

    def _check(self) -> None:
        if self._closed:
            if python_ends.is_set() and threading.current_thread().daemon:
                threading.Event().wait()  # the thread ends with Python, without a message
            raise LedeError("the Extractor is closed; make another one", "closed")

    def close(self) -> None:
        """End the process. Requests without an answer fail."""
        with self._lock:
            self._closed = True
            processes = self._process, self._private
        for process in processes:
            if process is not None:
                process.close()
