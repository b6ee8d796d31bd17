"""An estate: queue managers read from scripts or dumps, and what can be asked about them; and worked estates.

A worked estate comes with the project, or someone describes it likewise, in a JSON file: `queue_managers`, by name,
each with the `mqsc` file that defines it and its `platform` and `level`, or for MQ Everyplace with the list of its
queues (see `mqlab.everyplace.load`); `links`, each `between` two of them with a `latency` in seconds; and where they
are wanted `addresses`, connection name to queue manager, and `groups`, each with its `members` and the `mqsc` file for
the first of them. File names are relative to the JSON file; `about` is for readers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partialmethod
from pathlib import Path
from typing import Any

from .. import everyplace
from ..engine.commands import Reply, Script, read_script
from ..engine.words.arguments import checked, checked_calls
from ..engine.words.constants import CURRENT_LEVEL
from ..engine.words.errors import LabError
from ..lab.checkout import datasets
from ..lab.lab import Lab
from ..lab.queue_manager import QueueManager
from ..views.plug import show as shown
from .breaks import Breaks, breaks
from .causes import causes
from .checks import findings
from .definitions import UNGUARDED, Definitions, Part
from .findings import Findings
from .fixes import working
from .ignoring import seen
from .reading import parts
from .report import Report
from .routes import Route, route
from .together import Together, together
from .traffic import Traffic, play, traffic
from .uses import Uses, who_uses
from .what_if import WhatIf, what_if

_PARTS = {"about", "queue_managers", "links", "addresses", "groups"}


def names() -> list[str]:
    """The estates in datasets/, by name. LabError if there is no checkout to look in."""
    folder = datasets()
    found = {path.parent.name for path in folder.glob("*/estate.json")} | {path.stem for path in folder.glob("*.json")}
    return sorted(found)


@checked
def load(estate: str | Path, into: Lab | None = None, **settings: Any) -> Lab:
    """A lab with an estate in it, at rest: nothing has been put, and no channel runs but those of clusters.

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
        known = ", ".join(sorted(_PARTS))
        raise LabError(f"{path} must be an object with queue_managers and links, and may have {known}")
    lab, managers = into or Lab(**settings), wanted["queue_managers"]
    if managers and all(isinstance(each, list) for each in managers.values()):
        everyplace.load(lab, path)
        return lab
    for name, about in managers.items():
        if not isinstance(about, dict) or "mqsc" not in about:
            wrong = f"queue manager {name} of {path}"
            raise LabError(f"{wrong} must be an object with mqsc, the name of a file; got {about!r}")
    build(lab, wanted, lambda qmgr, file: _run(qmgr, path.parent / file))
    lab.run(0)
    return lab


def build(lab: Lab, wanted: Mapping[str, Any], run: Callable[[QueueManager, str], object]) -> None:
    """Create in a lab what the parts of a worked estate describe; `run` runs the `mqsc` of a queue manager."""
    for name, about in wanted["queue_managers"].items():
        lab.queue_manager(name, **UNGUARDED | {key: value for key, value in about.items() if key != "mqsc"})
    for link in wanted["links"]:
        lab.link(*link["between"], **{key: value for key, value in link.items() if key != "between"})
    for conname, name in wanted.get("addresses", {}).items():
        lab.address(conname, name)
    for name, about in wanted.get("groups", {}).items():
        lab.queue_sharing_group(name, about["members"], about.get("intra_group_queuing", False))
        run(lab[about["members"][0]], about["mqsc"])
    for name, about in wanted["queue_managers"].items():
        run(lab[name], about["mqsc"])


@checked
def from_script(
    lab: Lab, script: Script, name: str = "", platform: str | None = None, level: int | None = None
) -> tuple[QueueManager, Reply]:
    """A new queue manager of the lab that has run a script, and its reply; nothing is raised for bad MQSC.

    Name, platform and level are those given; if none is given, those that the header of a dump states; else QM1,
    distributed, and the current level. It asks for no authority (`UNGUARDED`). LabError for a setting that no queue
    manager can have.
    """
    platform, level = platform or script.platform or "distributed", level or script.level or CURRENT_LEVEL
    qmgr = lab.queue_manager(name or script.qmgr or "QM1", platform, level, **UNGUARDED)
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
    folder = None if named.suffix == ".json" else datasets()
    places = [named] if folder is None else [folder / named / "estate.json", folder / f"{named}.json"]
    found = next((place for place in places if len(place.name) < 256 and place.is_file()), None)
    if found is None:
        known = "the path of a JSON file" if folder is None else f"one of {', '.join(names())}"
        raise LabError(f"estate must be {known}; got {str(estate)!r}")
    return found


class Estate(Definitions):
    """Queue managers that scripts define, on a lab at rest: see `Definitions`."""

    @cached_property
    def together(self) -> list[Together]:  # type: ignore[override]
        """Every two queue managers whose scripts may be of one."""
        return list(together(self))

    def findings(self, security: bool = False) -> Findings:
        """One finding for each cause, the worst first, then by queue manager and place, each with a fix only if that
        works. The findings of security are one line for each queue manager, unless `security` is True. Those that a
        comment in a script ignores, `* mqlab: ignore CHECK`, are left out."""
        every = findings(self)
        return Findings(working(self, causes(self, seen(self, every), security), every))

    def report(
        self,
        *,
        baseline: str | Path | Sequence = (),
        prove: bool = False,
        security: bool = False,
        traffic: str | Traffic = "",
        seconds: float = 60,
        ignore: Sequence[str] = (),
    ) -> Report:
        """The findings as a report, for a notebook and for files; `Report` has `baseline`, `prove`, `security`, and
        `ignore`. `traffic` is that of `Estate.traffic`, its text or a run, and adds its figures to the findings."""
        run = self.traffic(traffic, seconds) if isinstance(traffic, str) and traffic else traffic or None
        return Report(self, findings(self), baseline, prove, run, security, ignore)

    _repr_mimebundle_ = partialmethod(shown, "cards.lab_cards.estate_card")

    def route(self, name: str, at: str = "") -> Route:
        """Every hop of a put to a name, "Q" or "Q@QMGR", at a queue manager: a `Route`. LabError for another one."""
        return route(self, name, at)

    def who_uses(self, name: str, at: str = "") -> Uses:
        """Everything that names the objects of this name of a queue manager, or leads to them: `Uses`."""
        return who_uses(self, name, at)

    def what_if(self, command: str, at: str = "") -> WhatIf:
        """The findings and the routes that MQSC would make, end, or change: a `WhatIf`; this estate stays as it is."""
        return what_if(self, command, at)

    def breaks(self, part: str = "") -> Breaks:
        """The routes that no longer deliver if a queue manager, a channel, or a link ("QM1 - QM2") is down, each proved
        on a lab; without `part`, the single points of failure, those first that most routes need."""
        return breaks(self, part)

    def traffic(self, text: str, seconds: float = 60, seed: int = 0) -> Traffic:
        """The fates of the messages of some traffic on a lab with this estate in it: a `Traffic`.

        `text` has a line for each queue, such as `ORDERS at QM1 50 a second, 5 % poison, expiry 60 s, 2000 bytes,
        persistent, read 60 a second`: the queue that a program puts to at random moments, how many of the messages its
        reader cannot use, Expiry, length, persistence, and how many the reader can read. `at` is needed if several
        queue managers define the queue; the other clauses are optional. Each queue at which a route ends has a reader,
        as fast as the messages arrive if no clause limits it. It backs a poison message out until BOTHRESH, and puts it
        on the queue of BOQNAME, or else the dead-letter queue; where BOTHRESH is 0, or neither takes the message, it
        gets the message again each second. Nothing is triggered but channels.

        More than an hour, or many messages, are run in slices, each on a lab of its own that starts from rest. LabError
        for another line, with its number and what was wanted, and for more than a million messages.
        """
        return traffic(self, text, seconds, seed)

    def play(self, traffic: str = "", seconds: float = 60, seed: int = 0) -> Lab:
        """A lab with this estate in it and its event log kept, after some traffic: `save_player`, `save_story`,
        `explain`, `branch`, and all else that a lab can do.

        `traffic` is the `text` of `Estate.traffic`; without it, 6 messages a minute are put to each of at most 8 names
        at which routes begin. LabError as there, and for more than 10,000 messages.
        """
        return play(self, traffic, seconds, seed)


checked_calls(Estate)


@checked
def read(
    paths: str | Path | Sequence,
    *,
    qmgr: str = "",
    platform: str | None = None,
    level: int | None = None,
    group: str = "",
) -> Estate:
    """Read an estate from files, or from folders of them: scripts and dumps, YAML and JCL that have MQSC, a CCDT in
    JSON, and qm.ini. A text (.txt) of a folder is left out if no line of it begins as a definition does.

    Each file is a queue manager of its own, unless several have its name: then they run in order. The name is `qmgr`,
    else that which a QueueManager resource, a step of JCL, or the header of a dump has, else that of the ConfigMap or
    the file, in the spelling of the RQMNAME that means it, or in capitals. `platform` and `level` are those given, else
    those in the header, else z/OS for JCL and words that only z/OS has or distributed, and the current level. `group`
    is the queue sharing group of the z/OS queue managers, else the QSGNAME of a dump, else one group for all with
    shared objects. LabError for a path that cannot be read, or that has no scripts.
    """
    return Estate(parts(paths, qmgr, platform, level, group))


@checked
def from_lab(lab: Lab) -> Estate:
    """The estate of the definitions that the queue managers of a lab have now; the lab does not change."""
    return Estate([part_of(each) for each in lab.queue_managers])


def part_of(qmgr: QueueManager) -> Part:
    """The definitions that a queue manager of a lab has now, as a script."""
    group = "" if qmgr.group is None else qmgr.group.name
    return Part("", Script(qmgr.export_mqsc(), "utf-8"), qmgr.name, qmgr.platform, qmgr.level, group)
