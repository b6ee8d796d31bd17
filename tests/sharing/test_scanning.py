"""The shared expiry scan: one member does it, another takes over."""

import pytest


def scans(lab):
    """The scans of shared queues: (second, member, queues)."""
    return [(row.time_us / 1e6, row.qmgr, row.facts["queues"]) for row in lab.events.where(kind="scan", rule="EXP-34")]


@pytest.mark.rule("EXP-34")
def test_one_member_scans_the_shared_queues_and_another_takes_over(lab, members, one, two, three):
    for each in members:
        each.mqsc("ALTER QMGR EXPRYINT(10)\nDEFINE QLOCAL(OWN)")
        lab.advance(1)
    for each in members:
        each.put("SAFE", b"x", expiry=20)
        each.put("OWN", b"x", expiry=20)
    lab.advance(20)
    assert scans(lab) == [(10.0, "QMA", ["SAFE"])]
    own = [row.qmgr for row in lab.events.where(kind="scan", rule="EXP-33")]
    assert own == ["QMA", "QMB", "QMC"], "each scans its own queues"
    two.put("SAFE", b"x", expiry=20)
    one.stop()
    lab.advance(20)
    assert scans(lab)[1:] == [(31.0, "QMB", ["SAFE"])]
    takeovers = lab.events.where(kind="takeover")
    assert [row.facts for row in takeovers] == [{"from": None, "to": "QMA"}, {"from": "QMA", "to": "QMB"}]
    assert lab.events[takeovers[1].cause].kind == "stop"
    one.start()
    three.put("SAFE", b"x", expiry=20)
    lab.advance(20)
    assert [member for _, member, _ in scans(lab)] == ["QMA", "QMB", "QMB"], "who came back does not take it again"
    assert two.depth("SAFE") == 0


@pytest.mark.rule("EXP-34")
@pytest.mark.parametrize("end", ["stop", "fail", "off"])
def test_the_seat_is_left_however_the_member_ends(lab, end, one, two):
    one.mqsc("ALTER QMGR EXPRYINT(10)")
    two.mqsc("ALTER QMGR EXPRYINT(10)")
    two.put("SAFE", b"x", expiry=20)
    if end == "off":
        one.mqsc("ALTER QMGR EXPRYINT(OFF)")
    else:
        getattr(one, end)()
    lab.advance(30)
    assert [member for _, member, _ in scans(lab)] == ["QMB"]


def test_with_no_member_that_scans_expired_messages_wait(lab, one, two, three):
    one.put("SAFE", b"x", expiry=20)
    lab.advance(100)
    assert two.depth("SAFE") == 1
    three.mqsc("ALTER QMGR EXPRYINT(10)")
    lab.advance(10)
    assert two.depth("SAFE") == 0


@pytest.mark.rule("EXP-34")
def test_members_with_different_intervals_are_warned_of(lab, members, three):
    for each, seconds in zip(members, (10, 10, 60), strict=True):
        each.mqsc(f"ALTER QMGR EXPRYINT({seconds})")
    (warning,) = lab.events.where(kind="warning")
    assert (warning.qmgr, warning.program) == ("QSG1", "QMC")
    assert warning.facts["EXPRYINT"] == {"QMA": 10, "QMB": 10, "QMC": 60}
    three.mqsc("ALTER QMGR EXPRYINT(10)")
    assert len(lab.events.where(kind="warning")) == 1


def test_a_scan_on_request_is_the_asked_members(lab, one, three):
    one.put("SAFE", b"x", expiry=20)
    lab.advance(5)
    assert three.mqsc("REFRESH QMGR TYPE(EXPIRY) NAME(SAFE)").ok
    assert one.depth("SAFE") == 0
    assert [(row.qmgr, row.rule) for row in lab.events.where(kind="scan")] == [("QMC", "EXP-35")]


def test_a_member_that_does_not_scan_leaves_shared_queues_alone_at_its_restart(lab, one, two):
    one.mqsc("DEFINE QLOCAL(OWN)")
    one.put("OWN", b"x", expiry=20, persistent=True)
    one.put("SAFE", b"x", expiry=20)
    one.stop()
    lab.advance(10)
    one.start()
    assert (one.depth("OWN"), two.depth("SAFE"), scans(lab)) == (0, 1, [])
