"""Everyday rules of the message queue interface."""

from __future__ import annotations

from .rule import Rule

__all__ = ["BOOK"]

_CALLS = "MQI reference, product documentation"
_READING = "our reading of the MQI reference"

# three lines a rule, so that the book can be read as a book
BOOK = (
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
    Rule("MQI-19", "How a program begins and ends",
         "A program that returns commits what it left open; one that dies has it backed out, and the "
         "handles of either are closed.", _READING),
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
)  # fmt: skip  # three lines a rule, so that the list reads like a book
