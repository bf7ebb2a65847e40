"""The links of a page."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A link of a page, and whether it leads to a story.

    ``score`` is the probability that it does, from 0 to 1, and ``why`` says what weighed
    most. ``section`` means that the link probably leads to the front of a section of the
    same site, with links to stories.
    """

    url: str
    text: str
    story: bool
    score: float
    why: str
    section: bool = False


def parse(body: bytes) -> list[Link]:
    """Return the links of JSON lines, as ``lede links --json`` prints them."""
    links = []
    for line in body.splitlines():  # of bytes: at line feeds only, not at U+2028
        link = json.loads(line)
        links.append(
            Link(
                url=link["url"],
                text=link["text"],
                story=link["story"],
                score=float(link["score"]),
                why=link["why"],
                section=link.get("section", False),
            )
        )
    return links
