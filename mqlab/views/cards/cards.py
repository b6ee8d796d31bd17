"""Cards: what went wrong, why something does not happen, or a message's life, as a small panel in a notebook and as
plain text. All is escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.explain.life import life
from ...engine.explain.why_no_message import Reasons
from ...engine.explain.why_not_delivered import Delivery
from ...engine.words.constants import MQCC_WARNING, MQRC_Q_MGR_NOT_AVAILABLE, MQRC_UNKNOWN_OBJECT_NAME, REASONS
from ...engine.words.errors import LabError, MQError, ProgramDied, RunawayTrigger
from ...engine.words.lexer import as_name
from ...engine.words.objects import legal_name
from ...engine.words.rulebook import RULES
from ..drawing.gates import gates_svg
from ..frames.moments import Lab
from ..text import RULE_ID, capital, escape, plural, thousands
from ..theme import style_sheet

if TYPE_CHECKING:
    from ...gates.answer import Answer

_STYLE = style_sheet(".mqlab-card", "cards.css", "strip.css")

_ABOUT_MESSAGES = {2016, 2030, 2033, 2034, 2042, 2051, 2053, 2055, 2209}  # the state of the queue is the explanation
SHOWN = 10
"""The most messages of a queue that the card of a failed call lists."""
# The next thing to display for each reason: the MQSC command, {q} being the queue's name; an alias shows its TARGET,
# whose depth it is. Others: the whole object.
_DISPLAY = {
    2011: "DISPLAY QMODEL(*) DEFTYPE", 2016: "DISPLAY QUEUE({q}) GET TARGET", 2024: "DISPLAY QMGR MAXUMSGS",
    2027: "DISPLAY QUEUE({q}) DESCR", 2030: "DISPLAY QUEUE({q}) MAXMSGL TARGET", 2031: "DISPLAY QMGR MAXMSGL",
    2033: "DISPLAY QUEUE({q}) CURDEPTH GET MSGDLVSQ TARGET",
    2042: "DISPLAY QUEUE({q}) IPPROCS OPPROCS SHARE DEFSOPT TARGET", 2049: "DISPLAY QMGR MAXPRTY",
    2051: "DISPLAY QUEUE({q}) PUT TARGET", 2052: "DISPLAY QUEUE({near}*)",
    2053: "DISPLAY QUEUE({q}) CURDEPTH MAXDEPTH TARGET", 2055: "DISPLAY QUEUE({q}) CURDEPTH TARGET",
    2058: "DISPLAY QMGR QMNAME", 2082: "DISPLAY QALIAS({q}) TARGET", 2085: "DISPLAY QUEUE({near}*)",
    2152: "DISPLAY QUEUE(*)", 2189: "DISPLAY CLUSQMGR(*) QMTYPE STATUS", 2268: "DISPLAY QCLUSTER({q}) CLUSQMGR PUT",
    2270: "DISPLAY QCLUSTER({q}) CLUSQMGR", 2425: "DISPLAY TOPIC(SYSTEM.BASE.TOPIC) PUB",
}  # fmt: skip  # a table
# The attributes that each reason is about; the others are shown on demand. Counts that are not 0 are always shown.
_ABOUT = {
    2016: "GET", 2030: "MAXMSGL", 2033: "GET", 2034: "GET", 2042: "IPPROCS OPPROCS", 2051: "PUT", 2053: "MAXDEPTH",
    2055: "GET", 2209: "GET",
}  # fmt: skip  # a table
# The attributes of the queue to display if a condition is not met, by its rule without a letter.
_ATTRIBUTES = {
    "EXP-11": "CURDEPTH CAPEXPRY", "MQI-04": "CURDEPTH", "MQI-05": "CURDEPTH", "MQI-11": "GET", "MQI-12": "CURDEPTH",
    "MQI-14": "IPPROCS SHARE", "TRG-02": "TRIGMPRI", "TRG-03": "CURDEPTH TRIGTYPE TRIGDPTH",
    "TRG-04": "IPPROCS TRIGTYPE", "TRG-05": "GET", "TRG-06": "PROCESS USAGE", "TRG-07": "INITQ", "TRG-08": "INITQ",
    "TRG-09": "TRIGGER", "TRG-10": "TRIGTYPE", "TRG-11": "CURDEPTH TRIGTYPE", "TRG-14": "TRIGMPRI DEFPRTY MSGDLVSQ",
}  # fmt: skip  # a table
# And the commands that show more than the queue's definition, {q} being its name.
_COMMANDS = {
    "MQI-03": "DISPLAY QSTATUS({q}) TYPE(HANDLE) BROWSE", "MQI-05": "DISPLAY QSTATUS({q}) UNCOM",
    "MQI-14": "DISPLAY QSTATUS({q}) TYPE(HANDLE) INPUT", "MQI-16": "DISPLAY QMGR QMNAME",
    "TRG-04": "DISPLAY QSTATUS({q}) TYPE(HANDLE) INPUT", "TRG-06": "DISPLAY PROCESS(*)",
    "TRG-11": "DISPLAY QMGR TRIGINT",
}  # fmt: skip  # a table


def display_command(reason: int, queue: str) -> str:
    """The MQSC command that displays the object of a failure.

    >>> display_command(2053, "ORDERS")
    'DISPLAY QUEUE(ORDERS) CURDEPTH MAXDEPTH TARGET'
    """
    queue = queue.partition("@")[0]
    command = _DISPLAY.get(reason) or ("DISPLAY QUEUE({q}) ALL" if queue else "DISPLAY QMGR ALL")
    if "{" in command and not legal_name(queue):  # a topic string, or no name at all
        return "DISPLAY QUEUE(*)"
    return command.format(q=as_name(queue), near=re.findall(r"^[A-Z0-9]{0,4}", queue.upper())[0])


def card(
    title: str,
    facts: dict | None = None,
    notes: dict | None = None,
    *,
    lead: str = "",
    code: str = "",
    where: str = "",
    failed: bool = False,
    state: str = "",
    folded: bool = False,
    more: dict | None = None,
    items: Sequence[tuple[str, str, str]] = (),
    strip: str = "",
    body: str = "",
) -> str:
    """A card as HTML.

    `state` is "done", "wrong", "yet" (not done yet), or "": a color, an edge, and a sign.
    `facts` are labels and values in a grid, folded away if `folded`, and `more` are those that are always folded away;
    a `Marked` value is worth a second look. `notes` are
    labels and sentences, a sentence given as a tuple being shown as code; `items` are (time, sentence, rule) lines;
    `strip` and `body`, which comes last, are HTML made here. LabError for items that are no such lines.
    """
    if not all(isinstance(item, tuple) and len(item) == 3 for item in items):
        raise LabError(f"items must be tuples (time, sentence, rule); got {items!r:.200}")
    head = f'<span class="code">{escape(code)}</span> ' if code else ""
    head += f'<span class="{"name" if code else "title"}">{escape(title)}</span>'
    parts = [
        f'<div class="mqlab-card{" failed" if failed else ""}{state and f" {state}"}" role="group" aria-label="'
        f'{escape(f"{code} {title} {where}".strip())}"><style>{_STYLE}</style>'
        f'<div class="head">{head} <span class="where">{escape(where)}</span></div>',
        f'<div class="lead">{escape(lead)}</div>' if lead else "",
    ]
    known = f'<div class="strip">{strip}</div>' if strip else ""
    if facts:
        known += f'<div class="facts">{"".join(_fact(*fact) for fact in facts.items())}</div>'
        known = f"<details><summary>What the queue manager knew</summary>{known}</details>" if folded else known
    parts.append(known)
    if more:
        rest = "".join(_fact(*fact) for fact in more.items())
        parts.append(f'<details><summary>All attributes</summary><div class="facts">{rest}</div></details>')
    for label, words in (notes or {}).items():
        said = f"<code>{escape(words[0])}</code>" if isinstance(words, tuple) else f"<span>{_whole(words)}</span>"
        parts.append(f'<div class="note"><span class="label">{escape(label)}</span><span>{said}</span></div>')
    parts += ['<div class="items" role="list">', *(_item(*item) for item in items), "</div>"] if items else []
    return "".join(parts) + body + "</div>"


def _whole(words: str) -> str:
    """Words as HTML in which no id of a rule is broken at its hyphen."""
    return RULE_ID.sub(r'<span class="rule">\g<0></span>', escape(words))


def _item(time: str, words: str, rule: str) -> str:
    said = f'{escape(words)} <span class="rule">{escape(rule)}</span>'
    verdict = {"yes": " holds", "passed": " holds", "NO": " fails", "failed": " fails"}.get(time, "")
    return (
        f'<div class="item{verdict}" role="listitem"><span class="time">{escape(time)}</span> <span>{said}</span></div>'
    )


BLOCKS = 40  # messages


def message_strip(live: int, uncommitted: int, expired: int, maxdepth: int = 0) -> str:
    """The messages of a queue as HTML: a block for each and for each free place, or one for all of a state if they are
    many."""
    depth = live + uncommitted + expired
    amounts = {"live": live, "uncommitted": uncommitted, "expired": expired}
    words = f"{plural(depth, 'message')}: {thousands(live)} available, {thousands(uncommitted)} not committed"
    words += f", {thousands(expired)} expired"
    if depth > BLOCKS:
        parts = [f'<span class="{kind}" style="flex:{amount}"></span>' for kind, amount in amounts.items() if amount]
    else:
        amounts["slot"] = maxdepth - depth if maxdepth <= BLOCKS else 0
        parts = [f'<span class="{kind}"></span>' * amount for kind, amount in amounts.items()]
    return f'<div class="mqlab-strip" role="img" aria-label="{words}">{"".join(parts)}</div>'


class Marked(NamedTuple):
    """The value of a fact that is worth a second look."""

    value: object


def marked(value: object, notable: object) -> object:
    """A value of a fact, marked if it is notable."""
    return Marked(value) if notable else value


def _fact(label: object, value: object) -> str:
    notable, value = (" notable", value.value) if isinstance(value, Marked) else ("", value)
    if isinstance(value, bool):
        shown = "yes" if value else "no"
    else:
        attribute = str(label).isupper()  # as MQ shows it
        shown = thousands(value) if isinstance(value, int) and not attribute else str(value)
    return (
        f'<div class="fact{notable}"><span class="label">{escape(str(label))}</span> '
        f'<span class="value">{escape(shown)}</span></div>'
    )


def _advice(rule_id: str | None, hint: str, look: str = "") -> dict[str, Any]:
    """The notes of a failed call: the rule behind it, the MQSC command that shows more, and what to try."""
    rule = RULES.get(rule_id or "")
    notes = {"Rule": rule and f"{rule.id} {rule.title}. {rule.text}", "Look": look and (look,), "Try": hint}
    return {label: note for label, note in notes.items() if note}


def error_card(error: MQError) -> tuple[str, str]:
    """A refused call as (text, html): the reason, what the queue manager knew, the rule, what to display and to try."""
    where = " on ".join(filter(None, (error.object, error.qmgr)))
    facts, lead, about = dict(error.facts), _lead(error), error.reason in _ABOUT_MESSAGES
    found = facts.pop("messages", {})
    states = list(found.items()) if about else []
    if (after := facts.pop("CURDEPTH after", None)) is not None:
        before = "at the end of the wait" if error.waited else "before"
        facts["CURDEPTH"] = f"{before} {facts['CURDEPTH']}, after {after}"
    items = [(f"Message {number}", said, "") for number, said in states[:SHOWN]]
    items += [("...", f"{thousands(len(states) - SHOWN)} more", "")] if len(states) > SHOWN else []
    # a queue manager that is not running answers no command
    look = "" if error.reason == MQRC_Q_MGR_NOT_AVAILABLE else _look(error)
    notes = _advice(error.rule, error.hint, look)
    lines = [f"{error.reason} {error.name}" + (f": {where}" if where else ""), lead]
    lines += ["  " + ", ".join(f"{label} {value}" for label, value in facts.items())] if facts else []
    lines += [f"  {label}: {said}" for label, said, _ in items]
    lines += [f"{label + ':':<5} {_words(note)}" for label, note in notes.items()]
    matter = {
        k: v for k, v in facts.items() if k in ("CURDEPTH", *_ABOUT.get(error.reason, "").split()) or _telling(k, v)
    }
    rest = {k: v for k, v in facts.items() if about and k not in matter}
    facts = matter if about else facts
    shown = {k: marked(v, v == "DISABLED" or (v and k in (_EXPIRED, _PUT, _GOT))) for k, v in facts.items()}
    depth, put, expired, room = (error.facts.get(name, 0) for name in ("CURDEPTH", _PUT, _EXPIRED, "MAXDEPTH"))
    strip = message_strip(depth - put - expired, put, expired, room) if depth else ""
    parts: dict[str, Any] = {"lead": lead, "code": str(error.reason), "where": where, "items": items, "strip": strip}
    parts["more"] = rest
    return "\n".join(filter(None, lines)), card(error.name, shown, notes, failed=True, folded=not about, **parts)


def _look(error: MQError) -> str:
    """The MQSC command that displays the object of a failure; for a gate, the channel or the record."""
    gate, name = (error.rule or "").partition("-")[0], error.object
    if gate == "OAM" and error.grounds is not None:
        kind, about = error.grounds.fields["kind"], error.grounds.fields["object"]
        return f"DISPLAY AUTHREC OBJTYPE({kind})" + ("" if kind == "QMGR" else f" PROFILE('{about}')")
    if gate in ("SEC", "GAT", "TLS") and name != error.qmgr:
        return f"DISPLAY CHANNEL({as_name(name)}) ALL"
    if gate == "CLU" and error.reason == MQRC_UNKNOWN_OBJECT_NAME:
        return f"DISPLAY QCLUSTER({as_name(name)}) CLUSQMGR"
    return display_command(error.reason, name)


def _telling(label: str, value: object) -> bool:
    """Whether a fact is worth a look in any failure: a count of messages that is not 0, or something disabled."""
    return value == "DISABLED" or (isinstance(value, int) and value > 0 and label in _COUNTS)


def _lead(error: MQError) -> str:
    """The failure in a sentence, and why a depth above 0 is no contradiction."""
    said = capital(error.said)
    said += "." if said and not said.endswith(".") else ""
    depth, counts = error.facts.get("CURDEPTH"), [error.facts.get(state, 0) for state in (_EXPIRED, _PUT, _LOCKED)]
    if error.reason == 2033 and depth:
        shares = zip(counts, ("expired", "not committed", "locked"), strict=True)
        parts = ", ".join(f"{thousands(count)} {state}" for count, state in shares if count)
        said += (
            f" {'At the end of its wait' if error.waited else 'Before the call'} CURDEPTH was {thousands(depth)}"
            + (f" ({parts})" if parts else "")
        )
        said += f"; after it, CURDEPTH was {thousands(error.facts['CURDEPTH after'])}."
    return (said + (" This is a warning." if error.comp == MQCC_WARNING else "")).strip()


_EXPIRED, _PUT, _GOT = "expired but still counted", "put but not committed", "got but not committed"
_LOCKED, _FREE = "locked by a browse", "available"
_COUNTS = (_EXPIRED, _PUT, _GOT, _LOCKED, _FREE)


def everyplace_error_card(error: Any) -> tuple[str, str]:
    """A call that MQ Everyplace refused (`mqlab.everyplace.MQeError`) as (text, html): why, and what to try."""
    where, said = " on ".join(filter(None, (error.queue, error.qmgr))), capital(error.said)
    notes = _advice(error.rule, error.hint)
    lines = [f"{error.what}: {where}", said, *(f"{label}: {note}" for label, note in notes.items())]
    html = card(error.what, notes=notes, lead=said and f"{said}.", where=where, failed=True)
    return "\n".join(filter(None, lines)), html


def lab_error_card(error: LabError | RunawayTrigger | ProgramDied) -> tuple[str, str]:
    """An error of the lab as (text, html): its text, the rules behind it, and the cause of a program's death.

    If there is an object to ALTER, the card shows how to display that object first.
    """
    said = str(error)
    rules = [RULES[id] for id in getattr(error, "rules", ())]
    notes: dict[str, Any] = {f"Rule {rule.id}": f"{rule.title}. {rule.text}" for rule in rules}
    subject, attribute = getattr(error, "alter", ("", ""))
    if subject:
        notes |= {"Look": (f"DISPLAY {subject} ALL",), "Try": (f"ALTER {subject} {attribute}",)}
    text = [f"{type(error).__name__}: {said}", *(f"{label}: {_words(note)}" for label, note in notes.items())]
    html = card(type(error).__name__, notes=notes, lead=said, failed=True)
    if isinstance(error.__cause__, MQError):
        why, shown = error_card(error.__cause__)
        text, html = [*text, "Because of:", why], html + shown
    return "\n".join(text), html


def _words(note: str | tuple[str]) -> str:
    """A note of a card as plain text."""
    return note[0] if isinstance(note, tuple) else note


def reasons_card(reasons: Reasons) -> tuple[str, str]:
    """Conditions as (text, html): yes or no, the fact and the rule of each, and what to display if one is not met
    (`mqlab.engine.queues.triggering.Reasons`)."""
    items = [("yes" if holds else "NO", f"{title}: {said}", rule) for rule, title, holds, said in reasons.rows]
    verdict = reasons.if_not if reasons.missing else reasons.if_all
    name = as_name(reasons.queue)
    wanted = " ".join(_ATTRIBUTES.get(rule[:6], "") for rule in reasons.missing).split()
    look = [f"DISPLAY QLOCAL({name}) {' '.join(dict.fromkeys(wanted))}"] if wanted else []
    look += dict.fromkeys(_COMMANDS[rule].format(q=name) for rule in reasons.missing if rule in _COMMANDS)
    title = f"{reasons.queue}: {verdict}"
    html = card(title, notes={"Look": ("; ".join(look),)} if look else {}, items=items, failed=bool(reasons.missing))
    return "\n".join([str(reasons), *(f"Look: {command}" for command in look)]), html


def delivery_card(delivery: Delivery) -> tuple[str, str]:
    """Where a message is as (text, html): what holds and what does not, and what would move it
    (`mqlab.engine.explain.why_not_delivered.Delivery`)."""
    items = [("yes" if step.holds else "NO", f"{step.title}: {step.said}", step.rule) for step in delivery.rows]
    moves = delivery.moves
    label = "Step {} of {}" if moves[1:] else "Move it"
    notes: dict[str, Any] = {label.format(i, len(moves)): (move,) for i, move in enumerate(moves, 1)}
    notes |= {"After each": "Ask again: one step can make others unnecessary."} if moves[1:] else {}
    title = f"Message {delivery.number}: {delivery.verdict}"
    html = card(title, notes=notes, lead=delivery.place, items=items, failed=bool(delivery.missing))
    return str(delivery), html


def refusal_card(answer: Answer) -> tuple[str, str]:
    """Why a program was refused as (text, html): its picture, each gate, and what opens the closed one
    (`mqlab.gates.answer.Answer`)."""
    items = [({"refused": "NO"}.get(row.state, row.state), f"{row.gate}: {row.said}" if row.said else row.gate,
              row.rule if row.state == "refused" else "") for row in answer.rows]  # fmt: skip
    notes: dict[str, Any] = {
        "Record": answer.record,
        "Opens it": (answer.opens or answer.hint,) if answer.hint else "",
        "or": (answer.shell,) if answer.shell else "",
        f"{answer.qmgr} logs": " / ".join(answer.log),
        "Client logs": answer.client_log if answer.channel is not None else "",
        "Next": f"{answer.next.gate}: {answer.next.said}" if answer.next is not None else "",
    }
    notes = {label: note for label, note in notes.items() if note}
    way = f"{answer.user} from {answer.address} through {answer.channel}" if answer.channel else str(answer.user)
    title = REASONS.get(answer.reason, "") if answer.reason is not None else "let in"
    parts: dict[str, Any] = {"code": str(answer.reason or ""), "where": f"{answer.program} as {way} to {answer.qmgr}"}
    html = card(title, notes=notes, items=items, strip=gates_svg(answer), failed=not answer, **parts)
    return str(answer), html


def explain_card(lab: Lab, message: Any) -> tuple[str, str]:
    """A message's life as (text, html): the lines of `lab.explain(message)`."""
    items = life(lab, message)
    number = getattr(message, "number", message)
    html = card(f"Message {number}", where=f"{plural(len(items), 'line')}, simulated time", items=items)
    return lab.explain(message), html
