"""Clusters as people see them: the picture, the player, charts, and cards."""

import re

import pytest

from clustered import Demo
from html_tree import Tree
from mqlab.views import lab_picture, lifecycle_chart
from mqlab.views.frames.topology import outline
from mqlab.views.player.player_steps import PlayerSteps

pytestmark = pytest.mark.needs("clusters")
TRANSMIT = "SHOP/SYSTEM.CLUSTER.TRANSMIT.QUEUE"


@pytest.fixture
def demo():
    return Demo(queues=dict.fromkeys(("HUB1", "HUB2", "DEPOT"), "ORDERS DEFBIND(NOTFIXED)"))


def words(picture):
    return " ".join(re.findall(r">([^<>]+)</text>", picture.svg))


def sell(demo, count=3, queue="ORDERS"):
    till = demo["SHOP"].connect("TILL")
    return [till.put(queue, f"order {number}", persistent=True) for number in range(count)]


# ---- The picture
def test_a_cluster_is_a_frame_with_its_full_repositories_and_the_instances_of_a_queue_have_one_sign(demo):
    sell(demo)
    demo.settle()
    picture = lab_picture(demo.lab)
    said = words(picture)
    assert "cluster DEMO" in said
    assert said.count("full repository") == 2
    assert said.count("1 of 3 instances") == 3
    assert "3 instances" in said.replace("1 of 3 instances", "")
    assert "in DEMO" not in said, "the frame says it"
    assert "cluster queue: each put goes to one of its instances" in picture.key
    assert "local queue in a cluster: one of the instances" in picture.key
    html = Tree(picture.html).text
    assert "HUB1, full repository of DEMO" in html


def test_a_queue_manager_is_suspended_until_all_members_know_that_it_has_resumed(demo):
    demo.settle()
    for command, seen in (("SUSPEND", True), ("RESUME", False)):
        demo("DEPOT", f"{command} QMGR CLUSTER(DEMO)")
        demo.settle()
        picture = lab_picture(demo.lab)
        assert (" suspended " in words(picture), "DEPOT is suspended in DEMO" in picture.words) == (seen, seen)
        [box] = [box for box in picture.shapes("shapes")["boxes"] if box["name"] == "DEPOT"]
        assert ("suspended" in box["words"]) is seen, "on slides too"
    steps = PlayerSteps(demo.lab)
    assert [fact for _, fact in steps.facts["gate:DEPOT"]] == [(), ("DEMO",), ()]
    assert any("change of queue manager DEPOT in cluster DEMO: it is suspended" in stop.said for stop in steps.stops)
    assert b"repository message" in demo.lab.labels


def test_a_queue_manager_in_two_clusters_has_a_frame_that_names_both():
    demo = Demo(full=("HUB1",), partial=("GATE", "SHOP"))
    demo.lab.queue_manager("SOUTH")
    demo.lab.link("SOUTH", "GATE", latency=0.01)
    demo.join("SOUTH", None, full=True, cluster="OTHER")
    demo.join("GATE", "SOUTH", cluster="OTHER", channel="OTHER.GATE")
    demo.settle()
    boxes = {box["name"]: box["kind"] for box in lab_picture(demo.lab).shapes("shapes")["boxes"]}
    assert {name for name, kind in boxes.items() if kind == "cluster"} == {"DEMO", "OTHER", "DEMO, OTHER"}


def test_at_rest_no_line_is_drawn_but_those_of_channels_that_were_defined(demo):
    plan = outline(demo.lab.topology())
    assert {edge.kind for edge in plan.edges} == {"repositories"}
    assert len(plan.edges) == 4, "one for each CLUSSDR, not one for each pair"
    assert not [queue for queue in plan.queues if queue.name.startswith("SYSTEM.CLUSTER.")]
    assert not [program for program in plan.programs if program.name == "REPOSITORY.MANAGER"]


def test_repository_messages_that_wait_are_seen():
    demo = Demo(partial=("DEPOT",))
    demo.lab.cut("HUB1", "DEPOT")
    demo.lab.cut("HUB2", "DEPOT")
    demo.queue("DEPOT", "ORDERS")
    demo.settle()
    plan = outline(demo.lab.topology())
    waiting = [queue.id for queue in plan.queues if queue.kind == "transmission"]
    assert waiting == ["DEPOT/SYSTEM.CLUSTER.TRANSMIT.QUEUE"]


# ---- The player, and charts
def test_the_player_follows_a_message_to_its_instance(demo):
    sold = sell(demo)
    demo.settle()
    steps = PlayerSteps(demo.lab)
    name = {step.qmgr: step for step in steps.steps if step.kind == "put" and step.object == "ORDERS"}
    for at, step in name.items():
        ways = [each.ways for each in steps.steps if each.message == step.message and each.kind in ("put", "get")]
        assert ways == [
            ("SHOP/app:TILL>SHOP/ORDERS", f"SHOP/ORDERS>{TRANSMIT}"),
            (f"{TRANSMIT}>SHOP/channel:TO.{at}",),
            (f"SHOP/channel:TO.{at}>{at}/channel:TO.{at}", f"{at}/channel:TO.{at}>{at}/ORDERS"),
        ]
    assert len(name) == len(sold)
    told = {step.message for step in steps.steps} - {None}
    first = {row.message: row.program for row in reversed(demo.lab.events.where(kind="put")) if row.message is not None}
    assert not [number for number in told if first[number] == "REPOSITORY.MANAGER"]
    assert not steps.left_out


def test_charts_show_the_messages_of_applications(demo):
    sold = sell(demo)
    demo.settle()
    title = lifecycle_chart(demo.lab).to_dict()["title"]["text"]
    assert str(title).startswith(f"What became of {len(sold)} messages")


# ---- Cards
def test_a_choice_is_a_sieve_that_strikes_what_each_step_leaves_out(demo):
    sell(demo, 1)
    demo("HUB1", "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    demo.settle()
    sell(demo, 1)
    choice = demo["SHOP"].why_this_instance("ORDERS")
    html = choice._repr_mimebundle_()["text/html"]
    assert re.findall(r"<s>✕ ([^<]*)</s>", html)[0] == "PUT(DISABLED)"
    assert html.count('scope="col" class="wrapped"') == 3
    assert f"{choice.chosen} ✓" in html
    quiet = re.findall(r'<th scope="row" class="quiet[^"]*">([^<]*)', html)
    loud = re.findall(r'<th scope="row" class="wrapped[^"]*">([^<]*)', html)
    assert "CLU-37 puts are allowed" in loud
    assert any("CLWLRANK" in row for row in quiet)


def test_a_choice_of_one_instance_says_so():
    demo = Demo(partial=("SHOP",), queues={"HUB1": "ORDERS"})
    sell(demo, 1)
    html = demo["SHOP"].why_this_instance("ORDERS")._repr_mimebundle_()["text/html"]
    assert "It is the only instance." in html
    assert "<s>" not in html


def test_a_message_waits_for_its_channel_and_says_whether_its_binding_holds_it(demo):
    sell(demo)
    demo.settle()
    for at in ("HUB1", "HUB2", "DEPOT"):
        demo.lab.cut("SHOP", at)
    (free,) = sell(demo, 1)
    (bound,) = sell(demo, 1, "ORDERS@DEPOT")
    demo.settle(1)
    told = demo.lab.why_not_delivered(bound)
    text = str(told)
    assert "it is on SYSTEM.CLUSTER.TRANSMIT.QUEUE of SHOP" in text
    assert "its CorrelId names TO.DEPOT, to DEPOT in cluster DEMO" in text
    assert "it is bound to DEPOT: it waits until TO.DEPOT works" in text
    assert "TO.DEPOT is RETRYING" in text
    assert told.missing[-1] == "CLU-51"
    assert 'lab.restore("SHOP", "DEPOT")' in told.moves
    assert "it is bound to no queue manager; a choice now takes" in str(demo.lab.why_not_delivered(free))
    assert "CLU-51" in told._repr_mimebundle_()["text/html"]
    for at in ("HUB1", "HUB2", "DEPOT"):
        demo.lab.restore("SHOP", at)
    demo.settle(120)
    assert {demo.lab.why_not_delivered(one).verdict for one in (free, bound)} == {"delivered"}


def test_only_messages_for_its_own_channel_are_ahead_of_a_message(demo):
    sell(demo)
    demo.settle()
    demo("SHOP", "STOP CHANNEL(TO.DEPOT)\nSTOP CHANNEL(TO.HUB1)")
    sell(demo, 2, "ORDERS@HUB1")
    (waiting,) = sell(demo, 1, "ORDERS@DEPOT")
    told = str(demo.lab.why_not_delivered(waiting))
    assert "messages before it on SYSTEM.CLUSTER.TRANSMIT.QUEUE: 0" in told
    assert "a channel serves the queue: TO.DEPOT" in told
    assert "is triggered" not in told


def test_the_life_of_a_message_has_each_choice_and_the_channel_that_it_waited_for(demo):
    sell(demo)
    demo.settle()
    with demo["SHOP"].connect("BOT").open("ORDERS", output=True) as handle:
        late = [handle.put(f"late {number}", persistent=True) for number in range(3)]
        demo.lab.cut("SHOP", "DEPOT")
        demo.settle(1)
    again = [row.message for row in demo.lab.events.where(kind="put", rule="CLU-50")]
    assert len(again) == 1
    assert again[0] in [message.number for message in late]
    life = demo.lab.explain(again[0])
    assert "for ORDERS@DEPOT on transmission queue" in life
    assert "REPOSITORY.MANAGER at SHOP put message" in life
    assert re.search(r"on ORDERS of HUB[12] now", life)


def test_refused_names_have_a_next_step(demo):
    from mqlab import MQError

    sell(demo, 1)
    for at in ("HUB1", "HUB2", "DEPOT"):
        demo(at, "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    demo.settle()
    with pytest.raises(MQError) as refused:
        sell(demo, 1)
    assert "DISPLAY QCLUSTER(ORDERS) CLUSQMGR PUT" in refused.value._repr_mimebundle_()["text/plain"]
    with pytest.raises(MQError) as refused:
        demo["SHOP"].get("ORDERS")
    assert "DISPLAY QCLUSTER(ORDERS) CLUSQMGR" in refused.value._repr_mimebundle_()["text/plain"]
