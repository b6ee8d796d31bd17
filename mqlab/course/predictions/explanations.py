"""Why a prediction comes out as it does: the texts of answers/NN.md, kept out of the notebooks, as HTML."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from ...engine.words.errors import LabError
from ...engine.words.rulebook import RULES
from ...views.text import escape

_RULE = re.compile(r"\b[A-Z]{3}-\d\d[a-z]?\b")


@cache
def explanations(book: str) -> dict[str, str]:
    """The explanations of a notebook such as "01", as markdown by key; empty if it has no predictions."""
    file = files(__package__).joinpath("answers", f"{book}.md")
    _, *found = re.split(r"^## (.+)\n", file.read_text("utf-8"), flags=re.MULTILINE) if file.is_file() else [""]
    return {key.strip(): text.strip() for key, text in zip(found[::2], found[1::2], strict=True)}


def explanation(id: str) -> str:
    """The explanation of a prediction such as 01/tart, as markdown; LabError if there is none."""
    book, _, key = id.partition("/")
    if key not in explanations(book):
        raise LabError(f"the prediction {id} must have an explanation: ## {key} in answers/{book}.md has none.")
    return explanations(book)[key]


def rules_of(text: str) -> list[str]:
    """The ids of the rules that a text names, in its order.

    >>> rules_of("By priority (MQI-02), not by arrival (MQI-01, MQI-02).")
    ['MQI-02', 'MQI-01']
    """
    return list(dict.fromkeys(id for id in _RULE.findall(text) if id in RULES))


def markdown(text: str) -> str:
    """Paragraphs, lists, tables, bold, italics, and code as HTML; the ids of rules show their text on hover or focus.

    >>> markdown("**Two**, says `qm`.")
    '<p><strong>Two</strong>, says <code>qm</code>.</p>'
    """
    return "".join(map(_block, re.split(r"\n\s*\n", text.strip())))


def _block(text: str) -> str:
    if text.lstrip().startswith("- "):
        items = re.split(r"^\s*- ", text, flags=re.MULTILINE)[1:]
        return "<ul>" + "".join(f"<li>{_inline(each)}</li>" for each in items) + "</ul>"
    if text.startswith("|"):
        head, _, *rows = ([cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines())
        top = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in head)
        body = "".join("<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f"<p>{_inline(text)}</p>"


def _inline(text: str) -> str:
    text = escape(" ".join(text.split()))
    for mark, tag in ((r"`([^`]+)`", "code"), (r"\*\*([^*]+)\*\*", "strong"), (r"\*([^*]+)\*", "em")):
        text = re.sub(mark, rf"<{tag}>\1</{tag}>", text)
    return _RULE.sub(_named, text)


def _named(found: re.Match[str]) -> str:
    rule = RULES.get(found[0])
    if rule is None:
        return found[0]
    tip = escape(f"{rule.title}. {rule.text}")
    return (
        f'<span class="rule" role="note" tabindex="0" data-lm-suppress-shortcuts="true" '
        f'aria-label="Rule {rule.id}: {tip}" data-tip="{tip}">{rule.id}</span>'
    )
