"""Hadoop's file systems, which Spark brings along: HDFS, S3 and others.

The driver has a Java process. A worker has none that Python can talk to, so it starts a small
one with the jars of Spark when it first needs it. It lives as long as the Python worker, and
ends with it, also if the worker is killed: its standard input is closed then. It gets the
configuration of the driver, in which there may be keys, through its authenticated connection,
so that they are neither on a command line nor on a disk.
"""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ._files import for_spark

_HEAP = "256m"
_BUFFER = 1 << 17
_MISSING = ("java.io.FileNotFoundException", "java.nio.file.NoSuchFileException")
_NO_CLASS = ("UnsupportedFileSystemException", "ClassNotFoundException", "NoClassDefFoundError")


class HadoopFiles:
    """Files of any scheme that Spark knows."""

    def __init__(self, jvm: Any, conf: Any) -> None:
        self._jvm = jvm
        self._conf = conf

    def _open(self, path: str) -> tuple[Any, Any]:
        """Return the file system of a path, and the path, as Java has them."""
        where = self._jvm.org.apache.hadoop.fs.Path(path)
        return where.getFileSystem(self._conf), where

    def size(self, path: str) -> int:
        """Return the size of a file in bytes."""
        with _errors(path):
            files, where = self._open(path)
            return int(files.getFileStatus(where).getLen())

    def exists(self, path: str) -> bool:
        """Report whether a file or folder exists."""
        with _errors(path):
            files, where = self._open(path)
            return bool(files.exists(where))

    def names(self, folder: str) -> list[str]:
        """Return the sorted names in a folder; none if it is missing."""
        try:
            with _errors(folder):
                files, where = self._open(folder)
                paths = self._jvm.org.apache.hadoop.fs.FileUtil.stat2Paths(files.listStatus(where))
                # Array(a, b): one call for all of them. Names with a comma are none of ours.
                listed = str(self._jvm.scala.runtime.ScalaRunTime.stringOf(paths))[len("Array(") : -1]
        except FileNotFoundError:
            return []
        return sorted(p.rpartition("/")[2] for p in listed.split(", ")) if listed else []

    def read(self, path: str) -> bytes:
        """Return a small file."""
        with _errors(path):
            files, where = self._open(path)
            stream = files.open(where)
            try:
                return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
            finally:
                stream.close()

    def fetch(self, path: str, to: Path, start: int = 0, end: int | None = None) -> None:
        """Copy a range of a file to the same offsets of a local one, which may exist."""
        with _errors(path):
            files, where = self._open(path)
            stream = files.open(where)
            try:
                source = stream
                if start:
                    stream.seek(start)
                if end is not None:
                    source = self._jvm.org.apache.hadoop.util.LimitInputStream(stream, end - start)
                file = self._jvm.java.io.RandomAccessFile(str(to), "rw")
                try:
                    file.seek(start)
                    target = self._jvm.java.io.FileOutputStream(file.getFD())
                    self._jvm.org.apache.hadoop.io.IOUtils.copyBytes(source, target, _BUFFER, False)
                finally:
                    file.close()
            finally:
                stream.close()

    def put(self, file: Path, path: str) -> None:
        """Copy a local file to a path, whose folder is made if it is missing."""
        with _errors(path):
            files, where = self._open(path)
            local = self._jvm.org.apache.hadoop.fs.Path(for_spark(str(file)))
            files.mkdirs(where.getParent())
            files.copyFromLocalFile(False, True, local, where)

    def replace(self, source: str, target: str) -> None:
        """Rename a file; what was there is replaced."""
        with _errors(target):
            files, old = self._open(source)
            new = self._jvm.org.apache.hadoop.fs.Path(target)
            files.mkdirs(new.getParent())
            for last in (False, True):
                with contextlib.suppress(FileExistsError), _errors(target):
                    if files.rename(old, new):
                        return
                if last:
                    break
                if not files.exists(old):
                    raise FileNotFoundError(f"{source} has disappeared; run the job again")
                # Most file systems do not rename to a name that exists.
                files.delete(new, False)
            raise OSError(f"{source} cannot be renamed to {target}; run the job again")

    def delete(self, path: str) -> None:
        """Delete a file or folder, if it exists."""
        with _errors(path):
            files, where = self._open(path)
            files.delete(where, True)


@contextlib.contextmanager
def _errors(path: str) -> Iterator[None]:
    """Turn the exceptions of Java into those of Python."""
    from py4j.protocol import Py4JError, Py4JJavaError

    try:
        yield
    except Py4JJavaError as e:
        name = str(e.java_exception.getClass().getName())
        message = str(e.java_exception.getMessage() or name).strip().split("\n")[0]
        if name in _MISSING:
            raise FileNotFoundError(f"{path} does not exist") from e
        if name.endswith("FileAlreadyExistsException"):
            raise FileExistsError(f"{path} exists") from e
        if name.endswith(_NO_CLASS) or any(n in message for n in _NO_CLASS) or "No FileSystem for scheme" in message:
            raise OSError(
                f"{path}: Spark has no file system for it ({message}); add its jars, such as "
                "spark-submit --packages org.apache.hadoop:hadoop-aws:VERSION for s3a"
            ) from e
        raise OSError(f"{path}: {message}") from e
    except Py4JError as e:
        raise OSError(f"{path}: the Java process that reads it has failed: {e}") from e


def configuration(spark: Any) -> bytes:
    """Return the Hadoop configuration of a driver, with what was set by spark.hadoop."""
    context = spark.sparkContext
    stream = context._jvm.java.io.ByteArrayOutputStream()
    context._jsc.hadoopConfiguration().writeXml(stream)
    return bytes(stream.toByteArray())


def java_options(spark: Any) -> tuple[str, ...]:
    """Return the options of Java that Spark needs on its version."""
    try:
        options = spark.sparkContext._jvm.org.apache.spark.launcher.JavaModuleOptions
        return tuple(str(options.defaultModuleOptions()).split())
    except Exception:  # this class is no promise of Spark
        return ()


def classpath() -> list[str]:
    """Return the jars of Spark on this machine, and those of the job."""
    folders = []
    if home := os.environ.get("SPARK_HOME"):
        folders.append(os.path.join(home, "jars"))
    with contextlib.suppress(ImportError):
        import pyspark

        folders.append(os.path.join(os.path.dirname(pyspark.__file__), "jars"))
    # YARN has no SPARK_HOME on workers, but the class path of its container.
    paths = [p for p in os.environ.get("CLASSPATH", "").split(os.pathsep) if p]
    folders += [p.removesuffix("*").rstrip("/") for p in paths if p.endswith("__spark_libs__/*")]
    found = [os.path.join(f, "*") for f in folders if os.path.isdir(f)][:1]
    with contextlib.suppress(Exception):
        from pyspark import SparkFiles

        found += sorted(glob.glob(os.path.join(SparkFiles.getRootDirectory(), "*.jar")))
    if conf := os.environ.get("HADOOP_CONF_DIR"):
        found.insert(0, conf)
    return found + paths


class _Worker(NamedTuple):
    """The Java process of a Python worker."""

    owner: int  # the Python process, which may have been forked
    conf: bytes
    process: Any
    files: HadoopFiles


_worker: _Worker | None = None


def worker_files(conf: bytes, options: tuple[str, ...] = ()) -> HadoopFiles:
    """Return the files of a Python worker. Its Java process is started once, and again if it has ended."""
    global _worker  # noqa: PLW0603 - a process has one
    if _worker is None or _worker[:2] != (os.getpid(), conf) or _worker.process.poll() is not None:
        _worker = _start(conf, options)
    return _worker.files


def _start(conf: bytes, options: tuple[str, ...]) -> _Worker:
    from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway

    paths = classpath()
    jars = [jar for p in paths if p.endswith("*") for jar in glob.glob(f"{p[:-1]}py4j-*.jar")]
    if not jars:
        raise OSError("the jars of Spark were not found on this worker; set SPARK_HOME to the folder of Spark")
    try:
        port, token, process = launch_gateway(
            jarpath=jars[0],
            classpath=os.pathsep.join(paths),
            javaopts=[f"-Xmx{_HEAP}", "-XX:+UseSerialGC", *options],
            die_on_exit=True,
            enable_auth=True,
            java_path=None,
            return_proc=True,
        )
    except Exception as e:
        raise OSError(f"Java cannot be started on this worker, set JAVA_HOME: {e}") from e
    gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token))
    loaded = gateway.jvm.org.apache.hadoop.conf.Configuration()
    loaded.addResource(gateway.jvm.java.io.ByteArrayInputStream(bytearray(conf)))
    loaded.size()  # reads the stream, which can be read only once
    return _Worker(os.getpid(), conf, process, HadoopFiles(gateway.jvm, loaded))
