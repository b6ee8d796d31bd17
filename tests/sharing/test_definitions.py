"""Masters and the copies of them, and what a structure takes and what it does not."""

import pytest

from helpers import cases, mq_error, reason
from mqlab import MQError


# ---------------------------------------------------------------- masters and copies
@pytest.mark.rule("QSG-02")
def test_a_master_gives_every_running_member_a_copy(one, two, three):
    assert two.mqsc("DEFINE QLOCAL(Q)").ok
    three.stop()
    assert one.mqsc("DEFINE QLOCAL(Q) QSGDISP(GROUP) DESCR('ours') MAXDEPTH(7)").ok

    def has(qmgr):
        attributes = qmgr.objects.get("QLOCAL", "Q").attributes
        return attributes["QSGDISP"], attributes["MAXDEPTH"]

    assert (has(one), has(two)) == (("COPY", 7), ("QMGR", 999_999_999))
    three.start()
    assert has(three) == ("COPY", 7)
    one.put("Q", b"x")
    assert three.depth("Q") == 0, "each copy is a queue of its own"
    assert one.mqsc("ALTER QLOCAL(Q) QSGDISP(COPY) MAXDEPTH(8)").ok
    assert (has(one), has(three)) == (("COPY", 8), ("COPY", 7))
    assert three.mqsc("ALTER QLOCAL(Q) QSGDISP(GROUP) MAXDEPTH(9)").ok
    assert (has(one), has(three)) == (("COPY", 9), ("COPY", 9))
    shown = one.mqsc("DISPLAY QLOCAL(Q) QSGDISP(ALL) MAXDEPTH").rows
    assert [row["MAXDEPTH"] for row in shown] == [9, 9]
    assert not three.mqsc("DELETE QLOCAL(Q) QSGDISP(GROUP)").ok, "the copy on QMA is not empty"
    assert has(three) == ("COPY", 9)
    assert three.mqsc("DELETE QLOCAL(Q) QSGDISP(GROUP) PURGE").ok
    assert one.objects.get("QLOCAL", "Q") is None
    assert has(two) == ("QMGR", 999_999_999)


def test_a_member_that_does_not_run_takes_no_commands_for_the_group(one, three):
    assert one.mqsc("DEFINE QLOCAL(Q) QSGDISP(GROUP)").ok
    three.stop()
    for command in (
        "ALTER QLOCAL(Q) QSGDISP(GROUP) MAXDEPTH(3)",
        "DELETE QLOCAL(Q) QSGDISP(GROUP)",
        "ALTER QLOCAL(SAFE) QSGDISP(SHARED) MAXDEPTH(3)",
        "DEFINE QLOCAL(R) QSGDISP(GROUP)",
        "BACKUP CFSTRUCT(APP1)",
    ):
        (reply,) = three.mqsc(command).replies
        assert (reply.code, reply.ok) == ("AMQ8146E", False)


def test_a_copy_goes_when_its_master_went_while_the_member_was_down(one, three):
    one.mqsc("DEFINE PROCESS(P) QSGDISP(GROUP) APPLICID('ONE')")
    assert three.objects.get("PROCESS", "P").attributes["APPLICID"] == "ONE"
    three.stop()
    assert one.mqsc("ALTER PROCESS(P) QSGDISP(GROUP) APPLICID('TWO')").ok
    three.start()
    assert three.objects.get("PROCESS", "P").attributes["APPLICID"] == "TWO"
    three.stop()
    assert one.mqsc("DELETE PROCESS(P) QSGDISP(GROUP)").ok
    three.start()
    assert three.objects.get("PROCESS", "P") is None


def test_a_master_and_a_shared_queue_cannot_have_one_name(members, one, two):
    assert not one.mqsc("DEFINE QALIAS(SAFE) QSGDISP(GROUP) TARGET(LOOSE)").ok
    for each in members:
        assert each.mqsc("DEFINE QLOCAL(Q)").ok
    assert one.mqsc("DEFINE QLOCAL(Q) QSGDISP(GROUP)").ok, "nobody gets a copy"
    for each in members:
        assert each.mqsc("DELETE QLOCAL(Q)").ok
    reply = two.mqsc("DEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(APP1)")
    assert not reply.ok
    assert "QSG1 has a queue of this name" in str(reply)


# ---------------------------------------------------------------- what a structure takes
@pytest.mark.rule("QSG-04")
@cases(
    "queue, length, persistent, reason",
    ("SAFE", 64_512, True, None),
    ("SAFE", 64_513, True, None),
    ("LOOSE", 64_512, False, None),
    ("LOOSE", 64_513, False, 2030),
    ("LOOSE", 1, True, 2048),
    ("OLD", 64_513, False, 2030),
    ("OLD", 1, True, 2048),
    ("OLD", 1, False, None),
)
def test_a_put_that_the_structure_does_not_take_is_refused(lab, queue, length, persistent, reason, one, two):
    got = None
    try:
        one.put(queue, b"x" * length, persistent=persistent)
    except MQError as error:
        got = error.reason
        assert error.rule == "QSG-04"
        assert "CFSTRUCT" in str(error)
    assert got == reason
    assert two.depth(queue) == (reason is None)
    if reason is None:  # the rule's event is that of a refusal
        mq_error(one.put, "OLD", b"", persistent=True)


def test_a_higher_level_holds_at_once_and_a_lower_one_needs_idle_queues(one, two, three):
    assert one.mqsc("ALTER CFSTRUCT(APP3) CFLEVEL(4) RECOVER(YES)").ok
    three.put("OLD", b"x" * 70_000, persistent=True)
    assert not two.mqsc("ALTER CFSTRUCT(APP3) CFLEVEL(3)").ok
    three.get("OLD")
    assert two.mqsc("ALTER CFSTRUCT(APP3) CFLEVEL(3)").ok


@pytest.mark.parametrize("platform", ["distributed", "vse"])
def test_only_zos_has_structures(lab, platform):
    other = lab.queue_manager("QM9", platform=platform)
    reply = other.mqsc("DEFINE CFSTRUCT(APP9) CFLEVEL(4) RECOVER(YES)")
    assert not reply.ok
    assert "2045" in str(reply)
    assert "only z/OS has structures" in str(reply)
    assert other.objects.get("CFSTRUCT", "APP9") is None


@pytest.mark.rule("MQI-24")
def test_a_shared_dynamic_queue_is_one_queue_for_all_members(one, two):
    one.mqsc("DEFINE QMODEL(MODEL) DEFTYPE(SHAREDYN) CFSTRUCT(APP1)").require()
    with one.open("MODEL", output=True, dynamic_name="DYN.*") as handle:
        two.put(handle.name, b"x")
        assert reason(handle.close, delete=True) == 2055
    assert two.get(handle.name).body == b"x"
    two.open(handle.name, output=True).close(delete=True)
    assert reason(one.depth, handle.name) == reason(two.depth, handle.name) == 2085


def test_a_shared_dynamic_queue_is_deleted_for_all_members(lab, group):
    one, two, three = group.members
    one.mqsc("DEFINE QMODEL(MODEL) DEFTYPE(SHAREDYN) CFSTRUCT(APP1) SHARE DEFSOPT(SHARED)").require()
    creator = one.open("MODEL", input="shared", dynamic_name="DYN")
    other, unit = two.open("DYN", input="shared", output=True), two.unit_of_work()
    other.put(b"1")
    other.get(unit=unit)
    assert reason(creator.close, purge=True) == 2055, "a get of another member is not committed"
    unit.backout()
    creator.close(purge=True)
    assert (reason(other.get), reason(three.put, "DYN", b"2")) == (2052, 2052)
    assert lab.state().queue("QSG1", "DYN").depth == 0
    other.close()
    assert (reason(three.put, "DYN", b"2"), ("QSG1", "DYN") in lab.state().queues) == (2085, False)
