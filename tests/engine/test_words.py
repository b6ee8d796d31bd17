"""The engine names none of its extras: no word of one in its code, its comments, and its data.

Words that are MQ's own are in words_allowed.toml, with the reason. What is left to move is in words_left.json, a list
that may only become shorter: `python tests/engine/test_words.py` writes it again.
"""

import json
import re
import tomllib
from functools import cache
from pathlib import Path

import mqlab
from helpers import for_each

PACKAGE = Path(mqlab.__file__).parent
LEFT = Path(__file__).with_name("words_left.json")
ALLOWED = tomllib.loads(Path(__file__).with_name("words_allowed.toml").read_text(encoding="utf-8"))
ENGINE = PACKAGE / "engine"
WORDS = {
    "everyplace": r"everyplace|\bMQe\b|MQE\b|MQeError",
    "sharing": r"\bQSG|\bIGQ|intra.group|CFSTRUCT|CFLEVEL|queue.sharing|shared queue|coupling",
    "pubsub": r"publi(?:sh|cation)|subscri|\btopic(?!ally)|(?-i:\bSUB\b)|STREAMQ|\bSTQ-|streaming|consum(?:e|ing)",
    "properties": r"\bRFH2|MQRFH2|message propert|message handle|selector|\bPRP-|PROPCTL|\bconversion",
    "admin": r"AUTHREC|ENTAUTH|QMSTATUS|\bPCF|command server|event message|\bEVT-|statistics|error log|AMQERR|\bexport",
    "bridges": r"\bIMS|xcoupler|\bbridge",
    "ibmmq": r"\bibmmq|IBM's library",
    "views": r"mqlab\.views|the views|\bcards?\b",
    "estates": r"\bestates?\b",
    "course": r"\bcourse|exercise|notebook",
    "pipeline": r"\bSpark\b|pipeline",
    "any": r"mqlab\.(?:admin|bridges|everyplace|ibmmq|pcf|properties|pubsub|sharing|views|estates|course|pipeline)",
}
"""Extras, each with the words that only it needs, in capitals or not."""


def without_allowed(name, text):
    """The text of a file of the engine without the words that it may have, and the expressions that are not in it."""
    words = ALLOWED.get(name, {}).get("words", [])
    unused = []
    for expression in [words] if isinstance(words, str) else words:
        text, many = re.subn(expression, "", text)
        unused += [] if many else [expression]
    return text, unused


@cache
def places():
    """How often the files of the engine have the words of each extra, and what is allowed and not there."""
    found, unused = {extra: {} for extra in WORDS}, {}
    for path in sorted(p for p in ENGINE.rglob("*") if p.suffix in (".py", ".toml", ".txt", ".json")):
        name = path.relative_to(ENGINE).as_posix()
        text, unused[name] = without_allowed(name, path.read_text(encoding="utf-8"))
        for extra, words in WORDS.items():
            if many := len(re.findall(words, text, re.IGNORECASE)):
                found[extra][name] = many
    return found, unused


@for_each("extra", WORDS)
def test_no_word_of_an_extra_comes_into_the_engine(extra):
    left, found = json.loads(LEFT.read_text(encoding="utf-8")).get(extra, {}), places()[0][extra]
    more = {name: many for name, many in found.items() if many > left.get(name, 0)}
    assert not more, f"{extra} is named in the engine, where it was not: {more}"
    assert found == left, "words_left.json names places that are gone: write it again"


def test_each_allowed_word_is_needed_and_has_its_reason():
    unused = places()[1]
    assert all(row["why"] and not unused.get(name, ["no such file"]) for name, row in ALLOWED.items()), unused


if __name__ == "__main__":
    left = {extra: files for extra, files in places()[0].items() if files}
    LEFT.write_text(json.dumps(left, indent=1) + "\n", encoding="utf-8")
