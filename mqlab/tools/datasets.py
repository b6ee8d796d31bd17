"""``mqlab datasets make``: make the sample data sets again, or one of them at another size."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mqlab.mq.errors import LabError
from mqlab.tools import command_line, stopped

if TYPE_CHECKING:
    from mqlab.pipeline.datasets import Recipe

SAMPLES, OWN = Path("datasets"), Path("build/datasets")
GROWING = "event-log"  # what --messages alone is for


def build_parser(recipes: Mapping[str, Recipe]) -> ArgumentParser:
    """Return the parser of what follows "make"."""
    listed = "\n".join(f"  {each.name:19}{each.about} ({each.messages:_} messages)" for each in recipes.values())
    make = command_line(
        "mqlab datasets make",
        f"Make sample data sets from their seeds.\n\ndata sets:\n{listed}",
        "Without options all of them are made as they come with mqlab. Bigger ones are made by Spark, as a\n"
        "folder of files with a progress bar. datasets/README.md is their data sheet.\n\nexamples:\n"
        "  mqlab datasets make\n  mqlab datasets make --dataset retail-day --seed 7\n"
        "  mqlab datasets make --messages 10_000_000 --out /tmp/big",
    )
    make.add_argument(
        "--dataset", metavar="NAME", help=f"which one (default: all; with --messages or --seed {GROWING})"
    )
    make.add_argument("--messages", type=int, metavar="N", help="about how many messages, such as 10_000_000")
    make.add_argument("--seed", type=int, metavar="S", help="the same seed and size give the same rows")
    make.add_argument(
        "--out", type=Path, metavar="DIR", help=f"folder to write to (default {SAMPLES}; for another size {OWN})"
    )
    make.add_argument("--master", help="make it on this Spark, such as local[2], whatever its size")
    return make


def main(argv: list[str] | None = None) -> int:
    """Run ``mqlab datasets make`` with what follows "make", and return the exit code."""
    from mqlab.pipeline import datasets
    from mqlab.pipeline.spark import SparkUnavailable

    wanted = build_parser(datasets.RECIPES).parse_args(argv)
    own = (wanted.messages, wanted.seed, wanted.master) != (None, None, None)
    name = wanted.dataset or (GROWING if own else None)
    try:
        for recipe in datasets.RECIPES.values() if name is None else [datasets.find(name)]:
            out = wanted.out or (OWN if own else SAMPLES)
            path = datasets.make(recipe, out, wanted.messages, wanted.seed, wanted.master)
            files = sorted(path.glob("part-*")) if path.is_dir() else [path]
            size = sum(file.stat().st_size for file in files) / 1e6
            print(f"{path}: {recipe.about}, {size:.2f} MB in {len(files)} file{'s' if len(files) > 1 else ''}")
    except (LabError, OSError, SparkUnavailable) as error:
        return stopped("datasets make", error, 2)
    return 0
