"""The sample data sets by name."""

from __future__ import annotations

from mqlab.mq.errors import LabError
from mqlab.pipeline.datasets.recipe import Recipe
from mqlab.pipeline.datasets.retailer import RETAIL_DAY
from mqlab.pipeline.datasets.sites import EVENT_LOG
from mqlab.pipeline.datasets.twosites import INSTRUMENTATION

__all__ = ["RECIPES", "find"]

RECIPES = {each.name: each for each in (RETAIL_DAY, EVENT_LOG, INSTRUMENTATION)}


def find(name: str) -> Recipe:
    """A data set by name; LabError with those there are for another."""
    if name not in RECIPES:
        raise LabError(f"dataset wanted: one of {', '.join(RECIPES)}; got {name!r}")
    return RECIPES[name]
