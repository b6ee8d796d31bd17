"""Tools of those who maintain mqlab: `python -m tools.NAME` in a checkout. They are not installed with the package."""

import sys


def stopped(tool: str, problem: object) -> int:
    """Print the problem that stopped a tool on stderr, in one sentence, and return the exit code."""
    from mqlab.engine.words.errors import visible  # tools.mutants tests copies of mqlab: it imports none

    print(f"tools.{tool}: {visible(str(problem))}", file=sys.stderr)
    return 1
