"""A question as HTML that needs neither a script nor a kernel: radio buttons, `:has()`, and `<details>`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

from ...views.text import escape
from ...views.theme import style_sheet
from .question import Part, Question

_KEEP = 'data-lm-suppress-shortcuts="true"'  # or "1" on a radio button would make the cell a heading


@cache
def style() -> str:
    """The style sheet of all questions, live and static; a notebook and a page need it once."""
    css = files(__package__).joinpath("predict.css").read_text("utf-8")
    return style_sheet(".mqlab-predict") + re.sub(r"/\*.*?\*/|\n", "", css)


def told(right: Any) -> str:
    """An answer in words.

    >>> told(["FIRST", "DEPTH"]), told([]), told(2)
    ('FIRST, DEPTH', 'none of them', '2')
    """
    return (", ".join(map(str, right)) or "none of them") if isinstance(right, list) else str(right)


def plain(question: Question, found: dict[str, Any]) -> str:
    """The question, its answer, what the experiment showed, and why, as text."""
    answers = "; ".join(
        (f"{part.label}: " if part.label else "") + told(right)
        for part, right in zip(question.parts, found["right"], strict=True)
    )
    lines = [f"Predict: {' '.join(question.text.split())}", found["shown"], f"Answer: {answers}", found["said"]]
    return "\n".join(filter(None, lines))


def static(question: Question, found: dict[str, Any], answered: bool = False, styled: bool = True) -> str:
    """The question as HTML without a script; `answered` shows it filled in and open, `styled` brings the style sheet.

    `:has()` must not be inside `:has()`, so each question brings a few rules of its own, made from its parts.
    """
    key = "predict-" + re.sub(r"\W", "-", question.id)
    rows, results, complete, right = "", "", "", ""
    for number, (part, answer) in enumerate(zip(question.parts, found["right"], strict=True)):
        boxes, is_complete, is_right = _controls(part, answer, f"{key}-{number}", f".p{number}", answered)
        label = escape(part.label)
        rows += f'<fieldset class="p{number}"><legend>{label or "Your prediction"}</legend>{boxes}</fieldset>'
        results += f'<p class="told">{label + ": " if label else "It is "}<strong>{escape(told(answer))}</strong></p>'
        complete, right = complete + is_complete, right + is_right
    skip = verdict = rules = ""
    if not answered:
        skip = (
            f'<label class="pick skip"><input type="radio" name="{key}-0" class="skipped" {_KEEP}>'
            "<span>Skip: show me</span></label>"
        )
        verdict = '<p class="verdict"><span class="v-ok">As you said.</span><span class="v-no">A surprise.</span></p>'
        rules = _rules(f"#{key}", complete, right)
    sheet = f"<style>{style() if styled else ''}{rules}</style>" if styled or rules else ""
    return (
        f'{sheet}<section class="mqlab-predict static" id="{key}" '
        f'aria-label="Prediction: {escape(" ".join(question.text.split()))}">'
        f'<div class="kicker">Predict</div><div class="ask">{found["ask"]}</div>{rows}{skip}'
        f"<details{' open' if answered else ''}><summary {_KEEP}>See the result</summary>{verdict}{results}"
        f'<div class="why">{found["why"]}</div><div class="result">{found["result"]}</div>'
        f'<pre class="code" tabindex="0" {_KEEP}>{found["code"]}</pre></details></section>'
    )


def _rules(here: str, complete: str, right: str) -> str:
    """CSS that shows the result once every part has an answer or is skipped, with its verdict."""
    skipped = f"{here}:has(.skipped:checked)"
    return (
        f"{here}>details{{display:none}}{here}{complete}>details,{skipped}>details{{display:block}}"
        f"{here} .v-ok{{display:none}}{here}{right} .v-ok{{display:inline}}"
        f"{here}{right} .v-no,{skipped} .verdict{{display:none}}"
        f"@supports not selector(:has(*)){{{here}>details{{display:block}}{here} .verdict{{display:none}}}}"
    )


def _controls(part: Part, right: Any, name: str, here: str, answered: bool) -> tuple[str, str, str]:
    """The controls of one part, and what a selector says of an answer that is complete and of one that is right."""
    if part.kind in ("number", "choose") and part.offered:
        boxes = "".join(
            f'<label class="pick"><input type="radio" name="{name}" {_KEEP}{_marks(part.agrees(one, right), answered)}>'
            f"<span>{escape(one)}</span></label>"
            for one in part.offered
        )
        return boxes, f":has({here} :checked:not(.skipped))", f":has({here} [data-ok]:checked)"
    if part.kind == "several":
        boxes = "".join(
            f'<label class="pick"><input type="checkbox" {_KEEP}{_marks(one in right, answered)}>'
            f"<span>{escape(one)}</span></label>"
            for one in part.offered
        )
        return boxes, "", f":not(:has({here} [data-ok]:not(:checked),{here} :checked:not([data-ok])))"
    if part.kind == "order":
        boxes = "<ol>" + "".join(_place(one, right, answered) for one in part.offered) + "</ol>"
        undecided = f":not(:has({here} option:disabled:checked))"
        return boxes, undecided, f":not(:has({here} option:checked:not([data-ok])))"
    value = f' value="{escape(right)}"' if answered else ""
    pattern = escape("".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else re.escape(c) for c in str(right)))
    field = (
        f'<input class="field" placeholder=" " aria-label="{escape(part.label or "Your prediction")}" required '
        f'pattern="\\s*{pattern}\\s*"{value} {_KEEP}>'
    )
    return field, f":has({here} input:not(:placeholder-shown))", f":has({here} input:valid)"


def _marks(ok: bool, answered: bool) -> str:
    return (" data-ok" if ok else "") + (" checked" if ok and answered else "")


def _place(one: str, right: list[str], answered: bool) -> str:
    places = "".join(
        f"<option{' data-ok' if right[n] == one else ''}{' selected' if answered and right[n] == one else ''}>"
        f"{n + 1}</option>"
        for n in range(len(right))
    )
    first = "" if answered else "<option disabled selected>place</option>"
    return f"<li><label>{escape(one)} <select {_KEEP}>{first}{places}</select></label></li>"
