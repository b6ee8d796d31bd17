"""An incident in a notebook: its desk as a widget, or only its pager message."""

from __future__ import annotations

from typing import Any

import anywidget

from ...views.cards.cards import card
from ...views.widgets.controls import use_main_thread
from ...views.widgets.stage import Live
from .desk import Desk, script, style
from .incident import Incident

_played: dict[tuple[int, str | None], OnCall] = {}


def desk(seed: int = 0, estate: str | None = None, interactive: bool = True, again: bool = False) -> OnCall | Briefing:
    """A desk at which to repair the incident of a seed; if not `interactive`, only its pager message.

    A desk at which something was done, and whose incident is open, is shown again, so that a cell that runs twice loses
    nothing; `again` begins from the pager message. LabError as for `Incident`.
    """
    kept = _played.get((seed, estate))
    if interactive and kept and not again and kept.desk.incident.state == "open" and kept.desk.incident.steps:
        return kept
    incident = Incident(seed, estate)
    if not interactive:
        return Briefing(incident)
    _played[seed, estate] = made = OnCall(incident)
    return made


class Briefing:
    """The pager message and the estate, for readers without a kernel."""

    def __init__(self, incident: Incident) -> None:
        self.incident = incident

    def __repr__(self) -> str:
        return str(self.incident)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        title = f"Incident {self.incident.seed} in estate {self.incident.estate.name}: {self.incident.estate.title}"
        notes = {"Pager": self.incident.pager, "Estate": self.incident.estate.about}
        return {"text/plain": str(self.incident), "text/html": card(title, notes=notes, failed=True)}


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

    def without_kernel(self) -> Briefing:
        """The pager message and the estate."""
        return Briefing(self.desk.incident)
