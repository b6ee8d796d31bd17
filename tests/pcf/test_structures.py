"""PCF tells an integer from a list, a text from a list, and text from bytes, for every parameter and in replies."""

from helpers import for_each
from mqlab import Lab
from mqlab import constants as mq
from mqlab.engine.commands.command import grammar
from mqlab.pcf import format as pcf
from mqlab.pcf import numbers
from mqlab.pcf.commands import LISTS, commands
from mqlab.pcf.reply import answer
from mqlab.pcf.request import read

SAMPLES = {
    "CFIN": pcf.integer(0, 1),
    "CFIL": pcf.integers(0, [1]),
    "CFST": pcf.string(0, "A"),
    "CFSL": pcf.strings(0, ["A"]),
    "CFBS": pcf.byte_string(0, b"A"),
}
REFUSED = {"CFIN": 3014, "CFIL": 3047, "CFST": 3015, "CFSL": 3033, "CFBS": 3256}
EITHER = {"MSGEXIT", "MSGDATA", "RCVEXIT", "RCVDATA", "SENDEXIT", "SENDDATA"}
INTEGERS, TEXTS, BYTES = ("CFIN", "CFIL"), ("CFST", "CFSL"), ("CFBS",)


def reason_of(qm, command, parameter):
    """The reason with which a command with this parameter, and its name, is refused while it is read, or 0."""
    named_by = commands()[command].named_by
    name = (pcf.string(named_by, "A"),) if named_by not in (None, parameter.id) else ()
    try:
        read(qm, pcf.Message(pcf.Header(mq.MQCFT_COMMAND, command), (*name, parameter)))
    except pcf.PCFError as error:
        return error.reason
    return 0


def changes():
    """Each keyword of a CHANGE or SET: (command, number of the parameter, keyword, whether it is a list)."""
    for number, entry in commands().items():
        if entry.name in ("CHANGE_Q_MGR", "CHANGE_NAMELIST", "SET_CHLAUTH_REC", "CHANGE_TOPIC", "CHANGE_SUBSCRIPTION"):
            rules = grammar(entry.verb, entry.object, None)
            for id, keyword in numbers.keywords(entry.object).items():
                attribute = rules.attributes.get(keyword) or rules.options.get(keyword)
                if attribute is not None and id not in LISTS and keyword in rules.spelled:
                    yield number, id, keyword, attribute.shape in ("names", "words")


def test_every_parameter_of_a_change_is_of_one_structure():
    qm = Lab().queue_manager("QM1")
    tried = 0
    for number, id, keyword, listed in changes():
        family = INTEGERS if id < 2001 else TEXTS if id < 7001 else BYTES
        right = {family[listed if len(family) > 1 else 0]} if keyword not in EITHER else {*TEXTS}
        for sort, sample in SAMPLES.items():
            refused = reason_of(qm, number, pcf.Parameter(sort, id, sample.value))
            if sort in right:
                assert refused != REFUSED[sort], (keyword, sort)
            elif id != commands()[number].named_by:
                assert refused == REFUSED[sort], (keyword, sort)
            tried += 1
    assert tried > 500


@for_each("sort", ["CFIN", "CFST", "CFSL", "CFBS"])
def test_the_attributes_that_an_inquiry_wants_are_a_list_of_integers(sort):
    qm = Lab().queue_manager("QM1")
    for command, listed in ((13, 1002), (2, 1001), (25, 1015), (36, 1004), (174, 1269), (41, 1026), (42, 1524)):
        assert reason_of(qm, command, pcf.Parameter(sort, listed, SAMPLES[sort].value)) == REFUSED[sort]
        assert reason_of(qm, command, pcf.integers(listed, [1009])) == 0


@for_each("filter, id, reason", [("CFSF", 3, 3247), ("CFBF", 2016, 3265), ("CFIF", 2016, 3243)])
def test_a_filter_is_of_the_structure_of_its_parameter(filter, id, reason):
    value = {"CFIF": 1, "CFSF": "A", "CFBF": b"A"}[filter]
    assert reason_of(Lab().queue_manager("QM1"), 13, pcf.Parameter(filter, id, value, mq.MQCFOP_EQUAL)) == reason


def test_a_reply_has_a_list_for_one_word_too():
    row = {"CHANNEL": "C", "CHLTYPE": "SDR", "COMPHDR": "NONE", "COMPMSG": "ZLIBFAST", "BATCHSZ": 50}
    made = {parameter.id: parameter.sort for parameter in answer("CHANNEL", row, None)}
    ids = numbers.parameters("CHANNEL")
    assert [made[ids[keyword]] for keyword in ("COMPHDR", "COMPMSG", "BATCHSZ")] == ["CFIL", "CFIL", "CFIN"]
