"""Tools of those who maintain mqlab: `python -m tools.NAME` in a checkout. They are not installed with the package."""

import sys

from mqlab.engine.words.errors import visible


def stopped(tool: str, problem: object) -> int:
    """Print the problem that stopped a tool on stderr, in one sentence, and return the exit code."""
    print(f"tools.{tool}: {visible(str(problem))}", file=sys.stderr)
    return 1
