"""The flows of a message channel: what the two message channel agents say to each other.

A simplification of MQ's own protocol, which is not published: enough of it to keep every promise a channel makes about
batches, sequence numbers and units of work in doubt.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Accept", "Carried", "Confirm", "EndOfBatch", "Hello", "Quit"]


class Hello(NamedTuple):
    """The first flow: which channel, from which queue manager, of which type, and what it would agree to.

    `sequence` is the last sequence number the sender knows to be committed; `reset` tells the receiver to take it over
    (RESET CHANNEL).
    """

    channel: str
    qmgr: str
    chltype: str
    batch_size: int
    longest: int
    wrap: int
    fast: bool
    heartbeat: int
    sequence: int = 0
    reset: bool = False


class Accept(NamedTuple):
    """The answer: the values both ends now use, and the last batch that the receiver committed."""

    qmgr: str
    batch_size: int
    longest: int
    fast: bool
    heartbeat: int
    sequence: int
    luwid: str


class Carried(NamedTuple):
    """One message: its data behind the MQXQH, the message it was got as, when it was sent, and its sequence number.

    The sequence number is 0 for a fast message, which is in no unit of work at either end.
    """

    body: bytes
    of: object
    sent_us: int
    sequence: int


class EndOfBatch(NamedTuple):
    """The sender asks to commit: the batch's id and its last sequence number."""

    luwid: str
    sequence: int


class Confirm(NamedTuple):
    """The receiver has committed the batch."""

    luwid: str


class Quit(NamedTuple):
    """The end of a session: `code` an AMQ number and `said` what is wrong, both "" for good order."""

    code: str = ""
    said: str = ""
