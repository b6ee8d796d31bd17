"""Words between the controls of a panel, in the look of the pictures."""

from __future__ import annotations

import ipywidgets as widgets

from ..text import escape
from ..theme import style_sheet

__all__ = ["heading", "sheet", "words"]


def sheet() -> widgets.HTML:
    """The style sheet of a panel, once for all of its parts."""
    return widgets.HTML(f"<style>{style_sheet('.mqlab-panel', 'panel.css')}</style>", layout=widgets.Layout(margin="0"))


def words(html: str, kind: str) -> str:
    """HTML in a line of its own; what comes from the lab is escaped already."""
    return f'<div class="mqlab-words {kind}">{html}</div>'


def heading(title: str, level: int = 3) -> widgets.HTML:
    """A heading of a part of the panel."""
    return widgets.HTML(f"<h{level}>{escape(title)}</h{level}>", layout=widgets.Layout(margin="0"))
