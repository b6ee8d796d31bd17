"""The command line: the command `mqlab`, and the programs behind the targets of the Makefile."""

import os
import sys
import tomllib
from argparse import Action, ArgumentParser, RawDescriptionHelpFormatter
from importlib.resources import files
from pathlib import Path
from textwrap import fill
from typing import Any, NoReturn

from mqlab.engine.words.errors import visible

WIDTH = 100


class _CommandLine(ArgumentParser):
    texts: dict[str, str] = {}
    """The help of each argument, by its name."""

    def add_argument(self, *names: Any, **settings: Any) -> Action:
        if (known := self.texts.get(names[-1].lstrip("-"))) is not None:
            settings["help"] = known
        return super().add_argument(*names, **settings)

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def command_line(prog: str, description: str, epilog: str | None = None, checkout: bool = False) -> ArgumentParser:
    """Return the parser of a command, with its texts unchanged; `checkout` adds the option --dir."""
    plain = RawDescriptionHelpFormatter
    parser = _CommandLine(prog=prog, description=description, epilog=epilog, formatter_class=plain)
    if checkout:
        parser.add_argument("--dir", help="the checkout to use (default: the current one, or the one of this mqlab)")
    return parser


def texts_of(name: str, **facts: object) -> dict[str, str]:
    """Return the texts of a command in help.toml; `facts` are what they name in braces."""
    page: dict[str, str] = tomllib.loads(files(__package__).joinpath("help.toml").read_text("utf-8"))[name]
    return {key: text.format(**facts) for key, text in page.items()}


def command_of(name: str, checkout: bool = False, **facts: object) -> ArgumentParser:
    """Return the parser of a command, with its texts."""
    texts = texts_of(name, **facts)
    parser = command_line(f"mqlab {name}", texts.pop("about"), texts.pop("more"), checkout)
    parser.texts = texts  # type: ignore[attr-defined]
    return parser


def stopped(command: str, problem: object, code: int = 1) -> int:
    """Print the problem that stopped a command on stderr, in one sentence, and return the exit code."""
    if isinstance(problem, OSError) and problem.filename and problem.strerror:
        problem = f"{problem.filename}: {problem.strerror}"
    print(f"{f'mqlab {command}'.strip()}: {visible(str(problem))}", file=sys.stderr)
    return code


def say(text: str, indent: int = 0) -> None:  # text: any, for a terminal
    """Print a text, its long lines broken at `WIDTH`; the rest of a line is `indent` further to the right."""
    for line in text.splitlines():
        margin = len(line) - len(line.lstrip())
        print(fill(visible(line), WIDTH, subsequent_indent=" " * (margin + indent)))


def near(path: Path) -> str:
    """Return the path relative to the current folder if it is inside it."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
