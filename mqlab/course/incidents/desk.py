"""The desk of an incident, without its page: a page asks in JSON, and shows what the answers say."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from ...engine.words.errors import LabError, visible
from ...views.cards.tables import table
from ...views.drawing.scene import Scene
from ...views.player.duel import Race
from ...views.player.player import elk_text, player_script, player_style
from ...views.player.player_steps import PlayerSteps
from ...views.theme import style_sheet
from .incident import Incident

MAP_FROM_S = 60
"""The map begins at this second: before, the estate is being built."""
MAP = (1400, 460)
"""The size of the map that decides which queue managers are open at first, in pixels."""


HIDDEN = {"TRIGGER": False, "GET": "DISABLED", "PUT": "DISABLED"}
"""The attributes of a queue, with the value that the map hides until a reply shows it."""


class Desk:
    """The desk of an `incident`: `answer` takes a question as JSON, {"ask": the name of a method
    below, and its arguments}, and returns JSON.

    A question says in `since` how many steps of which recording the page has; the answer brings the others.
    """

    def __init__(self, incident: Incident) -> None:
        self.incident = incident
        self.said: list[dict[str, Any]] = []
        self.found = set[str]()  # a queue and one of HIDDEN
        self.recordings = 0
        self._record()

    def _record(self) -> None:
        self.steps = PlayerSteps(self.incident.lab, screen=MAP)
        self.recordings += 1

    def answer(self, question: str) -> str:
        """Answer one question."""
        asked = json.loads(question)
        return json.dumps(getattr(self, asked.pop("ask"))(**asked), separators=(",", ":"), ensure_ascii=False)

    def show(self) -> dict[str, Any]:
        """Everything, for a page that has nothing yet."""
        incident = self.incident
        return {
            "title": f"Incident {incident.seed}: {incident.estate.title}",
            "about": incident.estate.about,
            "pager": incident.pager,
            "objects": _objects(incident),
            "qmgrs": incident.qmgrs,
            "zos": [qmgr.name for qmgr in incident.lab.queue_managers if qmgr.platform == "zos"],
            "from": self.steps.step_at(MAP_FROM_S),
            **self._now([0, 0]),
        }

    def do(self, since: list[int], act: str, qmgr: str = "", text: str = "") -> dict[str, Any]:
        """Do something: "run" MQSC commands, or what a button says."""
        incident, clock, right = self.incident, f"{self.incident.lab.now:%H:%M}", True
        switched = incident.switches_to(text) if act == "run" else None
        try:
            if switched:
                reply = f"Commands go to {switched} now."
            elif act == "run":
                ran = incident.run(qmgr, text)
                reply, right = "\n".join(each.text for each in ran.replies), ran.ok
                rows = [row for each in ran.replies for row in each.rows if "QUEUE" in row]
                self.found |= {f"{row['QUEUE']} {key}" for row in rows for key in HIDDEN if row.get(key) == HIDDEN[key]}
            else:
                reply = getattr(incident, act)(qmgr) if act == "error_log" else getattr(incident, act)()
        except LabError as wrong:
            reply, right = str(wrong), False
        right = right and not (act == "close" and incident.state == "open")
        if act != "give_up":
            done = {"at": clock, "act": act, "qmgr": qmgr, "text": text}
            self.said.append(done | {"said": visible(reply), "right": right})
        return {"switched": switched, **self._now(since)}

    def replay(self) -> dict[str, Any]:
        """Your way and an expert's, for a duel on one clock."""
        both = self.incident.replay()
        race = Race(*both.labs, both.names)
        return race.columns(both.title, race.alike(both.frame.first_seq))

    def elk(self) -> str:
        """The program that lays out what a reader opens in the map."""
        return elk_text(self.steps)

    def _now(self, since: list[int]) -> dict[str, Any]:
        """The clock, the business, what was said, and the steps that the page does not have."""
        incident = self.incident
        if Scene(incident.lab).outline != self.steps.outline:
            self._record()
        self.steps.grow()
        ended = incident.state != "open"
        return {
            "clock": f"{incident.lab.now:%H:%M}",
            "state": incident.state,
            "score": incident.score,
            "business": incident.status(),
            "said": self.said,
            "found": sorted(self.found),
            "ending": incident.debrief() if ended else "",
            "recording": self.recordings,
            "steps": self.steps.columns(since[1] if since[0] == self.recordings else 0),
        }


def _objects(incident: Incident) -> str:
    """The queues and channels of an estate as a table, for readers who would have to ask for their names."""
    rows = []
    for qmgr in incident.lab.queue_managers:
        queues, channels = (
            ", ".join(row[kind] for row in qmgr.mqsc(f"DISPLAY {kind}(*)").rows if not row[kind].startswith("SYSTEM."))
            for kind in ("QUEUE", "CHANNEL")
        )
        rows.append((qmgr.name, queues, channels))
    return table("Objects", ("Queue manager", "Queues", "Channels"), rows)


@cache
def script() -> str:
    """Return the scripts of a desk as one, which exports a widget and the class Desk."""
    player = player_script(duel=True).replace("export default { render }", "export default { render: renderDesk }")
    return f"{_read('desk.js')}\n{player}"


@cache
def style() -> str:
    """Return the style sheet of a desk."""
    return player_style(duel=True) + style_sheet(".mqlab-desk") + _read("desk.css")


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
