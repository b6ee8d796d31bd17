"""Rules of triggering: the conditions for a trigger event."""

from __future__ import annotations

from .rule import Rule

__all__ = ["BOOK"]

_TRIGGER = "Conditions for a trigger event, product documentation"

# three lines a rule, so that the book can be read as a book
BOOK = (
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
    Rule("TRG-03b", "On a shared queue only committed messages count",
         "A message put to a shared queue in a unit of work is a trigger event when that is committed, for every "
         "member of the group.", _TRIGGER),
    Rule("TRG-04", "Nobody reads it",
         "FIRST and DEPTH fire only while no program has the queue open for input.", _TRIGGER),
    Rule("TRG-04a", "While another member reads it",
         "While a member has a shared queue open for shared input, the others take it as FIRST with TRIGMPRI(0); when "
         "all have closed it, as it is defined.", _TRIGGER),
    Rule("TRG-04b", "Each member counts its own readers",
         "A member triggers for a shared queue only while it does not read it itself (EVERY aside); an exclusive open "
         "anywhere stops them all.", _TRIGGER),
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
)  # fmt: skip  # three lines a rule, so that the list reads like a book
