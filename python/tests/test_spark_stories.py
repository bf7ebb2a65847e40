"""Stories on Spark: the same lines as ``lede stories`` on one machine."""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
    pytest.skip("there is no Java", allow_module_level=True)

from lede_news import LedeError
from lede_news.spark import _copies, _steps, _stories, stories, story_lines
from lede_news.spark._files import driver_files
from lede_news.spark._work import Work, settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # which has the package
    folder = tmp_path_factory.mktemp("spark")
    session = (
        SparkSession.builder.master("local[2, 4]")  # a task is tried four times
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.sql.codegen.wholeStage", "false")  # which takes longer than it saves with few rows
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.local.dir", str(folder / "local"))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    with settings(session):
        yield session
    session.stop()


@pytest.fixture
def work(spark: SparkSession, tmp_path: Path) -> Work:
    return Work(spark, driver_files(spark), str(tmp_path / "work"), "test", {})


def test_shared_keys(spark: SparkSession) -> None:
    """Candidates are those that an index finds that gets one text after the other, and keeps the first 64 of a key."""
    rng = random.Random(7)
    keys = {
        n: [-n, *sorted({rng.randrange(rng.randint(1, 40)) for _ in range(rng.randint(0, 8))})] for n in range(1, 301)
    }
    lists: dict[int, list[int]] = {}
    want = {}
    for node, own in keys.items():
        count: Counter[int] = Counter()
        weight: Counter[int] = Counter()
        full = False
        for key in own[1:]:
            listed = lists.setdefault(key, [])
            full |= len(listed) >= 64
            for other in listed:
                count[other] += 1
                weight[other] += 64 // len(listed) if len(listed) < 64 else 0
            if len(listed) < 64:
                listed.append(node)
        if count:
            want[node] = (full, sorted([c, count[c], weight[c], 1000 + c] for c in count))
    assert any(full for full, _ in want.values()) and len(want) > 200
    nodes = spark.createDataFrame(
        [(n, 1000 + n, k) for n, k in keys.items()], "node bigint, shingles bigint, keys array<bigint>"
    )
    postings = _copies.postings(nodes.repartition(5))
    shared = _copies.shared_keys(postings, _copies.buckets(postings))
    got = {row.node: (row.full, sorted(row.candidates)) for row in shared.collect()}
    assert got == want


def test_frequent_keys_are_limited_before_the_shuffle(spark: SparkSession) -> None:
    nodes = spark.range(1, 100).selectExpr("id AS node", "10L AS shingles", "array(id, 5L) AS keys")
    plan = _copies.buckets(_copies.postings(nodes))._jdf.queryExecution().executedPlan().toString()
    assert "WindowGroupLimit" in plan[plan.rindex("Exchange") :], plan


def test_versions(spark: SparkSession) -> None:
    """Versions are the nodes of earlier articles with the same id, the first eight by number of the node."""
    rng = random.Random(3)
    nodes: list[int] = []
    articles = []
    for number in range(1, 201):
        node = rng.choice([number, number, number, *nodes[-30:]])
        if node == number:
            nodes.append(node)
        articles.append((f"id-{rng.randint(0, 11)}", number, node))
    want = {}
    for name, number, node in articles:
        earlier = sorted(other for n, i, other in articles if n == name and i < number)
        if earlier and node == number:
            want[node] = earlier[:8]
    table = spark.createDataFrame(articles, "id string, number bigint, node bigint").repartition(3)
    assert {row.node: row.versions for row in _copies.versions(table).collect()} == want


def test_originals(spark: SparkSession, work: Work) -> None:
    """The original is at the end of a chain of parents, however long it is."""
    rng = random.Random(5)
    parents = {n: n - 1 if n <= 100 else rng.randint(1, n - 1) for n in range(2, 300) if n <= 100 or rng.random() < 0.7}

    def root(node: int) -> int:
        return root(parents[node]) if node in parents else node

    table = spark.createDataFrame(list(parents.items()), "node bigint, parent bigint")
    got = {row.node: row.root for row in _copies.originals(work, table, "roots-").collect()}
    assert got == {node: root(node) for node in parents}


def test_best_parents(spark: SparkSession) -> None:
    """A parent shares most words; then it is most like the node; then it is the earliest."""
    near = [
        (9, [(3, 0.5, 0.1, 0.2, 40), (4, 0.4, 0.3, 0.4, 50), (5, 0.45, 0.5, 0.6, 50)]),
        (8, [(4, 0.5, 0.7, 0.8, 50), (2, 0.5, 0.9, 1.0, 50)]),
        (7, []),
    ]
    table = spark.createDataFrame(near, f"node bigint, near {_copies._NEAR}")
    got = sorted(tuple(row) for row in _copies.best_parents(table).collect())
    assert got == [(8, 2, 0.5, 0.9, 1.0, 50), (9, 5, 0.45, 0.5, 0.6, 50)]


def test_large_stories_are_cut_before_the_shuffle(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first articles of a story are all there, and few others."""
    monkeypatch.setattr(_stories, "_MAX_MEMBERS", 300)
    monkeypatch.setattr(_stories, "_BLOCK_BITS", 4)
    draw = random.Random(7)
    rows = [(draw.choice(["half", "half", "half", "large", f"small {n % 200}"]), n) for n in range(1, 5001)]
    members = spark.createDataFrame(draw.sample(rows, len(rows)), "story string, number bigint")
    sizes = members.groupBy("story").count()
    listed = _stories._listed(members, sizes)
    assert listed.columns == ["story", "number"]
    found = sorted(tuple(row) for row in listed.collect())
    numbers = {story: [n for s, n in sorted(rows) if s == story] for story in {s for s, _ in rows}}
    assert {len(n) > 300 for n in numbers.values()} == {True, False}
    for story, all_of_it in numbers.items():
        here = [n for s, n in found if s == story]
        assert here == all_of_it[: len(here)]
        assert min(300, len(all_of_it)) <= len(here) < 300 + 16, story


def test_join_of_many_copies(spark: SparkSession) -> None:
    copies = [(node, node % 2 and 1) for node in range(2, 2000)]
    names = [(0, "zero"), (1, "one"), (5, "five")]
    many = spark.createDataFrame(copies, "node bigint, root bigint")
    joined = _stories._join_spread(many, spark.createDataFrame(names, "root bigint, name string"), "root")
    found = sorted((r["node"], r["root"], r["name"]) for r in joined.collect())
    assert sorted(joined.columns) == ["name", "node", "root"]
    assert found == [(node, root, dict(names)[root]) for node, root in copies]


def wire(cli: Callable[..., bytes], articles: int, seed: int, *langs: str) -> list[dict[str, Any]]:
    """Return made-up articles and copies of them."""
    options = [f"--langs={','.join(langs)}"] if langs else []
    lines = cli("newsroom", "wire", f"--articles={articles}", f"--seed={seed}", *options)
    return [json.loads(line) for line in lines.splitlines()]


def hard(articles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return articles with what is hard: texts that are copied hundreds of times, versions, and no dates."""
    rng = random.Random(1)
    result = list(articles)
    copied = next(a for a in articles if len(a["text"]) > 1000)
    words = copied["text"].split()
    for i in range(150):
        day = f"2026-03-{1 + i % 28:02}T0{i % 10}:00:00Z"
        result.append(copied | {"id": f"same-{i}", "site": f"same-{i % 9}.example", "date": day, "first_seen": day})
        changed = " ".join(w if rng.random() > i / 1000 else rng.choice(words) for w in words)
        result.append(copied | {"id": f"like-{i}", "text": changed, "date": day if i % 5 else "", "first_seen": day})
    for a in rng.sample(articles, min(60, len(articles))):
        words = a["text"].split(" ")
        for version in range(rng.randint(1, 3)):
            words.insert(rng.randrange(len(words)), f"correction{version}")
            result.append(a | {"text": " ".join(words), "first_seen": f"2026-04-0{version + 1}T10:00:00Z"})
        result.append(a)  # is known
    for a in rng.sample(articles, min(60, len(articles))):
        result.append(
            a | {"id": "undated-" + a["id"], "date": "", "first_seen": "", "title": a["title"] + " \u2028<&>"}
        )
    result += [
        {"id": "failed", "error": "no article"},
        {"id": "index", "type": "index", "text": "x y"},
        {"id": "empty"},
    ]
    result += [{"id": f"short-{i}", "text": "Too short.", "title": "Short", "date": "2026-03-05"} for i in range(5)]
    rng.shuffle(result)
    return result


def write_lines(file: Path, articles: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(a) + "\n" for a in articles), encoding="utf-8")
    return file


@pytest.fixture
def expect(cli: Callable[..., bytes], tmp_path: Path) -> Callable[..., list[str]]:
    """Return what lede stories writes about articles."""

    def lines(articles: list[dict[str, Any]], *options: str) -> list[str]:
        file = write_lines(tmp_path / "expect.jsonl", articles)
        cli("stories", file, "--out", tmp_path / "want.jsonl", "--quiet", "--overwrite", *options)
        return (tmp_path / "want.jsonl").read_text(encoding="utf-8").split("\n")[:-1]

    return lines


@pytest.mark.parametrize(("seed", "langs"), [(1, ("en",)), (3, ()), (2, ("de", "ja"))])
def test_same_as_one_machine(
    spark: SparkSession,
    cli: Callable[..., bytes],
    expect: Callable[..., list[str]],
    tmp_path: Path,
    long: bool,
    seed: int,
    langs: tuple[str, ...],
) -> None:
    """The lines are those of lede stories, byte for byte."""
    if seed != 3 and not long:
        pytest.skip("one of several seeds; LEDE_LONG runs it")
    articles = hard(wire(cli, 2000 if long else 1000, seed, *langs))
    file = write_lines(tmp_path / "articles.jsonl", articles)
    want = expect(articles)
    found = stories(spark, tmp_path / "out", str(file))
    got = list(story_lines(spark, tmp_path / "out"))
    assert found.stories == len(want) and len(got) == len(want)
    for g, w in zip(got, want, strict=True):
        assert g == w
    assert os.listdir(tmp_path / "out" / "_lede") == ["stories"]


# The program is killed in the middle of the first run of each step.
KILLED = """#!/bin/sh
if mkdir "{folder}/$2" 2>/dev/null; then
    head -n 2 | "{program}" "$@" | head -n 1
    kill -9 $$
fi
exec "{program}" "$@"
"""


def test_failures(
    spark: SparkSession,
    cli: Callable[..., bytes],
    expect: Callable[..., list[str]],
    program: str,
    script: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    long: bool,
) -> None:
    """A process of lede that is killed, and a driver that ends before a table has its mark, change nothing."""
    if not long:
        pytest.skip("runs each stage twice; LEDE_LONG runs it")
    articles = wire(cli, 80, 5, "en")
    monkeypatch.setenv("LEDE_COMMAND", program)  # of the driver
    want = expect(articles)
    killed = tmp_path / "killed"
    killed.mkdir()
    script.write_text(KILLED.format(folder=killed, program=program))
    names = ("id", "url", "site", "title", "text", "lang", "date", "first_seen", "type")
    rows = [tuple(a.get(n, "") for n in names) for a in articles]
    spark.createDataFrame(rows, list(names)).repartition(3).write.parquet(str(tmp_path / "articles"))
    written: list[str] = []
    write_table = Work.write_table

    def ends(self: Work, make: Any, path: str, what: str) -> None:
        write_table(self, make, path, what)
        written.append(what)
        if written.count(what) == 1:
            raise OSError("the driver ends here")

    monkeypatch.setattr(Work, "write_table", ends)
    out = tmp_path / "out"
    for _ in range(60):
        try:
            found = stories(spark, out, str(tmp_path / "articles"))
            break
        except OSError:
            continue
    assert list(story_lines(spark, out)) == want
    assert set(os.listdir(killed)) == {"texts", "candidates", "copies", "terms", "cluster", "stories"}
    assert max(map(written.count, written)) == 2, "what was complete was written again"
    written.clear()
    assert stories(spark, out, str(tmp_path / "articles")) == found and not written
    assert found.articles == 80 and found.stories == len(want)


def test_few_articles(spark: SparkSession, expect: Callable[..., list[str]], tmp_path: Path) -> None:
    """No article, one, and lines that cannot be read."""
    one = {"id": "a", "text": "A ferry was seen at the quay.", "title": "Ferry", "date": "2026-03-05"}
    (tmp_path / "none").mkdir()
    assert stories(spark, tmp_path / "out", str(tmp_path / "none")) == (0, 0, 0, "")
    assert list(story_lines(spark, tmp_path / "out")) == []
    file = write_lines(tmp_path / "one.jsonl", [one, {"id": "b", "error": "no article"}])
    with file.open("a") as f:
        f.write('\n{"id": "c", "text": \n')
    found = stories(spark, tmp_path / "out", [str(file), str(tmp_path / "none")], window="3d")
    assert found[:3] == (1, 1, 1) and "1 lines cannot be read" in str(found)
    assert list(story_lines(spark, tmp_path / "out")) == expect([one])


def test_wrong_articles(spark: SparkSession, tmp_path: Path) -> None:
    """Mistakes are described before anything runs."""
    (tmp_path / "a.csv").write_text("id,text\n")
    (tmp_path / "a.jsonl").write_text("{}\n")
    for articles, window, why in [
        (str(tmp_path / "missing"), None, "missing"),
        (str(tmp_path / "a.csv"), None, "no files that end in .parquet or .jsonl"),
        ([], None, "no articles"),
        (str(tmp_path / "a.jsonl"), "often", "window"),
    ]:
        with pytest.raises(LedeError, match=why):
            stories(spark, tmp_path / "out", articles, window=window)
    with pytest.raises(LedeError, match=r"plan\.json"):
        stories(spark, tmp_path / "out")


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spark: SparkSession) -> Path:
    """A shell script that stands in for lede, here and in the workers of Spark."""
    if os.name == "nt":
        pytest.skip("a script cannot stand in for a program on Windows")
    file = tmp_path / "lede"
    file.touch(0o755)
    monkeypatch.setenv("LEDE_COMMAND", str(file))
    monkeypatch.setitem(spark.sparkContext.environment, "LEDE_COMMAND", str(file))
    return file


# Stands in for lede step copies: texts are sets of letters.
COMPARE = """
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    assert row["roots"]
    near = []
    for c in row["of"]:
        a, b = set(row["text"]), set(c["text"])
        shared = len(a & b)
        if 2 * shared >= min(len(a), len(b)):
            near.append({"node": c["node"], "likeness": shared / len(a | b), "in_a": 1, "in_b": 1, "shared": shared})
    print(json.dumps({"node": row["node"], "near": near, "all": True}))
"""


def test_parents_depend_on_originals(spark: SparkSession, work: Work, script: Path) -> None:
    """Originals of copies are compared until nothing changes: the result is that of one text after the other."""
    script.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{COMPARE}'\n")
    rng = random.Random(11)
    texts = {n: "".join(sorted(rng.sample("abcdefghijkl", rng.randint(3, 6)))) for n in range(1, 200)}

    def compare(a: int, b: int) -> tuple[int, float, float, float, int] | None:
        x, y = set(texts[a]), set(texts[b])
        shared = len(x & y)
        return (b, shared / len(x | y), 1.0, 1.0, shared) if 2 * shared >= min(len(x), len(y)) else None

    copies = []
    parents: dict[int, int] = {}
    changed = 0
    for node in texts:
        others = rng.sample(range(1, node), min(node - 1, rng.randint(0, 4)))
        near = [o for c in others if (o := compare(node, c))]
        complete = rng.random() < 0.3
        copies.append((node, near, complete))
        found = {o[0]: o for o in near}
        for o in near if not complete else []:
            root = o[0]
            while root in parents:
                root = parents[root]
            if root not in found and (more := compare(node, root)):
                found[root] = more
        if found:
            best = max(found.values(), key=lambda o: (o[4], o[1], -o[0]))
            parents[node] = best[0]
            changed += best not in near
    assert changed > 5
    nodes = spark.createDataFrame(
        [(n, text, [n, 1, 2]) for n, text in texts.items()], "node bigint, text string, keys array<bigint>"
    )
    table = spark.createDataFrame(copies, f"node bigint, near {_copies._NEAR}, `all` boolean")
    got, roots = _copies.parents(work, nodes, table)
    assert {row.node: row.parent for row in got.collect()} == parents
    assert all(row.root not in parents for row in roots.collect()) and roots.count() == len(parents)
    assert Path(work.path("parents-2")).exists()  # more than one round was needed


def test_step_streams(script: Path) -> None:
    """Lines go in while others come out, whatever their length; memory is bounded by the pipes."""
    script.write_text("#!/bin/sh\nexec cat\n")
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        for n in range(5000):
            taken = n
            yield str(n) + "é" * (n % 7 * 300)
        yield "x" * 3_000_000

    got: list[str] = []
    for line in _steps.through(["step", "x"], lines()):
        if not got:
            assert taken < 4999
        got.append(line)
    assert got == list(lines())


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (
            "echo 'lede: step x: line 1: no JSON' >&2; exit 3",
            r"step x failed \(exit status 3\): step x: line 1: no JSON",
        ),
        ("cat >/dev/null; kill -9 $$", "signal SIGKILL"),
        ("exec head -n 1", "exit status 0"),
        ("cat; printf half", "exit status 0"),
    ],
)
def test_step_fails(script: Path, program: str, why: str) -> None:
    """A process that fails, is killed, or does not read and write all lines is an error."""
    script.write_text(f"#!/bin/sh\n{program}\n")
    with pytest.raises(_steps.StepError, match=why):
        list(_steps.through(["step", "x"], ("line" for _ in range(1_000_000))))


def test_step_ends_with_its_reader(script: Path, tmp_path: Path) -> None:
    script.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec cat\n")
    lines = _steps.through(["step", "x"], ("line" for _ in range(1_000_000)))
    assert next(lines) == "line"
    lines.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
