"""Triggering, conditions 13 and 15: what a change of attributes or a monitor that comes sets off."""

import pytest

from helpers import cases


# ---------------------------------------------------------------- 13: changes
def by_alter(qm, values):
    """Change attributes of WORK by a command."""
    words = {"TRIGGER": lambda on: "TRIGGER" if on else "NOTRIGGER"}
    text = (words.get(name, lambda value, name=name: f"{name}({value})")(value) for name, value in values.items())
    qm.mqsc(f"ALTER QLOCAL(WORK) {' '.join(text)}").require()


def by_set(qm, values):
    """Change attributes of WORK by MQSET."""
    with qm.open("WORK", set=True) as handle:
        handle.set(**values)


@pytest.fixture(params=[by_alter, by_set], ids=["ALTER", "MQSET"])
def change(request):
    """The two ways to change an attribute."""
    return request.param


@pytest.mark.rule("TRG-13")
@cases(
    "kind, messages, fires",
    ("FIRST", 1, True),
    ("EVERY", 1, True),
    ("DEPTH) TRIGDPTH(2", 2, True),
    ("DEPTH) TRIGDPTH(2", 1, False),
    ("FIRST) TRIGMPRI(5", 3, False),
    ("NONE", 1, False),
    ("FIRST", 0, False),
)
def test_turning_triggering_on(lab, qm, change, kind, messages, fires, define, written, mqsc):
    define(qm, f"TRIGTYPE({kind}) NOTRIGGER")
    for _ in range(messages):
        qm.put("WORK", b"x", priority=1)
    change(qm, {"TRIGGER": True})  # no monitor is needed
    assert qm.depth("INIT") == fires
    if not fires:
        mqsc(qm, "ALTER QLOCAL(WORK) NOTRIGGER TRIGTYPE(FIRST) TRIGMPRI(0)")
        qm.put("WORK", b"x")
        change(qm, {"TRIGGER": True})
        assert qm.depth("INIT") == 1
    assert written(lab) == ["TRG-13"]


@pytest.mark.rule("TRG-13")
@cases(
    "before, now",
    ("TRIGTYPE(DEPTH) TRIGDPTH(5)", {"TRIGTYPE": "FIRST"}),
    ("TRIGTYPE(DEPTH) TRIGDPTH(5)", {"TRIGTYPE": "EVERY"}),
    ("TRIGTYPE(FIRST) TRIGMPRI(9)", {"TRIGMPRI": 3}),
    ("TRIGTYPE(DEPTH) TRIGDPTH(5)", {"TRIGDPTH": 2}),
    ("TRIGTYPE(NONE)", {"TRIGTYPE": "FIRST"}),
)
def test_changing_type_priority_or_depth_while_it_is_on(lab, qm, change, before, now, define, written):
    define(qm, before)
    qm.put("WORK", b"x", priority=3)
    qm.put("WORK", b"x", priority=3)
    assert written(lab) == []
    change(qm, now)
    assert qm.depth("INIT") == 1
    assert written(lab) == ["TRG-15" if now == {"TRIGTYPE": "EVERY"} else "TRG-13"]
    if now == {"TRIGTYPE": "EVERY"}:
        by_alter(qm, {"TRIGTYPE": "FIRST"})
        assert written(lab)[-1] == "TRG-13"


def test_changing_what_does_not_matter_writes_nothing(lab, qm, change, define, written):
    define(qm, "TRIGTYPE(FIRST)")
    qm.put("WORK", b"x")
    for values in ({"TRIGGER": True}, {"TRIGTYPE": "FIRST"}, {"TRIGMPRI": 0}, {"TRIGDPTH": 7}, {"TRIGDATA": "new"}):
        change(qm, values)
    assert written(lab) == []


def fail(qm, condition):
    """Let this condition of triggering by WORK not be met."""
    if condition == "TRG-04":
        qm.open("WORK", input="shared")
    else:
        commands = {
            "TRG-05": "ALTER QLOCAL(WORK) GET(DISABLED)",
            "TRG-06": "ALTER QLOCAL(WORK) PROCESS(MISSING)",
            "TRG-07": "ALTER QLOCAL(INIT) USAGE(XMITQ) FORCE",
        }
        qm.mqsc(commands[condition]).require()


@pytest.mark.parametrize("broken", ["TRG-04", "TRG-05", "TRG-06", "TRG-07"])
def test_the_other_conditions_hold_when_it_is_turned_on(lab, broken, define, written, declined, mqsc):
    qm = lab.queue_manager("QM2", platform="zos" if broken == "TRG-05" else "distributed")
    define(qm, "TRIGTYPE(FIRST) NOTRIGGER")
    qm.put("WORK", b"x")
    fail(qm, broken)
    mqsc(qm, "ALTER QLOCAL(WORK) TRIGGER")
    assert (written(lab), declined(lab)[-1]) == ([], broken)


@pytest.mark.rule("TRG-13a")
def test_puts_allowed_again_on_the_initiation_queue(lab, qm, define, watch, written, mqsc, fields):
    define(qm, "TRIGTYPE(FIRST)")
    define(qm, "TRIGTYPE(DEPTH) TRIGDPTH(2)", name="WORK2")
    define(qm, "TRIGTYPE(DEPTH) TRIGDPTH(9)", name="SHORT")
    for name, attributes in (("EMPTY", "TRIGTYPE(FIRST)"), ("OFF", "NOTRIGGER"), ("READ", "TRIGTYPE(FIRST)")):
        define(qm, attributes, name=name)
    mqsc(qm, "DEFINE QLOCAL(ELSEWHERE) TRIGGER PROCESS(P) INITQ(REPLIES)")
    mqsc(qm, "ALTER QLOCAL(INIT) PUT(DISABLED)")
    with watch(qm) as monitor, qm.open("READ", input="shared"):
        for name in ("WORK", "WORK2", "WORK2", "SHORT", "OFF", "READ", "ELSEWHERE"):
            qm.put(name, b"x")
        mqsc(qm, "ALTER QLOCAL(INIT) PUT(DISABLED) DESCR('still')")
        assert written(lab) == []
        mqsc(qm, "ALTER QLOCAL(INIT) PUT(ENABLED)")
        assert written(lab) == ["TRG-13a"] * 2
        assert [fields(monitor.get().body)["QName"].rstrip() for _ in range(2)] == [b"WORK", b"WORK2"]


def test_puts_allowed_again_without_a_monitor_writes_nothing(lab, qm, define, written, declined, mqsc):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, "ALTER QLOCAL(INIT) PUT(DISABLED)")
    qm.put("WORK", b"x")
    mqsc(qm, "ALTER QLOCAL(INIT) PUT(ENABLED)")
    assert (written(lab), declined(lab)[-1]) == ([], "TRG-08")


@pytest.mark.rule("TRG-13b")
@pytest.mark.parametrize("platform", ["zos", "distributed"])
def test_gets_allowed_again(lab, change, platform, define, watch, written, mqsc):
    qm = lab.queue_manager("QM2", platform=platform)
    define(qm, "TRIGTYPE(FIRST) GET(DISABLED)")
    mqsc(qm, "ALTER QMGR TRIGINT(0)")
    with watch(qm):
        qm.put("WORK", b"x")
        before = qm.depth("INIT")
        assert before == (platform == "distributed")
        change(qm, {"GET": "DISABLED"})
        assert qm.depth("INIT") == before
        change(qm, {"GET": "ENABLED"})
        assert (qm.depth("INIT"), written(lab)[-1]) == (before + 1, "TRG-13b")


@pytest.mark.parametrize("broken", ["TRG-04", "TRG-06", "TRG-07", "TRG-08"])
def test_the_other_conditions_hold_when_gets_are_allowed_again(lab, qm, broken, define, watch, written, declined, mqsc):
    define(qm, "TRIGTYPE(FIRST) GET(DISABLED) NOTRIGGER")
    qm.put("WORK", b"x")
    if broken != "TRG-08":
        watch(qm)
        fail(qm, broken)
    mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(MISSING) TRIGGER")  # turned on without a process, it writes nothing
    if broken != "TRG-06":
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(P)")
    mqsc(qm, "ALTER QLOCAL(WORK) GET(ENABLED)")
    assert (written(lab), declined(lab)[-1]) == ([], broken)


@pytest.mark.rule("TRG-13c")
def test_a_monitor_that_comes_finds_one_message_for_each_waiting_queue(lab, qm, define, watch, written, mqsc, fields):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, "DEFINE QLOCAL(MORE) TRIGGER TRIGTYPE(EVERY) PROCESS(P) INITQ(INIT)")
    for name in ("WORK", "WORK", "MORE"):
        qm.put(name, b"x")
    with watch(qm) as first:
        assert written(lab) == ["TRG-13c"] * 2
        with watch(qm):
            assert qm.depth("INIT") == 2, "not the first"
        assert [fields(first.get().body)["QName"].rstrip() for _ in range(2)] == [b"WORK", b"MORE"]
    with qm.open("INIT", browse=True):
        assert qm.depth("INIT") == 0, "not for input"


@pytest.mark.rule("TRG-13c")
def test_a_restart_loses_the_trigger_messages_and_the_monitor_finds_new_ones(lab, qm, define, watch, written):
    define(qm, "TRIGTYPE(FIRST)")
    watch(qm)
    qm.put("WORK", b"x", persistent=True)
    assert qm.depth("INIT") == 1
    qm.stop()
    qm.start()
    assert (qm.depth("INIT"), qm.depth("WORK")) == (0, 1)
    assert [row.rule for row in lab.events.where(kind="lost", object="INIT")] == ["MQI-16"]
    with watch(qm):
        assert (qm.depth("INIT"), written(lab)) == (1, ["TRG-03", "TRG-13c"])


# ---------------------------------------------------------------- 15
@pytest.mark.rule("TRG-15")
@pytest.mark.parametrize("event", ["13", "13a", "13b", "13c"])
def test_every_gives_one_message_however_many_wait_and_in_no_unit_of_work(lab, qm, event, define, watch, written, mqsc):
    define(qm, "TRIGTYPE(EVERY) GET(DISABLED)" + (" NOTRIGGER" if event == "13" else ""))
    mqsc(qm, "ALTER QLOCAL(INIT) PUT(DISABLED)" if event == "13a" else "ALTER QLOCAL(INIT) PUT(ENABLED)")
    monitor = watch(qm) if event == "13a" else None
    with qm.unit_of_work() as uow:
        for _ in range(5):
            uow.put("WORK", b"x")
        if event == "13":
            mqsc(qm, "ALTER QLOCAL(WORK) TRIGGER")
        elif event == "13a":
            mqsc(qm, "ALTER QLOCAL(INIT) PUT(ENABLED)")
        elif event == "13b":
            mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(MISSING)")
            monitor = watch(qm)
            mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(P)", "ALTER QLOCAL(WORK) GET(ENABLED)")
        else:
            monitor = watch(qm)
        assert (written(lab), qm.depth("INIT")) == (["TRG-15"], 1)
        monitor = monitor or watch(qm)
        assert monitor.get().format == "MQTRIG", "it can be got before the unit of work ends"
        assert lab.events.where(kind="put", object="INIT")[0].uow is None
        uow.backout()
