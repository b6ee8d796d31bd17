"""The table of definitions: what is found by name, by the beginning of a name, and by the TARGET of an alias."""

from mqlab import Lab
from mqlab.mq.objects import Definition, ObjectTable


def names(found):
    return [definition.name for definition in found]


def test_a_whole_name_finds_one_object_and_a_beginning_finds_all():
    table = ObjectTable()
    for kind, name in (("QLOCAL", "A.1"), ("QREMOTE", "A.2"), ("PROCESS", "A.1"), ("QLOCAL", "B")):
        table.add(Definition(kind, name, {}))
    assert [d.kind for d in table.match(("QLOCAL", "PROCESS"), "A.1")] == ["PROCESS", "QLOCAL"]
    assert names(table.match(("QLOCAL", "QREMOTE"), "A.*")) == ["A.1", "A.2"]
    assert names(table.match(("QLOCAL",), "A")) == []
    assert names(table.match(("QLOCAL",))) == ["A.1", "B"]


def test_aliases_are_found_by_their_target_of_now():
    qm = Lab().queue_manager("QM1")
    qm.mqsc("DEFINE QL(A)\nDEFINE QL(B)\nDEFINE QA(Y) TARGET(A)\nDEFINE QA(X) TARGET(A)").require()
    assert names(qm.objects.aliases_of("A")) == ["X", "Y"]
    qm.mqsc("ALTER QA(X) TARGET(B)\nDEFINE QA(Y) TARGET(B) REPLACE").require()
    assert (names(qm.objects.aliases_of("A")), names(qm.objects.aliases_of("B"))) == ([], ["X", "Y"])
    qm.put("X", b"1")
    qm.mqsc("DELETE QA(Y)\nDELETE QL(B) PURGE").require()
    assert names(qm.objects.aliases_of("B")) == ["X"]
    qm.mqsc("DEFINE QL(B)").require()
    qm.put("X", b"2")
    assert qm.depth("B") == 1
