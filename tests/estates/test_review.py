"""The page of a change: a summary first, then each difference with its commands, pictures, and proof."""

import re
from html import unescape

from estates.cases import estate_of
from estates.test_differences import NEW, OLD, written

from helpers import says
from mqlab import estates
from mqlab.cli.check import diff
from mqlab.estates.review import review
from tools.bench.estates import dumps
from tools.offline import external_loads


def words(html):
    """The text of a page, without what it draws and plays with."""
    shown = re.sub("<(script|style|svg).*?</\\1>", "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub("<[^>]+>", " ", shown)).split())


def test_a_board_reads_what_differs_why_and_how_it_was_proved(tmp_path, capsys):
    old, new, page = written(tmp_path, "old", OLD), written(tmp_path, "new", NEW), tmp_path / "review.html"
    assert diff([str(old), str(new), "--html", str(page)]) == 1
    assert f"wrote {page}" in capsys.readouterr().out
    html = page.read_text(encoding="utf-8")
    assert external_loads(html) == []
    assert len(html) < 3_000_000
    said = words(html)
    says(
        said,
        "3 routes and 4 other behaviors differ. The change makes 1 new error, 1 new warning.",
        "Routes 3 behave differently, 3 unchanged",
        "2 triggers, 1 lifetime, 1 dead-letter queue differ",
        "2 new (1 error, 1 warning), none gone",
        "QM1: a put to A Before delivers: on JOBS of QM1 After broken: 2082 MQRC_UNKNOWN_ALIAS_BASE_Q",
        "TARGET: JOBS → NOPE",
        "DEFINE QALIAS(A) TARGET(JOBS) qm1.mqsc:6 DEFINE QALIAS(A) TARGET(NOPE) qm1.mqsc:5",
        "QMGR of QM1 DEADQ: DLQ → '' ALTER QMGR DEADQ(DLQ) qm1.mqsc:1 not defined",
        "It showed 2082 MQRC_UNKNOWN_ALIAS_BASE_Q",
        "CAPPED Before broken: the name is not defined",
        "New findings QM1: ",
    )
    assert "JOBS of QM1 INITQ: INITQ → ''" not in said.partition("QM1: a put to CAPPED")[0], "no cause of a route"
    assert html.count("Play before</button>") == html.count("Play after</button>") == 7
    assert html.index("Behavior that differs") < html.index("New findings") < html.index("Definitions that differ")
    assert review(estates.diff(old, new)) + "\n" == html, "the same files give the same page"


def test_a_change_of_nothing_says_so_and_names_what_was_compared(tmp_path, capsys):
    old, new = written(tmp_path, "old", OLD), written(tmp_path, "new", OLD.replace("MAXDEPTH(5000)", "MAXDEPTH(4000)"))
    said = words(review(estates.diff(old, new)))
    says(said, f"Nothing behaves differently. Compared: {old} with {new}", "MAXDEPTH 5000 4000")
    says(said, "none behaves differently, 5 unchanged")
    assert "Play" not in said
    for second, page in ((tmp_path / "none", "x.html"), (new, tmp_path)):
        assert diff([str(old), str(second), "--html", str(page)]) == 20
        assert len(capsys.readouterr().err.splitlines()) == 1, page


def test_a_queue_manager_that_has_another_name_now_is_compared_and_its_findings_stay():
    old = estate_of({"QM1": "DEF QL(A)\nDEF QL(B)\nDEF QA(X) TARGET(A)\nDEF QA(Y) TARGET(GONE)\n"})
    new = estate_of({"QM2": "DEF QL(A)\nDEF QL(B)\nDEF QA(X) TARGET(B)\nDEF QA(Y) TARGET(GONE)\n"})
    said = words(review(estates.diff(old, new)))
    says(said, "1 route differs.", "none new, none gone", "Before delivers: on A of QM1 After delivers: on B of QM2")


def test_a_password_is_asterisks():
    old, new = (
        estate_of(f"DEF QL(X) USAGE(XMITQ)\nDEF QR(R) RNAME(Q) RQMNAME(M) XMITQ(X)\nDEF CHL(C) CHLTYPE(SDR) {more}\n")
        for more in ("CONNAME(a) XMITQ(X) PASSWORD('s3''cret')", "CONNAME(a) XMITQ(X) PASSWORD(s3cret) MAXMSGL(9)")
    )
    written = [command for estate in (old, new) for _, command in estate.commands("QM1", "CHANNEL", "C")]
    assert [command.partition("PASSWORD")[2] for command in written] == ["(********)", "(********) MAXMSGL(9)"]
    assert "cret" not in review(estates.diff(old, new))


def test_many_differences_are_all_on_the_page_and_the_first_are_proved(tmp_path):
    old = dumps(tmp_path / "old", 200, 2)
    new = dumps(tmp_path / "new", 200, 2, mistakes=1)
    html = review(estates.diff(old, new))
    said = words(html)
    behaves = [one for one in estates.diff(old, new).found if one.what == "behaves"]
    assert html.count('class="review-item"') == len(behaves)
    assert html.count("Play after</button>") == 12
    says(said, "To stay small, this page proves and draws only 12.", "mqlab diff --prove proves all")
    assert len(html) < 3_000_000
