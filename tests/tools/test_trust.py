"""The page of `make trust` as Markdown and as one HTML file, and the committed copy of it."""

import ast
import re
from functools import cache
from pathlib import Path

from helpers import for_each, refusal
from html_tree import Tree
from mqlab import Lab
from mqlab.engine.words import catalog
from mqlab.engine.words.rulebook import RULES
from tools import checks, trust
from tools.offline import external_loads
from tools.trust import html

ROOT = Path(__file__).parents[2]


@for_each("name, made", ("rules", trust.page), ("checks", checks.markdown))
def test_the_committed_page_is_the_one_made_today(name, made):
    committed = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    assert made() == committed, "make it again with: make trust"


def test_the_html_is_whole_and_alone():
    page = html()
    assert external_loads(page) == []
    outline = Tree(page)
    assert not {"img", "iframe", "link"} & set(outline.tags)
    assert outline.tags.count("script") == 1
    ids = [value for name, value in outline.attributes if name == "id"]
    assert len(set(ids)) == len(ids)
    assert {value.removeprefix("#") for name, value in outline.attributes if name == "href"} <= set(ids)
    assert {row.what for row in trust.rows() if "-" in row.what} <= set(ids)
    words = outline.text
    for row in trust.rows():
        assert row.title in words
        assert all(test in words for test in row.tests)
    assert html() == page


def test_what_could_be_markup_is_shown_as_text(monkeypatch):
    hostile = trust.Row(
        "EXP-01", "<i>t</i>", "<script>x</script> & `a<b`", trust.SIMPLIFIED, "<b>", ("t.py::<u>",), "<s>"
    )
    monkeypatch.setattr(trust, "sections", lambda: (("<h6>", (hostile,)), ("Out", (hostile._replace(what="outside"),))))
    page = html()
    assert not {"i", "u", "s", "h6"} & set(Tree(page).tags)
    assert Tree(page).tags.count("script") == 1
    assert "&lt;script&gt;x&lt;/script&gt; &amp; <code>a&lt;b</code>" in page


def test_the_command_prints_markdown_or_writes_each_file_by_its_ending(tmp_path, capsys):
    assert (trust.main([]), capsys.readouterr().out) == (0, trust.page())
    files = [tmp_path / "new" / "trust.html", tmp_path / "trust.md"]
    assert trust.main(["--output", str(files[0]), "--output", str(files[1])]) == 0
    assert [file.read_text(encoding="utf-8") for file in files] == [html(), trust.page()]
    assert capsys.readouterr().out == "".join(f"wrote {file}\n" for file in files)
    (tmp_path / "file").write_text("")
    assert trust.main(["--output", str(tmp_path / "file" / "trust.md")]) == 1
    assert "tools.trust: cannot write" in capsys.readouterr().err
    wrong = ["--output", str(tmp_path / "a.md"), "--output", str(tmp_path / "trust.pdf")]
    assert refusal(SystemExit, "", trust.main, wrong).code == 2
    assert "--output must be a file that ends in .html or .md; got" in capsys.readouterr().err
    assert not (tmp_path / "a.md").exists(), "it is refused before anything is written"


# ---------------------------------------------------------------- what the page denies, held against code and tests
DENIAL = re.compile(r"\b(?:no|not|nothing|never|nobody|none)\b", re.IGNORECASE)
IDLE = trust.not_acted_on()


@cache
def proofs():
    """Every marked test: its place in words, and its source."""
    found = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "pytest.mark.rule" in text else ():
            if isinstance(node, ast.FunctionDef) and any("mark.rule" in ast.unparse(d) for d in node.decorator_list):
                found[f"{path.stem} {node.name}".replace("_", " ")] = ast.get_source_segment(text, node)
    return found


def stems(text):
    """The words of a text, without the s of a plural."""
    return {word.rstrip("s") for word in re.findall(r"[\w-]+", text.lower())}


def contradictions(denied):
    """The rules, marked tests, and parts of the catalog that do what a word of `denies` says is not done."""
    if denied.isdecimal():
        attributes = [a for kind in catalog.kinds() for a in catalog.attributes(kind).values()]
        return [each for each in (*attributes, *catalog.kinds.__globals__["SYSTEM"]) if each.since >= int(denied)]
    if denied.startswith("MQ") and denied.isupper() and denied not in catalog.CHANNEL_TYPES:
        return [test for test, source in proofs().items() if re.search(rf"\b{denied}\b", source)]
    if denied.islower():
        wanted = stems(denied) - {"a", "of"}
        rules = [id for id, rule in RULES.items() if wanted <= stems(f"{rule.title} {rule.text}")]
        return rules + [test for test in proofs() if wanted <= stems(test)]
    first, _, second = denied.partition(" ")
    listed = IDLE["Commands"] if first in catalog.VERBS else IDLE["Kinds of object"] + IDLE["Types of channel"]
    if second and first not in catalog.VERBS:
        assert second in catalog.attributes(first), denied
        return [] if second in IDLE[f"Attributes of {first}"] else [f"{denied} acts"]
    return [] if denied in listed else [f"{denied} acts"]


@for_each(("title", "denied"), [(row.title, word) for row in trust.rows() for word in row.denies.split(", ") if word])
def test_nothing_contradicts_what_the_page_denies(title, denied):
    assert contradictions(denied) == [], f"the row {title!r} says that this is not done"


def test_whoever_denies_names_what_is_denied():
    for row in trust.rows():
        said = row.note if row.what in RULES else row.words
        assert row.denies or not (DENIAL.search(said) or row.what == trust.OUTSIDE), row.title


@for_each(
    "denied, by",
    ("message groups", "MQI-31"),
    ("segmented messages", "TRG-16"),
    ("MQGMO_COMPLETE_MSG", "put together again"),
    ("DISPLAY CHLAUTH", "DISPLAY CHLAUTH acts"),
    ("QLOCAL STREAMQ", "QLOCAL STREAMQ acts"),
    ("CFSTRUCT", "CFSTRUCT acts"),
    ("SDR", "SDR acts"),
    ("923", "STREAMQ"),
)
def test_a_denial_that_is_false_is_found(denied, by):
    assert any(by in str(each) for each in contradictions(denied)), contradictions(denied)


def test_what_is_listed_as_not_acted_on_is_noted_in_the_reply():
    qm = Lab().queue_manager("QM1", level=1000)
    definitions = ("DEFINE LISTENER(L) TRPTYPE(TCP)", "DEFINE QLOCAL(Q) DISTL(YES)")
    for text in (*definitions, "RESET QMGR TYPE(STATISTICS)", "PING QMGR"):
        assert "mqlab: " in str(qm.mqsc(text).require()), text
    page = trust.page()
    for heading, words in IDLE.items():
        assert f"- {heading}: {', '.join(words)}" in page


def test_the_page_says_which_level_was_not_read():
    assert any(row.denies == "1000" and "not read" in row.words for row in trust.rows())
    rows = {level: Lab().queue_manager("QM1", level=level).mqsc("DISPLAY QMGR").rows[0].keys() for level in (940, 1000)}
    assert rows[940] == rows[1000]


def test_what_calls_refuse_as_not_simulated_is_on_the_page():
    [left_out] = (items for title, _, items in trust.lists() if title == "Left out by a module")
    rooms = ("engine/queues", "properties", "pubsub")
    for path in (path for room in rooms for path in sorted((ROOT / "mqlab" / room).rglob("*.py"))):
        if "raise NotSimulated" in path.read_text(encoding="utf-8"):
            where = path.relative_to(ROOT).as_posix()
            assert any(where in item and "imulated" in item for item in left_out), where


def test_every_reading_is_in_the_data_file_of_its_room():
    for part in ("left_out", "readings"):
        for module, sentence in trust.sentences(part):
            assert (ROOT / module).exists(), f"{module} is in a {trust.SENTENCES}, and is no module: {sentence}"
            assert f"- {sentence} ({module})\n" in trust.page()
    marks = re.compile("[Oo]ur readings?|from memory|Left out:|(?<!except )NotSimulated:|without effect here")
    for path in sorted((ROOT / "mqlab").rglob("*.py")):
        if path.name != "trust.py":
            found = marks.findall(path.read_text(encoding="utf-8"))
            assert not found, f"{path}: {found} belongs in the {trust.SENTENCES} of its room, which reaches the page"


def test_every_rule_that_is_our_reading_is_on_the_page():
    ours = {rule.id for rule in RULES.values() if "our reading" in f"{rule.text} {rule.source}"}
    assert ours == {subject for subject, _ in trust.readings() if subject in RULES}
