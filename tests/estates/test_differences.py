"""Two estates: each kind of difference, values at their defaults, and what behaves differently, proved."""

import base64
import gzip
import json
import re

from estates.cases import estate_of

from mqlab import Lab, estates
from mqlab.cli.check import diff

OLD = """ALTER QMGR DEADQ(DLQ)
DEFINE QLOCAL(DLQ)
DEFINE QLOCAL(INITQ)
DEFINE PROCESS(P) APPLICID('X')
DEFINE QLOCAL(JOBS) TRIGGER INITQ(INITQ) PROCESS(P) MAXDEPTH(5000)
DEFINE QALIAS(A) TARGET(JOBS)
DEFINE QLOCAL(GONE)
DEFINE QLOCAL(SENDS) USAGE(XMITQ)
"""
NEW = """DEFINE QLOCAL(DLQ)
DEFINE QLOCAL(INITQ)
DEFINE PROCESS(P) APPLICID('X')
DEFINE QLOCAL(JOBS) TRIGGER PROCESS(P)
DEFINE QALIAS(A) TARGET(NOPE)
DEFINE QLOCAL(CAPPED)
ALTER QLOCAL(DLQ) CAPEXPRY(50)
DEFINE QLOCAL(SENDS) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)
"""


def written(folder, name, text):
    path = folder / name / "qm1.mqsc"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    return path


def test_differences_are_found_and_behavior_is_proved(tmp_path, capsys):
    old, new = written(tmp_path, "old", OLD), written(tmp_path, "new", NEW)
    found = estates.diff(old, new).proved()
    told = {(one.what, one.name, one.about) for one in found.found}
    defined = {("added", "CAPPED", ""), ("removed", "GONE", ""), ("changed", "JOBS", "INITQ"), ("changed", "", "DEADQ")}
    behaves = {("A", "route"), ("GONE", "route"), ("CAPPED", "route"), ("JOBS", "trigger"), ("DLQ", "expiry")}
    behaves |= {("", "dead letters"), ("SENDS", "trigger")}
    assert told >= defined | {("behaves", *each) for each in behaves}
    assert not any(about == "MAXDEPTH" for _, _, about in told)
    assert all(one.proved for one in found.found if one.what == "behaves")
    assert [diff([str(old), str(each)]) for each in (new, old)] == [1, 0]
    assert diff([str(old), str(tmp_path / "none")]) == 20
    assert "no differences" in capsys.readouterr().out


def test_an_estate_is_the_same_as_its_export_and_a_renamed_one_is_named(tmp_path):
    one = estates.read(written(tmp_path, "old", OLD))
    assert estates.diff(one, one.lab).found == estates.diff(one.lab["QM1"], one).found == ()
    other = estates.read(written(tmp_path, "new", NEW), qmgr="QM2")
    assert ("name", "QM1", "QM2") in {(each.about, each.old, each.new) for each in estates.diff(one, other).found}


def test_a_shared_object_is_told_once_and_a_private_one_for_each_member():
    group = """DEFINE CFSTRUCT(CF) CFLEVEL(5) RECOVER({0})
DEFINE QLOCAL(S) QSGDISP(SHARED) CFSTRUCT(CF) {1}
DEFINE QLOCAL(MASTER) QSGDISP(GROUP) {1}
"""
    own = "DEFINE QLOCAL(OWN) {0}\nALTER QMGR IGQ(ENABLED)\n"
    old, new = (
        estate_of({"QMA": group.format(recover, words) + own.format(words), "QMB": own.format(words)}, "zos")
        for recover, words in (("YES", "MAXDEPTH(5)"), ("NO", "CAPEXPRY(50) MAXDEPTH(6)"))
    )
    found = [(one.qmgr, one.name, one.about) for one in estates.diff(old, new).found if one.what == "changed"]
    assert sorted(found) == sorted(
        [("QMA", "CF", "RECOVER"), *((at, "OWN", word) for at in ("QMA", "QMB") for word in ("MAXDEPTH", "CAPEXPRY"))]
        + [("QMA", name, word) for name in ("S", "MASTER") for word in ("MAXDEPTH", "CAPEXPRY")]
    )
    expires = [(one.qmgr, one.name) for one in estates.diff(old, new).found if one.about == "expiry"]
    assert sorted(expires) == [("QMA", "MASTER"), ("QMA", "OWN"), ("QMA", "S"), ("QMB", "MASTER"), ("QMB", "OWN")]
    gone = estates.diff(old, estate_of({"QMA": own.format("MAXDEPTH(5)"), "QMB": own.format("MAXDEPTH(5)")}, "zos"))
    assert sorted(one.name for one in gone.found if one.what == "removed") == ["CF", "MASTER", "S"]


def test_a_duel_puts_to_the_names_that_lead_elsewhere(tmp_path):
    found = estates.duel(written(tmp_path, "old", OLD), written(tmp_path, "new", NEW))
    assert [(score.waiting, score.refused) for score in found.scores] == [(2, 1), (1, 2)]
    page = found.save(tmp_path / "duel.html").read_text(encoding="utf-8")
    packed = re.search(r'<script[^>]*id="recording"[^>]*>([^<]+)<', page)[1]
    values = json.loads(gzip.decompress(base64.b64decode(packed)))
    moments, first = values["moments"], values["first"]
    sides = [[side["steps"]["said"][step] for step in moments[place::2]] for place, side in enumerate(values["sides"])]
    before = [said for side in sides for said in side[: first + 1] if " put " in said and "SYSTEM." not in said]
    assert not before, "the page opens at the first message"
    assert any(" put " in side[first + 1] for side in sides)
    assert not any("closed" in said or "opened" in said for side in sides for said in side), "nobody watches that"


def test_a_route_that_now_goes_round_is_proved():
    calls = (
        "DEFINE QLOCAL({1}) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)\nDEFINE CHANNEL({1}.{0}) CHLTYPE(RCVR)\n"
        "DEFINE CHANNEL({0}.{1}) CHLTYPE(SDR) CONNAME({1}) XMITQ({1})\n"
    )
    there, back = calls.format("QM1", "QM2") + "DEFINE QREMOTE(A) RNAME(B) RQMNAME(QM2)", calls.format("QM2", "QM1")
    old = estate_of({"QM1": there, "QM2": back + "DEFINE QLOCAL(B)"})
    new = estate_of({"QM1": there, "QM2": back + "DEFINE QREMOTE(B) RNAME(A) RQMNAME(QM1)"})
    (one,) = [one for one in estates.diff(old, new).proved().found if one.about == "route" and one.qmgr == "QM1"]
    assert (one.shown, one.proved) == (("False", "True"), True)


def test_a_publication_that_goes_to_another_queue_behaves_differently():
    one = "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nDEFINE TOPIC(T) TOPICSTR('t')\nDEFINE SUB(S) TOPICOBJ(T) DEST(A)\n"
    found = estates.diff(estate_of(one + "DEFINE SUB(U) TOPICSTR('t') DEST(B)"), estate_of(one)).proved().found
    (told,) = [each for each in found if each.what == "behaves"]
    assert (told.name, told.old, told.new, told.proved) == ("U", "A, B", "A", True)
    assert told.shown[1] == "['A']"


def test_flags_are_written_as_in_mqsc(tmp_path):
    on, off = tmp_path / "on.mqsc", tmp_path / "off.mqsc"
    on.write_text("DEFINE QLOCAL(A) TRIGGER\nDEFINE QLOCAL(B) TRIGGER\n", "utf-8")
    off.write_text("DEFINE QLOCAL(A)\n", "utf-8")
    found = {each.name: each for each in estates.diff(off, on).found if each.what != "behaves"}
    assert found["A"].said == "QLOCAL A: TRIGGER; it was NOTRIGGER"
    assert found["B"].new == "TRIGGER"
    shown = Lab().queue_manager("QM1").mqsc("DEFINE QLOCAL(Q)\nDISPLAY QLOCAL(Q) TRIGGER")
    assert "<code>NOTRIGGER</code>" in shown._repr_mimebundle_()["text/html"]
