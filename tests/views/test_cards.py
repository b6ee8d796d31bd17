"""Cards: what a failure tells, as text and as HTML."""

from html.parser import HTMLParser

import pytest

from mqlab import MQError
from mqlab.constants import REASONS
from mqlab.views.cards import card, display_command, error_card, explain_card

EVIL = "<script>alert(1)</script>"


class Tags(HTMLParser):
    """The tags and attributes of a piece of HTML, and its words."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.words, self.open = set(), set(), [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.words.append(data)


def refused(call, *arguments, **options):
    with pytest.raises(MQError) as caught:
        call(*arguments, **options)
    return caught.value


def test_a_2033_on_a_queue_whose_depth_is_not_0_explains_itself(lab, qm):
    for _ in range(3):
        qm.put("ORDERS", b"x", expiry=10)
    lab.advance(3)
    text, html = error_card(refused(qm.get, "ORDERS", correl_id=b"1" * 24))
    for shown in (text, "".join(Tags(html).words)):
        assert "2033" in shown
        assert "MQRC_NO_MSG_AVAILABLE" in shown
        assert "CURDEPTH was 3, but of these 3 have lapsed." in shown
        assert "DISPLAY QLOCAL(ORDERS) CURDEPTH GET MSGDLVSQ" in shown
        assert "EXP-08" in shown
    assert 'class="mqlab-strip"' in html, "the messages themselves"
    assert html.count('class="lapsed"') == 3
    assert "<details>" not in html


def test_facts_that_are_not_the_reason_are_folded_away(lab, qm):
    html = error_card(refused(qm.put, "ORDERS", b"x", expiry=0))[1]
    assert "<details>" in html
    assert "2013" in html


def test_a_hostile_name_is_shown_as_text(lab, qm):
    text, html = error_card(refused(qm.get, EVIL))
    parsed = Tags(html)
    assert "script" not in parsed.tags
    assert EVIL in "".join(parsed.words)
    assert EVIL in text


def test_no_attribute_of_a_card_can_run_anything(qm):
    error = refused(qm.get, "NOPE")
    error.hint, error.said = '"><img src=x onerror=alert(1)>', EVIL
    parsed = Tags(error_card(error)[1])
    assert not {"img", "script"} & parsed.tags
    assert not [a for a in parsed.attributes if a.startswith("on")]


def test_the_card_is_how_a_notebook_shows_the_error(qm):
    error = refused(qm.get, "ORDERS")
    bundle = error._repr_mimebundle_()
    assert (bundle["text/plain"], bundle["text/html"]) == error_card(error)
    assert "/" not in str(type(error))


@pytest.mark.parametrize("reason", sorted(REASONS)[1:])
@pytest.mark.parametrize("queue", ["ORDERS", ""])
def test_every_reason_has_a_command_to_look_further(reason, queue):
    command = display_command(reason, queue)
    assert command.startswith("DISPLAY ")
    assert "{" not in command
    assert "()" not in command
    _, html = error_card(MQError(reason, queue, "QM1"))
    assert str(reason) in html


def test_the_commands_are_commands(lab, qm):
    for reason in sorted(REASONS)[1:]:
        reply = qm.mqsc(display_command(reason, "ORDERS"))
        wrong = [r for r in reply.replies if r.code in ("AMQ8405E", "AMQ8427E", "AMQ8426E")]
        assert not wrong, f"{display_command(reason, 'ORDERS')}: {reply}"


def test_names_are_quoted_where_mqsc_needs_it():
    assert display_command(2053, "orders's") == "DISPLAY QLOCAL('orders''s') CURDEPTH MAXDEPTH"


def test_a_message_life_as_a_card(lab, qm):
    shop = qm.connect("SHOP")
    shop.caller = "<i>SHOP</i>"  # refused by connect; a log may come from elsewhere
    message = shop.put("ORDERS", b"x", expiry=50)
    lab.advance(1)
    qm.get("ORDERS")
    text, html = explain_card(lab, message)
    assert text == lab.explain(message)
    parsed = Tags(html)
    assert "i" not in parsed.tags
    words = "".join(parsed.words)
    assert "<i>SHOP</i> put message 1 on ORDERS" in words
    assert "EXP-01" in words
    assert "09:00:01" in words


def test_a_card_marks_what_is_worth_a_second_look():
    html = card("Title", {"plain": 1234, "loud!": "yes"}, {"Note": "a < b", "Code": ("X & Y",)}, lead="Lead.")
    assert '<div class="fact notable"><span class="label">loud</span>' in html
    assert "1,234" in html
    assert "a &lt; b" in html
    assert "<code>X &amp; Y</code>" in html
    assert 'role="group"' in html
