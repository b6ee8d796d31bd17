"""A lab for readers without a kernel: a page that plays it, or its pictures and the end of its log."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from importlib.resources import files
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any

from ...engine.explain.words import rule_title, told
from ...engine.words.errors import LabError
from ...formats.whole_file import write_whole
from ..cards.tables import table
from ..charts.renderer import can_draw
from ..drawing.engine import SCRIPTS, packed_elk, script
from ..drawing.scene import Picture, lab_picture
from ..frames.lifecycle_rows import lifecycle_frame
from ..frames.moments import Lab, clock, moment_us
from ..text import escape, plural
from ..theme import on_paper, style_sheet
from .player_steps import PlayerSteps

ROWS = 12  # of the event log
NO_CHART = "<p>Without vl-convert, no chart is drawn here; <code>lifecycle_chart(lab)</code> in a cell draws it.</p>"


def static_pictures(lab: Lab) -> Picture:
    """The static pictures of a lab: the topology now, the lifecycle chart, the end of its log."""
    now = lab_picture(lab)
    return Picture(now.svg + lifecycles(lab) + last_rows(lab), now.words)


def lifecycles(lab: Lab) -> str:
    """The lifecycle chart with its time scale (`lifecycle_svg`), or a sentence; "" if there is no message."""
    if not can_draw():
        return NO_CHART if lifecycle_frame(lab.events, end_us=lab.now_us).messages else ""
    from ..charts.lifecycle import lifecycle_svg  # altair, which a player does without

    try:
        return lifecycle_svg(lab)[0]
    except LabError:
        return ""


def last_rows(lab: Lab) -> str:
    """The last rows of the event log as an HTML table: time, what happened, and the rule."""
    start, several = lab.start, len(lab.queue_managers) > 1
    last = lab.events[-ROWS:]
    rows = [(clock(start, row.time_us), told(row, several), rule_title(row.rule)) for row in last]
    heads = ("time", "what happened", "the rule behind it")
    return f"""<div class="mqlab-still">{table(f"The last of {plural(len(lab.events), 'event')}", heads, rows)}</div>"""


LIMIT = 2_000_000
"""No player is larger than this many bytes."""

# The rows that are left out of a log that is too long, the least interesting first.
_CALLS = frozenset({"open", "close", "inquire", "wait", "browse"})
_WORK = _CALLS | {"define", "alter", "program", "prepare", "commit"}
LEVELS: tuple[frozenset[str], ...] = (frozenset(), _CALLS, _WORK, frozenset({"*"}))

FEWEST = 20
"""No step of a long log takes fewer bytes of a page than this: a step is about 70, and 20 leaves room to be wrong."""


def require_page(path: str | PathLike, such: str) -> None:
    """LabError unless a page can be written to a path: its name ends in .html, and its folder is there."""
    if not isinstance(path, str | PathLike) or Path(path).suffix.lower() not in (".html", ".htm"):
        raise LabError(f'path must be a file name that ends in .html, such as "{such}"; got {str(path)!r}')
    if not Path(path).parent.is_dir():
        raise LabError(
            f"path must be a file in a folder that is there; got {str(path)!r}, and there is no {Path(path).parent}"
        )


def save_player(
    lab: Lab, path: str | PathLike, title: str | None, lifecycle: str, depth: Iterable[str] = (), **chosen: Any
) -> Path:
    """See `mqlab.Lab.save_player`."""
    require_page(path, "demo.html")
    if not isinstance(title, str | None) or not isinstance(lifecycle, str):
        raise LabError(f"title must be a few words, and lifecycle an SVG text; got {title!r} and {lifecycle!r}")
    size = 0
    for without in LEVELS:
        if FEWEST * fewest_steps(lab, without, **chosen) > LIMIT:
            continue
        source = PlayerSteps(lab, **chosen, without=without, depth=depth)
        page = player_page(source, title, lifecycle).encode("utf-8", "backslashreplace")
        if len(page) > LIMIT and lifecycle:
            page = player_page(source, title).encode("utf-8", "backslashreplace")
        if len(page) <= LIMIT:
            write_whole(path, page)
            return Path(path)
        size = len(page)
    raise LabError(
        f"the player of a log must have at most {LIMIT:,} bytes; got one of {size:,} bytes even of the interesting "
        f'rows alone. Choose a part of it: lab.save_player(path, start="09:00:00", end="09:05:00") or messages=[1, 2]'
    )


def fewest_steps(lab: Lab, without: frozenset[str], **chosen: Any) -> int:
    """How many rows get a step for certain, 0 if only a walk over them all can tell; options as for `PlayerSteps`."""
    if "*" in without or any(chosen.get(name) is not None for name in ("qmgr", "messages")):
        return 0
    start, end = map(chosen.get, ("start", "end"))
    first = 0 if start is None else lab.events.count_until(moment_us(lab.start, start) - 1)
    last = len(lab.events) if end is None else lab.events.count_until(moment_us(lab.start, end))
    return sum(kind not in without for kind in lab.events.column("kind")[first:last])


def player_script(duel: bool = False) -> str:
    """The scripts of a player: those that draw, and its own; with `duel` those of two side by side, too."""
    names = ("saving", "speaker", *(("duel",) if duel else ()), "player")
    own = "\n".join(_read(f"widgets/{name}.js") for name in names)
    return f"{script(*SCRIPTS, 'camera.js')}\n{own}"


def player_style(duel: bool = False) -> str:
    """The style sheet of a player and of the picture in it; with `duel` that of two side by side, too."""
    own = _read("widgets/duel.css") if duel else ""
    return style_sheet(".mqlab-player", "topology.css") + _read("widgets/player.css") + own + on_paper(".mqlab-player")


def elk_text(source: PlayerSteps) -> str:
    """ELK for a page that shows some steps, packed, in base64; "" if everything is drawn at once."""
    return base64.b64encode(packed_elk()).decode("ascii") if source.places().opens else ""


def player_page(source: PlayerSteps, title: str | None = None, lifecycle: str = "") -> str:
    """The HTML of a player; the same steps give the same text."""
    last = len(source.steps) - 1
    picture = source.picture(last)
    names = ", ".join(q.name for q in source.outline.qmgrs) or "an empty lab"
    words = (
        f"{plural(source.left_out, 'row')} of the event log that explain little were left out, to keep this file under "
        "2 MB. For another choice: lab.save_player(path, start=, end=, messages=[…])"
    )
    name = title or (source.shots[0].title if source.shots else f"What happened at {names}")
    return page_of(
        name,
        source,
        source.packed(),
        still=f"{picture.svg}<p>{escape(picture.words)}</p>",
        lifecycle=lifecycle,
        left_out=escape(words) if source.left_out else "",
    )


def page_of(name: str, source: PlayerSteps, packed: bytes, duel: bool = False, **parts: str) -> str:
    """The HTML of a page that plays what is packed: the steps of `source`, or of two labs in one outline."""
    return Template(_read("player.html")).substitute(
        {"lifecycle": "", "left_out": ""} | parts,
        title=escape(name),
        style=player_style(duel),
        script=player_script(duel),
        elk=elk_text(source),
        recording=base64.b64encode(packed).decode("ascii"),
    )


def _read(name: str) -> str:
    return files("mqlab.views").joinpath(name).read_text("utf-8")
