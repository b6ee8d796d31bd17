"""What the options of a get and of a put have in common: checking them, and the unit of work they ask for."""

from __future__ import annotations

from ..mq import constants as mq
from ..mq.errors import LabError

__all__ = ["at_most_one", "never_with", "refuse", "unit_for"]


def refuse(application, target, call: str, said: str, hint: str):
    """Raise 2046 (MQI-27)."""
    application.refuse(mq.MQRC_OPTIONS_ERROR, target, call, "MQI-27", said, hint)


def names_of(prefix: str, options: int) -> str:
    """The names of these options, joined; "0x..." for bits without a name.

    >>> names_of("MQGMO_", 3)
    'MQGMO_WAIT and MQGMO_SYNCPOINT'
    """
    found = {
        value: name
        for name, value in vars(mq).items()
        if name.startswith(prefix) and value.bit_count() == 1 and value & options
    }
    left = options & ~sum(found)
    return " and ".join([found[value] for value in sorted(found)] + ([hex(left)] if left else []))


def at_most_one(application, target, call: str, prefix: str, options: int, *groups: int) -> None:
    """Refuse more than one option of any of these sums of options that exclude each other."""
    for group in groups:
        if (options & group).bit_count() > 1:
            refuse(application, target, call, f"{names_of(prefix, options & group)} together", "one of them")


def never_with(application, target, call: str, prefix: str, options: int, pairs) -> None:
    """Refuse an option of a pair's first sum together with one of its second."""
    for one, others in pairs:
        if options & one and options & others:
            said = f"{names_of(prefix, options & one)} with {names_of(prefix, options & others)}"
            refuse(application, target, call, said, "leave one out")


def unit_for(application, unit, options: int | None, inside: int, outside: int):
    """The unit of work of a call: the one given, the connection's own, or None.

    Without either option (`inside` and `outside`) a call is inside its connection's unit of work on z/OS and in none
    elsewhere; `options` None stands for a call without options, which is in none. LabError for `unit` with an option.
    """
    if unit is not None:
        application.require_own(unit)
        if options and options & (inside | outside):
            raise LabError("unit wanted: None where the options say SYNCPOINT or NO_SYNCPOINT; leave one of them out")
        return unit
    if options is None or options & outside:
        return None
    return application.own_unit() if options & inside or application.qmgr.platform == "zos" else None
