"""The estate of three clinics: each of its ten faults is found by one check and proved, and fixed it is clean."""

from pathlib import Path

from mqlab import estates
from mqlab.course.exercises.bank import EXERCISES
from mqlab.estates.proofs import prove, prove_all

FOLDER = Path(__file__).parents[2] / "datasets" / "clinic-estate"
PLANTED = {
    ("WARD1", "alias-target-missing", "LAB.ORDERS"),
    ("WARD1", "remote-xmitq-missing", "BILLING.OUT"),
    ("WARD1", "dead-letter-queue-missing", ""),
    ("WARD1", "events-off", ""),
    ("LABS", "xmitq-disabled", "WARD1"),
    ("LABS", "backout-without-queue", "LAB.ORDERS.IN"),
    ("CORE", "channel-not-answered", "CORE.LABS"),
    ("CORE", "trigger-process", "BILLING.IN"),
    ("CORE", "xmitq-not-triggered", "WARD1"),
    ("CORE", "expiry-scan-off", ""),
}


def faults(estate):
    """Its errors and warnings."""
    return [each for each in estate.findings() if each.severity in ("error", "warning")]


def test_sixty_objects_are_read_and_each_of_ten_faults_is_found_by_a_check_of_its_own_proved_and_fixed():
    clinics = estates.read(FOLDER)
    replies = [each for reply in clinics.replies for each in reply.replies]
    assert all(each.ok for each in replies)
    assert sum(each.verb == "DEFINE" for each in replies) == 60
    found = faults(clinics)
    assert len(found) == len({each.check for each in found}) == 10
    assert {(each.qmgr, each.check, "" if each.kind == "QMGR" else each.name) for each in found} == PLANTED
    assert all(Path(each.place.file).parent == FOLDER and each.place.line for each in found)
    proofs = [each.proof for each in found if each.check != "events-off" or each.proof]
    proved = prove_all(clinics, proofs)
    assert [proof for proof in proofs if not proved[proof].holds] == []
    assert proved == {proof: prove(clinics, proof) for proof in proofs}, "a proof has the lab for itself"
    for each in found:
        after = clinics.with_commands({each.fix_at: each.fix})
        assert (each.check, each.name) not in {(one.check, one.name) for one in after.findings()}, each.check


def test_its_fixed_form_is_clean():
    fixed = estates.from_lab(EXERCISES["D01"].start("read"))
    assert faults(fixed) == []
    routes = {"LAB.ORDERS": "WARD1", "BILLING.OUT": "WARD1", "LAB.RESULTS.OUT": "LABS", "PATIENT.UPDATES.LABS": "CORE"}
    assert {fixed.route(name, at).verdict for name, at in routes.items()} == {"delivers"}
