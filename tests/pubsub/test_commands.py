"""What MQSC answers to commands on subscriptions and topics."""

from helpers import answer, for_each, made
from mqlab import Lab


@for_each(
    "commands, said",
    ("DEF SUB(S) TOPICSTR('x') DEST(NOPE)", "no queue is called NOPE, and IBM MQ refuses that"),
    ("DIS SUB(*) DURABLE(ALL)", "SUB(SYSTEM.DEFAULT.SUB)"),
    ("DIS SUB(*) SUBTYPE(USER)", "SUB(SYSTEM.DEFAULT.SUB)"),
    ("DIS SUB(*) SUBTYPE(PROXY)", "AMQ8147E"),
    ("DIS SUB(*) SUMMARY", "SUBTYPE(ADMIN)"),
    ("DIS SUB(*) DISTYPE(ALL)", "AMQ8405I"),
    ("DIS SUB", "SUB needs a name in parentheses, or SUBID"),
    ("DIS SUB SUBID('00')", "AMQ8147E: IBM MQ object 00 not found."),
    ("ALTER SUB SUBID('00') USERDATA('x')", "AMQ8147E"),
    (
        "DEF QL(D)\nDEF SUB(S) TOPICSTR('a') DEST(D)\nDELETE SUB(S) SUBID('00')",
        "no subscription of this name has SUBID(00)",
    ),
    ("DEF QL(D)\nDEF SUB(S) TOPICSTR('a') DEST(D)\nALTER SUB(S) TOPICSTR('b')", "TOPICSTR is fixed"),
    ("DEF QL(D)\nDEF SUB(S) TOPICSTR('a') DEST(D)\nALTER SUB(S) SELECTOR('b')", "SELECTOR is fixed"),
    ("DEF QL(D)\nDEF SUB(S) TOPICSTR('a') DEST(D)\nDEF SUB(S) TOPICSTR('b') DEST(D) REPLACE", "S has TOPICSTR(a)"),
    ("DEF SUB(S) TOPICSTR('a')", "it has neither DEST nor DESTCLAS(MANAGED)"),
    ("DEF QL(D)\nDEF SUB(S) TOPICOBJ(NOPE) DEST(D)", "no topic object is called NOPE, and IBM MQ refuses that"),
    ("DEF TOPIC(T) TOPICSTR('')", "its topic string is empty"),
)
def test_the_answer_to_what_an_operator_tries(commands, said):
    assert said in answer(Lab().queue_manager("QM1"), commands)


def test_a_subscription_is_found_by_its_identifier():
    qm = made("DEF QL(D)\nDEF SUB(S) TOPICSTR('a') DEST(D)")
    (row,) = qm.mqsc("DIS SUB(S)").rows
    id = row["SUBID"]
    assert "SUB(S)" in answer(qm, f"DIS SUB SUBID('{id}')")
    assert "USERDATA(x)" in answer(qm, f"ALTER SUB SUBID('{id}') USERDATA('x')\nDIS SUB(S)")
    assert "AMQ8147E" in answer(qm, f"DELETE SUB SUBID('{id}')\nDIS SUB(S)")


def test_the_default_subscription_subscribes_when_it_is_defined_again_with_a_topic():
    qm = made("DEF QL(D)\nDELETE SUB(SYSTEM.DEFAULT.SUB)\nDEF SUB(SYSTEM.DEFAULT.SUB) TOPICSTR('a') DEST(D) EXPIRY(50)")
    qm.publish("a", b"x")
    assert qm.depth("D") == 1
    assert "TOPICSTR('a')" in qm.export_mqsc()
    qm.lab.advance(6)
    assert not qm.mqsc("DIS SUB(*)").rows
