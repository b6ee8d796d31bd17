"""The errors of mqlab: pickle carries each of them, with its fields and its text."""

import pickle

from helpers import for_each, made, mq_error
from mqlab import LabError
from mqlab.engine.commands.replies import Refused
from mqlab.engine.programs.channels.control import ChannelError
from mqlab.engine.words.catalog.attribute import CatalogError
from mqlab.engine.words.errors import NotInstalled, NotSimulated, ProgramDied, RunawayTrigger
from mqlab.engine.world.clock import EndlessWait
from mqlab.engine.world.passing import Elsewhere

ERRORS = [
    LabError("priority must be 0 to 9; got 10"),
    NotInstalled("a chart", "plotly"),
    NotSimulated("clusters are not simulated"),
    ProgramDied("a program died"),
    RunawayTrigger("ORDERS is triggered again and again", ("ORDERS", "TRIGGER")),
    Refused(8147, "no-object-but-near", 7, object="QLOCAL", near="ORDERS", name="ORDER"),
    ChannelError(9519, "no-channel-but-near", near="TO.QM2"),
    CatalogError("range", "MAXDEPTH: wanted 0 to 999999999; got -1"),
    EndlessWait(),
    Elsewhere(),
]


def carried(error):
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), repr(copy), copy.args) == (type(error), str(error), repr(error), error.args)
    return copy


@for_each("error", ERRORS)
def test_pickle_carries_an_error(error):
    assert vars(carried(error)) == vars(error)


def test_pickle_carries_a_refusal_with_its_facts_and_2080_with_the_length_of_its_message_only():
    qm = made("DEFINE QLOCAL(ORDERS) MAXDEPTH(1)")
    qm.put("ORDERS", b"x" * 1_000_000)
    full = mq_error(qm.put, "ORDERS", b"")
    copy, error = carried(full), full
    qm.get("ORDERS")
    assert len(pickle.dumps(error)) < 2000
    assert copy.facts == error.facts != {}
    assert copy.facts["CURDEPTH"] == 1
    names = "comp reason name object qmgr grounds said hint rule seq rests_on only_there waited"
    assert [getattr(copy, name) for name in names.split()] == [getattr(error, name) for name in names.split()]
    assert (copy.reason, copy.hint) == (2053, "get messages, or ALTER QLOCAL(ORDERS) MAXDEPTH(...)")
    qm = made("DEFINE QLOCAL(ORDERS)")
    qm.put("ORDERS", b"long order")
    cut = mq_error(qm.get, "ORDERS", buffer_length=4)
    copy = carried(cut)
    assert copy.facts["DataLength"] == 10
    assert cut.message is not None
    assert copy.message is None
