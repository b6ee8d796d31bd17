"""Rows that exercises give as the reason of something, as sentences."""

from helpers import cases, lab_error, lab_with
from mqlab import Lab
from mqlab.engine.explain import words
from mqlab.engine.explain.words import sentence
from mqlab.engine.extra import Extra


def told(lab, **which):
    return [sentence(row) for row in lab.events.where(**which)]


def test_triggers_programs_and_alterations():
    lab, qm = lab_with("DEFINE QLOCAL(I)\nDEFINE PROCESS(P) APPLICID('SERVER')")
    qm.mqsc("DEFINE QLOCAL(Q) TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(2) INITQ(I) PROCESS(P)")
    qm.program("SERVER", lambda app, trigger: None)
    qm.trigger_monitor("I")
    lab.advance(1)
    qm.put("Q", b"1")
    qm.put("Q", b"2")
    lab.advance(1)
    assert told(lab, kind="trigger", object="Q") == [
        "Q did not trigger: 0 qualifying messages before this one; TRIGDPTH is 2",
        "Q triggered: 1 qualifying message before this one",
    ]
    assert told(lab, kind="program", program="SERVER") == ["SERVER was started", "SERVER ended"]
    assert told(lab, kind="alter", object="Q") == ["Q was altered: NOTRIGGER"]


def test_queue_managers_and_links():
    lab = Lab()
    lab.link(*(lab.queue_manager(name).name for name in ("QM1", "QM2")))
    lab.cut("QM1", "QM2")
    lab.restore("QM1", "QM2")
    for turn in (lab["QM1"].stop, lab["QM1"].start, lab["QM1"].fail):
        turn()
    turns = ("created or changed", "cut", "restored")
    assert told(lab, object_type="LINK") == [f"the link QM1 - QM2 was {word}" for word in turns]
    assert told(lab, kind=("start", "stop"), qmgr="QM1") == ["QM1 started", "QM1 ended", "QM1 started", "QM1 failed"]


def test_a_template_names_what_its_rows_have_and_a_table_has_a_text_for_each_value(tmp_path, monkeypatch):
    (tmp_path / "odd.toml").write_text('[stop]\nfacts = ["abend"]\nby = "abend"\ntext.true = "{qmgr} {what}"', "utf-8")
    monkeypatch.setattr(words, "files", lambda package: tmp_path)
    lab_error(r"odd\.toml must name only fields of stop rows; got what", words.templates, "odd.toml")
    tables = {kind: entry["text"] for kind, entry in words.templates().items() if isinstance(entry["text"], dict)}
    assert len(tables) > 20
    left = {kind: set(texts) for kind, texts in tables.items() if "*" not in texts}
    assert {kind: found for kind, found in left.items() if found != VALUES.get(kind, {"true", "false"})} == {}


@cases(
    "text, said",
    ("[flight]\ntext = '{who} flew {+way}'", r"must name only fields of flight rows; got \+way"),
    ("[stop]\ntext = '{who} flew'", "must have a kind of row once; got stop again"),
)
def test_the_sentences_of_an_extra_are_checked_with_the_others(text, said, monkeypatch):
    extra = Extra()
    monkeypatch.setattr(extra, "text", lambda name: text)
    monkeypatch.setattr(words, "extras", lambda: [extra])
    lab_error(said, words.templates.__wrapped__, "words.toml")


VALUES = {
    "discard": {"way", "scan", "call"},
    "+batch": {"CHL-04", "CHL-06", "CHL-13", "CHL-17"},
    "+turn": {"true", "false", ""},
    "scan": {"none", "few", "many"},
    "MQE.discard": {"add", "remove", "activate", "delete", "size"},
}
"""Kinds of rows whose sentence depends on a word -> all the words there are; the others have one of two texts."""
