"""Logs of schema version 1: their sentences are read backward."""

from reasons import reasons

from mqlab.engine.words.because import reason
from mqlab.engine.words.whys import why_of
from mqlab.engine.world.event import Event
from mqlab.formats.old_log import facts_of

ROWS = {"failed": "program", "refused-there": "transmit"}
ROWS |= dict.fromkeys(("handler-failed", "no-dead-letter-header", "already-there"), "handler")
AFTER = {"qmgr-ended", "structure-broke", "adopted", "not-heard", "gate-refused", "channel-refused", "partner-blocked"}
"""Cases that version 1 does not have: those only in a field of another, and newer ones."""


def row(kind):
    return Event(0, 0, "QM1", kind, "CHANNEL", *[None] * 15)


def test_the_sentences_of_version_1_give_their_facts_back():
    for why in reasons():
        if why.case in AFTER:
            continue
        found = facts_of(reason(why), row(ROWS.get(why.case, "channel")))
        assert found["why"]["case"] == why.case, reason(why)
        assert reason(why_of(found)) == reason(why)
