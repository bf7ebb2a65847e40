#!/usr/bin/env python3
"""Makes the archives of this folder with tools that are not ours.

    pip install warcio brotli zstandard    # and GNU Wget
    python3 make.py

The pages are made up. Their ids and dates change with every run; what
expected.json says of them does not.
"""
import gzip, hashlib, http.client, http.server, io, json, os, struct, subprocess, tempfile, threading, zlib

from warcio.capture_http import capture_http  # before the first request
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
import brotli, zstandard

HERE = os.path.dirname(os.path.abspath(__file__))
PORT = 8931
HOST = f"http://localhost:{PORT}"


def story(n, extra=""):
    paragraphs = "".join(
        f"<p>The council of Oberau met for the {n * 7 + i}th time on Monday; the bridge stays closed, "
        f"said its mayor, Ada Lindqvist, and the ferry will run every {i + 5} minutes.</p>\n"
        for i in range(12))
    return f"<!doctype html><html><head><title>Story {n}</title></head><body><h1>Story {n}</h1>\n{paragraphs}{extra}</body></html>\n"


def chunks(body, size=700, extension=b"", trailer=b""):
    out = b""
    for i in range(0, len(body), size):
        part = body[i:i + size]
        out += b"%x%s\r\n%s\r\n" % (len(part), extension, part)
    return out + b"0\r\n" + trailer + b"\r\n"


def deflate_raw(b):
    c = zlib.compressobj(wbits=-15)
    return c.compress(b) + c.flush()


HTML = "text/html; charset=utf-8"
PLAIN = {n: story(n).encode() for n in range(1, 12)}
LATIN = story(20, "<p>Straße, señor, façade</p>").encode("latin-1")

# path: status, headers, body on the wire, decoded page (None: no page), charset
ANSWERS = {
    "/plain.html": (200, {"Content-Type": HTML}, PLAIN[1], PLAIN[1], "utf-8"),
    "/chunked.html": (200, {"Content-Type": HTML, "Transfer-Encoding": "chunked"},
                      chunks(PLAIN[2], 700, b";note=1", b"X-Trailer: 1\r\n"), PLAIN[2], "utf-8"),
    "/gzip.html": (200, {"Content-Type": HTML, "Content-Encoding": "gzip"}, gzip.compress(PLAIN[3], mtime=0), PLAIN[3], "utf-8"),
    "/gzip-chunked.html": (200, {"Content-Type": HTML, "Content-Encoding": "gzip", "Transfer-Encoding": "chunked"},
                           chunks(gzip.compress(PLAIN[4], mtime=0), 90), PLAIN[4], "utf-8"),
    "/deflate.html": (200, {"Content-Type": HTML, "Content-Encoding": "deflate"}, zlib.compress(PLAIN[5]), PLAIN[5], "utf-8"),
    "/deflate-raw.html": (200, {"Content-Type": HTML, "Content-Encoding": "deflate"}, deflate_raw(PLAIN[6]), PLAIN[6], "utf-8"),
    "/br.html": (200, {"Content-Type": HTML, "Content-Encoding": "br"}, brotli.compress(PLAIN[7]), PLAIN[7], "utf-8"),
    "/zstd.html": (200, {"Content-Type": HTML, "Content-Encoding": "zstd"}, zstandard.compress(PLAIN[8]), PLAIN[8], "utf-8"),
    "/latin1.html": (200, {"Content-Type": 'text/html; Charset="ISO-8859-1"'}, LATIN, LATIN, "iso-8859-1"),
    "/untyped": (200, {}, PLAIN[9], PLAIN[9], ""),
    "/logo.png": (200, {"Content-Type": "image/png"}, b"\x89PNG\r\n\x1a\n" + bytes(60), None, ""),
    "/moved": (301, {"Content-Type": "text/html", "Location": "/plain.html"}, b"<p>moved</p>", None, ""),
    "/missing": (404, {"Content-Type": "text/html"}, b"<p>nothing here</p>", None, ""),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        status, headers, wire, _, _ = ANSWERS[self.path]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Transfer-Encoding" not in headers:
            self.send_header("Content-Length", str(len(wire)))
        self.end_headers()
        self.wfile.write(wire)

    def log_message(self, *args):
        pass


def by_capture(path):
    with capture_http(path):
        for target in ANSWERS:
            c = http.client.HTTPConnection("localhost", PORT)
            c.request("GET", target)
            c.getresponse().read()
            c.close()


def by_wget(path):
    with tempfile.TemporaryDirectory() as tmp:
        # Wget answers 8 when one of the answers is an error, and one is.
        subprocess.run(["wget", "-q", "--delete-after", "--warc-file", "wget",
                        "--warc-header", "operator: nobody", *[HOST + p for p in ANSWERS]],
                       cwd=tmp, check=False)
        with open(os.path.join(tmp, "wget.warc.gz"), "rb") as f, open(path, "wb") as out:
            out.write(f.read())


def records(packed, version="1.0"):
    """Every record by itself, from warcio's own writer."""
    out = []

    def emit(make):
        buf = io.BytesIO()
        w = WARCWriter(buf, gzip=packed, warc_version=version)
        w.write_record(make(w))
        out.append(buf.getvalue())

    emit(lambda w: w.create_warcinfo_record("made.warc", {"software": "warcio", "description": "made up"}))
    for path, (status, headers, wire, _, _) in ANSWERS.items():
        head = StatusAndHeaders(f"{status} X", list(headers.items()), protocol="HTTP/1.1")
        emit(lambda w: w.create_warc_record(HOST + path, "response", payload=io.BytesIO(wire), http_headers=head))
    emit(lambda w: w.create_warc_record(HOST + "/request", "request", payload=io.BytesIO(b""),
                                        http_headers=StatusAndHeaders("GET / HTTP/1.1", [("Host", "localhost")], is_http_request=True)))
    emit(lambda w: w.create_revisit_record(HOST + "/again", "sha1:" + "A" * 32, HOST + "/plain.html", "2026-01-02T03:04:05Z"))
    emit(lambda w: w.create_warc_record(HOST + "/meta", "metadata", payload=io.BytesIO(b"via: somewhere\r\n"),
                                        warc_content_type="application/warc-fields"))
    emit(lambda w: w.create_warc_record(HOST + "/resource.html", "resource", payload=io.BytesIO(PLAIN[10]), warc_content_type="text/html"))
    emit(lambda w: w.create_warc_record(HOST + "/conversion.txt", "conversion", payload=io.BytesIO(b"The bridge stays closed.\n"),
                                        warc_content_type="text/plain; charset=UTF-8"))
    return out


def write(name, data):
    with open(os.path.join(HERE, name), "wb") as f:
        f.write(data)


def dictionary_archive(plain, compressed_dict):
    samples = [s for n in range(200) for s in (story(n).encode(), plain[n % len(plain)])]
    d = zstandard.train_dictionary(4096, samples)
    raw = d.as_bytes()
    if compressed_dict:
        raw = zstandard.compress(raw)
    c = zstandard.ZstdCompressor(dict_data=d, write_checksum=True)
    return b"\x5d\x2a\x4d\x18" + struct.pack("<I", len(raw)) + raw + b"".join(c.compress(r) for r in plain)


def main():
    capture = os.path.join(HERE, "capture.warc.gz")
    if os.path.exists(capture):
        os.remove(capture)  # capture_http would add to it
    server = http.server.ThreadingHTTPServer(("localhost", PORT), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    by_capture(capture)
    by_wget(os.path.join(HERE, "wget.warc.gz"))
    server.shutdown()

    plain = records(False)
    write("warcio.warc", b"".join(plain))
    write("whole.warc.gz", gzip.compress(b"".join(plain), mtime=0))
    write("warcio11.warc.gz", b"".join(records(True, "1.1")))
    write("frames.warc.zst", b"".join(zstandard.compress(r) for r in plain))
    write("dict.warc.zst", dictionary_archive(plain, False))
    write("dictpacked.warc.zst", dictionary_archive(plain, True))

    expected = {p: {"status": s, "charset": c, "sha1": hashlib.sha1(page).hexdigest()}
                for p, (s, _, _, page, c) in ANSWERS.items() if page is not None}
    write("expected.json", json.dumps(expected, indent=1, sort_keys=True).encode() + b"\n")


if __name__ == "__main__":
    main()
