"""The rule book holds together: rules, tests and the source's ids."""

import re
from pathlib import Path

import pytest

from mqlab import RULES

TESTS = Path(__file__).parent
SPEC = TESTS.parent.parent / "shared" / "spec" / "rules.yaml"


def marked():
    """Every rule id that a test is marked with."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("test_*.py")))
    return {
        id
        for marks in re.findall(r"^@pytest\.mark\.rule\(([^)]*)\)", text, re.MULTILINE)
        for id in re.findall(r'"([A-Z]+-\w+)"', marks)
    }


@pytest.mark.parametrize("id", RULES)
def test_every_rule_has_a_marked_test(id):
    assert id in marked()


@pytest.mark.parametrize("id", RULES)
def test_every_rule_says_what_and_whence(id):
    rule = RULES[id]
    assert re.fullmatch(r"(EXP|TRG|IGQ|MQE|MQI)-\d\d[a-z]?", id)
    assert rule.text.endswith(".")
    assert rule.title
    assert rule.source


def test_the_ids_are_those_of_the_source_documents():
    yaml = pytest.importorskip("yaml")
    if not SPEC.exists():
        pytest.skip("the source rules are not beside this checkout")
    known = {entry["id"] for entry in yaml.safe_load(SPEC.read_text(encoding="utf-8"))}
    assert {id for id in RULES if not id.startswith("MQI")} <= known
