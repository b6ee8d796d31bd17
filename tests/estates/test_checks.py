"""Every check has a case, says where it comes from, and the checks of names find, prove, and fix."""

import re
from pathlib import Path

from estates.cases import assert_case, estate_of, found_by

from helpers import for_each
from mqlab import RULES
from mqlab.estates.checks import CHECKS
from mqlab.estates.findings import TEXTS

CASES = {
    "alias-target-missing": (
        [
            "DEFINE QALIAS(A) TARGET(Q)",
            "DEF QA('a') TARGET('lower.q')\nDEF QA('empty') TARGET(' ')\nDEF QA(T) TARGET(NO) TARGTYPE(TOPIC)",
        ],
        ["DEFINE QLOCAL(Q)\nDEFINE QALIAS(A) TARGET(Q)", "DEFINE QALIAS(A) TARGET(Q1)\nDEFINE QLOCAL(Q1) BOGUS(1)"],
    )
}
HEAD = "* Queue manager name: QM1\n"


test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


@for_each(
    "script, near",
    ("DEF QL(STATEMENTS.IN)\nDEF QA(A) TARGET(STATEMENT.IN)", "STATEMENTS.IN"),
    ("DEF QL(ORDER.BO)\nDEF QL(Q) BOTHRESH(2) BOQNAME(ORDER.B0)", "ORDER.BO"),
    ("DEF QL(ORDERS.1)\nDEF QA(A) TARGET(ORDERS.2)", ""),
    ("DEF QL(ORDERS.A)\nDEF QA(A) TARGET(ORDERS.B)", ""),
    ("DEF QL(ORDERS)\nDEF QL(ORDERR)\nDEF QA(A) TARGET(ORDER)", ""),
    ("DEF QA(ORDERS) TARGET(ORDER)", ""),
)
def test_a_name_that_nothing_has_may_be_misspelled(script, near):
    told = [one.said for one in estate_of(script).findings() if "is not defined" in one.said or "no script" in one.said]
    assert [said.partition("; is ")[2] for said in told] == [f"{near} meant?" if near else ""]


@for_each(
    "check, script",
    ("alias-target-missing", "DEF QL('{}')\nDEF QA(A) TARGET('{}')"),
    ("alias-target-missing", "DEF TOPIC('{}') TOPICSTR('t')\nDEF QA(A) TARGET('{}') TARGTYPE(TOPIC)"),
    ("dead-letter-queue-missing", "DEF QL('{}')\nALTER QMGR DEADQ('{}')"),
    ("backout-queue-missing", "DEF QL('{}')\nDEF QL(B) BOTHRESH(3) BOQNAME('{}')"),
)
def test_a_name_that_differs_in_case_only_is_an_error_and_fixed(check, script):
    assert_case(check, (script.format("Near", "NEAR"), script.format("NEAR", "NEAR")))
    (found,) = found_by(estate_of(script.format("Near", "NEAR")), check)
    assert (found.severity, "DEFINE" in found.fix) == ("error", False)
    assert "NEAR, which no script here defines (Near differs in case only)" in found.said


def test_an_alias_of_nothing_is_an_error_in_a_whole_dump_only():
    for head, target, severity in (("", "Q", "warning"), (HEAD, "Q", "error"), ("", "' '", "error")):
        (found,) = found_by(estate_of(f"{head}DEF QA(A) TARGET({target})"), "alias-target-missing")
        assert found.severity == severity
    (found,) = found_by(estate_of("DEF QA('a') TARGET(A)"), "alias-target-missing")
    assert found.fix == "", "two names that differ in case only would be another finding"


def test_every_check_has_a_case_and_every_text_is_that_of_a_check():
    texts = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    cases = re.findall(r'(?:^    \(?(?="[^\n]*: \()|found_by\([^"\n]*)"([a-z0-9-]+)"', texts, re.MULTILINE)
    assert set(CHECKS) <= set(cases)

    assert {id for texts in TEXTS.values() for id in texts} == {*CHECKS, "heading"}


@for_each("check", CHECKS.values())
def test_a_check_names_its_source(check):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", check.id)
    assert check.source in RULES or check.source.startswith("IBM"), "a rule, or the name of a page of IBM's"
    assert check.title[:1].isupper()
    assert not check.title.endswith(".")
    assert check.about.endswith(".")
