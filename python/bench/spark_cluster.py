"""Measure lede on a Spark standalone cluster of this machine.

    make cluster-bench

What is measured:

scaling   the time of the extraction stage with two workers of one core each against one.
          The executors run before it begins. The median of the rounds, which alternate.
          What the machine itself allows, of which two cores may share one, is measured by
          two processes of lede batch, one after the other and at the same time.
overhead  the time of the extraction stage on one worker against ``lede batch --workers 1``
          over the same archives, from its start to its end.
memory    the largest memory of a task's processes for an archive of the worst pages (20 MB
          of tags, attributes, deep nesting, tables and text), with --max-memory: lede, the
          Python worker, the executor's JVM, and all of them at one moment. Memory that
          processes share is divided among them (PSS).
sizes     what a page takes, for docs/cluster.md: processor time of a core and bytes of extraction,
          of observation, and of all stages of Spark for 20,400 pages with --sites --stories.

Archives have pages of the corpora, or made-up ones if there are none, and are written once.
The machine must be idle. A virtual machine may not have its cores to itself: each round says how
much of their time others had.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python/tests"))

from cluster import archives, victims  # noqa: E402
from cluster.standalone import Cluster, Program  # noqa: E402

from lede_news._start import command  # noqa: E402

SCRIPT = ROOT / "python/lede_spark.py"
FLOORS = {"scaling": 1.8, "overhead": 1.3}


def main() -> None:
    """Run the measurements."""
    args = arguments()
    only = args.only.split(",")
    failed = False
    with tempfile.TemporaryDirectory(prefix="lede-bench-") as folder:
        bench = Bench(args, Path(folder))
        if "scaling" in only or "overhead" in only:
            failed |= bench.speed(args.rounds, only)
        if "memory" in only:
            bench.memory(args.max_memory)
        if "sizes" in only:
            bench.sizes()
    if args.floors and failed:
        sys.exit(1)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure lede on a Spark cluster of this machine.")
    parser.add_argument("--corpora", type=Path, default=ROOT.parent / "shared/corpora", help="folder of corpora")
    parser.add_argument("--archives", type=int, default=4, help="number of archives (default: 4)")
    parser.add_argument("--megabytes", type=float, default=100, help="size of an archive (default: 100)")
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds (default: 3)")
    parser.add_argument("--max-memory", type=int, default=512, help="of a task in MB (default: 512)")
    parser.add_argument("--worst", type=float, default=20, help="size of the worst pages in MB (default: 20)")
    parser.add_argument("--only", default="scaling,overhead,memory", help="what is measured (default: all but sizes)")
    parser.add_argument("--floors", action="store_true", help="fail below 1.8 for scaling or above 1.3 for overhead")
    return parser.parse_args()


class Bench:
    """A program, archives, and a folder for what is written."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self.args, self.folder, self.program = args, folder, command()
        self.runs = itertools.count()
        python = folder / "python"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", python], check=True)
        self.python = str(python / "bin/python")

    def cluster(self, workers: int) -> Cluster:
        """Start a cluster."""
        return Cluster(self.folder / f"cluster-{next(self.runs)}", self.python, workers)

    def submit(self, cluster: Cluster, listed: Path, *flags: str) -> Program:
        """Start a job that extracts the archives of a list."""
        out = self.folder / f"out-{next(self.runs)}"
        ready = {
            "spark.cores.max": str(cluster.number),  # without it, Spark waits for none
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "60s",
        }
        environment = {"PYTHONPATH": str(ROOT / "python"), "LEDE_COMMAND": self.program}
        args: list[str | Path] = [SCRIPT, "extract", "--archives", listed, "--out", out, *flags]
        return cluster.submit(*args, conf=ready, environment=environment)

    def speed(self, rounds: int, only: list[str]) -> bool:
        """Measure scaling and overhead, print them, and report whether one is not good enough."""
        paths = list(self.inputs())
        listed = self.folder / "archives.txt"
        listed.write_text("".join(f"{path}\n" for path in paths))
        size = sum(path.stat().st_size for path in paths) / 1e6
        print(f"{len(paths)} archives, {size:.0f} MB")
        times: dict[str, list[float]] = {"batch": [], "one": [], "two": [], "in turn": [], "at once": []}
        for number in range(1, rounds + 1):
            before = clock()
            if "overhead" in only:
                times["batch"].append(self.batch([paths]))
            times["one"].append(self.stage(listed, 1))
            if "scaling" in only:
                times["two"].append(self.stage(listed, 2))
                times["in turn"].append(self.batch([paths[:2]], cores="1"))
                times["at once"].append(self.batch([paths[:1], paths[1:2]], cores="1"))
            stolen, total = (now - then for now, then in zip(clock(), before, strict=True))
            print(f"round {number}: " + ", ".join(f"{name} {each[-1]:.1f} s" for name, each in times.items() if each))
            print(f"         {stolen / total:.1%} of the time of the cores was stolen", flush=True)
        failed = False
        if "scaling" in only:
            scaling = median(times["one"]) / median(times["two"])
            allowed = median(times["in turn"]) / median(times["at once"])
            print(f"scaling   two workers are {scaling:.2f} times as fast as one; the machine allows {allowed:.2f}")
            failed |= scaling < FLOORS["scaling"]
        if "overhead" in only:
            overhead = median(times["one"]) / median(times["batch"])
            print(f"overhead  one worker takes {overhead:.2f} times as long as lede batch")
            failed |= overhead > FLOORS["overhead"]
        return failed

    def batch(self, groups: list[list[Path]], cores: str = "") -> float:
        """Return the time of lede batch with one worker, for each group of archives at the same time."""
        began = time.monotonic()
        environment = {**os.environ, "GOMAXPROCS": cores}
        flags = ("--workers", "1", "--quiet", "--overwrite")
        running = []
        for number, paths in enumerate(groups):
            out = self.folder / f"batch-{number}.parquet"
            args = [self.program, "batch", *map(str, paths), *flags, "--out", str(out)]
            running.append(subprocess.Popen(args, env=environment))
        for process in running:
            if (status := process.wait()) not in (0, 1):
                sys.exit(f"lede batch: exit status {status}")
        return time.monotonic() - began

    def sizes(self) -> None:
        """Measure what a page takes."""
        path = next(self.inputs())
        for name, ending, flags in (("extract", ".parquet", ()), ("observe", ".jsonl.gz", ("--observe",))):
            out, counts = self.folder / f"sizes{ending}", self.folder / "sizes.json"
            args = [self.program, "batch", str(path), "--workers", "1", "--quiet", "--overwrite", *flags]
            process = subprocess.Popen(
                [*args, f"--out={out}", f"--summary={counts}"], env={**os.environ, "GOMAXPROCS": "1"}
            )
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            pages = json.loads(counts.read_text())["pages"]
            time_of_page = 1000 * (used.ru_utime + used.ru_stime) / pages
            read, written = (file.stat().st_size / pages for file in (path, out))
            print(f"{name}   {pages} pages, each {time_of_page:.2f} ms, {read:.0f} bytes read, {written:.0f} written")
            print(f"          {used.ru_maxrss / 1000:.0f} MB of memory", flush=True)
        many = archives.archives(ROOT / "bin/cluster-data", archives.LONG, self.program, self.args.corpora)
        with self.cluster(2) as cluster:
            program = self.submit(cluster, many.list, "--sites", "--stories")
            if (status := program.wait(3600)) not in (0, 1):
                sys.exit(f"exit status {status}: {program.printed()[-3000:]}")
            found = program.stages()
        for name, ours in (("stories", True), ("others", False)):
            stages = [stage for title, stage in found.items() if title.startswith("lede stories:") == ours]
            busy = sum(stage.busy for stage in stages)
            moved = sum(size for stage in stages for reads in stage.reads.values() for size, _ in reads)
            pages = many.sizes.pages
            print(
                f"{name}   {pages} pages, each {1000 * busy / pages:.2f} ms of tasks, {moved / pages:.0f} bytes moved"
            )

    def stage(self, listed: Path, workers: int) -> float:
        """Return the time of the extraction stage."""
        with self.cluster(workers) as cluster:
            program = self.submit(cluster, listed)
            if (status := program.wait(3600)) not in (0, 1):
                sys.exit(f"exit status {status}: {program.printed()[-3000:]}")
            return program.stages()["lede: extract"].seconds

    def inputs(self) -> Iterator[Path]:
        """Return archives of real or made-up pages, and write those that are missing."""
        size = int(self.args.megabytes * 1e6)
        real = sorted(self.args.corpora.glob("*/gold.jsonl"))
        folder = ROOT / "bin/cluster-data" / f"bench-{size}-{'real' if real else 'made-up'}"
        records: Iterator[archives.Record] | None = None
        for number in range(self.args.archives):
            path = folder / f"bench-{number:02}.warc.gz"
            if not path.exists():
                records = records or self.records(real, number)
                partial = folder / f"partial-{number:02}.warc.gz"
                archives.write_until(partial, records, size)
                partial.rename(path)
            yield path

    def records(self, real: list[Path], seed: int) -> Iterator[archives.Record]:
        """Return pages without end: those of the corpora again and again, or made-up ones."""
        for turn in itertools.count(seed):
            pages = archives.corpus(real, 10_000) if real else archives.newsroom(self.program, 10_000)
            for at, record in enumerate(pages):
                record.id = f"urn:made-up:{turn}-{at}"
                yield record

    def memory(self, limit: int) -> None:
        """Measure the memory of a task over the worst pages."""
        path = self.folder / "worst.warc.gz"
        archives.write(path, worst(int(self.args.worst * 1e6)))
        listed = self.folder / "worst.txt"
        listed.write_text(f"{path}\n")
        with self.cluster(1) as cluster:
            program = self.submit(cluster, listed, "--max-memory", str(limit))
            with Watch(program) as watch:
                status = program.wait(3600)
            print(f"memory    the worst archive with --max-memory {limit}: exit status {status}")
            for name, peak in watch.peaks.items():
                print(f"          {name:14} {peak / 1e6:6.0f} MB")
            print("".join(f"          {line}\n" for line in program.printed().splitlines() if "lede:" in line))


def worst(size: int) -> Iterator[archives.Record]:
    """Pages of the largest size that lede reads, each bad in its own way."""
    words = b"the bridge over the river is closed until the autumn comes "
    pages = {
        "tags": b"<b>" * (size // 3),
        "closed": b"<i>a</i>" * (size // 8),
        "deep": b"<div>" * (size // 5),
        "attributes": b"<p a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8>x" * (size // 37),
        "table": b"<table>" + b"<tr><td>1<td>2" * (size // 14),
        "lists": b"<ul><li>" * (size // 8),
        "links": b"<a href=/news/2026/03/01/x>x</a> " * (size // 33),
        "text": b"<p>" + words * (size // len(words)),
        "paragraphs": (b"<p>" + words * 3) * (size // (3 * len(words) + 3)),
        "entities": b"&amp;&lt;&eacute;" * (size // 17),
        "comment": b"<!--" + b"-" * size,
        "script": b"<script>" + b"x" * size,
    }
    for name, page in pages.items():
        yield archives.Record(f"https://worst.example/{name}", b"<title>Worst</title><h1>Worst</h1>" + page)


class Watch:
    """Samples the memory of the processes of tasks."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.peaks = dict.fromkeys(("lede", "Python worker", "executor", "together"), 0)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while self.program.running():
            now = dict.fromkeys(self.peaks, 0)
            for pid in self.program.cluster.pids():
                args = victims.command_of(pid)
                if victims.is_lede(args):
                    kind = "lede"
                elif victims.is_python_worker(args):
                    kind = "Python worker"
                elif victims.is_executor(args):
                    kind = "executor"
                else:
                    continue
                size = proportional(pid)
                now[kind] += size
                now["together"] += size
            for kind, size in now.items():
                self.peaks[kind] = max(self.peaks[kind], size)
            time.sleep(0.05)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()


def clock() -> tuple[int, int]:
    """Return the time that other machines had of the cores, and all time, in ticks."""
    ticks = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return ticks[7], sum(ticks)


def proportional(pid: int) -> int:
    """Return the memory of a process, with its part of what it shares, in bytes."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


if __name__ == "__main__":
    if not shutil.which("setpriv") or not os.path.isdir("/proc"):
        sys.exit("the benchmark needs Linux")
    main()
