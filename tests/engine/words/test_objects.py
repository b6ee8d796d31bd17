"""The table of definitions: objects found by name, by its beginning, and by the TARGET or TOPICSTR they have now."""

import pytest

from helpers import made
from mqlab.engine.words.objects import Definition, ObjectTable


def names(found):
    return [definition.name for definition in found]


def test_names_find_objects_and_targets_their_aliases_of_now():
    table = ObjectTable()
    for kind, name in (("QLOCAL", "A.1"), ("QREMOTE", "A.2"), ("PROCESS", "A.1"), ("QLOCAL", "B")):
        table.add(Definition(kind, name, {}))
    assert [d.kind for d in table.match(("QLOCAL", "PROCESS"), "A.1")] == ["PROCESS", "QLOCAL"]
    assert names(table.match(("QLOCAL", "QREMOTE"), "A.*")) == ["A.1", "A.2"]
    assert (names(table.match(("QLOCAL",), "A")), names(table.match(("QLOCAL",)))) == ([], ["A.1", "B"])
    qm = made("DEFINE QL(A)\nDEFINE QL(B)\nDEFINE QA(Y) TARGET(A)\nDEFINE QA(X) TARGET(A)")
    assert names(qm.objects.having("QALIAS", "A")) == ["X", "Y"]
    qm.mqsc("ALTER QA(X) TARGET(B)\nDEFINE QA(Y) TARGET(B) REPLACE").require()
    assert (names(qm.objects.having("QALIAS", "A")), names(qm.objects.having("QALIAS", "B"))) == ([], ["X", "Y"])
    qm.put("X", b"1")
    qm.mqsc("DELETE QA(Y)\nDELETE QL(B) PURGE").require()
    assert names(qm.objects.having("QALIAS", "B")) == ["X"]
    qm.mqsc("DEFINE QL(B)").require()
    qm.put("X", b"2")
    assert qm.depth("B") == 1


@pytest.mark.needs("pubsub")
def test_topics_are_found_by_their_topic_string_of_now():
    qm = made("DEFINE TOPIC(FRUIT) TOPICSTR('price/fruit')\nDEFINE TOPIC(FRUIT) TOPICSTR('price/nuts') REPLACE")
    assert names(qm.objects.having("TOPIC", "price/fruit")) == []
    assert names(qm.objects.having("TOPIC", "price/nuts")) == ["FRUIT"]
    qm.mqsc("DELETE TOPIC(FRUIT)").require()
    assert names(qm.objects.having("TOPIC", "price/nuts")) == []
