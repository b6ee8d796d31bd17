"""The command `mqlab`: the commands that people type, each loaded when it is called."""

import sys
from argparse import SUPPRESS, ArgumentParser
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper

from mqlab.cli import command_line, stopped, texts_of
from mqlab.engine.words.errors import LabError
from mqlab.lab.extras import room


def version(rest: list[str]) -> int:
    """Print the version of mqlab and of Python."""
    from importlib.metadata import version as installed

    print(f"mqlab {installed('mqlab')} on Python {sys.version.split()[0]}")
    return 0


# By the need that brings someone here. Each command is a function in a module of mqlab.cli, which is loaded when it is
# called, and has a line of help.
GROUPS = {
    "Learn": {
        "tour": ("tour", "main", "run the guided tour and write one HTML file"),
        "lab": ("serve", "lab", "open the notebooks in JupyterLab"),
        "incident": ("incident", "main", "repair an estate with a planted fault, against the clock"),
        "review": ("review", "main", "answer the questions that are due today: missed rules, with other numbers"),
    },
    "Show": {
        "play": ("play", "play", "open a scenario in the browser, with one key for the next step"),
        "present": ("play", "present", "write one page with all scenarios, and open it"),
        "export": ("export", "main", "write an event log for other tools: OCEL 2.0, Chrome trace"),
    },
    "Run and check your own": {
        "runmqsc": ("runmqsc", "main", "run MQSC commands from standard input or a file"),
        "run": ("run", "main", "run a Python program that uses ibmmq or pymqi on a simulated queue manager"),
        "check": ("check", "main", "find what is wrong in an estate, from its scripts or dumps"),
        "diff": ("check", "diff", "show what two estates define and do differently"),
    },
    "Teach": {
        "class": ("classes", "main", "write one page about a class from its progress files"),
        "grading": ("grading", "main", "write exercises for nbgrader or otter-grader"),
    },
    "Spark": {
        "cluster": ("cluster", "main", "start, show, break, or stop a Spark cluster on this machine"),
        "datasets": ("datasets", "main", "generate the sample event log again, at any size"),
    },
    "This machine": {
        "doctor": ("doctor", "main", "check this machine, and show how to fix problems"),
        "version": ("cli", "version", "print the version"),
    },
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}


def build_parser() -> ArgumentParser:
    """Return the parser of the first word; each command parses the rest of the line."""
    listed = "\n\n".join(
        "\n".join([f"{title}:", *(f"  {name:10}{words}" for name, (*_, words) in group.items())])
        for title, group in GROUPS.items()
    )
    about = f"mqlab: a queue manager you can see inside.\n\n{listed}\n\n"
    parser = command_line("mqlab", f"{about}mqlab COMMAND --help describes one of them.", texts_of("mqlab")["more"])
    parser.usage = "mqlab COMMAND [options]"
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help=SUPPRESS)
    parser.add_argument("--version", action="store_true", help="print the version")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code; without a command, print the help."""
    line = sys.argv[1:] if argv is None else list(argv)
    named = line[0] if line and line[0] in COMMANDS else ""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal may not have the letters of a name
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return _run(line)
        finally:
            _flush()
    except KeyboardInterrupt:
        print(f"\n{f'mqlab {named}'.strip()} was interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the program that reads our output ended, such as `| head`
        return 0
    except ModuleNotFoundError as error:
        package = (error.name or "mqlab").partition(".")[0]
        if package == "mqlab":
            raise
        return stopped(named, f"the package {package} is not installed: pip install 'mqlab[lab,spark]'")
    except (LabError, OSError) as error:  # OSError: a full disk, a folder that cannot be written
        return stopped(named, error)


def _run(line: list[str]) -> int:
    if not line:
        build_parser().print_help()
        return 0
    if line[0] == "help":  # as with other commands: mqlab help, mqlab help play
        line = [*line[1:2], "--help"]
    if line[0] == "--version":
        return version([])
    if line[0].startswith("-") or line[0] not in COMMANDS:
        build_parser().parse_args(line[:1])
        return 0
    module, entry, _ = COMMANDS[line[0]]
    with room("cli"):  # a room that the command needs may be left out
        return getattr(import_module(f"mqlab.cli.{module}"), entry)(line[1:])


def _flush() -> None:
    """Write the buffered output; raises OSError if that fails, which Python reports only by exit code 120."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            sys.stdout.close()
        raise
