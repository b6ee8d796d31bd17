"""Worked estates: whole networks of queue managers that come with the project, or that someone describes likewise.

An estate is a JSON file: `queue_managers`, by name, each with the `mqsc` file that defines it and its `platform` and
`level`, or for MQ Everyplace with the list of its queues (see `mqlab.everyplace.load`); `links`, each `between` two of
them with a `latency` in seconds; and where they are wanted `addresses`, connection name to queue manager, and `groups`,
each with its `members` and the `mqsc` file for the first of them. File names are relative to the JSON file; `about`
is for readers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .. import everyplace
from ..engine.commands import Reply, Script, read_script
from ..engine.words.arguments import checked
from ..engine.words.constants import CURRENT_LEVEL
from ..engine.words.errors import LabError
from ..lab.checkout import NotACheckout, checkout
from ..lab.lab import Lab
from ..lab.queue_manager import QueueManager

_PARTS = {"about", "queue_managers", "links", "addresses", "groups"}


def names() -> list[str]:
    """The estates in datasets/, by name. LabError if there is no checkout to look in."""
    folder = _datasets()
    found = {path.parent.name for path in folder.glob("*/estate.json")} | {path.stem for path in folder.glob("*.json")}
    return sorted(found)


@checked
def load(estate: str | Path, into: Lab | None = None, **settings: Any) -> Lab:
    """A lab with an estate in it, at rest: nothing has been put and no channel runs.

    `estate` is one of `names()`, or the path of a JSON file; the lab is `into`, or a new one with `settings`, which are
    those of `Lab`. LabError for an estate that is not there, for a file that says something else, and for MQSC that is
    refused, with the first refusal.
    """
    path = _file(estate)
    try:
        wanted = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise LabError(f"{path} must be JSON; got {error}") from None
    if not isinstance(wanted, dict) or not {"queue_managers", "links"} <= set(wanted) <= _PARTS:
        raise LabError(
            f"{path} must be an object with queue_managers and links, and may have {', '.join(sorted(_PARTS))}"
        )
    lab, managers = into or Lab(**settings), wanted["queue_managers"]
    if managers and all(isinstance(each, list) for each in managers.values()):
        everyplace.load(lab, path)
        return lab
    for name, about in managers.items():
        if not isinstance(about, dict) or "mqsc" not in about:
            raise LabError(
                f"queue manager {name} of {path} must be an object with mqsc, the name of a file; got {about!r}"
            )
        lab.queue_manager(name, **{key: value for key, value in about.items() if key != "mqsc"})
    for link in wanted["links"]:
        lab.link(*link["between"], **{key: value for key, value in link.items() if key != "between"})
    for conname, name in wanted.get("addresses", {}).items():
        lab.address(conname, name)
    for name, about in wanted.get("groups", {}).items():
        lab.queue_sharing_group(name, about["members"], about.get("intra_group_queuing", False))
        _run(lab[about["members"][0]], path.parent / about["mqsc"])
    for name, about in managers.items():
        _run(lab[name], path.parent / about["mqsc"])
    lab.run(0)
    return lab


@checked
def from_script(
    lab: Lab, script: Script, name: str = "", platform: str | None = None, level: int | None = None
) -> tuple[QueueManager, Reply]:
    """A new queue manager of the lab that has run a script, and its reply; nothing is raised for bad MQSC.

    Name, platform and level are those given; if none is given, those that the header of a dump states; else QM1,
    distributed, and the current level. LabError for a setting that no queue manager can have.
    """
    platform, level = platform or script.platform or "distributed", level or script.level or CURRENT_LEVEL
    qmgr = lab.queue_manager(name or script.qmgr or "QM1", platform, level)
    return qmgr, qmgr.mqsc(script.text)


def _run(qmgr: QueueManager, path: Path) -> None:
    """Run a file of MQSC commands, which must all work."""
    try:
        qmgr.mqsc(read_script(path).text).require()
    except LabError as refused:
        raise LabError(f"{path}: {refused}") from None


def _file(estate: str | Path) -> Path:
    """The JSON file of an estate."""
    named = Path(str(estate))
    folder = None if named.suffix == ".json" else _datasets()
    places = [named] if folder is None else [folder / named / "estate.json", folder / f"{named}.json"]
    found = next((place for place in places if len(place.name) < 256 and place.is_file()), None)
    if found is None:
        known = "the path of a JSON file" if folder is None else f"one of {', '.join(names())}"
        raise LabError(f"estate must be {known}; got {str(estate)!r}")
    return found


def _datasets() -> Path:
    try:
        return checkout() / "datasets"
    except NotACheckout as error:
        raise LabError(
            f"estate must be the path of a JSON file, because there are no data sets here; {error}"
        ) from None
