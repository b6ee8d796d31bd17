"""Wrong values in every argument of every public call: a refusal in mqlab's own words, and nothing has changed."""

import inspect
import re
from decimal import Decimal

import pytest
from numpy import int64

import mqlab
from helpers import for_each, refusal
from mqlab import Lab, LabError, MQError, Replay, RunawayTrigger, estates, rule
from mqlab.course.exercises import exercise
from mqlab.everyplace import MQeError
from mqlab.views import lab_picture, timeline_frame, topology_svg

ODD = (
    *(float("nan"), float("inf"), -float("inf"), 1e308, -1.5, -1, 10**30, -(10**30), True, None),
    *(Decimal("1"), int64(1)),
    *("\ud800", "", "\0", "x" * 5000, b"\xff", [], {}, (1, 2), object(), {"MAXDEPTH": b""}),
)
ENGINE = """application_type confirm_arrival identify log_of opened record refusal refuse shared_queue start_service
    topic_tree topic_values"""
"""Public among the rooms, for values that the callers have checked."""
PLAIN = {
    "appl_id": "X",
    "attributes": {},
    "at": 0,
    "body": b"x",
    "change": lambda lab: None,
    "conname": "x(1)",
    "function": lambda *_: None,
    "kind": "QLOCAL",
    "members": ["QMZ"],
    "message": 1,
    "one": "QM1",
    "other": "QM2",
    "program": "P",
    "seconds": 1,
    "story": print,
    "text": "DISPLAY QLOCAL(A)",
    "topic_string": "t",
    "estate": "two-sites",
    "title": "t",
    "time_us": 10**9,
}
"""For arguments that must be there, by name, a value that will do; "A", a queue, for any other."""


def world():
    lab = Lab()
    qm, _ = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    lab.link("QM1", "QM2")
    qm.mqsc("DEFINE QLOCAL(A)\nDEFINE QLOCAL(QM2) USAGE(XMITQ)\nDEFINE TOPIC(T) TOPICSTR('t')").require()
    qm.put("A", b"x")
    van = lab.everyplace("VAN")
    van.define("local", "A")
    return {
        "lab": lab,
        "queue manager": qm,
        "application": qm.connect("P"),
        "handle": qm.open("A", input="shared", browse=True, output=True, inquire=True),
        "replay": Replay(lab.events),
        "log": lab.events,
        "state": lab.state(),
        "unit": qm.unit_of_work(),
        "van": van,
        "rule": rule,
        "load": estates.load,
        "Lab": Lab,
        "exercise": exercise,
        "picture": lambda **given: lab_picture(lab, **given),
    }


NAMED = {"picture": lab_picture}
ONE = {  # the calls that programs make
    "handle": "put get get_each browse_next browse_first close inquire drain",
    "replay": "at",
    "log": "span count_until column of_message caused_by of_unit states_of_channel write_parquet",
    "state": "expired facts message_states queue uncommitted",
    "unit": "put get browse prepare",
    "van": "put get browse confirm_get confirm_put connect define delete depth has message size transmit_every undo",
}


def calls():
    found = []
    for name, thing in world().items():
        if name in ("lab", "queue manager", "application", *ONE):
            names = ONE[name].split() if name in ONE else [n for n in dir(type(thing)) if n[0] != "_"]
            methods = {
                n: getattr(thing, n) for n in names if n not in ENGINE.split() and callable(getattr(thing, n, None))
            }
        else:
            methods = {"": NAMED.get(name, thing)}
        for method, call in methods.items():
            arguments = inspect.signature(call).parameters.values()
            for each in arguments:
                if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL) and each.annotation != "Lab":
                    found.append((name, method, each.name))
    return found


CALLS = calls()


def state(lab):
    """Everything that a refused call must leave alone."""
    return (
        lab.now_us,
        [
            (qmgr.name, [(q.name, q.depth, q.uncommitted, q.inputs, q.outputs) for q in qmgr.queues])
            for qmgr in lab.queue_managers
        ],
        [
            (q.running, len(q.handles), len(q.units), len(q.objects.everything()), len(q.programs_running))
            for q in lab.queue_managers
        ],
        [(path.names, path.up, path.latency_us) for path in lab.network.paths],
        [len(lab.shots), len(lab.everyplace_queue_managers), len(lab.queue_sharing_groups), lab.network.addresses],
    )


@pytest.mark.parametrize("name", dict.fromkeys(name for name, *_ in CALLS))
def test_a_wrong_value_is_refused_and_changes_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for method, argument in [call[1:] for call in CALLS if call[0] == name]:
        refuse(name, method, argument, tmp_path)


def refuse(name, method, argument, tmp_path):
    """Give this argument of one call each odd value."""
    known = (LabError, MQError, MQeError, RunawayTrigger, *([KeyError] if name == "rule" else []))
    there, plain = world(), PLAIN | {"path": str(tmp_path / "page.html")}
    for odd in ODD:
        thing = getattr(there[name], method) if method else there[name]
        signature = inspect.signature(NAMED.get(name, thing)).parameters.values()
        needed = [each.name for each in signature if each.default is each.empty and each.annotation != "Lab"]
        more = ("options", "settings", "args", "descriptor", "facts")
        given = {each: plain.get(each, "A") for each in needed if each not in more}
        if method == "compare":
            given["other"] = there["lab"]
        if method == "publish":  # which has the options of put
            given = {"topic_string": "t", argument.replace("queue", "topic_string"): odd}
        before = state(there["lab"])
        try:
            answer = thing(**given if method == "publish" else given | {argument: odd})
            if inspect.isgenerator(answer):
                next(answer, None)
        except known as refused:
            said = str(refused)
            assert said.encode(), "a sentence that can be printed"
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", said)
            # drain got some before it was refused, and a wrong password takes FAILDLAY
            assert method in ("drain", "connect") or state(there["lab"]) == before, (method, argument, odd)
        except OSError as refused:
            assert "path" in argument or argument == "estate", repr(refused)  # a name that the file system refuses
        else:
            if state(there["lab"])[2:] != before[2:]:  # more has happened than messages and time
                there = world()


def test_a_page_can_have_any_title(tmp_path):
    lab = world()["lab"]
    page = lab.save_player(tmp_path / "x.html", title="a\ud800b", lifecycle="<svg>\udfff</svg>")
    assert "<title>a" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("draw", [topology_svg, timeline_frame])
def test_the_other_drawings_refuse_as_the_picture_does(draw):
    for odd in (float("nan"), 1e308, "x", b""):
        with pytest.raises(LabError):
            draw(world()["lab"], odd)


@for_each("kind", ["QLOCAL", "QALIAS", "QREMOTE", "TOPIC", "SUB", "CHANNEL", "QMGR", "QUEUE", 5, None])
@for_each("value", [None, b"x", 1.5, float("nan"), 10**30, -1, "\ud800", "x" * 20000, [], [5], object()])
def test_attributes_are_held_against_the_catalog(kind, value):
    lab = world()["lab"]
    before = state(lab)
    for call in ("define", "alter"):
        for keyword in ("DESCR", "MAXDEPTH", "TARGET", "TOPICSTR", "NO SUCH", None, 7):
            with pytest.raises((LabError, MQError)):
                getattr(lab["QM1"], call)(kind, "A", {keyword: value})
    assert state(lab) == before


def test_every_public_name_is_tried_or_holds_no_call():
    tried = "Lab Replay estates rule GMO MD PMO"  # the structures: tests/engine/words/test_structures.py
    rest = set(mqlab.__all__) - set(tried.split())
    assert {name for name in rest if callable(getattr(mqlab, name))} == {
        *("Event", "EventLog", "LabError", "MQError", "NotSimulated", "ProgramDied", "RunawayTrigger")
    }


def test_an_object_of_a_queue_is_no_name(lab):
    first, second = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    first.mqsc("DEFINE QLOCAL(Q)").require()
    first.put("Q", b"x")
    for call in (lambda: second.put(first.targets["Q"], b"y"), lambda: second.get(first.targets["Q"])):
        refusal((LabError, MQError), "", call)
    assert first.status("Q")["CURDEPTH"] == 1
