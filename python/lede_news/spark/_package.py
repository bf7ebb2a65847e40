"""The package as a file for workers, on which nothing is installed."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import lede_news

from .._start import command
from .._unpack import archive_of
from ..errors import LedeError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LEVEL = 1  # of compression: a cluster is fast to send to, and slow to wait for
_DATE = (1980, 1, 1, 0, 0, 0)  # the same package makes the same file


def package(path: str | os.PathLike[str] | None = None) -> Path:
    """Write the package and its program to a zip file, for ``spark-submit --py-files``, and return its path.

    Without ``path`` it is made in a new temporary folder. The program is that of this
    machine's platform, and the workers must have the same one. ``extract`` does this itself.
    """
    target = Path(path) if path is not None else Path(tempfile.mkdtemp(prefix="lede-"), "lede_news.zip")
    if target.suffix != ".zip":
        raise LedeError(f"{target}: Spark takes packages that end in .zip")
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as file:
            for name, data, mode in _contents():
                info = zipfile.ZipInfo(name, _DATE)
                info.external_attr = (0o100000 | mode) << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                file.writestr(info, data, compresslevel=_LEVEL)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    return target


def _contents() -> Iterator[tuple[str, bytes, int]]:
    """Yield names, contents and modes of the files of the package."""
    program = Path(command()).read_bytes()  # also that of LEDE_COMMAND
    name = "lede_news/bin/lede.exe" if os.name == "nt" else "lede_news/bin/lede"
    if archive := archive_of(lede_news.__loader__):
        with zipfile.ZipFile(archive) as file:
            for info in file.infolist():
                if (
                    info.filename.startswith(("lede_news/", "lede_news-"))
                    and not info.is_dir()
                    and info.filename != name
                ):
                    yield info.filename, file.read(info), 0o644
    else:
        root = Path(lede_news.__file__).parent
        for path in sorted(root.rglob("*")):
            inside = path.relative_to(root)
            if path.is_file() and "__pycache__" not in inside.parts and inside.parts[0] != "bin":
                yield f"lede_news/{inside.as_posix()}", path.read_bytes(), 0o644
        for extra in ("LICENSES.txt",):
            if (root / "bin" / extra).is_file():
                yield f"lede_news/bin/{extra}", (root / "bin" / extra).read_bytes(), 0o644
    yield name, program, 0o755


def ship(spark: SparkSession) -> None:
    """Send the package to the workers, unless they are this machine or have been sent it."""
    context = spark.sparkContext
    if context.master.startswith("local") and not context.master.startswith("local-cluster"):
        return
    archive = archive_of(lede_news.__loader__)
    sent = {os.path.basename(p) for p in context.getConf().get("spark.submit.pyFiles", "").split(",") if p}
    if (
        archive
        and os.path.basename(archive) in sent
        and archive.endswith(".zip")
        and not os.environ.get("LEDE_COMMAND")
    ):
        return
    folder = tempfile.mkdtemp(prefix="lede-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # workers fetch it from here as long as Spark runs
    made = package(Path(folder, "lede_news.zip"))
    digest = hashlib.sha256(made.read_bytes()).hexdigest()[:16]
    name = f"lede_news-{digest}.zip"  # files of the same name are not sent twice
    if name in {os.path.basename(str(p)) for p in getattr(context, "_python_includes", ())}:
        return
    context.addPyFile(str(made.rename(made.with_name(name))))
