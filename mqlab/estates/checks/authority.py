"""Checks of authority: which records leave a user without what its work needs, and which give everything.

A dump has the records, and not the groups of a user: where another group has what a user lacks, its member may be he.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ...admin.security_records import covers, expanded, in_order
from ...engine.words.lexer import quoted
from ...gates.chlauth import records
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, SECURITY, WARNING, Found, check
from ..proofs import Proof
from .channels import call_in
from .names import written
from .objects import each, records_unsure, takes
from .security import ADMIN

if TYPE_CHECKING:
    from ..definitions import Definitions

_PAGE = "IBM MQ: SET AUTHREC"
_USES = {"QUEUE": {"GET", "PUT", "BROWSE"}, "TOPIC": {"PUB", "SUB"}}
_OWNERS = re.compile(
    r"(?i)(mqm|musr_mqadmin|qmqm(adm)?|root|administrators?(@.*)?|system(@.*)?|.*\\(mqm|administrators?))"
)
"""The users and groups that may do everything without a record."""
_LONGEST = 12
"""The characters of the longest user that a program of the lab connects as."""


def _records(estate: Definitions, qmgr: QueueManager) -> list[dict[str, Any]]:
    """The authority records of a queue manager that are about users who need them; none if some are not known."""
    if qmgr.platform == "zos" or records_unsure(estate, qmgr, "AUTHREC"):
        return []
    return [row for row in in_order(qmgr, "AUTHREC") if not _OWNERS.fullmatch(row["ENTITY"])]


def _guarded(qmgr: QueueManager, entity: tuple[str, str]) -> tuple[str, str]:
    """The start of a program in which records count, and a user of them: a member of a group that gets one."""
    at, (sort, name) = f"lab[{qmgr.name!r}]", entity
    member = "member" if sort == "GROUP" else name
    lines = [f'{at}.environment.pop("MQSNOAUT")']
    lines += [f"{at}.groups[{name!r}] = [{member!r}]"] if sort == "GROUP" else []
    return "\n".join((*lines, f"{at}.stop()", f"{at}.start()")), member


def _plays(qmgr: QueueManager, entity: tuple[str, str], call: str, shows: str) -> Proof | None:
    """A proof of what happens to a user that connects, and then calls; none for a name that is too long for the lab."""
    start, member = _guarded(qmgr, entity)
    connect = f"lab[{qmgr.name!r}].connect('CLIENT', user={member!r}){call}"
    return Proof(f"{start}\n{connect}", shows) if len(member) <= _LONGEST else None


def _set(profile: str, sort: str, entity: tuple[str, str], word: str) -> str:
    """The command that gives one authority."""
    about = f"PROFILE({quoted(profile)}) " if profile else ""
    return f"SET AUTHREC {about}OBJTYPE({sort}) {entity[0]}({quoted(entity[1])}) AUTHADD({word})"


def _entity(row: dict[str, Any]) -> tuple[str, str]:
    return row["ENTTYPE"], row["ENTITY"]


@check("authority-without-connect", WARNING, "A user may use objects, and not connect", "OAM-02")
def without_connect(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        rows = _records(estate, qmgr)
        able = {_entity(row) for row in rows if row["OBJTYPE"] == "QMGR" and "CONNECT" in row["AUTHLIST"]}
        users: dict[tuple[str, str], dict[str, Any]] = {}
        for row in rows:
            if _USES.get(row["OBJTYPE"], set()) & {*row["AUTHLIST"]}:
                users.setdefault(_entity(row), row)
        for entity, row in users.items():
            sort, name = entity
            if entity in able or (sort == "PRINCIPAL" and ("GROUP", name) in able):
                continue
            others = sorted(other for kind, other in able if kind == "GROUP" or sort == "GROUP")
            words = " and ".join(word for word in row["AUTHLIST"] if word in _USES[row["OBJTYPE"]])
            said = f"{name} has {words} on {row['OBJTYPE']} {row['PROFILE']}, and no record "
            said += f"gives this {'group' if sort == 'GROUP' else 'user'} CONNECT: "
            said += "" if estate.whole(qmgr) else "unless one of another script does, "
            said += f"a connect fails with 2035{', unless the groups help: ' if others else ''}{', '.join(others[:3])}"
            proof = _plays(qmgr, entity, "", "2035 MQRC_NOT_AUTHORIZED")
            certain = not others and (able or estate.whole(qmgr))
            fix, severity = _set("", "QMGR", entity, "CONNECT"), "" if certain else NOTE
            place = written(estate, qmgr, "AUTHREC", row["PROFILE"], name)
            fix = "" if others else fix
            yield Found(qmgr.name, "QMGR", "", said, fix, proof, "", "", severity, place, name, "no CONNECT")


def _changed(qmgr: QueueManager, channel: str) -> bool:
    """Whether a channel authentication record may give a channel another user."""
    return any(row.get("MCAUSER") and fnmatchcase(channel, row["CHLAUTH"]) for row in records(qmgr))


@check("channel-user-without-authority", ERROR, "The user of a channel may not put what it brings", "OAM-11")
def channel_user(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "CHANNEL"):
        has, rows = one.attributes, [row for row in _records(estate, qmgr) if row["OBJTYPE"] == "QUEUE"]
        user = has.get("MCAUSER", "")
        brings = has["CHLTYPE"] in ("RCVR", "RQSTR", "CLUSRCVR") and has["PUTAUT"] == "DEF"
        if not brings or not user or _OWNERS.fullmatch(user) or not rows or _changed(qmgr, one.name):
            continue
        own = [row for row in rows if row["ENTITY"] == user]
        others = [row for row in rows if row["ENTTYPE"] == "GROUP" and row not in own]
        if any("SETALL" in row["AUTHLIST"] for row in (*own, *others)) or not (
            own or (estate.whole(qmgr) and not others)
        ):
            continue
        puts = [row for row in own if "PUT" in row["AUTHLIST"]]
        what = (
            f"{user} has PUT and not SETALL on {puts[0]['PROFILE']}"
            if puts
            else f"no record gives {user} PUT and SETALL"
        )
        said = (
            f"channel {one.name} puts as {user}, and {what}: messages are dead-lettered with 2035, or stop the channel"
        )
        fix = "\n".join(_set(row["PROFILE"], "QUEUE", _entity(row), "SETALL") for row in puts)
        place = written(estate, qmgr, "AUTHREC", puts[0]["PROFILE"]) if puts else None
        yield Found(
            qmgr.name, "CHANNEL", one.name, said, fix, _puts(estate, qmgr, one, user, puts), "MCAUSER", "",
            "" if puts or estate.whole(qmgr) else WARNING, place, cause=user,
        )  # fmt: skip


def _puts(estate: Definitions, qmgr: QueueManager, one: Any, user: str, puts: Sequence[dict[str, Any]]) -> Proof | None:
    """A proof that a message that a channel brings is refused, and for which authority."""
    fits = lambda name: not puts or any(name == row["PROFILE"] or covers(row["PROFILE"], name) for row in puts)  # noqa: E731
    queues = (queue.name for queue in estate.own(qmgr, "QLOCAL") if queue.attributes["USAGE"] == "NORMAL")
    queue = next((name for name in queues if takes(qmgr, name, 1_000) and fits(name)), "")
    if not queue or one.attributes["CHLTYPE"] == "CLUSRCVR" or one.attributes["SSLCIPH"]:
        return None
    entity = ("GROUP", user) if puts and puts[0]["ENTTYPE"] == "GROUP" else ("PRINCIPAL", user)
    start, _ = _guarded(qmgr, ("PRINCIPAL", user))
    start += f"\nlab[{qmgr.name!r}].groups[{user!r}] = [{user!r}]" if entity[0] == "GROUP" else ""
    entries = f"[each for each in lab[{qmgr.name!r}].error_log() if each.id == 'AMQ8077W']"
    shown = f"{entries}[-1].inserts['CommentInsert3']"
    return Proof(f"{start}\n{call_in(qmgr, one, queue)}\nlab.advance(60)\n{shown}", "setall" if puts else "put/setall")


@check("authority-over-everything", NOTE, "A user may do everything with all objects", _PAGE, SECURITY)
def over_everything(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        found: dict[tuple[str, str], list[str]] = {}
        for row in _records(estate, qmgr):
            if row["PROFILE"] == "**" and expanded(row["OBJTYPE"], ("ALL",)) <= {*row["AUTHLIST"]}:
                found.setdefault(_entity(row), []).append(row["OBJTYPE"])
        for entity, sorts in found.items():
            if ADMIN.search(entity[1]) or not {"QUEUE", "CHANNEL"} & {*sorts}:
                continue
            said = f"{entity[1]} may do everything with each {', '.join(sorts)}, also of the SYSTEM objects: this is "
            said += "the authority of an administrator"
            able = any(_entity(row) == entity and "CONNECT" in row["AUTHLIST"] for row in _records(estate, qmgr))
            queue = "SYSTEM.ADMIN.COMMAND.QUEUE"
            proof = (
                _plays(qmgr, entity, f".open('{queue}', output=True).name", queue)
                if able and "QUEUE" in sorts
                else None
            )
            place = written(estate, qmgr, "AUTHREC", "**", entity[1])
            yield Found(qmgr.name, "QMGR", "", said, "", proof, place=place, about=entity[1])
