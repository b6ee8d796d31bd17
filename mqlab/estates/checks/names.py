"""Checks of names: those that nothing has, that two have, or that are of retired objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...admin.security_records import records
from ...engine.words.lexer import quoted
from ...engine.words.objects import QUEUE_KINDS, Definition
from ...lab.queue_manager import QueueManager
from ...topology.clusters import joined
from ..clustered import unsure_of
from ..definitions import Place
from ..findings import ERROR, NOTE, OPEN, RETIRED, WARNING, Found, check
from ..proofs import Proof, put_to
from ..routes import in_other_case
from ..uses import QUEUE, Use, index, key_in_index, references
from .objects import alter, each, nothing, unknown

if TYPE_CHECKING:
    from ..definitions import Definitions


@check("alias-target-missing", ERROR, "An alias leads to nothing", "MQI-14")
def alias_target_missing(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        for alias in estate.own(qmgr, "QALIAS"):
            target, kind = alias.attributes["TARGET"], "TOPIC" if alias.attributes["TARGTYPE"] == "TOPIC" else "QLOCAL"
            if qmgr.objects.named(kind, target) is not None or estate.refused(qmgr, target):
                continue
            said, near, severity = unknown(
                estate, qmgr, kind, target, fits=lambda one: one.kind not in ("QALIAS", "QMODEL")
            )
            if target and not near and (unsure := unsure_of(qmgr, kind, target)):
                said = f"cluster; alias {alias.name} leads to {target}: {unsure}"
                yield Found(qmgr.name, "QALIAS", alias.name, said, keyword="TARGET", severity=OPEN)
                continue
            proof = Proof(put_to(qmgr.name, alias.name), "2082 MQRC_UNKNOWN_ALIAS_BASE_Q")
            fix = f"DEFINE QLOCAL({quoted(target)})" if kind == "QLOCAL" else ""
            fix = alter(alias, f"TARGET({quoted(near)})") if near else fix
            if not target:
                said, severity, fix = "nothing", ERROR, f"DELETE QALIAS({quoted(alias.name)})"
            said = f"alias {alias.name} leads to {said}: a put to it fails with 2082"
            yield Found(qmgr.name, "QALIAS", alias.name, said, fix, proof, "TARGET", severity=severity)


_NAMED = {
    "STREAMQ": "QLOCAL",
    "CLUSNL": "NAMELIST",
    "TOPICOBJ": "TOPIC",
    "CONNAUTH": "AUTHINFO",
    "STGCLASS": "STGCLASS",
}
"""The attributes that no other check looks at -> the kind of the object that each of them names."""

_SAMPLES = ("DEFAULT", "NODEFINE", "REMOTE", "SYSLNGLV", "SYSTEM", "SYSVOLAT")
"""The storage classes of sample CSQ4INYS; a queue that does not set STGCLASS has DEFAULT."""


@check("name-not-defined", WARNING, "An object names another that is not defined", "IBM MQ: MQSC commands reference")
def not_defined(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        classes = any(estate.own(qmgr, "STGCLASS"))
        for one in (Definition("QMGR", "", qmgr.attributes), *estate.own(qmgr, "QLOCAL", "QALIAS", "TOPIC", "SUB")):
            for keyword, *of in references(qmgr, one):
                if keyword not in (*_NAMED, "DEST") or of[0] != qmgr.name or (keyword == "STGCLASS" and not classes):
                    continue
                kind, name = _NAMED.get(keyword, "QLOCAL"), of[2]
                known = (
                    (keyword == "STGCLASS" and name in _SAMPLES)
                    or qmgr.objects.named(kind, name) is not None
                    or name.startswith("SYSTEM.")
                    or estate.refused(qmgr, name)
                )
                if known or (kind == "QLOCAL" and unsure_of(qmgr, kind, name)):
                    continue
                yield _not_defined(estate, qmgr, one, keyword, kind, name)


def _not_defined(estate: Definitions, qmgr: QueueManager, one: Definition, keyword: str, kind: str, name: str) -> Found:
    """The finding about an attribute that names nothing."""
    near = in_other_case(qmgr, kind, name)
    near = near if near != one.name else ""
    said = f"{keyword} of {f'{one.kind} {one.name}'.strip()} names {nothing(estate, qmgr, name)}"
    said += f" ({near} differs in case only)" if near else ""
    fix = f"DEFINE {kind}({quoted(name)})" if kind in ("QLOCAL", "NAMELIST") else ""
    if near:
        change = f"{keyword}({quoted(near)})"
        fix = alter(one, change) if one.name else f"ALTER QMGR {change}"
    proof = None
    if keyword == "STREAMQ" and _must_duplicate(qmgr, one):
        said += ": every put fails, because of STRMQOS(MUSTDUP)"
        proof = Proof(put_to(qmgr.name, one.name), "2085 MQRC_UNKNOWN_OBJECT_NAME")
    severity = "" if estate.whole(qmgr) or near or proof else NOTE
    return Found(qmgr.name, one.kind, one.name, said, fix, proof, keyword, severity=severity)


def _must_duplicate(qmgr: QueueManager, queue: Definition) -> bool:
    """Whether a queue must duplicate each message, and takes puts otherwise."""
    of = queue.attributes
    return of["STRMQOS"] == "MUSTDUP" and of["PUT"] == "ENABLED" and of["USAGE"] == "NORMAL" and of["MAXDEPTH"] > 0


def _clusters(estate: Definitions) -> set[str]:
    """The clusters of which the scripts have a channel."""
    return {name for qmgr in estate.queue_managers for name in joined(qmgr)}


@check("namelist-of-unknown", NOTE, "A namelist names an object that is not defined", "IBM MQ: DEFINE NAMELIST")
def namelist_of_unknown(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        everything = [*qmgr.objects.everything(), Definition("QMGR", "", qmgr.attributes)]
        by = {key: {one.attributes.get(key) for one in everything} for key in ("CLUSNL", "REPOSNL", "SSLCRLNL")}
        names = {one.name for one in everything} | set(estate.names)
        for one in estate.own(qmgr, "NAMELIST"):
            listed, sort = one.attributes["NAMES"], one.attributes.get("NLTYPE", "NONE")
            if sort == "CLUSTER" or one.name in by["CLUSNL"] | by["REPOSNL"]:
                if missing := [name for name in listed if name not in _clusters(estate)]:
                    said = f"cluster; no script here has a channel of {missing[0]}, which namelist {one.name} names"
                    yield Found(qmgr.name, "NAMELIST", one.name, said, keyword="NAMES", severity=OPEN)
                continue
            kind = "AUTHINFO" if sort == "AUTHINFO" or one.name in by["SSLCRLNL"] else "QLOCAL"
            queues = kind == "AUTHINFO" or sort in ("QUEUE", "Q") or any(qmgr.objects.named(kind, n) for n in listed)
            known = names if kind == "QLOCAL" else {each.name for each in qmgr.objects.match((kind,))}
            missing = [name for name in listed if name and name not in known and not name.startswith("SYSTEM.")]
            missing = [name for name in missing if not estate.refused(qmgr, name)] if queues else []
            if missing:
                yield _listed(estate, qmgr, one, kind, missing)


def _listed(estate: Definitions, qmgr: QueueManager, one: Definition, kind: str, missing: list[str]) -> Found:
    """The finding about names of a namelist that nothing has."""
    near = {name: in_other_case(qmgr, kind, name) for name in missing}
    said = f"namelist {one.name} names {nothing(estate, qmgr, missing[0])}"
    said += f" ({near[missing[0]]} differs in case only)" if near[missing[0]] else ""
    said += f", and {len(missing) - 1} more such name{'s' * (len(missing) > 2)}" if len(missing) > 1 else ""
    unsure = {name: unsure_of(qmgr, kind, name) for name in missing} if kind == "QLOCAL" else {}
    if which := next((name for name in missing if unsure.get(name)), ""):
        said = f"cluster; namelist {one.name} names {which}: {unsure[which]}"
        return Found(qmgr.name, "NAMELIST", one.name, said, keyword="NAMES", severity=OPEN)
    kept = [near.get(name, name) for name in one.attributes["NAMES"]]
    fix = alter(one, "NAMES({})".format(",".join(quoted(name) for name in kept if name) or quoted("")))
    asked = f"lab[{qmgr.name!r}].mqsc({f'DISPLAY AUTHINFO({missing[0]!r})'!r}).replies[0].code"
    proof = Proof(put_to(qmgr.name, missing[0]), "2085 MQRC_UNKNOWN_OBJECT_NAME")
    proof = proof if kind == "QLOCAL" else Proof(asked, "AMQ8147E")
    return Found(qmgr.name, "NAMELIST", one.name, said, fix, proof, "NAMES")


@check("record-of-nothing", NOTE, "A security record is about nothing", "IBM MQ: SET AUTHREC")
def record_of_nothing(estate: Definitions) -> Iterator[Found]:
    sorts = {"QUEUE": QUEUE_KINDS, "CHANNEL": ("CHANNEL",), "TOPIC": ("TOPIC",), "PROCESS": ("PROCESS",)}
    for qmgr in estate.queue_managers:
        members = bool(joined(qmgr))
        keys = records(qmgr) if estate.whole(qmgr) else {}
        about = dict.fromkeys((key[0], key[1], "CHANNEL" if key[0] == "CHLAUTH" else key[2]) for key in keys)
        for verb, profile, sort in about:
            kinds = sorts.get(sort, ())
            unclear = re.search(r"[*?%]|^@|^SYSTEM[.]", profile) or (sort == "QUEUE" and members)
            if unclear or not kinds or not any(estate.own(qmgr, *kinds)):
                continue
            if any(qmgr.objects.get(kind, profile) for kind in kinds):
                continue
            if not estate.refused(qmgr, profile):
                said = f"a record of {verb} is about {sort} {profile}, which is not defined"
                place, which = _written(estate, qmgr, verb, profile), f"{verb} {sort} {profile}"
                command = f"DISPLAY {sort}({quoted(profile)})"
                proof = Proof(f"lab[{qmgr.name!r}].mqsc({command!r}).replies[0].code", "AMQ8147E")
                yield Found(qmgr.name, "QMGR", "", said, "", proof, place=place, about=which)


@check("record-misspelled", WARNING, "A security record misses a channel", "IBM MQ: Channel authentication records")
def record_misspelled(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        channels = {one.name: _letters(one.name) for one in estate.own(qmgr, "CHANNEL")}
        profiles = {key[1] for key in records(qmgr) if key[0] == "CHLAUTH"} - set(channels)
        for profile in sorted(profiles):
            near = next((name for name, letters in channels.items() if letters == _letters(profile)), "")
            if near and not estate.refused(qmgr, profile):
                said = (
                    f"records of CHLAUTH are about channel {profile}, which is not defined; {near} is: nothing maps or "
                )
                said += "blocks as meant"
                place = _written(estate, qmgr, "CHLAUTH", profile)
                yield Found(qmgr.name, "CHANNEL", near, said, place=place, about=profile)


def _letters(name: str) -> tuple[list[str], list[str]]:
    """The letters of a name without their order and case, and its other characters in order."""
    return sorted(filter(str.isalpha, name.upper())), [each for each in name if not each.isalpha()]


def _written(estate: Definitions, qmgr: QueueManager, verb: str, profile: str) -> Place | None:
    """Where a security record of this profile is set."""
    for part, reply in zip(estate.parts, estate.replies, strict=True):
        for one in reply.replies if part.qmgr == qmgr.name else ():
            if one.verb == "SET" and re.search(rf"(?i){verb}\b.*\(\s*'?{re.escape(profile)}\b", one.command):
                return Place(part.file, one.line)
    return None


@check("cluster-not-judged", OPEN, "A member of a cluster", "IBM MQ: Distributed queuing and clusters")
def cluster(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        channels = [one for one in estate.own(qmgr, "CHANNEL") if one.attributes["CHLTYPE"].startswith("CLUS")]
        if channels:
            name = next(iter(joined(qmgr)), "") or channels[0].attributes["CLUSTER"]
            said = f"cluster; {qmgr.name} is a member of {name or 'a cluster'}, which may have queues "
            said += "and queue managers that no script defines: targets of aliases, remote definitions, backout queues"
            yield Found(qmgr.name, "CHANNEL", channels[0].name, said)


_NOT_YET = r"(?! *(?:FOR|IN|ON|WITH)\b)(?!.*\b(?:BEFORE|EXCEPT|TILL|UNLESS|UNTIL|WITHOUT)\b)"
_WORDS = rf"OBSOLETE|DEPRECATED|DECOMMISSIONED|DO[ ._]?NOT[ ._]?USE{_NOT_YET}|NO LONGER (?:USED|IN USE)"
_SAID = re.compile(rf"(?i)(?<![A-Z])(?:{_WORDS})(?![A-Z])|\bRETIRED(?= *(?:$|[^ A-Z]|(?:IN|ON|SINCE|BY)\b))")
_NAMED_RETIRED = re.compile(
    r"(?i)(?<![A-Z])(?:OBSOLETE|DEPRECATED|DECOMMISSIONED|DO[._]?NOT[._]?USE)(?![A-Z])|\bRETIRED$"
)
_KINDS = (*QUEUE_KINDS, "CHANNEL", "CLNTCONN", "PROCESS", "NAMELIST", "TOPIC", "SUB", "CFSTRUCT", "STGCLASS")
_PAGE = "IBM MQ: ALTER queues (alter queue settings)"


def _says(one: Definition) -> str:
    """The reason to think that an object is retired, "" if there is none."""
    if _SAID.search(one.attributes.get("DESCR", "")):
        return f"its DESCR is {one.attributes['DESCR']!r}"
    return "its name says so" if _NAMED_RETIRED.search(one.name) else ""


def _retired(estate: Definitions) -> Iterator[tuple[QueueManager, Definition, str, list[Use]]]:
    """Each retired object, what says so, and the uses of it by objects that are not retired themselves."""
    found = [(qmgr, one, said) for qmgr, one in each(estate, *_KINDS) if (said := _says(one))]
    by = index(estate) if found else {}
    gone = {(qmgr.name, one.kind, one.name) for qmgr, one, _ in found}
    for qmgr, one, said in found:
        kind = QUEUE if one.kind in QUEUE_KINDS else one.kind
        uses = by.get(key_in_index(estate, qmgr.name, kind, one.name), [])
        yield qmgr, one, said, [use for use in uses if (use.qmgr, use.kind, use.name) not in gone]


@check("object-retired", NOTE, "A retired object that nothing refers to", _PAGE, RETIRED)
def object_retired(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, because, uses in _retired(estate):
        if not uses:
            said = f"{one.kind} {one.name} is retired ({because}), and no object here refers to it"
            private = one.attributes.get("QSGDISP", "QMGR") == "QMGR" and one.kind != "CFSTRUCT"
            fix = f"DELETE {one.kind}({quoted(one.name)})" if private else ""
            yield Found(qmgr.name, one.kind, one.name, said, fix, None, "DESCR")


@check("retired-object-used", WARNING, "An object leads to a retired one", _PAGE)
def retired_object_used(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, because, uses in _retired(estate):
        for use in {(use.qmgr, use.kind, use.name): use for use in uses}.values():
            who = f"{use.kind} {use.name}".strip()
            at = "" if use.qmgr == qmgr.name else f" of {qmgr.name}"
            said = f"{who} names {one.kind} {one.name}{at} in {use.attribute}, which is retired ({because})"
            about = f"{qmgr.name} {one.kind} {one.name}"
            yield Found(use.qmgr, use.kind, use.name, said, "", None, use.attribute, about=about)
