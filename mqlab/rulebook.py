"""The rule book: what makes each thing happen, in our own words, with its source.

Ids beginning EXP, TRG, IGQ and MQE come from the source documents on expiry, triggering, intra-group queuing and MQ
Everyplace; ids beginning MQI are the everyday rules of the message queue interface around them. Every event names the
rule that caused it, and the test that proves a rule is marked with its id.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["RULES", "Rule", "rule"]


class Rule(NamedTuple):
    """One rule: its id, a title of a few words, one sentence, and where it comes from."""

    id: str
    title: str
    text: str
    source: str


_EXPIRY = "Expiry in MQMD, product documentation"
_TRIGGER = "Conditions for a trigger event, product documentation"
_OLD = "Expiry in MQMD, product documentation of version 5.3"
_CALLS = "MQI reference, product documentation"
_READING = "our reading of the MQI reference"

# three lines a rule, so that the book can be read as a book
_BOOK = (
    Rule("EXP-01", "A lifetime set by the putter",
         "Expiry is a lifetime in tenths of a second that starts at the put; left alone it is unlimited (-1).",
         _EXPIRY),
    Rule("EXP-02", "Lapsing removes nothing",
         "A message whose lifetime is over may be discarded, but it stays where it is until something meets it.",
         _EXPIRY),
    Rule("EXP-06", "Small intervals need not be counted",
         "A lifetime is approximate: the lab's granularity says how coarse, exact tenths if nothing else is said.",
         _EXPIRY),
    Rule("EXP-07", "What is left is returned",
         "A get or browse returns the lifetime still left: more than zero, or unlimited.", _EXPIRY),
    Rule("EXP-08", "Only a call that would have returned it discards it",
         "A lapsed message goes when a get or browse would have returned it; a call that selects others passes it "
         "by.", _EXPIRY),
    Rule("EXP-09", "FIFO: everything lapsed ahead of the first live message",
         "On a FIFO queue a get of anything discards the lapsed messages ahead of the first live one, and no "
         "others.", _EXPIRY),
    Rule("EXP-10", "Priority: the lapsed of higher priority, and the earlier of the same",
         "On a priority queue such a get discards the lapsed messages of higher priority and those of the same "
         "priority that came before the first live one.", _EXPIRY),
    Rule("EXP-11", "A lapsed message is never returned",
         "Neither browse nor get ever gives an application a message whose lifetime is over.", _EXPIRY),
    Rule("EXP-13", "A report only if asked for",
         "Discarding a lapsed message sends an expiration report if its putter set one of the MQRO_EXPIRATION "
         "options.", _EXPIRY),
    Rule("EXP-14", "The lifetime starts at the put, not at the commit",
         "A message put in a unit of work ages from the put; if it lapses before the commit it is discarded "
         "afterwards and never returned.", _EXPIRY),
    Rule("EXP-15", "Zero is no lifetime",
         "A put with an Expiry of zero, or negative other than -1, fails with 2013 and sends no report.", _EXPIRY),
    Rule("EXP-16", "A limit that must be switched on",
         "A lifetime above 999 999 999 fails with 2013 only where AMQ_ENFORCE_MAX_EXPIRY_ERROR exists, whatever "
         "its value.", _EXPIRY),
    Rule("EXP-17", "Lapsed messages still count",
         "Until they are discarded, lapsed messages count towards CURDEPTH, MAXDEPTH and trigger depth.", _EXPIRY),
    Rule("EXP-18", "The report is sent at the discard",
         "An expiration report is made when the message is discarded, not when its lifetime ended.", _EXPIRY),
    Rule("EXP-19", "Discards are nobody's unit of work",
         "A discard and its report are final even when the get that met the message is backed out.", _EXPIRY),
    Rule("EXP-20", "A backed out message goes on ageing",
         "A message got with little time left may have lapsed by the time its unit of work is backed out.", _EXPIRY),
    Rule("EXP-21", "A locked message goes on ageing",
         "A message locked by a browse may lapse before it is got under the cursor; that get then fails with 2034.",
         _EXPIRY),
    Rule("EXP-22", "A reply's lifetime is the replier's choice",
         "A replier copies what is left of the request's lifetime, sets its own, or sets none.", _EXPIRY),
    Rule("EXP-23", "Ageing on the dead-letter queue",
         "A message moved to the dead-letter queue keeps what is left of its lifetime, and goes on ageing there.",
         _EXPIRY),
    Rule("EXP-24", "Trigger messages do not age",
         "Trigger messages are written with unlimited expiry; CAPEXPRY on the queue limits them too (our reading).",
         _EXPIRY),
    Rule("EXP-31", "CAPEXPRY",
         "CAPEXPRY of any queue or topic on the way lowers the lifetime of a message put to it, an unlimited one "
         "too.", _EXPIRY),
    Rule("EXP-32", "VSE knows no lifetimes",
         "On VSE/ESA the expiry must be unlimited; any other fails with 2013.", _OLD),
    Rule("EXP-33", "z/OS scans",
         "z/OS discards lapsed messages that nobody meets: every EXPRYINT seconds on just the queues that hold "
         "some, and at each restart. Elsewhere level 5.3 never does.", _OLD),
    Rule("EXP-35", "A scan on request",
         "REFRESH QMGR TYPE(EXPIRY) NAME(generic) on z/OS scans the named queues at once.", _OLD),
    Rule("EXP-38", "Counted until browsed, moved or got",
         "A lapsed message adds to the depth until a browse, a get, or a program that moves it on meets it.", _OLD),
    Rule("TRG-01", "A put asks for a trigger",
         "Every message that comes to a queue is a trigger event to consider.", _TRIGGER),
    Rule("TRG-02", "Priority counts",
         "Only messages at or above TRIGMPRI count; with TRIGMPRI(0) all do.", _TRIGGER),
    Rule("TRG-03", "How many there were",
         "FIRST fires when there was none before, EVERY always, DEPTH when there were TRIGDPTH less one. DEPTH "
         "then turns triggering off.", _TRIGGER),
    Rule("TRG-03a", "Uncommitted messages count too",
         "On a queue that is not shared uncommitted messages count; a program may be started and find nothing to "
         "get.", _TRIGGER),
    Rule("TRG-04", "Nobody reads it",
         "FIRST and DEPTH fire only while no program has the queue open for input.", _TRIGGER),
    Rule("TRG-05", "Gets are allowed",
         "On z/OS the queue must not have GET(DISABLED).", _TRIGGER),
    Rule("TRG-06", "A process that exists",
         "PROCESS names a process that is defined, or is blank on a transmission queue.", _TRIGGER),
    Rule("TRG-07", "An initiation queue that can be used",
         "INITQ names a local queue with gets and puts allowed, USAGE(NORMAL), and not deleted.", _TRIGGER),
    Rule("TRG-08", "A trigger monitor runs",
         "Some program has the initiation queue open for input.", _TRIGGER),
    Rule("TRG-09", "Triggering is on",
         "The queue has TRIGGER, not NOTRIGGER.", _TRIGGER),
    Rule("TRG-10", "A type is set",
         "TRIGTYPE is not NONE.", _TRIGGER),
    Rule("TRG-10a", "The trigger message waits for the unit of work",
         "If the message was put in a unit of work, its trigger message can be got when that ends: by a commit, "
         "and for FIRST and DEPTH by a backout too.", _TRIGGER),
    Rule("TRG-11", "Fired again",
         "A put to a queue that holds enough already fires again: for DEPTH at once, for FIRST when TRIGINT "
         "milliseconds have passed since the last trigger message.", _TRIGGER),
    Rule("TRG-11a", "A restart ends the interval",
         "After a restart of the queue manager the next qualifying put fires FIRST again, however little of "
         "TRIGINT passed.", _TRIGGER),
    Rule("TRG-12", "The last reader leaves messages behind",
         "When the last reader closes the queue and enough qualifying messages are left on it, FIRST and DEPTH "
         "fire.", _TRIGGER),
    Rule("TRG-12a", "The loop",
         "A program that closes without emptying the queue is started again, and again.", _TRIGGER),
    Rule("TRG-12b", "Backing out before or after the close",
         "A get backed out before the close makes the close fire; one backed out after it does not.", _TRIGGER),
    Rule("TRG-12c", "BackoutCount tells",
         "Each backout raises BackoutCount, by which a program sees the loop; moving the message to BOQNAME at "
         "BOTHRESH is the program's work.", _TRIGGER),
    Rule("TRG-13", "Turned on or changed",
         "Turning triggering on, or changing its type, priority or (for DEPTH) depth while it is on, fires if "
         "enough messages are there; no monitor need run.", _TRIGGER),
    Rule("TRG-13a", "Puts allowed on the initiation queue again",
         "PUT(ENABLED) on an initiation queue fires once for each queue it serves that qualifies.", _TRIGGER),
    Rule("TRG-13b", "Gets allowed again",
         "GET(ENABLED) on a queue fires if the other conditions hold.", _TRIGGER),
    Rule("TRG-13c", "A monitor comes",
         "The first open for input of an initiation queue fires once for each queue it serves that qualifies.",
         _TRIGGER),
    Rule("TRG-14", "FIFO files by DEFPRTY",
         "On a FIFO queue every message counts as DEFPRTY: with TRIGMPRI above that nothing ever fires. On a "
         "PRIORITY queue messages below TRIGMPRI do not count.", _TRIGGER),
    Rule("TRG-15", "One message, in no unit of work",
         "What fires without a put is in no unit of work, and for EVERY it is one message however many wait.",
         _TRIGGER),
    Rule("TRG-16", "A segmented put is one event",
         "A message that the put splits into segments triggers once, when the last is there; moved on, each "
         "counts.", _TRIGGER),
    Rule("MQI-01", "A put joins its priority",
         "A message is filed behind those of its own priority when it arrives; FIFO queues file by DEFPRTY.", _CALLS),
    Rule("MQI-02", "A get takes the first in order",
         "A get takes the highest priority first and, within a priority, the message put first.", _CALLS),
    Rule("MQI-03", "A browse takes nothing",
         "A browse returns a copy; the cursor moves on and misses what arrives behind it.", _CALLS),
    Rule("MQI-04", "Selecting by MsgId and CorrelId",
         "A get or browse with a MsgId or CorrelId takes the first message in order that carries it.", _CALLS),
    Rule("MQI-05", "An uncommitted put counts and cannot be seen",
         "A message put in a unit of work raises CURDEPTH at once and can be got only after the commit.", _CALLS),
    Rule("MQI-06", "An uncommitted get lowers the depth",
         "A message got in a unit of work leaves CURDEPTH at once and is gone for good at the commit.", _CALLS),
    Rule("MQI-07", "A commit ends the unit of work",
         "A commit makes all its puts visible and all its gets final.", _CALLS),
    Rule("MQI-08", "A backout puts things back",
         "A backout removes its puts and returns its gets to their old places with BackoutCount one higher.", _READING),
    Rule("MQI-09", "A full queue",
         "A put fails with 2053 when the queue already holds MAXDEPTH messages.", _CALLS),
    Rule("MQI-10", "A message too long",
         "A put fails with 2030 when the data is longer than the queue's MAXMSGL, with 2031 for the queue "
         "manager's.", _CALLS),
    Rule("MQI-11", "Inhibited",
         "PUT(DISABLED) refuses puts with 2051, GET(DISABLED) refuses gets with 2016.", _CALLS),
    Rule("MQI-12", "Nothing to return",
         "A get or browse that finds no message it may take fails with 2033, whatever CURDEPTH says.", _CALLS),
    Rule("MQI-13", "The descriptor is checked first",
         "A put with a field out of range fails and changes nothing.", _CALLS),
    Rule("MQI-14", "Names and opens",
         "A call names an object that exists, opened for what the call does.", _CALLS),
    Rule("MQI-15", "Definitions",
         "A command defines, changes, clears or deletes an object.", "MQSC reference"),
    Rule("MQI-16", "Stopping and starting",
         "When a queue manager ends, open units of work are backed out and non-persistent messages are gone.", _CALLS),
    Rule("MQI-17", "Waiting",
         "A get with a wait interval waits for a message until the interval is over.", _CALLS),
    Rule("MQI-18", "A unit of work has a limit",
         "More than MAXUMSGS puts and gets in one unit of work fail with 2024.", _CALLS),
    Rule("MQI-19", "A program that dies is backed out",
         "A program that returns commits what it left open; one that dies has it backed out, and its handles "
         "closed.", _READING),
    Rule("MQI-20", "The expirer of current levels",
         "A distributed queue manager of level 600 or later discards lapsed messages every 300 seconds.",
         "Product support note on expired messages"),
    Rule("MQI-21", "Confirm on arrival",
         "The queue manager that owns the destination sends a COA report when the message lands, with its unit of "
         "work.", _CALLS),
    Rule("MQI-22", "Confirm on delivery",
         "A COD report is sent by the get that takes the message, in that get's unit of work; a browse sends none.",
         _CALLS),
    Rule("MQI-23", "Inquire and set",
         "MQINQ reads attributes of an open object; MQSET sets a few of a local queue, all of them or none.", _CALLS),
    Rule("MQI-24", "Dynamic queues",
         "Opening a model queue makes a dynamic queue; a temporary one goes when its creator closes it, and holds "
         "no persistent messages.", _CALLS),
    Rule("MQI-25", "The connection's own unit of work",
         "Calls with SYNCPOINT belong to one unit of work of their connection, ended by MQCMIT or MQBACK. Options that "
         "do not say are inside it on z/OS and outside elsewhere.", _CALLS),
    Rule("MQI-26", "A buffer that is too short",
         "A message longer than the buffer stays on its queue with warning 2080, or is returned cut with 2079 where "
         "that is accepted.", _CALLS),
    Rule("MQI-27", "Options that fit together",
         "Options that MQ does not know, or does not take together, fail with 2046 and do nothing.", _CALLS),
    Rule("MQI-28", "Context",
         "A message carries who it came from and what put it; a program opened for it may pass or set them.", _CALLS),
    Rule("MQI-29", "Exception reports",
         "Whoever cannot deliver a message sends an exception report if its putter asked for one, with the reason as "
         "its Feedback.", _CALLS),
    Rule("MQI-30", "What cannot be delivered",
         "MQRO_DISCARD_MSG discards a message that cannot be delivered; otherwise it goes to the dead-letter queue "
         "behind an MQDLH.", _CALLS),
    Rule("MQI-31", "Groups and segments",
         "Messages of a group share a GroupId and are numbered; in logical order a put numbers them and a get "
         "returns them by number.", _CALLS),
    Rule("MQI-32", "BackoutCount after a restart",
         "On z/OS a private queue with NOHARDENBO forgets its BackoutCounts at a restart; elsewhere, and with "
         "HARDENBO, they stay.", _CALLS),
    Rule("MQI-33", "A get left out of the backout",
         "On z/OS a get with MARK_SKIP_BACKOUT is not undone by a backout: it becomes a new unit of work.", _CALLS),
    Rule("MQI-34", "Publishing",
         "A publication goes, a copy each, to the queues of the subscriptions whose topic string matches its own.",
         "Publish and subscribe, product documentation"),
)  # fmt: skip

RULES: dict[str, Rule] = {entry.id: entry for entry in _BOOK}
"""Every rule by id, in the order of the book."""


def rule(id: str) -> Rule:
    """The rule with this id; KeyError that names the ids there are.

    >>> rule("EXP-15").title
    'Zero is no lifetime'
    """
    try:
        return RULES[id]
    except KeyError:
        raise KeyError(f"no rule {id!r}; the rule book has {', '.join(RULES)}") from None
