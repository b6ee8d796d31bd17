"""Cases for checks of estates: scripts in which a check finds something, and scripts in which it nearly does.

CASES = {"alias-target-missing": ("DEF QA(A) TARGET(Q)", "DEF QA(A) TARGET(Q)\\nDEF QL(Q)")}

test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)

A key is a check, or (check, platform) or (check, platform, level). Scripts are the text of QM1, or name -> text; a
list is for several estates, each of which triggers the check, or nearly does.
"""

from collections import Counter

from mqlab.engine.commands import read_script
from mqlab.estates import Estate, Part
from mqlab.estates.findings import OPEN, findings
from mqlab.estates.proofs import prove


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


def estates_of(scripts, *where):
    """The estate of each of the scripts that trigger a check, or nearly do, on a platform and level."""
    return [estate_of(each, *where) for each in (scripts if isinstance(scripts, list) else [scripts])]


def assert_case(check, scripts):
    """The check finds something, each proof holds, each fix works, and what nearly triggers it gives none."""
    check, *where = [check] if isinstance(check, str) else check
    triggers, nearly = scripts
    for estate in estates_of(triggers, *where):
        found = found_by(estate, check)
        assert found, f"{check} found nothing in {[part.script.text for part in estate.parts]}"
        for one in found:
            assert one.place.file or one.kind == "QMGR", f"{one} has no place"
            proved = prove(estate, one.proof) if one.proof else None
            assert proved is None or proved.holds, f"{one}: {one.proof.program} showed {proved.shown!r}"
            if one.fix:
                assert_fix(estate, one)
    for estate in estates_of(nearly, *where):
        wrong = [one for one in found_by(estate, check) if one.severity != OPEN]
        assert not wrong, f"false: {wrong[0]}"
