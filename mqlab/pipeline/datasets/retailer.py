"""The retailer's day as a data set: one piece, because all of the day hangs together."""

from __future__ import annotations

from mqlab.pipeline.datasets.recipe import Recipe
from mqlab.pipeline.traffic.make import LEAST, MESSAGES, MOST, SEED, generate, write

__all__ = ["RETAIL_DAY"]


def _one(messages: int) -> int:
    return 1


def _day(seed: int, messages: int, number: int):
    return generate(seed, messages)


RETAIL_DAY = Recipe(
    "retail-day",
    "a retailer's day, the calls that its programs make",
    "retail-day.parquet",
    MESSAGES,
    SEED,
    LEAST,
    MOST,
    _one,
    _day,
    write,
)
