"""Definitions of an MQ Everyplace edge as JSON: queue managers, their queues, and the links between them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..engine.words.arguments import checked
from ..engine.words.errors import LabError
from .expiry import RULES

_PARTS = ("queue_managers", "links")


@checked
def load(lab: Any, path: str | Path) -> list:
    """Define what a JSON file describes in a lab; the queue managers made, in the order of the file.

    The file is `{"queue_managers": {"PDA1": [{"kind": "local", "queue": "INBOX", ...settings}]}, "links": [{"between":
    ["PDA1", "HQ"], "latency": seconds}]}`; a `rule` is a name in `mqlab.everyplace.expiry.RULES`, and keys
    that begin with "about" are for readers. LabError for a file that says something else; earlier objects stay.
    """
    try:
        wanted = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise LabError(f"{path} must be JSON; got {error}") from None
    for part, form in zip(_PARTS, (dict, list), strict=True):
        if not isinstance(wanted, dict) or not isinstance(wanted.get(part), form):
            wanted_parts = " and ".join(_PARTS)
            raise LabError(f"{path} must be an object with {wanted_parts}; {part} is missing or of another form")
    made = [lab.everyplace(name) for name in wanted["queue_managers"]]
    for qmgr, queues in zip(made, wanted["queue_managers"].values(), strict=True):
        for queue in queues:
            if not isinstance(queue, dict) or not {"kind", "queue"} <= set(queue):
                raise LabError(f"a queue of {qmgr.name} must have a kind and a queue; got {queue!r}")
            settings = {key: value for key, value in queue.items() if not key.startswith("about")}
            if "rule" in settings:
                if settings["rule"] not in RULES:
                    raise LabError(f"rule must be one of {', '.join(RULES)}; got {settings['rule']!r}")
                settings["rule"] = RULES[settings["rule"]]
            qmgr.define(**settings)
    for link in wanted["links"]:
        if not isinstance(link, dict) or len(link.get("between", ())) != 2:
            raise LabError(f"a link joins two queue managers; got {link!r}")
        lab.network.link(*link["between"], link.get("latency", 0.0))
    return made
