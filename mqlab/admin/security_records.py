"""Channel authentication records and authority records: commands set, replace, remove, show, and export them.

The gates act on authority records; of channel authentication records, `runcheck` finds the one that decides about a
client or a partner. Source: the MQSC command reference of MQ 9.4, and displays of a real queue manager of that level.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from ..engine.commands.command import Command
from ..engine.commands.display import layout, where_holds
from ..engine.commands.replies import Refused
from ..engine.words.catalog import QUEUE_KINDS, keywords
from . import kept as state_of
from .runcheck import decisive, require_partner, runs_as

Records = dict[tuple[str, ...], dict[str, Any]]

_ANSWERS = {
    ("SET", "AUTHREC"): "AMQ8862I: IBM MQ authority record set.",
    ("DELETE", "AUTHREC"): "AMQ8863I: IBM MQ authority record deleted.",
    ("SET", "CHLAUTH"): "AMQ8877I: IBM MQ channel authentication record set.",
}
_LISTS = {"BLOCKADDR": "ADDRLIST", "BLOCKUSER": "USERLIST"}
_NAMED_BY = {"SSLPEERMAP": "SSLPEER SSLCERTI ADDRESS", "ADDRESSMAP": "ADDRESS", "USERMAP": "ADDRESS CLNTUSER",
             "QMGRMAP": "ADDRESS QMNAME", **_LISTS}  # fmt: skip  # a table: what names the records of a TYPE
_UNTOLD = (("USERSRC", "MAP"), ("WARN", "NO"))  # a record without its details names them only if they are otherwise
_AT_BIRTH = (
    ("SYSTEM.ADMIN.SVRCONN", "ADDRESSMAP", "CHANNEL", "Default rule to allow MQ Explorer access"),
    ("SYSTEM.*", "ADDRESSMAP", "NOACCESS", "Default rule to disable all SYSTEM channels"),
    ("*", "BLOCKUSER", "NOACCESS", "Default rule to disallow privileged users"),
)
_ORDER = """ALTUSR BROWSE CHG CLR CONNECT CRT DLT DSP GET INQ PUT PASSALL PASSID SET SETALL SETID SUB RESUME PUB SYSTEM
    CTRL CTRLX"""
_MQI = dict.fromkeys(("PROCESS", "NAMELIST", "AUTHINFO"), "INQ") | {
    "QUEUE": "BROWSE GET INQ PUT PASSALL PASSID SET SETALL SETID", "QMGR": "ALTUSR CONNECT INQ SET SETALL SETID",
    "TOPIC": "PASSALL PASSID SETALL SETID SUB RESUME PUB", "RQMNAME": "PUT"}  # fmt: skip  # a table: ALLMQI by OBJTYPE
_DOUBTFUL = {"TOPIC": "INQ", "COMMINFO": "INQ", "PROCESS": "SET"}  # taken: no page was read that denies them
_CONTROLLED = dict.fromkeys(("LISTENER", "SERVICE", "QMGR"), "CTRL")
_COMMANDS = _CONTROLLED | {"QUEUE": "CLR", "TOPIC": "CLR CTRL", "CHANNEL": "CTRL CTRLX"}  # ALLADM by OBJTYPE


def records(qmgr: Any) -> Records:
    """Return the records of a queue manager as DISPLAY shows them. Their keys begin with "CHLAUTH" or "AUTHREC"."""
    state = state_of(qmgr)
    if state.records is None:
        state.records = born(qmgr)
    return state.records


def born(qmgr: Any) -> Records:
    """Return the channel authentication records of a new queue manager: three from level 710 on, none before."""
    made, given = (qmgr.attributes["CRDATE"], qmgr.attributes["CRTIME"]), {"ADDRESS": "*", "USERLIST": ("*MQADMIN",)}
    rows = [(name, sort, given | {"USERSRC": source, "DESCR": said}) for name, sort, source, said in _AT_BIRTH]
    return dict(_channel_record(*row, made, qmgr.level) for row in rows if qmgr.level >= 710)


def _channel_record(
    name: str, sort: str, options: dict, altered: tuple[str, str], level: int
) -> tuple[tuple[str, ...], dict]:
    """Return the key of a channel authentication record, and the record; no two records have the same key."""
    row = {"CHLAUTH": name, "TYPE": sort, "DESCR": options.get("DESCR", ""), "CUSTOM": options.get("CUSTOM", "")}
    named, source = _NAMED_BY[sort].split(), options.get("USERSRC", "MAP")
    row |= {keyword: options.get(keyword, () if sort in _LISTS else "") for keyword in named}
    if sort not in _LISTS:
        row |= ({"MCAUSER": options.get("MCAUSER", "")} if source == "MAP" else {}) | {"USERSRC": source}
    last, default = ("WARN", "NO") if source == "NOACCESS" or sort in _LISTS else ("CHCKCLNT", "ASQMGR")
    row |= {last: options.get(last, default), "ALTDATE": altered[0], "ALTTIME": altered[1]}
    key = ("CHLAUTH", name, sort, *([] if sort in _LISTS else [row[keyword] for keyword in named]))
    return key, {word: value for word, value in row.items() if level >= 800 or word not in ("CHCKCLNT", "SSLCERTI")}


def keep(qmgr: Any, command: Command) -> str:
    """Carry out SET CHLAUTH, SET AUTHREC, or DELETE AUTHREC, and return the answer. Refused: AMQ8883 if ACTION(ADD)
    finds the record, AMQ8884 or AMQ8147 if a removal finds none, AMQ8405 or AMQ8421 if keywords do not go together."""
    (_set_chlauth if command.object == "CHLAUTH" else _set_authrec)(qmgr, command)
    return _ANSWERS[command.verb, command.object]


def _set_chlauth(qmgr: Any, command: Command) -> None:
    options, kept, end = command.options, records(qmgr), len(command.text)
    sort, action = options["TYPE"], options.get("ACTION", "ADD")
    adds, listed = action in ("ADD", "REPLACE"), _LISTS.get(sort)
    able = ["TYPE", "ACTION", "CMDSCOPE", *(_NAMED_BY[sort].split() if action != "REMOVEALL" else ())]
    able += ["DESCR", "CUSTOM", "WARN"] if adds else []
    able += ["USERSRC", "MCAUSER", "CHCKCLNT"] if adds and not listed else []
    if wrong := [keyword for keyword in options if keyword not in able]:
        raise Refused(8886 if adds else 8885, "not-allowed", type=sort, action=action, keywords=" and ".join(wrong))
    if adds and not listed and (options.get("USERSRC", "MAP") == "MAP") != ("MCAUSER" in options):
        raise Refused(8421, "mcauser", end)
    if sort == "BLOCKADDR" and command.name != "*":
        raise Refused(8000, "every-channel", verb=command.verb, channel="'*'")
    now = qmgr.lab.now
    key, row = _channel_record(command.name, sort, options, (f"{now:%Y-%m-%d}", f"{now:%H.%M.%S}"), qmgr.level)
    before = kept.get(key)
    had = before[listed] if listed and before is not None else ()
    if action == "REMOVE" and (before is None or (listed and not {*row[listed]} <= {*had})):
        raise Refused(8884, "no-record")
    if action == "ADD" and before is not None and not listed:
        raise Refused(8883, "record-exists")
    if listed and before is not None and action in ("ADD", "REMOVE"):
        left = tuple(item for item in had if item not in row[listed]) + (row[listed] if action == "ADD" else ())
        row = before | {keyword: row[keyword] for keyword in options if keyword in row} | {listed: left}
    kept[key] = row
    over = action == "REMOVE" if not listed else not row[listed]
    for item in [item for item in kept if (item == key and over) or (action == "REMOVEALL" and item[:3] == key[:3])]:
        del kept[item]


def _set_authrec(qmgr: Any, command: Command) -> None:
    options, kept, sort = command.options, records(qmgr), command.options["OBJTYPE"]
    profile = options.get("PROFILE", "SELF" if sort == "QMGR" else "")
    if not profile:
        raise Refused(8421, "needs-profile", len(command.text), verb=command.verb, type=sort)
    profile = profile.lower() if (sort, profile) == ("QMGR", "SELF") else profile
    able = {*expanded(sort, ("ALL",)), "ALL", "ALLADM", "ALLMQI", "NONE", "CRT", _DOUBTFUL.get(sort, "NONE")}
    asked = (*options.get("AUTHADD", ()), *options.get("AUTHRMV", ()))
    if wrong := [authority for authority in asked if authority not in able]:
        raise Refused(8000, "no-authority", type=sort, authorities=" or ".join(wrong))
    keys = [("AUTHREC", profile, sort, of, entity) for of in ("PRINCIPAL", "GROUP") for entity in options.get(of, ())]
    missing = [key for key in keys if key not in kept]
    if command.verb == "DELETE" and missing and options.get("IGNSTATE") != "YES":
        raise Refused(8147, "no-record-of-its-own", sort=missing[0][3], entity=missing[0][4], name=profile)
    for key in keys:
        before = kept.pop(key, {"AUTHLIST": ()})["AUTHLIST"]
        if command.verb == "SET":
            has = expanded(sort, (*before, *options.get("AUTHADD", ()))) - expanded(sort, options.get("AUTHRMV", ()))
            left = tuple(authority for authority in _ORDER.split() if authority in has) or ("NONE",)
            kept[key] = {"PROFILE": profile, "ENTITY": key[4], "ENTTYPE": key[3], "OBJTYPE": sort, "AUTHLIST": left}


def forget(qmgr: Any, kind: str, name: str) -> None:
    """Delete the authority records of an object that is deleted; records with a generic profile stay."""
    about = ("AUTHREC", name, "QUEUE" if kind in QUEUE_KINDS else kind)
    for key in [key for key in records(qmgr) if key[:3] == about]:
        del records(qmgr)[key]


def expanded(sort: str, authorities: tuple[str, ...]) -> set[str]:
    """Return the authorities; ALL, ALLADM, and ALLMQI become those that they stand for with a type of object."""
    mqi, admin = _MQI.get(sort, "").split(), [*_COMMANDS.get(sort, "").split(), "CHG", "DLT", "DSP"]
    groups = {"ALLMQI": mqi, "ALLADM": admin, "ALL": [*mqi, *admin, *(["SYSTEM"] if sort == "QMGR" else [])]}
    return {one for each in authorities for one in groups.get(each, [each])}


def channel_records(qmgr: Any, command: Command) -> list[dict]:
    """Return the rows of DISPLAY CHLAUTH; none if MATCH(RUNCHECK) finds no record. Refused: AMQ8884 if there are none,
    AMQ8000 for TYPE(BLOCKADDR) with another name than ``*``, and what `runcheck` refuses."""
    options, name = command.options, command.name or "*"
    require_partner(command)
    if options.get("TYPE") == "BLOCKADDR" and name != "*":
        raise Refused(8000, "every-channel", verb=command.verb, channel="*")
    rows, run = in_order(qmgr, "CHLAUTH"), options.get("MATCH") == "RUNCHECK"
    if run:
        rows = decisive(qmgr, command, rows)
        if not rows:
            return []
    else:
        fits: Any = {"EXACT": str.__eq__, "ALL": overlap}.get(options.get("MATCH", ""), fnmatchcase)
        rows = [row for row in rows if fits(row["CHLAUTH"], name)]
        rows = [row for row in rows if options.get("TYPE", "ALL") in ("ALL", row["TYPE"])]
    brief = {"USERSRC", "MCAUSER", "WARN", *" ".join(_NAMED_BY.values()).split()} if run or "*" in name else None
    return _shown(command, rows, ("CHLAUTH", "TYPE"), brief, Refused(8884, "no-record-left"))


def authority_records(qmgr: Any, command: Command) -> list[dict]:
    """Return the rows of DISPLAY AUTHREC. Refused: AMQ8147 if there are none."""
    options, wanted = command.options, command.options.get("PROFILE", "")
    rows = [row for row in in_order(qmgr, "AUTHREC") if options.get("OBJTYPE", "ALL") in ("ALL", row["OBJTYPE"])]
    entities = [(sort, options[sort]) for sort in ("PRINCIPAL", "GROUP") if sort in options]
    if options.get("MATCH") == "MEMBERSHIP":
        users = options.get("PRINCIPAL", ())
        entities += [("GROUP", (group,)) for group, members in qmgr.groups.items() if {*members}.intersection(users)]
    if entities:
        rows = [row for row in rows if any(row["ENTTYPE"] == sort and row["ENTITY"] in who for sort, who in entities)]
    if wanted:
        exact = options.get("MATCH") == "EXACT"
        rows = [row for row in rows if row["PROFILE"] == wanted or (not exact and covers(row["PROFILE"], wanted))]
    none = Refused(8147, "no-authority-record", name=wanted or "AUTHREC")
    return _shown(command, rows, ("PROFILE", "OBJTYPE"), None, none)


def entity_authority(qmgr: Any, command: Command) -> list[dict]:
    """Return the row of DISPLAY ENTAUTH: what a user may do by all records that count for it, and what a group's own
    record of the most specific profile gives; everything for mqm. Refused: AMQ8421 if keywords are missing."""
    given, sort = command.options, command.options.get("OBJTYPE", "")
    entities = [(entity_type, given[entity_type]) for entity_type in ("PRINCIPAL", "GROUP") if entity_type in given]
    name = qmgr.name if sort == "QMGR" else given.get("OBJNAME", "")
    if len(entities) != 1 or not name or not sort:
        raise Refused(8421, "entauth", len(command.text))
    about, kept = "self" if sort == "QMGR" else name, records(qmgr).values()
    rows = [row for row in kept if [(row.get("ENTTYPE"), row.get("ENTITY"))] == entities and row["OBJTYPE"] == sort]
    covering = [row for row in rows if row["PROFILE"] == about or covers(row["PROFILE"], about)]
    best = min(covering, key=lambda row: generic_last(row["PROFILE"]), default={"AUTHLIST": ("NONE",)})
    ((entity_type, entity),) = entities
    has = best["AUTHLIST"] if entity != "mqm" else [word for word in _ORDER.split() if word in expanded(sort, ("ALL",))]
    if entity_type == "PRINCIPAL" and qmgr.guard is not None:
        allowed = qmgr.guard.allowed(entity, sort, name)
        has = [word for word in _ORDER.split() if word in allowed] or ["NONE"]
    row = {"OBJNAME": name, "ENTITY": entity, "ENTTYPE": entity_type, "OBJTYPE": sort, "AUTHLIST": tuple(has)}
    none = Refused(8147, "entity-left-out", name=entity)
    return _shown(command, [row], ("OBJNAME",), None, none)


def in_order(qmgr: Any, sort: str) -> list[dict]:
    by_key = sorted(records(qmgr).items(), key=lambda item: tuple(part.replace("*", "\x7f") for part in item[0]))
    _, _, has = keywords("DISPLAY", sort) or ("", None, {})
    lacks = {key for key, column in has.items() if not column.had_by(qmgr.platform, qmgr.level)}
    return [{k: v for k, v in row.items() if k not in lacks} for key, row in by_key if key[0] == sort]


def _shown(command: Command, rows: list[dict], always: tuple, brief: set[str] | None, none: Refused) -> list[dict]:
    """Return the rows that match WHERE, with the columns that the command asks for."""
    # If it asks for none, a generic name gives the columns of `brief` that are neither blank nor the usual. Raises
    # `none` if no row is left.
    asked = {*command.wanted, *([command.where.keyword] if command.where else [])}
    left = [row for row in rows if command.where is None or where_holds(command.where, row)]
    if not left:
        raise none
    if command.options.get("ALL") or (not asked and brief is None):
        return left
    wanted = asked or brief or set()
    return [
        {k: v for k, v in row.items() if k in always or (k in wanted and (asked or (v and (k, v) not in _UNTOLD)))}
        for row in left
    ]


@cache
def overlap(first: str, other: str) -> bool:
    """Return whether some channel name matches both profiles; each may have asterisks in any position.

    >>> overlap("SYSTEM.DEF.*", "SYSTEM.*.SVRCONN"), overlap("PAY.*", "TAX.*")
    (True, False)
    """
    if not first or not other:
        return not (first + other).strip("*")
    if "*" in (first[0], other[0]):
        first, other = (first, other) if first[0] == "*" else (other, first)
        return overlap(first[1:], other) or overlap(first, other[1:])
    return first[0] == other[0] and overlap(first[1:], other[1:])


def covers(profile: str, name: str) -> bool:
    """Return whether a generic profile covers a name."""
    # ``?`` is one character, ``*`` any within a qualifier, ``**`` any at all
    spelled = {"**": ".*", "*": r"[^.]*", "?": r"[^.]"}
    parts = [spelled.get(part) or re.escape(part) for part in re.split(r"(\*\*|\*|\?)", profile)]
    return re.fullmatch("".join(parts), name) is not None


def generic_last(profile: str) -> str:
    """The sort key that puts the profile that is more specific at the first difference before the others."""
    return profile.replace("**", "\U0010ffff").replace("*", "\U0010fffe").replace("?", "\U0010fffd")


"""Word after DISPLAY -> the function that returns the rows of these records."""


def layout_records(qmgr: Any, command: Command, rows: list[dict]) -> list[list[str]]:
    """The rows of DISPLAY CHLAUTH as runmqsc prints them; without a row, the user that MATCH(RUNCHECK) finds."""
    if not rows:
        return [[f"AMQ9783I: Channel will run using MCAUSER('{runs_as(qmgr, command)}')."]]
    return layout(rows, command.object, _DISABLED if qmgr.attributes["CHLAUTH"] == "DISABLED" else "")


_DISABLED = "AMQ8898I: Display channel authentication record details - currently disabled."
