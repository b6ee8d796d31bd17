"""The command `mqlab`: MQSC, doctor, tour, notebooks, scenarios, trust page, course, data; each loaded when called."""

import argparse
import sys

EXAMPLES = """examples:
  mqlab runmqsc QM1 < estate.mqsc        run MQSC commands on a fresh queue manager and print the replies
  echo "DISPLAY QMGR ALL" | mqlab runmqsc QM1 --platform zos
  mqlab tour                             run the guided tour, leave build/tour.html
  mqlab lab --no-browser                 serve the notebooks and print the address
  mqlab play poison                      open a scenario; mqlab play --list lists them
  mqlab present --no-open                write build/present.html: all scenarios in one file
  mqlab trust --output trust.html        write what is modelled and what is not, as one HTML file
  mqlab site --out course-site           write every notebook, exercise and scenario as pages, with an index
  mqlab grading --format otter --out otter   write every exercise as an assignment with tests
  mqlab doctor --quick                   look this machine over, without starting Spark
  mqlab datasets make                    make the sample data sets again, each from its seed
  mqlab datasets make --messages 10_000_000   make an event log of that size, on Spark
"""


def runmqsc(rest: list[str]) -> int:
    """Run `mqlab runmqsc`."""
    from mqlab.tools.runmqsc import main

    return main(rest)


def doctor(rest: list[str]) -> int:
    """Run `mqlab doctor`."""
    from mqlab.tools.doctor import main

    return main(rest)


def tour(rest: list[str]) -> int:
    """Run `mqlab tour`."""
    from mqlab.tools.tour import main

    return main(rest)


def lab(rest: list[str]) -> int:
    """Run `mqlab lab`."""
    from mqlab.tools.lab import main

    return main(rest)


def play(rest: list[str]) -> int:
    """Run `mqlab play`."""
    from mqlab.tools.play import play

    return play(rest)


def present(rest: list[str]) -> int:
    """Run `mqlab present`."""
    from mqlab.tools.play import present

    return present(rest)


def trust(rest: list[str]) -> int:
    """Run `mqlab trust`."""
    from mqlab.tools.trust import main

    return main(rest)


def course(rest: list[str]) -> int:
    """Run `mqlab course`."""
    from mqlab.tools.course import main

    return main(rest)


def site(rest: list[str]) -> int:
    """Run `mqlab site`."""
    from mqlab.tools.site import main

    return main(rest)


def grading(rest: list[str]) -> int:
    """Run `mqlab grading`."""
    from mqlab.tools.grading import main

    return main(rest)


def datasets(rest: list[str]) -> int:
    """Run `mqlab datasets make`; the rest of the line is the generator's own."""
    if rest[:1] != ["make"]:
        asked = rest[:1] in (["-h"], ["--help"])
        usage = "usage: mqlab datasets make [options]   (mqlab datasets make --help lists them)"
        print(usage, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    from mqlab.tools.datasets import main

    return main(rest[1:])


def version(rest: list[str]) -> int:
    """Print the version of mqlab and of Python."""
    from importlib.metadata import version as installed

    print(f"mqlab {installed('mqlab')} on Python {sys.version.split()[0]}")
    return 0


COMMANDS = {
    "runmqsc": (runmqsc, "run MQSC commands from standard input or a file"),
    "doctor": (doctor, "say what this machine has, and how to mend what is missing"),
    "tour": (tour, "run the guided tour and leave one HTML file"),
    "lab": (lab, "open the notebooks in JupyterLab"),
    "play": (play, "open a scenario in the browser, large, next step on one key"),
    "present": (present, "write one page with all scenarios, and open it"),
    "trust": (trust, "say what is modelled, simplified and left out, rule by rule"),
    "course": (course, "write COURSE.md: what is shown where"),
    "site": (site, "write the whole course as pages that need no network"),
    "grading": (grading, "write exercises for nbgrader or otter-grader"),
    "datasets": (datasets, "make the sample data sets again"),
    "version": (version, "print the version"),
}


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the first word; each command parses the rest of the line itself."""
    listed = "\n".join(f"  {name:10}{words}" for name, (_, words) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="mqlab",
        usage="mqlab COMMAND [options]",
        description=f"mqlab: a queue manager you can see inside.\n\ncommands:\n{listed}\n\n"
        "mqlab COMMAND --help says more about one of them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help=argparse.SUPPRESS)
    parser.add_argument("--version", action="store_true", help="print the version")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code; without a command, print the help."""
    line = sys.argv[1:] if argv is None else list(argv)
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
    command, _ = COMMANDS[line[0]]
    try:
        return command(line[1:])
    except KeyboardInterrupt:
        print(f"\nmqlab {line[0]} was interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        sys.stderr.close()
        return 0
