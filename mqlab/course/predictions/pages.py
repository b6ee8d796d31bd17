"""A question of a notebook: its text, and HTML without script and kernel: radio buttons, `:has()`, and `<details>`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from ...engine.words.errors import LabError
from ...engine.words.rulebook import RULES
from ...views.text import RULE_ID, escape
from ...views.theme import style_sheet

KINDS = ("number", "choose", "several", "order", "text")
_LINE = re.compile(rf"^({'|'.join(KINDS)})\b(?:\s+([^:|=]+):)?\s*(.*?)\s=\s(.+)$")
_ID = re.compile(r"[0-9]{2}/[a-z][a-z0-9-]*")
_MOST = 12
"""A range of at most so many numbers becomes buttons; a longer one is a field."""

Answer = int | str | list[str]


class Part(NamedTuple):
    """One part of the answer: its kind, its label ("" for none), what can be chosen, and the author's expression."""

    kind: str
    label: str
    options: list[str]
    low: int | None
    high: int | None
    truth: str

    @property
    def offered(self) -> list[Any]:
        """The values that have a button each; empty for a field."""
        if self.low is not None and self.high is not None and self.high - self.low < _MOST:
            return list(range(self.low, self.high + 1))
        return self.options

    def right(self, names: dict[str, Any]) -> Answer:
        """The right answer, from `names` after the experiment.

        Raises LabError if the question does not allow this answer; an error of the expression is raised as it is.
        """
        value = eval(self.truth, names)  # noqa: S307 - the author's expression
        if self.kind == "number":
            number = int(value)
            fits = self.low is None or self.high is None or self.low <= number <= self.high
            return self._checked(number, fits)
        if self.kind in ("several", "order"):
            found = [_text(one) for one in value]
            ordered = sorted(found) == sorted(self.options)
            return self._checked(found, ordered if self.kind == "order" else set(found) <= set(self.options))
        return self._checked(_text(value), self.kind == "text" or _text(value) in self.options)

    def named(self, answer: Any) -> str:
        """An answer as misconceptions.toml names it: `several` in the order of the options."""
        return told([one for one in self.options if one in answer] if self.kind == "several" else answer)

    def _checked(self, value: Answer, fits: bool) -> Answer:
        if not fits:
            offered = f"{self.low} to {self.high}" if self.kind == "number" else " | ".join(self.options)
            raise LabError(
                f"the answer {self.truth} must be among {offered}; got {value!r}. Change the part's options."
            )
        return value

    def agrees(self, said: Any, right: Answer) -> bool:
        """Return True if the learner's answer is the right one; case and the order of `several` do not count."""
        from ..lessons import agrees  # loads labs, which a page does not need

        if self.kind == "several" and isinstance(said, list) and isinstance(right, list):
            return agrees(sorted(map(str, said)), sorted(right))
        return agrees(said, right)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


class Question(NamedTuple):
    """A prediction: its id, such as 01/tart, its text, the parts of the answer, and the experiment's blocks."""

    id: str
    text: str
    parts: list[Part]
    experiment: list[str]

    @property
    def names(self) -> list[str]:
        """A name for each part: its label, or the question's id."""
        return [part.label or self.id for part in self.parts]

    def values(self) -> dict[str, Any]:
        """The question as the widget takes it, without any answer."""
        parts = [
            {"kind": each.kind, "label": each.label, "low": each.low, "high": each.high, "options": each.offered}
            for each in self.parts
        ]
        return {"id": self.id, "plain": " ".join(self.text.split()), "parts": parts}


def read(line: str, cell: str) -> Question:
    """Read a `%%predict` cell: `line` is the rest of its first line.

    >>> asked = read("01/full", "How many?\\n\\nnumber 0 to 8 = qm.depth('ORDERS')\\n---\\nqm.put('ORDERS', '')")
    >>> asked.text, asked.parts[0].offered[-1], asked.experiment
    ('How many?', 8, ["qm.put('ORDERS', '')"])

    Raises LabError if the cell lacks an id, a part, or an experiment, or if a range is not one.
    """
    head, *blocks = re.split(r"^---[ \t]*(?:\n|\Z)", cell, flags=re.MULTILINE)
    words, parts = [], []
    for each in head.splitlines():
        found = _LINE.match(each.strip())
        if found is None:
            words.append(each)
        else:
            parts.append(_part(each, *found.groups()))
    if not _ID.fullmatch(line.strip()):
        raise LabError(f"a prediction must have an id, such as %%predict 01/tart; got {line.strip() or 'nothing'}.")
    if not parts or not blocks:
        missing = "an experiment after ---" if parts else "a line such as `number 0 to 8 = qm.depth('ORDERS')`"
        raise LabError(f"the prediction {line.strip()} must have {missing}.")
    return Question(line.strip(), "\n".join(words).strip(), parts, [block.strip("\n") for block in blocks])


def _part(line: str, kind: str, label: str | None, options: str, truth: str) -> Part:
    ends = re.fullmatch(r"(-?\d+) to (-?\d+)", options)
    if kind == "number" and options and ends is None:
        raise LabError(f"the range of a number must be such as 0 to 8; got {options!r} in {line.strip()!r}.")
    if kind in ("choose", "several", "order") and "|" not in options:
        raise LabError(f"{kind} must have options such as a | b | c; got {options or 'none'!r} in {line.strip()!r}.")
    low, high = map(int, ends.groups()) if ends and kind == "number" else (None, None)
    several = [each.strip() for each in options.split("|")] if options and kind not in ("number", "text") else []
    return Part(kind, (label or "").strip(), several, low, high, truth)


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
    return list(dict.fromkeys(id for id in RULE_ID.findall(text) if id in RULES))


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
    return RULE_ID.sub(_named, text)


def _named(found: re.Match[str]) -> str:
    rule = RULES.get(found[0])
    if rule is None:
        return found[0]
    tip = escape(f"{rule.title}. {rule.text}")
    return (
        f'<span class="rule" role="note" tabindex="0" data-lm-suppress-shortcuts="true" '
        f'aria-label="Rule {rule.id}: {tip}" data-tip="{tip}">{rule.id}</span>'
    )


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
    rows, results, complete, right, beliefs, believed = "", "", "", "", "", ""
    for number, (part, answer) in enumerate(zip(question.parts, found["right"], strict=True)):
        boxes, is_complete, is_right = _controls(part, answer, f"{key}-{number}", f".p{number}", answered)
        label = escape(part.label)
        rows += f'<fieldset class="p{number}"><legend>{label or "Your prediction"}</legend>{boxes}</fieldset>'
        results += f'<p class="told">{label + ": " if label else "It is "}<strong>{escape(told(answer))}</strong></p>'
        complete, right = complete + is_complete, right + is_right
        for rank, (wrong, words) in enumerate(found["beliefs"][number].items()):
            if chosen := _chosen(part, wrong, f".p{number}"):
                beliefs += f'<div class="belief b{number}-{rank}">{words}</div>'
                believed += f"#{key}{chosen} .b{number}-{rank}{{display:block}}"
    skip = verdict = rules = ""
    if not answered:
        skip = (
            f'<label class="pick skip"><input type="radio" name="{key}-0" class="skipped" {_KEEP}>'
            "<span>Skip: show me</span></label>"
        )
        verdict = '<span class="v-ok">You were right.</span><span class="v-no">A surprise.</span>'
        verdict = f'<div class="verdict">{verdict}{beliefs}</div>'
        rules = _rules(f"#{key}", complete, right) + believed
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


def _chosen(part: Part, answer: str, here: str) -> str:
    """The selector of one answer to a part; empty for a field, because a selector cannot read its text."""
    chosen = [answer] if part.kind in ("choose", "number") else answer.split(", ")
    if part.kind == "order":
        rows = ((part.options.index(name) + 1, column) for column, name in enumerate(chosen, 2))
        return "".join(f":has({here} li:nth-of-type({row}) option:nth-child({column}):checked)" for row, column in rows)
    selector = ""
    for number, option in enumerate(map(str, part.offered), 1):
        box = f":has({here} label:nth-of-type({number}) :checked)"
        selector += box if option in chosen else f":not({box})" if part.kind == "several" else ""
    return selector


def _controls(part: Part, right: Any, name: str, here: str, answered: bool) -> tuple[str, str, str]:
    """The controls of one part, and what a selector says of an answer that is complete and of one that is right."""
    if part.kind in ("number", "choose") and part.offered:
        type = f'type="radio" name="{name}"'
        boxes = "".join(_pick(type, one, part.agrees(one, right), answered) for one in part.offered)
        return boxes, f":has({here} :checked:not(.skipped))", f":has({here} [data-ok]:checked)"
    if part.kind == "several":
        boxes = "".join(_pick('type="checkbox"', one, one in right, answered) for one in part.offered)
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


def _pick(type: str, option: Any, ok: bool, answered: bool) -> str:
    """A box to choose an option."""
    marks = (" data-ok" if ok else "") + (" checked" if ok and answered else "")
    return f'<label class="pick"><input {type} {_KEEP}{marks}><span>{escape(option)}</span></label>'


def _place(one: str, right: list[str], answered: bool) -> str:
    places = "".join(
        f"<option{' data-ok' if right[n] == one else ''}{' selected' if answered and right[n] == one else ''}>"
        f"{n + 1}</option>"
        for n in range(len(right))
    )
    first = "" if answered else "<option disabled selected>place</option>"
    return f"<li><label>{escape(one)} <select {_KEEP}>{first}{places}</select></label></li>"
