"""DISPLAY CHLAUTH MATCH(RUNCHECK): the channel authentication record that decides about one inbound channel.

The address is held against TYPE(BLOCKADDR) first. Of the records that fit, the most specific channel name wins, then a
certificate, then a client's user or a partner's name, then the address. The user that the channel gets is held against
the most specific TYPE(BLOCKUSER). WARN(YES) lets the channel run: that record is shown before the one that decides.

Host names are not looked up, and of privileged users only mqm is known. Source: DISPLAY CHLAUTH, Channel authentication
records, reasons 3342 and 3350 of MQ 9, displays of queue managers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from ipaddress import ip_address
from typing import Any, NamedTuple

from ..engine.commands.command import Command
from ..engine.commands.replies import Refused

PARTNER = ("ADDRESS", "CLNTUSER", "QMNAME", "SSLPEER", "SSLCERTI")
"""Keywords that describe the partner of the channel; only MATCH(RUNCHECK) takes them with a value."""

_CLIENTS = ("SVRCONN", "AMQP", "MQTT")
_RANK = {"SSLPEERMAP": 0, "USERMAP": 1, "QMGRMAP": 1, "ADDRESSMAP": 2}
# the attributes of a distinguished name: the earlier one makes a pattern more specific
SUBJECT = "SERIALNUMBER MAIL E UID CN T OU DC O STREET L ST PC C UNSTRUCTUREDNAME UNSTRUCTUREDADDRESS DNQ"
_SPELLED = {"USERID": "UID", "SP": "ST", "S": "ST"}
_PART = {".": r"(\*|\d{1,3}(-\d{1,3})?)", ":": r"(\*|[0-9A-F]{1,4}(-[0-9A-F]{1,4})?)"}


def require_partner(command: Command) -> None:
    """Check what DISPLAY CHLAUTH says of a partner. Refused: AMQ8421 if something is missing, AMQ8405 if two exclude
    each other, AMQ8000 with IBM's reason in words if something is generic or does not go with MATCH."""
    options, end = command.options, len(command.text)
    facts = {keyword: options[keyword] for keyword in PARTNER if keyword in options}
    if options.get("MATCH") != "RUNCHECK":
        if facts:
            raise Refused(8000, "only-with-runcheck", keywords=" and ".join(facts))
        return
    if options.get("TYPE", "ALL") != "ALL":
        raise Refused(8000, "runcheck-with-type")
    if "ADDRESS" not in facts:
        raise Refused(8421, "runcheck-without-address", end)
    if generic := [keyword for keyword, value in {"CHLAUTH": command.name, **facts}.items() if "*" in value]:
        raise Refused(8000, "runcheck-generic", keywords=" and ".join(generic))
    if not spelled_out(facts["ADDRESS"]):
        raise Refused(8000, "host-name", address=facts["ADDRESS"])
    who = [keyword for keyword in ("CLNTUSER", "QMNAME") if keyword in facts]
    if len(who) != 1:
        raise Refused(8405 if who else 8421, "one-partner", end)


class Decision(NamedTuple):
    """The decision about a channel: records that would refuse it and only warn, the record that refuses or decides
    (None for none), whether it refuses, and the user that the channel gets."""

    warned: tuple[dict[str, Any], ...] = ()
    record: dict[str, Any] | None = None
    refuses: bool = False
    user: str = ""


Facts = Mapping[str, str]
"""The words of PARTNER -> what is known of the partner of a channel, "" for nothing."""


def address_decision(rows: list[dict], facts: Facts) -> Decision:
    """The decision of TYPE(BLOCKADDR), which a listener asks for before it knows the channel."""
    fitting = [row for row in rows if row["TYPE"] == "BLOCKADDR" and _among(row["ADDRLIST"], facts["ADDRESS"])]
    return _first(fitting)


def map_decision(rows: list[dict], channel: str, facts: Facts, user: str, adopted: str = "") -> Decision:
    """The decision of the most specific record about a partner. `user` is the one without a record; `adopted`, a user
    whose password was checked, replaces it, and wins over a record that is looked at before it is adopted."""
    fitting = [row for row in _about(rows, channel) if row["TYPE"] in _RANK and _fits(row, facts)]
    found = _first(fitting)
    mapped = found.record.get("MCAUSER", "") if found.record is not None and not found.refuses else ""
    return found._replace(user=mapped or adopted or user)


def user_decision(qmgr: Any, rows: list[dict], channel: str, user: str) -> Decision:
    """The decision of TYPE(BLOCKUSER) about the user that a channel has got: only the most specific name counts."""
    blocking = [row for row in _about(rows, channel) if row["TYPE"] == "BLOCKUSER"][:1]
    names = {user, "*MQADMIN"} if user in qmgr.administrators else {user}
    return _first([row for row in blocking if names.intersection(row["USERLIST"])])._replace(user=user)


def _first(fitting: list[dict]) -> Decision:
    """The first record that decides, behind those that only warn."""
    warned: tuple[dict[str, Any], ...] = ()
    for row in fitting:
        blocks = row["TYPE"] in ("BLOCKADDR", "BLOCKUSER") or row["USERSRC"] == "NOACCESS"
        if not blocks or row["WARN"] == "NO":
            return Decision(warned, row, blocks)
        warned += (row,)
    return Decision(warned)


def _about(rows: list[dict], channel: str) -> list[dict]:
    return sorted((row for row in rows if _like(row["CHLAUTH"], channel)), key=_most_specific_first)


def decisive(qmgr: Any, command: Command, rows: list[dict]) -> list[dict]:
    """Return the record that decides about the channel, after one that only warns; none if no record fits it.

    `rows` are all channel authentication records. Refused: as `require_partner`, and AMQ8000 if a client is described
    to a channel between queue managers or a queue manager to a client's channel.
    """
    name, facts = command.name, {keyword: command.options.get(keyword, "") for keyword in PARTNER}
    channel = _definition(qmgr, command)
    if channel and (channel["CHLTYPE"] in _CLIENTS) == bool(facts["QMNAME"]):
        partner = "CLNTUSER" if facts["QMNAME"] else "QMNAME"
        raise Refused(8000, "other-partner", channel=name, type=channel["CHLTYPE"], keyword=partner)
    if hosts := sorted({row["ADDRESS"] for row in rows if row.get("ADDRESS") and not _numeric(row["ADDRESS"])}):
        command.notes.append(f"host names are not looked up, so records with {', '.join(hosts)} do not match")
    mapped = map_decision(rows, name, facts, runs_as(qmgr, command))
    decisions = [address_decision(rows, facts), mapped, user_decision(qmgr, rows, name, mapped.user)]
    last = next((number for number, each in enumerate(decisions) if each.refuses), 2)
    warned = [row for each in decisions[: last + 1] for row in each.warned]
    record = mapped.record if last == 2 and not decisions[2].refuses else decisions[last].record
    if not mapped.user:
        command.notes.append("a message channel without MCAUSER runs with the user of its message channel agent")
    return [*warned[:1], *([] if record is None else [record])]


def runs_as(qmgr: Any, command: Command) -> str:
    """Return the user that the channel runs with where no record names one: its MCAUSER, or else the client's user."""
    return _definition(qmgr, command).get("MCAUSER", "") or command.options.get("CLNTUSER", "")


def _definition(qmgr: Any, command: Command) -> dict:
    """Return the attributes of the channel; none, with a note, if it is not defined."""
    channel = qmgr.objects.get("CHANNEL", command.name)
    said = f"no channel of {qmgr.name} is called {command.name}; IBM MQ may refuse that"
    if channel is None and said not in command.notes:
        command.notes.append(said)
    return channel.attributes if channel is not None else {}


def _fits(row: dict, facts: Facts) -> bool:
    """Return whether a record that maps or refuses is about this partner."""
    if any(row.get(keyword) and not matches_name(row[keyword], facts[keyword]) for keyword in ("SSLPEER", "SSLCERTI")):
        return False
    if "QMNAME" in row and not (facts["QMNAME"] and _like(row["QMNAME"], facts["QMNAME"])):
        return False
    same = row["TYPE"] != "USERMAP" or row.get("CLNTUSER", "") == facts["CLNTUSER"] != ""
    # the address of a queue manager may not be known: it fits the records that let a channel in
    unknown = not facts["ADDRESS"] and row["USERSRC"] != "NOACCESS"
    return same and (not row["ADDRESS"] or unknown or _among((row["ADDRESS"],), facts["ADDRESS"]))


def _like(pattern: str, value: str) -> bool:
    """Return whether a value fits a pattern in which only the asterisk means any characters."""
    return fnmatchcase(value, re.sub(r"([?[])", r"[\1]", pattern))


def spelled_out(address: str) -> str:
    """Return an IP address with all its parts, or "" if it is none."""
    try:
        return ip_address(address).exploded
    except ValueError:
        return ""


def _numeric(pattern: str) -> bool:
    """Return whether a pattern is one of IP addresses, and no host name."""
    spelled = (re.fullmatch(f"{part}([{dot}]{part})*", pattern, re.A | re.I) for dot, part in _PART.items())
    return bool(spelled_out(pattern)) or any(spelled)


def _among(patterns: tuple[str, ...], address: str) -> bool:
    """Whether an IP address fits one of the patterns: ``9.*``, ``192.0.2.0-24``, ``2001:DB8:*``."""
    if not address:  # it is not known
        return "*" in patterns
    given = spelled_out(address)
    dot, base = (":", 16) if ":" in given else (".", 10)
    parts = [int(part, base) for part in given.split(dot)]
    for pattern in patterns:
        wanted = (spelled_out(pattern) or pattern).split(dot)
        if not all(re.fullmatch(_PART[dot], part, re.A | re.I) for part in wanted):
            continue
        whole = len(wanted) == len(parts) or (len(wanted) < len(parts) and wanted[-1] == "*")
        if whole and all(part == "*" or _within(part, value, base) for part, value in zip(wanted, parts, strict=False)):
            return True
    return False


def _within(part: str, value: int, base: int) -> bool:
    low, _, high = part.partition("-")
    return int(low, base) <= value <= int(high or low, base)


def parts_of_name(name: str) -> dict[str, list[str]]:
    """Return the attributes of a distinguished name, each with its values in order."""
    by_keyword: dict[str, list[str]] = {}
    for keyword, value in re.findall(r"\s*(\w+)\s*=\s*(\"[^\"]*\"|[^,;]*)[,;]?", name):
        keyword = keyword.upper()
        by_keyword.setdefault(_SPELLED.get(keyword, keyword), []).append(value.strip().strip('"'))
    return by_keyword


def matches_name(pattern: str, name: str) -> bool:
    """Return whether a distinguished name has what a pattern asks for; units (OU) are compared in their order."""
    has = parts_of_name(name)
    for keyword, wanted in parts_of_name(pattern).items():
        values = has.get(keyword, [])
        if len(values) < len(wanted) or not all(map(_like, wanted, values)):
            return False
    return True


def _most_specific_first(row: dict) -> tuple:
    """Return what sorts records by how specific they are: a name, then what kind of partner, then which one."""
    peer, issuer = (_of_subject(row.get(keyword, "")) for keyword in ("SSLPEER", "SSLCERTI"))
    partner = (peer, issuer, _of_name(row.get("QMNAME", "")), _of_address(row.get("ADDRESS", "")))
    return (_of_name(row["CHLAUTH"]), _RANK.get(row["TYPE"], 3), *partner)


def _of_name(pattern: str) -> str:
    """The sort key that puts the pattern with its first asterisk further to the right first."""
    return pattern.replace("*", "\U0010ffff") + "\U0010fffe"


def _of_subject(pattern: str) -> list[tuple]:
    has = parts_of_name(pattern)
    values_of = (has.get(keyword, ()) for keyword in SUBJECT.split())
    return [(-len(values), list(map(_of_name, values))) for values in values_of]


def _of_address(pattern: str) -> list[tuple]:
    """The sort key that puts one address before a range, a small range before a large one, and any address last."""
    parts = re.split("[.:]", pattern) if pattern else []
    if not parts or not _numeric(pattern):
        return [(4, 0)]
    base = 16 if ":" in pattern else 10
    kinds = []
    for part in parts:
        low, dash, high = part.partition("-")
        kinds.append((2, 0) if part == "*" else (1, int(high, base) - int(low, base)) if dash else (0, 0))
    return [*kinds, (3, 0)]
