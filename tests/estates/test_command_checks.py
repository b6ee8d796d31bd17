"""The checks of commands that IBM MQ refuses."""

from estates.cases import assert_case, estate_of, found_by

from helpers import for_each
from mqlab.estates.findings import ERROR, NOTE, WARNING

RECORD = "SET CHLAUTH('SYSTEM.*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC({}) ACTION(ADD)"


def group(*given):
    """Members of a queue sharing group, each of which defines one shared queue with other attributes."""
    queue = "DEF CFSTRUCT(CF)\nDEF QL(S) QSGDISP(SHARED) CFSTRUCT(CF) "
    return {name: queue + each for name, each in zip(("QMA", "QMB"), given, strict=True)}


SET = ("INDXTYPE(CORRELID)", "SHARE DESCR(A)")
CASES = {
    "template-not-filled": ("DEFINE QLOCAL({{ NAME }})\nDEFINE QALIAS({{ NAME }})", "DEF QL(A) DESCR('<NAME>')"),
    "not-on-this-platform": ("DEFINE CFSTRUCT(APP)", "* DEFINE CFSTRUCT(APP)\nDEFINE QLOCAL(APP)"),
    ("not-on-this-platform", "zos"): ("DEFINE QLOCAL(A) NPMCLASS(HIGH)", "DEFINE QLOCAL(A) INDXTYPE(MSGID)"),
    "defined-twice": (
        "DEF QL(A)\nDEF QL(A) MAXDEPTH(9)",
        "DEF QL(A)\nDEF QL(A) REPLACE\nDEF QL(SYSTEM.DEFAULT.LOCAL.QUEUE)",
    ),
    ("defined-twice", "zos"): (
        ["DEF QL(A)\nDEF QL(A)", group("MAXDEPTH(5)", ""), *(group("", each) for each in SET)],
        [
            dict.fromkeys("XY", "DEF CFSTRUCT(B)\nDEF QL(A) QSGDISP(SHARED) CFSTRUCT(B)"),
            group("", "MAXDEPTH(999999999) DESCR(B)"),
            *(group(each, each) for each in SET),
        ],
    ),
    "names-the-unknown": (
        "ALTER QLOCAL(A) MAXDEPTH(9)\nSTART CHANNEL(C)\nDEFINE QLOCAL(B) LIKE(NONE)",
        "DELETE QLOCAL(A)\nDEF QL(A)\nALTER QL(A) MAXDEPTH(9)\nDEF LISTENER(L) PORT(1)\nSTART LISTENER(L)",
    ),
    ("not-at-this-level", "distributed", 900): ("DEFINE QLOCAL(A) STREAMQ(B)", "DEFINE QLOCAL(A) CUSTOM('STREAMQ(B)')"),
    "command-refused": (
        f"DEFINE QLOCAL(A-B)\nDISPLAY QL(A\n{RECORD.format('CHANNEL')}",
        f"DISPLAY QLOCAL(A)\nDEF QL(${{A}})\nDEF QL(B)\nDEF QL(B)\n{RECORD.format('NOACCESS')}",
    ),
}
test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


def test_severity_depends_on_what_the_script_says():
    dump = "* Queue manager name: QM1\n* Queue manager platform: AIX\nDEFINE QLOCAL(A) LIKE(B)"
    for text, severity in (
        (dump, ERROR),
        ("DEFINE QLOCAL(A) LIKE(B)", WARNING),
        ("ALTER QLOCAL(A) PUT(ENABLED)", NOTE),
    ):
        assert found_by(estate_of(text), "names-the-unknown")[0].severity == severity


def test_lines_that_are_no_commands_are_one_finding():
    comments = "# a comment\nDEFINE QLOCAL(B)\n# another\nDEFINE QLOCAL(C)\n"
    listing = "//JOB1 JOB A\n//S EXEC PGM=CSQUTIL\nDEFINE QLOCAL(A)\n     1 : DISPLAY QLOCAL(A)\nQUEUE(A) TYPE(QLOCAL)"
    found = [len(one.others) for one in found_by(estate_of(comments + listing), "command-refused")]
    assert found == [1, 1, 1]
    (alone,) = found_by(estate_of("DEFINE QLOCAL(A)\n+\n"), "command-refused")
    assert alone.said.startswith("a line without a command is refused with AMQ8406E")


def test_what_another_level_or_platform_has_is_told_once():
    text = "DEF QL(A) STREAMQ(B)\nDEF QL(B) STREAMQ(C)\nDEF QL(C) NPMCLASS(HIGH)\nDEF QL(D) NPMCLASS(HIGH)"
    levels = found_by(estate_of(text, level=900), "not-at-this-level")
    platforms = found_by(estate_of(text, "zos"), "not-on-this-platform")
    wanted = [("A", ["B"]), ("C", ["D"])]
    assert [(one.name, [each.name for each in one.others]) for one in (*levels, *platforms)] == wanted
