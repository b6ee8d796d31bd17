"""The shape of a whole reply, as text and as HTML."""

import pytest

from helpers import for_each, lab_error, says
from mqlab import Lab


def test_runmqsc_shape(qm):
    text = "* orders\nDEFINE QLOCAL(A) +\n   MAXDEPTH(5)\n\nDISPLAY QLOCAL(A) MAXDEPTH\nEND\nignored"
    assert str(qm.mqsc(text)) == (
        "Starting MQSC for queue manager QM1.\n"
        "\n"
        "\n"
        "       : * orders\n"
        "     1 : DEFINE QLOCAL(A) +\n"
        "       :    MAXDEPTH(5)\n"
        "AMQ8006I: IBM MQ queue created.\n"
        "       :\n"
        "     2 : DISPLAY QLOCAL(A) MAXDEPTH\n"
        "AMQ8409I: Display Queue details.\n"
        "   QUEUE(A)                                TYPE(QLOCAL)\n"
        "   MAXDEPTH(5)\n"
        "     3 : END\n"
        "2 MQSC commands read.\n"
        "No commands have a syntax error.\n"
        "All valid MQSC commands were processed."
    )


def test_a_reply_has_fields_parts_and_remarks_and_names_the_first_refused_command(qm):
    reply = qm.mqsc("\nDEFINE QLOCAL(A); DEFINE QLOCAL(A)")
    first, second = reply.replies
    assert (first.number, first.line, first.command, first.ok) == (1, 2, "DEFINE QLOCAL(A)", True)
    assert (second.number, second.line, second.ok, second.syntax) == (2, 2, False, False)
    assert str(first) == first.text == "AMQ8006I: IBM MQ queue created."
    assert not reply.ok
    reply = qm.mqsc("DEFINE QLOCAL(GOOD)")
    assert reply.require() is reply
    reply = qm.mqsc("DEFINE QLOCAL(MORE)\n* a comment\nDELETE QLOCAL(NONE)\nNOT MQSC")
    lab_error(r"^QM1 refused DELETE QLOCAL\(NONE\) in line 3: AMQ8147E.*NONE", reply.require)
    qm.mqsc("DEFINE NAMELIST(A1)\nDEFINE NAMELIST(A2)").require()
    (reply,) = qm.mqsc("DISPLAY NAMELIST(A*) NAMES").replies
    assert [lines[0] for lines in reply.parts] == ["AMQ8550I: Display namelist details."] * 2
    assert "\n".join("\n".join(lines) for lines in reply.parts) == reply.text == str(reply)
    assert ["mqlab:" in "\n".join(lines) for lines in reply.parts] == [False, bool(reply.notes) or not reply.simulated]


@pytest.mark.needs("views")
def test_html_is_escaped(qm):
    text = "DEFINE QLOCAL('<script>alert(1)</script>')\nDEFINE QLOCAL(A) DESCR('<img src=x onerror=y> & ''q''')\n"
    reply = qm.mqsc(f"{text}DISPLAY QLOCAL(A) DESCR\nDISPLAY QLOCAL(A)\n<b>bold</b>")
    html = reply._repr_mimebundle_()["text/html"]
    for tag in ("<script", "<img", "<b>"):
        assert tag not in html
    says(html, "&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;img src=x onerror=y&gt; &amp; &#x27;q&#x27;")
    assert html.count("<table>") == 2
    assert reply._repr_mimebundle_()["text/plain"] == str(reply)
    assert "3 MQSC" not in html
    assert "5 MQSC commands read." in html


@for_each(
    "level, line",
    (750, "AMQ8006: WebSphere MQ queue created."),
    (902, "AMQ8006: IBM MQ queue created."),
    (903, "AMQ8006I: IBM MQ queue created."),
)
def test_messages_have_the_form_of_the_level(level, line):
    (reply,) = Lab().queue_manager("QM1", level=level).mqsc("DEFINE QLOCAL(Q)").replies
    assert (reply.text, reply.code) == (line, "AMQ8006I")


def test_the_headline_is_the_first_line_of_the_reply_as_its_level_prints_it(lab):
    old = lab.queue_manager("OLD", level=750)
    text = "DEFINE QLOCAL(A)\nDISPLAY QLOCAL(A)\nDELETE QLOCAL(B)\nDISPLAI QLOCAL(A)"
    for queue_manager in (old, lab.queue_manager("NEW")):
        replies = queue_manager.mqsc(text).replies
        assert [reply.headline for reply in replies] == [reply.text.splitlines()[0] for reply in replies]
