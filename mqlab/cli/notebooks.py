"""Run a notebook under papermill, and name the cell in which it stopped."""

import argparse
import re
from pathlib import Path
from typing import Any

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class NotebookFailed(Exception):
    """A cell of a notebook raised an error; the message names the notebook, the cell, and the error."""


def encryption() -> dict[str, str]:
    """Return the setting that encrypts messages between Jupyter and a kernel, if this build of ZeroMQ can."""
    import zmq

    return {"transport_encryption": "auto"} if zmq.has("curve") else {}


def _saved_once() -> str:
    """Register an engine of papermill that writes the copy at the end, not before and after each cell; its name."""
    from papermill.engines import NBClientEngine, papermill_engines

    class SavedOnce(NBClientEngine):
        @classmethod
        def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **more: Any) -> Any:
            path, nb_man.output_path = nb_man.output_path, None
            try:
                return super().execute_managed_notebook(nb_man, kernel_name, **more)
            finally:
                nb_man.output_path = path

    papermill_engines.register("mqlab", SavedOnce)
    return "mqlab"


def execute(
    source: Path, target: Path, parameters: dict[str, Any] | None = None, progress: bool = False, book: Any = None
) -> int:
    """Run a notebook in its own folder, keep the copy at `target`, and count the code cells that ran.

    `book` runs instead of the content of `source`, if given. Raises NotebookFailed with the cell and the error in one
    sentence; `target` then holds the run up to there.
    """
    import papermill
    from papermill.exceptions import PapermillException, PapermillExecutionError
    from traitlets.config import Config

    def run() -> Any:
        return papermill.execute_notebook(
            str(source) if book is None else book,
            target,
            parameters=parameters or {},
            cwd=str(source.parent),
            progress_bar=progress,
            engine_name=_saved_once(),
            kernel_name="python3",
            config=Config({"KernelManager": encryption()}),
            extra_arguments=["--log-level=CRITICAL"],  # the kernel's own log would report its orderly end as an error
        )

    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        try:
            done = run()
        except RuntimeError as error:
            if type(error) is not RuntimeError:  # as of a kernel that died at a cell
                raise
            done = run()  # the kernel ended before its first answer, as if two start on one port: no cell has run
    except PapermillExecutionError as error:
        words, told = COLOURS.sub("", error.evalue).strip() or "no message", COLOURS.sub("", "\n".join(error.traceback))
        line = int([1, *re.findall(rf"In ?\[{error.exec_count}\], line (\d+)", told)][-1])
        raise NotebookFailed(
            f"{source.name} stopped in code cell {error.exec_count}, line {line}, "
            f"`{error.source.splitlines()[line - 1].strip():.70}`: {error.ename}: {words}"
        ) from None
    except (PapermillException, RuntimeError, OSError) as error:  # a kernel that died, or none to start; a full disk
        raise NotebookFailed(f"{source.name} could not be run: {type(error).__name__}: {error}") from error
    return sum(cell.cell_type == "code" for cell in done.cells)


def add_parameter(parser: argparse.ArgumentParser) -> None:
    """Give a command line the option -p, which `values_of` reads."""
    parser.add_argument("-p", "--parameter", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"))


def values_of(parameters: list[tuple[str, str]]) -> dict[str, Any]:
    """Return the values of parameters: true, false, and whole numbers by type, everything else as text."""
    words = {"true": True, "false": False}
    numbers = {text: int(text) for _, text in parameters if re.fullmatch(r"-?\d+", text)}
    return {name: words.get(text.lower(), numbers.get(text, text)) for name, text in parameters}
