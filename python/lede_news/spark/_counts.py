"""What is counted of stories."""

from __future__ import annotations

from typing import NamedTuple


class StoryCounts(NamedTuple):
    """How many stories were found, and in how many articles.

    ``articles`` have a story; one that is there twice with the same text counts once.
    ``unreadable`` lines of the input were left out, and ``error`` says why one of them was.
    """

    stories: int
    articles: int
    unreadable: int = 0
    error: str = ""

    def __str__(self) -> str:
        """Return the counts in words."""
        text = f"{self.stories} stories of {self.articles} articles"
        if self.unreadable:
            text += f"; {self.unreadable} lines cannot be read and were left out: {self.error}"
        return text
