"""What a sweep consists of: the cells of a grid, and one lab of them after the other, wherever it is simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

import pyarrow as pa

from mqlab.mq.errors import LabError, ProgramDied
from mqlab.pipeline.worker import settle
from mqlab.pipeline.workloads import Workload, measure
from mqlab.pipeline.workloads.measures import Measures

__all__ = ["Plan", "cells_of", "seeds_of", "simulator"]

Cells = list[dict]


class Plan(NamedTuple):
    """Every cell with every seed: lab number `seeds * cell + position of the seed`, cells and seeds counted from 0."""

    workload: Workload
    cells: Cells
    seeds: tuple[int, ...]
    measures: Measures

    @property
    def labs(self) -> int:
        """How many labs there are."""
        return len(self.cells) * len(self.seeds)

    @property
    def schema(self) -> pa.Schema:
        """The columns that a simulated lab comes back with."""
        figures = [(name, pa.float64()) for name in self.measures]
        return pa.schema([("lab", pa.int64()), *figures, ("error_type", pa.string()), ("error", pa.string())])

    def place(self, lab: int) -> tuple[dict, int]:
        """The cell and the seed of a lab."""
        cell, seed = divmod(lab, len(self.seeds))
        return self.cells[cell], self.seeds[seed]


def cells_of(workload: Workload, grid: Mapping) -> Cells:
    """Every combination of a grid's values, the last parameter's changing quickest; values are checked and converted.

    LabError for a parameter or value the workload has not, for one without values, and for a value given twice.
    """
    if not isinstance(grid, Mapping):
        raise LabError(f'a grid wanted: values by parameter, such as {{"expiry": [10, 20, 50]}}; got {grid!r}')
    axes = []
    for name, values in grid.items():
        axis = [values] if isinstance(values, str) or not isinstance(values, Iterable) else list(values)
        typed = [workload.values({name: value})[name] for value in axis]
        if not typed or len(set(typed)) < len(typed):
            raise LabError(f"values of {name} wanted: one or more, each once; got {axis!r}")
        axes.append(typed)
    return [dict(zip(grid, values, strict=True)) for values in product(*axes)]


def seeds_of(seeds: int | Iterable[int]) -> tuple[int, ...]:
    """The seeds: 0, 1, ... for how many, or those given. LabError for none, for other values and for one twice."""
    counted = isinstance(seeds, int) and not isinstance(seeds, bool)
    found = tuple(range(seeds)) if counted else tuple(seeds) if isinstance(seeds, Iterable) else ()
    if not found or any(type(seed) is not int for seed in found) or len(set(found)) < len(found):
        raise LabError(f"seeds wanted: how many, 1 or more, or whole numbers, each once; got {seeds!r}")
    return found


def simulator(plan: Plan, labs: tuple[int, ...] | None = None) -> Callable:
    """A function for mapInArrow, from batches of positions to batches of simulated labs: of `labs`, or of all.

    Positions go through all cells for the first seed, then for the second, so that partitions of consecutive positions
    cost about the same.
    """

    def simulate(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            positions = batch.column(0).to_pylist()
            numbers = [_lab_at(plan, at) if labs is None else labs[at] for at in positions]
            rows = [_one(plan, number) for number in numbers]
            yield pa.RecordBatch.from_pylist(rows, schema=plan.schema)
        settle()

    return simulate


def _lab_at(plan: Plan, position: int) -> int:
    seed, cell = divmod(position, len(plan.cells))
    return cell * len(plan.seeds) + seed


def _one(plan: Plan, number: int) -> dict:
    """One lab as a row: its measures, or what went wrong in it."""
    cell, seed = plan.place(number)
    try:
        with plan.workload.over(seed, **cell) as lab:
            return {"lab": number, **measure(lab, plan.measures)}
    except Exception as error:  # noqa: BLE001  whatever goes wrong in one lab is its result, and the others go on
        known = error.__cause__ if isinstance(error, ProgramDied) and error.__cause__ is not None else error
        return {"lab": number, "error_type": type(known).__name__, "error": str(error) or type(known).__name__}
