"""Forked children, and the ways in which multiprocessing starts processes."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pages
import pytest
from processes import lede_of, on_linux, runs, title, wait_until_gone, with_fork

import lede_news as lede

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # of threads, in Python 3.12 and later


def in_child(work: Callable[[], object]) -> str:
    """Fork, and return what a function returned in the child."""
    read, write = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            answer = str(work())
        except BaseException as e:
            answer = repr(e)
        os.write(write, answer.encode())
        os._exit(0)
    os.close(write)
    with open(read, "rb") as out:
        answer = out.read().decode()
    os.waitpid(pid, 0)
    return answer


def titles(ex: lede.Extractor) -> list[str]:
    return [r.article.title for r in ex.extract_many(pages.page(i) for i in range(20)) if r.article]


EXPECTED = [f"Bridge report {i}" for i in range(20)]


@with_fork
def test_an_open_extractor_works_in_parent_and_child() -> None:
    with lede.Extractor() as ex:
        assert titles(ex) == EXPECTED
        parent = lede_of(ex)
        child = in_child(lambda: (titles(ex) == EXPECTED, lede_of(ex)))
        assert child.startswith("(True, ")
        assert str(parent) not in child
        assert titles(ex) == EXPECTED
        assert lede_of(ex) == parent


@with_fork
def test_a_generator_goes_on_in_parent_and_child() -> None:
    with lede.Extractor() as ex:
        results = ex.extract_many(pages.page(i) for i in range(40))
        for _ in range(10):
            next(results)

        def rest() -> list[str]:
            return [r.article.title for r in results if r.article]

        expected = [f"Bridge report {i}" for i in range(10, 40)]
        assert in_child(rest) == str(expected)
        assert rest() == expected


@with_fork
def test_forks_while_threads_extract() -> None:
    stop = threading.Event()
    wrong: list[str] = []

    def work(n: int) -> None:
        while not stop.is_set():
            if (found := ex.extract(pages.page(n)).title) != f"Bridge report {n}":
                wrong.append(found)

    with lede.Extractor() as ex:
        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        try:
            for i in range(20):
                assert in_child(partial(ex.extract, pages.page(i))).startswith(f"Article(title='Bridge report {i}'")
        finally:
            stop.set()
            for t in threads:
                t.join()
    assert not wrong


@with_fork
def test_the_child_of_a_child() -> None:
    with lede.Extractor() as ex:
        ex.extract(pages.page(1))
        assert in_child(lambda: in_child(lambda: ex.extract(pages.page(2)).title)) == "Bridge report 2"


@with_fork
@on_linux
def test_a_child_does_not_keep_the_process_of_its_parent() -> None:
    ex = lede.Extractor()
    ex.extract(pages.page(1))
    pid = lede_of(ex)
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        os.close(write)
        os.read(read, 1)  # until the parent closes its end
        os._exit(0)
    os.close(read)
    ex._session._process._in.close()  # type: ignore[union-attr]
    wait_until_gone(pid)  # the child, which still runs, has no copy of the pipe
    assert runs(child)
    os.close(write)
    os.waitpid(child, 0)
    ex.close()


@with_fork
@on_linux
def test_a_child_does_not_end_the_process_of_its_parent() -> None:
    with lede.Extractor() as ex:
        ex.extract(pages.page(1))
        pid = lede_of(ex)
        assert in_child(ex.close) == "None"
        if (child := os.fork()) == 0:
            ex._finalizer()
            os._exit(0)
        os.waitpid(child, 0)
        assert runs(pid)
        assert ex.extract(pages.page(2)).title == "Bridge report 2"
        assert lede_of(ex) == pid


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_multiprocessing(method: str) -> None:
    assert title(0) == "Bridge report 0"  # so that there is something to inherit
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(title, range(8)) == EXPECTED[:8]
    assert title(1) == "Bridge report 1"


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_process_pool_executor(method: str) -> None:
    with (
        lede.Extractor() as ex,
        ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool,
    ):
        assert ex.extract(pages.page(0)).title == "Bridge report 0"
        articles = pool.map(ex.extract, [pages.page(i) for i in range(8)])  # pickles the Extractor
        assert [a.title for a in articles] == EXPECTED[:8]
