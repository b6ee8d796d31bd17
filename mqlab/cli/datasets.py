"""``mqlab datasets make``: generate the sample data sets again, or one of them in another size."""

import sys
from pathlib import Path

from mqlab.cli import command_line, stopped
from mqlab.engine.words.errors import LabError

SAMPLES, OWN = Path("datasets"), Path("build/datasets")
GROWING = "event-log"  # the data set if only --messages is given


def main(argv: list[str]) -> int:
    """Run ``mqlab datasets make``, its first word "make", and return the exit code."""
    if argv[:1] != ["make"]:
        asked = argv[:1] in (["-h"], ["--help"])
        usage = "usage: mqlab datasets make [options]   (mqlab datasets make --help lists them)"
        print(usage, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    from mqlab.pipeline import datasets
    from mqlab.pipeline.spark import SparkUnavailable
    from mqlab.views.text import thousands

    recipes = datasets.RECIPES.values()
    listed = "\n".join(f"  {each.name:19}{each.about} ({thousands(each.messages)} messages)" for each in recipes)
    make = command_line(
        "mqlab datasets make",
        f"Generate sample data sets from their seeds.\n\ndata sets:\n{listed}",
        "Without options, the command generates all data sets that come with mqlab. Spark generates the larger\n"
        "ones, as a folder of files. datasets/README.md is the data sheet.\n\nexamples:\n"
        "  mqlab datasets make\n  mqlab datasets make --dataset retail-day --seed 7\n"
        "  mqlab datasets make --messages 10_000_000 --out /tmp/big",
    )
    which = f"name of the data set (default: all; with --messages or --seed, {GROWING})"
    make.add_argument("--dataset", metavar="NAME", help=which)
    make.add_argument("--messages", type=int, metavar="N", help="approximate number of messages, such as 10_000_000")
    make.add_argument("--seed", type=int, metavar="S", help="seed; the same seed and size give the same rows")
    where = f"folder to write to (default {SAMPLES}; for another size, {OWN})"
    make.add_argument("--out", type=Path, metavar="DIR", help=where)
    make.add_argument("--master", help="Spark to use, such as local[2], whatever the size")
    wanted = make.parse_args(argv[1:])
    own = (wanted.messages, wanted.seed, wanted.master) != (None, None, None)
    name = wanted.dataset or (GROWING if own else None)
    try:
        if name is None:
            datasets.two_sites.folder()  # only a checkout has it: fail before the first data set is written
        for recipe in recipes if name is None else [datasets.find(name)]:
            out = wanted.out or (OWN if own else SAMPLES)
            path = datasets.make(recipe, out, wanted.messages, wanted.seed, wanted.master)
            files = sorted(path.glob("part-*")) if path.is_dir() else [path]
            size = sum(file.stat().st_size for file in files) / 1e6
            print(f"{path}: {recipe.about}, {size:.2f} MB in {len(files)} file{'s' if len(files) > 1 else ''}")
    except (LabError, OSError, SparkUnavailable) as error:
        return stopped("datasets make", error, 2)
    return 0
