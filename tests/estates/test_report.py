"""Reports of estates: words, JSON, SARIF, baselines, exit codes, and files that cannot be read."""

import json
import re
import subprocess
import sys

import pytest
from estates.cases import estate_of
from jsonschema import Draft7Validator

from helpers import closed, lab_error, refusal, says
from mqlab import estates
from mqlab.cli import check
from mqlab.estates.checks import CHECKS
from mqlab.estates.findings import ERROR, NOTE, OPEN, WARNING, Finding
from mqlab.estates.page import page
from mqlab.estates.proofs import Proof, put_to
from mqlab.estates.report import Report, sarif

BROKEN = "DEFINE QLOCAL('nope')\nDEFINE QALIAS(A) +\n  TARGET(NOPE)\n"
UNKNOWN = Proof(put_to("QM1", "A"), "2082 MQRC_UNKNOWN_ALIAS_BASE_Q")
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
# Written from the facts of the SARIF 2.1.0 specification, for the parts that we write; stricter than the published
# schema, which may not be copied here, and which accepts the same files.
STRING, LEVEL = {"type": "string", "minLength": 1}, {"enum": ["none", "note", "warning", "error"]}
DEFAULT = closed(level=LEVEL)
RULE = closed(id=STRING, shortDescription=TEXT, fullDescription=TEXT, help=TEXT, defaultConfiguration=DEFAULT)
PHYSICAL = closed(
    artifactLocation=closed(uri={"type": "string", "format": "uri-reference", "pattern": r"^\S+$"}),
    region=closed(startLine={"type": "integer", "minimum": 1}),
)
LOGICAL = closed(fullyQualifiedName=STRING, kind=STRING)
LOCATION = closed(["physicalLocation"], logicalLocations={"type": "array", "items": LOGICAL}, physicalLocation=PHYSICAL)
RESULT = closed(
    ruleId=STRING,
    ruleIndex={"type": "integer", "minimum": 0},
    kind={"enum": ["fail", "open"]},
    level=LEVEL,
    message=TEXT,
    locations={"type": "array", "items": LOCATION, "minItems": 1, "maxItems": 1},
    partialFingerprints={"type": "object", "additionalProperties": STRING, "minProperties": 1},
) | {  # "if kind has any value other than fail, level shall be none"
    "if": {"properties": {"kind": {"const": "fail"}}},
    "else": {"properties": {"level": {"const": "none"}}},
}
DRIVER = closed(
    name=STRING,
    semanticVersion={"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
    rules={"type": "array", "items": RULE, "uniqueItems": True},
)
RUN = closed(
    ["columnKind"],
    tool=closed(driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results={"type": "array", "items": RESULT},
)
SARIF = closed(**{"$schema": STRING}, version={"const": "2.1.0"}, runs={"type": "array", "items": RUN})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder, which is the current one, with a script that has one error and one that has none."""
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("QM1.mqsc").write_text(BROKEN, encoding="utf-8")
    tmp_path.joinpath("QM2.mqsc").write_text("DEFINE QLOCAL(Q)\n", encoding="utf-8")
    return tmp_path


def found(estate, severity, said, proof=None, kind="QALIAS", name="A", qmgr="QM1", fix=""):
    of = {"place": estate.place(qmgr, kind, name), "fix": fix, "fix_at": qmgr, "proof": proof, "keyword": "TARGET"}
    return Finding("alias-target-missing", severity, qmgr, kind, name, said, "MQI-14", **of)


@pytest.fixture
def report(folder):
    """A report with a finding of every severity, one of them with a proof that does not hold."""
    estate = estates.read(["QM1.mqsc", "QM2.mqsc"])
    wrong = Proof(put_to("QM2", "Q"), "2085 MQRC_UNKNOWN_OBJECT_NAME")
    return Report(
        estate,
        [
            found(estate, ERROR, "it leads to nothing", UNKNOWN, fix="ALTER QALIAS(A) TARGET('nope')"),
            found(estate, WARNING, "it is doubtful", wrong, "QLOCAL", "Q", "QM2"),
            found(estate, NOTE, "it is long <b> " + "word " * 40, None, "QMGR", ""),
            found(estate, OPEN, "cannot judge: cluster"),
        ],
        prove=True,
    )


def test_words_tell_what_where_and_how_to_fix_and_a_notebook_shows_a_table(report):
    text = report.text()
    assert "\n".join(text.splitlines()[1:6]) == (
        "  QM1.mqsc:2: error: it leads to nothing [alias-target-missing]\n"
        "    fix: ALTER QALIAS(A) TARGET('nope')\n    proof: lab['QM1'].put('A', b\"a message\")\n"
        "    proved: it showed 2082 MQRC_UNKNOWN_ALIAS_BASE_Q\n"
        "      a program at QM1 failed to put on A: 2082 MQRC_UNKNOWN_ALIAS_BASE_Q"
    )
    assert text.index("QM1 (") < text.index("QM2 ("), "the worst queue manager is first"
    assert "NOT PROVED: it should show 2085" in text
    assert text.endswith("1 error, 1 warning, 1 note, 1 cannot judge in 2 queue managers. 1 PROOF DID NOT HOLD.")
    assert max(map(len, report.text(72).splitlines())) <= 72
    assert " ".join(report.text(72).split()) == " ".join(text.split())
    shown = report._repr_mimebundle_()
    assert shown["text/plain"] == str(report)
    says(shown["text/html"], "1 PROOF DID NOT HOLD", "QM1.mqsc:2")
    assert "<b>" not in shown["text/html"]


def test_sarif_keeps_the_rules_of_its_format(report, folder):
    written = sarif(report)
    Draft7Validator(SARIF).validate(written)
    run = written["runs"][0]
    assert [one["level"] for one in run["results"]] == ["error", "warning", "note", "none"]
    first = run["results"][0]
    place = {"artifactLocation": {"uri": "QM1.mqsc"}, "region": {"startLine": 2}}
    assert first["locations"][0]["physicalLocation"] == place
    assert "Proof:\nlab['QM1'].put" in first["message"]["text"]
    assert "it showed" not in first["message"]["text"]
    assert run["tool"]["driver"]["rules"][0]["help"]["text"].startswith("The TARGET of an alias is blank")
    elsewhere = sarif(report, folder / "other folder")["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert elsewhere["artifactLocation"]["uri"].startswith("file:///")


def test_a_baseline_hides_what_it_has_even_when_lines_move(folder, capsys):
    assert check.main(["QM1.mqsc", "--format", "json", "--output", "known.json"]) == check.ERRORS
    known = json.loads(folder.joinpath("known.json").read_text(encoding="utf-8"))
    assert (known["format"], known["version"], known["counts"]["error"]) == ("mqlab findings", 3, 1)
    found = known["findings"][0]
    wanted = {"check": "alias-target-missing", "severity": "error", "group": "", "queue_manager": "QM1"}
    wanted |= {"kind": "QALIAS", "name": "A", "attribute": "TARGET", "file": "QM1.mqsc", "line": 3, "source": "MQI-14"}
    wanted |= {"fix": "ALTER QALIAS('A') TARGET('nope')", "fix_at": "QM1", "proof": UNKNOWN._asdict()}
    wanted |= {"traffic": None, "others": [], "fingerprint": found["fingerprint"], "said": found["said"]}
    assert found == wanted
    folder.joinpath("QM1.mqsc").write_text(f"* a comment\n{BROKEN}DEFINE QALIAS(B) TARGET(' ')\n", encoding="utf-8")
    assert check.main(["QM1.mqsc", "--baseline", "known.json"]) == check.ERRORS
    said = capsys.readouterr().out
    assert "alias B leads to nothing" in said
    assert "alias A" not in said
    assert "1 finding of the baseline is hidden." in said
    folder.joinpath("QM1.mqsc").write_text(f"* a comment\n{BROKEN}", encoding="utf-8")
    assert check.main(["QM1.mqsc", "--baseline", "known.json"]) == check.CLEAN


def test_traffic_tells_of_each_finding_what_it_showed(folder, capsys):
    folder.joinpath("QM1.mqsc").write_text(f"{BROKEN}DEFINE QALIAS(B) TARGET(NONE)\n", encoding="utf-8")
    run = ["QM1.mqsc", "--traffic", "A 1 a second", "--traffic", "nope 2 a second", "--seconds", "30"]
    assert check.main(run) == check.ERRORS
    said = capsys.readouterr().out
    assert re.search(
        r"traffic: in 30 s, (\d+) calls failed with 2082 .*\n(.*\n)+  A at QM1: \1 messages: \1 refused\n", said
    )
    assert "traffic: the run of 30 s did not show it: no message reached it" in said
    assert said.endswith("1 error, 1 warning in 1 queue manager. The traffic showed 1 of them.\n")
    report = estates.read("QM1.mqsc").report(traffic="A 1 a second\nnope 2 a second", seconds=30)
    assert [one["traffic"]["showed"] for one in report.json()["findings"]] == [True, False]
    assert report.json()["traffic"]["rows"][0]["refused"] > 20
    assert [one["message"]["text"].count("\nTraffic: ") for one in sarif(report)["runs"][0]["results"]] == [1, 1]
    assert report.entries[0].figure.said in page(report)
    assert check.main(["QM1.mqsc", "--traffic", "NONE 1 a second"]) == check.NOT_READ
    assert "line 1: queue must be one that the estate defines; got 'NONE'" in capsys.readouterr().err


def test_a_finding_stays_known_when_another_of_its_check_and_object_is_fixed():
    shut = "DEFINE QLOCAL(X) USAGE(XMITQ) GET(DISABLED) PUT(DISABLED)\n"
    shut += "DEFINE QLOCAL(Y) CUSTOM(x\nDEFINE QLOCAL(Y) DESCR(y\n"
    several = ("xmitq-disabled", "command-refused")
    half = shut.replace("GET(DISABLED) ", "").replace("DEFINE QLOCAL(Y) CUSTOM(x\n", "")
    before, after = (
        {one.fingerprint for one in estate_of(text).report().entries if one.finding.check in several}
        for text in (shut, half)
    )
    assert (len(before), len(after), after < before) == (4, 2, True)


def test_exit_codes_tell_clean_errors_and_unreadable(folder, capsys):
    assert check.main(["QM2.mqsc"]) == check.CLEAN
    assert check.main(["QM1.mqsc", "QM2.mqsc", "--prove"]) == check.ERRORS
    assert "proved: it showed 2082" in capsys.readouterr().out
    folder.joinpath("binary.mqsc").write_bytes(bytes(range(256)))
    folder.joinpath("dumps", "a folder.mqsc").mkdir(parents=True)
    folder.joinpath("several").mkdir()
    for name in ("QMA", "QMB"):
        text = f"* Queue manager name: {name}\nDEFINE QLOCAL(Q)\n"
        folder.joinpath("several", f"{name}.mqsc").write_text(text, encoding="utf-8")
    folder.joinpath("half.json").write_text('{"format": "mqlab findings"', encoding="utf-8")
    of_qm2 = (("--html", "dumps"), ("--baseline", "none.json"), ("--baseline", "half.json"))
    of_qm2 = (*of_qm2, ("--output", "no/such/folder.json"), ("--qmgr", "NO SUCH NAME"))
    others = (["none.mqsc"], ["binary.mqsc"], ["."], ["dumps"], ["several", "--qmgr", "QM1"])
    for line in (*others, *(["QM2.mqsc", *each] for each in of_qm2)):
        assert check.main(line) == check.NOT_READ, line
        said = capsys.readouterr()
        assert said.err.startswith("mqlab check: "), line
        assert len(said.err.splitlines()) == 1, line


def test_a_script_may_have_any_encoding(folder, capsys):
    text = BROKEN.replace("TARGET", "DESCR('Bestellungen für Köln') TARGET")
    for codec in ("utf-8-sig", "utf-16", "cp1252", "cp850", "cp037"):  # the last is cp1047 for these characters
        folder.joinpath("QM1.mqsc").write_bytes(text.encode(codec))
        assert check.main(["QM1.mqsc"]) == check.ERRORS, codec
        assert "QM1.mqsc:3: error: alias A leads to NOPE" in capsys.readouterr().out


def test_a_file_is_read_once_from_a_folder_by_its_name_or_from_the_input(folder, capsys, monkeypatch):
    dumps = folder / "dumps"
    dumps.joinpath("a folder.mqsc").mkdir(parents=True)
    dumps.joinpath("QM7.MQSC").write_text("DEFINE QLOCAL(Q)\n", encoding="utf-8")
    dumps.joinpath("README.txt").write_text("Dumps of today\n", encoding="utf-8")
    assert check.main(["dumps", "dumps/QM7.MQSC", "./dumps/QM7.MQSC"]) == check.CLEAN
    assert capsys.readouterr().out == "No findings in 1 queue manager.\n"
    run = [sys.executable, "-m", "mqlab", "check", "dumps", "-", "--qmgr", "QM7"]
    said = subprocess.run(run, input=BROKEN, capture_output=True, text=True, check=False)
    assert said.returncode == check.ERRORS, said.stderr
    assert "/dev/stdin:3: error: alias A leads to NOPE" in said.stdout


def test_a_proof_that_does_not_hold_is_an_error(folder, monkeypatch, capsys):
    def doubtful(estate):
        from mqlab.estates.findings import Found

        yield Found("QM2", "QLOCAL", "Q", "it is doubtful", proof=Proof(put_to("QM2", "Q"), "2085"))

    one = CHECKS["alias-target-missing"]
    monkeypatch.setattr("mqlab.estates.findings.CHECKS", {one.id: one._replace(severity=WARNING, run=doubtful)})
    assert check.main(["QM2.mqsc"]) == check.CLEAN, "a warning is no error"
    assert check.main(["QM2.mqsc", "--prove"]) == check.ERRORS
    assert "NOT PROVED: it should show 2085" in capsys.readouterr().out


def test_the_checks_are_listed_on_the_screen(folder, capsys):
    assert check.main(["--list"]) == check.CLEAN
    assert len(capsys.readouterr().out.splitlines()) == len(CHECKS)
    refusal(SystemExit, "", check.main, [])
    lab_error(r"must be a report of version 3; got QM1\.mqsc", estates.read(folder).report, baseline="QM1.mqsc")


def test_the_json_has_every_row_of_a_proof_and_the_text_the_deciding_ones():
    report = estate_of("DEFINE QLOCAL(Q) MAXDEPTH(9) TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(20)").report(prove=True)
    (one,) = [each for each in report.json()["findings"] if each["check"] == "trigger-depth-unreachable"]
    assert len(one["proof"]["rows"]) == 19
    assert "and 13 rows between" in report.text()
    assert one["proof"]["rows"][-1] in report.text()
