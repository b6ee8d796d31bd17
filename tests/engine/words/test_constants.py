"""Constants are those of MQ's headers: every name that code uses is there, and each code has its name and number."""

import ast
from pathlib import Path

import mqlab
from helpers import for_each, ibmmq_constants
from mqlab import constants as mq

FOLDER = Path(mqlab.__file__).parent


@for_each("family", ["RC_", "RCCF_", "FB_", "AT_"])
def test_every_code_of_the_library_is_known_with_its_number(family):
    theirs = {f"MQ{name}": number for name, number in ibmmq_constants().items() if name.startswith(family)}
    assert len(theirs) > 30
    assert {name: number for name, number in theirs.items() if vars(mq).get(name) != number} == {}


def test_a_code_is_told_with_its_name_and_every_constant_that_code_names_is_there():
    """The type checker cannot tell: most names come from a data file."""
    names = {2033: "MQRC_NO_MSG_AVAILABLE", 265: "MQFB_APPL_CANNOT_BE_STARTED", 3014: "MQRCCF_CFIN_PARM_ID_ERROR"}
    for number, name in {**names, 350: "a feedback code"}.items():
        assert mq.code(number) == f"{number} {name}"
    named = set()
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "mq":
                named.add(node.attr)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").endswith("words.constants"):
                named |= {each.name for each in node.names}
    assert len(named) > 400
    assert not named - vars(mq).keys()
