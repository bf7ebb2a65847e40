"""The package as a file for workers, the command, and files of other schemes."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lede_news import LedeError, OptionError, _unpack
from lede_news.spark import _cli, _extract, _files, package

unix = pytest.mark.skipif(sys.platform == "win32", reason="modes of files are those of Unix")
_EXTRACT = """
import lede_news, sys
from lede_news import _start
assert ".zip/" in lede_news.__file__, lede_news.__file__
print(_start.command())
print(lede_news.extract("<title>Tide</title><p>The tide table was wrong again, and three boats ran aground.</p>").title)
"""


@pytest.fixture(scope="module")
def zipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return package(tmp_path_factory.mktemp("package") / "lede_news.zip")


def run(zipped: Path, temporary: Path) -> subprocess.Popen[str]:
    env = {n: v for n, v in os.environ.items() if n != "LEDE_COMMAND"}
    env |= {"PYTHONPATH": str(zipped), "TMPDIR": str(temporary)}
    command = [sys.executable, "-S", "-c", _EXTRACT]
    return subprocess.Popen(command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=temporary)


@unix
def test_package(zipped: Path, tmp_path: Path, program: str) -> None:
    """A worker needs only the file. Several that begin at once unpack one program."""
    results = [c.communicate(timeout=120) for c in [run(zipped, tmp_path) for _ in range(3)]]
    for out, err in results:
        assert out.splitlines()[1:] == ["Tide"], err
    (path,) = {Path(out.splitlines()[0]) for out, _ in results}
    assert path.read_bytes() == Path(program).read_bytes()
    (folder,) = tmp_path.iterdir()
    assert path.is_relative_to(folder) and stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [p for p in folder.rglob("*") if p.is_file()] == [path]
    path.write_bytes(b"torn")  # by a machine that crashed, for example
    out, err = run(zipped, tmp_path).communicate(timeout=120)
    assert out.splitlines()[1:] == ["Tide"], err


@unix
def test_folder_of_another_user(zipped: Path, tmp_path: Path) -> None:
    """A folder that others can write to is not used."""
    squatted = tmp_path / f"lede-news-{os.getuid()}"
    squatted.mkdir()
    squatted.chmod(0o777)
    out, err = run(zipped, tmp_path).communicate(timeout=120)
    assert out.splitlines()[1:] == ["Tide"], err
    assert not Path(out.splitlines()[0]).is_relative_to(squatted)
    assert list(squatted.iterdir()) == []
    assert not _unpack._is_private(squatted)


def test_package_is_the_same_each_time(zipped: Path, tmp_path: Path) -> None:
    assert package(tmp_path / "again.zip").read_bytes() == zipped.read_bytes()
    names = zipfile.ZipFile(zipped).namelist()
    assert "lede_news/spark/_task.py" in names and not any("__pycache__" in n for n in names)
    with pytest.raises(LedeError, match=r"end in \.zip"):
        package(tmp_path / "lede.tar")


def test_paths(tmp_path: Path) -> None:
    assert _files.is_local("/a/b") and _files.is_local("file:///a") and _files.is_local("C:\\a")
    assert not _files.is_local("s3a://b/a") and _files.scheme("HDFS://h/a") == "hdfs"
    assert _files.local_path("file:///a%20b/c") == Path("/a%20b/c")  # as Spark has it
    assert _files.local_path("file:/a/b") == _files.local_path("file://host/a/b") == Path("/a/b")
    assert _files.join("s3a://b", "x") == "s3a://b/x" and _files.join("/a/", "x", "y") == "/a/x/y"
    assert _files.join("/", "x") == "/x" and _files.join("hdfs:///", "x") == "hdfs:///x"
    assert _files.for_reading("/a/[b]*") == "file:///a/\\[b\\]\\*"


def test_ranges_of_files(tmp_path: Path) -> None:
    """A range is copied to its own offsets, so that what lede says about them is true."""
    source, target = tmp_path / "a", tmp_path / "b"
    source.write_bytes(bytes(range(256)) * 10)
    files = _files.LocalFiles()
    files.fetch(str(source), target, 1000, 1500)
    files.fetch(str(source), target, 1500, 9999)
    assert target.read_bytes() == bytes(1000) + source.read_bytes()[1000:]


_HADOOP = """
import sys
from pathlib import Path
from lede_news.spark._hadoop import worker_files
folder = Path(sys.argv[1])
conf = f"<configuration><property><name>fs.viewfs.mounttable.test.link./root</name><value>file://{folder}</value></property></configuration>"
files = worker_files(conf.encode())
(folder / "a").write_bytes(bytes(range(256)) * 1000)
for base in ("viewfs://test/root", f"file://{folder}"):
    files.put(folder / "a", f"{base}/x/b")
    files.put(folder / "a", f"{base}/x/c")
    files.replace(f"{base}/x/b", f"{base}/y/b")
    files.replace(f"{base}/x/c", f"{base}/y/b")
    assert files.names(f"{base}/y") == ["b"] and files.names(f"{base}/x") == files.names(f"{base}/none") == []
    assert files.size(f"{base}/y/b") == 256000 and files.exists(f"{base}/y/b") and not files.exists(f"{base}/x/b")
    target = folder / "copy"
    files.fetch(f"{base}/y/b", target, 1000, 1500)
    files.fetch(f"{base}/y/b", target, 1500, 999999)
    assert target.read_bytes() == bytes(1000) + (folder / "a").read_bytes()[1000:]
    assert files.read(f"{base}/y/b") == (folder / "a").read_bytes()
    for function in (files.size, files.read, lambda p: files.fetch(p, target)):
        try:
            function(f"{base}/none")
        except FileNotFoundError as e:
            assert str(e) == f"{base}/none does not exist", e
        else:
            sys.exit("no error")
    files.delete(f"{base}/x"), files.delete(f"{base}/y"), files.delete(f"{base}/y")
    target.unlink()
try:
    files.size("gopher://a/b")
except OSError as e:
    assert "Spark has no file system for it" in str(e)
from lede_news.spark import _hadoop
_hadoop._worker.process.kill()
_hadoop._worker.process.wait()
assert worker_files(conf.encode()).exists(f"file://{folder}/a")  # another one is started
print(_hadoop._worker.process.pid)
"""


def test_files_of_a_worker(tmp_path: Path) -> None:
    """A worker uses the file systems of Hadoop in a Java process of its own, which ends with it."""
    import shutil

    pytest.importorskip("py4j", reason="pyspark is not installed")
    if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
        pytest.skip("there is no Java")
    args = [sys.executable, "-c", _HADOOP, str(tmp_path)]
    done = subprocess.run(args, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    if Path("/proc").exists():
        from processes import wait_until_gone

        wait_until_gone(int(done.stdout))


def options(*args: str) -> dict[str, object]:
    return _cli._options(_cli.parser().parse_args(["extract", *args]))


def test_command(tmp_path: Path) -> None:
    listed = tmp_path / "archives.txt"
    listed.write_text("# the first\ns3a://b/a.warc.gz\n\n  /b.warc.gz \n", encoding="utf-8-sig")
    found = options("c.warc", "--archives", str(listed), "--out", "s3a://b/out", "--sites", "--split", "256MB")
    assert found["archives"] == ["c.warc", "s3a://b/a.warc.gz", "/b.warc.gz"]
    assert (found["sites"], found["stories"], found["split"]) == (True, False, 256 << 20)
    more = ["--batch-option", "with=comments,tables", "--batch-option", "max-bytes=5", "--batch-option", "set=a=b"]
    found = options("a", "--out", "b", "--max-memory", "300", *more)
    assert (found["keep"], found["max_bytes"], found["settings"]) == (["comments", "tables"], "5", {"a": "b"})
    assert found["max_memory"] == 300
    listed.write_text("# nothing\n")
    with pytest.raises(LedeError, match="has no archives"):
        options("--archives", str(listed), "--out", "b")
    with pytest.raises(LedeError, match="cannot be read"):
        options("--archives", str(tmp_path / "none"), "--out", "b")


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("stories=a.db", "use one of anchors, charset, index"),
        ("max-bytes", "use NAME=VALUE"),
        ("max-memory=1", "max-memory is set twice"),
    ],
)
def test_wrong_batch_options(pair: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        options("a", "--out", "b", "--max-memory=300", "--batch-option", pair)


def test_wrong_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    for args in (["extract", "a"], ["extract", "a", "--out", "b", "--split", "12XB"], []):
        with pytest.raises(SystemExit) as e:
            _cli.main(args)
        assert e.value.code == 2
    assert "is no size" in capsys.readouterr().err
    assert _cli.main(["package", "lede.tar"]) == 3
    assert capsys.readouterr().err == "lede: lede.tar: Spark takes packages that end in .zip\n"


def test_summary() -> None:
    failures = tuple(_extract.Failure(f"{n}.warc", n, "file", f"{n}.warc does not exist") for n in range(12))
    text = str(
        _extract.Summary("out", archives=20, tasks=20, pages=5, failed=1, errors={"source": 1}, failures=failures)
    )
    assert "task 0 failed: 0.warc does not exist" in text and "and 2 more; see out/_lede/failures" in text
    assert _extract.Summary("out").status == 0 and _extract.Summary("out", failed=1).status == 1
