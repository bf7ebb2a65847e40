"""Stories of the articles of a job, as ``lede stories`` finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._job import Job


def write(job: Job) -> int:
    """Write the stories of a job to OUT/_lede/stories, and return their number."""
    raise NotImplementedError
