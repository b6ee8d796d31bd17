"""No false word, and one finding for one cause: scripts that belong together, fixes that work, and what is ignored."""

import json

import pytest
from estates.cases import assert_fix, estate_of, found_by

from helpers import for_each, lab_error
from mqlab import estates
from mqlab.cli import check

INITQ = "TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)"
ENV = f"DEFINE QLOCAL(X) USAGE(XMITQ) {INITQ}\nDEFINE CHANNEL(A.QM9) CHLTYPE(SDR) XMITQ(X) CONNAME(h)"
OBJECTS = "DEFINE QREMOTE(R) RNAME(Q) RQMNAME(QM9) XMITQ(X)"


def test_two_scripts_of_one_queue_manager_are_a_question():
    for scripts in ({"OBJECTS": OBJECTS, "ENV": ENV}, {"A": "ALTER QLOCAL(Q) MAXDEPTH(9)", "B": "DEFINE QLOCAL(Q)"}):
        (asked,) = [one for one in estate_of(scripts).findings() if one.check != "security-summary"]
        assert (asked.check, asked.severity) == ("one-queue-manager", "cannot judge")
        assert f"defined in {asked.about}.mqsc; one queue manager? --qmgr NAME" in asked.said
    twice = {"OBJECTS": f"{OBJECTS}\nDEFINE QLOCAL(Q)", "ENV": f"{ENV}\nDEFINE QLOCAL(Q)"}
    other = {"OBJECTS": OBJECTS.replace("QM9", "ENV").replace("(X)", "(Y)"), "ENV": ENV.replace("(X)", "(Y)")}
    for scripts in (twice, other | {"THIRD": "DEFINE QLOCAL(OBJECTS)"}):
        assert found_by(estate_of(scripts), "one-queue-manager") == []
        (found,) = found_by(estate_of(scripts), "remote-xmitq-missing")
        assert "no script of OBJECTS defines" in found.said


@for_each(("far", "judged"), [("MY.LAN.QM", "cannot judge"), ("LAN", "warning")])
def test_a_queue_manager_has_a_whole_name(far, judged):
    shop = f"DEFINE QREMOTE(TO.B) RNAME(NO) RQMNAME({far}) XMITQ(X)\n" + ENV.replace("A.QM9", "A.B")
    (found,) = found_by(estate_of({"SHOP": shop, "LAN": "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)"}), "remote-target-missing")
    assert found.severity == judged


def test_no_script_defines_is_not_said_of_a_name_that_a_cluster_has():
    member = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(SALES)\n"
    names = (
        "DEFINE QALIAS(A) TARGET(ORDERS)\nDEFINE QREMOTE(B) RNAME(ORDERS) RQMNAME(PR1)\n"
        "DEFINE QLOCAL(C) BOTHRESH(1) BOQNAME(ORDERS)\nDEFINE NAMELIST(N) NAMES(C, ORDERS)"
    )
    has = "DEFINE QLOCAL(ORDERS) CLUSTER(SALES)"
    estate = estate_of({"PR1": member.format("PR1") + has, "PR2": member.format("PR2") + names})
    found = [one.said for one in estate.findings() if one.qmgr == "PR2" and one.name in ("A", "B", "C", "N")]
    assert len(found) == 4
    assert all("cluster SALES may route it to PR1" in said and "no script" not in said for said in found)


MANY = "\n".join(
    f"DEFINE QREMOTE(R{n}) RNAME(Q) RQMNAME(QM9) XMITQ(X)\nDEFINE QLOCAL(Q{n}) BOTHRESH(3)" for n in range(9)
)
TWO = "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nALTER QMGR CHLAUTH(DISABLED)\n" + MANY


def test_one_cause_is_one_finding_with_all_its_objects():
    one, other = estate_of(MANY).findings()
    assert {one.check, other.check} == {"remote-xmitq-missing", "backout-without-queue"}
    for each in (one, other):
        assert len(each.others) == 8
        assert "the same holds for 8 others: " in each.said
    assert_fix(estate_of(MANY), max(one, other, key=lambda each: len(each.fix)))
    text = estate_of(MANY).report().text()
    assert "and 10 more such commands" in text
    assert text.splitlines()[-2].startswith("Fix first: QM1.mqsc:1: ")


@for_each(
    "script, check, fix",
    ("DEFINE QLOCAL(Q) BOQNAME(Q)", "backout-without-threshold", "ALTER QLOCAL('Q') BOQNAME(' ')"),
    (f"{ENV}\nDEFINE QLOCAL(X1) USAGE(XMITQ) {INITQ} TRIGDATA(A.QM9)", "xmitq-trigger-data", ""),
    ("ALTER QMGR CHLAUTH(DISABLED)\nDEFINE CHANNEL(C) CHLTYPE(SVRCONN)", "client-names-its-user", ""),
    ("DEFINE CHANNEL(C) CHLTYPE(SVRCONN)", "client-names-its-user", "USERSRC(CHANNEL) CHCKCLNT(REQUIRED)"),
    (
        "DEFINE QLOCAL(Q) BOQNAME(B)\nDEFINE QLOCAL(B) BOQNAME(Q) BOTHRESH(3)",
        "backout-without-threshold",
        "ALTER QLOCAL('Q') BOQNAME(' ')",
    ),
)
def test_a_fix_works_or_is_not_offered(script, check, fix):
    (found,) = found_by(estate_of(script), check)
    assert fix in found.fix
    assert bool(fix) == bool(found.fix)
    if fix:
        assert_fix(estate_of(script), found)


def test_a_large_estate_tries_its_fixes_together(monkeypatch):
    script = "ALTER QMGR CHLAUTH(DISABLED)\nDEFINE QALIAS('a') TARGET(A)\nDEFINE QLOCAL(Q) BOTHRESH(3)\n" + TWO
    alone = estate_of(script).findings()
    monkeypatch.setattr("mqlab.estates.fixes._WORK", 1)
    together = estate_of(script).findings()
    assert [one.fix for one in together] == [one.fix for one in alone]
    bare = {one.check for one in alone if not one.fix}
    assert bare == {"alias-target-missing", "remote-xmitq-missing", "security-summary"}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """A function that writes files into the current folder, runs mqlab check, and returns its exit code and output."""
    monkeypatch.chdir(tmp_path)

    def run(*line, **files):
        for name, text in files.items():
            tmp_path.joinpath(name.replace("__", ".")).write_text(text, encoding="utf-8")
        code = check.main(list(line))
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


def test_a_baseline_never_turns_a_fix_into_a_finding(run):
    run("QM1.mqsc", "--format", "json", "--output", "known.json", QM1__mqsc=TWO)
    fixed = TWO.replace("DISABLED", "ENABLED").replace("DEFINE QLOCAL(Q0) BOTHRESH(3)\n", "").replace("R0", "A.NEW")
    code, said = run("QM1.mqsc", "--baseline", "known.json", QM1__mqsc=fixed)
    assert (code, said.count("warning: ")) == (check.CLEAN, 1), said
    assert "A.NEW leads nowhere" in said
    assert "the same holds" not in said


def test_a_hostile_baseline_is_one_sentence(run):
    head = '{"format": "mqlab findings", "version": 3, "findings": '
    lists = ("[{}]", "[[]]", '"a"', '[{"fingerprint": []}]', '[{"fingerprint": "a", "others": 1}]')
    wrong = ("[" * 100_000, "9" * 10_000, "1e999", '"a"', "null", "\x00")
    for text in (*wrong, *(f"{head}{each}}}" for each in lists)):
        code, said = run("QM1.mqsc", "--baseline", "known.json", QM1__mqsc="DEF QL(Q)", known__json=text)
        assert (code, said.count("\n")) == (check.NOT_READ, 1), text[:99]
        assert "must be a report of version 3" in said


def test_findings_are_ignored_on_the_command_line_in_a_script_and_in_a_file(run):
    code, said = run("QM1.mqsc", "--ignore", "backout-without-queue:Q*", QM1__mqsc=MANY)
    assert said.endswith("\n1 warning in 1 queue manager. 1 finding is ignored.\n")
    comment = "* mqlab: ignore remote-xmitq-missing:R1, backout-without-queue\n"
    (left,) = estate_of(MANY + f"\n{comment}").findings()
    assert len(left.others) == 7
    code, said = run("QM1.mqsc", "--fail-on", "warning", QM1__mqsc=MANY)
    assert code == check.ERRORS
    table = '[tool.mqlab]\nignore = ["backout-without-queue"]\nfail-on = "warning"\nsecurity = true\n'
    more = ("--ignore", "remote-xmitq-missing")
    assert run("QM1.mqsc", *more, pyproject__toml=table)[0] == check.CLEAN
    assert run("QM1.mqsc", pyproject__toml=table)[0] == check.ERRORS
    wrong = {"x = [": "must be TOML", "tool = 3": "must be TOML", "[tool.mqlab]\nignore = 'no'": "got no"}
    for text, words in wrong.items():
        code, said = run("QM1.mqsc", pyproject__toml=text)
        assert (code, said.count("\n"), words in said) == (check.NOT_READ, 1, True)
    lab_error("ignore must be CHECK or CHECK:OBJECT", estate_of(MANY).report, ignore=["nothing"])


def test_a_script_without_commands_is_a_note(run, tmp_path):
    code, said = run("QM1.mqsc", QM1__mqsc="")
    assert (code, "QM1.mqsc:1: note: QM1.mqsc has no commands" in said) == (check.CLEAN, True)
    run("QM1.mqsc", QM1__mqsc="DEF QL(Q)", notes__mqsc="* nothing\n")
    estate = estates.read(tmp_path)
    assert estate.names == ["QM1"]
    assert [one.place.file for one in found_by(estate, "script-without-commands")] == [str(tmp_path / "notes.mqsc")]
    assert json.loads(run(".", "--format", "json")[1])["counts"]["note"] == 1
