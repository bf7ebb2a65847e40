"""Reads a JSON list of Markdown texts and writes an object: for each renderer the
list of their HTML."""

import json
import sys

import markdown
import mistune

RENDERERS = {
    "Python-Markdown": markdown.markdown,
    "Python-Markdown extra": lambda text: markdown.markdown(text, extensions=["extra"]),
    "mistune": mistune.html,
}

texts = json.load(sys.stdin)
json.dump({name: [render(text) for text in texts] for name, render in RENDERERS.items()}, sys.stdout)
