"""Run notebooks with their guards, several at a time, and report the cell in which a notebook stopped.

If no notebook or parameter is named, all notebooks in notebooks/ and exercises/ run as a learner finds them, with
pictures (`solve` and `interactive` off), and again, solved and with widgets (both on).
MQLAB_STRICT=1 makes the notebook of an exercise fail if its check passes unsolved, or does not pass solved.
MQLAB_PROGRESS=off keeps the runs out of the learner's progress file.
"""

import contextlib
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

from mqlab.cli import command_line
from mqlab.cli.notebooks import NotebookFailed, add_parameter, execute, values_of
from mqlab.engine.words.errors import LabError
from mqlab.lab.checkout import OUTPUT
from mqlab.pipeline.spark import laid_over
from tools.guards import guarded
from tools.kernels import fork_kernels

FOLDERS = ("notebooks", "exercises")
AS_FOUND = {"solve": False, "interactive": False}
DONE = {"solve": True, "interactive": True}
WORKERS = (os.cpu_count() or 1) + 1  # a kernel waits a third of its time
MANY = 12  # notebooks: for fewer, kernels that start alone are faster than one that imports everything for all
CHECKED = {"MQLAB_STRICT": "1", "MQLAB_PROGRESS": "off"}


class Job(NamedTuple):
    """A notebook to run: its path, where the executed copy goes, and its parameters."""

    source: Path
    target: Path
    parameters: dict[str, Any]


class Ran(NamedTuple):
    """One notebook that was run: the executed copy, the seconds it took, and the problem ("" if none)."""

    path: Path
    seconds: float
    problem: str


def run_one(job: Job, forked: bool) -> Ran:
    """Run one notebook in a worker process; a failure comes back as words."""
    start = time.monotonic()
    problem = ""
    try:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
            spark = "spark" in job.source.read_text(encoding="utf-8")  # it starts processes from its kernel
            fork_kernels(forked and not spark)
            execute(*job, book=guarded(job.source))
    except NotebookFailed as failed:
        problem = str(failed)
    except LabError as error:
        problem = f"{job.source.name} was not run: {error}"
    return Ran(job.target, time.monotonic() - start, problem)


def run_all(jobs: list[Job], workers: int = WORKERS) -> Iterator[Ran]:
    """Run notebooks, `workers` at a time, with CHECKED in their environment, and yield each as it is done."""
    # Fresh processes: papermill keeps an event loop per process, and a forked one is not safe to use.
    with laid_over(CHECKED), ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        for run in as_completed([pool.submit(run_one, job, len(jobs) >= MANY) for job in jobs]):
            yield run.result()


def below(path: Path) -> Path:
    """The place of a notebook in its checkout: from the folder of FOLDERS that it is in, or else from its own."""
    at = next((n for n, part in enumerate(path.parts) if part in FOLDERS), -2)
    return Path(*path.parts[at:])


def jobs_for(sources: list[Path], out: Path, parameters: dict[str, Any]) -> list[Job]:
    """Return the runs of notebooks with some parameters, their copies below `out`."""
    return [Job(path, out / below(path), parameters) for path in sources]


def find(named: list[str]) -> list[Path]:
    """Return the notebooks to run: those named, or all of notebooks/ and exercises/, sorted, without checkpoints."""
    if named:
        return [Path(name).resolve() for name in named]
    found = [path.resolve() for folder in FOLDERS for path in sorted(Path(folder).rglob("*.ipynb"))]
    return [path for path in found if not any(part.startswith(".") for part in path.relative_to(Path.cwd()).parts)]


def main(argv: list[str] | None = None) -> int:
    """Run the notebooks; return 0 if all ran, 1 if one stopped, 2 if there was none to run."""
    parser = command_line(
        "python -m tools.notebooks",
        "Run notebooks under papermill and report each one. By default, all notebooks run twice: as found, and\n"
        "solved. Named notebooks run once.",
        "example:\n  python -m tools.notebooks notebooks/library/11-what-if-sweeps.ipynb -p seeds 6",
    )
    parser.add_argument("notebooks", nargs="*", help="notebooks to run (default: all in notebooks/ and exercises/)")
    parser.add_argument("--workers", type=int, default=WORKERS, help="notebooks at a time (default %(default)s here)")
    parser.add_argument("--out", type=Path, default=OUTPUT / "notebooks", help="folder for executed copies")
    add_parameter(parser)
    options = parser.parse_args(argv)
    sources = find(options.notebooks)
    if not sources:
        print(f"no notebook in {' or '.join(FOLDERS)}: run this command in a checkout of mqlab", file=sys.stderr)
        return 2
    out = options.out.resolve()
    parameters = values_of(options.parameter)
    if options.notebooks or parameters:
        jobs = jobs_for(sources, out, parameters)
    else:
        jobs = jobs_for(sources, out, AS_FOUND) + jobs_for(sources, out / "solved", DONE)
    print(f"{len(sources)} notebooks, {len(jobs)} runs, {options.workers} at a time", flush=True)
    failed, start = 0, time.monotonic()
    for ran in run_all(jobs, options.workers):
        failed += bool(ran.problem)
        state = "FAILED" if ran.problem else "ok"
        print(f"{state:6} {ran.seconds:6.1f} s  {ran.path.relative_to(out)}", flush=True)
        if ran.problem:
            print(f"       {ran.problem}", flush=True)
    seconds = time.monotonic() - start
    print(f"{len(jobs) - failed} ran, {failed} stopped, in {seconds:.0f} s; executed copies in {options.out}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
