"""How the smaller things of a lab look in a notebook: channels, applications, units of work, programs, rules, chapters.

Everything is (text, html), and nothing here changes anything.
"""

from __future__ import annotations

from itertools import islice

from ..frames.moments import duration
from ..text import plural
from .cards import card
from .queues import SHOWN
from .tables import Code, Gap, table, value_cell

__all__ = [
    "application_face",
    "channel_face",
    "chapter_face",
    "definition_face",
    "everyplace_application_face",
    "path_face",
    "program_face",
    "rule_face",
    "structure_face",
    "unit_face",
]


def channel_face(channel) -> tuple[str, str]:
    """A channel as (text, html): its state and what it counted."""
    words = f"{channel.name} on {channel.qmgr.name}, a {channel.chltype} channel, is {channel.state}"
    words += f" with {channel.partner}" if channel.partner else ""
    words += f": {plural(channel.messages, 'message')} in {plural(channel.batches, 'batch', 'batches')}."
    if channel.indoubt is not None:
        words += f" A batch of {plural(len(channel.indoubt.gets), 'message')} is in doubt."
    told = {"MSGS": channel.messages, "BATCHES": channel.batches, "bytes": channel.bytes, "CURSEQNO": channel.sequence}
    told |= {key: channel.attributes[key] for key in ("CONNAME", "XMITQ") if channel.attributes.get(key)}
    failed = channel.state in ("RETRYING", "STOPPED")
    where = f"{channel.chltype} channel of {channel.qmgr.name}"
    return words, card(channel.name, told, where=where, lead=words, failed=failed)


def path_face(path) -> tuple[str, str]:
    """A network path as (text, html)."""
    one, other = path.names
    words = f"The path {one} - {other} is {'up' if path.up else 'cut'}; it takes {duration(path.latency_us)} one way."
    words += " Lifetimes of messages count the flight (EXP-04)." if path.counts_flight else ""
    return words, card(f"{one} - {other}", where="network path", lead=words, failed=not path.up)


def application_face(application) -> tuple[str, str]:
    """A connected application as (text, html): what it has open and which units of work it has not ended."""
    qmgr, name = application.qmgr, application.caller
    handles = [handle for handle in qmgr.handles if handle.application is application]
    units = [unit for unit in qmgr.units.values() if unit.application is application]
    words = f"{name}, an application connected to {qmgr.name}, has {plural(len(handles), 'queue')} open"
    words += f" ({', '.join(handle.name for handle in handles)})" if handles else ""
    words += f" and {plural(len(units), 'unit')} of work not ended."
    return words, card(name, where=f"application of {qmgr.name}", lead=words)


def everyplace_application_face(application) -> tuple[str, str]:
    """An application of an MQ Everyplace queue manager, which keeps nothing of it but its name, as (text, html)."""
    words = f"{application.caller}, an application of {application.qmgr.name} (MQ Everyplace)."
    return words, card(application.caller, where=f"application of {application.qmgr.name}", lead=words)


def unit_face(unit) -> tuple[str, str]:
    """A unit of work as (text, html): its puts and gets, the first of them as a table."""
    state = "in doubt" if unit.in_doubt else "open" if unit.open else "ended"
    who = unit.application.caller or "an application without a name"
    words = f"Unit of work {unit.number} of {who} on {unit.qmgr.name}, {state}: "
    words += f"{plural(len(unit.puts), 'put')} and {plural(len(unit.gets), 'get')}."
    words += f" It was backed out: {unit.broken}." if unit.broken else ""
    done = [("put", *pair) for pair in islice(unit.puts, SHOWN)] + [("get", *pair) for pair in islice(unit.gets, SHOWN)]
    rows = [(message.number, call, queue.name, message.priority, len(message.body)) for call, queue, message in done]
    more = len(unit.puts) + len(unit.gets) - len(rows)
    rows += [Gap(f"… and {plural(more, 'call')} more")] if more else []
    columns = ("Message", "Call", "Queue", "Priority", "Bytes")
    body = table(f"What was done in unit of work {unit.number}", columns, rows) if rows else ""
    return words, card(f"Unit of work {unit.number}", where=f"{who} on {unit.qmgr.name}", lead=words, body=body)


def program_face(program) -> tuple[str, str]:
    """A program as (text, html): whether it runs and what it has open."""
    words = f"Program {program.name} on {program.qmgr.name}: {program.state}."
    handles = [handle.name for handle in program.qmgr.handles if handle.application is program.application]
    words += f" It has open: {', '.join(handles)}." if handles else ""
    failed = program.state == "died"
    return words, card(program.name, where=f"program on {program.qmgr.name}", lead=words, failed=failed)


def rule_face(rule) -> tuple[str, str]:
    """A rule of the rule book as (text, html)."""
    words = f"{rule.id} {rule.title}. {rule.text}"
    return f"{words} (Source: {rule.source})", card(
        f"{rule.id} {rule.title}", notes={"Source": rule.source}, lead=rule.text
    )


def chapter_face(chapter) -> tuple[str, str]:
    """A chapter of a story as (text, html)."""
    when = f"{duration(chapter.time_us)} after the start" if chapter.time_us else "at the start"
    words = f"{chapter.title} ({when}, from row {chapter.seq} on)" + (f": {chapter.text}" if chapter.text else "")
    return words, card(chapter.title, where=f"{when}, from row {chapter.seq} on", lead=chapter.text)


def definition_face(definition) -> tuple[str, str]:
    """An object as it is defined, as (text, html): every attribute and its value."""
    words = f"{definition.kind}({definition.name}) with {plural(len(definition.attributes), 'attribute')}"
    rows = [(key, value_cell(value)) for key, value in definition.attributes.items()]
    return f"{words}.", table(words, ("Attribute", "Value"), rows)


def structure_face(structure) -> tuple[str, str]:
    """A structure of the MQI as (text, html): the fields that differ from their initial values."""
    name = type(structure).__name__
    changed = [
        (field, getattr(structure, field))
        for field, (initial, _) in structure.FIELDS.items()
        if getattr(structure, field) != initial
    ]
    words = f"MQ{name} with {plural(len(changed), 'field')} set"
    rows = [(field, Code(value.hex() if isinstance(value, bytes) else value)) for field, value in changed]
    html = (
        table(words, ("Field", "Value"), rows) if rows else card(f"MQ{name}", lead="Every field has its initial value.")
    )
    return repr(structure), html
