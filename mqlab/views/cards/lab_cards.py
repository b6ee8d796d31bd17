"""Cards of a lab, its parts, and its event log, and of estates: a picture or a table of what there is, and a sentence.

Everything is (text, html). Nothing here changes a lab or writes a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from ...admin.error_log import ErrorLog
from ...admin.event_words import EventMessages
from ...engine.explain.replay import State
from ...engine.explain.words import rule_title, sentence
from ...engine.words.because import fact
from ...engine.words.errors import visible
from ...engine.words.objects import Definition
from ...engine.words.rulebook import RULES, Rule
from ...engine.words.structures import Structure
from ...engine.world.event import Event
from ...engine.world.events import EventLog, logs_with
from ...engine.world.network import Link
from ..drawing.engine import cannot_draw
from ..drawing.scene import lab_picture
from ..frames.moments import Lab, clock, duration
from ..text import capital, escape, plural, thousands
from ..theme import style_sheet
from .cards import card
from .queues import SHOWN
from .tables import Code, Gap, Notable, Quiet, between, cut, table, value_cell


def channel_card(channel: Any) -> tuple[str, str]:
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


def link_card(link: Link) -> tuple[str, str]:
    """A network path as (text, html)."""
    one, other = link.names
    words = f"The path {one} - {other} is {'up' if link.up else 'cut'}; it takes {duration(link.latency_us)} one way."
    words += " Lifetimes of messages count the flight (EXP-04)." if link.counts_flight else ""
    return words, card(f"{one} - {other}", where="network path", lead=words, failed=not link.up)


def application_card(application: Any) -> tuple[str, str]:
    """A connected application as (text, html): what it has open and which units of work it has not ended."""
    qmgr, name = application.qmgr, application.caller
    handles = [handle for handle in qmgr.handles if handle.application is application]
    units = [unit for unit in qmgr.units.values() if unit.application is application]
    words = f"{name}, an application connected to {qmgr.name}, has {plural(len(handles), 'queue')} open"
    words += f" ({', '.join(handle.name for handle in handles)})" if handles else ""
    words += f" and {plural(len(units), 'open unit')} of work."
    return words, card(name, where=f"application of {qmgr.name}", lead=words)


def everyplace_application_card(application: Any) -> tuple[str, str]:
    """An application of an MQ Everyplace queue manager, which stores only its name, as (text, html)."""
    words = f"{application.caller}, an application of {application.qmgr.name} (MQ Everyplace)."
    return words, card(application.caller, where=f"application of {application.qmgr.name}", lead=words)


def unit_card(unit: Any) -> tuple[str, str]:
    """A unit of work as (text, html): its puts and gets, the first of them as a table."""
    state = "in doubt" if unit.in_doubt else "open" if unit.open else "ended"
    who = unit.application.caller or "an application without a name"
    words = f"Unit of work {unit.number} of {who} on {unit.qmgr.name}, {state}: "
    words += f"{plural(len(unit.puts), 'put')} and {plural(len(unit.gets), 'get')}."
    words += f" It was backed out: {fact(unit.broken)}." if unit.broken else ""
    done = [("put", *pair) for pair in islice(unit.puts, SHOWN)] + [("get", *pair) for pair in islice(unit.gets, SHOWN)]
    rows = [(message.number, call, queue.name, message.priority, len(message.body)) for call, queue, message in done]
    more = len(unit.puts) + len(unit.gets) - len(rows)
    rest = [Gap(f"… and {plural(more, 'call')} more")] if more else []
    columns = ("Message", "Call", "Queue", "Priority", "Bytes")
    body = table(f"Calls in unit of work {unit.number}", columns, [*rows, *rest]) if rows else ""
    return words, card(f"Unit of work {unit.number}", where=f"{who} on {unit.qmgr.name}", lead=words, body=body)


def program_card(program: Any) -> tuple[str, str]:
    """A program as (text, html): its state and the objects that it has open."""
    words = f"Program {program.name} on {program.qmgr.name}: {program.state}."
    handles = [handle.name for handle in program.qmgr.handles if handle.application is program.application]
    words += f" It has open: {', '.join(handles)}." if handles else ""
    failed = program.state == "died"
    return words, card(program.name, where=f"program on {program.qmgr.name}", lead=words, failed=failed)


def rule_card(rule: Rule) -> tuple[str, str]:
    """A rule of the rule book as (text, html)."""
    words = f"{rule.id} {rule.title}. {rule.text}"
    shown = card(f"{rule.id} {rule.title}", notes={"Source": rule.source}, lead=rule.text)
    return f"{words} (Source: {rule.source})", shown


def shot_card(shot: Any) -> tuple[str, str]:
    """A shot of a story as (text, html)."""
    when = f"{_since_the_start(shot.time_us)}, before row {shot.seq}"
    return f"{shot.title} ({when})" + (f": {shot.say}" if shot.say else ""), card(shot.title, where=when, lead=shot.say)


def definition_card(definition: Definition) -> tuple[str, str]:
    """An object as it is defined, as (text, html): every attribute and its value."""
    words = f"{definition.kind}({definition.name}) with {plural(len(definition.attributes), 'attribute')}"
    rows = [(key, value_cell(key, value)) for key, value in definition.attributes.items()]
    return f"{words}.", table(words, ("Attribute", "Value"), rows)


def structure_card(structure: Structure) -> tuple[str, str]:
    """A structure of the MQI as (text, html): the fields that differ from their initial values."""
    name = type(structure).__name__
    values = {field: (getattr(structure, field), initial) for field, (initial, _) in structure.FIELDS.items()}
    changed = [(field, value) for field, (value, initial) in values.items() if value != initial]
    words = f"MQ{name} with {plural(len(changed), 'field')} set"
    rows = [(field, Code(value.hex() if isinstance(value, bytes) else value)) for field, value in changed]
    empty = card(f"MQ{name}", lead="Every field has its initial value.")
    return repr(structure), table(words, ("Field", "Value"), rows) if rows else empty


FIRST, LAST = 6, 12
COUNTED = 100_000
"""Rows of a long log whose kinds are counted: the last ones."""
_COLUMNS = ("Row", "Time", "Queue manager", "Kind", "Object", "Message", "What happened", "Rule")
_CHAIN = 20  # causes that are shown; a chain of triggers can be as long as the log


def log_card(log: EventLog) -> tuple[str, str]:
    """A log as (text, html): its kinds counted, its first and its last rows."""
    size = len(log)
    if not size:
        words = "An event log without rows: nothing has happened yet."
        if not log.recording:
            words = f"An event log that is not kept (record=False): {plural(log.next_seq, 'event')} so far."
        return words, card("Event log", lead=words)
    head, tail = cut(size, FIRST, LAST)
    first, last = ([_row(log[seq], log.start) for seq in part] for part in (head, tail))
    begin, end = (_time(log[at], log.start) for at in (0, -1))
    span = f"from {begin} to {end}" if begin != end else f"all at {begin}"
    words = f"An event log of {plural(size, 'row')}, {span}: {_counts(log, size)}."
    return words, table(words, _COLUMNS, [*first, *between(size - len(head) - len(tail)), *last])


def events_table(rows: Sequence[Event]) -> str:
    """Rows of one log as a table."""
    start = next((log.start for log in logs_with(rows[0])), "")
    return table(plural(len(rows), "event"), _COLUMNS, [_row(row, start) for row in rows])


def error_log_card(log: ErrorLog) -> tuple[str, str]:
    """An error log as (text, html): the text of it, and a table of its messages beside the events that caused them."""
    words = f"An error log of {plural(len(log), 'message')}."
    rows = [(f"{each.time:%H:%M:%S}", each.id, each.text, each.seq) for each in log]
    return str(log) or words, table(words, ("Time", "Message", "Text", "Event"), rows)


def event_messages_card(found: EventMessages) -> tuple[str, str]:
    """Event messages as (text, html): a line for each, and a table of them beside the rows that put them."""
    words = f"{plural(len(found), 'event message')}."
    rows = [
        (f"{each.time:%H:%M:%S}", f"{each.reason} {each.name}", each.object, _facts(each.facts), each.seq)
        for each in found
    ]
    return str(found) or words, table(words, ("Time", "Event", "Object", "Facts", "Row"), rows)


def _facts(facts: dict) -> str:
    return ", ".join(f"{words} {value}" for words, value in facts.items())


def _counts(log: EventLog, size: int) -> str:
    """The number of rows of each kind, the most frequent first."""
    since = max(0, size - COUNTED)
    found = Counter(log.column("kind", since))
    told = ", ".join(
        f"{thousands(found[kind])} {kind}" for kind in sorted(found, key=lambda kind: (-found[kind], kind))
    )
    return told if not since else f"in the last {thousands(COUNTED)} rows {told}"


def _row(event: Event, start: str) -> tuple:
    what = event.qmgr, event.kind, event.object, event.message
    return event.seq, _time(event, start), *what, sentence(event), Quiet(rule_title(event.rule))


def _time(event: Event, start: str) -> str:
    """The time of an event: the time of day if the log has a start time."""
    if start:
        return clock(datetime.fromisoformat(start), event.time_us)
    return _since_the_start(event.time_us)


def _since_the_start(time_us: int) -> str:
    return f"{duration(time_us)} after the start" if time_us else "at the start"


def event_card(event: Event) -> tuple[str, str]:
    """One row as (text, html): its sentence, its rule, and the rows that led to it if its log is still in use."""
    start, causes = _causes(event)
    said, rule = sentence(event), RULES.get(event.rule or "")
    when = _time(event, start)
    words = f"Row {event.seq}, {when}: {said}." + (f" Rule {rule.id}: {rule.title}. {rule.text}" if rule else "")
    items = [(_time(cause, start), f"Row {cause.seq}: {sentence(cause)}", cause.rule or "") for cause in causes]
    lines = [words, *(f"Because of {what[:1].lower()}{what[1:]}, {time}" for time, what, _ in items)]
    notes = {f"Rule {rule.id}": f"{rule.title}. {rule.text}"} if rule else {}
    if items:
        notes |= {"Because of": "earlier events, the nearest first:"}
    elif event.cause is not None:
        notes |= {"Because of": f"row {event.cause} of its log"}
        lines.append(f"Because of row {event.cause} of its log.")
    named = ("message", "program", "uow", "priority", "persistent", "expiry_left", "depth", "reason")
    facts = {name: value for name in named if (value := getattr(event, name)) is not None}
    title = f"Row {event.seq}: {event.kind}"
    where = " on ".join(filter(None, (event.object, event.qmgr)))
    html = card(title, facts, notes, lead=f"{when}: {said}.", where=where, items=items, failed=event.reason is not None)
    return "\n".join(lines), html


def _causes(event: Event) -> tuple[str, list[Event]]:
    """The start of its log, and the rows that led to it, the nearest first; nothing if several logs disagree."""
    found = {(log.start, tuple(_chain(log, event))) for log in logs_with(event)}
    start, chain = found.pop() if len(found) == 1 else ("", ())
    return start, list(chain)


def _chain(log: EventLog, event: Event) -> Any:
    for _ in range(_CHAIN):
        if event.cause is None:
            return
        event = log[event.cause]
        yield event


_WORDS = style_sheet(".mqlab-words", "words.css")
DRAWN, PARTS = 100_000, 4_000
"""Rows of an event log, and queues, up to which a lab is drawn when it is only shown: a picture replays the log."""
_LARGE = "This lab is large, so it is drawn only on request: mqlab.views.lab_picture"

_QMGR_COLUMNS = ("Queue manager", "Platform", "Level", "State", "Own queues", "Messages", "Channels running")
_QUEUE_COLUMNS = ("Queue", "Kind", "Messages", "Room for")


def lab_card(lab: Lab) -> tuple[str, str]:
    """A lab as (text, html): its topology now as a picture; as a table if there is no log, if it is
    large, or if this process cannot draw."""
    managers = [*lab.queue_managers, *lab.everyplace_queue_managers]
    now = f"{lab.now:%Y-%m-%d} {clock(lab.start, lab.now_us)} UTC"
    if not managers:
        words = f'An empty lab at {now}. qm = lab.queue_manager("QM1") creates the first queue manager.'
        return words, card("Lab", notes={"Start with": ('qm = lab.queue_manager("QM1")',)}, lead=f"It is empty. {now}")
    words, told = f"A lab with {plural(len(managers), 'queue manager')}", f"{_log(lab)}{_told(lab)}"
    if _drawn(lab, lab.queue_managers):
        picture = lab_picture(lab)
        words = f"{words}. {picture.words} {told}"
        return words, _said(words, picture.html)
    names = ", ".join(each.name for each in managers)
    words = f"{words} ({names}) at {now}: {_messages(_queues(lab))}. {told}"
    words += _not_drawn(lab, "(lab)")
    return words, table(words, _QMGR_COLUMNS, [_manager(each) for each in managers])


def _drawn(lab: Lab, qmgrs: Any) -> bool:
    """Return True if a picture can be drawn from the log, and quickly."""
    parts = sum(not name.startswith("SYSTEM.") for qmgr in qmgrs for name in qmgr.targets)
    return not cannot_draw() and lab.events.recording and len(lab.events) <= DRAWN and parts <= PARTS


def _not_drawn(lab: Lab, values: str) -> str:
    """The reason why there is no picture, and a call that draws one; "" if the lab has no log."""
    if not lab.events.recording:
        return ""
    why = cannot_draw()
    return f" {capital(why)}." if why else f" {_LARGE}{values}"


def _said(words: str, html: str = "") -> str:
    """A sentence below its subject."""
    return f'{html}<div class="mqlab-words"><style>{_WORDS}</style>{escape(words)}</div>'


def _queues(lab: Lab) -> list:
    """Every queue that can hold messages, each shared queue once."""
    local = {queue.subject: queue for qmgr in lab.queue_managers for queue in qmgr.queues}
    return [*local.values(), *(queue for qmgr in lab.everyplace_queue_managers for queue in qmgr.queues)]


def _messages(queues: Any) -> str:
    """The number of messages, and of the queues that hold them."""
    depth, used = sum(queue.depth for queue in queues), sum(queue.depth > 0 for queue in queues)
    return f"{plural(depth, 'message')} on {plural(used, 'queue')}" if depth else "no messages"


def _log(lab: Lab) -> str:
    if not lab.events.recording:
        return f"It has no log (record=False): {plural(lab.events.next_seq, 'event')} so far."
    return f"Its log has {plural(len(lab.events), 'event')}."


def _told(lab: Lab) -> str:
    """The story that the lab ran, and the error that ended it, if any."""
    if lab.story is None:
        return ""
    words = f" It runs the story {getattr(lab.story, '__name__', 'of a function')}"
    words += f" in {plural(len(lab.shots), 'shot')}" if lab.shots else ""
    if lab.branched_us is not None:
        words += f", changed from {clock(lab.start, lab.branched_us)}"
    return f"{words}. The story ended with an error: {lab.broken_off}." if lab.broken_off is not None else f"{words}."


def _manager(qmgr: Any) -> tuple:
    """A queue manager as a row."""
    platform = getattr(qmgr, "platform", "MQ Everyplace")
    running = "running" if qmgr.running else Notable("stopped")
    mine = [queue for queue in qmgr.queues if getattr(queue, "structure", None) is None]  # shared ones are the group's
    own = [queue for queue in mine if not queue.name.startswith("SYSTEM.")]
    channels = sum(c.state == "RUNNING" for c in getattr(qmgr, "channels", {}).values())
    depth = sum(queue.depth for queue in mine)
    return qmgr.name, platform, getattr(qmgr, "level", None), running, len(own), depth, channels


def qmgr_card(qmgr: Any) -> tuple[str, str]:
    """A queue manager as (text, html): its picture; its queues as a table if there is no log, if it is large,
    or if this process cannot draw."""
    own = [queue for queue in qmgr.queues if not queue.name.startswith("SYSTEM.")]
    shared = sum(getattr(queue, "structure", None) is not None for queue in own)
    words = f"{qmgr.name} ({qmgr.platform}, level {qmgr.level}) is {'running' if qmgr.running else 'stopped'}: "
    words += plural(len(own) - shared, "local queue") + _channels(qmgr)
    words += f", {plural(shared, 'shared queue')} of {qmgr.group.name}" if qmgr.group else ""
    words += f"; {plural(len(qmgr.programs_running), 'program')} running." if qmgr.programs_running else "."
    if _drawn(qmgr.lab, [qmgr]):
        picture = lab_picture(qmgr.lab, qmgr=qmgr.name)
        words += f" {picture.words}"
        return words, _said(words, picture.html)
    words += f" There are {_messages(qmgr.queues)}."
    words += _not_drawn(qmgr.lab, f"(lab, qmgr={qmgr.name!r})")
    rows = []
    for queue in own:
        room = Notable(f"{thousands(queue.maxdepth)}: full") if 0 < queue.maxdepth <= queue.depth else queue.maxdepth
        rows.append((queue.name, "shared" if getattr(queue, "structure", None) else "local", queue.depth, room))
    return words, table(words, _QUEUE_COLUMNS, rows)


def _channels(qmgr: Any) -> str:
    """The number of its channels, and the states of those that have run."""
    there = [d for d in qmgr.objects.match(("CHANNEL",)) if not d.name.startswith("SYSTEM.")]
    if not there:
        return ""
    states = [channel.state for channel in qmgr.channels.values()]
    told = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    return f", {plural(len(there), 'channel')}" + (f" ({told})" if told else " (none has run)")


def everyplace_card(qmgr: Any) -> tuple[str, str]:
    """A queue manager of MQ Everyplace as (text, html): its queues as a table."""
    words = f"{qmgr.name} (MQ Everyplace) is {'running' if qmgr.running else 'stopped'}: "
    words += f"{plural(len(qmgr.queues), 'queue')}, {_messages(qmgr.queues)}."
    rows = [(queue.label, queue.kind, queue.depth, queue.max_depth, _settings(queue)) for queue in qmgr.queues]
    return words, table(words, (*_QUEUE_COLUMNS, "Settings"), rows)


def _settings(queue: Any) -> str:
    """The definition of a queue of MQ Everyplace in words."""
    told = [f"lifetime {thousands(queue.expiry_ms)} ms"] if queue.expiry_ms is not None else []
    told += [f"rule {queue.rule_name}"] if queue.rule is not None else []
    told += [f"keeps messages for {', '.join(queue.targets)}"] if queue.targets else []
    return "; ".join(told + ([f"polls every {thousands(queue.poll_ms)} ms"] if queue.poll_ms else []))


def group_card(group: Any) -> tuple[str, str]:
    """A queue sharing group as (text, html): its members, its structures and its shared queues."""
    cores = group.cores
    words = f"{group.name}, a queue sharing group of {plural(len(group.members), 'queue manager')}, "
    words += f"{len(group.running)} of them running: {plural(len(cores), 'shared queue')} with {_messages(cores)} "
    words += f"in {plural(len(group.structures), 'structure')}."
    failed = [structure.name for structure in group.structures.values() if structure.failed]
    words += f" {' and '.join(failed)} {'has' if len(failed) == 1 else 'have'} failed." if failed else ""
    html = card(group.name, where="queue sharing group", lead=words, failed=bool(failed))
    html += table(f"Members of {group.name}", _QMGR_COLUMNS, [_manager(member) for member in group.members])
    rows: list[tuple] = []
    for s in group.structures.values():
        status, recover = Notable("FAILED") if s.failed else s.status, s.definition.attributes["RECOVER"]
        rows.append((s.name, status, s.level, recover, len(s.cores), s.entries))
    columns = ("Structure", "State", "CFLEVEL", "RECOVER", "Queues", "Messages")
    html += table(f"Structures of {group.name}", columns, rows)
    shared = [(core.instances[0].name, core.structure.name, core.depth, core.instances[0].maxdepth) for core in cores]
    heads = ("Queue", "Structure", "Messages", "Room for")
    return words, html + (table(f"Shared queues of {group.name}", heads, shared) if shared else "")


def state_card(state: State) -> tuple[str, str]:
    """A replayed state as (text, html): the queues that hold messages then, and the number of all queues."""
    used = [(key, queue) for key, queue in state.queues.items() if queue.depth]
    when = _since_the_start(state.time_us)
    depth = sum(queue.depth for _, queue in used)
    words = f"The state {when}, after row {state.seq}: " if state.seq >= 0 else f"The state {when}, before any row: "
    words += f"{plural(depth, 'message')} on {thousands(len(used))} of {plural(len(state.queues), 'queue')}."
    stopped = [name for name, running in state.running.items() if not running]
    words += f" {' and '.join(stopped)} stopped." if stopped else ""
    rows = []
    for (qmgr, name), queue in used:
        expired, uncommitted = state.expired(qmgr, name), state.uncommitted(qmgr, name)
        gone = Notable(f"{thousands(expired)} expired") if expired else 0
        open_work = Notable(f"{thousands(uncommitted)} not committed") if uncommitted else 0
        rows.append((name, qmgr, queue.depth, gone, open_work, queue.inputs, queue.outputs))
    columns = ("Queue", "Queue manager", "Depth", "Expired", "Not committed", "IPPROCS", "OPPROCS")
    return words, table(words, columns, rows) if rows else _said(words)


def findings_table(findings: Any, proved: Any = ()) -> tuple[str, str]:
    """Findings (`mqlab.estates.findings.Finding`) as (text, html), one in each line or row; `proved` has what the proof
    of each showed, if any was run."""
    rows = []
    for place, one in enumerate(findings):
        severity = Notable(one.severity) if one.severity == "error" else one.severity
        where = f"{Path(one.place.file).name}:{one.place.line}" if one.place.file else ""
        showed = proved[place] if any(proved) else None
        said = "" if showed is None else showed.shown if showed.holds else Notable(f"DOES NOT HOLD: {showed.shown}")
        rows.append((severity, one.qmgr, one.said, where, Code(one.fix), *([said] if any(proved) else [])))
    columns = ["Severity", "Queue manager", "Finding", "Place", "MQSC that fixes it"]
    columns += ["Proof shows"] if any(proved) else []
    return visible("\n".join(map(str, findings)) or "No findings"), table("Findings, the worst first", columns, rows)


def findings_card(report: Any) -> tuple[str, str]:
    """A report (`mqlab.estates.report.Report`) as (text, html): its counts, and its findings as a table."""
    body = findings_table(report.findings, [entry.proved for entry in report.entries])[1] if report.entries else ""
    failed = bool(report.counts["error"] or report.failed)
    return str(report), card("What was found", lead=report.summary, failed=failed, body=body)


def estate_card(estate: Any) -> tuple[str, str]:
    """An estate (`mqlab.estates.Estate`) as (text, html): its queue managers, with objects and counts of findings."""
    report = estate.report()
    columns = ["Queue manager", "Platform", "Level", "Objects", *(name.capitalize() for name in report.counts)]
    rows = []
    for qmgr in estate.queue_managers:
        found = [one.severity for one in report.findings if one.qmgr == qmgr.name]
        objects = sum(1 for _ in estate.own(qmgr))
        rows.append((qmgr.name, qmgr.platform, qmgr.level, objects, *map(found.count, report.counts)))
    words = f"{estate!r}: {report.summary} estate.findings() lists them."
    lead = f"{report.summary} estate.findings() lists them, and mqlab check --html draws them."
    return words, card("Estate", lead=lead, failed=bool(report.counts["error"]), body=table("Estate", columns, rows))


def answer_card(answer: Any) -> tuple[str, str]:
    """An answer (`mqlab.estates.answers.Answer`) as (text, html): its title, and a table of its rows."""
    at = answer.columns.index("place") if "place" in answer.columns else None  # without the folder it fits a page
    cut_short = [[Path(cell).name if place == at else cell for place, cell in enumerate(row)] for row in answer.rows]
    rows = [tuple(Notable("NO") if cell is False else cell for cell in row) for row in cut_short]
    columns = ["Queue manager" if name == "qmgr" else name.capitalize() for name in answer.columns]
    body = table(answer.what, columns, rows) if rows else ""
    return str(answer), card(answer.title, failed=answer.failed, body=body)
