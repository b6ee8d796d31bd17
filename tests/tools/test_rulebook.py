"""The rule book holds together: rules, tests, the source's ids, and the trust page made from them."""

import re
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest

import mqlab
from helpers import for_each
from mqlab import RULES
from tools import trust

TESTS = Path(__file__).parents[1]
IDS = r"\b(?:EXP|TRG|IGQ|QSG|MQE|MQI|PRP|STQ|CHL|NET|DLQ|IMS|SEC|EVT|PCF|GAT|TLS|OAM|REC|CLU)-\d\d[a-z]?\b"
PACKAGE = Path(mqlab.__file__).parent
SPEC = TESTS.parent.parent / "shared" / "spec" / "rules.yaml"
SEVERAL = {f"EXP-{n:02}" for n in (3, 4, 5, 12, 23, *range(25, 31), 36, 37)}
"""Rules that need several queue managers or an adapter."""


@cache
def marked():
    """Every rule id that a test is marked with."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("test_*.py")))
    return {
        id
        for marks in re.findall(r"^@pytest\.mark\.rule\(([^)]*)\)", text, re.MULTILINE)
        for id in re.findall(r'"([A-Z]+-\w+)"', marks)
    }


def source_ids():
    """The ids of the source documents' rules; the test is skipped where that file is not beside this checkout."""
    yaml = pytest.importorskip("yaml")
    if not SPEC.exists():
        pytest.skip("the source rules are not beside this checkout")
    return {entry["id"] for entry in yaml.safe_load(SPEC.read_text(encoding="utf-8"))}


def test_every_rule_has_a_marked_test_and_a_title_of_its_own():
    assert [id for id in RULES if id not in marked()] == []
    titles = [rule.title for rule in RULES.values()]
    assert len(set(titles)) == len(titles)


@for_each("id", RULES)
def test_every_rule_says_what_and_whence(id):
    rule = RULES[id]
    assert re.fullmatch(IDS, id)
    assert rule.text.endswith(".")
    assert 1 <= len(re.findall(r"\.(?:\s|$)", rule.text)) <= 3, "one to three sentences"
    assert not rule.title.endswith(".")
    assert rule.title
    assert rule.source


def test_the_package_names_every_rule_of_the_book_and_no_other():
    named = {}
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml")]):
        if path.name not in ("rules.toml", "rulebook.py", "trust.py"):
            for id in re.findall(IDS, path.read_text(encoding="utf-8")):
                named.setdefault(id, path.name)
    assert {id: where for id, where in named.items() if id not in RULES} == {}
    files = [p for p in PACKAGE.rglob("*.py") if p.name != "rulebook.py"] + list(PACKAGE.rglob("refusals.toml"))
    text = "".join(p.read_text(encoding="utf-8") for p in files)
    assert [id for id in RULES if id not in text] == []


def test_the_ids_and_their_page_are_those_of_the_source_documents():
    others = ("MQI", "PRP", "STQ", "NET", "CHL", "QSG", "DLQ", "IMS", "SEC", "EVT", "PCF", "GAT", "TLS", "OAM", "REC")
    others = (*others, "CLU")
    everyday = {id for id in RULES if id.startswith(others) or RULES[id].source == "MQe product documentation"}
    assert set(RULES) - everyday <= source_ids()
    wanted = {id for id in source_ids() if id.startswith(("EXP", "TRG"))} - SEVERAL
    assert sorted(wanted - set(RULES)) == []
    ids = [row.what for row in trust.rows() if "-" in row.what]
    assert len(set(ids)) == len(ids)
    assert source_ids() <= set(ids)
    assert set(ids) == set(RULES)


# ---------------------------------------------------------------- the trust page
@patch.dict(RULES)
def test_a_rule_that_comes_into_the_book_moves_on_the_page():
    before = {row.what: row for row in trust.rows()}
    RULES["MQE-01"] = RULES["EXP-01"]._replace(id="MQE-01")
    after = {row.what: row for row in trust.rows()}
    assert set(after) == set(before) | {"MQE-01"}
    assert (after["MQE-01"].status, after["MQE-01"].words) == (trust.MODELED, RULES["EXP-01"].text)
    del RULES["MQE-01"], RULES["EXP-01"]
    assert "EXP-01" not in {row.what for row in trust.rows()}


def test_every_row_of_a_rule_has_its_title_words_source_and_a_test_that_there_is():
    for row in trust.rows():
        if row.what in RULES:
            assert ((row.title, row.source, row.words), row.note) == (RULES[row.what][1:4], RULES[row.what].simplified)
            assert row.status == (trust.SIMPLIFIED if row.note else trust.MODELED), row.what
            for test in row.tests:
                path, name = test.split("::")
                assert f"def {name}(" in (TESTS.parent / path).read_text(encoding="utf-8")
    assert {row.what for row in trust.rows() if row.tests} == marked()


def test_every_row_has_a_title_and_a_rule_stands_under_its_subject():
    for title, rows in trust.sections():
        assert rows, title
        assert len({row.what[:3] for row in rows}) == 1
        assert all(row.title and row.status in trust.STATUSES for row in rows)
        assert all("-" not in row.what or row.source for row in rows)


def test_the_page_counts_itself_and_tells_our_readings():
    page = trust.page()
    tables = [line for line in page.splitlines() if line.startswith("| ")]
    sections = [rows for _, rows in trust.sections() if rows[0].what != trust.OUTSIDE]
    assert len(tables) == sum(len(rows) + 1 for rows in sections)
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in tables} == {5, 7}
    said = {status: int(n) for n, status in re.findall(r"(\d+) are (modeled|simplified)\b", page)}
    assert said == trust.counts()
    assert sum(said.values()) == len([row for row in trust.rows() if "-" in row.what])
    assert len(trust.readings()) >= 8
    for where, sentence in trust.readings():
        assert f"- {sentence} ({where})" in page
    for row in trust.rows():
        assert row.title in page
        assert row.words.replace("|", "\\|") in page
    assert page == trust.page()


def test_without_tests_beside_the_package_the_page_has_no_column_of_tests(tmp_path, monkeypatch):
    (tmp_path / "test_other.py").write_text("import pytest\n\n@pytest.mark.rule('EXP-01')\ndef test_x(): pass\n")
    assert trust.marked_tests(tmp_path) == {}
    monkeypatch.setattr(trust, "marked_tests", dict)
    assert "| Rule | Title | In our words | Status | Source |\n" in trust.page()
    assert "tests/" not in trust.page() + trust.html()
    assert "<th>Tests</th>" not in trust.html()
