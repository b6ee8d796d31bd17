"""The command `mqlab`: MQSC, doctor, tour, notebooks, scenarios, trust page, course, data; each loaded when called."""

import sys
from argparse import SUPPRESS, ArgumentParser
from contextlib import suppress
from importlib import import_module

from mqlab.mq.errors import LabError
from mqlab.tools import command_line, stopped

EXAMPLES = """examples:
  mqlab runmqsc QM1 < estate.mqsc        run MQSC commands on a fresh queue manager and print the replies
  echo "DISPLAY QMGR ALL" | mqlab runmqsc QM1 --platform zos
  mqlab tour                             run the guided tour, leave build/tour.html
  mqlab lab --no-browser                 serve the notebooks and print the address
  mqlab incident --seed 7                repair an estate in which a fault is planted
  mqlab review                           ten minutes with the rules that you predicted wrongly
  mqlab play poison                      open a scenario; mqlab play --list lists them
  mqlab present --no-open                write build/present.html: all scenarios in one file
  mqlab trust --output trust.html        write what is modeled and what is not, as one HTML file
  mqlab site --out course-site           write every notebook, exercise and scenario as pages, with an index
  mqlab grading --format otter --out otter   write every exercise as an assignment with tests
  mqlab doctor --quick                   look this machine over, without starting Spark
  mqlab datasets make                    make the sample data sets again, each from its seed
  mqlab datasets make --messages 10_000_000   make an event log of that size, on Spark
"""


def version(rest: list[str]) -> int:
    """Print the version of mqlab and of Python."""
    from importlib.metadata import version as installed

    print(f"mqlab {installed('mqlab')} on Python {sys.version.split()[0]}")
    return 0


# each a function of a module of mqlab.tools, loaded when it is called, and a line of help
COMMANDS = {
    "runmqsc": ("runmqsc.main", "run MQSC commands from standard input or a file"),
    "doctor": ("doctor.main", "check this machine, and say how to fix what is missing"),
    "tour": ("tour.main", "run the guided tour and leave one HTML file"),
    "lab": ("serve.lab", "open the notebooks in JupyterLab"),
    "incident": ("incident.main", "repair an estate in which a fault is planted, against the clock"),
    "review": ("review.main", "answer what is due today: rules you got wrong come back with other numbers"),
    "play": ("play.play", "open a scenario in the browser, large, next step on one key"),
    "present": ("play.present", "write one page with all scenarios, and open it"),
    "trust": ("trust.main", "say what is modeled, simplified and left out, rule by rule"),
    "course": ("course.main", "write COURSE.md: what is shown where"),
    "site": ("site.main", "write the whole course as pages that need no network"),
    "grading": ("exercises.grading", "write exercises for nbgrader or otter-grader"),
    "datasets": ("datasets.main", "make the sample data sets again"),
    "version": ("cli.version", "print the version"),
}


def build_parser() -> ArgumentParser:
    """Return the parser of the first word; each command parses the rest of the line itself."""
    listed = "\n".join(f"  {name:10}{words}" for name, (_, words) in COMMANDS.items())
    about = f"mqlab: a queue manager you can see inside.\n\ncommands:\n{listed}\n\n"
    parser = command_line("mqlab", f"{about}mqlab COMMAND --help says more about one of them.", EXAMPLES)
    parser.usage = "mqlab COMMAND [options]"
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help=SUPPRESS)
    parser.add_argument("--version", action="store_true", help="print the version")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code; without a command, print the help."""
    line = sys.argv[1:] if argv is None else list(argv)
    named = line[0] if line and line[0] in COMMANDS else ""
    try:
        try:
            return _run(line)
        finally:
            _flush()
    except KeyboardInterrupt:
        print(f"\n{f'mqlab {named}'.strip()} was interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        return 0
    except (LabError, OSError) as error:  # OSError: a full disk, a folder that cannot be written
        return stopped(named, error)


def _run(line: list[str]) -> int:
    if not line:
        build_parser().print_help()
        return 0
    if line[0] == "help":  # as of other commands: mqlab help, mqlab help play
        line = [*line[1:2], "--help"]
    if line[0] == "--version":
        return version([])
    if line[0].startswith("-") or line[0] not in COMMANDS:
        build_parser().parse_args(line[:1])
        return 0
    module, _, entry = COMMANDS[line[0]][0].partition(".")
    return getattr(import_module(f"mqlab.tools.{module}"), entry)(line[1:])


def _flush() -> None:
    """Write what was printed; OSError where it cannot be, of which Python would tell by a code of 120 when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            sys.stdout.close()
        raise
