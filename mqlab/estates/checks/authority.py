"""Checks of authority: which records leave a user without what its work needs, and which give everything.

A dump has the records, and not the groups of a user: if another group has what a user lacks, he may be a member.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ...admin.security_records import covers, expanded, in_order
from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...gates.chlauth import records
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, SECURITY, WARNING, Found, check, fault
from ..proofs import Proof
from .admission import blocking
from .channels import FAR_END, call_in
from .names import written
from .objects import records_unsure, takes
from .security import ADMIN

if TYPE_CHECKING:
    from ..definitions import Definitions

_USES = {"QUEUE": {"GET", "PUT", "BROWSE"}, "TOPIC": {"PUB", "SUB"}}
_OWNERS = re.compile(r"(?i)(.*\\)?(mqm|musr_mqadmin|qmqm(adm)?|root|administrators?|system)(@.*)?")
"""The users and groups that may do everything without a record."""
_LONGEST = 12
"""The characters of the longest user that a program of the lab connects as."""


def _records(estate: Definitions) -> Iterator[tuple[QueueManager, list[dict[str, Any]]]]:
    """The authority records of each queue manager about users who need them; none if a script has refused ones."""
    for qmgr in estate.queue_managers:
        if qmgr.platform != "zos" and not records_unsure(estate, qmgr, "AUTHREC"):
            yield qmgr, [row for row in in_order(qmgr, "AUTHREC") if not _OWNERS.fullmatch(row["ENTITY"])]


def _entity(row: dict[str, Any]) -> tuple[str, str]:
    return row["ENTTYPE"], row["ENTITY"]


def _guarded(qmgr: QueueManager, sort: str, name: str, member: str) -> str:
    """The start of a program in which records count, and a group has a member."""
    at = f"lab[{qmgr.name!r}]"
    group = f"{at}.groups[{name!r}] = [{member!r}]\n" if sort == "GROUP" else ""
    return f'{at}.environment.pop("MQSNOAUT")\n{group}{at}.stop()\n{at}.start()'


def _plays(qmgr: QueueManager, entity: tuple[str, str], call: str, shows: str) -> Proof | None:
    """A proof of what happens to a user that connects, and then calls; none for a name that is too long for the lab."""
    member = "member" if entity[0] == "GROUP" else entity[1]
    connect = f"lab[{qmgr.name!r}].connect('CLIENT', user={member!r}){call}"
    return Proof(f"{_guarded(qmgr, *entity, member)}\n{connect}", shows) if len(member) <= _LONGEST else None


def _give(entity: tuple[str, str], word: str, profile: str) -> str:
    """The command that gives one authority."""
    return f"SET AUTHREC {profile} {entity[0]}({quoted(entity[1])}) AUTHADD({word})"


@check("authority-without-connect", WARNING, "A user may use objects, and not connect", "OAM-02")
def without_connect(estate: Definitions) -> Iterator[Found]:
    for qmgr, rows in _records(estate):
        able = {_entity(row) for row in rows if row["OBJTYPE"] == "QMGR" and "CONNECT" in row["AUTHLIST"]}
        users = {_entity(row): row for row in reversed(rows) if _USES.get(row["OBJTYPE"], set()) & {*row["AUTHLIST"]}}
        for entity, row in users.items():
            sort, name = entity
            if entity in able or (sort == "PRINCIPAL" and ("GROUP", name) in able):
                continue
            others = sorted(other for kind, other in able if kind == "GROUP" or sort == "GROUP")
            words = " and ".join(word for word in row["AUTHLIST"] if word in _USES[row["OBJTYPE"]])
            sentence = f"{name} has {words} on {row['OBJTYPE']} {row['PROFILE']}, and no record gives this "
            sentence += f"{'group' if sort == 'GROUP' else 'user'} CONNECT: a connect fails with 2035"
            sentence += f", unless the groups help: {', '.join(others[:3])}" if others else ""
            sentence += "" if estate.whole(qmgr) else ", unless a record of another script helps"
            fix = "" if others else _give(entity, "CONNECT", "OBJTYPE(QMGR)")
            proof = _plays(qmgr, entity, "", "2035 MQRC_NOT_AUTHORIZED")
            severity = "" if not others and (able or estate.whole(qmgr)) else NOTE
            where = written(estate, qmgr, "AUTHREC", row["PROFILE"], name)
            yield Found(qmgr.name, "QMGR", "", sentence, fix, proof, "", "", severity, where, name, "no CONNECT")


@check("channel-user-without-authority", ERROR, "The user of a channel may not put what it brings", "OAM-11")
def channel_user(estate: Definitions) -> Iterator[Found]:
    for qmgr, every in _records(estate):
        rows = [row for row in every if row["OBJTYPE"] == "QUEUE"]
        groups = [row for row in rows if row["ENTTYPE"] == "GROUP"]
        maps = [(row["CHLAUTH"], row["MCAUSER"]) for row in records(qmgr) if row.get("MCAUSER")]
        called = [one for one in estate.own(qmgr, "CHANNEL") if one.attributes.get("PUTAUT") == "DEF"]
        for channel in called if rows else ():
            users = [user for name, user in maps if fnmatchcase(channel.name, name)] or [channel.attributes["MCAUSER"]]
            user = users[0]
            own = [row for row in rows if row["ENTITY"] == user]
            certain = len(users) == 1 and user and not _OWNERS.fullmatch(user) and (own or estate.whole(qmgr))
            if not certain or any("SETALL" in row["AUTHLIST"] for row in (*own, *groups)):
                continue
            puts = [row for row in own if "PUT" in row["AUTHLIST"]]
            what = f"no record gives {user} or a group SETALL"
            what = f"{user} has PUT and not SETALL on {puts[0]['PROFILE']}" if puts else what
            sentence = f"channel {channel.name} puts as {user}, and {what}: "
            sentence += "messages go to the dead-letter queue with 2035"
            profiles = [(row, f"PROFILE({quoted(row['PROFILE'])}) OBJTYPE(QUEUE)") for row in puts]
            fix = "\n".join(_give(_entity(row), "SETALL", profile) for row, profile in profiles)
            proof = _puts(estate, qmgr, channel, puts) if user == channel.attributes["MCAUSER"] else None
            yield fault(qmgr, channel, sentence, fix, proof, "MCAUSER", cause=user)


def _puts(estate: Definitions, qmgr: QueueManager, channel: Definition, puts: Sequence[dict[str, Any]]) -> Proof | None:
    """A proof that a message that a channel brings is refused, and for which authority."""
    user, profiles = channel.attributes["MCAUSER"], [row["PROFILE"] for row in puts] or ["**"]
    queues = (one.name for one in estate.own(qmgr, "QLOCAL") if one.attributes["USAGE"] == "NORMAL")
    fits = (name for name in queues if any(covers(profile, name) for profile in profiles))
    queue = next((name for name in fits if takes(qmgr, name, 1_000)), "")
    plays = channel.attributes["CHLTYPE"] != "CLUSRCVR" and not channel.attributes["SSLCIPH"]
    if not queue or not plays or blocking(records(qmgr), channel, FAR_END):
        return None
    start = _guarded(qmgr, puts[0]["ENTTYPE"] if puts else "PRINCIPAL", user, user)
    log = f"[each for each in lab[{qmgr.name!r}].error_log() if each.id.startswith('AMQ8077')]"
    shown = f"lab.advance(60)\n{log}[-1].inserts['CommentInsert3']"
    return Proof(f"{start}\n{call_in(qmgr, channel, queue)}\n{shown}", "setall" if puts else "put/setall")


@check("authority-over-everything", NOTE, "A user may do everything with all objects", "IBM MQ: SET AUTHREC", SECURITY)
def over_everything(estate: Definitions) -> Iterator[Found]:
    for qmgr, rows in _records(estate):
        wide = (row for row in rows if row["PROFILE"] == "**")
        every = [row for row in wide if expanded(row["OBJTYPE"], ("ALL",)) <= {*row["AUTHLIST"]}]
        for entity in dict.fromkeys(map(_entity, every)):
            sorts = [row["OBJTYPE"] for row in every if _entity(row) == entity]
            if ADMIN.search(entity[1]) or not {"QUEUE", "CHANNEL"} & {*sorts}:
                continue
            sentence = f"{entity[1]} may do everything with each {', '.join(sorts)}, also of the SYSTEM objects: this "
            sentence += "is the authority of an administrator"
            connects = "QUEUE" in sorts and any("CONNECT" in row["AUTHLIST"] for row in rows if _entity(row) == entity)
            queue = "SYSTEM.ADMIN.COMMAND.QUEUE"
            proof = _plays(qmgr, entity, f".open('{queue}', output=True).name", queue) if connects else None
            where = written(estate, qmgr, "AUTHREC", "**", entity[1])
            yield Found(qmgr.name, "QMGR", "", sentence, "", proof, place=where, about=entity[1])
