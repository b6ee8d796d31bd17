"""How a lab and its queue managers look in a notebook: the picture of what there is now, and a sentence to go with it.

Everything is (text, html). Nothing here changes a lab or writes a row.
"""

from __future__ import annotations

from ..drawing.scene import lab_picture
from ..frames.moments import clock, duration
from ..text import escape, plural
from ..theme import style_sheet
from .cards import card
from .tables import Notable, table

__all__ = ["everyplace_face", "group_face", "lab_face", "qmgr_face", "state_face"]

_WORDS = style_sheet(".mqlab-words", "words.css")
DRAWN = 100_000
"""Rows of an event log up to which a lab is drawn when it is only shown: a picture replays the log."""

_QMGR_COLUMNS = ("Queue manager", "Platform", "Level", "State", "Own queues", "Messages", "Channels running")
_QUEUE_COLUMNS = ("Queue", "Kind", "Messages", "Room for")


def lab_face(lab) -> tuple[str, str]:
    """A lab as (text, html): its topology now as a picture; as a table where no log tells of it, or a very long one."""
    managers = [*lab.queue_managers, *lab.everyplace_queue_managers]
    now = f"{lab.now:%Y-%m-%d} {clock(lab.start, lab.now_us)} UTC"
    if not managers:
        words = f'An empty lab at {now}. qm = lab.queue_manager("QM1") puts the first queue manager into it.'
        return words, card("Lab", notes={"Begin with": ('qm = lab.queue_manager("QM1")',)}, lead=f"It is empty. {now}")
    words, told = f"A lab with {plural(len(managers), 'queue manager')}", f"{_log(lab)}{_told(lab)}"
    if _drawn(lab):
        picture = lab_picture(lab)
        words = f"{words}. {picture.words} {told}"
        return words, _said(words, picture.html)
    names = ", ".join(each.name for each in managers)
    words = f"{words} ({names}) at {now}: {_messages(_queues(lab))}. {told}"
    return words, table(words, _QMGR_COLUMNS, [_manager(each) for each in managers])


def _drawn(lab) -> bool:
    """Whether a picture can be had quickly: it is drawn from the log."""
    return lab.events.recording and len(lab.events) <= DRAWN


def _said(words: str, html: str = "") -> str:
    """A sentence, below what it is about."""
    return f'{html}<div class="mqlab-words"><style>{_WORDS}</style>{escape(words)}</div>'


def _queues(lab) -> list:
    """Every queue that can hold messages, each shared queue once."""
    local = {queue.place: queue for qmgr in lab.queue_managers for queue in qmgr.queues}
    return [*local.values(), *(queue for qmgr in lab.everyplace_queue_managers for queue in qmgr.queues)]


def _messages(queues) -> str:
    """How many messages there are, and on how many queues."""
    depth, used = sum(queue.depth for queue in queues), sum(queue.depth > 0 for queue in queues)
    return f"{plural(depth, 'message')} on {plural(used, 'queue')}" if depth else "no messages"


def _log(lab) -> str:
    if not lab.events.recording:
        return f"It has no log (record=False): {plural(lab.events.next_seq, 'event')} went by."
    return f"Its log has {plural(len(lab.events), 'event')}."


def _told(lab) -> str:
    """The story it was played from, and what became of it."""
    if lab.story is None:
        return ""
    words = f" It tells the story {getattr(lab.story, '__name__', 'of a function')}"
    words += f" in {plural(len(lab.chapters), 'chapter')}" if lab.chapters else ""
    if lab.branched_us is not None:
        words += f", another way from {clock(lab.start, lab.branched_us)} on"
    return f"{words}. It broke off: {lab.broken_off}." if lab.broken_off is not None else f"{words}."


def _manager(qmgr) -> tuple:
    """A queue manager as a row."""
    platform = getattr(qmgr, "platform", "MQ Everyplace")
    running = "running" if qmgr.running else Notable("stopped")
    mine = [queue for queue in qmgr.queues if getattr(queue, "structure", None) is None]  # shared ones are the group's
    own = [queue for queue in mine if not queue.name.startswith("SYSTEM.")]
    channels = sum(c.state == "RUNNING" for c in getattr(qmgr, "channels", {}).values())
    depth = sum(queue.depth for queue in mine)
    return qmgr.name, platform, getattr(qmgr, "level", None), running, len(own), depth, channels


def qmgr_face(qmgr) -> tuple[str, str]:
    """A queue manager as (text, html): its picture; its queues as a table where no log tells of them, or a long one."""
    own = [queue for queue in qmgr.queues if not queue.name.startswith("SYSTEM.")]
    shared = sum(queue.structure is not None for queue in own)
    words = f"{qmgr.name} ({qmgr.platform}, level {qmgr.level}) is {'running' if qmgr.running else 'stopped'}: "
    words += plural(len(own) - shared, "local queue") + _channels(qmgr)
    words += f", {plural(shared, 'shared queue')} of {qmgr.group.name}" if qmgr.group else ""
    words += f"; {plural(len(qmgr.programs_running), 'program')} running." if qmgr.programs_running else "."
    if _drawn(qmgr.lab):
        picture = lab_picture(qmgr.lab, qmgr=qmgr.name)
        words += f" {picture.words}"
        return words, _said(words, picture.html)
    words += f" There are {_messages(qmgr.queues)}."
    return words, _queue_table(
        words, [(q.name, "shared" if q.structure else "local", q.depth, q.maxdepth) for q in own]
    )


def _channels(qmgr) -> str:
    """How many channels it has, and in which states those are that have run."""
    there = [d for d in qmgr.objects.match(("CHANNEL",)) if not d.name.startswith("SYSTEM.")]
    if not there:
        return ""
    states = [channel.state for channel in qmgr.channels.values()]
    told = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    return f", {plural(len(there), 'channel')}" + (f" ({told})" if told else " (none has run)")


def _queue_table(words: str, rows: list[tuple]) -> str:
    """Queues with what they hold; a full one says so."""
    full = [(*row[:3], Notable(f"{row[3]:,}: full") if row[3] and row[2] >= row[3] else row[3]) for row in rows]
    return table(words, _QUEUE_COLUMNS, full)


def everyplace_face(qmgr) -> tuple[str, str]:
    """A queue manager of MQ Everyplace as (text, html): its queues as a table."""
    words = f"{qmgr.name} (MQ Everyplace) is {'running' if qmgr.running else 'stopped'}: "
    words += f"{plural(len(qmgr.queues), 'queue')}, {_messages(qmgr.queues)}."
    rows = [(queue.label, queue.kind, queue.depth, queue.max_depth, _settings(queue)) for queue in qmgr.queues]
    return words, table(words, (*_QUEUE_COLUMNS, "Settings"), rows)


def _settings(queue) -> str:
    """What was said of a queue of MQ Everyplace when it was defined."""
    told = [f"lifetime {queue.expiry_ms:,} ms"] if queue.expiry_ms is not None else []
    told += [f"rule {queue.rule_name}"] if queue.rule is not None else []
    told += [f"keeps messages for {', '.join(queue.targets)}"] if queue.targets else []
    return "; ".join(told + ([f"looks every {queue.poll_ms:,} ms"] if queue.poll_ms else []))


def group_face(group) -> tuple[str, str]:
    """A queue-sharing group as (text, html): its members, its structures and its shared queues."""
    cores = group.cores
    words = f"{group.name}, a queue-sharing group of {plural(len(group.members), 'queue manager')}, "
    words += f"{len(group.running)} of them running: {plural(len(cores), 'shared queue')} with {_messages(cores)} "
    words += f"in {plural(len(group.structures), 'structure')}."
    failed = [structure.name for structure in group.structures.values() if structure.failed]
    words += f" {' and '.join(failed)} {'has' if len(failed) == 1 else 'have'} failed." if failed else ""
    html = card(group.name, where="queue-sharing group", lead=words, failed=bool(failed))
    html += table(f"Members of {group.name}", _QMGR_COLUMNS, [_manager(member) for member in group.members])
    rows = [
        (
            s.name,
            Notable("FAILED") if s.failed else s.status,
            s.level,
            s.definition.attributes["RECOVER"],
            len(s.cores),
            s.entries,
        )
        for s in group.structures.values()
    ]
    html += table(
        f"Structures of {group.name}", ("Structure", "State", "CFLEVEL", "RECOVER", "Queues", "Messages"), rows
    )
    shared = [(core.instances[0].name, core.structure.name, core.depth, core.instances[0].maxdepth) for core in cores]
    columns = ("Queue", "Structure", "Messages", "Room for")
    return words, html + (table(f"Shared queues of {group.name}", columns, shared) if shared else "")


def state_face(state) -> tuple[str, str]:
    """A replayed state as (text, html): the queues that hold messages then, and how many others there are."""
    used = [(key, queue) for key, queue in state.queues.items() if queue.depth]
    when = "at the start" if not state.time_us else f"{duration(state.time_us)} after the start"
    depth = sum(queue.depth for _, queue in used)
    words = f"The state {when}, after row {state.seq}: " if state.seq >= 0 else f"The state {when}, before any row: "
    words += f"{plural(depth, 'message')} on {len(used):,} of {plural(len(state.queues), 'queue')}."
    stopped = [name for name, running in state.running.items() if not running]
    words += f" {' and '.join(stopped)} stopped." if stopped else ""
    rows = []
    for (qmgr, name), queue in used:
        lapsed, uncommitted = state.lapsed(qmgr, name), state.uncommitted(qmgr, name)
        gone = Notable(f"{lapsed:,} lapsed") if lapsed else 0
        open_work = Notable(f"{uncommitted:,} not committed") if uncommitted else 0
        rows.append((name, qmgr, queue.depth, gone, open_work, queue.inputs, queue.outputs))
    columns = ("Queue", "Queue manager", "Depth", "Lapsed", "Not committed", "IPPROCS", "OPPROCS")
    return words, table(words, columns, rows) if rows else _said(words)
