"""The execution of a question in Spark: jobs, stages, scans, and shuffles, read from Spark's own event log."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import pyarrow as pa

from ..engine.words.arguments import checked_calls
from ..engine.words.errors import LabError
from ..views.text import escape, plural, thousands
from .spark import classic

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
    from pyspark.sql import DataFrame, SparkSession

SKEW, SKEW_SECONDS = 3, 1.0
"""A stage is skewed if its longest task runs so many times as long as its median task, and so many seconds."""

SHUFFLE, BROADCAST, CACHE = "shuffle", "broadcast", "cache"
"""The kinds of a link, by how rows reach a stage."""

_HIDDEN = re.compile(r"WholeStageCodegen|InputAdapter|.*QueryStage|AdaptiveSparkPlan|AQEShuffleRead|Project|.*ToRow")
"""Steps of a plan that carry rows without changing which rows there are."""
_NO_SOURCE = ("InMemoryTableScan", "LocalTableScan")


class Scan(NamedTuple):
    """One reading of a source by a stage: the name of the file or table, where it is, its rows, and its bytes on disk
    (None for a source that does not report them). A source that is not a file is known by its name alone. `stage` is
    None for a stage that read no row, and so counted nothing."""

    source: str
    place: str
    stage: int | None
    rows: int
    size: int | None


class Link(NamedTuple):
    """Rows that go from one stage to another: the `kind` is "shuffle", "broadcast", or "cache", and `size` the bytes
    that were written (0 for a cache)."""

    kind: str
    sender: int
    receiver: int
    rows: int
    size: int


class Stage(NamedTuple):
    """Tasks that run the same steps on parts of the rows, with Spark's numbers of the stage and of its job. `steps` are
    steps of Spark's plan; `longest`, `median`, and `cpu` are seconds: of one task, of one task, and of all."""

    number: int
    job: int
    tasks: int
    steps: tuple[str, ...]
    longest: float
    median: float
    cpu: float

    @property
    def skewed(self) -> bool:
        """Whether one task ran much longer than the others: see SKEW."""
        return self.longest >= max(SKEW_SECONDS, SKEW * self.median)


class _Step(NamedTuple):
    """A step of a plan with the steps that it reads; `metrics` are numbers of accumulators by name."""

    name: str
    about: str
    place: str
    metrics: dict[str, int]
    children: tuple[_Step, ...]

    @classmethod
    def of(cls, info: dict) -> _Step:
        metrics = {each["name"]: each["accumulatorId"] for each in info["metrics"]}
        place = info.get("metadata", {}).get("Location", "")
        children = tuple(map(cls.of, info["children"]))
        return cls(info["nodeName"].strip(), info["simpleString"], place, metrics, children)


@dataclass
class _Recorded:
    """The lines of an event log that count, while they are read."""

    plans: dict[int, list[_Step]] = field(default_factory=dict)  # of a query, the first, then each that replaced it
    queries: dict[int, str] = field(default_factory=dict)
    jobs: dict[int, int | None] = field(default_factory=dict)  # a job's query, if it has one
    job_of: dict[int, int] = field(default_factory=dict)  # by stage; the first job that lists it runs it
    parents: dict[int, list[int]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    tasks: dict[int, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    values: dict[int, dict[int | None, int]] = field(default_factory=lambda: defaultdict(dict))

    def read(self, lines: Iterable[str]) -> None:
        """Read the lines of an event log; ValueError for one that is none."""
        for line in lines:
            row = json.loads(line)
            known = getattr(self, f"_{row['Event'].rpartition('.')[2].removeprefix('SparkListener')}", None)
            if known is not None:
                known(row)

    def _SQLExecutionStart(self, row: dict) -> None:
        self.queries[row["executionId"]] = row["description"]
        self._SQLAdaptiveExecutionUpdate(row)

    def _SQLAdaptiveExecutionUpdate(self, row: dict) -> None:
        self.plans.setdefault(row["executionId"], []).append(_Step.of(row["sparkPlanInfo"]))

    def _JobStart(self, row: dict) -> None:
        query = (row.get("Properties") or {}).get("spark.sql.execution.id")
        self.jobs[row["Job ID"]] = None if query is None else int(query)
        for stage in row["Stage Infos"]:
            self.job_of.setdefault(stage["Stage ID"], row["Job ID"])

    def _TaskEnd(self, row: dict) -> None:
        if row["Task End Reason"]["Reason"] == "Success":
            metrics = row.get("Task Metrics") or {}
            seconds = (row["Task Info"]["Finish Time"] - row["Task Info"]["Launch Time"]) / 1e3
            self.tasks[row["Stage ID"]].append((seconds, metrics.get("Executor CPU Time", 0) / 1e9))
            for each in row["Task Info"].get("Accumulables", ()):
                if each.get("Metadata") == "sql":
                    counted = self.values[each["ID"]]
                    counted[row["Stage ID"]] = counted.get(row["Stage ID"], 0) + int(each["Update"])

    def _StageCompleted(self, row: dict) -> None:
        stage = row["Stage Info"]
        self.parents[stage["Stage ID"]] = stage["Parent IDs"]
        self.names[stage["Stage ID"]] = stage["Stage Name"]

    def _DriverAccumUpdates(self, row: dict) -> None:
        for number, value in row["accumUpdates"]:
            self.values[number][None] = value

    def only(self, query: int) -> _Recorded:
        """The record of one query."""
        jobs: dict[int, int | None] = {job: each for job, each in self.jobs.items() if each == query}
        parents = {stage: each for stage, each in self.parents.items() if self.job_of.get(stage) in jobs}
        plans, queries = {query: self.plans[query]}, {query: self.queries[query]}
        return _Recorded(plans, queries, jobs, self.job_of, parents, self.names, self.tasks, self.values)


class _Topology:
    """The steps of plans by the stages that ran them, and the links between those stages."""

    def __init__(self, recorded: _Recorded):
        self.recorded = recorded
        self.steps: dict[int, dict[tuple, str]] = defaultdict(dict)
        self.scans: dict[tuple, dict[int | None, Scan]] = {}  # by step and stage, and one without a stage
        self.links: dict[tuple, Link] = {}
        for plans in recorded.plans.values():
            for plan in plans:  # a plan that was replaced can have stages that ran
                self.last = plan is plans[-1]
                self._walk(plan, [])
        for stage, parents in recorded.parents.items():  # a job without a plan, such as one of RDDs
            if stage not in self.steps:
                self.steps[stage][()] = recorded.names[stage]
                for sender in filter(recorded.parents.__contains__, parents):
                    self.links[SHUFFLE, sender, stage] = Link(SHUFFLE, sender, stage, 0, 0)

    def _value(self, step: _Step, name: str, stage: int | None = None) -> int:
        """A metric of a step: what one stage counted, or all together; 0 if nothing was counted."""
        counted = self.recorded.values.get(step.metrics.get(name, -1), {})
        return sum(counted.values()) if stage is None else counted.get(stage, 0)

    def _stages(self, step: _Step, *names: str) -> list[int]:
        """The stages that counted one of these metrics of a step, or any of them."""
        metrics = [step.metrics[name] for name in names if name in step.metrics] if names else step.metrics.values()
        found = {stage for each in metrics for stage in self.recorded.values.get(each, ())}
        return sorted(stage for stage in found if stage is not None and stage in self.recorded.parents)

    def _walk(self, step: _Step, receivers: list[int]) -> list[int]:
        """File a step and the steps that it reads; return the stages that run it, to link them to `receivers`."""
        if "Exchange" in step.name:
            return self._exchanged(step, receivers)
        ran = self._stages(step)
        here = ran or receivers
        sent = [each for child in step.children for each in self._walk(child, here)]
        if step.name == "InMemoryTableScan":
            self._link(CACHE, sent[:1], here, step, "number of output rows", "")
        if not _HIDDEN.fullmatch(step.name.split(" (")[0]):
            self._file(step, ran or (here if self.last else []))
        return ran or sent or receivers

    def _exchanged(self, step: _Step, receivers: list[int]) -> list[int]:
        """File what sends rows to other stages, and link them."""
        shuffled = "Broadcast" not in step.name
        wrote = self._stages(step, "shuffle records written") if shuffled else []
        sent = wrote or [each for child in step.children for each in self._walk(child, [])]
        if wrote:
            for child in step.children:
                self._walk(child, wrote)
        read = self._stages(step, "records read") or receivers
        if shuffled:
            self._link(SHUFFLE, sent[-1:], read, step, "shuffle records written", "shuffle bytes written")
        else:
            self._link(BROADCAST, sent[:1], read, step, "number of output rows", "data size")
        return sent

    def _link(self, kind: str, senders: list[int], receivers: list[int], step: _Step, rows: str, size: str) -> None:
        for sender, receiver in product(senders, receivers):
            if sender != receiver:
                key = (kind, sender, receiver, *step.metrics.values())
                self.links[key] = Link(kind, sender, receiver, self._value(step, rows), self._value(step, size))

    def _file(self, step: _Step, stages: list[int]) -> None:
        """Note a step with the stages that run it, and a scan of each if the step reads a source."""
        key, scans = (step.name, *step.metrics.values()), "Scan" in step.name and step.name not in _NO_SOURCE
        source, place = _source(step) if scans else ("", "")
        size = self._value(step, "size of files read") if "size of files read" in step.metrics else None
        for stage in stages:
            self.steps[stage][key] = f"Scan {source}" if scans else step.name
        if scans and any(number in self.recorded.values for number in step.metrics.values()):
            self.scans.setdefault(key, {}).setdefault(None, Scan(source, place, None, 0, size))
            for stage in stages:
                rows = self._value(step, "number of output rows", stage)
                self.scans[key][stage] = Scan(source, place, stage, rows, size)


def _source(step: _Step) -> tuple[str, str]:
    """The name and the place of what a scan reads: a file or folder, or Spark's own name for it."""
    found = re.search(r"\[(.*)\]", step.place)
    if found:
        first, *others = found[1].split(",")
        name = unquote(first.rstrip("/").rpartition("/")[2])
        return name + (f" and {len(others)} more" if others else ""), step.place
    name = re.sub(r"^(Batch)?Scan (ExistingRDD ?)?", "", step.name) or step.name
    return name, name


@dataclass(frozen=True, eq=False, repr=False)
class Execution:
    """An execution in Spark: `answer` is the result of the question, None for an event log from a file; `queries` are
    the descriptions of its SQL queries by Spark's number."""

    answer: Any
    jobs: int
    stages: tuple[Stage, ...]
    scans: tuple[Scan, ...]
    links: tuple[Link, ...]
    queries: dict[int, str]

    @property
    def shuffles(self) -> int:
        """How many shuffles there were."""
        return len({each.sender for each in self.links if each.kind == SHUFFLE})

    @property
    def cpu(self) -> float:
        """The seconds of CPU that the tasks used; planning, and Python outside of the tasks, are not in it."""
        return sum(each.cpu for each in self.stages)

    @cached_property
    def read(self) -> dict[str, int]:
        """How many times each source was scanned, by name, the most often first; by place if names are alike."""
        places = dict(Counter(each.place for each in self.scans).most_common())
        named = {each.place: each.source for each in self.scans}
        alike = Counter(named.values())
        return {named[place] if alike[named[place]] == 1 else place: times for place, times in places.items()}

    @property
    def title(self) -> str:
        """The result in one line."""
        counts = f"{plural(len(self.scans), 'scan')}, {plural(self.jobs, 'job')}"
        name, times = next(iter(self.read.items()), ("", 0))
        return f"{counts}: {name} is read {times} times" if times > 1 else counts

    @property
    def findings(self) -> list[str]:
        """A sentence for each thing that costs: a source that is read again, and a skewed stage."""
        said = []
        for name, times in self.read.items():
            if times > 1:
                rows = thousands(sum(each.rows for each in self.scans if name in (each.source, each.place)))
                said.append(
                    f"Spark read {name} {times} times, {rows} rows in all: it runs the plan of a DataFrame again for "
                    f"each use, unless the DataFrame is cached."
                )
        for each in self.stages:
            if each.skewed:
                said.append(
                    f"In stage {each.number}, the longest task ran {each.longest:.1f} s and the median task "
                    f"{each.median:.1f} s: one part of the rows is much larger or slower than the others."
                )
        return said or ["Spark read no source twice, and no stage has a task that runs much longer than the others."]

    @property
    def table(self) -> pd.DataFrame:
        """A row for each stage: stage, job, tasks, steps, rows_scanned, shuffled_bytes, longest_s, median_s, cpu_s."""
        import pandas as pd

        sent = defaultdict(int, {link.sender: link.size for link in self.links if link.kind == SHUFFLE})
        rows = [
            {
                "stage": each.number,
                "job": each.job,
                "tasks": each.tasks,
                "steps": ", ".join(each.steps),
                "rows_scanned": sum(scan.rows for scan in self.scans if scan.stage == each.number),
                "shuffled_bytes": sent[each.number],
                "longest_s": each.longest,
                "median_s": each.median,
                "cpu_s": each.cpu,
            }
            for each in self.stages
        ]
        return pd.DataFrame(rows)

    def chart(self) -> alt.TopLevelMixin:
        """The stages as a topology: see `mqlab.pipeline.charts.topology`."""
        from .charts.topology import execution_chart

        return execution_chart(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        from ..views.charts.data_table import data_table
        from ..views.charts.renderer import themed_svg

        try:
            chart = self.chart()
        except LabError as refused:
            return {"text/plain": f"{self!r}\n{refused}"}
        _, table = data_table(chart.to_dict(), self.title)
        said = "".join(f"<p>{escape(each)}</p>" for each in self.findings)
        return {"text/plain": repr(self), "text/html": f"{said}{themed_svg(chart)}{table}"}

    def __repr__(self):
        counted = f"{plural(len(self.stages), 'stage')}, {plural(self.shuffles, 'shuffle')}, {self.cpu:.1f} s of CPU"
        return "\n".join([f"{self.title} ({counted})", *self.findings])


def _execution(recorded: _Recorded, answer: Any = None) -> Execution:
    """Return the execution that a record describes."""
    topology, stages = _Topology(recorded), []
    for number in sorted(recorded.parents):
        tasks = recorded.tasks[number] or [(0.0, 0.0)]
        steps = tuple(topology.steps[number].values()) or (recorded.names[number],)
        longest, middle = max(each for each, _ in tasks), median(each for each, _ in tasks)
        cpu = sum(each for _, each in tasks)
        stages.append(Stage(number, recorded.job_of[number], len(tasks), steps, longest, middle, cpu))
    scans = tuple(
        scan for by in topology.scans.values() for stage, scan in by.items() if (stage is None) == (len(by) == 1)
    )
    links = tuple(topology.links.values())
    return Execution(answer, len(recorded.jobs), tuple(stages), scans, links, recorded.queries)


def why(question: DataFrame | Callable[[], Any]) -> Execution:
    """Run a question and return what Spark did: a DataFrame, whose rows become the `answer` as a pandas frame, or a
    function without parameters, whose result is the answer (of a DataFrame, its rows).

    Spark's own event log is written during the run alone, into a temporary folder; what other threads ask of the
    session meanwhile is in it too. LabError without a classic session: Spark Connect's server may write its own, for
    `read_execution`.
    """
    from pyspark.sql import SparkSession

    spark = SparkSession.getActiveSession() if callable(question) else question.sparkSession
    if spark is None:
        raise LabError("why needs a Spark session, and there is none: mqlab.pipeline.session() starts one")
    classic(spark, "why")
    with tempfile.TemporaryDirectory(prefix="mqlab-") as folder:
        with _event_log(spark, folder):
            answer = question() if callable(question) else question
            answer = answer.toPandas() if hasattr(answer, "toPandas") else answer
        return _execution(_recorded(folder), answer)


@contextmanager
def _event_log(spark: SparkSession, folder: str) -> Iterator[None]:
    """Let Spark write its event log into a folder for the length of a block."""
    # `spark.eventLog.enabled` only counts when an application starts, and then all of its events are written; the
    # listener behind it can be added later
    context = spark.sparkContext
    jvm, scala = context._jvm, context._jsc.sc()
    conf = scala.conf().clone().set("spark.eventLog.rolling.enabled", "false").set("spark.eventLog.compress", "false")
    listener = jvm.org.apache.spark.scheduler.EventLoggingListener(
        context.applicationId, jvm.scala.Option.empty(), jvm.java.io.File(folder).toURI(), conf
    )
    listener.start()
    scala.addSparkListener(listener)
    try:
        yield
    finally:
        scala.listenerBus().waitUntilEmpty()
        scala.removeSparkListener(listener)
        listener.stop()


def read_execution(path: str | Path, query: int | None = None) -> Execution:
    """What Spark did by an event log of any application, as `spark.eventLog.enabled` writes it: a file, plain or .zstd,
    or the folder of a rolling log. `query` is Spark's number of one SQL query; None reads them all.

    LabError for a file that is no event log, or is compressed in another way, and for a query that it does not have.
    """
    recorded = _recorded(path)
    if query is None:
        return _execution(recorded)
    if query not in recorded.plans:
        numbers = ", ".join(map(str, sorted(recorded.plans))) or "none"
        raise LabError(f"query must be the number of a SQL query in {path}, which has {numbers:.80}; got {query}")
    return _execution(recorded.only(query))


def _recorded(path: str | Path) -> _Recorded:
    """The record of an event log: a file, or a folder of one or more."""
    top, recorded = Path(path), _Recorded()
    files = [each for each in top.rglob("*") if each.is_file() and not each.name.startswith((".", "appstatus"))]
    for file in sorted(files, key=_place) if top.is_dir() else [top]:
        try:
            recorded.read(_lines(file))
        except OSError as error:
            raise LabError(f"{file} cannot be read ({error})") from None
        except (ValueError, KeyError, TypeError) as error:
            raise LabError(
                f"an event log of Spark must be JSON lines, plain or compressed with zstd; {file} is not "
                f"({type(error).__name__}: {error}). Set spark.eventLog.compress=false, or its codec to zstd"
            ) from None
    if not recorded.jobs and not recorded.queries:
        raise LabError(
            f"an event log of Spark must have a job or a query; {path} has none. Give a file that Spark wrote"
        )
    return recorded


def _place(file: Path) -> tuple[str, int]:
    """The place of a file among those of a rolling log, events_1_..., events_2_..., events_10_..."""
    number = re.match(r"events_(\d+)_", file.name)
    return str(file.parent), int(number[1]) if number else 0


def _lines(file: Path) -> Iterator[str]:
    """The lines of a file; the last line of an application that still runs may be cut off, and is left out."""
    compressed = file.name.removesuffix(".inprogress").endswith((".zstd", ".zst"))
    with pa.input_stream(os.fspath(file), compression="zstd" if compressed else None) as stream:
        rest = b""
        while block := stream.read(1 << 20):
            *lines, rest = (rest + block).split(b"\n")
            yield from (line.decode() for line in lines if line)
    if rest and not rest.startswith(b"{"):
        raise ValueError("its last line is no JSON")


checked_calls(__name__, but=("why",))
