"""Named, ready demonstrations, each a story in shots: `lab.scenario("poison")`.

Every number in the words of a shot is read from the lab at that moment, so the shots of a branch describe the branch.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from ...engine.words.errors import LabError
from . import channels, clusters, groups, mobile, queues, refusals, triggering
from .telling import Scenario

_MODULES = (queues, triggering, channels, refusals, clusters, groups, mobile)
_ALL = {each.name: each for module in _MODULES for each in vars(module).values() if isinstance(each, Scenario)}


def names() -> list[str]:
    """The scenarios by name, in the order in which to show them."""
    return list(_ALL)


def scenarios() -> list[Scenario]:
    """The scenarios themselves, in that order."""
    return list(_ALL.values())


def scenario(name: str) -> Scenario:
    """The scenario of this name; LabError with the nearest names for one that is not there.

    >>> scenario("poison").title
    'The poison message'
    """
    if isinstance(name, str) and name in _ALL:
        return _ALL[name]
    near = get_close_matches(str(name).lower(), _ALL, 3, 0.5)
    asked = f"Did you mean {' or '.join(near)}? " if near else ""
    raise LabError(f"The name of a scenario must be one of {', '.join(_ALL)}; got {name!r}. {asked}".rstrip())


def load(lab: Any, name: str) -> Scenario:
    """See `mqlab.Lab.scenario`."""
    found = scenario(name)
    lab.play(found.tell)
    return found
