"""`%%predict`: a question whose experiment runs at once; the page shows the result after the learner's answer.

The widget judges on the page, so a busy kernel delays nothing; the kernel records. The same question as static
HTML precedes the widget: a page, or a notebook opened without its kernel, shows this one.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from IPython.core.magic import Magics, cell_magic, magics_class, no_var_expand
from IPython.display import display
from IPython.utils.capture import capture_output
from ipywidgets import Widget, widget_serialization
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from ...engine.words.errors import LabError
from ...lab.lab import Lab
from ...views.cards.cards import card
from ...views.text import escape
from ..exercises import progress
from ..imagined.variants import VARIANTS, offered
from ..lessons import Card, elements, run_python, strict
from ..texts import sentences
from .pages import Part, Question, explanation, markdown, plain, read, rules_of, static, style

_WIDGET = "application/vnd.jupyter.widget-view+json"
_PICTURES = ("text/html", "image/svg+xml", "image/png", "text/plain")


class Prediction(anywidget.AnyWidget):
    """A question on the page: `said` is a list, one answer for each part; `state` is asked, said, or skipped.

    `found` holds the right answers and all that the reveal shows; it travels as base64, not to be read in passing.
    `record` is called with the answers, None if skipped, and True if an earlier answer is known. `both` is the widget
    that shows a belief beside IBM MQ, once the page has sent the id of the belief.
    """

    _esm = elements() + Path(__file__).with_name("predict.js").read_text("utf-8")
    _css = style()
    spec = traitlets.Dict().tag(sync=True)
    kept = traitlets.Unicode().tag(sync=True)
    said = traitlets.List().tag(sync=True)
    state = traitlets.Unicode("asked").tag(sync=True)
    both = traitlets.Instance(Widget, allow_none=True).tag(sync=True, **widget_serialization)

    def __init__(
        self,
        question: Question,
        found: dict[str, Any],
        record: Callable[[list[Any] | None, bool], None],
        said: list[Any] | None = None,
    ) -> None:
        self._record, self._again = record, said is not None
        super().__init__(
            spec={**question.values(), "ask": found["ask"]},
            kept=base64.b64encode(json.dumps(found).encode()).decode(),
            said=said or [],
            state="asked" if said is None else "said",
        )
        self.observe(self._answered, "state")
        self.on_msg(lambda _, asked, __: self._show_both(asked.get("both")))

    def _show_both(self, id: Any) -> None:
        if isinstance(id, str) and id in VARIANTS:
            from ..imagined.show import Both  # the player, which most learners do not need

            self.both = Both(id)

    def _answered(self, change: Any) -> None:
        if change["new"] != "asked":
            self._record(list(self.said) if change["new"] == "said" else None, self._again)
            self._again = True

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget and nothing else: the output before it holds the question as text and HTML."""
        made = super()._repr_mimebundle_(**kwargs)
        data = (made[0] if isinstance(made, tuple) else made) or {}
        return {_WIDGET: data[_WIDGET]} if _WIDGET in data else {}


@magics_class
class PredictMagics(Magics):
    """The magic. An experiment runs once in a lab: run again there, it would show something else than the text says."""

    shell: Any

    def __init__(self, shell: Any):
        super().__init__(shell)
        self._ran: dict[str, tuple[str, list[Lab], dict[str, Any]]] = {}
        self._said: dict[str, list[Any]] = {}
        self._styled = ""

    @no_var_expand
    @cell_magic
    def predict(self, line: str, cell: str) -> None:
        """Ask for a prediction, run the experiment below ---, and show its result after the answer. Such as

        %%predict 01/full
        Nine more puts follow. How many of the nine fail?

        number 0 to 9 = failed
        ---
        failed = sum("2053" in outcome(qm.put, "ORDERS", "x") for _ in range(9))

        A part of the answer is `KIND [LABEL:] OPTIONS = EXPRESSION`; kinds are number, choose, several, order, text.
        """
        question, names = read(line, cell), self.shell.user_ns
        live, solve = names.get("interactive", True), names.get("solve", False)
        cells, labs, found = self._ran.get(question.id, ("", [], {}))
        if cells != cell or list(map(id, labs)) != list(map(id, self._labs())):
            try:
                found = self._run(question, cell)
            except NameError as error:
                if strict():
                    raise
                lead = f"This experiment needs the cells above it ({error}). Run them, then run this cell again."
                display(Card(lead, card("Not run", lead=lead)))
                return
            self._ran[question.id] = cell, self._labs(), found
        names["predicted"] = dict(zip(question.names, found["right"], strict=True))
        self._styled = self._styled or question.id
        page = static(question, found, answered=solve, styled=self._styled == question.id)
        display(Card(plain(question, found), page))
        if live:
            said = found["right"] if solve else self._earlier(question.id)
            display(Prediction(question, found, lambda *answer: self._record(question, found, *answer), said))

    def _labs(self) -> list[Lab]:
        """The labs that the notebook has a name for."""
        return [value for name, value in self.shell.user_ns.items() if isinstance(value, Lab) and name[:1] != "_"]

    def _run(self, question: Question, cell: str) -> dict[str, Any]:
        """Run the experiment and return all that the reveal shows; errors of the experiment are raised as they are."""
        why = explanation(question.id)
        with capture_output() as captured:
            for block in question.experiment:
                first, _, rest = block.partition("\n")
                if first.startswith("%%"):
                    magic, _, line = first[2:].partition(" ")
                    self.shell.run_cell_magic(magic, line, rest)
                else:
                    run_python(self.shell, block, above=1 + cell[: cell.find(block)].count("\n"))
        result, shown = _shown(captured, re.sub(r"\W", "-", question.id))
        right = [part.right(self.shell.user_ns) for part in question.parts]
        keys = [f"{question.id}: {part.label}" if part.label else question.id for part in question.parts]
        beliefs = [*map(sentences, keys)]
        for part, answer, known in zip(question.parts, right, beliefs, strict=True):
            if strict() and part.named(answer) in known:
                raise LabError(f"misconceptions.toml must list wrong answers to {question.id}; {answer} is right.")
        return {
            "ask": markdown(question.text),
            "right": right,
            "beliefs": [{said: markdown(words) for said, words in each.items()} for each in beliefs],
            "result": result,
            "shown": shown,
            "why": markdown(why),
            "said": why,
            "rules": rules_of(why),
            "code": "\n\n".join(map(_colored, question.experiment)),
            "both": [*map(offered, keys)],
        }

    def _earlier(self, id: str) -> list[Any] | None:
        """The answer of this learner, from before a restart too."""
        if id not in self._said:
            kept = progress.predictions(progress.read()[0])
            self._said = {each["key"]: each["said"] for each in kept if each["said"]} | self._said
        return self._said.get(id)

    def _record(self, question: Question, found: dict[str, Any], said: list[Any] | None, again: bool) -> None:
        if said is not None:
            self._said[question.id] = said
        right = [Part.agrees(*each) for each in zip(question.parts, said or (), found["right"], strict=False)]
        asked = {"asked": question.values(), "answers": found["right"]}
        progress.record_prediction(question.id, said, right, found["rules"], again, **asked)


def _shown(captured: Any, key: str) -> tuple[str, str]:
    """The output of an experiment as HTML and as text; a widget cannot be in it."""
    # `key` makes the ids of clips in a chart unique: they are in the page itself, where its style sheet reaches them
    page = [f'<pre tabindex="0">{escape(captured.stdout)}</pre>'] if captured.stdout.strip() else []
    text = [captured.stdout.rstrip()] if captured.stdout.strip() else []
    for output in captured.outputs:
        if _WIDGET in output.data:
            raise LabError("an experiment must not display a widget; show it in a cell of its own, after the question.")
        words = output.data.get("text/plain", "")
        kind = next((each for each in _PICTURES if each in output.data), "text/plain")
        data = output.data.get(kind, "")
        if kind == "image/png":
            data = f'<img alt="{escape(words)}" src="data:image/png;base64,{data}">'
        if kind == "image/svg+xml":
            data = re.sub(r'(id="|url\(#)part(?=\d)', rf"\1{key}-{len(page)}-part", data)
        page.append(f'<pre tabindex="0">{escape(words)}</pre>' if kind == "text/plain" else data)
        text.append(words)
    return "".join(page), "\n".join(text)


def _colored(block: str) -> str:
    """A block of the experiment as HTML, Python in color."""
    if block.startswith("%%mqsc"):
        return html.escape(block)
    return highlight(block, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")
