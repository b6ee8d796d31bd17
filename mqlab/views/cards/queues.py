"""Queues in a notebook: the messages on one, the programs that have it open, and its trigger.

A card changes nothing: no expired message is discarded and no row is written. It reads only the first LOOKED messages,
so that a queue of a million is shown as fast as one of ten.
"""

from __future__ import annotations

from itertools import compress, islice
from typing import Any, NamedTuple

from ..frames.moments import clock, duration
from ..text import capital, plural, thousands
from .cards import card, marked, message_strip
from .messages import first_bytes, headers, tenths
from .tables import Code, Notable, Quiet, table

LOOKED, SHOWN = 1000, 10
_COLUMNS = ("Message", "Priority", "Persistent", "Put at", "Time left", "State", "Bytes", "Data")


class FirstMessages(NamedTuple):
    """The first messages of a queue: `seen` of those that are committed, `expired` and `locked` among them;
    `whole` is True if the counts are those of the whole queue."""

    depth: int
    uncommitted: int
    seen: int
    expired: int
    locked: int
    whole: bool


def first_messages(queue: Any) -> FirstMessages:
    """Count what the first messages of a local queue are."""
    now, committed = queue.clock.time_us, queue.depth - queue.uncommitted
    expired = locked = seen = 0
    for message in islice(queue.store.in_order(), LOOKED):
        seen += 1
        expired += message.expires_us is not None and message.expires_us <= now
        locked += message.holder is not None
    return FirstMessages(queue.depth, queue.uncommitted, seen, expired, locked, seen == committed)


def holds(queue: Any) -> str:
    """The contents of a local queue, in words without its name."""
    seen = first_messages(queue)
    if not seen.depth:
        return f"no messages, and room for {thousands(queue.maxdepth)}"
    words = f"{thousands(seen.depth)} of at most {plural(queue.maxdepth, 'message')}"
    live = seen.seen - seen.expired - seen.locked
    parts = [f"{thousands(live)} available"] if seen.whole else []
    gone = plural(seen.expired, "has expired and still counts", "have expired and still count")
    parts += [gone] if seen.expired else []
    parts += [plural(seen.locked, "is locked by a browse", "are locked by browses")] if seen.locked else []
    aside = [plural(seen.uncommitted, "is not committed", "are not committed")] if seen.uncommitted else []
    if seen.whole:
        return f"{words}: {', '.join(parts + aside)}"
    expired = ["none has expired"] if not seen.expired else []
    return f"{words}; of the first {thousands(seen.seen)}, {', '.join(expired + parts)}" + "".join(
        f"; {a}" for a in aside
    )


def queue_card(queue: Any) -> tuple[str, str]:
    """A local queue as (text, html): `qm.queues` gives them."""
    attributes, seen = queue.definition.attributes, first_messages(queue)
    whose = (
        f"{queue.structure.group.name} as {queue.qmgr.name} has it"
        if getattr(queue, "structure", None)
        else queue.qmgr.name
    )
    kind = "shared queue" if getattr(queue, "structure", None) else "local queue"
    kind = "transmission queue" if attributes["USAGE"] == "XMITQ" else kind
    said = f"olds {holds(queue)}.{_hindrances(queue)}"
    words = f"{queue.name}, a {kind} of {whose}, h{said}"
    facts, notes = _facts(queue, attributes, seen), _notes(queue, attributes)
    return words, card(queue.name, facts, notes, where=f"{kind} of {whose}", lead=f"H{said}", **_contents(queue, seen))


def _hindrances(queue: Any) -> str:
    """The reasons why puts or gets fail now, as sentences."""
    qmgr, structure, attributes = queue.qmgr, getattr(queue, "structure", None), queue.definition.attributes
    told = {
        " It has been deleted.": qmgr.targets.get(queue.name) is not queue,
        f" {qmgr.name} is stopped.": not qmgr.running,
        f" Its structure {structure and structure.name} has failed.": structure and structure.failed,
        " Puts are inhibited.": attributes["PUT"] == "DISABLED",
        " Gets are inhibited.": attributes["GET"] == "DISABLED",
        " It is full.": 0 < queue.maxdepth <= queue.depth,
    }
    return "".join(compress(told, told.values()))


def _facts(queue: Any, attributes: dict, seen: FirstMessages) -> dict:
    """Counts and settings in MQ's words; what is worth a second look is marked."""
    within = "" if seen.whole else f" (first {thousands(seen.seen)})"
    counts = {
        "expired but still counted" + within: seen.expired,
        "locked by a browse" + within: seen.locked,
        "put but not committed": seen.uncommitted,
        "got but not committed": queue.depth_in_gets(),
    }
    facts = {"CURDEPTH": seen.depth, "MAXDEPTH": queue.maxdepth}
    facts |= {label: marked(value, True) for label, value in counts.items() if value}
    facts |= {"IPPROCS": queue.inputs, "OPPROCS": queue.outputs, "MSGDLVSQ": attributes["MSGDLVSQ"]}
    facts |= {way: marked(attributes[way], attributes[way] == "DISABLED") for way in ("PUT", "GET")}
    facts |= {} if queue.cap is None else {"lifetimes limited to": tenths(queue.cap)}
    return facts


def _notes(queue: Any, attributes: dict) -> dict:
    """Its description, and its trigger and backout settings as MQSC writes them."""
    notes = {"Description": attributes["DESCR"]} if attributes["DESCR"] else {}
    if attributes["TRIGGER"] or attributes["INITQ"] or attributes["PROCESS"]:
        words = ["TRIGGER" if attributes["TRIGGER"] else "NOTRIGGER", f"TRIGTYPE({attributes['TRIGTYPE']})"]
        words += [f"TRIGDPTH({attributes['TRIGDPTH']})"] if attributes["TRIGTYPE"] == "DEPTH" else []
        words += [f"TRIGMPRI({attributes['TRIGMPRI']})"]
        words += [f"{word}({attributes[word]})" for word in ("INITQ", "PROCESS", "TRIGDATA") if attributes[word]]
        notes["Trigger"] = (" ".join(words),)
    if attributes["BOQNAME"]:
        notes["Backout"] = (f"BOTHRESH({attributes['BOTHRESH']}) BOQNAME({attributes['BOQNAME']})",)
    if getattr(queue, "structure", None):
        notes["Structure"] = f"{queue.structure.name}, {queue.structure.status}"
    return notes


def _contents(queue: Any, seen: FirstMessages) -> dict[str, Any]:
    """The strip and the body of a card: the messages as blocks, all or the first ones, and the first few as a table."""
    if not seen.depth:
        return {}
    unseen, maxdepth = (seen.uncommitted, queue.maxdepth) if seen.whole else (0, 0)
    strip = message_strip(seen.seen - seen.expired, unseen, seen.expired, maxdepth)
    rows = [_row(queue, message) for message in islice(queue.store.in_order(), SHOWN)]
    return {
        "strip": strip if seen.whole else f"The first {thousands(seen.seen)} messages:<br>{strip}",
        "body": _messages(rows, seen.depth - seen.uncommitted, _COLUMNS),
    }


def _messages(rows: list[tuple], size: int, columns: tuple[str, ...]) -> str:
    """The first messages of a queue that holds `size` as a table, "" for none."""
    first = f"The first {len(rows)} of {thousands(size)} messages" if size > len(rows) else plural(size, "message")
    return table(f"{first} in the order of the queue", columns, rows) if rows else ""


def _row(queue: Any, message: Any) -> tuple:
    now, start = queue.clock.time_us, queue.qmgr.lab.start
    found, rest = headers(message.body, message.descriptor.format)
    data = Code("".join(f"{header.name} · " for header in found) + first_bytes(rest))
    state = "available" if message.expires_us is None or message.expires_us > now else Notable("expired")
    state = Notable("locked") if message.holder is not None else state
    put, left = clock(start, message.put_us), _left(message.expires_us, now)
    return message.number, message.priority, message.persistent, put, left, state, len(message.body), data


def _left(expires_us: int | None, now: int) -> str:
    """The remaining lifetime, or the time since the message expired."""
    if expires_us is None:
        return Quiet("unlimited")
    return duration(expires_us - now) if expires_us > now else f"expired {duration(now - expires_us)} ago"


def alias_card(alias: Any) -> tuple[str, str]:
    """An alias queue as (text, html): its target."""
    qmgr = (alias if alias.queue is None else alias.queue).qmgr
    if alias.queue is None:
        words = f"{alias.name}, an alias queue of {qmgr.name}, publishes every put to topic {alias.string}."
        return words, card(alias.name, where=f"alias of topic {alias.base.name} on {qmgr.name}", lead=words)
    base = alias.base
    words = f"{alias.name}, an alias queue of {qmgr.name}, leads to {base.name}, which holds {holds(base)}."
    inhibited = {"PUT": alias.put_inhibited, "GET": alias.get_inhibited}
    facts: dict[str, object] = {way: marked("DISABLED" if no else "ENABLED", no) for way, no in inhibited.items()}
    facts |= {"open handles": alias.opens}
    where = f"alias of {base.name} on {qmgr.name}"
    return words, card(alias.name, facts, where=where, lead=words, **_contents(base, first_messages(base)))


def remote_card(remote: Any) -> tuple[str, str]:
    """A name that leads to another queue manager as (text, html)."""
    queue, at = remote.destination
    words = (
        f"{remote.name} on {remote.queue.qmgr.name} leads to {queue or 'any queue'} of {at} through transmission queue "
        f"{remote.queue.name}, which holds {holds(remote.queue)}."
    )
    return words, card(remote.name, where=f"on {remote.queue.qmgr.name}", lead=words)


def handle_card(handle: Any) -> tuple[str, str]:
    """An open queue as (text, html): the purpose of the open, and the position of its cursor."""
    if handle.target is None:
        words = f"A handle of {handle.name} on {handle.qmgr.name}: closed."
        return words, card(handle.name, where=f"closed handle on {handle.qmgr.name}", lead=words)
    uses = [f"{handle.input} input"] if handle.input else []
    may = (handle.can_browse, handle.can_put, handle.can_inquire, handle.can_set)
    uses += compress(("browse", "output", "inquire", "set"), may)
    who = handle.application.caller or "an application without a name"
    words = f"{capital(who)} has {handle.name} on {handle.qmgr.name} open for {', '.join(uses)}."
    words += " Its definition was altered or deleted since: its calls fail with 2041 or 2052." if handle.changed else ""
    words += f" Its cursor is on message {handle.cursor.message.number}." if handle.cursor.message else ""
    words += f" It has locked message {handle.locked.number}." if handle.locked else ""
    contents = {}
    if handle.queue is not None:  # no topic
        leads = "The queue" if handle.target is handle.queue else f"It leads to {handle.queue.name}, which"
        words += f" {leads} holds {holds(handle.queue)}."
        contents = _contents(handle.queue, first_messages(handle.queue))
    return words, card(handle.name, where=f"handle of {who} on {handle.qmgr.name}", lead=words, **contents)


def everyplace_queue_card(queue: Any) -> tuple[str, str]:
    """A queue of MQ Everyplace as (text, html)."""
    now, start, size = queue.qmgr.clock.time_us, queue.qmgr.lab.start, queue.depth
    entries = list(islice(queue.walk(), LOOKED))
    room = "" if queue.max_depth is None else f" of at most {thousands(queue.max_depth)}"
    expired, locked = sum(e.expired(now) for e in entries), sum(e.lock is not None for e in entries)
    article = "an" if queue.kind == "asynchronous" else "a"
    words = f"{queue.label}, {article} {queue.kind} queue of {queue.qmgr.name}, holds {plural(size, 'message')}{room}"
    told = ([f"{thousands(expired)} expired"] if expired else []) + ([f"{thousands(locked)} locked"] if locked else [])
    some = "" if len(entries) == size else f"of the first {thousands(len(entries))}: "
    words += f" ({some}{', '.join(told)})." if told else "."
    words += f" It keeps messages for {', '.join(queue.targets)}." if queue.targets else ""
    rows = []
    for entry in entries[:SHOWN]:
        message, left = entry.message, _left(entry.expires_us, now)
        state = Notable(f"locked: {entry.lock}") if entry.lock else "available"
        state = Notable("expired") if entry.expired(now) else state
        data = len(message.body), Code(first_bytes(message.body))
        rows.append((message.number, message.priority, clock(start, message.created_us), left, state, *data))
    body = _messages(rows, size, ("Message", "Priority", "Created at", "Time left", "State", "Bytes", "Data"))
    return words, card(queue.label, where=f"{queue.kind} queue of {queue.qmgr.name}", lead=words, body=body)
