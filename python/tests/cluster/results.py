"""Results of a job on the cluster, and what they are compared with."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet


def parts(out: Path) -> list[Path]:
    """Return the files with articles, in the order of the tasks."""
    return sorted(path for path in out.iterdir() if re.fullmatch(r"part-\d{5}\.parquet", path.name))


def read_articles(path: Path) -> pyarrow.Table:
    """Return the rows of a file, or of all parts of a job."""
    # Files, and not the folder: nothing may depend on what is beside them.
    files = parts(path) if path.is_dir() else [path]
    return pyarrow.concat_tables([pyarrow.parquet.ParquetFile(file).read() for file in files])


def assert_articles(out: Path, reference: Path) -> None:
    """Assert that the parts, one after the other, are the rows of one run of lede batch, in its order."""
    expected, found = read_articles(reference), read_articles(out)
    assert found.schema.equals(expected.schema), f"{found.schema}\nis not\n{expected.schema}"
    if found.equals(expected):
        return
    ids, wanted = found["id"].to_pylist(), expected["id"].to_pylist()
    assert len(ids) == len(wanted), f"{len(ids)} rows, not {len(wanted)}: {_difference(ids, wanted)}"
    assert ids == wanted, f"other rows, or another order: {_difference(ids, wanted)}"
    for name in expected.schema.names:
        for key, a, b in zip(ids, found[name].to_pylist(), expected[name].to_pylist(), strict=True):
            assert a == b, f"{name} of {key}: {str(a)[:300]!r}, not {str(b)[:300]!r}"


def _difference(found: list[str], expected: list[str]) -> str:
    """Describe how lists of ids differ."""
    first = next((at for at, (a, b) in enumerate(zip_longest(found, expected)) if a != b), None)
    missing, more = set(expected) - set(found), set(found) - set(expected)
    return f"from row {first}; missing {sorted(missing)[:5]}, in addition {sorted(more)[:5]}"


def table(out: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of a table in _lede: Parquet, or JSON lines."""
    folder = out / "_lede" / name
    rows: list[dict[str, Any]] = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith(("_", ".")):
            continue
        if path.suffix == ".parquet":
            rows += pyarrow.parquet.ParquetFile(path).read().to_pylist()
        else:
            rows += [json.loads(line) for line in lines(path)]
    return rows


def lines(path: Path) -> Iterator[str]:
    """Return the lines of a file, which may be compressed."""
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    return iter(text.splitlines())


def assert_stories(out: Path, reference: Path) -> None:
    """Assert that the stories of a job are the lines of lede stories, in their order."""
    found = [_known(row) for row in table(out, "stories")]
    expected = [json.loads(line) for line in reference.read_text().splitlines()]
    for at, (a, b) in enumerate(zip_longest(found, expected)):
        if a != b:
            raise AssertionError(f"line {at + 1} of {len(found)}, not {len(expected)}:\n{a}\nis not\n{b}"[:4000])


def _known(value: Any) -> Any:
    """Return a value without fields that are null."""
    match value:
        case dict():
            return {name: _known(inner) for name, inner in value.items() if inner is not None}
        case list():
            return [_known(inner) for inner in value]
    return value


def summaries(out: Path) -> list[dict[str, Any]]:
    """Return the summaries of tasks, by part."""
    return [json.loads(path.read_text()) for path in sorted((out / "_lede/parts").glob("part-*.json"))]


def assert_clean(out: Path) -> None:
    """Assert that nothing is left that was being written."""
    tmp = out / "_lede/tmp"
    left = [path for path in tmp.rglob("*") if path.is_file()] if tmp.exists() else []
    assert not left, f"left in {tmp}: {left[:10]}"
    known = re.compile(r"part-\d{5}\.parquet|\.part-\d{5}\.parquet\.crc|_SUCCESS|_lede|\._SUCCESS\.crc")
    strange = [path.name for path in out.iterdir() if not known.fullmatch(path.name)]
    assert not strange, f"strange files in {out}: {strange}"
