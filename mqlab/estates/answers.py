"""Answers to questions about an estate: a sentence, a table, and a picture, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..engine.words.errors import visible
from ..views.plug import show as shown
from .proofs import rested

if TYPE_CHECKING:
    import pandas as pd

    from ..views.drawing.scene import Picture
    from .definitions import Definitions


class Answer:
    """An answer: `title`, a sentence; `columns` and `rows`, a table of `what`; `facts`, what is not in the table.

    `str` is the title and a line for each row; a notebook shows the table. `failed` says whether the title is bad news.
    """

    title = ""
    what = "Rows"
    columns: tuple[str, ...] = ()
    failed = False

    def __init__(self, estate: Definitions):
        self._estate = estate

    @property
    def rows(self) -> list[tuple]:
        """The rows of its table."""
        return []

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts that are not in the table, by name, as JSON values."""
        return {}

    @property
    def objects(self) -> list[str]:
        """The objects that its picture shows, by their keys in `Lab.topology`."""
        return []

    def to_frame(self) -> pd.DataFrame:
        """Its rows as a pandas frame."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=list(self.columns))

    def to_json(self) -> str:
        """Its facts and its `rows`, one object for each, as JSON text."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return json.dumps({"title": self.title, **self.facts, "rows": rows}, indent=1)

    def picture(self) -> Picture:
        """Its objects and what is between them, drawn. LabError if this process cannot draw."""
        from ..views.drawing.scene import lab_picture

        return lab_picture(rested(self._estate).lab, objects=self.objects)

    def __str__(self) -> str:
        words = {True: "yes", False: "NO ", None: "?"}
        cells = ((words[cell] if isinstance(cell, bool | None) else str(cell) for cell in row) for row in self.rows)
        return visible("\n".join([self.title, *("  ".join(each).rstrip() for each in cells)]))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.title!r})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return shown(self, "cards.lab_cards.answer_card", include, exclude)
