"""The doctor: a table of what this machine has, and how to mend what is red."""

import argparse
import os
import sys
import textwrap
from collections.abc import Iterable

from mqlab.tools.checks import AMBER, GREEN, QUICK, RED, SLOW, Check

COLOURS = {GREEN: "\x1b[32m", AMBER: "\x1b[33m", RED: "\x1b[31;1m"}
PLAIN = "\x1b[0m"


def coloured() -> bool:
    """Return whether standard output shows colours; the words stand alone wherever it does not."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def rows(check: Check, width: int, colours: bool) -> str:
    """Return one check as lines of the table: name, state in a word, what was found, and below it how to mend it."""
    state = f"{COLOURS[check.state]}{check.state:6}{PLAIN}" if colours else f"{check.state:6}"
    indent = " " * 20
    found = textwrap.fill(check.found, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
    lines = [f"{check.name:11}  {state} {found.lstrip()}"]
    if check.mend:
        lines.append(
            textwrap.fill(f"mend: {check.mend}", width, initial_indent=indent, subsequent_indent=indent + " " * 6)
        )
    return "\n".join(lines)


def examine(quick: bool) -> Iterable[Check]:
    """Yield the checks as they are made; `quick` leaves out the one that starts Spark."""
    for look in (*QUICK, *(() if quick else SLOW)):
        yield look()


def verdict(made: list[Check]) -> str:
    """Return the last line: how many of each, in words."""
    reds = [check.name for check in made if check.state == RED]
    ambers = [check.name for check in made if check.state == AMBER]
    if reds:
        return f"Red: {', '.join(reds)}. Mend those first; the rest can wait."
    if ambers:
        return f"All works; worth a look: {', '.join(ambers)}."
    return "All green."


def main(argv: list[str] | None = None) -> int:
    """Print the table; return 1 where something is red, else 0."""
    parser = argparse.ArgumentParser(
        prog="mqlab doctor",
        description="Say what this machine has for mqlab, and how to mend what is missing.",
        epilog="Exit code: 0 nothing is red, 1 something is.\n\nexamples:\n"
        "  mqlab doctor            before a course, on each machine\n"
        "  mqlab doctor --quick    at once",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="leave out the check that starts Spark (about 10 s)")
    options = parser.parse_args(argv)
    made = []
    print(f"{'Check':11}  {'State':6} Found")
    for check in examine(options.quick):
        made.append(check)
        print(rows(check, 110, coloured()), flush=True)
    print(f"\n{verdict(made)}")
    return 1 if any(check.state == RED for check in made) else 0
