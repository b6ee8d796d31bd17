"""Reasons: their facts, and their sentences."""

import dataclasses
import tomllib

from reasons import reasons

from helpers import for_each, lab_error
from mqlab.engine.words import because, whys
from mqlab.engine.words.because import Told, fact, refused_call
from mqlab.engine.words.errors import MQError
from mqlab.engine.words.refusals import Grounds
from mqlab.engine.words.whys import cases, why_of


def test_a_reason_comes_back_nested_or_flat_and_reads_as_its_sentence():
    for why in reasons():
        assert (why_of({"was": "X", "why": why.facts}), why_of({"fired": False, **why.facts})) == (why, why)
    assert why_of({"because": "a text"}) is None
    lab_error("must be one that mqlab, with its extras, knows; got 'new-case'", why_of, {"case": "new-case"})
    grounds = Grounds(2003, "unit-broken", {"broken": Told(whys.QmgrEnded("QM1", True).facts), "number": 7})
    assert grounds.said == "QM1 failed and unit of work 7 was backed out"
    kept = refused_call(MQError(2003, "Q", "QM1", grounds=grounds))
    assert kept["fields"] == {"broken": {"case": "qmgr-ended", "qmgr": "QM1", "abend": True}, "number": 7}
    assert fact(whys.UnexpectedError(kept)).startswith("2003 MQRC_BACKED_OUT: Q on QM1: QM1 failed and unit of work 7")
    assert fact(whys.Qualifying(1)) == "1 qualifying message before this one"
    assert fact(whys.QualifyingDepth(0, 3), "now") == "0 qualifying messages there; TRIGDPTH is 3"


@for_each(
    "text, said",
    ("[idle]\ntext = 'nothing'", "must have a sentence for"),
    ("[idle]\ntext = 'for {seconds}'", "must name only fields of idle; got seconds"),
    ("[idle]\nby = 'when'\ntext.1 = 'once'", "must name only fields of idle; got when"),
    ("[ideal]\ntext = 'nothing'", "must have sentences of known cases only; got ideal"),
)
def test_a_language_that_does_not_fit_is_refused(text, said, tmp_path, monkeypatch):
    own = {case: kind for case, kind in cases().items() if kind.__module__ == whys.__name__}
    lines = tomllib.loads(text)
    known = [] if "must have a sentence" in said else [case for case in own if case != "idle" or "idle" not in lines]
    (tmp_path / "odd.toml").write_text(text + "".join(f"\n[{case}]\ntext = ''" for case in known), "utf-8")
    monkeypatch.setattr(because, "files", lambda package: tmp_path)
    lab_error(said, because.templates, whys.__name__, "odd.toml")


def test_a_table_of_texts_has_one_for_each_value():
    """Each table has a text for any other value, or the field that it goes by is a bool."""
    tables = 0
    for case, kind in cases().items():
        entry = because.entry_of(kind)
        for texts in (entry.get(style) for style in ("text", "now", "advice")):
            if isinstance(texts, dict):
                tables += 1
                by = next(each for each in dataclasses.fields(kind) if each.name == entry["by"])
                assert "*" in texts or (by.type == "bool" and set(texts) == {"true", "false"}), case
    assert tables > 5
    assert set(because.entry_of(whys.Unreachable)["tried"]["path"]) == {"none", "cut", "up", "deaf"}
