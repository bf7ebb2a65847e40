"""Made-up news pages."""

from __future__ import annotations

_SENTENCES = (
    "The council of Upper Mill voted on Tuesday to repair the old bridge before winter.",
    "Engineers found cracks in two of its pillars, and lorries have been turned away since March.",
    "The work will cost four million crowns, of which the county pays a third.",
    "Shopkeepers on the east bank say that they have lost half of their customers.",
    "A ferry will take people across the river while the bridge is closed.",
    "The mayor promised that the market will be held as usual on the first Sunday of each month.",
    "Two members of the council voted against the plan, because they wanted a new bridge instead.",
    "The builders expect to finish in November, if the river does not rise earlier.",
)


def words(number: int) -> str:
    """Return the words by which the article of a page can be told from all others."""
    return f"This is report number {number} of the Upper Mill Courier."


def page(number: int, paragraphs: int = 8, head: str = '<meta charset="utf-8">', text: str = "") -> str:
    """Return a page with an article of several paragraphs, a menu and a footer."""
    body = "".join(
        f"<p>{_SENTENCES[(number + i) % len(_SENTENCES)]} {_SENTENCES[(number + 3 * i + 1) % len(_SENTENCES)]}</p>\n"
        for i in range(paragraphs)
    )
    extra = f"<p>{text}</p>\n" if text else ""
    return (
        f"<!DOCTYPE html><html lang=en><head>{head}<title>Bridge report {number}</title></head><body>\n"
        "<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/sport>Sport</a></nav>\n"
        f"<article><h1>Bridge report {number}</h1>\n<p>{words(number)}</p>\n{extra}{body}</article>\n"
        "<footer><a href=/about>About us</a> <a href=/terms>Terms</a></footer></body></html>\n"
    )
