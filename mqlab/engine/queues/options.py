"""The options of calls: the uses that an open asks for, and the checks that gets and puts have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from inspect import Parameter, signature
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..words import constants as mq
from ..words.arguments import require
from ..words.errors import LabError
from ..words.structures import GMO, MD, PMO

if TYPE_CHECKING:
    from ..words.structures import Structure
    from .parts import Calls, UnitOfWork
    from .target import Target

F = TypeVar("F", bound=Callable[..., Any])


def bits(prefix: str, names: str) -> int:
    """The sum of the options with these names.

    >>> bits("MQGMO_", "WAIT SYNCPOINT")
    3
    """
    return sum(getattr(mq, prefix + name) for name in names.split())


_INPUTS = {
    None: 0,
    "as_q_def": mq.MQOO_INPUT_AS_Q_DEF,
    "shared": mq.MQOO_INPUT_SHARED,
    "exclusive": mq.MQOO_INPUT_EXCLUSIVE,
}
_PLAIN = ("browse", "output", "inquire", "set", "save_all_context", "fail_if_quiescing")
_FLAGS = {flag: bits("MQOO_", flag.upper()) for flag in _PLAIN} | {
    flag: bits("MQOO_", f"{flag.upper()}_CONTEXT") for flag in ("pass_identity", "pass_all", "set_identity", "set_all")
}
"""The keywords of an open that say True or False of an option, in the order in which `uses_of` takes them."""

_INPUT = sum(_INPUTS.values())
BINDS = bits("MQOO_", "BIND_ON_OPEN BIND_NOT_FIXED BIND_ON_GROUP")
_READS_AHEAD = bits("MQOO_", "READ_AHEAD NO_READ_AHEAD")
CONTEXTS = bits("MQOO_", "PASS_IDENTITY_CONTEXT PASS_ALL_CONTEXT SET_IDENTITY_CONTEXT SET_ALL_CONTEXT")
_ACCESS = _INPUT | bits("MQOO_", "BROWSE OUTPUT INQUIRE SET")
_OTHERS = bits("MQOO_", "ALTERNATE_USER_AUTHORITY RESOLVE_NAMES CO_OP RESOLVE_LOCAL_Q NO_MULTICAST")
_UNACTED = BINDS | _READS_AHEAD | bits("MQOO_", "ALTERNATE_USER_AUTHORITY CO_OP RESOLVE_LOCAL_Q NO_MULTICAST")
_KNOWN = _INPUT | sum(_FLAGS.values()) | BINDS | _READS_AHEAD | _OTHERS


class Uses(NamedTuple):
    """The purposes of an open: `input` as `open` has it, and sums of MQOO values: the context options, and those that
    have no effect here."""

    input: str | None = None
    browse: bool = False
    output: bool = False
    inquire: bool = False
    set: bool = False
    context: int = 0
    unacted: int = 0


def uses_of(application: Calls, name: str, input: str | None, flags: tuple[bool, ...], options: int) -> Uses:
    """The uses that keywords and MQOO options ask for together; MQError 2046 for what MQ does not take (MQI-27).

    LabError for a flag that is neither True nor False, and for options that are no number.
    """
    if input not in tuple(_INPUTS):
        raise LabError(f'input must be None, "shared", "exclusive" or "as_q_def"; got {input!r}')
    for flag, value in zip(_FLAGS, flags, strict=True):
        require(flag, value, bool)
    require("options", options, int, "a sum of MQOO options")
    options |= _INPUTS[input] | sum(compress(_FLAGS.values(), flags))
    save, output, others = mq.MQOO_SAVE_ALL_CONTEXT, options & mq.MQOO_OUTPUT, options & ~_KNOWN
    for wrong, case in (
        (others, "unknown-open-options"),
        (not options & (_ACCESS | BINDS), "opened-for-nothing"),
        (options & save and not options & _INPUT, "save-context-without-input"),
        (options & CONTEXTS and not output, "context-without-output"),
        (options & mq.MQOO_CO_OP and not options & mq.MQOO_BROWSE, "co-op-without-browse"),
    ):
        if wrong:
            fields = {"options": f"{others:#x}"} if others else {}
            application.refuse(mq.MQRC_OPTIONS_ERROR, case, None, "open", name, **fields)
    for group in (_INPUT, BINDS, _READS_AHEAD):
        if (options & group).bit_count() > 1:
            fields = {"options": names_of("MQOO_", options & group)}
            application.refuse(mq.MQRC_OPTIONS_ERROR, "together", None, "open", name, **fields)
    if application.gate is not None and options & mq.MQOO_FAIL_IF_QUIESCING:
        application.gate.require_lasting("open")
    mode = next((mode for mode, value in _INPUTS.items() if value and options & value), None)
    browse, output, inquire, set = (bool(options & _FLAGS[flag]) for flag in ("browse", "output", "inquire", "set"))
    return Uses(mode, browse, output, inquire, set, options & (CONTEXTS | save), options & _UNACTED)


def like(call: Callable[..., Any]) -> Callable[[F], F]:
    """Let a function that hands its options on show the signature of the call that takes them, so that help and
    completion know their names."""

    def shown(function: F) -> F:
        returned = signature(function).return_annotation
        vars(function)["__signature__"] = signature(call).replace(return_annotation=returned)
        return function

    return shown


def keywords_of(call: Callable[..., Any]) -> Callable[[F], F]:
    """Let a function that hands its keywords on to another call show those of that call behind its own parameters, so
    that help and completion know their names."""
    handed_on = [
        parameter for parameter in signature(call).parameters.values() if parameter.kind is Parameter.KEYWORD_ONLY
    ]

    def shown(function: F) -> F:
        own = signature(function)
        first = [each for each in own.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        others = [each for each in handed_on if each.name not in own.parameters]
        vars(function)["__signature__"] = own.replace(parameters=[*first, *others])
        return function

    return shown


_VERSIONS = {MD: (mq.MQRC_MD_ERROR, 2), PMO: (mq.MQRC_PMO_ERROR, 3), GMO: (mq.MQRC_GMO_ERROR, 4)}


def require_version(application: Calls, target: Target, call: str, *structures: Structure) -> None:
    """2026, 2173, or 2186 for an MQMD, MQPMO, or MQGMO of a version that there is not (MQI-13)."""
    for structure in structures:
        reason, newest = _VERSIONS[type(structure)]
        if not 1 <= structure.Version <= newest:
            fields = {"version": structure.Version, "structure": f"MQ{type(structure).__name__}", "newest": newest}
            application.refuse(reason, "unknown-version", target, call, **fields)


def names_of(prefix: str, options: int, between: str = " and ") -> str:
    """The names of these options, with a word between them; "0x..." for bits without a name.

    >>> names_of("MQGMO_", 3)
    'MQGMO_WAIT and MQGMO_SYNCPOINT'
    """
    found = {value: name for value, name in _single(prefix).items() if value & options}
    left = options & ~sum(found)
    return between.join([found[value] for value in sorted(found)] + ([hex(left)] if left else []))


@cache
def _single(prefix: str) -> dict[int, str]:
    """The options of a prefix that are one bit each: their names by value."""
    return {value: name for name, value in vars(mq).items() if name.startswith(prefix) and value.bit_count() == 1}


def at_most_one(application: Calls, target: Target | None, call: str, prefix: str, options: int, *groups: int) -> None:
    """Refuse two options of the same group, because the options of a group exclude each other."""
    for group in groups:
        if (options & group).bit_count() > 1:
            application.refuse(
                mq.MQRC_OPTIONS_ERROR, "together", target, call, options=names_of(prefix, options & group)
            )
    if application.gate is not None and options & mq.MQGMO_FAIL_IF_QUIESCING:  # MQPMO and MQSO have the same number
        application.gate.require_lasting(call)


def never_with(
    application: Calls, target: Target | None, call: str, prefix: str, options: int, pairs: Iterable[tuple[int, int]]
) -> None:
    """Refuse an option of a pair's first sum together with one of its second."""
    for first, others in pairs:
        if options & first and options & others:
            application.refuse(
                mq.MQRC_OPTIONS_ERROR,
                "excludes",
                target,
                call,
                options=names_of(prefix, options & first),
                others=names_of(prefix, options & others),
            )


def unit_for(
    application: Calls, unit: UnitOfWork | None, options: int | None, inside: int, outside: int
) -> UnitOfWork | None:
    """The unit of work of a call: the one given, the connection's own, or None.

    Without either option (`inside` and `outside`) a call is inside its connection's unit of work on z/OS and in none
    elsewhere; `options` None stands for a call without options, which is in none. LabError for `unit` with an option.
    """
    if unit is not None:
        application.require_own(unit)
        if options and options & (inside | outside):
            raise LabError("unit must be None if the options include SYNCPOINT or NO_SYNCPOINT; leave one of them out")
        return unit
    if options is None or options & outside:
        return None
    return application.own_unit() if options & inside or application.qmgr.platform == "zos" else None
