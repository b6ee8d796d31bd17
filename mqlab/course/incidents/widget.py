"""An incident in a notebook: the pager, the map of the estate, a console, the error logs, and the clock."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import ipywidgets as widgets

from ...engine.words.errors import LabError
from ...lab.lab import Lab
from ...views.cards.cards import card, lab_error_card
from ...views.cards.tables import table
from ...views.drawing.scene import lab_picture
from ...views.player.calls import Call
from ...views.player.duel import Race
from ...views.text import escape
from ...views.widgets.controls import Console, button, heading, html, row, sheet, words
from ...views.widgets.panel import Duel
from ...views.widgets.stage import Live
from .estate import Estate
from .incident import HINT_MINUTES, WATCH_MINUTES, Incident


def desk(seed: int = 0, estate: str | None = None, interactive: bool = True) -> Desk | Briefing:
    """A desk at which to repair the incident of a seed; if not `interactive`, only its pager message and its map.

    LabError as for `Incident`.
    """
    incident = Incident(seed, estate)
    return Desk(incident) if interactive else Briefing(incident)


def estate_map(estate: Estate) -> str:
    """A picture of an estate in which nothing is wrong, and a table of its queues and channels, as HTML."""
    with closing(Lab()) as lab:
        estate.build(lab)
        lab.advance(60)
        picture, rows = lab_picture(lab).svg, []
        for qmgr in lab.queue_managers:
            queues = [row["QUEUE"] for row in qmgr.mqsc("DISPLAY QUEUE(*)").rows]
            channels = [row["CHANNEL"] for row in qmgr.mqsc("DISPLAY CHANNEL(*)").rows]
            own = [" ".join(name for name in names if not name.startswith("SYSTEM.")) for names in (queues, channels)]
            rows.append((qmgr.name, *own))
    return f'<div class="mqlab-map">{picture}{table("Objects", ("Queue manager", "Queues", "Channels"), rows)}</div>'


class Briefing:
    """The pager message and the estate, for readers without a kernel."""

    def __init__(self, incident: Incident) -> None:
        self.incident = incident

    def __repr__(self) -> str:
        return str(self.incident)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self.incident), "text/html": _briefing(self.incident)}


def _briefing(incident: Incident) -> str:
    title = f"Incident {incident.seed} in estate {incident.estate.name}"
    notes = {"Pager": incident.pager, "Estate": incident.estate.about}
    return card(f"{title}: {incident.estate.title}", notes=notes, failed=True)


def _lines(text: str) -> str:
    """Lines of text as HTML that a screen reader announces; a long line is broken between words."""
    style = "word-break:normal;overflow-wrap:break-word"
    return f'<pre class="mqlab-done" role="status" tabindex="0" style="{style}">{escape(text)}</pre>'


class Desk(Live, widgets.VBox):
    """The desk of an incident: `console` runs MQSC, `log_button`, `wait_button`, `hint_button`, `close_button`, and
    `give_up_button` do what they say; `answer` shows what came of it, and `ending` the debriefing."""

    def __init__(self, incident: Incident) -> None:
        self.incident = incident
        self.console = Console(incident.lab, self._run)
        self.log_button = button("Read error log", "The last messages of the chosen queue manager (1 minute)")
        self.wait_button = button("Wait a minute", "Let a minute pass, and ask the business")
        self.hint_button = button("Show hint", f"The next of three hints ({HINT_MINUTES} minutes)")
        self.close_button = button("Report repaired", f"The estate is watched for {WATCH_MINUTES} minutes")
        self.give_up_button = button("Give up", "End the incident and show the answer")
        self.replay_button = button("Show replay", "Your way and an expert's, side by side")
        self.buttons = (self.log_button, self.wait_button, self.hint_button, self.close_button, self.give_up_button)
        for pressed, act in (
            (self.log_button, self._log),
            (self.wait_button, incident.wait),
            (self.hint_button, incident.hint),
            (self.close_button, incident.close),
            (self.give_up_button, incident.give_up),
        ):
            pressed.on_click(lambda _, act=act: self._do(act))
        self.replay_button.on_click(lambda _: self._replay())
        self.clock, self.business, self.answer, self.diary, self.ending = (html() for _ in range(5))
        self.below = widgets.VBox([])
        self.map = html(estate_map(incident.estate))
        controls = [self.clock, self.business, heading("Console"), self.console, row(*self.buttons), self.answer]
        controls += [heading("What you did"), self.diary]
        left = widgets.VBox(
            [heading("The estate before the incident"), self.map],
            layout=widgets.Layout(flex="1 1 480px", min_width="0"),
        )
        right = widgets.VBox(controls, layout=widgets.Layout(flex="1 1 420px", min_width="300px"))
        right.add_class("mqlab-side")
        body = widgets.HBox([right, left], layout=widgets.Layout(flex_flow="row wrap", align_items="flex-start"))
        super().__init__([sheet(), html(_briefing(incident)), body, self.ending, self.below])
        self.add_class("mqlab-panel").add_class("mqlab-incident")
        self._tell()

    def _run(self, call: Call) -> Any:
        """Run what the console holds; the reply, None if it was refused."""
        return self._do(lambda: self.incident.run(str(call.of), call.arguments[0]), shown=False)

    def _log(self) -> str:
        return self.incident.error_log(self.console.qmgr.value)

    def _do(self, act: Callable[[], Any], shown: bool = True) -> Any:
        """Do something that takes time, and show what came of it."""
        self.answer.value, result = "", None
        try:
            result = act()
        except LabError as wrong:
            self.answer.value = f'<div role="alert">{lab_error_card(wrong)[1]}</div>'
        else:
            if shown:
                self.answer.value = _lines(result)
        self._tell()
        return result

    def _tell(self) -> None:
        """Show the clock, the business, what was done, and at the end the debriefing."""
        incident, ended = self.incident, self.incident.state != "open"
        self.clock.value = words(escape(f"{incident.lab.now:%H:%M}, {incident.state}: {incident.score}"), "clock")
        self.business.value = words(f"Business: {escape(incident.status())}", "")
        lines = "\n".join(map(str, incident.steps)) or "nothing yet"
        self.diary.value = f'<pre class="mqlab-done" tabindex="0" aria-label="What you did">{escape(lines)}</pre>'
        if ended and not self.ending.value:
            for each in (*self.buttons, self.console.button):
                each.disabled = True
            self.ending.value = _lines(incident.debrief())
            self.below.children = (row(self.replay_button),)

    def _replay(self) -> None:
        """Show both ways in one player, once."""
        self.replay_button.disabled = True
        both = self.incident.replay()
        race = Race(*both.labs, both.names)
        self.below.children = (*self.below.children, Duel(race, both.title, race.alike(both.frame.first_seq)))

    def without_kernel(self) -> Briefing:
        """The pager message and what the estate is."""
        return Briefing(self.incident)
