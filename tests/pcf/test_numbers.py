"""The numbers of programmable command format are those of IBM's own Python library, where that is installed."""

from helpers import for_each
from helpers import ibmmq_constants as theirs
from mqlab.engine.words import catalog
from mqlab.pcf import numbers

NOT_THERE = {"ZAET_PRINCIPAL", "ZAET_GROUP"}  # constants of a header that the library does not have


def test_every_number_is_that_of_the_constant_it_names():
    parameters, words = numbers.table()
    named = {one for found in (*parameters.values(), *words.values()) for one in found.values()}
    assert len(named) > 500
    assert {one for one in named if one.name not in NOT_THERE and theirs().get(one.name) != one.number} == {
        numbers.Numbered("IACF_MODE", 1008),
        numbers.Numbered("IACH_XMIT_PROTOCOL_TYPE", 1501),
        numbers.Numbered("CACH_CHANNEL_NAME", 3501),
    } - {numbers.Numbered(name, number) for name, number in theirs().items()}


@for_each("kind", catalog.kinds())
def test_every_word_of_an_attribute_has_a_number(kind):
    without = ("CMDSCOPE", "OTELPCTL", "OTELTRAC", "AUTOSTART", "SUBNAME", *catalog.KINDS)
    missing = []
    for keyword, attribute in catalog.attributes(kind).items():
        if kind not in ("BUFFPOOL", "PSID") and keyword not in without:
            assert keyword in numbers.parameters(kind), keyword
            if attribute.shape in ("choice", "words"):
                missing += [(keyword, one) for one in attribute.values if one not in numbers.words(kind, keyword)]
    assert set(missing) <= {("NLTYPE", "Q"), ("RESETSEQ", "YES")}
