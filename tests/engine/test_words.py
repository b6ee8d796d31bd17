"""The engine names none of its extras: no word of one in its code, its comments, and its data.

What is left is in words_left.json, a list that may only become shorter: `python tests/engine/test_words.py` writes it
again.
"""

import json
import re
from functools import cache
from pathlib import Path

import pytest

import mqlab

PACKAGE = Path(mqlab.__file__).parent
LEFT = Path(__file__).with_name("words_left.json")
ENGINE = ("engine",)
WORDS = {
    "everyplace": r"everyplace|\bMQe\b|MQE\b|MQeError",
    "sharing": r"\bQSG|\bIGQ|CFSTRUCT|CFLEVEL|queue.sharing|shared queue|coupling",
    "pubsub": r"publi(?:sh|cation)|subscri|\btopic(?!ally)|\bSUB\b|STREAMQ|\bSTQ-|streaming|consum(?:e|ing)",
    "properties": r"\bRFH2|MQRFH2|message propert|message handle|selector|\bPRP-|PROPCTL|\bconversion",
    "admin": r"\bPCF|command server|event message|\bEVT-|statistics|error log|AMQERR|\bexport",
    "ims": r"\bIMS|xcoupler",
    "ibmmq": r"\bibmmq|IBM's library",
    "views": r"mqlab\.views|the views|\bcards?\b",
    "estates": r"\bestates?\b",
    "course": r"\bcourse|exercise|notebook",
    "pipeline": r"\bSpark\b|pipeline",
}
"""Extras, each with the words that only it needs, in capitals or not."""


@cache
def places():
    """How often the files of the engine have the words of each extra."""
    found = {extra: {} for extra in WORDS}
    for room in ENGINE:
        for path in sorted(p for p in (PACKAGE / room).rglob("*") if p.suffix in (".py", ".toml", ".txt", ".json")):
            text = path.read_text(encoding="utf-8")
            for extra, words in WORDS.items():
                if many := len(re.findall(words, text, re.IGNORECASE)):
                    found[extra][path.relative_to(PACKAGE).as_posix()] = many
    return found


@pytest.mark.parametrize("extra", WORDS)
def test_no_word_of_an_extra_comes_into_the_engine(extra):
    left, found = json.loads(LEFT.read_text(encoding="utf-8"))[extra], places()[extra]
    more = {name: many for name, many in found.items() if many > left.get(name, 0)}
    assert sum(found.values()) <= sum(left.values()), f"{extra} is named in the engine, where it was not: {more}"


if __name__ == "__main__":
    LEFT.write_text(json.dumps(places(), indent=1) + "\n", encoding="utf-8")
