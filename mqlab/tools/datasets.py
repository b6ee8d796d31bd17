"""``mqlab datasets make``: make the sample data sets again, or one of them at another size."""

import sys
from pathlib import Path

from mqlab.mq.errors import LabError
from mqlab.tools import command_line, stopped

SAMPLES, OWN = Path("datasets"), Path("build/datasets")
GROWING = "event-log"  # what --messages alone is for


def main(argv: list[str]) -> int:
    """Run ``mqlab datasets make``, its first word "make", and return the exit code."""
    if argv[:1] != ["make"]:
        asked = argv[:1] in (["-h"], ["--help"])
        usage = "usage: mqlab datasets make [options]   (mqlab datasets make --help lists them)"
        print(usage, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    from mqlab.pipeline import datasets
    from mqlab.pipeline.spark import SparkUnavailable

    recipes = datasets.RECIPES.values()
    listed = "\n".join(f"  {each.name:19}{each.about} ({each.messages:_} messages)" for each in recipes)
    make = command_line(
        "mqlab datasets make",
        f"Make sample data sets from their seeds.\n\ndata sets:\n{listed}",
        "Without options all of them are made as they come with mqlab. Bigger ones are made by Spark, as a\n"
        "folder of files with a progress bar. datasets/README.md is their data sheet.\n\nexamples:\n"
        "  mqlab datasets make\n  mqlab datasets make --dataset retail-day --seed 7\n"
        "  mqlab datasets make --messages 10_000_000 --out /tmp/big",
    )
    which = f"which one (default: all; with --messages or --seed {GROWING})"
    make.add_argument("--dataset", metavar="NAME", help=which)
    make.add_argument("--messages", type=int, metavar="N", help="about how many messages, such as 10_000_000")
    make.add_argument("--seed", type=int, metavar="S", help="the same seed and size give the same rows")
    where = f"folder to write to (default {SAMPLES}; for another size {OWN})"
    make.add_argument("--out", type=Path, metavar="DIR", help=where)
    make.add_argument("--master", help="make it on this Spark, such as local[2], whatever its size")
    wanted = make.parse_args(argv[1:])
    own = (wanted.messages, wanted.seed, wanted.master) != (None, None, None)
    name = wanted.dataset or (GROWING if own else None)
    try:
        if name is None:
            datasets.two_sites.folder()  # which only a checkout has: it is missed before the first is written
        for recipe in recipes if name is None else [datasets.find(name)]:
            out = wanted.out or (OWN if own else SAMPLES)
            path = datasets.make(recipe, out, wanted.messages, wanted.seed, wanted.master)
            files = sorted(path.glob("part-*")) if path.is_dir() else [path]
            size = sum(file.stat().st_size for file in files) / 1e6
            print(f"{path}: {recipe.about}, {size:.2f} MB in {len(files)} file{'s' if len(files) > 1 else ''}")
    except (LabError, OSError, SparkUnavailable) as error:
        return stopped("datasets make", error, 2)
    return 0
