"""Threads that wait for lede, for asyncio."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from . import _fork

T = TypeVar("T")
_Calls = SimpleQueue[tuple["Future[Any]", Callable[[], Any]] | None]


class Threads:
    """Threads that are started as they are needed.

    Those of ``concurrent.futures`` hold up the end of Python until their calls return. A
    page that is fetched can take long, and no task waits for it any more. Theirs are also
    lost in a child that is forked, where these are started again.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.after_fork()
        _fork.register(self)

    def after_fork(self) -> None:
        """Forget the threads, which a child that was forked does not have."""
        self._lock = threading.Lock()
        self._reset()

    def _reset(self) -> None:
        self._calls: _Calls = SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._count = 0

    def submit(self, call: Callable[[], T]) -> Future[T]:
        """Call a function in a thread."""
        future: Future[T] = Future()
        self._calls.put((future, call))
        with self._lock:
            if not self._idle.acquire(blocking=False) and self._count < self._most:
                self._count += 1
                name = f"lede-{self._count}"
                threading.Thread(target=_work, args=(self._calls, self._idle), name=name, daemon=True).start()
        return future

    def close(self) -> None:
        """Let the threads end when they have nothing to do."""
        with self._lock:
            for _ in range(self._count):
                self._calls.put(None)
            self._reset()

    def __del__(self) -> None:
        self.close()


def _work(calls: _Calls, idle: threading.Semaphore) -> None:
    while (item := calls.get()) is not None:
        future, call = item
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(call())
            except BaseException as e:
                future.set_exception(e)
        del item, future, call  # else an idle thread would keep a page
        idle.release()
