"""The refusals of calls: each case has a known reason and rule, and each refusal gives the fields of its case."""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import mqlab
from helpers import mq_error
from mqlab import RULES
from mqlab.engine.commands import advice
from mqlab.engine.commands.control_commands import _AS_SHOWN
from mqlab.engine.commands.replies import CODES
from mqlab.engine.words import constants
from mqlab.engine.words.refusals import ANY, Grounds, cases
from mqlab.engine.words.templates import fields_of
from mqlab.lab.extras import ROOMS

CASES = cases()
ERRORS = ("ChannelError", "Refused")
"""The errors of refused commands, whose reasons are the numbers of AMQ messages."""
CARRIED = 6
"""The refusals of commands in the engine that carry the text of another error: of the catalog, a call, or a channel."""


def fields_in(reason: int, case: str) -> set[str]:
    entry = CASES.get((reason, case)) or CASES[ANY, case]
    return (fields_of(entry.said) | fields_of(entry.hint) | fields_of(entry.subject)) - {"name"}


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def calls(folder: Path, *words: str) -> Iterator[tuple[Path, ast.Call]]:
    """The calls in the modules below a folder whose text has one of these words, each with its module."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if any(word in text for word in words):  # to parse all of them takes long
            yield from ((path, node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))


def refusals() -> Iterator[tuple[str, int, str, set[str] | None]]:
    """The refusals whose reason and case are written out: where, reason, case, and fields (None if computed)."""
    for path, node in calls(Path(mqlab.__file__).parent, "refuse", "give_up", "Grounds", *ERRORS):
        if len(node.args) < 2 or not _is_text(node.args[1]):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        first = node.args[0]
        name = first.attr if isinstance(first, ast.Attribute) else getattr(first, "id", "")
        reason = first.value if isinstance(first, ast.Constant) else getattr(constants, name, None)
        if called not in ("refuse", "_refuse", "give_up", "Grounds", *ERRORS) or reason is None:
            continue
        given: set[str] | None = {word.arg for word in node.keywords if word.arg not in (None, "name")}
        if called in ("give_up", "Grounds"):
            dictionary = node.args[2]
            known = isinstance(dictionary, ast.Dict) and None not in dictionary.keys
            given = {key.value for key in dictionary.keys} if known else None
        elif any(word.arg is None for word in node.keywords):
            given = None
        yield f"{path.name}:{node.lineno}", reason, node.args[1].value, given


def advices() -> Iterator[tuple[str, set[str]]]:
    """The advice about texts that are no MQSC: the case, and the fields."""
    for _, node in calls(Path(advice.__file__).parent, "Advice"):
        if getattr(node.func, "id", "") == "Advice" and isinstance(node.args[1], ast.Dict):
            given = {key.value if key else "" for key in node.args[1].keys}
            if "" not in given:
                yield node.args[0].value, given


def written(room: str) -> list[str]:
    """Where code of a room writes the sentence of a refused command: in a call, or in that of a case "in-words"."""
    found = []
    for path, node in calls(Path(mqlab.__file__).parent / room, *ERRORS):
        if getattr(node.func, "attr", getattr(node.func, "id", "")) not in ERRORS:
            continue
        values = [*node.args, *(word.value for word in node.keywords)]
        parts = [part for value in values for part in (value.values if isinstance(value, ast.JoinedStr) else [value])]
        texts = [part.value for part in parts if _is_text(part)]
        if any(" " in text and text.strip() for text in texts) or "in-words" in texts:
            found.append(f"{path.name}:{node.lineno}")
    return found


def test_a_case_has_a_reason_and_a_rule_that_there_are_and_one_room():
    assert {reason for reason, _ in CASES} <= {*constants.REASONS, *CODES, *_AS_SHOWN}
    assert {case.rule for case in CASES.values()} - {None} <= set(RULES)
    assert len(CASES) > 150  # the engine's own, where every extra is left out
    found = Path(mqlab.__file__).parent.rglob("refusals.toml")
    rooms = [page for page in found if page.parent.name != "scenarios"]  # there, the words of a story have this name
    pages = [tomllib.loads(page.read_text("utf-8")) for page in rooms]
    assert sum(len(names) for page in pages for names in page.values()) == len(CASES)


def test_a_refusal_gives_the_fields_of_its_case():
    sites = list(refusals())
    assert len(sites) > 80
    known = {*CASES}
    assert not [(where, reason, case) for where, reason, case, _ in sites if not {(reason, case), (ANY, case)} & known]
    wrong = [
        (where, case, given, fields_in(reason, case))
        for where, reason, case, given in sites
        if given is not None and given != fields_in(reason, case)
    ]
    assert not wrong


def test_no_sentence_is_written_where_a_command_is_refused_and_advice_gives_the_fields_of_its_case():
    assert len(written("engine")) <= CARRIED
    assert not [where for room in ROOMS for where in written(room)]
    found = [*advices()]
    assert len(found) > 10
    assert not [(case, given) for case, given in found if given != fields_in(8405, case)]


def test_a_case_is_named_in_the_code_of_its_room():
    """As a text, or as the beginning or the end of one that is put together; the engine names cases of extras too."""
    root = Path(mqlab.__file__).parent
    wholes, parts = defaultdict(set), defaultdict(set)
    for path in root.rglob("*.py"):
        room = path.relative_to(root).parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts[room] |= {one.value for one in node.values if _is_text(one) and len(one.value) > 4}
            elif _is_text(node):
                wholes[room].add(node.value)
    for page in root.rglob("refusals.toml"):
        rooms = {*wholes} - {*ROOMS} | {page.relative_to(root).parts[0]}
        whole, part = set().union(*(wholes[room] for room in rooms)), set().union(*(parts[room] for room in rooms))
        ends = tuple(part | {text for text in whole if text.startswith("-")})
        names = {name for by_name in tomllib.loads(page.read_text(encoding="utf-8")).values() for name in by_name}
        assert not [each for each in names - whole if not each.endswith(ends) and not each.startswith(tuple(part))]


def test_a_sentence_is_made_when_it_is_read(lab):
    error = mq_error(lab.queue_manager("QM1").get, "NONE")
    assert error.grounds == Grounds(2085, "no-queue", {"queue": "NONE"})
    assert (error.said, error.hint, error.rule) == ("no queue has this name", "DEFINE QLOCAL(NONE)", "MQI-14")
