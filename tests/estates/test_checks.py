"""Every check has a case, says where it comes from, and the checks of names find, prove, and mend."""

import re
from pathlib import Path

import pytest
from estates.cases import Case, assert_case

from mqlab import RULES
from mqlab.estates.checks import CHECKS

CASES = [Case("alias-target-missing", "DEFINE QALIAS(A) TARGET(Q)", "DEFINE QLOCAL(Q)\nDEFINE QALIAS(A) TARGET(Q)")]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_check_finds_proves_and_mends(case):
    assert_case(case)


def test_every_check_has_a_case():
    texts = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert set(CHECKS) <= set(re.findall(r'\b(?:Case\(\s*|found_by\([^"\n]*)"([a-z0-9-]+)"', texts))


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_a_check_names_its_source(check):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", check.id)
    assert check.source in RULES or check.source.startswith("IBM"), "a rule, or the name of a page of IBM's"
    assert check.title[:1].isupper()
    assert not check.title.endswith(".")
    assert check.run.__doc__
