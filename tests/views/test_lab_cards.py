"""Faces: what a notebook shows of each thing is honest, can be read and heard, and changes nothing."""

import re
import sys

from views.world import EVIL, everything, queue_of

from helpers import for_each, lab_error, lab_with, made, reason, says
from html_tree import Tree
from mqlab import Lab
from mqlab.views import lab_picture
from mqlab.views.cards import lab_cards, messages, queues
from mqlab.views.cards.tables import Code, Gap, Notable, cut, table

THINGS = everything()


def shown(thing):
    bundle = thing._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    return bundle["text/plain"], Tree(bundle["text/html"])


def html_of(thing):
    return thing._repr_mimebundle_()["text/html"]


# ---------------------------------------------------------------- every face
every = for_each("name", sorted(THINGS))


@every
def test_a_face_has_words_balanced_html_and_nothing_that_runs_loads_or_clashes(name):
    text, tree = shown(THINGS[name])
    assert text.strip()
    assert tree.text.strip()
    assert "object at 0x" not in text + tree.text
    assert not {"script", "img", "iframe", "link", "object", "i", "b"} & set(tree.tags)
    assert not [key for key, _ in tree.attributes if key.startswith("on") or key in ("href", "src", "xlink:href", "id")]
    assert not any("url(" in (value or "") for _, value in tree.attributes)


@every
def test_every_table_has_a_caption_header_cells_and_a_box_that_the_keyboard_reaches(name):
    html = html_of(THINGS[name])
    tree = Tree(html)
    tables, captions, heads = tree.of("table"), tree.of("caption"), tree.of("th")
    assert len(tables) == len(captions)
    assert all(words.strip() for _, words in (*captions, *tables))
    assert {attributes.get("scope") for attributes, _ in heads} == ({"col", "row"} if tables else set())
    assert all(words.strip() for attributes, words in heads if attributes["scope"] == "col")
    boxes = [a for a, _ in tree.of("div") if a.get("class") == "mqlab-table"]
    assert len(boxes) == len(tables)
    assert all(a["tabindex"] == "0" and a["role"] == "group" and a["aria-label"].strip() for a in boxes)
    assert "overflow-x:auto" in html or not boxes
    for attributes, _ in tree.of("svg"):
        assert attributes["role"] == "img"
        assert attributes["aria-label"].strip()


@every
def test_the_same_thing_gives_the_same_bytes_and_less_where_less_is_asked_for(name):
    thing = THINGS[name]
    whole = thing._repr_mimebundle_()
    assert thing._repr_mimebundle_(include={"text/html"}) == {"text/html": whole["text/html"]}
    assert thing._repr_mimebundle_(exclude={"text/html"}) == {"text/plain": whole["text/plain"]}
    assert thing._repr_mimebundle_(include=[], exclude=[]) == whole
    assert thing._repr_mimebundle_(include={"image/png"}) == {}


def test_what_is_hostile_is_shown_as_text_and_tables_escape_their_cells():
    for name in ("queue", "message", "shot", "refusal", "lab error", "runaway", "mqe message", "shared queue"):
        text = Tree(html_of(THINGS[name])).text
        assert "<script>" in text or EVIL[:20] in text, name
    outside = re.sub(r"<style>.*?</style>", "", "".join(map(html_of, THINGS.values())))
    assert not re.search(r"#[0-9a-fA-F]{6}\b", outside)
    html = table(
        "Things <b>", ("Name", "Count", "Flag", "None"), [("a", 1234, True, None), Gap("… 3 rows"), ("b", 0, False, "")]
    )
    tree = Tree(html)
    assert [words for _, words in tree.of("td")] == ["1234", "yes", "", "… 3 rows", "0", "no", ""]
    assert tree.of("caption")[0][1] == "Things <b>"
    assert 'colspan="4"' in html
    tree = Tree(table("t", ("<u>",), [(Code(EVIL),), (Notable(EVIL),), (EVIL,)]))
    assert [words for attributes, words in tree.of("th") if attributes["scope"] == "row"] == [EVIL] * 3


def test_showing_changes_no_lab():
    labs = {id(lab): lab for lab in THINGS.values() if isinstance(lab, Lab)}.values()

    def picture():
        managers = [each for lab in labs for each in (*lab.queue_managers, *lab.everyplace_queue_managers)]
        depths = [(manager.name, str(queue), queue.depth) for manager in managers for queue in manager.queues]
        return [(len(lab.events), lab.now_us) for lab in labs], depths

    before = picture()
    for thing in THINGS.values():
        thing._repr_mimebundle_()
    assert picture() == before
    assert queue_of(THINGS["qmgr"], "ORDERS").depth == 6, "with expired ones that a look must leave"


def test_what_follows_is_the_same_whether_somebody_looked_or_not():
    def play(look):
        lab, qm = lab_with("DEFINE QLOCAL(Q)", level=530)
        for i in range(5):
            qm.put("Q", b"x", expiry=10 if i % 2 else -1)
            lab.advance(1)
            if look:
                for thing in (lab, qm, queue_of(qm, "Q"), lab.events, lab.state()):
                    thing._repr_mimebundle_()
        for _ in range(3):
            qm.get("Q")
        reason(qm.get, "Q")
        return list(lab.events)

    assert play(True) == play(False)


# ---------------------------------------------------------------- large things are cut
class Counting:
    """A store that counts how many messages were looked at."""

    def __init__(self, store):
        self.store, self.seen = store, 0

    def in_order(self):
        for message in self.store.in_order():
            self.seen += 1
            yield message


def test_of_a_deep_queue_only_the_first_messages_are_looked_at():
    lab = Lab(record=False)
    qm = made("DEFINE QLOCAL(DEEP) MAXDEPTH(9999999)", of=lab)
    for i in range(queues.LOOKED * 3):
        qm.put("DEEP", b"x", expiry=10 if i < 7 else -1)
    queue = queue_of(qm, "DEEP")
    store = queue.store
    queue.store = counting = Counting(store)
    text, tree = shown(queue)
    queue.store = store
    assert counting.seen <= 2 * queues.LOOKED + queues.SHOWN + 2
    assert text.startswith(f"DEEP, a local queue of QM1, holds {queues.LOOKED * 3} of at most 9,999,999 messages")
    assert f"of the first {queues.LOOKED}, none has expired" in text
    assert "available" not in text, "nobody has looked at them all"
    assert f"The first {queues.SHOWN} of {queues.LOOKED * 3} messages" in tree.text
    assert len(tree.of("tr")) == 1 + queues.SHOWN


def test_a_long_log_shows_its_ends_and_counts_its_last_rows(monkeypatch):
    lab, qm = lab_with("DEFINE QLOCAL(Q)")
    for _ in range(100):
        qm.put("Q", b"x")
        qm.get("Q")
    text, tree = shown(lab.events)
    assert "100 get, 100 put, 1 define, 1 start" in text
    assert f"… {202 - lab_cards.FIRST - lab_cards.LAST} rows between" in tree.text
    assert len(tree.of("tr")) == 2 + lab_cards.FIRST + lab_cards.LAST
    monkeypatch.setattr(lab_cards, "COUNTED", 50)
    assert "in the last 50 rows 25 get, 25 put" in shown(lab.events)[0]


def test_an_error_log_is_its_text_and_a_lab_without_a_log_says_so():
    lab = Lab()
    qm = lab.queue_manager("QM1")
    text, tree = shown(qm.error_log())
    assert text == str(qm.error_log())
    says(tree.text, "An error log of 1 message.", "AMQ8003I")
    assert "An error log of 0 messages." in shown(Lab(record=False).queue_manager("QM1").error_log())[0]
    lab = Lab(record=False)
    qm = made("DEFINE QLOCAL(Q) MAXDEPTH(1)", of=lab)
    qm.put("Q", b"x")
    text, tree = shown(lab)
    says(text, "no log (record=False): 3 events so far", "1 message on 1 queue")
    assert tree.of("table")
    assert "not kept" in shown(lab.events)[0]
    assert "1: full" in shown(qm)[1].text
    assert "It is full." in shown(queue_of(qm, "Q"))[0]


def test_a_lab_with_a_long_log_or_many_queues_is_a_table_and_says_how_to_draw_it(monkeypatch):
    assert Tree(html_of(THINGS["lab"])).of("svg")
    monkeypatch.setattr(lab_cards, "DRAWN", 10)
    for name in ("lab", "qmgr", "sharing group", "edge"):
        tree = Tree(html_of(THINGS[name]))
        assert not tree.of("svg")
        assert tree.of("table")
    lab = Lab()
    for name in ("QM1", "QM2"):
        lab.queue_manager(name).mqsc("DEFINE QLOCAL(A)\nDEFINE QALIAS(B) TARGET(A)")
    assert Tree(html_of(lab)).of("svg")
    monkeypatch.setattr(lab_cards, "PARTS", 3)
    text, tree = shown(lab)
    assert "mqlab.views.lab_picture(lab)" in text
    assert not tree.of("svg")
    assert len(tree.of("tr")) == 3
    assert Tree(html_of(lab["QM1"])).of("svg")
    monkeypatch.setattr(lab_cards, "PARTS", 1)
    assert "mqlab.views.lab_picture(lab, qmgr='QM1')" in shown(lab["QM1"])[0]


def test_of_many_commands_none_that_was_refused_is_left_out_and_of_many_objects_the_first_are_shown(qm):
    many = [f"DEFINE QLOCAL(Q{i})" for i in range(250)]
    many[70] = "DEFINE QLOCAL(ORDERS)"
    reply = qm.mqsc("\n".join(many[:100]))
    text, tree = shown(reply)
    assert text == str(reply)
    says(tree.text, "71 : DEFINE QLOCAL(ORDERS)", "… 39 commands that were done, not shown here")
    assert tree.text.count(" : DEFINE QLOCAL(") == 61
    qm.mqsc("\n".join([*many[100:], "DEFINE QLOCAL(Q)"]))
    tree = Tree(html_of(qm.mqsc("DISPLAY QLOCAL(Q*) MAXDEPTH")))
    assert "… 50 rows more, not shown" in tree.text
    assert len(tree.of("tr")) == 202


# ---------------------------------------------------------------- what they say
def test_an_empty_lab_says_how_to_begin_and_a_lifetime_is_told_in_words(lab, qm):
    for words in (shown(Lab())[0], shown(Lab())[1].text):
        assert 'qm = lab.queue_manager("QM1")' in words
    qm.put("ORDERS", b"x", expiry=45)
    lab.advance(2)
    assert "with 2.5 s of its lifetime left then" in shown(qm.browse("ORDERS"))[0]


def test_without_the_engine_of_pictures_a_lab_is_words_and_a_table(monkeypatch):
    lab, qm = lab_with("DEFINE QLOCAL(ORDERS)")
    qm.put("ORDERS", b"x")
    assert shown(lab)[1].of("svg")
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)  # as an import finds it that is not installed
    for thing, name in ((lab, "QM1"), (qm, "ORDERS")):
        text, tree = shown(thing)
        says(text, "1 message on 1 queue", "need mini-racer, which is not installed: pip install 'mqlab[lab]'")
        assert not tree.of("svg")
        assert [words for _, words in tree.of("th") if words == name]
    lab_error("mini-racer, which is not installed", lab_picture, lab)


def test_a_story_is_named_with_what_became_of_it():
    def story(lab):
        lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(Q)")
        lab.shot("Begin")
        lab.advance(5)
        lab["QM1"].put("Q", b"x")

    lab = Lab()
    lab.play(story)
    assert "It runs the story story in 1 shot." in shown(lab)[0]
    other = lab.branch(1_000_000, lambda lab: lab["QM1"].delete("QLOCAL", "Q"))
    assert "changed from 09:00:01. The story ended with an error: 2085" in shown(other)[0]


def test_a_queue_tells_its_messages_apart_and_a_message_shows_its_descriptor():
    text, tree = shown(THINGS["queue"])
    assert (
        "holds 6 of at most 20 messages: 2 available, 2 have expired and still count, 1 is locked by a browse, " in text
    )
    assert "1 is not committed" in text
    assert "TRIGGER TRIGTYPE(EVERY) TRIGMPRI(0) INITQ(INITQ) PROCESS(P) TRIGDATA(<i>)" in tree.text
    assert "BOTHRESH(3) BOQNAME(DLQ)" in tree.text
    states = [words for attributes, words in tree.of("td") if words in ("available", "expired", "locked")]
    assert sorted(states) == ["available"] * 2 + ["expired"] * 2 + ["locked"]
    text, tree = shown(THINGS["message"])
    says(text, "a nonpersistent datagram", "with an unlimited lifetime")
    assert {"MQRO_EXPIRATION_WITH_FULL_DATA", "MQFB_COD", "MQSTR", "DLQ"} <= {words for _, words in tree.of("td")}
    heads = {words for _, words in tree.of("th")}
    assert "BackoutCount" not in heads
    assert {"MsgId", "CorrelId", "Report", "ReplyToQ"} <= heads


def test_a_queue_says_what_is_in_the_way_or_that_its_structure_failed():
    _, qm = lab_with("DEFINE QLOCAL(Q) PUT(DISABLED) GET(DISABLED)")
    queue = queue_of(qm, "Q")
    qm.stop()
    assert "QM1 is stopped. Puts are inhibited. Gets are inhibited." in shown(queue)[0]
    qm.start()
    qm.mqsc("DELETE QLOCAL(Q)")
    assert "It has been deleted." in shown(queue)[0]
    lab = Lab()
    lab.queue_sharing_group("QSG1", ["QMA", "QMB"])
    lab["QMA"].mqsc("DEFINE CFSTRUCT(S) CFLEVEL(4) RECOVER(YES)\nDEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(S)")
    lab["QMA"].put("Q", b"x", persistent=True)
    (group,) = lab.queue_sharing_groups
    assert "1 shared queue with 1 message on 1 queue in 1 structure." in shown(group)[0]
    group.fail_coupling_facility()
    assert "Its structure S has failed." in shown(queue_of(lab["QMB"], "Q"))[0]
    assert "S has failed." in shown(group)[0]


def test_headers_before_the_data_are_read_without_the_password_and_pretended_ones_are_data():
    text, tree = shown(THINGS["trigger message"])
    assert "It is a trigger message of ORDERS for process P" in text
    assert "MQTM" in tree.text
    text, tree = shown(THINGS["in flight"])
    assert "It is on its way to ORDERS.IN of SOUTH" in text
    assert "RemoteQMgrName" in tree.text
    assert EVIL in tree.text, "the data behind the header"
    text, _ = shown(THINGS["no header"])
    assert "Data: no header" in text
    found, rest = messages.headers(b"DLH " + b"\xff" * 300, "MQDEAD")
    assert (found, rest[:4]) == ([], b"DLH ")
    from mqlab.bridges.headers import MQIIH, ImsHeader

    ((header,), _) = messages.headers(MQIIH.pack(ImsHeader(authenticator="SECRET")), "MQIMS")
    assert dict(header.fields)["Authenticator"] == "not shown"


def test_long_data_is_cut_and_says_so(qm):
    text, tree = shown(qm.put("ORDERS", "é" * 5000))
    assert len(text) < 400
    assert "10,000 bytes of text, the first 1000 of them" in tree.text
    tree = Tree(html_of(qm.put("ORDERS", bytes(5000))))
    assert "5000 bytes, the first 256 of them" in tree.text
    assert "It has no data." in shown(qm.put("ORDERS", b""))[0]


@for_each(
    "data, said",
    (b"", "no data"),
    (b"a\nb", "a b"),
    ("\u202eevil".encode(), "hex e2 80 ae"),
    (b"\xff", "hex ff"),
    (b"   ", "blanks"),
)
def test_data_is_text_only_where_all_of_it_can_be_read(data, said):
    assert messages.first_bytes(data).startswith(said)


def test_an_event_a_unit_of_work_and_a_handle_show_what_belongs_to_them():
    event = THINGS["event"]
    text, tree = shown(event)
    assert text.startswith(f"Row {event.seq}, 09:00:00: ")
    assert f"Rule {event.rule}" in text
    assert re.search(rf"Because of row {event.cause}: ", text)
    assert "SHOP put message 1 on ORDERS" in text, "the cause of the cause"
    assert "SHOP put message 1 on ORDERS" in tree.text
    event = THINGS["event"]._replace(message=999)
    assert f"Because of row {event.cause} of its log." in shown(event)[0]
    assert type(THINGS["log"][1:3]) is list
    text, tree = shown(THINGS["unit"])
    assert text == "Unit of work 1 of SHOP on QM1, open: 1 put and 0 gets."
    assert [words for _, words in tree.of("td")][:2] == ["put", "ORDERS"]
    with THINGS["north"].open("ORDERS", output=True) as handle:
        assert "It leads to HUB, which holds" in shown(handle)[0]


@for_each(
    "name, words, of_html",
    ("reply", (), ("(kept, not acted on: ACCTQ)", "✓ done", "✗ refused")),
    ("state", ("on 3 of",), ("2 expired",)),
    ("first state", ("at the start",), ()),
    ("closed", ("A handle of DLQ on QM1: closed.",), ()),
    ("channel NORTH.HUB", ("a SDR channel, is RETRYING",), ()),
    ("path", ("is cut; it takes 0.04 s one way",), ()),
    ("mqe refusal", ("unknown queue: NO.SUCH on VAN1",), ("MQE-08", "define(kind, 'NO.SUCH')")),
)
def test_a_thing_says_how_it_stands(name, words, of_html):
    text, tree = shown(THINGS[name])
    assert all(each in text for each in words)
    assert all(each in tree.text for each in of_html)


# ---------------------------------------------------------------- tables
@for_each(("size", "shown"), [(0, []), (1, [0]), (5, [0, 1, 2, 3, 4]), (6, [0, 1, 3, 4, 5])])
def test_cut_shows_each_row_once(size, shown):
    head, tail = cut(size, 2, 3)
    assert [*head, *tail] == shown


def test_system_objects_are_counted_unless_the_command_asks_for_them():
    qm = made("DEFINE QLOCAL(ORDERS)")
    shown = html_of(qm.mqsc("DISPLAY QLOCAL(*) CURDEPTH"))
    says(shown, "ORDERS", "SYSTEM objects, not shown")
    assert "SYSTEM.DEFAULT.LOCAL.QUEUE" not in shown
    assert "SYSTEM.DEFAULT.LOCAL.QUEUE" in html_of(qm.mqsc("DISPLAY QLOCAL(SYSTEM.*) CURDEPTH"))
    assert "SYSTEM.DEFAULT.LOCAL.QUEUE" in str(qm.mqsc("DISPLAY QLOCAL(*) CURDEPTH")), "the text is runmqsc's"
