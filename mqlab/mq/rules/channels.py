"""Everyday rules of name resolution, channels, links, and the dead-letter handler."""

from __future__ import annotations

from .rule import Rule

__all__ = ["BOOK"]

_NAMES = "Queue name resolution, product documentation"
_CHANNELS = "Message channels, product documentation"
_COMMANDS = "MQSC reference"
_HANDLER = "Dead-letter queue handler rules table, product documentation"
_BRIDGE = "How the IMS bridge deals with messages, product documentation"

# three lines a rule, so that the book can be read as a book
BOOK = (
    Rule("CHL-01", "A message for elsewhere goes on a transmission queue",
         "A name that leads to another queue manager puts the message on a transmission queue, behind an MQXQH that "
         "says where it is going.", _NAMES),
    Rule("CHL-02", "The sending agent gets",
         "A sending channel gets messages from its transmission queue in their order and sends them in batches.",
         _CHANNELS),
    Rule("CHL-03", "The receiving agent puts",
         "A receiving channel puts each message to the queue its header names, as that queue manager resolves it.",
         _CHANNELS),
    Rule("CHL-04", "A batch is committed at both ends",
         "The receiver commits its puts with its record of the batch and confirms; then the sender commits its gets.",
         _CHANNELS),
    Rule("CHL-05", "In doubt",
         "A batch that the sender has asked to commit is in doubt until the answer comes; it outlives the agent and "
         "the queue manager.", _CHANNELS),
    Rule("CHL-06", "Resynchronised at the start",
         "A channel that starts in doubt asks which batch the receiver committed last: the same one is committed, any "
         "other is sent again.", _CHANNELS),
    Rule("CHL-07", "Fast messages",
         "With NPMSPEED(FAST) non-persistent messages move in no unit of work: they can be got at once, and are lost "
         "if the channel breaks on the way.", _CHANNELS),
    Rule("CHL-08", "States of a channel",
         "A channel is INACTIVE until it is started, runs through BINDING to RUNNING, and ends as the reason for its "
         "end says.", _CHANNELS),
    Rule("CHL-09", "Retries",
         "A sending channel that fails is tried SHORTRTY times every SHORTTMR seconds, then LONGRTY times every "
         "LONGTMR; then it is STOPPED and its transmission queue disabled.", _CHANNELS),
    Rule("CHL-10", "Message retry",
         "A receiving agent that cannot put a message for a reason that may pass tries again MRRTY times, MRTMR "
         "milliseconds apart, and everything behind waits.", _CHANNELS),
    Rule("CHL-12", "Sequence numbers agree",
         "The two ends compare the number of the last message committed; a channel whose ends disagree does not "
         "start.", _CHANNELS),
    Rule("CHL-13", "RESOLVE CHANNEL",
         "An operator ends a batch in doubt by hand: COMMIT deletes it, BACKOUT sends it again.", _COMMANDS),
    Rule("CHL-14", "RESET CHANNEL",
         "RESET gives the next message a sequence number; from a sender the receiver takes it over.", _COMMANDS),
    Rule("CHL-15", "The disconnect interval",
         "A sending channel with nothing to send for DISCINT seconds ends and is INACTIVE.", _CHANNELS),
    Rule("CHL-16", "Started by the channel initiator",
         "A trigger message starts the channel that TRIGDATA, USERDATA or the transmission queue names, unless that "
         "is STOPPED or runs.", _CHANNELS),
    Rule("CHL-17", "Nowhere to put it",
         "A message that neither its queue nor the dead-letter queue can take ends the channel and stays where it "
         "came from.", _CHANNELS),
    Rule("NET-01", "Links",
         "A flow between two queue managers needs a link that is up, and takes its latency.", "The lab"),
    Rule("DLQ-01", "The first rule that matches",
         "The handler does what the first matching rule says, as often as its RETRY allows; if that fails it goes on "
         "to the next rule that matches.", _HANDLER),
    Rule("DLQ-02", "Tried again",
         "ACTION(RETRY) puts a message where it was going, without its MQDLH and with what is left of its lifetime, "
         "every RETRYINT seconds.", _HANDLER),
    Rule("DLQ-03", "Forwarded",
         "ACTION(FWD) puts a message on the queue that FWDQ and FWDQM name, with its MQDLH unless HEADER(NO) says "
         "otherwise.", _HANDLER),
    Rule("DLQ-04", "Deleted", "ACTION(DISCARD) deletes a message from the dead-letter queue.", _HANDLER),
    Rule("DLQ-05", "Left where it is",
         "A message stays on the dead-letter queue if ACTION(IGNORE) says so, no rule is left that matches, or it has "
         "no MQDLH.", _HANDLER),
    Rule("IMS-01", "What the bridge cannot use",
         "A request whose MQIIH or segment lengths are wrong, or that IMS rejects, goes to the dead-letter queue with "
         "a feedback code that says why.", _BRIDGE),
)  # fmt: skip  # three lines a rule, so that the list reads like a book
