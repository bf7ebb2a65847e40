"""Fork: a child leaves the processes of its parent alone, and starts its own."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Protocol


class _Forked(Protocol):
    def after_fork(self) -> None: ...


_registered: weakref.WeakSet[_Forked] = weakref.WeakSet()
guard = threading.RLock()  # no fork happens while it is held


def register(thing: _Forked) -> None:
    """Call ``after_fork`` of a thing in each child that is forked, as long as the thing lives."""
    _registered.add(thing)


def _in_child() -> None:
    guard.release()
    for thing in list(_registered):
        thing.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=guard.acquire, after_in_parent=guard.release, after_in_child=_in_child)
