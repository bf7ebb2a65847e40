"""A Python extractor for lede's pipe protocol: rival.py NAME

Reads one page a line and answers each with a line; ../README.md describes the
fields. Every library is called as in its documentation, with default settings,
and none may use the network.
"""

import json
import os
import re
import socket
import sys
import time
from importlib.metadata import version

from plaintext import blocks


class Clock:
    """Measures the time of the library, and the part of it for parsing."""

    def __init__(self):
        self.start, self.parse, self.total = time.perf_counter(), 0.0, None

    def parsed(self):
        self.parse = time.perf_counter() - self.start

    def done(self):
        self.total = time.perf_counter() - self.start


# One function for each library: it prepares the library and returns a function
# that extracts a page. That calls clock.done() as soon as the library returns:
# converting the result is not timed.


def trafilatura():
    from trafilatura import bare_extraction, load_html

    def extract(page, clock):
        tree = load_html(page["html"])
        clock.parsed()
        doc = bare_extraction(tree, url=page["url"] or None, with_metadata=True)
        clock.done()
        if doc is None:
            return {}
        return {"title": doc.title, "text": doc.text, "authors": split(doc.author, ";"), "date": doc.date}

    return extract


def newspaper4k():
    from newspaper import Article

    def extract(page, clock):
        # It needs a URL. By default, it would fetch pictures to get their size.
        article = Article(page["url"] or "https://page.invalid/", fetch_images=False)
        article.download(input_html=page["html"])
        article.parse()
        clock.done()
        return {"title": article.title, "text": article.text, "authors": article.authors, "date": article.publish_date}

    return extract


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    def extract(page, clock):
        tree = HTMLTree.parse(page["html"])
        clock.parsed()
        text = extract_plain_text(tree, main_content=True)
        clock.done()
        return {"title": tree.title, "text": text}

    return extract


def justext():
    from justext import get_stoplist, justext

    # It needs the language: that of the page, or English if it is unknown or has
    # no stop list.
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stoplists.json")) as f:
        names = json.load(f)
    declared = re.compile(r"<html\b[^>]*?\slang\s*=\s*[\"']?([a-z]{2})", re.I)
    lists = {"en": get_stoplist("English")}

    def stoplist(html):
        found = declared.search(html)
        lang = found.group(1).lower() if found else "en"
        if lang not in lists:
            lists[lang] = get_stoplist(names.get(lang, "English"))
        return lists[lang]

    def extract(page, clock):
        words = stoplist(page["html"])
        clock.start = time.perf_counter()
        paragraphs = justext(page["html"], words)
        clock.done()
        return {"text": "\n".join(p.text for p in paragraphs if not p.is_boilerplate)}

    return extract


def readability_lxml():
    from readability import Document

    def extract(page, clock):
        doc = Document(page["html"], url=page["url"] or None)
        title, summary = doc.short_title(), doc.summary()
        clock.done()
        # author() parses the page again and is not in the documentation.
        author = doc.author().replace("[no-author]", "")
        return {"title": title, "text": blocks(summary), "authors": split(author, "\n")}

    return extract


def boilerpy3():
    from boilerpy3.extractors import ArticleExtractor

    extractor = ArticleExtractor()

    def extract(page, clock):  # the two halves of get_doc
        doc = extractor.parse_doc(page["html"])
        clock.parsed()
        extractor.filter.process(doc)
        text = doc.content
        clock.done()
        return {"title": doc.title, "text": text}

    return extract


def news_please():
    from newsplease import NewsPlease

    def extract(page, clock):
        article = NewsPlease.from_html(page["html"], url=page["url"] or None, fetch_images=False)
        clock.done()
        if not article:
            return {}
        return {
            "title": article.title,
            "text": article.maintext,
            "authors": article.authors,
            "date": article.date_publish,
        }

    return extract


def lede_news():
    import lede_news as lede

    def extract(page, clock):
        article = lede.extract(page["html"], page["url"] or None)
        len(article.body)  # its blocks are made when they are first read
        clock.done()
        fields = article.to_dict()
        return {
            "title": article.title,
            "text": article.text,
            "authors": [a.name for a in article.authors],
            "date": fields.get("published"),
            "type": article.type,
        }

    return extract


RIVALS = {
    "trafilatura": trafilatura,
    "newspaper4k": newspaper4k,
    "resiliparse": resiliparse,
    "justext": justext,
    "readability-lxml": readability_lxml,
    "boilerpy3": boilerpy3,
    "news-please": news_please,
    "lede-news": lede_news,
}


def split(names, mark):
    return [n.strip() for n in (names or "").split(mark) if n.strip()]


def offline(*_):
    raise OSError("a rival does not use the network")


def answer(page, extract):
    clock, got, error = Clock(), {}, ""
    try:
        got = extract(page, clock)
        if not (got.get("text") or "").strip():
            error = "no text found"
    except Exception as e:  # an error on this page
        error = f"{type(e).__name__}: {e}"[:200]
    if clock.total is None:
        clock.done()
    return {
        "id": page["id"],
        "title": got.get("title") or "",
        "text": got.get("text") or "",
        "authors": [str(a) for a in got.get("authors") or []],
        "date": str(got.get("date") or ""),
        "type": got.get("type") or "",
        "error": error,
        "parse_ms": clock.parse * 1000,
        "time_ms": clock.total * 1000,
    }


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in RIVALS:
        sys.exit("usage: rival.py " + "|".join(RIVALS))
    name = sys.argv[1]
    # Output of libraries must not go to the pipe.
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    extract = RIVALS[name]()
    socket.socket.connect = socket.getaddrinfo = offline

    def say(line):
        pipe.write(json.dumps(line) + "\n")
        pipe.flush()

    say({"name": name, "version": version(name), "language": "Python"})
    for line in sys.stdin.buffer:
        say(answer(json.loads(line), extract))


if __name__ == "__main__":
    main()
