"""Plain text of an HTML fragment, for libraries that give back HTML."""

import lxml.html

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr".split()
)
SKIP = frozenset("script style template noscript".split())


def blocks(html):
    """A paragraph a line, white space folded."""
    if not html or not html.strip():
        return ""
    parts = []
    for event, node in lxml.etree.iterwalk(lxml.html.fromstring(html), events=("start", "end", "comment", "pi")):
        if event == "start":
            if node.tag not in INLINE:
                parts.append("\n")
            if node.text and node.tag not in SKIP:
                parts.append(node.text.replace("\n", " "))
            continue
        if event == "end" and node.tag not in INLINE:
            parts.append("\n")
        if node.tail:
            parts.append(node.tail.replace("\n", " "))
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)
