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
from ..findings import NOTE, OPEN, RETIRED, WARNING, Found, check, fault
from ..proofs import Proof, put_to
from ..routes import in_other_case
from ..uses import QUEUE, Use, index, key_in_index
from .objects import alter, each, nothing

if TYPE_CHECKING:
    from ..definitions import Definitions


@check("namelist-of-unknown", NOTE, "A namelist names an object that is not defined", "IBM MQ: DEFINE NAMELIST")
def namelist_of_unknown(estate: Definitions) -> Iterator[Found]:
    clusters = {name for qmgr in estate.queue_managers for name in joined(qmgr)}
    for qmgr in estate.queue_managers:
        everything = [*qmgr.objects.everything(), Definition("QMGR", "", qmgr.attributes)]
        by = {key: {one.attributes.get(key) for one in everything} for key in ("CLUSNL", "REPOSNL", "SSLCRLNL")}
        names = {one.name for one in everything} | set(estate.names)
        for one in estate.own(qmgr, "NAMELIST"):
            listed, sort = one.attributes["NAMES"], one.attributes.get("NLTYPE", "NONE")
            if sort == "CLUSTER" or one.name in by["CLUSNL"] | by["REPOSNL"]:
                if missing := [name for name in listed if name not in clusters]:
                    said = f"cluster; no script here has a channel of {missing[0]}, which namelist {one.name} names"
                    yield fault(qmgr, one, said, keyword="NAMES", severity=OPEN)
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
        return fault(qmgr, one, said, keyword="NAMES", severity=OPEN)
    kept = [near.get(name, name) for name in one.attributes["NAMES"]]
    fix = alter(one, "NAMES({})".format(",".join(quoted(name) for name in kept if name) or quoted("")))
    asked = f"lab[{qmgr.name!r}].mqsc({f'DISPLAY AUTHINFO({missing[0]!r})'!r}).replies[0].code"
    proof = Proof(put_to(qmgr.name, missing[0]), "2085 MQRC_UNKNOWN_OBJECT_NAME")
    proof = proof if kind == "QLOCAL" else Proof(asked, "AMQ8147E")
    return fault(qmgr, one, said, fix, proof, "NAMES")


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
            if not any(qmgr.objects.get(kind, profile) for kind in kinds) and not estate.refused(qmgr, profile):
                said = f"a record of {verb} is about {sort} {profile}, which is not defined"
                place, which = written(estate, qmgr, verb, profile), f"{verb} {sort} {profile}"
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
                said = f"records of CHLAUTH are about channel {profile}, which is not defined; {near} is: "
                said += "nothing maps or blocks as meant"
                place = written(estate, qmgr, "CHLAUTH", profile)
                yield Found(qmgr.name, "CHANNEL", near, said, place=place, about=profile)


def _letters(name: str) -> tuple[list[str], list[str]]:
    """The letters of a name without their order and case, and its other characters in order."""
    return sorted(filter(str.isalpha, name.upper())), [each for each in name if not each.isalpha()]


def written(estate: Definitions, qmgr: QueueManager, verb: str, profile: str, who: str = "") -> Place | None:
    """Where a security record of this profile is set, for the user `who`."""
    record = re.compile(rf"(?is){verb}\b.*\(\s*'?{re.escape(profile)}(?=['\s)])")
    for part, command in estate.ran(qmgr.name):
        if command.verb == "SET" and who in command.command and record.search(command.command):
            return Place(part.file, command.line)
    return None


@check("cluster-not-judged", OPEN, "A member of a cluster", "IBM MQ: Distributed queuing and clusters")
def cluster(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        channels = [one for one in estate.own(qmgr, "CHANNEL") if one.attributes["CHLTYPE"].startswith("CLUS")]
        if channels:
            name = next(iter(joined(qmgr)), "") or channels[0].attributes["CLUSTER"]
            said = f"cluster; {qmgr.name} is a member of {name or 'a cluster'}, which may have queues "
            said += "and queue managers that no script defines: targets of aliases, remote definitions, backout queues"
            yield Found(qmgr.name, "QMGR", "", said, place=estate.place(qmgr.name, "CHANNEL", channels[0].name))


_NOT_YET = r"(?! *(?:FOR|IN|ON|WITH)\b)(?!.*\b(?:BEFORE|EXCEPT|TILL|UNLESS|UNTIL|WITHOUT)\b)"
_GONE = "OBSOLETE|DEPRECATED|DECOMMISSIONED"
_WORDS = rf"{_GONE}|DO[ ._]?NOT[ ._]?USE{_NOT_YET}|NO LONGER (?:USED|IN USE)"
_SAID = re.compile(rf"(?i)(?<![A-Z])(?:{_WORDS})(?![A-Z])|\bRETIRED(?= *(?:$|[^ A-Z]|(?:IN|ON|SINCE|BY)\b))")
_NAMED_RETIRED = re.compile(rf"(?i)(?<![A-Z])(?:{_GONE}|DO[._]?NOT[._]?USE)(?![A-Z])|\bRETIRED$")
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
            yield fault(qmgr, one, said, fix, None, "DESCR")


@check("retired-object-used", WARNING, "An object leads to a retired one", _PAGE)
def retired_object_used(estate: Definitions) -> Iterator[Found]:
    for qmgr, one, because, uses in _retired(estate):
        for use in {(use.qmgr, use.kind, use.name): use for use in uses}.values():
            who = f"{use.kind} {use.name}".strip()
            at = "" if use.qmgr == qmgr.name else f" of {qmgr.name}"
            said = f"{who} names {one.kind} {one.name}{at} in {use.attribute}, which is retired ({because})"
            about = f"{qmgr.name} {one.kind} {one.name}"
            yield Found(use.qmgr, use.kind, use.name, said, "", None, use.attribute, about=about)
