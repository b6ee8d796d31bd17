"""The rule book: what makes each thing happen, in our own words, with its source.

The groups of rules, by the first letters of their ids, are in rules.toml, and in the rules.toml of each extra that has
rules, where `after` names the group before its own. Every event names the rule that caused it, and the test that proves
a rule is marked with its id.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import NamedTuple

from ..extra import extras
from .shown import shown


@shown
class Rule(NamedTuple):
    """One rule: its id, a title of a few words, its source, one to three sentences, what the lab simplifies in it, and
    the words that the trust page holds the lab to if it then says that something is not done."""

    id: str
    title: str
    source: str
    text: str
    simplified: str = ""
    denies: str = ""


def _books() -> tuple[dict[str, str], dict[str, Rule]]:
    """The groups and rules of the engine's rules.toml and of those of extras; line ends are spaces."""
    engine = files(__package__).joinpath("rules.toml").read_text("utf-8")
    headings: dict[str, dict[str, str]] = {}
    rules: dict[str, Rule] = {}
    for text in (engine, *(extra.text("rules.toml") for extra in extras())):
        tables = tomllib.loads(text)
        sources = tables.pop("sources", {})
        headings |= tables.pop("groups", {})
        for id, table in tables.items():
            words = {key: " ".join(words.split()) for key, words in table.items()}
            rules[id] = Rule(id, **{**words, "source": sources.get(words["source"], words["source"])})
    order: list[str] = []
    while left := [group for group in headings if group not in order]:
        behind = {group: headings[group].get("after", "") for group in left}
        group = next((one for one in left if behind[one] not in left), left[0])
        order.insert(order.index(behind[group]) + 1 if behind[group] in order else len(order), group)
    by_group = sorted(rules.items(), key=lambda item: (order.index(item[0].partition("-")[0]), item[0]))
    return {group: headings[group]["title"] for group in order}, dict(by_group)


GROUPS, RULES = _books()
"""The subject of each group of rules, by the first letters of their ids, and every rule by id, by group."""


def rule(id: str) -> Rule:
    """The rule with this id; KeyError that names the ids there are.

    >>> rule("EXP-15").title
    'An Expiry of zero is an error'
    """
    try:
        return RULES[id]
    except (KeyError, TypeError):
        raise KeyError(f"no rule {id!r}; the rule book has {', '.join(RULES)}") from None
