"""The definitions of a queue manager as MQSC, in the manner of dmpmqcfg: `QueueManager.export_mqsc`.

First ALTER QMGR, then DELETE for each SYSTEM object that is missing, then DEFINE ... REPLACE for each object that a new
queue manager does not have or has with other values, by kind and name, then the security records; each with the
attributes that differ from what the command would give by itself, one a line. Text that looks like a template's
placeholder is written as it is and, as everywhere, refused when read back. Run on the queue manager it came from, it
changes nothing but dates, and DELETE of a missing object is refused.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..engine.commands.coverage import UNREAD
from ..engine.words import catalog
from ..engine.words.catalog import Attribute
from ..engine.words.errors import LabError, visible
from ..engine.words.lexer import quoted
from ..engine.words.objects import Definition
from .security_records import born, records

# the structures come before the queues in them
_KINDS = (*sorted(catalog.DEFINABLE, key="CFSTRUCT".__ne__), "CLNTCONN")
_HEAD = """\
* Definitions written by mqlab
* Queue manager name: {0.name}
* Queue manager platform: {1}
* Queue manager command level: ({0.level}/{0.level})
"""
_DYNAMIC = ("PERMDYN", "TEMPDYN", "SHAREDYN")
_DATES = ("ALTDATE", "ALTTIME")


def export(qmgr: Any) -> str:
    """MQSC that makes a new queue manager of the same platform like this one, messages and dates excepted.

    LabError when a value holds a line end, which MQSC cannot write.
    """
    found = [definition for kind in _KINDS for definition in _objects(qmgr, kind)]
    kept = [definition for definition in found if not _dynamic(definition.kind, definition.attributes)]
    new = {key: values for key, (values, _) in catalog.system_objects(qmgr.platform, qmgr.level).items()}
    changed = [each for each in kept if not _is(qmgr, each, new.get((each.kind, each.name)))]
    defines = (_definition(qmgr, definition) for definition in changed)
    commands = [_queue_manager(qmgr), *_deletions(qmgr, new), *defines, *_records(qmgr)]
    if qmgr.platform == "zos":
        commands = [_in_columns(command) for command in commands]
    head = _HEAD.format(qmgr, {"zos": "MVS", "vse": "VSE"}.get(qmgr.platform, "UNIX"))
    return "\n".join((head, *(f"{command}\n" for command in commands if command)))


def definitions(qmgr: Any, new: bool = False) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the definitions that `export` compares: (kind, name) -> the attributes that a command can set, with their
    current values, or with those of a `new` queue manager. The queue manager itself is ("QMGR", ""); its records have
    the kinds CHLAUTH and AUTHREC."""
    of_qmgr, label = qmgr.attributes, catalog.certificate_label("<name>", qmgr.platform)
    if new or of_qmgr.get("CERTLABL") == catalog.certificate_label(qmgr.name, qmgr.platform):
        of_qmgr = of_qmgr | {"CERTLABL": label}  # which has the name of the queue manager in it
    if new:
        of_qmgr = catalog.defaults("QMGR", qmgr.platform) | {"CERTLABL": label}
        by_key = {key: values for key, (values, _) in catalog.system_objects(qmgr.platform, qmgr.level).items()}
    else:
        by_key = {(one.kind, one.name): one.attributes for kind in _KINDS for one in _objects(qmgr, kind)}
    by_key = {("QMGR", ""): of_qmgr} | {key: has for key, has in by_key.items() if not _dynamic(key[0], has)}
    for (kind, name), has in by_key.items():
        settable = _settable(qmgr.platform, qmgr.level, kind, has.get("CHLTYPE"))
        by_key[kind, name] = {keyword: has[keyword] for keyword in settable if keyword in has}
    for key, row in (born if new else records)(qmgr).items():
        by_key[key[0], " ".join(key[1:]).strip()] = {k: value for k, value in row.items() if k not in _DATES}
    return by_key


_DELETED = {"CLNTCONN": "CHLTABLE(CLNTTBL)", "QLOCAL": "PURGE"}
"""The parameter of DELETE for a kind; PURGE, because a new queue manager can have put its start event on the queue."""


def _deletions(qmgr: Any, new: dict) -> list[str]:
    """DELETE of each SYSTEM object that is not there, or there with what no DEFINE REPLACE can change."""
    commands = []
    for (kind, name), values in new.items():
        fixed = [k for k, a in catalog.attributes(kind, values.get("CHLTYPE")).items() if a.needed and a.only_define]
        now = qmgr.objects.get(kind, name)
        if now is None or any(now.attributes[keyword] != values[keyword] for keyword in fixed):
            commands.append(_command("DELETE", kind, name, {}, {}, _DELETED.get(kind, "")))
    return commands


def _dynamic(kind: str, attributes: dict) -> bool:
    """Whether an object is a dynamic queue."""
    return kind == "QLOCAL" and attributes.get("DEFTYPE") in _DYNAMIC


def _in_columns(command: str) -> str:
    """The command in columns 1 to 72, which are what z/OS reads of a line."""
    # a value goes on in column 1 after a -, but after a + where a line that began with its asterisk would be a comment
    lines = []
    for line in command.split("\n"):
        while len(line) > 72:
            sign, indent = ("+", "   ") if line[71] == "*" else ("-", "")
            lines.append(line[:71] + sign)
            line = indent + line[71:]
        lines.append(line)
    return "\n".join(lines)


def _records(qmgr: Any) -> list[str]:
    """SET CHLAUTH and SET AUTHREC of the records that a new queue manager has not, or has otherwise."""
    at_birth, kept, commands = born(qmgr), records(qmgr), []
    gone = [row | {"ACTION": "REMOVEALL"} for key, row in at_birth.items() if key not in kept]
    for row in [*gone, *(row | {"ACTION": "REPLACE"} for key, row in kept.items() if at_birth.get(key) != row)]:
        kind = "CHLAUTH" if "CHLAUTH" in row else "AUTHREC"
        if kind == "AUTHREC":
            row |= {row["ENTTYPE"]: (row["ENTITY"],), "AUTHADD": row["AUTHLIST"]}
        *_, known = catalog.keywords("SET", kind) or ({},)
        attributes = {k: attribute for k, attribute in known.items() if attribute.since <= qmgr.level}
        left_out = {"AUTHLIST"} if row not in gone else {*attributes} - {"TYPE", "ACTION"}
        needed = {"CLNTUSER", "MCAUSER", "QMNAME", "SSLPEER", "ADDRESS" if row.get("TYPE") == "ADDRESSMAP" else ""}
        wanted = {k: attributes[k] for k in row if k in attributes and k not in left_out and (row[k] or k in needed)}
        commands.append(_command("SET", kind, row.get("CHLAUTH"), wanted, row, ""))
    return commands


def _objects(qmgr: Any, kind: str) -> list[Definition]:
    """The objects of a kind: the masters of its group, its own, the shared ones, and copies that someone altered."""
    group = qmgr.kept.get("sharing")
    masters = [] if group is None else group.masters.objects.match((kind,))
    copies = {one.name: one.attributes | {"QSGDISP": "COPY"} for one in masters}
    own = [one for one in qmgr.objects.match((kind,)) if not _is(qmgr, one, copies.get(one.name))]
    return [*masters, *(_by_command(own) if kind == "SUB" else own)]


def _by_command(subscriptions: list[Definition]) -> list[Definition]:
    """The subscriptions that commands made, without the queue that the queue manager made for a managed one."""
    made = [(one, one.attributes) for one in subscriptions if one.attributes["SUBTYPE"] == "ADMIN"]
    nowhere = {"DEST": "", "DESTQMGR": ""}
    return [Definition(one.kind, one.name, has | nowhere) if has["DESTCLAS"] == "MANAGED" else one for one, has in made]


@cache
def _settable(platform: str, level: int, kind: str, chltype: str | None = None) -> dict[str, Attribute]:
    """The attributes that a command can set on a queue manager of this platform and level."""
    every = catalog.attributes(kind, chltype).items()
    return {k: a for k, a in every if a.settable and a.had_by(platform, level) and k not in UNREAD}


def _queue_manager(qmgr: Any) -> str:
    born, attributes = catalog.defaults("QMGR", qmgr.platform), _settable(qmgr.platform, qmgr.level, "QMGR")
    born["CERTLABL"] = catalog.certificate_label(qmgr.name, qmgr.platform)
    now = qmgr.attributes
    wanted = {k: a for k, a in attributes.items() if k in now and now[k] != born.get(k)}
    return _command("ALTER", "QMGR", None, wanted, now, "") if wanted else ""


def _definition(qmgr: Any, definition: Definition) -> str:
    """DEFINE ... REPLACE of one object; safe too where the default object it starts from was altered."""
    values, chltype = definition.attributes, definition.attributes.get("CHLTYPE")
    attributes = _settable(qmgr.platform, qmgr.level, definition.kind, chltype)
    bases = [catalog.defaults(definition.kind, qmgr.platform, chltype)]
    default = qmgr.objects.get(definition.kind, catalog.default_object(definition.kind, values))
    bases += [default.attributes] if default is not None else []
    if values.get("QSGDISP") == "COPY":  # whose values it would take for missing attributes
        bases.append(qmgr.kept["sharing"].masters.objects.get(definition.kind, definition.name).attributes)
    wanted = {
        keyword: attribute
        for keyword, attribute in attributes.items()
        if keyword in values and (attribute.needed or any(base.get(keyword) != values[keyword] for base in bases))
    }
    return _command("DEFINE", definition.kind, definition.name, wanted, values, "REPLACE")


def _is(qmgr: Any, definition: Definition, values: dict | None) -> bool:
    """Whether an object has these values in all that can be set."""
    settable = _settable(qmgr.platform, qmgr.level, definition.kind, definition.attributes.get("CHLTYPE"))
    return values is not None and all(definition.attributes.get(keyword) == values.get(keyword) for keyword in settable)


def _command(verb: str, kind: str, name: str | None, wanted: dict[str, Attribute], values: dict, closing: str) -> str:
    """One command, one attribute on each line; no line ends in an unintended + or -."""
    word, about = "CHANNEL" if kind == "CLNTCONN" else kind, "the queue manager" if name is None else f"{kind} {name}"
    head = f"{verb} {word}" + (f"({_written(name, word)})" if name is not None else "")
    cells = [_cell(attribute, values[keyword], about) for keyword, attribute in wanted.items()]
    return " +\n   ".join([head, *cells, *([closing] if closing else [])])


def _cell(attribute: Attribute, value: Any, owner: str) -> str:
    keyword = attribute.keyword
    if attribute.shape == "flag":
        return keyword if value else f"NO{keyword}"
    if attribute.shape == "names":
        between = ", +\n" + " " * (len(keyword) + 4)
        return f"{keyword}({between.join(_written(item, f'{keyword} of {owner}') for item in value)})"
    if attribute.shape in ("text", "name"):
        return f"{keyword}({_written(value, f'{keyword} of {owner}', attribute.trailing_blanks)})"
    return f"{keyword}({attribute.shown(value)})"


def _written(text: str, subject: str, blanks_count: bool = False) -> str:
    """A text in quotes; LabError if no command can have it."""
    if "\n" in text or "\r" in text:
        remedy = "MQSC cannot write a line end: ALTER it first"
        raise LabError(f"{subject} must be text on one line; got {text!r}. {remedy}")
    return quoted(visible(text), "" if blanks_count else " ")
