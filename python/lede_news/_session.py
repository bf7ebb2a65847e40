"""Requests that survive the end of the process that should answer them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any

from . import _fork
from ._process import Process, Request
from .errors import LedeError

python_ends = threading.Event()


class Session:
    """A process that is started when it is first needed, and again when it has ended."""

    def __init__(self, args: Sequence[str] = ()) -> None:
        self._args = list(args)
        self._lock = threading.Lock()  # of the fields below
        self._process: Process | None = None
        self._private: Process | None = None  # for pages of a process that has ended
        self._closed = False
        self._alone = threading.Lock()  # is held while pages are in the private process
        _fork.register(self)

    def after_fork(self) -> None:
        """Forget the locks, in a child that was forked."""
        self._lock, self._alone = threading.Lock(), threading.Lock()

    def process(self) -> Process:
        """Return the process, which is started if there is none."""
        process = self._process
        if process is None or process.ended is not None:
            with self._lock:
                self._check()
                process = self._process
                if process is None or process.ended is not None:
                    process = self._process = Process(self._args)
        return process

    def send(self, request: Request) -> None:
        """Send a request, unless it is answered."""
        while request.answer is None and not self.process().send(request):
            pass

    def receive(self, request: Request, others: Iterable[Request] = ()) -> tuple[dict[str, Any], bytes]:
        """Wait for the answer to a request.

        If its process ended, the request is sent again, together with those of
        the others that were lost.
        """
        while True:
            process = request.process
            if process is not None:
                process.wait(request)
            if request.answer is not None:
                return request.answer
            self._check()
            lost = [r for r in (request, *others) if r.answer is None and r.process is process]
            if process is not None and process.ended == "died":
                self._try_alone(lost)
            else:  # it was ended on purpose, and no page is to blame
                for r in lost:
                    self.send(r)

    def _try_alone(self, requests: Iterable[Request]) -> None:
        """Send each request that was lost when a process died to a process that has no other."""
        with self._alone:
            try:
                for request in requests:
                    self._send_alone(request)
            finally:
                with self._lock:
                    private, self._private = self._private, None
                if private is not None:
                    private.close()

    def _send_alone(self, request: Request) -> None:
        while True:
            with self._lock:
                self._check()
                private = self._private
                if private is None or private.ended is not None:
                    private = self._private = Process([*self._args, "--workers", "1"])
            if not private.send(request):
                continue
            if private.wait(request):
                return
            if private.ended == "died":
                request.answer = ({"error": _blame(request, private), "kind": "crash"}, b"")
                return

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


def _blame(request: Request, process: Process) -> str:
    """Return the message of a request that ended two processes."""
    words = process.last_words()
    message = (
        f"{request.name or 'the page'} ({request.size} bytes) ends lede ({process.how_it_ended()}), "
        "also if it is the only page; please report it with the page"
    )
    return f"{message}: {words}" if words else message
