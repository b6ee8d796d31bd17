"""An answer as it would be typed, and what typing it does: the words shown are the words that are run."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..errors import LabError
from ..lab import Lab

__all__ = ["NEXT_CELL", "typed"]

NEXT_CELL = "# next cell\n"
"""Stands between two cells of an answer."""


def typed(text: str) -> Callable[[Lab], None]:
    """A function of a lab that does what these cells do there: MQSC where a cell begins with ``%%mqsc QMGR``, else
    Python in which `lab` is the lab. LabError where a command is refused.

    >>> from mqlab import Lab
    >>> lab = Lab()
    >>> typed('lab.queue_manager("QM1")\\n# next cell\\n%%mqsc QM1\\nDEFINE QLOCAL(A)')(lab)
    >>> lab["QM1"].depth("A")
    0
    """
    cells = re.split(f"^{NEXT_CELL}", text, flags=re.MULTILINE)

    def act(lab: Lab) -> None:
        for cell in cells:
            first, _, rest = cell.partition("\n")
            if first.startswith("%%mqsc "):
                reply = lab[first.split()[1]].mqsc(rest)
                if not reply.ok:
                    raise LabError(f"commands wanted that {first.split()[1]} takes; got {reply}")
            else:
                exec(compile(cell, "<typed>", "exec"), {"lab": lab})  # noqa: S102 - the package's own words

    return act
