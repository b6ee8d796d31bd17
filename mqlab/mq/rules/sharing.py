"""Rules of queue-sharing groups and intra-group queuing."""

from __future__ import annotations

from .rule import Rule

_IGQ = "Intra-group queuing, product documentation of z/OS"
_SHARING = "Shared queues and queue-sharing groups, product documentation of z/OS"
__all__ = ["BOOK"]


# three lines a rule, so that the book can be read as a book
BOOK = (
    Rule("QSG-01", "Members of one group",
         "Queue managers on z/OS form a queue-sharing group; each is in one group at the most.", _SHARING),
    Rule("QSG-02", "Whose definition it is",
         "SHARED is one queue for all members, GROUP a master that each running member has a COPY of, and QMGR a queue "
         "manager's own.", _SHARING),
    Rule("QSG-03", "A structure holds shared queues",
         "A CFSTRUCT names a structure of the coupling facility for all members; the first open of a queue in it "
         "allocates it.", _SHARING),
    Rule("QSG-04", "What a structure takes",
         "Persistent messages need CFLEVEL(3) and RECOVER(YES), else 2048; up to CFLEVEL(3) a message has 63 KB at the "
         "most, else 2030.", _SHARING),
    Rule("QSG-05", "Shared messages outlive queue managers",
         "When a member ends or fails, shared messages stay, non-persistent ones too, and other members get them.",
         _SHARING),
    Rule("QSG-06", "A queue manager fails",
         "Work on its own queues is backed out, and their non-persistent messages are lost, when it starts again.",
         _SHARING),
    Rule("QSG-07", "Peers recover",
         "What a failed member had not committed on shared queues is backed out by another one at once; with none "
         "running, by the next that starts.", _SHARING),
    Rule("QSG-08", "The coupling facility fails",
         "Non-persistent messages are lost; persistent ones in structures with RECOVER(YES) are kept, out of reach.",
         _SHARING),
    Rule("QSG-09", "A failed structure is recovered",
         "Until RECOVER CFSTRUCT calls that use its queues fail with 2373; then its persistent messages are there "
         "again.", _SHARING),
    Rule("QSG-10", "A structure that is not recovered",
         "A structure with RECOVER(NO) that fails loses everything, and the next open of a queue in it makes it anew.",
         _SHARING),
    Rule("QSG-11", "One trigger message for a shared initiation queue",
         "Each member writes its own trigger message; where the initiation queue is shared too, the first one does for "
         "all.", _SHARING),
    Rule("IGQ-01", "A header like any other",
         "A message on SYSTEM.QSG.TRANSMIT.QUEUE begins with an MQXQH, as on every transmission queue.", _IGQ),
    Rule("IGQ-02", "Persistent or not",
         "The shared transmission queue holds persistent and non-persistent messages, and the agent delivers both.",
         _IGQ),
    Rule("IGQ-03", "What is lost when the agent ends",
         "When a queue manager or its agent ends while the agent works, a non-persistent message in its hands is lost; "
         "the persistent batch is backed out.", _IGQ),
    Rule("IGQ-04", "What is lost when a put fails",
         "A non-persistent message whose put by the agent fails unexpectedly is lost; a persistent one is tried again.",
         _IGQ),
    Rule("IGQ-05", "In and out of syncpoint",
         "The agent moves persistent messages in a unit of work of its own and all others in none.", _IGQ),
    Rule("IGQ-06", "A commit each 50 messages",
         "A batch ends with 50 persistent messages, or when the agent finds no more to get.", _IGQ),
    Rule("IGQ-07", "The largest message",
         "With its header a message may be as long as the shared queue takes; a longer one goes by channel, and where "
         "no channel leads there it is refused with 2030.", _IGQ),
    Rule("IGQ-08", "Where defaults come from",
         "Default priority and persistence come from the first queue of the path by which the name was resolved.",
         _IGQ),
    Rule("IGQ-09", "What the agent cannot deliver",
         "The agent discards a message that asks for it with MQRO_DISCARD_MSG, and puts any other on the dead-letter "
         "queue of the destination queue manager.", _IGQ),
    Rule("IGQ-10", "No dead-letter queue",
         "Where that takes it neither, a non-persistent message is lost; for a persistent one the batch is backed out, "
         "and the agent tries again after 60 seconds ten times, then every 1200.", _IGQ),
    Rule("IGQ-11", "A queue manager that ends",
         "What its agent had not processed stays on the shared transmission queue until the queue manager starts, and "
         "is delivered then.", _IGQ),
    Rule("IGQ-12", "A coupling facility that fails",
         "Non-persistent messages on the shared transmission queue are lost with it.", _IGQ),
    Rule("IGQ-13", "Puts to the shared transmission queue",
         "A message that an application puts there itself stays if no agent selects it or if its header is not whole.",
         _IGQ),
    Rule("IGQ-14", "Confirmations",
         "The queue managers confirm arrival and delivery of messages that intra-group queuing moved; it moves these "
         "reports too.", _IGQ),
    Rule("IGQ-15", "Expiration reports",
         "A message that lapses on the shared transmission queue is discarded, and the queue manager sends the report "
         "that was asked for.", _IGQ),
    Rule("IGQ-16", "Exception reports of the agent",
         "The agent sends them with the persistence of the message they are about; where the reply-to queue cannot be "
         "reached they go to the dead-letter queue of the sending queue manager.", _IGQ),
)  # fmt: skip  # three lines a rule, so that the list reads like a book
