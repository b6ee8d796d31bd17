"""The errors of mqlab: pickle carries each of them, with its fields and its text."""

import pickle

import pytest

from helpers import for_each
from mqlab import Lab, LabError, MQError
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


def test_pickle_carries_a_refusal_with_its_facts_and_without_its_lab():
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(ORDERS) MAXDEPTH(1)").require()
    qm.put("ORDERS", b"x" * 1_000_000)
    with pytest.raises(MQError) as full:
        qm.put("ORDERS", b"")
    copy, error = carried(full.value), full.value
    qm.get("ORDERS")
    assert len(pickle.dumps(error)) < 2000
    assert copy.facts == error.facts != {}
    assert copy.facts["CURDEPTH"] == 1
    names = "comp reason name object qmgr grounds said hint rule seq rests_on only_there clustered waited"
    assert [getattr(copy, name) for name in names.split()] == [getattr(error, name) for name in names.split()]
    assert copy.reason == 2053
    assert copy.hint == "get messages, or ALTER QLOCAL(ORDERS) MAXDEPTH(...)"


def test_a_pickle_of_2080_has_the_length_of_its_message_only():
    qm = Lab().queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(ORDERS)").require()
    qm.put("ORDERS", b"long order")
    with pytest.raises(MQError) as cut:
        qm.get("ORDERS", buffer_length=4)
    copy = carried(cut.value)
    assert copy.facts["DataLength"] == 10
    assert cut.value.message is not None
    assert copy.message is None
