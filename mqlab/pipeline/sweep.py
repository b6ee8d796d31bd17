"""Sweeps: Spark simulates every cell of a grid of parameters, each with many seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product
from math import prod, sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.words.arguments import require
from ..engine.words.errors import LabError
from ..formats.code import signature
from ..views.text import thousands
from .kept import Kept
from .simulator import apart, partitions_for, rows, simulated
from .spark import cause, cores, failures
from .workloads import Workload, find, measure
from .workloads.measures import Measures, check
from .workloads.workload import failure

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import SparkSession


class Estimate(NamedTuple):
    """The mean of `n` values, and half the width of its confidence interval; None where too few values have one."""

    mean: float | None
    half_width: float | None
    n: int


def estimate(values: Sequence[float], confidence: float = 0.95) -> Estimate:
    """The mean and its confidence interval by Student's t; LabError unless `confidence` is between 0 and 1."""
    check_confidence(confidence)
    n = len(values)
    if n < 2:
        return Estimate(fmean(values) if n else None, None, n)
    return Estimate(fmean(values), t_quantile((1 + confidence) / 2, n - 1) * stdev(values) / sqrt(n), n)


def check_confidence(confidence: float) -> None:
    """LabError unless it is a number between 0 and 1, both excluded."""
    wanted = "a number between 0 and 1, such as 0.95"
    require("confidence", confidence, float, wanted, lambda number: 0 < number < 1)


def t_quantile(probability: float, degrees: int) -> float:
    """The t with P(T <= t) = `probability`; LabError unless 0 < `probability` < 1 and `degrees` > 0."""
    if not 0 < probability < 1 or degrees < 1:
        raise LabError(
            f"probability must be between 0 and 1, and degrees 1 or more; got {probability!r} and {degrees!r}"
        )
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))


class Plan(NamedTuple):
    """Every cell with every seed: lab number `seeds * cell + position of the seed`, cells and seeds counted from 0."""

    workload: Workload
    cells: list[dict]
    seeds: tuple[int, ...]
    measures: Measures

    @property
    def labs(self) -> int:
        """How many labs there are."""
        return len(self.cells) * len(self.seeds)

    @property
    def schema(self) -> pa.Schema:
        """The columns that a simulated lab comes back with."""
        import pyarrow as pa

        figures = [(name, pa.float64()) for name in self.measures]
        return pa.schema([("lab", pa.int64()), *figures, ("error_type", pa.string()), ("error", pa.string())])

    @property
    def question(self) -> dict[str, Any]:
        """The facts on which the results of a sweep depend, by name."""
        seeds, measures = list(self.seeds), self.measures
        own = measures if isinstance(measures, Mapping) else {}
        return {
            "workload": self.workload.name,
            "grid": [[name, list(dict.fromkeys(cell[name] for cell in self.cells))] for name in self.cells[0]],
            "number of seeds": len(seeds),
            "choice of seeds": None if seeds == [*range(len(seeds))] else seeds,
            "list of measures": list(measures),
            "defaults of parameters": {name: each.default for name, each in self.workload.parameters.items()},
            "code of the workload": signature(self.workload.build),
            "code of the measures": [signature(function) for function in own.values()],
        }

    def lab(self, turn: int) -> int:
        """The number of the lab whose turn it is, from 0: all cells with one seed come first, so that all tasks cost
        about the same."""
        seed, cell = divmod(turn, len(self.cells))
        return cell * len(self.seeds) + seed

    def place(self, lab: int) -> tuple[dict, int]:
        """The cell and the seed of a lab."""
        cell, seed = divmod(lab, len(self.seeds))
        return self.cells[cell], self.seeds[seed]


CELLS, SEEDS = 100_000, 10**7
"""A sweep has no more of them."""


def cells_of(workload: Workload, grid: Mapping) -> list[dict]:
    """Every combination of a grid's values, checked; LabError for parameters and values that the workload has not."""
    if not isinstance(grid, Mapping):
        raise LabError(f'grid must map each parameter to its values, such as {{"expiry": [10, 20, 50]}}; got {grid!r}')
    axes = []
    for name, values in grid.items():
        one = isinstance(values, str) or not isinstance(values, Iterable)
        axis = [values] if one else list(islice(values, CELLS + 1))
        if len(axis) > CELLS:
            raise LabError(f"{name} must have at most {thousands(CELLS)} values; got more")
        typed = [workload.values({name: value})[name] for value in axis]
        if not typed or len(set(typed)) < len(typed):
            raise LabError(f"{name} must have one or more values, each once; got {axis!r:.200}")
        axes.append(typed)
    combinations = prod(map(len, axes))
    if combinations > CELLS:
        raise LabError(f"a grid must have at most {thousands(CELLS)} combinations; got {thousands(combinations)}")
    return [dict(zip(grid, values, strict=True)) for values in product(*axes)]


def seeds_of(seeds: int | Iterable[int]) -> tuple[int, ...]:
    """The seeds: 0, 1, ... for how many, or those given. LabError for none, for other values and for one twice."""
    if isinstance(seeds, int):
        chosen = () if isinstance(seeds, bool) or seeds > SEEDS else tuple(range(seeds))
    else:
        chosen = tuple(islice(seeds, SEEDS + 1)) if isinstance(seeds, Iterable) else ()
    fit = all(type(seed) is int and abs(seed) < 2**63 for seed in chosen)
    if not fit or not 0 < len(chosen) <= SEEDS or len(set(chosen)) < len(chosen):
        wanted = f"how many, 1 or more, or whole numbers below 2**63, each once, and at most {thousands(SEEDS)}"
        raise LabError(f"seeds must be {wanted}; got {seeds!r:.200}")
    return chosen


def _figures(plan: Plan, number: int) -> dict[str, Any]:
    """The measures of a lab by name, or its error."""
    cell, seed = plan.place(number)
    try:
        with plan.workload.over(seed, **cell) as lab:
            return measure(lab, plan.measures)
    except (Exception, SystemExit) as error:  # noqa: BLE001  whatever goes wrong in one lab is its result
        return dict(zip(ERRORS, failure(error), strict=True))


ERRORS = ("error_type", "error")
TAKEN = {"measure", *Estimate._fields, "failed", "line", "low", "high", "rank"}
"""Names that no parameter of a grid can have: those of columns of a summary or a chart."""
A_BATCH = 5, 60  # seconds that a batch of labs takes, at least and at most


class SweepLost(RuntimeError):
    """Spark gave up the job of a sweep, or did not bring back every lab of it; the text says which and why."""


def sweep(
    spark: SparkSession,
    workload: str | Workload,
    grid: Mapping[str, Iterable],
    *,
    seeds: int | Iterable[int] = 20,
    measures: Measures | None = None,
    confidence: float = 0.95,
    partitions: int | None = None,
    keep: str | Path | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Sweep:
    """Simulate every combination of the grid's values with every seed, in parallel on the executors.

    `workload` is a name of `mqlab.pipeline.workloads.names()` or a Workload; `grid` has the values to try by parameter,
    such as {"expiry": [10, 20]}; `seeds` is how many, or which; `measures` are names of
    `mqlab.pipeline.workloads.MEASURES`, or functions of a lab by name. The rows are the same for any number of
    `partitions` (tasks). A lab that fails is a row with its error. Raises LabError, before anything is simulated, for
    unknown or taken names, and for wrong values, and SweepLost if Spark gives up or a lab is missing from the results.

    With `keep`, a folder of the machine that this Python runs on (executors need no access), the labs come in batches
    and are written as they come. The same call goes on where another ended, also by Ctrl-C or a crash; a lab that
    kills its process, and the next one that tries, is a row of `failed`, of type ProcessDied. LabError if the folder
    is that of another sweep, or of another mqlab. `progress` is called after each batch: labs there, labs in all.
    """
    require("progress", progress, Callable | None)
    require("workload", workload, str | Workload)
    found = find(workload, "workload")
    check_confidence(confidence)
    plan = Plan(found, cells_of(found, grid), seeds_of(seeds), check(measures))
    own, parameters = {"lab", "seed", *ERRORS}, plan.cells[0].keys()
    if taken := (own | parameters).intersection(plan.measures) | (own | TAKEN) & parameters:
        raise LabError(
            f"parameters and measures must have names of their own; got {', '.join(sorted(taken))}, which a sweep "
            f"gives to columns itself. Choose other names"
        )
    partitions_for(1, plan.labs, partitions)
    folder = None if keep is None else Kept(keep, plan.question, plan.schema)
    if folder is None and progress is None:
        width = cores(spark) if partitions is None else 1  # a cluster counts by jobs
        tasks = partitions_for(width, plan.labs, partitions)
        return Sweep(spark, plan, _simulated(spark, plan, None, tasks), confidence, partitions)
    return Sweep(spark, plan, _in_batches(spark, plan, partitions, folder, progress), confidence, partitions)


def _in_batches(
    spark: SparkSession, plan: Plan, partitions: int | None, folder: Kept | None, progress: Callable | None
) -> pa.Table:
    """All labs, in order; those of a folder that are not there are simulated and written, batch by batch."""
    import pyarrow as pa

    table = plan.schema.empty_table() if folder is None else folder.read()
    there = set(table["lab"].to_pylist())
    left = [lab for lab in map(plan.lab, range(plan.labs)) if lab not in there]
    width = cores(spark) if left else 0  # may run a job
    size = 8 * width
    while left:
        batch, begin = left[:size], monotonic()
        tasks = partitions_for(width, len(batch), partitions)
        more = _tried(spark, plan, batch, tasks, folder)
        if folder is not None:
            folder.add(more)
        table, left = pa.concat_tables([table, more]), left[size:]
        if progress is not None:
            progress(plan.labs - len(left), plan.labs)
        took = monotonic() - begin  # of no influence on the rows
        size = 2 * size if took < A_BATCH[0] else max(width, size // 2) if took > A_BATCH[1] else size
    return table.sort_by("lab").combine_chunks()


def _tried(spark: SparkSession, plan: Plan, labs: Sequence[int], tasks: int, folder: Kept | None) -> pa.Table:
    """These labs; for a folder, tried again if Spark fails: a local Spark gives up with the first worker that dies."""
    for last in (False, True):
        try:
            return _simulated(spark, plan, labs, tasks, folder is not None)
        except SweepLost as lost:
            if folder is None:
                raise
            if last:
                raise SweepLost(f"{lost}. {folder.folder} has the labs before: the same call goes on there") from lost
    raise AssertionError


def _simulated(
    spark: SparkSession, plan: Plan, labs: Sequence[int] | None, tasks: int, alone: bool = False
) -> pa.Table:
    """These labs (None for all), in order, each exactly once, in children of tasks if `alone`; SweepLost otherwise."""
    wanted = plan.labs if labs is None else len(labs)

    def numbered(turn: int) -> int:
        return plan.lab(turn) if labs is None else labs[turn]

    def row(turn: int, figures: dict) -> pa.RecordBatch:
        import pyarrow as pa

        return pa.RecordBatch.from_pylist([{"lab": numbered(turn), **figures}], schema=plan.schema)

    def make(turn: int) -> Iterator[pa.RecordBatch]:
        yield row(turn, _figures(plan, numbered(turn)))

    def survived(numbers: Iterable[int], _: object) -> Iterator[pa.RecordBatch]:
        from ..lab import lab  # noqa: F401  once, and not in each child

        for turn, figures, end in apart(numbers, lambda turn: _figures(plan, numbered(turn))):
            died = f"the process that simulated the lab ended twice, at last with {end}"
            yield row(turn, dict(zip(ERRORS, ("ProcessDied", died), strict=True)) if figures is None else figures)

    try:
        table = simulated(spark, wanted, make, plan.schema, tasks, survived if alone else rows).toArrow()
    except failures(OSError, EOFError) as error:  # those of the socket that brings the rows
        part, why = "batch" if alone else "sweep", _reason(error)
        raise SweepLost(
            f"Spark failed in a {part} of {wanted} labs, and no result is kept: {why}. Each executor needs mqlab, "
            f"which mqlab.pipeline.ship(spark) sends, and memory for one lab at a time; with keep=FOLDER, a sweep "
            f"loses only the lab that breaks a worker"
        ) from error
    table = table.sort_by("lab")
    came = table["lab"].to_pylist()
    if came != sorted(range(plan.labs) if labs is None else labs):
        raise SweepLost(
            f"{wanted} labs were expected, each once; {len(came)} came back, {len(set(came))} different ones"
        )
    return table


def _reason(error: Exception) -> str:  # text: Spark's
    """The line of Spark's long message with the cause."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    aborted = [line.partition("Job aborted ")[2] for line in lines if "Job aborted " in line]
    telling = aborted or [line for line in lines if "Error:" in line] or [cause(error)]
    return telling[0].partition(". Consider ")[0].rstrip(".")


class Sweep:
    """The results of a sweep. `table` has a row for each lab, by cell and seed, as a pyarrow.Table: the parameters of
    the grid, seed, the measures, and error_type and error, null for labs that did not fail."""

    def __init__(self, spark: SparkSession, plan: Plan, simulated: pa.Table, confidence: float, partitions: int | None):
        self._spark, self._plan, self._simulated, self._partitions = spark, plan, simulated, partitions
        self.workload, self.confidence = plan.workload, confidence
        self.parameters, self.measures = list(plan.cells[0]), list(plan.measures)

    @cached_property
    def table(self) -> pa.Table:
        import pyarrow as pa

        places = [self._plan.place(lab) for lab in self._simulated["lab"].to_pylist()]
        columns = {name: [cell[name] for cell, _ in places] for name in self.parameters}
        rest = {name: self._simulated[name] for name in (*self.measures, *ERRORS)}
        return pa.table({**columns, "seed": [seed for _, seed in places], **rest})

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row for each cell and measure: the parameters, measure, mean, half_width (of the confidence interval by
        Student's t, missing for one value), n (seeds that have a value) and failed (seeds that have none)."""
        import pandas as pd

        seeds, rows = len(self._plan.seeds), []
        columns = {name: self._simulated[name].to_pylist() for name in (*self.measures, "error_type")}
        for number, cell in enumerate(self._plan.cells):
            part = slice(number * seeds, (number + 1) * seeds)
            failed = sum(error is not None for error in columns["error_type"][part])
            for name in self.measures:
                values = [value for value in columns[name][part] if value is not None]
                rows.append({**cell, "measure": name, **estimate(values, self.confidence)._asdict(), "failed": failed})
        return pd.DataFrame(rows).astype({"mean": "float64", "half_width": "float64"})

    @property
    def failed(self) -> pd.DataFrame:
        """The labs that failed: their parameters, seed, error_type and error."""
        wrong = self.table.filter(self.table["error_type"].is_valid())
        return wrong.select([*self.parameters, "seed", *ERRORS]).to_pandas()

    def rerun(self, workload: Workload | None = None) -> Sweep:
        """The same sweep with the labs that failed simulated again, by another Workload if one is given."""
        import pyarrow as pa

        plan = self._plan if workload is None else self._plan._replace(workload=workload)
        errors = self._simulated["error_type"]
        labs = tuple(self._simulated.filter(errors.is_valid())["lab"].to_pylist())
        if not labs:
            return self
        kept = self._simulated.filter(errors.is_null())
        tasks = partitions_for(cores(self._spark), len(labs), self._partitions)
        simulated = pa.concat_tables([kept, _simulated(self._spark, plan, labs, tasks)]).sort_by("lab")
        return Sweep(self._spark, plan, simulated, self.confidence, self._partitions)

    def chart(self, measure: str, x: str | None = None, colour: str | None = None) -> alt.TopLevelMixin:
        """Means of a measure with their confidence intervals: see `mqlab.pipeline.charts.sweeps`."""
        from .charts.sweeps import sweep_chart

        return sweep_chart(self, measure, x, colour)

    def __repr__(self):
        failed = len(self._simulated) - self._simulated["error_type"].null_count
        return (
            f"Sweep({self.workload.name}: {len(self._plan.cells)} cells x {len(self._plan.seeds)} seeds, "
            f"{failed} of {self._plan.labs} labs failed)"
        )
