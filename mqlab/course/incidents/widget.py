"""An incident in a notebook: its desk as a widget, or only its pager message."""

from __future__ import annotations

from typing import Any

import anywidget

from ...views.cards.cards import card
from ...views.widgets.controls import use_main_thread
from ...views.widgets.stage import Live
from ..lessons import Card
from .desk import Desk, script, style
from .incident import Incident

_played: dict[tuple[int, str | None], OnCall] = {}


def desk(seed: int = 0, estate: str | None = None, interactive: bool = True, again: bool = False) -> OnCall | Card:
    """A desk at which to repair the incident of a seed; if not `interactive`, only its pager message.

    A desk at which something was done, and whose incident is open, is shown again, so that a cell that runs twice loses
    nothing; `again` begins from the pager message. LabError as for `Incident`.
    """
    kept = _played.get((seed, estate))
    if interactive and kept and not again and kept.desk.incident.state == "open" and kept.desk.incident.steps:
        return kept
    incident = Incident(seed, estate)
    if not interactive:
        return _briefing(incident)
    _played[seed, estate] = made = OnCall(incident)
    return made


def _briefing(incident: Incident) -> Card:
    """The pager message and the estate, for readers without a kernel."""
    title = f"Incident {incident.seed} in estate {incident.estate.name}: {incident.estate.title}"
    notes = {"Pager": incident.pager, "Estate": incident.estate.about}
    return Card(str(incident), card(title, notes=notes, failed=True))


class OnCall(Live, anywidget.AnyWidget):
    """A desk that answers the questions of its page in this kernel."""

    _esm, _css = script(), style()

    def __init__(self, incident: Incident) -> None:
        use_main_thread()
        super().__init__()
        self.desk = Desk(incident)
        self.on_msg(self._asked)

    def _asked(self, _widget: Any, asked: dict[str, Any], _buffers: Any) -> None:
        self.send({"to": asked["to"], "number": asked["number"], "text": self.desk.answer(asked["question"])})

    def without_kernel(self) -> Card:
        """The pager message and the estate."""
        return _briefing(self.desk.incident)
