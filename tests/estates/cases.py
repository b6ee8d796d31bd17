"""Cases for checks of estates: scripts in which a check finds something, and scripts in which it nearly does.

CASES = [Case("alias-target-missing", "DEFINE QALIAS(A) TARGET(Q)", "DEFINE QALIAS(A) TARGET(Q)\\nDEFINE QLOCAL(Q)")]

@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_check_finds_proves_and_fixes(case):
    assert_case(case)
"""

from collections import Counter
from typing import NamedTuple

from mqlab.engine.commands import read_script
from mqlab.estates import Estate, Part
from mqlab.estates.findings import OPEN, findings
from mqlab.estates.proofs import prove


class Case(NamedTuple):
    """A check, scripts that trigger it, and scripts that nearly do: the text of QM1, or name -> text; a list for
    several estates, each of which nearly triggers it."""

    check: str
    triggers: str | dict
    nearly: str | dict | list
    platform: str = "distributed"
    level: int | None = None

    def __str__(self):
        return self.check


def estate_of(scripts, platform="distributed", level=None):
    """The estate of a text of MQSC for QM1, or of texts by the name of their queue manager."""
    texts = {"QM1": scripts} if isinstance(scripts, str) else scripts
    return Estate(
        [Part(f"{name}.mqsc", read_script(text.encode()), name, platform, level) for name, text in texts.items()]
    )


def found_by(estate, check):
    """The findings of one check."""
    return [one for one in estate.findings(security=True) if one.check == check]


def assert_fix(estate, one):
    """The fix of a finding is accepted, leaves neither it nor those for which it stands, and makes no other finding."""
    fixed = estate.with_commands({one.fix_at: one.fix})
    fixed.replies[-1].require()
    before, after = (Counter(each.identity for each in findings(which)) for which in (estate, fixed))
    assert not after - before, f"{one}: {one.fix} makes {after - before}"
    assert all(after[each.identity] < before[each.identity] for each in (one, *one.others)), f"{one}: it stays"


def assert_case(case):
    """The check finds something, each proof holds, each fix works, and what nearly triggers it gives none."""
    estate = estate_of(case.triggers, case.platform, case.level)
    found = found_by(estate, case.check)
    assert found, f"{case.check} found nothing"
    for one in found:
        assert one.place.file or one.kind == "QMGR", f"{one} has no place"
        proved = prove(estate, one.proof) if one.proof else None
        assert proved is None or proved.holds, f"{one}: {one.proof.program} showed {proved.shown!r}"
    for one in found:
        if one.fix:
            assert_fix(estate, one)
    for scripts in case.nearly if isinstance(case.nearly, list) else [case.nearly]:
        given = found_by(estate_of(scripts, case.platform, case.level), case.check)
        wrong = [one for one in given if one.severity != OPEN]
        assert not wrong, f"false: {wrong[0]}"
