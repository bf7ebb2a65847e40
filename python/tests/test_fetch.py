"""Pages that lede fetches, from a server on this machine."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pages
import pytest

import lede_news as lede
from lede_news import aio


class Site(BaseHTTPRequestHandler):
    """Answers /N with a made-up page in KOI8-R, whose header says so, and all else with 404."""

    agents: list[str] = []  # noqa: RUF012 (of all requests)

    def do_GET(self) -> None:
        self.agents.append(self.headers["User-Agent"])
        found = self.path[1:].isdecimal()
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=koi8-r")
        self.end_headers()
        if found:
            text = "Мэр города сообщил, что старый мост откроют до зимы."
            self.wfile.write(pages.page(int(self.path[1:]), head="", text=text).encode("koi8-r"))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_fetch(site: str) -> None:
    with lede.Extractor(allow_private=True, user_agent="the tests", timeout=60) as ex:
        article = ex.fetch(f"{site}/7")
        assert article.title == "Bridge report 7"
        assert article.url == f"{site}/7"
        assert "Мэр города сообщил, что старый мост" in article.text
        assert Site.agents[-1] == "the tests"
        assert "Мэр" not in ex.fetch(f"{site}/7", charset="windows-1251").text
        assert ex.fetch(f"{site}/8", method="nce").method == "nce"
        with pytest.raises(lede.StatusError, match="404") as e:
            ex.fetch(f"{site}/nothing")
        assert e.value.page == f"{site}/nothing"


def test_links(site: str) -> None:
    with lede.Extractor(allow_private=True) as ex:
        fetched = ex.links(url=f"{site}/7")
        assert [link.url for link in fetched] == [f"{site}/{p}" for p in ("", "news", "sport", "about", "terms")]
        assert ex.links(pages.page(7), f"{site}/7") == fetched


def test_private_addresses_are_not_fetched_unless_allowed(site: str) -> None:
    before = len(Site.agents)
    with pytest.raises(lede.AddressError):
        lede.fetch(f"{site}/7")
    with pytest.raises(lede.AddressError):
        lede.links(url=f"{site}/7")
    assert len(Site.agents) == before


def test_aio(site: str) -> None:
    async def main() -> list[str]:
        async with aio.Extractor(allow_private=True) as ex:
            articles = await asyncio.gather(*(ex.fetch(f"{site}/{i}") for i in range(10)))
            assert (await ex.links(url=f"{site}/7"))[0].url == f"{site}/"
        return [a.title for a in articles]

    assert asyncio.run(main()) == [f"Bridge report {i}" for i in range(10)]
