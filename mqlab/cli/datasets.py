"""``mqlab datasets make``: generate the sample event log again, or in another size."""

import sys
from pathlib import Path

from mqlab.cli import command_of, stopped
from mqlab.engine.words.errors import LabError

SAMPLES, OWN = Path("datasets"), Path("build/datasets")


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

    make = command_of("datasets make", messages=thousands(datasets.MESSAGES), samples=SAMPLES, own=OWN)
    make.add_argument("--messages", type=int, metavar="N")
    make.add_argument("--seed", type=int, metavar="S")
    make.add_argument("--out", type=Path, metavar="DIR")
    make.add_argument("--master")
    options = {name: value for name, value in vars(make.parse_args(argv[1:])).items() if value is not None}
    out = options.pop("out", OWN if options else SAMPLES)
    try:
        path = datasets.make(out, **options)
    except (LabError, OSError, SparkUnavailable) as error:
        return stopped("datasets make", error, 2)
    files = sorted(path.glob("part-*")) if path.is_dir() else [path]
    size = sum(file.stat().st_size for file in files) / 1e6
    print(f"{path}: {size:.2f} MB in {len(files)} file{'s' if len(files) > 1 else ''}")
    return 0
