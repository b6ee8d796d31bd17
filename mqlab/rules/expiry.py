"""Rules of message expiry."""

from .rule import Rule

__all__ = ["RULES"]

_EXPIRY = "Expiry in MQMD, product documentation"
_OLD = "Expiry in MQMD, product documentation of version 5.3"

RULES = (
    Rule(
        "EXP-01",
        "A lifetime set by the putter",
        "Expiry is a lifetime in tenths of a second that starts at the put; left alone it is unlimited (-1).",
        _EXPIRY,
    ),
    Rule(
        "EXP-02",
        "Lapsing removes nothing",
        "A message whose lifetime is over may be discarded, but it stays where it is until something meets it.",
        _EXPIRY,
    ),
    Rule(
        "EXP-06",
        "Small intervals need not be counted",
        "A lifetime is approximate: the lab's granularity says how coarse, exact tenths if nothing else is said.",
        _EXPIRY,
    ),
    Rule(
        "EXP-07",
        "What is left is returned",
        "A get or browse returns the lifetime still left: more than zero, or unlimited.",
        _EXPIRY,
    ),
    Rule(
        "EXP-08",
        "Only a call that would have returned it discards it",
        "A lapsed message goes when a get or browse would have returned it; a call that selects others passes it by.",
        _EXPIRY,
    ),
    Rule(
        "EXP-09",
        "FIFO: everything lapsed ahead of the first live message",
        "On a FIFO queue a get of anything discards the lapsed messages ahead of the first live one, and no others.",
        _EXPIRY,
    ),
    Rule(
        "EXP-10",
        "Priority: the lapsed of higher priority, and the earlier of the same",
        "On a priority queue such a get discards the lapsed messages of higher priority and those of the same priority "
        "that came before the first live one.",
        _EXPIRY,
    ),
    Rule(
        "EXP-11",
        "A lapsed message is never returned",
        "Neither browse nor get ever gives an application a message whose lifetime is over.",
        _EXPIRY,
    ),
    Rule(
        "EXP-13",
        "A report only if asked for",
        "Discarding a lapsed message sends an expiration report if its putter set one of the MQRO_EXPIRATION options.",
        _EXPIRY,
    ),
    Rule(
        "EXP-14",
        "The lifetime starts at the put, not at the commit",
        "A message put in a unit of work ages from the put; if it lapses before the commit it is discarded afterwards "
        "and never returned.",
        _EXPIRY,
    ),
    Rule(
        "EXP-15",
        "Zero is no lifetime",
        "A put with an Expiry of zero, or negative other than -1, fails with 2013 and sends no report.",
        _EXPIRY,
    ),
    Rule(
        "EXP-16",
        "A limit that must be switched on",
        "A lifetime above 999 999 999 fails with 2013 only where AMQ_ENFORCE_MAX_EXPIRY_ERROR is set, to whatever.",
        _EXPIRY,
    ),
    Rule(
        "EXP-17",
        "Lapsed messages still count",
        "Until they are discarded, lapsed messages count towards CURDEPTH, MAXDEPTH and trigger depth.",
        _EXPIRY,
    ),
    Rule(
        "EXP-18",
        "The report is sent at the discard",
        "An expiration report is made when the message is discarded, not when its lifetime ended.",
        _EXPIRY,
    ),
    Rule(
        "EXP-19",
        "Discards are nobody's unit of work",
        "A discard and its report are final even when the get that met the message is backed out.",
        _EXPIRY,
    ),
    Rule(
        "EXP-20",
        "A backed out message goes on ageing",
        "A message got with little time left may have lapsed by the time its unit of work is backed out.",
        _EXPIRY,
    ),
    Rule(
        "EXP-21",
        "A locked message goes on ageing",
        "A message locked by a browse may lapse before it is got under the cursor; that get then fails with 2034.",
        _EXPIRY,
    ),
    Rule(
        "EXP-22",
        "A reply's lifetime is the replier's choice",
        "A replier copies what is left of the request's lifetime, sets its own, or sets none.",
        _EXPIRY,
    ),
    Rule(
        "EXP-24",
        "Trigger messages do not age",
        "Trigger messages are written with unlimited expiry; CAPEXPRY on the queue limits them too (our reading).",
        _EXPIRY,
    ),
    Rule(
        "EXP-31",
        "CAPEXPRY",
        "CAPEXPRY of any queue on the way lowers the lifetime of a message put to it, an unlimited one too.",
        _EXPIRY,
    ),
    Rule(
        "EXP-32", "VSE knows no lifetimes", "On VSE/ESA the expiry must be unlimited; any other fails with 2013.", _OLD
    ),
    Rule(
        "EXP-33",
        "z/OS scans",
        "z/OS discards lapsed messages that nobody meets, every EXPRYINT seconds, on just the queues that hold some.",
        _OLD,
    ),
    Rule(
        "EXP-35",
        "A scan on request",
        "REFRESH QMGR TYPE(EXPIRY) NAME(generic) on z/OS scans the named queues at once.",
        _OLD,
    ),
    Rule(
        "EXP-38",
        "Counted until browsed, moved or got",
        "A lapsed message adds to the depth until a browse, a get, or a program that moves it on meets it.",
        _OLD,
    ),
)
