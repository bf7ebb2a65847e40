"""A program that speaks the protocol of ``lede pipe``, for tests of what lede does not do by itself.

A page is answered with an article whose title is the page. These words in a page have
an effect:

    DIE      the process is killed
    DIE-ONCE it is killed, unless the file that the environment variable FAKE_DIED names exists
    SIGINT   the parent gets Ctrl-C, and no answer
    LAST     there are no answers until the end of standard input
    SPLIT    the answer is written in small pieces
    LARGE    the article has 3 MB of text
    HOLD     the answer comes after that to the next page
"""

from __future__ import annotations

import json
import os
import signal
import struct
import sys


def main() -> None:
    if "FAKE_LOG" in os.environ:
        with open(os.environ["FAKE_LOG"], "a") as log:
            log.write(f"{os.getpid()} {' '.join(sys.argv[1:])}\n")
    if "FAKE_SAYS" in os.environ:
        sys.stderr.write(os.environ["FAKE_SAYS"])
        sys.stderr.flush()
        if "FAKE_STATUS" in os.environ:
            sys.exit(int(os.environ["FAKE_STATUS"]))
    hello = {"hello": "lede pipe", "protocol": 1, "version": "fake", "workers": 2, "window": 8}
    hello.update(json.loads(os.environ.get("FAKE_HELLO", "{}")))
    write(frame(hello))
    held: list[bytes] = []
    last: list[bytes] = []
    while head := read(8):
        sizes = struct.unpack(">II", head)
        request = json.loads(read(sizes[0]))
        page = read(sizes[1]).decode()
        if "LAST" in page:
            last.append(b"")
        effects(page)
        text = "x" * 3_000_000 if "LARGE" in page else f"{request.get('do')} {len(page)}"
        article = {"title": page[:100], "text": text, "method": request.get("method", "")}
        answer = frame({"id": request["id"]}, json.dumps(article).encode())
        if "SIGINT" in page:
            continue
        if "SPLIT" in page:
            for i in range(0, len(answer), 7):
                write(answer[i : i + 7])
        elif last:
            last.append(answer)
        elif "HOLD" in page:
            held.append(answer)
        else:
            write(answer + b"".join(held))
            held.clear()
    write(b"".join(held + last))


def effects(page: str) -> None:
    if "DIE-ONCE" in page:
        if not os.path.exists(os.environ["FAKE_DIED"]):
            open(os.environ["FAKE_DIED"], "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
    elif "DIE" in page:
        sys.stderr.write("this page is too much\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if "SIGINT" in page:
        os.kill(os.getppid(), signal.SIGINT)


def frame(head: dict[str, object], body: bytes = b"") -> bytes:
    encoded = json.dumps(head).encode()
    return struct.pack(">II", len(encoded), len(body)) + encoded + body


def read(size: int) -> bytes:
    data = b""
    while len(data) < size and (part := os.read(0, size - len(data))):
        data += part
    return data


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


main()
