"""The panel: what its controls do is what the calls shown beside them do."""

import ast
import html
import re
import sys

import pytest

pytest.importorskip("anywidget")

from helpers import for_each, lab_error, north_and_hub, says, some
from mqlab import Lab
from mqlab.views.player.calls import Call, on_qmgr, queue_switches, switches
from mqlab.views.widgets.panel import Panel


def story(lab):
    """Orders over a link, read at once; one channel each way is enough."""
    till = north_and_hub(lab)[0].connect("TILL")
    for _ in range(4):
        till.put("ORDERS", b"an order")
        lab.advance(10)


@pytest.fixture
def told():
    lab = Lab(start="2025-01-06T10:00:00Z")
    lab.play(story)
    return lab


def test_without_its_packages_the_panel_names_one(lab, monkeypatch):
    monkeypatch.delitem(sys.modules, "mqlab.views.widgets.panel")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    lab_error("the panel needs anywidget, which is not installed: pip install 'mqlab\\[lab\\]'", lab.panel)


@pytest.fixture
def panel(told):
    return told.panel()


def switch(panel, kind, name):
    """The row of one switch."""
    return panel.faults.rows[kind, name]


def button(row, label):
    """The button of a row that says this."""
    return next(each for each in row.buttons if each.description == label)


def made(text, lab):
    """Make the call that a line of Python tells, for lines such as lab['QM1'].mqsc('...'), without eval."""
    call = ast.parse(text, mode="eval").body
    arguments = [ast.literal_eval(each) for each in call.args]
    of = call.func.value
    receiver = lab if isinstance(of, ast.Name) else lab[ast.literal_eval(of.slice)]
    keywords = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
    return getattr(receiver, call.func.attr)(*arguments, **keywords)


def test_it_begins_at_the_end_with_the_lifecycles_and_steps_as_its_stage_does(panel, told):
    assert not panel.in_the_past
    assert panel.stage.time_us <= told.now_us
    assert "data-from-us=" in panel.stage.lifecycle
    assert panel.done == []
    marked = [panel.advance, panel.settle, panel.console.button, *switch(panel, "Links", "HUB - NORTH").buttons]
    assert all("mqlab-call" in each._dom_classes for each in marked), "the page knows whose tooltip is their call"
    assert "mqlab-call" not in panel.console.earlier._dom_classes
    panel.first()
    panel.step()
    assert panel.stage.position == 1
    panel.back()
    assert panel.stage.position == 0
    panel.next_interesting()
    assert panel.stage.row.sort
    there = panel.stage.position
    panel.seek("10:00:10")
    assert panel.stage.position > there
    panel.speed = 4
    assert panel.stage.speed == 4
    panel.last()
    assert not panel.in_the_past


def test_cutting_the_link_by_its_switch_is_the_call_shown(panel, told):
    row = switch(panel, "Links", "HUB - NORTH")
    call = button(row, "cut").tooltip
    button(row, "cut").click()
    assert not told.network.path("NORTH", "HUB").up
    assert (panel.done, panel.said.text) == ([call], call)
    assert "cut" in row.label.value
    button(row, "restore").click()
    assert told.network.path("NORTH", "HUB").up


def test_every_switch_does_what_its_tooltip_says(told):
    rows = told.panel().faults.rows
    places = [(kind, name, place) for (kind, name), row in rows.items() for place in range(len(row.buttons))]
    for kind, name, place in some(places, 8):
        mine, other = Lab(), Lab()
        for lab in (mine, other):
            lab.play(story)
        button = switch(mine.panel(), kind, name).buttons[place]
        call = button.tooltip
        button.click()
        made(call, other)
        assert list(mine.events) == list(other.events), call


def test_a_switch_that_mqsc_refuses_says_so_and_a_stopped_queue_manager_answers_by_a_card(panel):
    button(switch(panel, "Queue managers", "NORTH"), "stop").click()
    assert panel.news.value == ""
    button(switch(panel, "Channels", "NORTH.HUB of NORTH"), "start").click()
    says(panel.news.value, 'role="alert"', "2059")
    panel.console.run("DISPLAY QMGR")
    shown = panel.news.value + panel.console.reply.value
    assert "2059" in shown or "not available" in shown.lower()


def test_a_switch_follows_what_mqsc_did_and_new_objects_get_theirs(panel, told):
    panel.console.qmgr.value = "NORTH"
    panel.console.run("STOP CHANNEL(NORTH.HUB)")
    told["NORTH"].lab.run(1)
    panel.refresh()
    assert "STOPPED" in switch(panel, "Channels", "NORTH.HUB of NORTH").label.value
    told.cut("NORTH", "HUB")
    panel.refresh()
    assert switch(panel, "Links", "HUB - NORTH").buttons[0].description == "restore"
    told.queue_manager("SOUTH").mqsc("DEFINE QLOCAL(FAR)")
    told.link("SOUTH", "HUB")
    panel.refresh()
    says(panel.faults.rows, ("Queue managers", "SOUTH"), ("Links", "HUB - SOUTH"))
    assert ("FAR of SOUTH", ("SOUTH", "FAR")) in panel.faults.queue.options
    assert ("SOUTH", "SOUTH") in panel.console.qmgr.options


def test_queues_are_inhibited_and_allowed_again(panel, told):
    panel.faults.queue.value = ("HUB", "ORDERS.IN")
    assert panel.faults.puts.tooltip == "lab['HUB'].mqsc('ALTER QLOCAL(ORDERS.IN) PUT(DISABLED)')"
    panel.faults.puts.click()
    panel.faults.gets.click()
    attributes = told.state().queue("HUB", "ORDERS.IN").attributes
    assert (attributes["PUT"], attributes["GET"]) == ("DISABLED", "DISABLED")
    assert [panel.faults.puts.description, panel.faults.gets.description] == ["allow puts", "allow gets"]
    panel.faults.puts.click()
    assert told.state().queue("HUB", "ORDERS.IN").attributes["PUT"] == "ENABLED"


def test_an_empty_lab_has_a_panel_and_names_are_data_and_taken_by_mqsc(lab):
    panel = lab.panel()
    panel.console.run("DISPLAY QMGR")
    assert "Type a command" in panel.console.reply.value
    lab.queue_manager("QM%1").mqsc("DEFINE QLOCAL('A.<B>')\nDEFINE QLOCAL('orders.in')")
    panel.refresh()
    panel.console.run("DEFINE QLOCAL(A)")
    assert "A" in lab["QM%1"].targets
    assert "<B>" not in panel.diary.value + "".join(row.label.value for row in panel.faults.rows.values())
    for _, call in queue_switches("QM%1", "orders.in", lab.state()):
        assert call(lab).ok
    assert Lab().panel(interactive=False).words


def test_a_z_os_member_can_fail_and_a_coupling_facility_too():
    lab = Lab()
    group = lab.queue_sharing_group("QSG1", ["QMA", "QMB"])
    lab["QMA"].mqsc(
        "DEFINE CFSTRUCT(APP1) CFLEVEL(4) RECOVER(YES)\nDEFINE QLOCAL(SHARED) QSGDISP(SHARED) CFSTRUCT(APP1)"
    )
    lab["QMA"].put("SHARED", b"x", persistent=True)
    panel = lab.panel()
    button(switch(panel, "Coupling facilities", "of QSG1"), "fail").click()
    assert group.structures["APP1"].failed
    assert "APP1 failed" in switch(panel, "Coupling facilities", "of QSG1").label.value
    button(switch(panel, "Coupling facilities", "of QSG1"), "recover").click()
    assert not group.structures["APP1"].failed
    button(switch(panel, "Queue managers", "QMB"), "fail").click()
    assert not lab["QMB"].running
    assert panel.done[-1] == "lab['QMB'].fail()"
    assert [each.description for each in switch(panel, "Queue managers", "QMB").children[1:]] == ["start"]


def test_the_switches_in_the_past_stand_as_they_stood_then(panel, told):
    told.cut("NORTH", "HUB")
    now, then = (
        {(s.kind, s.name): s.state for s in switches(told, told.state(**at))} for at in ({}, {"at": 10_000_000})
    )
    assert now["Links", "HUB - NORTH"] == "cut"
    assert (then["Links", "HUB - NORTH"], then["Channels", "NORTH.HUB of NORTH"]) == ("up", "RUNNING")
    panel.refresh()
    row = switch(panel, "Links", "HUB - NORTH")
    assert button(row, "restore")
    panel.seek("10:00:15")
    assert row.buttons[0].description == "cut"
    panel.last()
    assert row.buttons[0].description == "restore"


def test_the_console_answers_in_the_shape_of_runmqsc_and_remembers(panel, told):
    panel.console.qmgr.value = "HUB"
    panel.console.prompt.value = "DISPLAY QLOCAL(ORDERS.IN) CURDEPTH"
    assert panel.console.button.tooltip == "lab['HUB'].mqsc('DISPLAY QLOCAL(ORDERS.IN) CURDEPTH')"
    panel.console.button.click()
    assert f"<td><code>{told['HUB'].depth('ORDERS.IN')}</code></td>" in panel.console.reply.value
    assert told["HUB"].mqsc(panel.console.prompt.value)._repr_mimebundle_()["text/html"] in panel.console.reply.value
    panel.console.run("DEFINE QLOCAL(NEW)")
    assert "NEW" in told["HUB"].targets
    assert panel.console.prompt.history == ["DISPLAY QLOCAL(ORDERS.IN) CURDEPTH", "DEFINE QLOCAL(NEW)"]
    panel.console.earlier.click()
    panel.console.earlier.click()
    assert panel.console.prompt.value == "DISPLAY QLOCAL(ORDERS.IN) CURDEPTH"


def test_the_prompt_runs_what_was_typed_though_its_trait_lags_behind(panel, told):
    panel.console.prompt.value = "DEFINE QLO"  # the trait lags behind what was typed
    panel.console.prompt._handle_custom_msg({"run": "DEFINE QLOCAL(BY.KEY)"}, [])
    assert "BY.KEY" in told["NORTH"].targets
    panel.console.prompt.value = "DEFINE QLO"
    panel.console.prompt._handle_custom_msg({"text": "DEFINE QLOCAL(BY.BUTTON)"}, [])
    panel.console.button.click()
    assert "BY.BUTTON" in told["NORTH"].targets


def test_a_wrong_command_is_answered_and_changes_nothing_and_an_empty_one_asked_for(panel, told):
    before = told["NORTH"].export_mqsc()
    for text in ("DISPLY QLOCAL(*)", "DELETE QLOCAL(NONE)", "DEFINE QLOCAL(", "'", "<script>x</script>"):
        panel.console.run(text)
        assert "✗ refused" in panel.console.reply.value
        assert "<script" not in panel.console.reply.value
        assert (panel.news.value, told["NORTH"].export_mqsc()) == ("", before)
        assert not panel.in_the_past
    panel.console.run("   ")
    assert "Type a command" in panel.console.reply.value
    lab_error("text must be", panel.console.run, 3)


def test_refusals_leave_no_line_and_what_the_panel_changed_is_in_neither_future(panel, told):
    told.cut("NORTH", "HUB")  # behind the panel's back
    button(switch(panel, "Links", "HUB - NORTH"), "cut").click()
    says(panel.news.value, "mqlab-card failed", "cut already")
    assert panel.done == []
    panel.do(Call("restore", ("NORTH", "HUB")))
    assert panel.news.value == ""
    panel.advance.click()
    button(switch(panel, "Links", "HUB - NORTH"), "cut").click()
    comparing = panel.branch(
        "10:00:15", lambda lab: lab["HUB"].mqsc("ALTER QLOCAL(ORDERS.IN) GET(DISABLED)"), "no gets"
    )
    assert "Queue managers and links" not in comparing.futures.frame.sections


def test_time_passes_by_its_buttons_and_what_was_done_can_be_pasted(panel, told):
    before = told.now_us
    panel.seconds.value = 30
    assert panel.advance.tooltip == "lab.advance(30.0)"
    panel.advance.click()
    assert told.now_us == before + 30_000_000
    panel.settle.click()
    assert panel.done == ["lab.advance(30.0)", "lab.run(30.0)"]
    panel.console.run("DEFINE QLOCAL(NEW)\nDEFINE QLOCAL(NEWER)")
    button(switch(panel, "Links", "HUB - NORTH"), "cut").click()
    panel.advance.click()
    shown = html.unescape(re.sub(r"<[^>]*>", "", panel.diary.value))
    assert shown.splitlines() == panel.done
    other = Lab(start="2025-01-06T10:00:00Z")
    other.play(story)
    for line in panel.done:
        made(line, other)
    assert list(other.events) == list(told.events)


def test_in_the_past_a_switch_asks_what_if(panel, told):
    before = list(told.events)
    panel.seek("10:00:15")
    assert panel.in_the_past
    assert panel.what_if.value
    assert panel.what_if.layout.display == ""
    at_us = panel.stage.time_us
    button(switch(panel, "Links", "HUB - NORTH"), "cut").click()
    assert list(told.events) == before, "the lab stays as it is"
    shown = panel.below.children[0]
    assert shown is panel.comparison
    expected = told.compare(
        told.branch(at_us, lambda lab: lab.cut("HUB", "NORTH")), words="the link between HUB and NORTH is cut"
    )
    assert shown.futures.text == expected.text
    assert panel.done == [
        f"lab.compare(lab.branch({at_us}, lambda lab: lab.cut('HUB', 'NORTH')), "
        "words='the link between HUB and NORTH is cut')"
    ]
    assert panel.in_the_past, "the scrubber stays where it is"
    shown.close_button.click()
    assert panel.below.children == ()


def test_the_console_in_the_past_answers_from_the_branch_and_a_display_leaves_the_comparison_as_it_is(panel, told):
    panel.seek("10:00:15")
    panel.console.qmgr.value = "HUB"
    panel.console.run("DISPLAY QLOCAL(ORDERS.IN) CURDEPTH")
    depth = told.state(at=panel.stage.time_us).queue("HUB", "ORDERS.IN").depth
    assert depth != told["HUB"].depth("ORDERS.IN")
    assert f"<td><code>{depth}</code></td>" in panel.console.reply.value
    assert panel.comparison is None, "nothing would be otherwise"
    button(switch(panel, "Links", "HUB - NORTH"), "cut").click()
    before, done = panel.comparison, list(panel.done)
    panel.console.run("DISPLAY QLOCAL(*)")
    assert panel.comparison is before
    assert (panel.below.children, panel.done) == ((before,), done)
    panel.console.run("ALTER QLOCAL(ORDERS.IN) GET(DISABLED)")
    assert panel.comparison is not before
    assert panel.comparison.futures.names[1] == "ALTER QLOCAL(ORDERS.IN) GET(DISABLED) at HUB"


def test_a_refused_what_if_is_a_card_and_without_what_if_a_change_is_made_at_the_end(panel, told):
    panel.seek("10:00:15")
    panel.do(Call("restore", ("NORTH", "HUB")))
    assert "is up" in panel.news.value
    assert panel.done == []
    panel.what_if.value = False
    button(switch(panel, "Links", "HUB - NORTH"), "cut").click()
    assert not told.network.path("NORTH", "HUB").up
    assert not panel.in_the_past
    assert panel.what_if.layout.display == "none"


def test_both_pictures_move_with_one_slider_and_the_score_with_them(panel, told):
    comparing = panel.branch("10:00:15", lambda lab: lab.cut("NORTH", "HUB"), words="the link is cut")
    assert comparing.time_us <= comparing.futures.frame.first_us == 15_000_000
    assert comparing.scores[0] == comparing.scores[1], "it asks where both are still alike"
    assert not comparing.duel.answered
    race = comparing.race
    for time_us in (0, 20_000_000, 40_000_000):
        comparing.seek(time_us)
        assert comparing.time_us <= time_us
        position = comparing.duel.position
        for side, source in enumerate(race.sources):
            step, *later = dict.fromkeys(each[side] for each in race.moments[position:])
            assert source.steps[step].time_us <= comparing.time_us
            assert not later or source.steps[later[0]].time_us > comparing.time_us
    assert tuple(comparing.scores) == comparing.futures.scores
    assert comparing.futures.title == "Two futures from 10:00:15: as it was or the link is cut"


def test_a_lab_without_a_story_says_how_to_have_one(lab, qm):
    qm.put("ORDERS", b"x")
    lab.advance(5)
    qm.put("ORDERS", b"y")
    panel = lab.panel()
    panel.seek("09:00:00")
    assert not panel.what_if.value
    panel.what_if.value = True
    assert "lab.play(story)" in html.unescape(panel.news.value)
    assert not panel.what_if.value
    lab_error("story", panel.branch, 0, print)


def test_a_reader_without_a_kernel_sees_pictures_which_are_shown_first(panel, told, monkeypatch):
    data, _ = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    says(data["text/html"], 'class="mqlab-topology"', "data-from-us=", "<table")
    assert "message" in data["text/plain"]
    shown = []
    monkeypatch.setattr(sys.modules[Panel.__module__], "display", lambda data, **options: shown.append((data, options)))
    panel._ipython_display_()
    assert 'class="mqlab-topology"' in shown[0][0].svg
    assert "application/vnd.jupyter.widget-view+json" in shown[1][0]
    picture = told.panel(interactive=False)
    assert not isinstance(picture, Panel)
    assert set(picture._repr_mimebundle_()) == {"text/plain", "text/html"}
    assert "put message" in picture.svg


@for_each(
    "call, text",
    (Call("run"), "lab.run()"),
    (Call("recover", (), 1), "lab.queue_sharing_groups[1].recover()"),
    (on_qmgr("it's", "mqsc", "a\nb"), "lab[\"it's\"].mqsc('a\\nb')"),
)
def test_a_call_reads_as_python(call, text):
    assert str(call) == text
