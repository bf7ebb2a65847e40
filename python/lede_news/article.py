"""The article of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Article:
    """An article."""

    title: str
    text: str

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Article:
        """Make an article of what ``to_dict`` returned, or of the JSON of lede."""
        return cls(title=data["title"], text=data["text"])
