"""What if, at scale: every cell of a grid of parameters, each with many seeds, simulated by Spark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from mqlab.pipeline.cells import Plan, cells_of, seeds_of, simulator
from mqlab.pipeline.cores import cores, partitions_for
from mqlab.pipeline.progress import progress_bar
from mqlab.pipeline.statistics import check_confidence, estimate
from mqlab.pipeline.workloads import Workload, find
from mqlab.pipeline.workloads.measures import Measures, check

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Sweep", "SweepLost", "sweep"]

ERRORS = ("error_type", "error")


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
    progress: bool = True,
    partitions: int | None = None,
) -> Sweep:
    """Simulate every combination of the grid's values with every seed, in parallel on the executors.

    `workload` is a name of `mqlab.pipeline.workloads.names()` or a Workload; `grid` has the values to try by
    parameter, such as
    {"expiry": [10, 20], "servers": [1, 2]}; what is not in it keeps its default. `seeds` is how many (0, 1, ...) or
    which. `measures` are names of `mqlab.pipeline.workloads.MEASURES`, or functions of a lab by name.

    A lab depends on the workload, its parameters and its seed alone, so the rows are the same however many
    `partitions` (tasks) there are, and wherever they run. One that fails is a row with its error; the others go on. A
    task whose executor dies is for Spark to try again (`spark.task.maxFailures`, 1 on local[*]).

    Raises LabError before anything is simulated for parameters, values, seeds and measures that there are not, and
    SweepLost if Spark gives up or a lab is missing from what comes back: then there is no result at all.
    """
    found = find(workload)
    check_confidence(confidence)
    plan = Plan(found, cells_of(found, grid), seeds_of(seeds), check(measures))
    tasks = partitions_for(cores(spark), plan.labs, partitions)
    return Sweep(spark, plan, _simulated(spark, plan, None, tasks, progress), confidence, partitions)


def _simulated(spark: SparkSession, plan: Plan, labs: tuple[int, ...] | None, tasks: int, progress: bool) -> pa.Table:
    """These labs (None for all) as Spark brings them back, in order, each exactly once; SweepLost otherwise."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException
    from pyspark.sql.pandas.types import from_arrow_schema

    wanted = plan.labs if labs is None else len(labs)
    positions = spark.range(0, wanted, 1, tasks)
    try:
        with progress_bar(spark, wanted, "lab", progress):
            table = positions.mapInArrow(simulator(plan, labs), from_arrow_schema(plan.schema)).toArrow()
    except (PySparkException, Py4JJavaError) as error:
        raise SweepLost(
            f"Spark gave up after {wanted} labs were asked for, and none is kept: {_reason(error)}. Each executor "
            f"needs mqlab and memory for a lab at a time; a sweep of fewer cells finds the one that breaks its worker"
        ) from error
    table = table.sort_by("lab")
    came = table["lab"].to_pylist()
    if came != sorted(range(plan.labs) if labs is None else labs):
        raise SweepLost(f"{wanted} labs wanted, each once; {len(came)} came back, {len(set(came))} different ones")
    return table


def _reason(error: Exception) -> str:
    """The line of Spark's long message that says what happened."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    aborted = [line.partition("Job aborted ")[2] for line in lines if "Job aborted " in line]
    telling = aborted or [line for line in lines if "Error:" in line] or lines or [type(error).__name__]
    return telling[0].partition(". Consider ")[0]


class Sweep:
    """What a sweep came to. `table` has a row for each lab, by cell and seed, as a pyarrow.Table: the parameters of the
    grid, seed, the measures, and error_type and error, null for labs that did not fail."""

    def __init__(self, spark: SparkSession, plan: Plan, simulated: pa.Table, confidence: float, partitions: int | None):
        self._spark, self._plan, self._simulated, self._partitions = spark, plan, simulated, partitions
        self.workload, self.confidence = plan.workload, confidence
        self.parameters, self.measures = list(plan.cells[0]), list(plan.measures)

    @cached_property
    def table(self) -> pa.Table:
        places = [self._plan.place(lab) for lab in self._simulated["lab"].to_pylist()]
        columns = {name: [cell[name] for cell, _ in places] for name in self.parameters}
        rest = {name: self._simulated[name] for name in (*self.measures, *ERRORS)}
        return pa.table({**columns, "seed": [seed for _, seed in places], **rest})

    @property
    def rows(self) -> DataFrame:
        """The rows of `table` as a Spark DataFrame."""
        return self._spark.createDataFrame(self.table)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A row for each cell and measure: the parameters, measure, mean, half_width, n and failed.

        mean ± half_width is the confidence interval by Student's t over the `n` seeds that have a value; `failed` is
        how many failed. half_width is missing for one value, mean too for none.
        """
        import pandas as pd

        seeds, rows = len(self._plan.seeds), []
        columns = {name: self._simulated[name].to_pylist() for name in (*self.measures, "error_type")}
        for number, cell in enumerate(self._plan.cells):
            part = slice(number * seeds, (number + 1) * seeds)
            failed = sum(error is not None for error in columns["error_type"][part])
            for name in self.measures:
                values = [value for value in columns[name][part] if value is not None]
                rows.append({**cell, "measure": name, **estimate(values, self.confidence)._asdict(), "failed": failed})
        figures = {"mean": "float64", "half_width": "float64"}
        return pd.DataFrame(rows).astype(figures)

    @property
    def failed(self) -> pd.DataFrame:
        """The labs that failed: their parameters, seed, error_type and error."""
        wrong = self.table.filter(pc.is_valid(self.table["error_type"]))
        return wrong.select([*self.parameters, "seed", *ERRORS]).to_pandas()

    def rerun(self, workload: Workload | None = None, progress: bool = True) -> Sweep:
        """The same sweep with the labs that failed simulated again, by another Workload if one is given; the others'
        rows are kept."""
        plan = self._plan if workload is None else self._plan._replace(workload=workload)
        again = self._simulated.filter(pc.is_valid(self._simulated["error_type"]))
        labs = tuple(again["lab"].to_pylist())
        if not labs:
            return self
        kept = self._simulated.filter(pc.is_null(self._simulated["error_type"]))
        tasks = partitions_for(cores(self._spark), len(labs), self._partitions)
        simulated = pa.concat_tables([kept, _simulated(self._spark, plan, labs, tasks, progress)]).sort_by("lab")
        return Sweep(self._spark, plan, simulated, self.confidence, self._partitions)

    def chart(self, measure: str, x: str | None = None, colour: str | None = None) -> alt.TopLevelMixin:
        """Means of a measure with their confidence intervals: see `mqlab.pipeline.sweep_chart`."""
        from mqlab.pipeline.sweep_chart import sweep_chart

        return sweep_chart(self, measure, x, colour)

    def __repr__(self):
        failed = pc.sum(pc.is_valid(self._simulated["error_type"])).as_py()
        return (
            f"Sweep({self.workload.name}: {len(self._plan.cells)} cells x {len(self._plan.seeds)} seeds, "
            f"{failed} of {self._plan.labs} labs failed)"
        )
