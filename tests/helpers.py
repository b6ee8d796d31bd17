"""What tests of several rooms need. Pytest puts this folder on the path (pyproject.toml)."""

import importlib.util
import json
import os
import re
import sys
from functools import cache, wraps
from inspect import signature
from pathlib import Path
from xml.etree import ElementTree

import pytest

import mqlab
from mqlab import Lab, LabError, MQError
from mqlab.engine.words import catalog

THOROUGH = bool(os.environ.get("MQLAB_THOROUGH"))
"""Whether long properties are tried in full: make thorough. Otherwise a part of each is tried, the same every time."""


def some(things, most):
    """Return all of these when THOROUGH, otherwise at most `most` of them, evenly spread from the first to the last."""
    things = list(things)
    if THOROUGH or len(things) <= most:
        return things
    return [things[at * (len(things) - 1) // (most - 1)] for at in range(most)]


PACKAGE = Path(mqlab.__file__).parent
ROOT = PACKAGE.parent
ROWS = re.findall(
    r"^\| `(\w+)/` \|[^|]*\| ([^|]*) \|$", (ROOT / "docs" / "architecture.md").read_text("utf-8"), re.MULTILINE
)
BELOW = {room: re.findall(r"`(\w+)`", may) for room, may in ROWS}
"""The rooms, each with those that it may import."""


def left_out(room):
    """A room that a room needs, or itself, that this copy of the package has left out; None if all are there."""
    if not (PACKAGE / room).is_dir():
        return room
    return next((gone for below in BELOW[room] if (gone := left_out(below))), None)


def needing(rows, **words):
    """These rows for a parametrized test; those in which one of the words of a room occurs need the room."""
    rows = [row if isinstance(row, tuple) else (row,) for row in rows]
    rooms = [[room for room, its in words.items() if any(word in str(row) for word in its)] for row in rows]
    return [
        pytest.param(*row, marks=[pytest.mark.needs(*needed)] if needed else ())
        for row, needed in zip(rows, rooms, strict=True)
    ]


def cases(names, *rows, **options):
    """Run a test for every row, each as an item in a world of its own."""
    return pytest.mark.parametrize(names, rows, **options)


def for_each(names, *rows):
    """Run a test for every row, or for those of the one table given, as one item and in one world; a failure names its
    row. Rows of rooms that this copy of the package has left out are skipped.

    For tests that leave their world as it was; `cases` gives each row a world of its own.
    """
    rows = rows[0] if len(rows) == 1 else rows
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    rows = [row if hasattr(row, "marks") else pytest.param(*(row if len(names) > 1 else [row])) for row in rows]

    def over(test):
        @wraps(test)
        def tried(**fixtures):
            for row in rows:
                if any(left_out(room) for mark in row.marks for room in mark.args):
                    continue
                try:
                    test(**fixtures, **dict(zip(names, row.values, strict=True)))
                except BaseException as error:
                    error.add_note(f"with {', '.join(f'{n}={v!r}' for n, v in zip(names, row.values, strict=True))}")
                    raise

        given = signature(test)
        others = [one for name, one in given.parameters.items() if name not in names]
        tried.__signature__ = given.replace(parameters=others)
        return tried

    return over


def tries(most):
    """Return how many examples hypothesis tries: all of them when THOROUGH, otherwise a third."""
    return most if THOROUGH else -(-most // 3)


def refusal(error, said, call, /, *args, **kwargs):
    """Return the error of this type, with this pattern in its text, that a call must end with."""
    with pytest.raises(error, match=said or None) as caught:
        call(*args, **kwargs)
    return caught.value


def mq_error(call, /, *args, **kwargs):
    """Return the MQError of a call that must fail."""
    return refusal(MQError, "", call, *args, **kwargs)


def reason(call, /, *args, **kwargs):
    """Return the MQRC of a call that must fail."""
    return mq_error(call, *args, **kwargs).reason


def outcome(call, *args, **kwargs):
    """Return the MQRC that a call fails with, or None if it works."""
    try:
        call(*args, **kwargs)
    except MQError as error:
        return error.reason
    return None


def bodies(messages):
    """The data of messages."""
    return [message.body for message in messages]


def answer(qmgr, text):
    """The last answer to these commands."""
    return qmgr.mqsc(text).replies[-1].text


def lab_error(match, call, *args, **kwargs):
    """Hold that a call is refused with a LabError whose text has this pattern."""
    refusal(LabError, match, call, *args, **kwargs)


def closed(optional=(), **properties):
    """The JSON schema of an object that has these properties, apart from optional ones, and no others."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def says(text, *words):
    """Hold that all of these words are in a text, or in a list."""
    assert [each for each in words if each not in text] == [], text


def made(text="", name="QM1", of=None, **settings):
    """A queue manager of a new lab, or of this one, with these definitions."""
    qm = (Lab() if of is None else of).queue_manager(name, **settings)
    if text:
        qm.mqsc(text).require()
    return qm


def lab_with(text, **settings):
    """A new lab, and its queue manager QM1 with these definitions."""
    qm = made(text, **settings)
    return qm.lab, qm


def scenario_lab(name):
    """A new lab in which this scenario was played."""
    lab = Lab()
    lab.scenario(name)
    return lab


def contrast(one, other):
    """WCAG contrast ratio, 1 to 21, of two #rrggbb colors."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return round((high + 0.05) / (low + 0.05), 2)


def _luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def north_and_hub(lab):
    """Make NORTH and HUB, with a link and a triggered channel: orders put to ORDERS at NORTH go to ORDERS.IN at HUB."""
    north, hub = lab.queue_manager("NORTH"), lab.queue_manager("HUB")
    lab.link("NORTH", "HUB", latency=0.05)
    lab.address("hub(1414)", "HUB")
    hub.mqsc("DEFINE QLOCAL(ORDERS.IN)\nDEFINE CHANNEL(NORTH.HUB) CHLTYPE(RCVR)")
    north.mqsc(
        "DEFINE QLOCAL(HUB) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(NORTH.HUB) INITQ(SYSTEM.CHANNEL.INITQ)\n"
        "DEFINE CHANNEL(NORTH.HUB) CHLTYPE(SDR) CONNAME('hub(1414)') XMITQ(HUB) SHORTTMR(20)\n"
        "DEFINE QREMOTE(ORDERS) RNAME(ORDERS.IN) RQMNAME(HUB)"
    )
    return north, hub


def channel(one, two, near="", far="", name="C"):
    """Link two queue managers, and define a channel from the first to the second and its transmission queue; `near` and
    `far` go on with the definitions of its two ends. Returns both."""
    one.lab.link(one.name, two.name)
    two.mqsc(f"DEFINE CHANNEL({name}) CHLTYPE(RCVR) {far}").require()
    one.mqsc(
        f"DEFINE QLOCAL({two.name}) USAGE(XMITQ)\n"
        f"DEFINE CHANNEL({name}) CHLTYPE(SDR) CONNAME({two.name}) XMITQ({two.name}) {near}"
    ).require()
    return one, two


def frame_of(lab, at=None):
    """The topology of a lab with what it holds at a moment in microseconds, now if None."""
    from mqlab.views.frames.topology import topology_frame

    return topology_frame(lab.topology(), lab.state(at=at), lab.now_us if at is None else at, start=lab.start)


def overlap(a, b):
    """Whether two boxes of a scene share an area."""
    return all(a[at] < b[at] + b[size] and b[at] < a[at] + a[size] for at, size in (("x", "w"), ("y", "h")))


def inside(a, b):
    """Whether box `a` is within box `b`."""
    sides = (("x", "w"), ("y", "h"))
    return all(b[at] <= a[at] + 0.01 and a[at] + a[size] <= b[at] + b[size] + 0.01 for at, size in sides)


def calls_of(work):
    """How many functions `work()` calls, in Python and C: what it costs, on a machine of any speed."""
    calls = 0

    def counted(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def assert_refused(qm, text, code, essence):
    """The one command in the text is answered with this code and says this."""
    (answer,) = qm.mqsc(text).replies
    assert (answer.ok, answer.code) == (False, code), answer.text
    assert essence in answer.text


def definition(one, platform, level):
    """DEFINE of an object with every attribute that a queue manager of this sort can set, as in a full dump."""
    words = []
    for keyword, has in catalog.attributes(one.kind, one.attributes.get("CHLTYPE")).items():
        if has.settable and has.had_by(platform, level) and keyword in one.attributes:
            value = one.attributes[keyword]
            given = ",".join(f"'{item}'" for item in value) if has.shape == "names" else has.shown(value)
            given = f"'{given}'" if has.shape in ("text", "name") else given
            words.append(f"{'' if value else 'NO'}{keyword}" if has.shape == "flag" else f"{keyword}({given})")
    return " ".join([f"DEFINE {one.kind.replace('CLNTCONN', 'CHANNEL')}('{one.name}')", *words, "REPLACE"])


# A real queue manager gives these again: the dates of each DEFINE, QMID from its name and the time it was made, and the
# SUBID of each DEFINE SUB, which no command can set. (The lab makes a SUBID of the name, so here it is the same.)
GIVEN_ANEW = {"ALTDATE", "ALTTIME", "CRDATE", "CRTIME", "QMID", "SUBID", "CURDEPTH"}


def displays(qm):
    """What DISPLAY ... ALL shows of a queue manager and of every object and record of it, apart from `GIVEN_ANEW`."""
    words = [kind for kind in (*catalog.DEFINABLE, "CHLAUTH") if kind != "QUEUE"]
    asked = ["DISPLAY QMGR ALL", "DISPLAY AUTHREC ALL", *(f"DISPLAY {word}(*) ALL" for word in words)]
    rows = [row for each in asked for row in qm.mqsc(each).rows]
    return [{keyword: value for keyword, value in row.items() if keyword not in GIVEN_ANEW} for row in rows]


RUN_BEFORE = "The cells above ran again"


class Notebook:
    """A notebook in a shell, without widgets: its code cells, each to be run by its id."""

    def __init__(self, path):
        cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
        self.source = {cell["id"]: "".join(cell["source"]) for cell in cells}
        from IPython.core.interactiveshell import InteractiveShell

        self.shell = InteractiveShell()
        self.shell.display_formatter.active_types = ["text/plain"]

    def run(self, id, source=None):
        """Run a cell as a browser does; return the text that it shows, without the note that it was told again."""
        from IPython.utils.capture import capture_output

        text = (source or self.source[id]).replace("interactive: bool = True", "interactive = False")
        with capture_output() as shown:
            self.shell.run_cell(text, cell_id=id).raise_error()
        lines = [*shown.stdout.splitlines(), *(str(output.data.get("text/plain")) for output in shown.outputs)]
        lines = [line.split(": ", 1)[-1] if line.startswith("Out[") else line for line in lines]
        return [line for line in lines if RUN_BEFORE not in line]

    @property
    def labs(self):
        """How far each lab is."""
        labs = [getattr(value, "lab", value) for value in self.shell.user_ns.values()]
        return [(len(lab.events), lab.now_us) for lab in labs if isinstance(lab, Lab)]

    @property
    def set_up(self):
        """The cells up to the one that loads the magics, which is the second in most notebooks."""
        ids = list(self.source)
        return ids[: next((place for place, id in enumerate(ids, 1) if "%load_ext" in self.source[id]), 2)]

    @property
    def sections(self):
        """The cells behind the set-up, up to a long replay, cut behind each prediction."""
        found = [[]]
        for id in list(self.source)[len(self.set_up) :]:
            if "traffic.replay" in self.source[id]:
                break
            found[-1].append(id)
            if self.source[id].startswith("%%predict"):
                found.append([])
        return [section for section in found if section]


@cache
def ibmmq_constants():
    """The constants of IBM's library ibmmq without "MQ", read without importing it: that needs an MQ client."""
    found = importlib.util.find_spec("ibmmq")
    if found is None or found.origin is None:
        pytest.skip("the library ibmmq is not installed")
    folder, known = Path(next(iter(found.submodule_search_locations))), {}
    for name in ("CMQC", "_CMQC_linux_x64", "CMQCFC", "CMQXC"):
        text = (folder / f"{name}.py").read_text(encoding="utf-8")
        for constant, number in re.findall(r"^MQ(\w+)\s*=\s*\(?(-?(?:0x[0-9A-Fa-f]+|\d+))", text, re.MULTILINE):
            known[constant] = int(number, 0)
    return known


def words(svg):
    """The boxes and lines of a picture by their keys, each with the words that are drawn."""
    space = "{http://www.w3.org/2000/svg}"
    parts = [g for g in ElementTree.fromstring(svg).iter(f"{space}g") if g.get("data-part")]
    said = (" ".join("".join(each.itertext()) for each in g.iter(f"{space}text")) for g in parts)
    return {g.get("data-part"): " ".join(each.split()) for g, each in zip(parts, said, strict=True)}
