"""REFRESH, RESET, RESOLVE and SET: what each cannot do without, who has it, and what the lab does.

Source: the MQSC command reference of MQ 9.4. A request that the platform does not have is refused as runmqsc refuses
any word it does not know.
"""

from __future__ import annotations

import re

from ..mq import catalog
from .command import Command
from .refusal import Refused

__all__ = ["request", "require_shape"]

_DISTRIBUTED, _Z = ("distributed",), ("zos",)
_PLATFORMS = {
    ("REFRESH", "QMGR", "EXPIRY"): _Z,
    ("REFRESH", "QMGR", "EARLY"): _Z,
    ("RESET", "QMGR", "STATISTICS"): _DISTRIBUTED,
    ("RESET", "QMGR", "ADVANCELOG"): _DISTRIBUTED,
    ("RESET", "QMGR", "ARCHLOG"): _DISTRIBUTED,
    ("RESET", "QMGR", "REDUCELOG"): _DISTRIBUTED,
    ("RESET", "QSTATS", None): _Z,
}
_BELONGS = {
    ("REFRESH", "QMGR"): {"NAME": ("CONFIGEV", "EXPIRY"), "OBJECT": ("CONFIGEV",), "INCLINT": ("CONFIGEV",)},
    ("RESET", "QMGR"): {"ARCHIVED": ("ARCHLOG",), "CHILD": ("PUBSUB",), "PARENT": ("PUBSUB",)},
}
"""Which TYPE each further keyword goes with."""
_REQUIRED = {
    ("SET", "AUTHREC"): (("OBJTYPE",), ("PRINCIPAL", "GROUP")),
    ("SET", "CHLAUTH"): (("TYPE",),),
    ("RESET", "CLUSTER"): (("ACTION",), ("QMNAME", "QMID")),
    ("RESOLVE", "CHANNEL"): (("ACTION",),),
}
"""Command -> sets of keywords; it needs one at least of each."""
_NEEDS = {"ARCHLOG": ("ARCHIVED",), "PUBSUB": ("CHILD", "PARENT")}
"""TYPE of RESET QMGR -> the keywords of which it needs one."""


def require_shape(command: Command) -> None:
    """Refuse a command without what it needs; REFRESH and RESET QMGR also with what does not go with their TYPE."""
    rules, options, end = _BELONGS.get((command.verb, command.object)), command.options, len(command.text)
    about, sort = f"{command.verb} {command.object}", options.get("TYPE")
    for group in _REQUIRED.get((command.verb, command.object), ()):
        if not any(keyword in options for keyword in group):
            known = catalog.keywords(command.verb, command.object)[1]
            raise Refused(8421, f"{about} needs {' or '.join(group)}: {known[group[0]].wanted()}", end)
    if rules is None:
        return
    if sort is None:
        wanted = catalog.keywords(command.verb, command.object)[1]["TYPE"].wanted()
        raise Refused(8421, f"{about} needs TYPE: {wanted}", end)
    for keyword, sorts in rules.items():
        if keyword in options and sort not in sorts:
            raise Refused(8405, f"{keyword} goes with TYPE({' or '.join(sorts)}), not with TYPE({sort})", end)
    needed = _NEEDS.get(sort, ()) if command.verb == "RESET" else ()
    if needed and len([keyword for keyword in needed if keyword in options]) != 1:
        raise Refused(8421, f"{about} TYPE({sort}) needs {' or '.join(needed)}", end)
    if sort == "EXPIRY" and "NAME" in options:
        try:
            catalog.check_name("QLOCAL", options["NAME"], generic=True)
        except catalog.CatalogueError as error:
            raise Refused(8424, str(error), end) from error


def request(qmgr, command: Command) -> str | None:
    """Do what the lab acts on (REFRESH QMGR TYPE(EXPIRY), EXP-35) and give the answer; None for anything else.

    Raises
    ------
    Refused
        AMQ8405 for a request that queue managers of this platform do not have.
    """
    sort = command.options.get("TYPE")
    platforms = _PLATFORMS.get((command.verb, command.object, sort))
    if platforms is not None and qmgr.platform not in platforms:
        what = f"TYPE({sort})" if sort else f"{command.verb} {command.object}"
        raise Refused(
            8405,
            f"{what} is for {_named(platforms[0])} queue managers; {qmgr.name} is {_named(qmgr.platform)}",
            _place(command),
        )
    if (command.verb, command.object, sort) != ("REFRESH", "QMGR", "EXPIRY"):
        return None
    generic = command.options.get("NAME", "*")
    gone = qmgr.scanner.refresh(generic)
    command.notes.append(
        f"{gone or 'no'} expired message{'' if gone == 1 else 's'} discarded from the queues of {generic}"
    )
    return "CSQ9022I: ' REFRESH QMGR' NORMAL COMPLETION"


def _named(platform: str) -> str:
    return {"zos": "z/OS", "vse": "VSE"}.get(platform, platform)


def _place(command: Command) -> int:
    """Where in the text the word stands that this platform does not know."""
    found = re.search(r"\bTYPE\s*\(\s*(\w+)", command.text, re.IGNORECASE) or re.search(r"\s(\w+)", command.text)
    return found.start(1)
