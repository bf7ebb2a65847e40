"""Kills processes in the middle of the stages of a job."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from cluster import victims
from cluster.standalone import Program, stage_name

Victim = Callable[[Program], list[int]]
_PATIENCE = 0.5  # seconds for a victim to appear in a stage


class Killer:
    """Kills while a job runs: ``with Killer(program, choose) as killer: program.wait()``.

    ``choose`` gets the name and the state of a stage that has running tasks, and returns whom to
    kill in it, or None.
    """

    def __init__(self, program: Program, choose: Callable[[str, Mapping[str, Any]], Victim | None]) -> None:
        self.program, self._choose = program, choose
        self.kills: list[tuple[str, str]] = []  # stages and victims
        self.seen: list[str] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self._stop.is_set() and self.program.running():
            for stage in self.program.active():
                name = stage_name(stage.get("description") or stage["name"])
                if name not in self.seen:
                    self.seen.append(name)
                if victim := self._choose(name, stage):
                    self._kill(name, victim)
            time.sleep(0.03)

    def _kill(self, stage: str, victim: Victim) -> None:
        """Kill a victim as soon as there is one, if there is one soon."""
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            if sum(victims.kill(pid) for pid in victim(self.program)):
                self.kills.append((stage, victim.__name__))
                if victim is victims.one_worker:
                    time.sleep(1)  # its machine does not come back at once
                    self.program.cluster.replace_workers()
                return
            time.sleep(0.005)

    def hit(self, victim: Victim) -> list[str]:
        """Return the stages in which this victim was killed."""
        return [stage for stage, name in self.kills if name == victim.__name__]

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def once_in_each(victim: Victim, but: tuple[str, ...] = ()) -> Callable[[Program], Killer]:
    """Return a killer of one victim in each stage, except in some."""

    def start(program: Program) -> Killer:
        def choose(name: str, _: Mapping[str, Any]) -> Victim | None:
            return None if name in killer.hit(victim) or name in but else victim

        killer = Killer(program, choose)
        return killer

    return start


def in_turn(stage: str, *all: Victim) -> Callable[[Program], Killer]:  # noqa: A002
    """Return a killer of several in one stage, each after a task more was done."""

    def start(program: Program) -> Killer:
        def choose(name: str, state: Mapping[str, Any]) -> Victim | None:
            at = len(killer.kills)
            ready = name == stage and at < len(all) and state["numCompleteTasks"] > at
            return all[at] if ready else None

        killer = Killer(program, choose)
        return killer

    return start
