"""The story of a recording: few stops, one idea each, and none about what is not drawn."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from views.meetings import MEETINGS

from helpers import for_each, lab_with, reason, says, scenario_lab
from mqlab import estates
from mqlab.lab.scenarios import names
from mqlab.views.player.player_steps import PlayerSteps
from mqlab.views.player.story import FEWEST, LONGEST, PRESSES


def told(lab):
    """The recording of a lab and the words of its stops."""
    recording = PlayerSteps(lab)
    return recording, [stop.said for stop in recording.stops]


@pytest.fixture
def sites():
    """Two sites whose traffic of orders goes from NORTH through HUB to SOUTH."""
    return estates.load("two-sites")


@for_each("name", names())
def test_every_scenario_stops_at_its_shots_alone_and_no_turn_falls_between_two(name):
    lab = scenario_lab(name)
    recording, _ = told(lab)
    assert [(stop.title, stop.said) for stop in recording.stops] == [(shot.title, shot.say) for shot in lab.shots]
    assert [recording.steps[stop.step].kind for stop in recording.stops] == ["shot"] * len(lab.shots)
    assert recording.stops[-1].step == len(recording.steps) - 1
    assert [n for stop in recording.stops for n in stop.members] == list(range(len(recording.steps)))


@for_each("name", names())
def test_without_shots_its_story_is_found_in_few_short_presses_that_each_change_the_picture(name):
    lab = scenario_lab(name)
    lab.shots.clear()
    recording, words = told(lab)
    drawn = {*recording.outline.nodes, *(q.name for q in recording.outline.qmgrs), ""}
    drawn |= {group.name for group in recording.outline.groups}
    drawn |= {structure.id for structure in recording.outline.structures}
    assert len(recording.stops) <= PRESSES
    assert max(map(len, words)) <= LONGEST + 15, "two lines"
    seen = [n for stop in recording.stops for n in stop.members]
    assert len(seen) == len(set(seen)), "each event belongs to one stop at most"
    for stop in recording.stops:
        assert stop.step == max(stop.members)
        assert stop.about in drawn
        assert recording.steps[stop.step].object != "SYSTEM.CHANNEL.SYNCQ"
        assert not re.search(r"None|\.\. | $", stop.said)
    pictures = [recording.facts_at(n) for n in (0, *(stop.step for stop in recording.stops))]
    assert all(one != other for one, other in pairwise(pictures))
    missing = [recording.steps[n].said for n in turns(recording, drawn) if n not in seen]
    assert not missing or len(recording.stops) > FEWEST, "of more than fifteen ideas, some told together"
    numbers = {int(number) for said in words for number in re.findall(r"message (\d+)", said)}
    assert not any(recording.scene.label(number).strip() for number in numbers), "called by its data"


def turns(recording, drawn):
    """The steps at which a story turns: failures, recoveries, changes by an operator, and changes of a channel that is
    drawn: one that carries only the words of repository managers is not."""
    begun = next(n for n, step in enumerate(recording.steps) if step.kind == "put")
    for n, step in list(enumerate(recording.steps))[begun:]:
        said = step.said
        operator = step.kind in ("stop", "recover") or (step.kind in ("start", "alter") and not step.cause >= 0)
        channel = step.sort == "channel" and re.search(r"became (RUNNING|RETRYING|STOPPED)|START CHANNEL", said)
        channel = channel and f"{step.qmgr}/channel:{step.object}" in drawn
        if operator or channel or re.search(r"link .* was (cut|restored)|facility of \w+ failed", said):
            yield n


def test_attempts_of_a_channel_are_one_stop_with_their_number(sites):
    sites.cut("NORTH", "HUB")
    sites["NORTH"].connect("WEBSHOP").put("ORDERS", b"1")
    sites.advance(30)
    recording, words = told(sites)
    [retried] = [stop for stop in recording.stops if "retried" in stop.said]
    assert re.fullmatch(r"NORTH\.HUB at NORTH retried \d+ times in \d+ s and is RETRYING", retried.said)
    times = int(re.search(r"retried (\d+)", retried.said)[1])
    assert sum(recording.steps[n].sort == "channel" for n in retried.members) == times > 1
    assert (retried.about, words.count(retried.said)) == ("NORTH/channel:NORTH.HUB", 1)


def test_a_put_that_a_cut_link_holds_up_is_a_stop(sites):
    shop = sites["NORTH"].connect("WEBSHOP")
    shop.put("ORDERS", b"1")
    sites.advance(5)
    sites.cut("NORTH", "HUB")
    shop.put("ORDERS", b"2")
    recording = PlayerSteps(sites)
    [stop] = [stop for stop in recording.stops if recording.steps[stop.step].sort == "waits"]
    step = recording.steps[stop.step]
    assert (step.kind, step.qmgr, step.object) == ("put", "NORTH", "HUB")
    assert "It waits there" in stop.said


def test_a_channel_that_pauses_at_a_full_queue_again_and_again_is_one_stop(sites):
    sites["SOUTH"].mqsc("ALTER QMGR DEADQ(' ')\nALTER QLOCAL(ORDERS.IN) MAXDEPTH(2)")
    shop = sites["NORTH"].connect("WEBSHOP")
    for _ in range(4):
        shop.put("ORDERS", b"1")
    sites.advance(300)
    recording, words = told(sites)
    flapping = [said for said in words if "changed its state" in said]
    assert len(flapping) == 1
    assert "2053 MQRC_Q_FULL" in flapping[0]
    assert not [said for said in words if "PAUSED" in said or ("2053" in said and said not in flapping)]
    assert len(recording.stops) <= PRESSES


def test_a_coupling_facility_that_fails_is_told_as_that():
    lab = scenario_lab("facility-failure")
    lab.shots.clear()
    recording, words = told(lab)
    [n] = [n for n, said in enumerate(words) if "and with it the structures PAY and ASK" in said]
    assert words[n].startswith("the coupling facility of BANK failed")
    facts = recording.facts_at(recording.stops[n].step)
    failed = [id for id, fact in facts.items() if id.startswith("BANK/structure:") and fact == "FAILED"]
    assert failed == ["BANK/structure:ASK", "BANK/structure:PAY"], "the picture shows it at the stop that says it"


def test_a_get_in_vain_and_the_messages_that_it_discards_are_one_stop(qm, lab):
    for _ in range(3):
        qm.put("ORDERS", b"x", expiry=10)
    lab.advance(5)
    assert reason(qm.connect("APP").get, "ORDERS") == 2033
    _, words = told(lab)
    assert words[-1].endswith("2033 MQRC_NO_MSG_AVAILABLE. The call discarded 3 expired messages")
    assert "(and 2 messages before it)" in words[-2]


def test_refusals_by_one_record_are_told_by_their_users_unless_their_sentences_are_equal():
    lab, qm = lab_with("""
        DEFINE CHANNEL(SHOP.SVRCONN) CHLTYPE(SVRCONN)
        ALTER QMGR CHLAUTH(ENABLED) CONNAUTH(' ')
        REFRESH SECURITY TYPE(CONNAUTH)
        SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
        SET CHLAUTH(SHOP.SVRCONN) TYPE(USERMAP) CLNTUSER('mqm') USERSRC(NOACCESS)
        """)
    lab.advance(1)
    for user in ("tom", "mqm", "shop"):
        assert reason(qm.connect, "APP", user=user, channel="SHOP.SVRCONN") == 2035
        lab.advance(1)
    one, two = told(lab)[1]
    says(one, "CHLAUTH(SHOP.SVRCONN) TYPE(USERMAP) blocks user mqm")
    assert two == "2 refusals of APP at SHOP.SVRCONN in 2 s: tom, shop"
    assert reason(qm.connect, "BILLING", user="tom", channel="SHOP.SVRCONN") == 2035
    assert reason(qm.connect, "BILLING", user="tom", channel="SHOP.SVRCONN") == 2035
    assert told(lab)[1][-1].endswith("blocks user tom from 127.0.0.1 (2 times)")


def test_messages_of_several_programs_are_not_told_as_those_of_one(qm, lab):
    qm.mqsc("ALTER QLOCAL(SMALL) MAXDEPTH(1)")
    lab.advance(1)
    for name in ("SHOP", "TILL", "SHOP"):
        qm.connect(name).put("SMALL", b"x")
        lab.advance(1)
        qm.get("SMALL")
    assert not [words for words in told(lab)[1] if "SHOP put" in words and "2 messages before" in words]


def test_a_publication_is_one_press_with_all_its_copies():
    pairs = [f"DEFINE QLOCAL(Q{n})\nDEFINE SUB(S{n}) TOPICOBJ(PRICES) DEST(Q{n})" for n in range(50)]
    lab, qm = lab_with("\n".join(["DEFINE TOPIC(PRICES) TOPICSTR('prices')", *pairs]))
    lab.advance(1)
    with qm.connect("NEWS").open_topic("prices") as topic:
        topic.put(b"tea 3.20")
    recording, words = told(lab)
    assert words == ["NEWS published message 'tea 3.20' to PRICES: 50 subscriptions got a copy"]
    [stop] = recording.stops
    assert sum(recording.steps[n].kind == "put" for n in stop.members) == 50
    assert len(recording.steps) < 60, "no step tells of a definition of the set-up"


def test_publications_of_one_moment_are_told_one_by_one_and_many_together():
    lab, qm = lab_with("DEFINE TOPIC(P) TOPICSTR('p')\nDEFINE QLOCAL(Q)\nDEFINE SUB(S) TOPICSTR('p/tea') DEST(Q)")
    lab.advance(1)
    news, shop = qm.connect("NEWS"), qm.connect("SHOP")
    for program, topic in ((news, "p"), (shop, "p"), (news, "p/tea")):
        program.publish(topic, b"3")
    one_by_one = ["NEWS published to P: 0 subscriptions got a copy", "SHOP published to P: 0 subscriptions got a copy"]
    assert told(lab)[1] == [*one_by_one, "NEWS published message '3' to P: 1 subscription got a copy"]
    for _ in range(PRESSES):
        lab.advance(1)
        news.publish("p", b"4")
    assert told(lab)[1][2:] == [f"{PRESSES + 1} times in {PRESSES} s, the last time: {one_by_one[0]}"]


def test_a_loop_is_one_press_that_goes_through_it():
    lab = scenario_lab("poison")
    lab.shots.clear()
    recording, words = told(lab)
    [n] = [n for n, said in enumerate(words) if said.startswith("a loop")]
    assert words[n] == "a loop: PACKER backs out message '? x ???', and ORDERS triggers again, 5 times in 4 s"
    kinds = Counter(recording.steps[at].kind for at in recording.stops[n].members)
    assert (kinds["backout"], kinds["restore"]) == (5, 5)
    assert kinds["trigger"] >= 5


def test_the_descriptor_of_a_message_goes_with_its_steps(sites):
    sites["NORTH"].connect("WEBSHOP").put("ORDERS", b"1", expiry=600, priority=3)
    sites.advance(5)
    recording = PlayerSteps(sites)
    number = next(step.message for step in recording.steps if step.object == "HUB" and step.kind == "put")
    journey = [step for step in recording.steps if step.message == number]
    assert [step.mqmd[4] for step in journey if step.kind == "put"] == ["ORDERS.IN@SOUTH", "ORDERS.IN@SOUTH", None]
    assert [step.mqmd[4] for step in journey if step.kind == "get"] == ["ORDERS.IN@SOUTH", "ORDERS.IN@SOUTH"]
    assert {step.mqmd[0] for step in journey} == {3}
    left = [step.mqmd[1] for step in journey]
    assert (left, left[0]) == (sorted(left, reverse=True), 600)


def test_like_presses_are_one_where_there_would_be_too_many_and_the_end_is_told():
    recording, words = told(MEETINGS["hub-and-spoke"]())
    assert len(recording.stops) < PRESSES
    assert words[0].startswith("TILL at WIEN put message 'price of a rose?'")
    assert "TILL put 4 messages in 9 s" in words
    cut = next(n for n, said in enumerate(words) if "was cut" in said)
    assert "It waits there" in words[cut + 1]
    assert words[cut + 2 :] == [
        "2 channels became RETRYING: ROME.HUB, HUB.ROME",
        "the link HUB - ROME was restored",
        "2 channels became RUNNING: ROME.HUB, HUB.ROME",
        "ROME.HUB at HUB put message 'price of a lily?' on PRICES",
    ]


def test_each_publication_is_a_press_also_in_the_first_moment():
    assert told(MEETINGS["fifty-subscribers"]())[1] == [
        f"NEWS published message '{price}' to price/rose: 50 subscriptions got a copy"
        for price in ("9.90", "8.90", "7.90")
    ]


def test_a_change_of_a_cluster_is_a_press_and_so_is_what_follows_from_it():
    words = told(MEETINGS["cluster-of-four"]())[1][-3:]
    assert words[0].endswith("ORDERS@HOST, ORDERS@REPO2")
    assert words[1] == "SHOP learned of a change of queue manager HOST in cluster SALES: it is suspended"
    assert "'order 7' for ORDERS@REPO2" in words[2]


def test_a_queue_that_is_more_than_half_as_deep_when_a_program_begins_grows_in_two_presses():
    lab, qmgr = lab_with("DEFINE QLOCAL(ORDERS)")
    for program, many in (("WEBSHOP", 9), ("SHOP", 8)):
        with qmgr.connect(program).open("ORDERS", output=True) as orders:
            for number in range(many):
                orders.put(f"{program} {number}")
                lab.advance(1)
    recording, words = told(lab)
    assert [recording.facts_at(stop.step)["QM1/ORDERS"][0] for stop in recording.stops] == [1, 5, 9, 10, 17], words


def test_a_queue_that_grows_is_seen_with_its_first_message_half_full_and_full():
    recording, words = told(MEETINGS["slow-consumer"]())
    depths = [recording.facts_at(stop.step)["SHOP/ORDERS"][0] for stop in recording.stops[:3]]
    assert depths[0] == 1
    assert depths[2] - 1 <= 2 * depths[1] <= depths[2] + 1
    assert words[0] == "WEBSHOP put message '1 of 60' on ORDERS"
