"""Rules of message expiry."""

from __future__ import annotations

from .rule import Rule

__all__ = ["BOOK"]

_EXPIRY = "Expiry in MQMD, product documentation"
_OLD = "Expiry in MQMD, product documentation of version 5.3"

# three lines a rule, so that the book can be read as a book
BOOK = (
    Rule("EXP-01", "A lifetime set by the putter",
         "Expiry is a lifetime in tenths of a second that starts at the put; left alone it is unlimited (-1).",
         _EXPIRY),
    Rule("EXP-02", "Lapsing removes nothing",
         "A message whose lifetime is over may be discarded, but it stays where it is until something meets it.",
         _EXPIRY),
    Rule("EXP-03", "Ageing on the way",
         "A lifetime counts down on every transmission queue on the way and on the destination queue.", _EXPIRY),
    Rule("EXP-04", "Time in flight",
         "A channel may also count the time a message is on its way where that is significant; the lab's links say "
         "whether it does.", _EXPIRY),
    Rule("EXP-05", "Time in a program's hands",
         "A program that forwards a message may take the time it held it off its lifetime; one that copies the "
         "descriptor makes it live longer by that time.", _EXPIRY),
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
    Rule("EXP-12", "Lapsed on the way",
         "A message for a remote queue may lapse on a transmission queue; the agent that would have sent it discards "
         "it, and it never arrives.", _EXPIRY),
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
    Rule("EXP-25", "Two lifetimes, the same at first",
         "A message on a transmission queue has a second descriptor in its MQXQH; the queue manager gives both the "
         "same Expiry.", _EXPIRY),
    Rule("EXP-26", "Put there by an application",
         "Level 5.3 takes what an application puts on a transmission queue as it is; later levels want a whole MQXQH "
         "and the same valid Expiry in both descriptors.", _OLD),
    Rule("EXP-27", "Both age",
         "A get or browse of a message of format MQXMIT returns both lifetimes less the time on that queue; data too "
         "short for one is no error.", _EXPIRY),
    Rule("EXP-28", "The outer one decides",
         "Whether such a message has lapsed is told by its own descriptor, whatever the one in its header says.",
         _EXPIRY),
    Rule("EXP-29", "The inner one stops at zero",
         "Where the inner lifetime is over and the outer one is not, the inner Expiry is returned as zero.", _EXPIRY),
    Rule("EXP-30", "Replies of the IMS bridge",
         "The bridge's reply has an unlimited lifetime, unless the request's MQIIH has PASS_EXPIRATION: then it has "
         "what the request had left and its expiration report options.", _EXPIRY),
    Rule("EXP-31", "CAPEXPRY",
         "CAPEXPRY of any queue or topic on the way lowers the lifetime of a message put to it, an unlimited one "
         "too.", _EXPIRY),
    Rule("EXP-32", "VSE knows no lifetimes",
         "On VSE/ESA the expiry must be unlimited; any other fails with 2013.", _OLD),
    Rule("EXP-33", "z/OS scans",
         "z/OS discards lapsed messages that nobody meets: every EXPRYINT seconds on just the queues that hold "
         "some, and at each restart. Elsewhere level 5.3 never does.", _OLD),
    Rule("EXP-34", "One member scans the shared queues",
         "The first member of a queue-sharing group to start with EXPRYINT or to have it set scans the shared queues; "
         "when it ends, another takes over at its next interval.", _OLD),
    Rule("EXP-35", "A scan on request",
         "REFRESH QMGR TYPE(EXPIRY) NAME(generic) on z/OS scans the named queues at once.", _OLD),
    Rule("EXP-36", "Whoever discards reports",
         "A program other than the queue manager that discards a message because its lifetime is over sends the "
         "expiration report that was asked for.", _EXPIRY),
    Rule("EXP-37", "An adapter with two settings",
         "The xCoupler takes the lifetime of what it puts from one trigger or from one transport; where both have one "
         "the trigger's is taken (our reading).", _OLD),
    Rule("EXP-38", "Counted until browsed, moved or got",
         "A lapsed message adds to the depth until a browse, a get, or a program that moves it on meets it.", _OLD),
)  # fmt: skip  # three lines a rule, so that the list reads like a book
