"""The opening of an exercise in a notebook: a form for the predictions, then the failure and a player at its start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from ...engine.words.errors import LabError
from ...views.text import escape
from ...views.widgets.controls import button, html, labeled, row, sheet, words
from ...views.widgets.stage import Live
from ..lessons import Card
from .checking import expected, from_the_start, not_drawn
from .exercise import Prediction
from .opening import Opening


class OpeningWidget(Live, widgets.VBox):
    """An `Opening`: `fields` take the predictions by key; `stage` is None until they were made or skipped, and if
    nothing can be drawn."""

    def __init__(self, opening: Opening, keep: Callable[[dict[str, Any]], object], skip: Callable[[], object]) -> None:
        self.opening, self.stage = opening, None
        self._keep, self._skip = keep, skip
        self.fields = {each.key: self._field(each) for each in opening.asked}
        self.keep_button = button("Show what happens")
        self.skip_button = button("Skip")
        self.keep_button.add_class("go")
        self.skip_button.add_class("quiet")
        self.keep_button.on_click(lambda _: self._answer())
        self.skip_button.on_click(lambda _: self._leave())
        self.note = html()
        self._top = (sheet(), html(opening.before.html))
        super().__init__([*self._top, *self._form()])
        self.add_class("mqlab-panel").add_class("mqlab-opening")
        if not opening.asked:
            self._show()

    def _form(self) -> list[widgets.Widget]:
        asked = html(words("<strong>Predict first</strong>, then see what happens.", "ask"))
        prompts = [
            part
            for each in self.opening.asked
            for part in (html(words(escape(each.prompt), "")), self.fields[each.key])
        ]
        form = widgets.VBox([asked, *prompts, row(self.keep_button, self.skip_button), self.note])
        return [form.add_class("mqlab-asks")]

    def _field(self, asked: Prediction) -> widgets.Widget:
        wanted = self._kind(asked.key)
        if wanted is bool:
            return widgets.ToggleButtons(
                options=["True", "False"], value=None, tooltips=[asked.prompt] * 2, style={"button_width": "auto"}
            )
        return widgets.Text(placeholder="a word" if wanted is str else "a number", **labeled("Your answer"))

    def _kind(self, key: str) -> type:
        """The type of answer that a prediction asks for."""
        return type(expected(self.opening.exercise)[key][0])

    def _read(self, key: str, typed: str) -> object:
        """The value of a typed answer; LabError if it must be a number, and is none."""
        if (wanted := self._kind(key)) in (str, bool):
            return typed == "True" if wanted is bool else typed
        try:
            return float(typed) if "." in typed else int(typed)
        except ValueError:
            raise LabError(f"The answer must be a number; got {typed!r}.") from None

    def _answer(self) -> None:
        """Keep the typed answers, and show what happens."""
        # for an answer of the wrong kind, show the error and keep nothing
        typed = {key: (field.value or "").strip() for key, field in self.fields.items()}
        try:
            if not any(typed.values()):
                raise LabError("Type an answer to at least one question, or press Skip.")
            said = {key: self._read(key, value) for key, value in typed.items() if value}
            self._keep(said)
            self._show()
        except LabError as wrong:
            self.note.value = words(escape(str(wrong)), "refused")

    def _leave(self) -> None:
        """Skip what was not answered, and show what happens."""
        self._skip()
        self._show()

    def _show(self) -> None:
        sentence = not_drawn()
        self.stage = None if sentence else from_the_start(self.opening.result.lab)
        self.children = (*self._top, html(self.opening.after.html), html(sentence.html) if sentence else self.stage)

    def without_kernel(self) -> Card:
        """The opening as text and HTML."""
        return self.opening.still
