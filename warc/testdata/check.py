#!/usr/bin/env python3
"""Reads an archive with warcio, checks its digests, prints a line of JSON a record."""
import hashlib, json, sys

from warcio.archiveiterator import ArchiveIterator

with open(sys.argv[1], "rb") as f:
    records = ArchiveIterator(f, check_digests="raise")
    for record in records:
        body = record.content_stream().read()
        print(json.dumps({
            "type": record.rec_type,
            "id": record.rec_headers.get_header("WARC-Record-ID"),
            "url": record.rec_headers.get_header("WARC-Target-URI"),
            "date": record.rec_headers.get_header("WARC-Date"),
            "concurrent": record.rec_headers.get_header("WARC-Concurrent-To"),
            "http": record.http_headers.to_str() if record.http_headers else "",
            "fields": body.decode("utf-8") if record.rec_type == "metadata" else "",
            "sha1": hashlib.sha1(body).hexdigest(),
            "checked": record.digest_checker.passed,
        }))
        records.read_to_end(record)
