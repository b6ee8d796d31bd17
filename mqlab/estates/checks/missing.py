"""Checks of attributes that name an object: what each row of one table names must be defined."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from ...engine.words.lexer import quoted
from ...engine.words.objects import QUEUE_KINDS, Definition
from ...lab.queue_manager import QueueManager
from ..clustered import unsure_of
from ..findings import ERROR, NOTE, OPEN, WARNING, Found, check
from ..proofs import Proof, put_to
from .channels import called_by, xmitq_for
from .dead_letters import define_backout, fix_at
from .objects import alter, owners, unknown

if TYPE_CHECKING:
    from ..definitions import Definitions


class _Row(NamedTuple):
    """An attribute that names an object: its check, the kinds of objects that have it, the kind that it names, what is
    wrong if nothing has the name, MQSC that defines it, and a proof; kinds that a name in another case cannot mean."""

    id: str
    severity: str
    title: str
    source: str
    keyword: str
    on: tuple[str, ...]
    kind: str
    said: str
    define: Callable[[QueueManager, Definition, str], str] = lambda _qmgr, _one, _name: ""
    proof: Callable[[QueueManager, Definition, str], Proof | None] = lambda _qmgr, _one, _name: None
    unfit: tuple[str, ...] = ()


def _define(kind: str) -> Callable[[QueueManager, Definition, str], str]:
    return lambda _qmgr, _one, name: f"DEFINE {kind}({quoted(name)})"


def _unknown_object(qmgr: QueueManager, _: Definition, name: str) -> Proof:
    """A proof that a put to the name fails."""
    return Proof(put_to(qmgr.name, name), "2085 MQRC_UNKNOWN_OBJECT_NAME")


def _duplicates(qmgr: QueueManager, queue: Definition, _: str) -> Proof | None:
    """A proof that a put fails to a queue that must duplicate each message, and takes puts otherwise."""
    of = queue.attributes
    must = of["STRMQOS"] == "MUSTDUP" and of["PUT"] == "ENABLED" and of["USAGE"] == "NORMAL" and of["MAXDEPTH"] > 0
    return _unknown_object(qmgr, queue, queue.name) if must else None


_ID, _SAID = "name-not-defined", "{keyword} of {kind} {name} names {what}"
_OTHERS = (_ID, WARNING, "An object names another that is not defined", "IBM MQ: MQSC commands reference")
_ROWS = (
    _Row(
        "alias-target-missing", ERROR, "An alias leads to nothing", "MQI-14", "TARGET", ("QALIAS",), "QLOCAL",
        "alias {name} leads to {what}: a put to it fails with 2082", _define("QLOCAL"),
        lambda qmgr, one, _: Proof(put_to(qmgr.name, one.name), "2082 MQRC_UNKNOWN_ALIAS_BASE_Q"), ("QALIAS", "QMODEL"),
    ),
    _Row(
        "backout-queue-missing", ERROR, "A backout queue is not defined", "MQI-14", "BOQNAME", ("QLOCAL",), "QLOCAL",
        "the BOQNAME of {name} is {what}: a program that gives up on a message keeps it", define_backout,
        _unknown_object, ("QMODEL",),
    ),
    _Row(
        "dead-letter-queue-missing", ERROR, "The dead-letter queue is not defined", "CHL-17", "DEADQ", ("QMGR",),
        "QLOCAL", "DEADQ names {what}: a channel stops at a message that it cannot deliver", _define("QLOCAL"),
        _unknown_object, ("QALIAS", "QMODEL", "QREMOTE"),
    ),
    _Row(
        "channel-xmitq-missing", ERROR, "A channel sends from a queue that is not defined", "CHL-02", "XMITQ",
        ("CHANNEL",), "QLOCAL", "channel {name} sends from {what}: the channel does not start",
        lambda qmgr, _, name: xmitq_for(qmgr, name), called_by,
    ),
    _Row(*_OTHERS, "STREAMQ", ("QLOCAL",), "QLOCAL", _SAID, _define("QLOCAL"), _duplicates),
    _Row(*_OTHERS, "CLUSNL", (*QUEUE_KINDS, "CHANNEL", "TOPIC"), "NAMELIST", _SAID, _define("NAMELIST")),
    _Row(*_OTHERS, "TOPICOBJ", ("SUB",), "TOPIC", _SAID),
    _Row(*_OTHERS, "CONNAUTH", ("QMGR",), "AUTHINFO", _SAID),
    _Row(*_OTHERS, "STGCLASS", QUEUE_KINDS, "STGCLASS", _SAID),
    _Row(*_OTHERS, "DEST", ("SUB",), "QLOCAL", _SAID, _define("QLOCAL")),
)  # fmt: skip
_SAMPLES = ("DEFAULT", "NODEFINE", "REMOTE", "SYSLNGLV", "SYSTEM", "SYSVOLAT")
"""The storage classes of sample CSQ4INYS; a queue that does not set STGCLASS has DEFAULT."""


def _found(estate: Definitions, qmgr: QueueManager, one: Definition, row: _Row) -> Iterator[Found]:
    """The finding about an attribute of an object that names nothing."""
    name = one.attributes.get(row.keyword, "")
    kind = "TOPIC" if one.attributes.get("TARGTYPE") == "TOPIC" else row.kind
    others, keyword, near = row.id == _ID, row.keyword, ""
    known = any(each.objects.named(kind, name) for each in owners(qmgr, one)) or estate.refused(qmgr, name)
    system = name.startswith("SYSTEM.") and (others or one.kind == "CHANNEL")
    elsewhere = keyword == "DEST" and one.attributes["DESTQMGR"] not in ("", qmgr.name)
    sample = keyword == "STGCLASS" and (name in _SAMPLES or not any(estate.own(qmgr, "STGCLASS")))
    if known or system or elsewhere or sample or not (name or keyword == "TARGET"):
        return
    what, severity, fix = "nothing", ERROR, f"DELETE QALIAS({quoted(one.name)})"
    proof = row.proof(qmgr, one, name)
    if name:
        what, near, severity = unknown(
            estate, qmgr, kind, name, fits=lambda found: found is not one and found.kind not in row.unfit
        )
        if not near and one.kind not in ("QMGR", "CHANNEL") and (unsure := unsure_of(qmgr, kind, name)):
            if not others:
                said = f"cluster; {keyword} of {one.name} is {name}: {unsure}"
                yield Found(qmgr.name, one.kind, one.name, said, keyword=keyword, severity=OPEN)
            return
        define = row.define(qmgr, one, name) if kind == row.kind else ""
        fix = alter(one, f"{keyword}({quoted(near)})") if near else define
    if others:
        severity = "" if estate.whole(qmgr) or near or proof else NOTE
    said = " ".join(row.said.format(keyword=keyword, kind=one.kind, name=one.name, what=what).split())
    said += ": every put fails, because of STRMQOS(MUSTDUP)" if proof and keyword == "STREAMQ" else ""
    yield Found(qmgr.name, one.kind, one.name, said, fix, proof, keyword, fix_at(qmgr, one), severity)


def _check(rows: list[_Row]) -> Callable[[Definitions], Iterator[Found]]:
    """The check that these rows make."""

    def missing(estate: Definitions) -> Iterator[Found]:
        for qmgr in estate.queue_managers:
            for one in (Definition("QMGR", "", qmgr.attributes), *estate.own(qmgr)):
                for row in rows:
                    if one.kind in row.on and row.keyword in one.attributes:
                        yield from _found(estate, qmgr, one, row)

    return missing


for (_id, _severity, _title, _source), _rows in groupby(_ROWS, lambda row: row[:4]):
    check(_id, _severity, _title, _source)(_check(list(_rows)))
