"""Cards: what a failure tells, as text and as HTML."""

import contextlib
import re

import pytest

from helpers import for_each, made, mq_error, refusal, says
from html_tree import Tree
from mqlab import RULES, LabError, MQError, NotSimulated, ProgramDied, RunawayTrigger
from mqlab.course.channels import shop_and_depot
from mqlab.engine.commands import parse
from mqlab.engine.queues.triggering import Reasons
from mqlab.engine.words.constants import REASONS
from mqlab.engine.words.refusals import Grounds
from mqlab.views.cards.cards import Marked, card, display_command, error_card, explain_card, message_strip, reasons_card

EVIL = "<script>alert(1)</script>"


def test_a_2033_on_a_queue_whose_depth_is_not_0_explains_itself_also_in_a_notebook(lab, qm):
    for _ in range(3):
        qm.put("ORDERS", b"x", expiry=10)
    lab.advance(3)
    error = mq_error(qm.get, "ORDERS", correl_id=b"1" * 24)
    text, html = error_card(error)
    assert error._repr_mimebundle_() == {"text/plain": text, "text/html": html}
    assert "/" not in str(type(error))
    for shown in (text, Tree(html).text):
        assert "2033" in shown
        assert "MQRC_NO_MSG_AVAILABLE" in shown
        assert "Before the call CURDEPTH was 3 (3 expired); after it, CURDEPTH was 3." in shown
        assert "DISPLAY QUEUE(ORDERS) CURDEPTH GET MSGDLVSQ TARGET" in shown
        assert "EXP-08" in shown
    assert 'class="mqlab-strip"' in html, "the messages themselves"
    assert html.count('class="expired"') == 3
    shown, attributes = html.split("<details>")
    assert "MAXMSGL" not in shown
    assert ">4194304<" in attributes, "as MQ shows it"


def test_a_message_that_expired_under_a_lock_is_discarded_by_the_get_of_it(lab, qm):
    qm.put("ORDERS", b"x", expiry=10)
    with qm.open("ORDERS", input="shared", browse=True) as handle:
        handle.browse_first(lock=True)
        lab.advance(2)
        text, _ = error_card(mq_error(handle.get_under_cursor))
    says(text, "CURDEPTH before 1, after 0", "Message 1: expired; this call discarded it")
    assert qm.depth("ORDERS") == 0


def test_a_get_that_waited_says_what_it_found_at_the_end_of_its_wait(lab, qm):
    assert "the queue is empty" in str(mq_error(qm.get, "ORDERS", correl_id=b"mine"))

    def late(app, inhibit=False):
        lab.advance(2)
        app.put("ORDERS", b"for someone else")
        if inhibit:
            qm.mqsc("ALTER QLOCAL(ORDERS) GET(DISABLED)")

    qm.run_program("LATE", late)
    text, html = error_card(mq_error(qm.get, "ORDERS", correl_id=b"mine", wait=5))
    for shown in (text, Tree(html).text):
        assert "At the end of its wait CURDEPTH was 1; after it, CURDEPTH was 1." in shown
        assert "before" not in shown.lower().split("rule")[0]
    text, html = error_card(mq_error(qm.get, "ORDERS", buffer_length=1))
    assert "{" not in text + Tree(html).text, "a warning shows no state of messages"
    qm.run_program("LATER", late, True)
    error = mq_error(qm.get, "ORDERS", correl_id=b"mine", wait=5)
    assert error.reason == 2016
    assert "CURDEPTH at the end of the wait 2, after 2" in error_card(error)[0]


def test_a_failed_get_shows_what_it_found_and_what_it_left_a_row_for_each_message(lab, qm):
    qm.put("ORDERS", b"wedding cake")
    qm.put("ORDERS", b"croissant", expiry=10)
    qm.connect("TILL").unit_of_work().put("ORDERS", b"to be decided")
    with qm.open("ORDERS", browse=True) as clerk:
        clerk.browse_first(lock=True)
        lab.advance(3)
        error = mq_error(qm.get, "ORDERS")
    qm.put("ORDERS", b"one that came later")
    text, html = error_card(error)
    words = [" ".join(said.split()) for said in (text, Tree(html).text)]
    for shown in words:
        assert (
            "Before the call CURDEPTH was 3 (1 expired, 1 not committed, 1 locked); after it, CURDEPTH was 2." in shown
        )
        assert "CURDEPTH before 3, after 2" in shown
    assert html.count('role="listitem"') == 3
    for row in ("1: locked by a browse", "2: expired; this call discarded it", "3: put but not committed"):
        assert f"Message {row}" in words[0]
    assert [html.count(f'class="{kind}"') for kind in ("live", "uncommitted", "expired")] == [1, 1, 1]


def test_a_hostile_name_or_text_is_shown_as_text_and_no_attribute_of_a_card_can_run_anything(qm):
    text, html = error_card(mq_error(qm.get, EVIL))
    parsed = Tree(html)
    assert "script" not in parsed.tags
    assert EVIL in parsed.text
    assert EVIL in text
    error = mq_error(qm.get, "NOPE")
    image = '"><img src=x onerror=alert(1)>'
    error.grounds = Grounds(2085, "no-duplicate", {"stream": EVIL, "problem": EVIL, "remedy": image, "queue": image})
    assert EVIL in error.said
    assert image in error.hint
    parsed = Tree(error_card(error)[1])
    assert not {"img", "script"} & set(parsed.tags)
    assert not [name for name, _ in parsed.attributes if name.startswith("on")]
    html = LabError(f"{EVIL} (EXP-01) ALTER QLOCAL({EVIL}) NOTRIGGER")._repr_mimebundle_()["text/html"]
    assert "script" not in Tree(html).tags
    html = error_card(mq_error(qm.put, "ORDERS", b"x", expiry=0))[1]
    assert "<details>" in html, "facts that are not the reason are folded away"
    assert "2013" in html


@for_each("queue", ["ORDERS", "FRONT", ""])
def test_every_reason_has_a_command_to_look_further_which_works_for_a_queue_and_for_an_alias(queue):
    qm = made("DEFINE QLOCAL(ORDERS)\nDEFINE QALIAS(FRONT) TARGET(ORDERS)")  # of a level that has topics
    for reason in sorted(REASONS)[1:]:
        command = display_command(reason, queue)
        assert command.startswith("DISPLAY ")
        assert "{" not in command
        assert "()" not in command
        assert str(reason) in error_card(MQError(reason, queue, "QM1"))[1]
        if reason not in (2082, 2189, 2268, 2270):  # the last three show what is in clusters
            (reply,) = qm.mqsc(command).replies
            assert reply.ok, (command, reply.text)
            assert reply.rows or not queue


def test_a_lost_alias_is_shown_with_its_target_a_name_is_quoted_and_a_stopped_queue_manager_is_not_asked(qm):
    qm.mqsc("DEFINE QALIAS(LOST) TARGET(NOT.THERE)")
    error = mq_error(qm.get, "LOST")
    assert qm.mqsc(display_command(error.reason, error.object)).rows == [
        {"QUEUE": "LOST", "TYPE": "QALIAS", "TARGET": "NOT.THERE"}
    ]
    assert display_command(2053, "orders") == "DISPLAY QUEUE('orders') CURDEPTH MAXDEPTH TARGET"
    qm.stop()
    text, html = error_card(mq_error(qm.put, "ORDERS", b"x"))
    assert "Look" not in text + html
    assert 'Try:  lab["QM1"].start()' in text


from engine.queues import test_wrong_calls as wrong_calls  # noqa: E402

world = wrong_calls.world
REFUSED = [call for call, wanted, _ in wrong_calls.WRONG if isinstance(wanted, int)]


def suggestions(text):
    """The complete MQSC commands of a card: what Look says, and what Try says if it is a command."""
    for label, said in re.findall(r"^(Look|Try): +(.*)$", text, re.MULTILINE):
        for part in said.split(", or "):
            if label == "Look" or (re.match(r"(DISPLAY|ALTER|DEFINE) ", part) and "..." not in part):
                yield label, part


@pytest.mark.parametrize("call", REFUSED, ids=range(len(REFUSED)))
def test_what_a_card_suggests_can_be_typed(world, call):
    error = mq_error(call, world)
    before = world.picture()
    text, html = error_card(error)
    found = list(suggestions(text))
    assert found[0][0] == "Look"
    shown = Tree(html).text
    for label, command in found:
        assert command in shown
        (parsed,) = parse(command)
        assert parsed.refused is None, (command, parsed.refused.said)
        if label == "Look":
            (reply,) = world.qm.mqsc(command).replies
            assert reply.ok or (reply.code == "AMQ8147E" and error.reason in (2085, 2152)), (command, reply.text)
    assert world.picture() == before


def test_a_suggestion_that_is_followed_helps_and_a_lab_error_is_a_card(qm, lab):
    assert qm.mqsc("DEFINE QLOCAL(SHUT) PUT(DISABLED) GET(DISABLED)").ok
    for call, arguments in ((qm.put, ("SHUT", b"x")), (qm.get, ("SHUT",)), (qm.put, ("SMALL", b"x" * 11))):
        error = mq_error(call, *arguments)
        assert qm.mqsc(error.hint.split(", or ")[0]).ok, error.hint
        call(*arguments)
    assert qm.mqsc(mq_error(qm.put, "NEW", b"x").hint).ok
    qm.put("NEW", b"x")
    caught = refusal(LabError, "", lab.advance, -1)
    bundle = caught._repr_mimebundle_()
    assert bundle["text/plain"] == f"LabError: {caught}"
    assert str(caught) in Tree(bundle["text/html"]).text
    caught = refusal(NotSimulated, "", qm.get, "SYSTEM.DEFAULT.MODEL.QUEUE")
    assert caught._repr_mimebundle_()["text/plain"].startswith("NotSimulated: ")


# ---------------------------------------------------------------- what the lab itself raises
def test_a_program_that_died_shows_why_queue_manager_and_all(lab, qm):
    qm.run_program("READER", lambda app: app.get("ORDERS"))
    caught = refusal(ProgramDied, "", lab.advance, 1)
    bundle = caught._repr_mimebundle_()
    for shown in (bundle["text/plain"], Tree(bundle["text/html"]).text):
        assert "program READER on QM1 died at 09:00:00" in shown
        assert "2033 MQRC_NO_MSG_AVAILABLE" in shown
        assert "DISPLAY QUEUE(ORDERS) CURDEPTH GET MSGDLVSQ TARGET" in shown
    qm.run_program("BROKEN", lambda app: 1 / 0)
    caught = refusal(ProgramDied, "", lab.advance, 1)
    assert "division by zero" in caught._repr_mimebundle_()["text/html"]


def test_a_runaway_trigger_names_its_rule_and_the_way_out(qm):
    text = "ORDERS was triggered again and again (TRG-12a). Or ALTER QLOCAL(ORDERS) NOTRIGGER"
    bundle = RunawayTrigger(text, ("QLOCAL(ORDERS)", "NOTRIGGER"))._repr_mimebundle_()
    assert bundle["text/plain"].splitlines()[1:] == [
        f"Rule TRG-12a: {RULES['TRG-12a'].title}. {RULES['TRG-12a'].text}",
        "Look: DISPLAY QLOCAL(ORDERS) ALL",
        "Try: ALTER QLOCAL(ORDERS) NOTRIGGER",
    ]
    for _, command in suggestions(bundle["text/plain"]):
        assert qm.mqsc(command).ok
        assert command in bundle["text/html"]


# ---------------------------------------------------------------- why something does not happen
STATES = (
    "",
    "ALTER QLOCAL(ORDERS) GET(DISABLED)",
    "ALTER QLOCAL(ORDERS) TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(3) TRIGMPRI(5)",
    "ALTER QLOCAL(ORDERS) TRIGGER TRIGTYPE(NONE) INITQ(REPLIES) PROCESS(NOT.THERE)",
    "ALTER QLOCAL(ORDERS) TRIGGER MSGDLVSQ(FIFO) TRIGMPRI(5)",
    "ALTER QLOCAL(ORDERS) TRIGGER INITQ(FIFO)",
)


@for_each("alter", STATES)
@for_each("busy", [False, True])
def test_reasons_say_what_to_display_next(alter, busy):
    qm = made("DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(FIFO)\nDEFINE QLOCAL(REPLIES)", level=530)
    qm.mqsc(alter)
    if busy:
        qm.open("ORDERS", input="exclusive")
        with contextlib.suppress(MQError):
            qm.put("ORDERS", b"x", unit=qm.unit_of_work())
    for reasons in (qm.why_not_triggered("ORDERS"), qm.why_no_message("ORDERS", correl_id=b"1" * 24)):
        bundle = reasons._repr_mimebundle_()
        assert bundle["text/plain"].startswith(str(reasons))
        looks = [command for _, command in suggestions(bundle["text/plain"])]
        assert bool(looks) == bool(reasons.missing)
        for command in looks:
            (reply,) = qm.mqsc(command).replies
            assert reply.ok or reply.code == "AMQ8565I", (command, reply.text)
            assert command in bundle["text/html"]


def test_every_condition_there_is_has_something_to_look_at_unless_it_holds(qm):
    rules = [row[0] for row in (*qm.why_not_triggered("ORDERS").rows, *qm.why_no_message("ORDERS").rows)]
    for rule in (*rules, "TRG-03a", "TRG-11", "TRG-11a", "TRG-14"):
        text, _ = reasons_card(Reasons("ORDERS", ((rule, "title", False, "fact"),)))
        assert "Look: DISPLAY " in text, rule
    qm.put("ORDERS", b"x")
    bundle = qm.why_no_message("ORDERS")._repr_mimebundle_()
    assert bundle["text/plain"] == str(qm.why_no_message("ORDERS"))
    assert "Look" not in bundle["text/html"]


def test_a_message_life_as_a_card(lab, qm):
    shop = qm.connect("SHOP")
    shop.caller = "<i>SHOP</i>"  # refused by connect; a log may come from elsewhere
    message = shop.put("ORDERS", b"x", expiry=50)
    lab.advance(1)
    qm.get("ORDERS")
    text, html = explain_card(lab, message)
    assert text == lab.explain(message)
    parsed = Tree(html)
    assert "i" not in parsed.tags
    words = parsed.text
    says(words, "<i>SHOP</i> put message 1 on ORDERS", "EXP-01", "09:00:01")


def test_the_steps_that_move_a_message_are_counted_and_one_can_be_enough():
    lab, shop, depot = shop_and_depot("SHORTRTY(1) SHORTTMR(1) LONGRTY(0)")
    shop.mqsc("START CHANNEL(SHOP.DEPOT)")
    lab.cut("SHOP", "DEPOT")
    sent = [shop.put("ORDERS", "one"), shop.put("ORDERS", "two")][1]
    lab.advance(60)
    lab.restore("SHOP", "DEPOT")
    stuck = lab.why_not_delivered(sent)
    html = stuck._repr_mimebundle_()["text/html"]
    assert [step in html for step in ("Step 1 of 3", "Step 3 of 3", "Move it")] == [True, True, False]
    assert "one step can make others unnecessary" in html
    shop.mqsc(stuck.moves[-1].partition(": ")[2])
    lab.advance(10)
    assert depot.depth("ORDERS.IN") == 2
    unit = shop.unit_of_work()
    html = lab.why_not_delivered(shop.put("ORDERS", "three", unit=unit))._repr_mimebundle_()["text/html"]
    assert "Move it" in html
    assert "others unnecessary" not in html


def test_a_card_marks_what_is_worth_a_second_look():
    html = card("Title", {"plain": 1234, "loud": Marked("yes")}, {"Note": "a < b", "Code": ("X & Y",)}, lead="Lead.")
    assert '<div class="fact notable"><span class="label">loud</span>' in html
    assert "1234" in html
    assert "a &lt; b" in html
    assert "<code>X &amp; Y</code>" in html
    assert 'role="group"' in html


@for_each(
    ("amounts", "blocks"),
    ((2, 1, 3, 10), {"live": 2, "uncommitted": 1, "expired": 3, "slot": 4}),
    ((30, 0, 0, 5000), {"live": 30, "uncommitted": 0, "expired": 0, "slot": 0}),
    ((900, 0, 7, 5000), {"live": 1, "uncommitted": 0, "expired": 1, "slot": 0}),
)
def test_a_strip_shows_every_message_and_the_room_for_more_or_every_state(amounts, blocks):
    html = message_strip(*amounts)
    assert {kind: html.count(f'class="{kind}"') for kind in blocks} == blocks
    assert f"{amounts[2]} expired" in html
