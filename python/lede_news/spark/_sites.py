"""Sites in two passes: observations of all tasks, profiles, and what a task gets of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._job import Job
    from ._task import Prepare


def learn(job: Job) -> Prepare:
    """Learn about the sites of all archives, and return what gives a task the profiles of its sites."""
    raise NotImplementedError
