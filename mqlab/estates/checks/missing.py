"""Checks of attributes that name an object: what each row of one table (missing.toml) names must be defined."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..clustered import in_cluster, unsure_of
from ..findings import ERROR, NOTE, OPEN, Found, check, fault
from ..proofs import Proof, put_to
from .channels import called_by, xmitq_for
from .dead_letters import define_backout, fix_at
from .objects import alter, owners, unknown

if TYPE_CHECKING:
    from ..definitions import Definitions

_Row = Mapping[str, Any]


def _put(qmgr: QueueManager, _: Definition, name: str) -> Proof:
    """A proof that a put to the name fails."""
    return Proof(put_to(qmgr.name, name), "2085 MQRC_UNKNOWN_OBJECT_NAME")


def _duplicates(qmgr: QueueManager, queue: Definition, _: str) -> Proof | None:
    """A proof that a put fails to a queue that must duplicate each message, and takes puts otherwise."""
    of = queue.attributes
    must = of["STRMQOS"] == "MUSTDUP" and of["PUT"] == "ENABLED" and of["USAGE"] == "NORMAL" and of["MAXDEPTH"] > 0
    return _put(qmgr, queue, queue.name) if must else None


_PROOFS: dict[str, Callable[[QueueManager, Definition, str], Proof | None]] = {
    "put to the alias": lambda qmgr, alias, _: Proof(put_to(qmgr.name, alias.name), "2082 MQRC_UNKNOWN_ALIAS_BASE_Q"),
    "put to the name": _put,
    "put to a queue that must duplicate": _duplicates,
    "start the channel": called_by,
}
_DEFINES: dict[str, Callable[[QueueManager, Definition, str], str]] = {
    "backout": define_backout,
    "transmission": lambda qmgr, _, name: xmitq_for(qmgr, name),
}
_SAMPLES = ("DEFAULT", "NODEFINE", "REMOTE", "SYSLNGLV", "SYSTEM", "SYSVOLAT")
"""The storage classes of sample CSQ4INYS; a queue that does not set STGCLASS has DEFAULT."""

_NUMBERED = ("PSID", "BUFFPOOL")
"""The kinds of objects whose names are numbers, with or without a 0 before them."""


def _may_be(
    estate: Definitions, qmgr: QueueManager, definition: Definition, kind: str, keyword: str, name: str
) -> bool:
    """Whether a name may have an object that no script needs to define."""
    known = any(each.objects.named(kind, name) for each in owners(qmgr, definition)) or estate.refused(qmgr, name)
    system = name.startswith("SYSTEM.") and keyword not in ("TARGET", "BOQNAME", "DEADQ")
    elsewhere = keyword == "DEST" and definition.attributes["DESTQMGR"] not in ("", qmgr.name)
    sample = keyword == "STGCLASS" and (name in _SAMPLES or not any(estate.own(qmgr, "STGCLASS")))
    numbers = [int(one.name) for one in estate.own(qmgr, kind)] if kind in _NUMBERED else []
    numbered = (kind == "PSID" and not numbers) or (bool(numbers) and int(name) in numbers)  # CSQINP1 has the page sets
    return bool(known or system or elsewhere or sample or numbered)


def _found(estate: Definitions, qmgr: QueueManager, definition: Definition, row: _Row) -> Iterator[Found]:
    """The finding about an attribute of an object that names nothing."""
    keyword, certain, unfit = row["keyword"], "severity" in row, row.get("unfit", "").split()
    name = str(definition.attributes.get(keyword, ""))
    kind = "TOPIC" if definition.attributes.get("TARGTYPE") == "TOPIC" else row["kind"]
    if _may_be(estate, qmgr, definition, kind, keyword, name) or not (name or keyword == "TARGET"):
        return
    what, near, severity, fix = "nothing", "", ERROR, f"DELETE QALIAS({quoted(definition.name)})"
    proof = _PROOFS[row["proof"]](qmgr, definition, name) if "proof" in row else None
    if name:
        fits = lambda near_by: near_by is not definition and near_by.kind not in unfit  # noqa: E731
        what, near, severity = unknown(estate, qmgr, kind, name, fits=fits)
        if not near and definition.kind not in ("QMGR", "CHANNEL") and (unsure := unsure_of(qmgr, kind, name)):
            # cluster-alias-astray judges an alias in a cluster
            if certain and not (qmgr.objects.clusters_of(definition) and in_cluster(qmgr, kind, name)):
                sentence = f"cluster; {keyword} of {definition.name} is {name}: {unsure}"
                yield fault(qmgr, definition, sentence, keyword=keyword, severity=OPEN)
            return
        fix = f"DEFINE {kind}({quoted(name)})" if row.get("define") and kind != "TOPIC" else ""
        fix = _DEFINES[row["define"]](qmgr, definition, name) if row.get("define") in _DEFINES else fix
        fix = alter(definition, f"{keyword}({quoted(near)})") if near else fix
    if not certain:
        numbered = kind in _NUMBERED and any(estate.own(qmgr, kind))
        severity = "" if estate.whole(qmgr) or near or proof or numbered else NOTE
    sentence = row.get("said", f"{keyword} of {definition.kind} {{name}}".strip() + " names {what}")
    sentence = " ".join(sentence.format(name=definition.name, what=what).split())
    sentence += ": every put fails, because of STRMQOS(MUSTDUP)" if proof and not certain else ""
    yield fault(qmgr, definition, sentence, fix, proof, keyword, fix_at(qmgr, definition), severity)


def _check(*rows: _Row) -> Callable[[Definitions], Iterator[Found]]:
    """The check that rows make."""

    def missing(estate: Definitions) -> Iterator[Found]:
        for qmgr in estate.queue_managers:
            for definition in (Definition("QMGR", "", qmgr.attributes), *estate.own(qmgr)):
                for row in rows:
                    if definition.kind in row["on"].split() and row["keyword"] in definition.attributes:
                        yield from _found(estate, qmgr, definition, row)

    return missing


_TABLE = tomllib.loads(files(__package__).joinpath("missing.toml").read_text("utf-8"))
for _row in _TABLE["row"]:
    check(_row["id"], _row["severity"], _row["title"], _row["source"])(_check(_row))
_PAGE = "IBM MQ: MQSC commands reference"
check("name-not-defined", "warning", "An object names another that is not defined", _PAGE)(_check(*_TABLE["other"]))
