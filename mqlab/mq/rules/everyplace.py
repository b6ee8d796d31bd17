"""Rules of MQ Everyplace."""

from __future__ import annotations

from .rule import Rule

__all__ = ["BOOK"]

_DEVICE = "Checking for expired messages, MQ Everyplace product documentation"
_DEVICES = "MQe product documentation"

# three lines a rule, so that the book can be read as a book
BOOK = (
    Rule("MQE-01", "Looked at when added",
         "A message is checked for expiry when it is added to a queue, by a local put, a pull or a push; one that has "
         "lapsed is not added.", _DEVICE),
    Rule("MQE-02", "Looked at when removed",
         "A message is checked when it is taken off a queue, by a local get or from another queue manager.", _DEVICE),
    Rule("MQE-03", "Activation clears out",
         "Activating a queue removes every message that has lapsed, locked ones too.", _DEVICE),
    Rule("MQE-04", "Deletion clears out first",
         "Deleting a queue first removes what has lapsed, locked or not, and then needs the queue to be empty.",
         _DEVICE),
    Rule("MQE-05", "Asking for the size clears out",
         "An administrator's inquiry of a queue's size first removes what has lapsed.", _DEVICE),
    Rule("MQE-06", "The queue rule is told",
         "A queue's rule is told once of each message that lapses there; the message is deleted whatever it answers.",
         _DEVICE),
    Rule("MQE-07", "Two stages, two notices, one message",
         "An asynchronous queue sends by put and then confirm; if the link fails in between, the one message lapses on "
         "both queue managers and the rules of both queues are told.", _DEVICE),
    Rule("MQE-08", "Queue managers and their queues",
         "A queue belongs to one queue manager, others know it as NAME@OWNER, and its kind says which calls it takes.",
         _DEVICES),
    Rule("MQE-09", "By priority, then by arrival",
         "A get takes the first message that is not locked, of the highest priority; a full queue refuses a put.",
         _DEVICES),
    Rule("MQE-10", "Assured: locked until confirmed",
         "A put or get with a confirm id locks the message until it is confirmed by its own id; the confirm id is for "
         "undoing it. Confirmed puts are ordered by the confirmation.", _DEVICES),
    Rule("MQE-11", "The message's own lifetime goes first",
         "A lifetime is milliseconds since the message was created, or a moment; it replaces the interval of the "
         "queue, even a shorter one.", _DEVICES),
    Rule("MQE-12", "Synchronous: now or not at all",
         "A call on a synchronous queue goes to its owner at once, and fails if the link is down.", _DEVICES),
    Rule("MQE-13", "Asynchronous: kept, and sent when triggered",
         "A put to an asynchronous queue is kept here; it is sent when transmission is triggered, by a call or a "
         "timer.", _DEVICES),
    Rule("MQE-14", "A client fetches from its home server",
         "A store-and-forward queue keeps messages for others; a home-server queue fetches its own, when triggered or "
         "polling, and stops polling when it cannot connect.", _DEVICES),
    Rule("MQE-15", "Nothing twice",
         "A message that was put before is refused unless it is marked as sent again, and a queue that has it does not "
         "add it again.", _DEVICES),
)  # fmt: skip  # three lines a rule, so that the list reads like a book
