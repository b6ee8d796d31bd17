"""Groups, structures, and definitions: whose they are, who knows them, and what is refused."""

import pytest

from helpers import cases, for_each, lab_error, made, mq_error, reason
from mqlab import Lab


@pytest.mark.rule("QSG-01")
def test_a_group_creates_the_members_the_lab_has_not_and_takes_those_it_has(lab):
    known = made("DEFINE CFSTRUCT(APP9) CFLEVEL(4)", "QMA", of=lab, platform="zos")
    group = lab.queue_sharing_group("QSG1", ["QMA", "QMB"])
    assert group.structures["APP9"].level == 4, "the structures of members are the group's"
    assert lab["QMB"].mqsc("DEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(APP9)").ok
    assert (group.members, lab["QMB"].platform, lab.queue_sharing_groups) == ((known, lab["QMB"]), "zos", [group])
    assert [row.detail for row in lab.events.where(kind="group")] == ['{"members":["QMA","QMB"]}']


@cases(
    "name, members, said",
    ("QSG12", ["QMX"], "group name must be"),
    ("1QSG", ["QMX"], "group name must be"),
    ("QSG1", ["QMX"], "new in this lab"),
    ("DIST", ["QMX"], "new in this lab"),
    ("QMX", ["QMX"], "new in this lab"),
    ("QSG2", [], "members must be"),
    ("QSG2", "QMX", "members must be"),
    ("QSG2", ["QMX", "QMX"], "each once"),
    ("QSG2", ["QMX", "no name"], "name of a queue manager"),
    ("QSG2", ["QMX", "DIST"], "on z/OS"),
    ("QSG2", ["QMX", "QMA"], "in no group"),
    ("QSG2", ["QMX", "DOWN"], "running"),
)
def test_what_is_no_group_is_refused_and_nothing_is_made(lab, group, name, members, said):
    lab.queue_manager("DIST")
    lab.queue_manager("DOWN", platform="zos").stop()
    before = len(lab.events), [each.name for each in lab.queue_managers]
    lab_error(said, lab.queue_sharing_group, name, members)
    assert (len(lab.events), [each.name for each in lab.queue_managers]) == before


def test_a_name_is_the_groups_alone_and_display_tells_disposition_and_structure(lab, group, two):
    lab_error("queue sharing group", lab.queue_manager, "QSG1")
    (row,) = two.mqsc("DISPLAY QLOCAL(SAFE) QSGDISP CFSTRUCT").rows
    assert (row["QSGDISP"], row["CFSTRUCT"]) == ("SHARED", "APP1")


@pytest.mark.rule("QSG-02", "QSG-03")
def test_a_shared_queue_is_one_queue_on_every_member(lab, members, rows, one, two, three):
    one.put("SAFE", b"first", persistent=True)
    two.put("SAFE", b"second")
    assert ([each.depth("SAFE") for each in members], three.get("SAFE").body) == ([2, 2, 2], b"first")
    assert (one.get("SAFE").body, lab.state().queue("QSG1", "SAFE").depth) == (b"second", 0)
    assert rows(kind="allocate") == [("allocate", "QSG1", "APP1", "QMA", "QSG-03")]
    calls = lab.events.where(qmgr="QSG1", object="SAFE", kind=("put", "get"))
    told = [(row.kind, row.facts["member"], row.depth) for row in calls]
    assert told == [("put", "QMA", 1), ("put", "QMB", 2), ("get", "QMC", 1), ("get", "QMA", 0)]


def test_a_stopped_member_learns_what_was_shared_and_a_dynamic_queue_is_its_makers_own(one, two, three):
    three.stop()
    assert one.mqsc("DEFINE QLOCAL(LATE) QSGDISP(SHARED) CFSTRUCT(APP1)").ok
    one.put("LATE", b"x")
    three.start()
    assert three.get("LATE").body == b"x"
    assert one.mqsc("DEFINE QMODEL(M) QSGDISP(GROUP) DEFTYPE(PERMDYN)").ok
    handle = two.open("M", output=True, dynamic_name="MINE")
    handle.put(b"x")
    assert two.objects.get("QLOCAL", "MINE").attributes["QSGDISP"] == "QMGR"
    assert one.objects.get("QLOCAL", "MINE") is None


@for_each(
    "command, code",
    ("DEFINE QLOCAL(Q) QSGDISP(SHARED)", "AMQ8101S"),
    ("DEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(NONE)", "AMQ8147E"),
    ("DEFINE QALIAS(Q) QSGDISP(SHARED) TARGET(SAFE)", "AMQ8101S"),
    ("DEFINE QLOCAL(Q) QSGDISP(LIVE)", "AMQ8101S"),
    ("DEFINE QLOCAL(Q) QSGDISP(COPY)", "AMQ8147E"),
    ("DEFINE QLOCAL(OWN) QSGDISP(SHARED) CFSTRUCT(APP1)", "AMQ8150E"),
    ("DEFINE QLOCAL(SAFE)", "AMQ8150E"),
    ("DEFINE QLOCAL(SAFE) REPLACE", "AMQ8150E"),
    ("DEFINE QLOCAL(SAFE) REPLACE QSGDISP(SHARED) CFSTRUCT(APP2)", "AMQ8101S"),
    ("DEFINE CFSTRUCT(APP1)", "AMQ8150E"),
    ("DEFINE CFSTRUCT('app4')", "AMQ8424E"),
    ("DEFINE CFSTRUCT(APP_4)", "AMQ8424E"),
    ("DEFINE CFSTRUCT(4APP)", "AMQ8424E"),
    ("DEFINE CFSTRUCT(APP4) CFLEVEL(2) RECOVER(YES)", "AMQ8101S"),
    ("ALTER CFSTRUCT(APP3) RECOVER(YES)", "AMQ8101S"),
    ("ALTER QLOCAL(SAFE) MAXDEPTH(5)", "AMQ8147E"),
    ("ALTER QLOCAL(SAFE) QSGDISP(SHARED) CFSTRUCT(APP2)", "AMQ8101S"),
    ("ALTER QLOCAL(SAFE) QSGDISP(GROUP) MAXDEPTH(5)", "AMQ8147E"),
    ("DELETE QLOCAL(SAFE)", "AMQ8147E"),
    ("DELETE QLOCAL(SAFE) QSGDISP(GROUP)", "AMQ8147E"),
    ("DELETE CFSTRUCT(APP1)", "AMQ8101S"),
    ("CLEAR QLOCAL(SAFE)", "AMQ8147E"),
    ("RECOVER CFSTRUCT(APP1)", "AMQ8405I"),
    ("RECOVER CFSTRUCT(APP2)", "AMQ8405I"),
    ("BACKUP CFSTRUCT(APP2)", "AMQ8405I"),
    ("BACKUP CFSTRUCT(NONE)", "AMQ8147E"),
    ("DISPLAY CFSTATUS(NONE)", "AMQ8147E"),
    ("DISPLAY CFSTATUS(APP1) TYPE(SMDS)", "AMQ8405I"),
)
def test_what_is_wrong_is_refused_and_changes_nothing(members, command, code, one, two):
    two.mqsc("DEFINE QLOCAL(OWN)")

    def state():
        return [[(d.kind, d.name, dict(d.attributes)) for d in each.objects.everything()] for each in members]

    before = state()
    (reply,) = one.mqsc(command).replies
    assert (reply.code, reply.ok, state()) == (code, False, before)


def test_without_a_group_there_is_no_disposition(lab):
    alone = made("DEFINE CFSTRUCT(APP1)", "ALONE", of=lab, platform="zos")
    assert not alone.mqsc("DEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(APP1)").ok
    assert not alone.mqsc("DEFINE QLOCAL(Q) QSGDISP(GROUP)").ok
    assert alone.mqsc("DEFINE QLOCAL(Q) QSGDISP(QMGR)\nALTER QLOCAL(Q) QSGDISP(QMGR) MAXDEPTH(3)").ok
    commands = """ALTER QLOCAL(Q) QSGDISP(SHARED) MAXDEPTH(4)\nDISPLAY CFSTATUS(*)\nBACKUP CFSTRUCT(APP1)
        RECOVER CFSTRUCT(APP1)\nRESET CFSTRUCT(APP1) ACTION(FAIL)"""
    assert [reply.ok for reply in alone.mqsc(commands).replies] == [False] * 5


def test_a_structure_that_was_never_used_does_not_fail(group, one):
    group.fail_coupling_facility()
    assert {structure.status for structure in group.structures.values()} == {"NEW"}
    one.put("SAFE", b"x")


def test_a_lock_on_one_member_hides_the_message_on_another(lab, one, two):
    one.put("SAFE", b"first")
    one.put("SAFE", b"second")
    handle = one.open("SAFE", input="shared", browse=True)
    handle.browse_first(lock=True)
    assert (lab.state().facts("QSG1", "SAFE")["locked by a browse"], two.get("SAFE").body) == (1, b"second")
    one.fail()
    assert (two.get("SAFE").body, lab.state().facts("QSG1", "SAFE")["locked by a browse"]) == (b"first", 0)


def test_alter_and_clear_and_delete_act_for_the_group(lab, members, one, two, three):
    assert two.mqsc("DEFINE QALIAS(ALSO) TARGET(SAFE)").ok
    two.put("ALSO", b"x")
    assert one.mqsc("ALTER QLOCAL(SAFE) QSGDISP(SHARED) MAXDEPTH(1)").ok
    assert reason(three.put, "SAFE", b"y") == 2053
    mq_error(two.put, "ALSO", b"y")
    handle = three.open("SAFE", browse=True)
    assert not one.mqsc("CLEAR QLOCAL(SAFE) QSGDISP(SHARED)").ok
    handle.close()
    unit = three.unit_of_work()
    unit.get("SAFE")
    assert not one.mqsc("CLEAR QLOCAL(SAFE) QSGDISP(SHARED)").ok
    unit.backout()
    assert one.mqsc("CLEAR QLOCAL(SAFE) QSGDISP(SHARED)").ok
    assert three.depth("SAFE") == 0
    assert one.mqsc("DELETE QLOCAL(SAFE) QSGDISP(SHARED)\nDELETE CFSTRUCT(APP1)").ok
    for each in members:
        assert reason(each.depth, "SAFE") == 2085
        assert each.objects.get("CFSTRUCT", "APP1") is None
    assert ("QSG1", "SAFE") not in lab.state().queues


def test_a_forced_change_and_mqset_on_one_member_hold_on_all(one, two, three):
    handle = two.open("SAFE", input="shared")
    command = "ALTER QLOCAL(SAFE) QSGDISP(SHARED) NOSHARE"
    assert not one.mqsc(command).ok
    assert one.mqsc(f"{command} FORCE").ok
    assert reason(handle.get) == 2041
    with one.open("SAFE", set=True) as handle:
        handle.set(PUT="DISABLED")
    assert reason(three.put, "SAFE", b"x") == 2051


def test_the_shared_transmission_queue_can_be_defined(one, two):
    one.mqsc("""
        DEFINE QLOCAL(SYSTEM.QSG.TRANSMIT.QUEUE) QSGDISP(SHARED) CFSTRUCT(APP1) USAGE(XMITQ) INDXTYPE(CORRELID) +
            SHARE DEFSOPT(SHARED)""").require()
    with one.open("SYSTEM.QSG.TRANSMIT.QUEUE", inquire=True) as handle:
        assert handle.inquire("USAGE", "INDXTYPE") == {"USAGE": "XMITQ", "INDXTYPE": "CORRELID"}
    assert two.depth("SYSTEM.QSG.TRANSMIT.QUEUE") == 0


# ---------------------------------------------------------------- opens
@pytest.mark.rule("MQI-14")
def test_an_exclusive_open_on_one_member_keeps_the_others_out(members, one, two, three):
    handle = one.open("SAFE", input="exclusive")
    refused = mq_error(two.open, "SAFE", input="shared")
    assert refused.reason == 2042
    assert "QMA" in refused.said
    mq_error(three.get, "SAFE")
    assert "MQI-14" in three.why_no_message("SAFE").missing
    handle.close()
    reader = two.open("SAFE", input="shared")
    mq_error(one.open, "SAFE", input="exclusive")
    assert three.open("SAFE", input="shared").input == "shared"
    assert [each.status("SAFE")["IPPROCS"] for each in members] == [0, 1, 1]
    reader.close()


def test_uncommitted_work_is_each_members_own_and_the_depth_is_everyones(members, one, two):
    unit = one.unit_of_work()
    unit.put("SAFE", b"x")
    assert ([each.status("SAFE")["UNCOM"] for each in members], two.depth("SAFE")) == ([1, 0, 0], 1)
    none = mq_error(two.get, "SAFE")
    assert none.reason == 2033
    assert "MQI-05" in two.why_no_message("SAFE").missing
    assert none.facts["put but not committed"] == 1
    unit.commit()
    assert two.get("SAFE").body == b"x"


def test_monitoring_of_a_shared_queue_is_each_members_own(lab, one, two):
    assert one.mqsc("ALTER QLOCAL(SAFE) QSGDISP(SHARED) MONQ(HIGH)").ok
    lab.advance(5)
    one.put("SAFE", b"x")
    lab.advance(5)
    two.get("SAFE")
    (here,) = one.mqsc("DISPLAY QSTATUS(SAFE)").rows
    (there,) = two.mqsc("DISPLAY QSTATUS(SAFE)").rows
    assert (here["LPUTTIME"], here["LGETTIME"]) == ("09.00.05", "")
    assert (there["LPUTTIME"], there["LGETTIME"]) == ("", "09.00.10")


def test_who_waits_on_another_member_is_woken(lab, members, one):
    got = []
    for each in members[1:]:
        each.run_program(f"READER.{each.name}", lambda app: got.append((app.qmgr.name, app.get("SAFE", wait=60).body)))
    lab.advance(1)
    one.put("SAFE", b"one")
    one.put("SAFE", b"two")
    lab.advance(1)
    assert got == [("QMB", b"one"), ("QMC", b"two")]


def test_the_picture_has_one_shared_queue(lab, one, three):
    one.connect("PUTTER").put("SAFE", b"x")
    three.connect("GETTER").get("SAFE")
    graph = lab.topology()
    assert graph.nodes["QSG1/SAFE"]["qmgr"] == "QSG1"
    assert "QMA/SAFE" not in graph
    assert graph.has_edge("QMA/app:PUTTER", "QSG1/SAFE")
    assert graph.has_edge("QSG1/SAFE", "QMC/app:GETTER")
    assert graph.has_edge("QSG1", "QMB")


def test_status_of_structures(lab, group, one, two, three):
    one.put("SAFE", b"x" * 2000, persistent=True)
    lab.advance(60)
    assert two.mqsc("BACKUP CFSTRUCT(APP1)").ok
    shown = {row["CFSTATUS"]: row["STATUS"] for row in three.mqsc("DISPLAY CFSTATUS(*)").rows}
    assert shown == {"APP1": "ACTIVE", "APP2": "NEW", "APP3": "NEW", "CSQ_ADMIN": "ACTIVE"}
    (row,) = three.mqsc("DISPLAY CFSTATUS(APP1) TYPE(BACKUP)").rows
    assert (row["BKUPTIME"], row["BKUPSIZE"]) == ("09.01.00", 2)
    one.stop()
    connected = three.mqsc("DISPLAY CFSTATUS(APP1) TYPE(CONNECT)").rows
    assert [row["QMNAME"] for row in connected] == ["QMB", "QMC"]
    group.fail_coupling_facility()
    (row,) = three.mqsc("DISPLAY CFSTATUS(APP1)").rows
    assert (row["STATUS"], row["ENTSUSED"], row["FAILTIME"]) == ("FAILED", 1, "09.01.00")


def test_definitions_can_be_written_and_read_back_by_another_group(lab, one):
    assert one.mqsc("DEFINE QLOCAL(Q) QSGDISP(GROUP) MAXDEPTH(7)\nDEFINE QLOCAL(MINE)").ok
    assert one.mqsc("ALTER QLOCAL(Q) QSGDISP(COPY) MAXDEPTH(999999999) DESCR('mine')").ok  # as the default has it
    other = Lab().queue_sharing_group("QSG2", ["QMA", "QMB"]).members
    other[0].mqsc(one.export_mqsc()).require()
    assert other[0].export_mqsc() == one.export_mqsc()
    assert other[1].objects.get("QLOCAL", "SAFE").attributes["CFSTRUCT"] == "APP1"
    assert other[1].objects.get("QLOCAL", "Q").attributes["MAXDEPTH"] == 7
    assert other[1].objects.get("QLOCAL", "MINE") is None
    ask = "DISPLAY QUEUE(*) ALL QSGDISP(ALL)"
    assert [row.get("DESCR") for row in other[0].mqsc(ask).rows] == [row.get("DESCR") for row in one.mqsc(ask).rows]
    assert other[0].objects.get("QLOCAL", "Q").attributes["MAXDEPTH"] == 999_999_999
