"""Queues as somebody holds them in a notebook: what is on one, who has it open, what it would trigger.

Looking changes nothing: no expired message is discarded and no row is written. Only the first LOOKED messages are
looked at, so that a queue of a million is shown as fast as one of ten.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

from ..drawing.strip import message_strip
from ..frames.moments import clock, duration
from ..text import capital, plural
from .cards import card
from .messages import first_bytes, headers, tenths
from .tables import Code, Notable, Quiet, table

LOOKED, SHOWN = 1000, 10
_COLUMNS = ("Message", "Priority", "Persistent", "Put at", "Time left", "State", "Bytes", "Data")


class FirstMessages(NamedTuple):
    """What the first messages of a queue are: `seen` of those that are committed, `expired` and `locked` among them;
    `whole` tells whether the counts are those of the whole queue."""

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
    """What a local queue holds, in words without a name."""
    seen = first_messages(queue)
    if not seen.depth:
        return f"no messages, and room for {queue.maxdepth:,}"
    words = f"{seen.depth:,} of at most {plural(queue.maxdepth, 'message')}"
    live = seen.seen - seen.expired - seen.locked
    parts = [f"{live:,} can be got"] if seen.whole else []
    parts += (
        [plural(seen.expired, "has expired and still counts", "have expired and still count")] if seen.expired else []
    )
    parts += [plural(seen.locked, "is locked by a browse", "are locked by browses")] if seen.locked else []
    aside = [plural(seen.uncommitted, "is not committed", "are not committed")] if seen.uncommitted else []
    if seen.whole:
        return f"{words}: {', '.join(parts + aside)}"
    expired = ["none has expired"] if not seen.expired else []
    return f"{words}; of the first {seen.seen:,}, {', '.join(expired + parts)}" + "".join(f"; {a}" for a in aside)


def queue_card(queue: Any) -> tuple[str, str]:
    """A local queue as (text, html): `qm.queues` gives them."""
    attributes, seen = queue.definition.attributes, first_messages(queue)
    whose = f"{queue.structure.group.name} as {queue.qmgr.name} has it" if queue.structure else queue.qmgr.name
    kind = "shared queue" if queue.structure else "local queue"
    kind = "transmission queue" if attributes["USAGE"] == "XMITQ" else kind
    said = f"olds {holds(queue)}.{_hindrances(queue)}"
    words = f"{queue.name}, a {kind} of {whose}, h{said}"
    inner = _messages(queue, seen)
    html = card(
        queue.name,
        _facts(queue, attributes, seen),
        _notes(queue, attributes),
        where=f"{kind} of {whose}",
        lead=f"H{said}",
        strip=_strip(queue, seen),
        body=inner,
    )
    return words, html


def _hindrances(queue: Any) -> str:
    """Why it takes or gives nothing now, as sentences."""
    said = ""
    if queue.qmgr.targets.get(queue.name) is not queue:
        said += " It has been deleted."
    if not queue.qmgr.running:
        said += f" {queue.qmgr.name} is stopped."
    if queue.structure and queue.structure.failed:
        said += f" Its structure {queue.structure.name} has failed."
    said += " Puts are inhibited." if queue.definition.attributes["PUT"] == "DISABLED" else ""
    said += " Gets are inhibited." if queue.definition.attributes["GET"] == "DISABLED" else ""
    return said + (" It is full." if 0 < queue.maxdepth <= queue.depth else "")


def _facts(queue: Any, attributes: dict, seen: FirstMessages) -> dict:
    """Counts and settings in MQ's words; "!" marks what is worth a second look."""
    within = "" if seen.whole else f" (first {seen.seen:,})"
    counts = {
        "expired but still counted" + within: seen.expired,
        "locked by a browse" + within: seen.locked,
        "put but not committed": seen.uncommitted,
        "got but not committed": queue.depth_in_gets(),
    }
    facts = {"CURDEPTH": seen.depth, "MAXDEPTH": queue.maxdepth}
    facts |= {f"{label}!": value for label, value in counts.items() if value}
    facts |= {"IPPROCS": queue.inputs, "OPPROCS": queue.outputs, "MSGDLVSQ": attributes["MSGDLVSQ"]}
    facts |= {(f"{way}!" if attributes[way] == "DISABLED" else way): attributes[way] for way in ("PUT", "GET")}
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
    if queue.structure:
        notes["Structure"] = f"{queue.structure.name}, {queue.structure.status}"
    return notes


def _strip(queue: Any, seen: FirstMessages) -> str:
    """Its messages as blocks: all of them, or the first ones where they are many."""
    if not seen.depth:
        return ""
    unseen = seen.uncommitted if seen.whole else 0
    maxdepth = queue.maxdepth if seen.whole else 0
    strip = message_strip(seen.seen - seen.expired, unseen, seen.expired, maxdepth, width=560)
    return strip if seen.whole else f"The first {seen.seen:,} messages:<br>{strip}"


def _messages(queue: Any, seen: FirstMessages) -> str:
    """The messages that gets would meet first, as a table."""
    rows = [_row(queue, message) for message in islice(queue.store.in_order(), SHOWN)]
    if not rows:
        return ""
    committed = seen.depth - seen.uncommitted
    first = (
        f"The first {len(rows)} of {committed:,} messages" if committed > len(rows) else plural(committed, "message")
    )
    return table(f"{first} in the order in which gets meet them", _COLUMNS, rows)


def _row(queue: Any, message: Any) -> tuple:
    now, start = queue.clock.time_us, queue.qmgr.lab.start
    found, rest = headers(message.body, message.descriptor.format)
    names = "".join(f"{header.name} · " for header in found)
    return (
        message.number,
        message.priority,
        message.persistent,
        clock(start, message.put_us),
        _left(message.expires_us, now),
        Notable("locked")
        if message.holder is not None
        else "can be got"
        if message.expires_us is None or message.expires_us > now
        else Notable("expired"),
        len(message.body),
        Code(names + first_bytes(rest)),
    )


def _left(expires_us: int | None, now: int) -> str:
    """The lifetime that is left, or how long ago it ended."""
    if expires_us is None:
        return Quiet("unlimited")
    return duration(expires_us - now) if expires_us > now else f"over for {duration(now - expires_us)}"


def alias_card(alias: Any) -> tuple[str, str]:
    """An alias queue as (text, html): what it leads to."""
    qmgr = alias.queue.qmgr
    if alias.queue is alias:
        words = f"{alias.name}, an alias queue of {qmgr.name}, publishes what is put to it to topic {alias.string}."
        return words, card(alias.name, where=f"alias of topic {alias.base.name} on {qmgr.name}", lead=words)
    base = alias.base
    words = f"{alias.name}, an alias queue of {qmgr.name}, leads to {base.name}, which holds {holds(base)}."
    facts = {
        ("PUT!" if alias.put_inhibited else "PUT"): "DISABLED" if alias.put_inhibited else "ENABLED",
        ("GET!" if alias.get_inhibited else "GET"): "DISABLED" if alias.get_inhibited else "ENABLED",
        "open handles": alias.opens,
    }
    seen, where = first_messages(base), f"alias of {base.name} on {qmgr.name}"
    return words, card(alias.name, facts, where=where, lead=words, strip=_strip(base, seen), body=_messages(base, seen))


def remote_card(remote: Any) -> tuple[str, str]:
    """A name that leads to another queue manager as (text, html)."""
    queue, at = remote.destination
    words = (
        f"{remote.name} on {remote.queue.qmgr.name} leads to {queue or 'any queue'} of {at} by transmission queue "
        f"{remote.queue.name}, which holds {holds(remote.queue)}."
    )
    return words, card(remote.name, where=f"on {remote.queue.qmgr.name}", lead=words)


def handle_card(handle: Any) -> tuple[str, str]:
    """An open queue as (text, html): for what it was opened, and where its cursor stands."""
    if handle.target is None:
        words = f"A handle of {handle.name} on {handle.qmgr.name}: closed."
        return words, card(handle.name, where=f"closed handle on {handle.qmgr.name}", lead=words)
    uses = [f"{handle.input} input"] if handle.input else []
    told = (
        ("browse", handle.can_browse),
        ("output", handle.can_put),
        ("inquire", handle.can_inquire),
        ("set", handle.can_set),
    )
    uses += [name for name, may in told if may]
    who = handle.application.caller or "an application without a name"
    words = f"{capital(who)} has {handle.name} on {handle.qmgr.name} open for {', '.join(uses)}."
    if handle.changed:
        words += " Its definition was altered or deleted since: its calls answer 2041 or 2052."
    words += f" Its cursor stands on message {handle.cursor.message.number}." if handle.cursor.message else ""
    words += f" It has locked message {handle.locked.number}." if handle.locked else ""
    if handle.queue.depth is None:  # an alias of a topic
        return words, card(handle.name, where=f"handle of {who} on {handle.qmgr.name}", lead=words)
    leads = "The queue" if handle.target is handle.queue else f"It leads to {handle.queue.name}, which"
    words += f" {leads} holds {holds(handle.queue)}."
    seen = first_messages(handle.queue)
    return words, card(
        handle.name,
        where=f"handle of {who} on {handle.qmgr.name}",
        lead=words,
        strip=_strip(handle.queue, seen),
        body=_messages(handle.queue, seen),
    )


def everyplace_queue_card(queue: Any) -> tuple[str, str]:
    """A queue of MQ Everyplace as (text, html)."""
    now, start, size = queue.qmgr.clock.time_us, queue.qmgr.lab.start, queue.depth
    entries = list(islice(queue.walk(), LOOKED))
    room = "" if queue.max_depth is None else f" of at most {queue.max_depth:,}"
    expired, locked = sum(e.expired(now) for e in entries), sum(e.lock is not None for e in entries)
    article = "an" if queue.kind == "asynchronous" else "a"
    words = f"{queue.label}, {article} {queue.kind} queue of {queue.qmgr.name}, holds {plural(size, 'message')}{room}"
    told = ([f"{expired:,} expired"] if expired else []) + ([f"{locked:,} locked"] if locked else [])
    words += (
        f" ({'' if len(entries) == size else f'of the first {len(entries):,}: '}{', '.join(told)})." if told else "."
    )
    words += f" It keeps messages for {', '.join(queue.targets)}." if queue.targets else ""
    rows = [
        (
            entry.message.number,
            entry.message.priority,
            clock(start, entry.message.created_us),
            _left(entry.expires_us, now),
            Notable("expired")
            if entry.expired(now)
            else Notable(f"locked: {entry.lock}")
            if entry.lock
            else "can be got",
            len(entry.message.body),
            Code(first_bytes(entry.message.body)),
        )
        for entry in entries[:SHOWN]
    ]
    columns = ("Message", "Priority", "Created at", "Time left", "State", "Bytes", "Data")
    first = f"The first {len(rows)} of {size:,} messages" if size > len(rows) else plural(size, "message")
    body = table(f"{first} in the order in which gets meet them", columns, rows) if rows else ""
    return words, card(queue.label, where=f"{queue.kind} queue of {queue.qmgr.name}", lead=words, body=body)
