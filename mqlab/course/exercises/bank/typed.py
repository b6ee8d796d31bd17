"""A solution that is done as it is shown: the cells of an answer, run in a lab."""

from __future__ import annotations

from collections.abc import Callable

from ..exercise import cells

__all__ = ["typed"]


def typed(answer: str) -> Callable:
    """A function of a lab that does what the answer says: ``%%mqsc NAME`` cells, and Python with the name `lab`.

    It raises LabError where a command of the answer is refused.
    """

    def solve(lab) -> None:
        names = {"lab": lab}
        for cell in cells(answer):
            head, _, body = cell.partition("\n")
            if head.startswith("%%mqsc "):
                lab[head.split()[1]].mqsc(body).require()
            else:
                exec(compile(cell, "<answer>", "exec"), names)  # noqa: S102 - a cell of our own, as a learner types it

    return solve
