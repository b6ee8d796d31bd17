"""A lab to look at: its outline and places once, then the picture of any moment, and the picture as a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from ...engine.explain.replay import State
from ...engine.words.arguments import require, within
from ...engine.words.errors import LabError, NotInstalled
from ...formats.whole_file import write_whole
from ..frames.look import Look
from ..frames.moments import At, Lab, clock, moment_us
from ..frames.topology import Outline, TopologyFrame, outline, suspensions, topology_frame, traces_of
from ..text import label_of, mime_bundle
from ..theme import DARK, LIGHT, Palette
from .topology import Places, draw_key, draw_topology, facts_of, places_of

FONTS = {"sans": '"DejaVu Sans",Verdana,Arial,sans-serif', "mono": '"DejaVu Sans Mono",Menlo,Consolas,monospace'}
SHARP = 2  # pixels of an image for each pixel of a drawing
_THEMES = re.compile(r"@media[^{]*\{[^{}]*\{[^{}]*\}\}|[^{}<>]*\{--mq-[^{}]*\}")
_VARIABLE = re.compile(r"var\(--mq-([\w-]+)(?:,[^()]*)?\)")


def palette_of(dark: bool) -> Palette:
    """The colors of the dark or of the light theme; LabError for anything but True and False."""
    require("dark", dark, bool)
    return DARK if dark else LIGHT


def still(svg: str, dark: bool = False) -> str:
    """A drawing that looks the same everywhere, in light or dark colors.

    >>> still('<svg><style>.a{--mq-ink:red}.a text{fill:var(--mq-ink)}</style></svg>')
    '<svg><style>.a text{fill:#1c2128}</style></svg>'
    """
    colors = {role.replace("_", "-"): color for role, color in palette_of(dark)._asdict().items()} | FONTS
    plain = _VARIABLE.sub(lambda name: colors[name[1]], _THEMES.sub("", svg))
    return plain.replace("font-weight:650", "font-weight:700")  # what lies between is drawn regular


def png(svg: str, dark: bool = False, scale: float = SHARP) -> bytes:
    """One drawing as a PNG image of `scale` pixels for each of its own. LabError if vl-convert is not installed."""
    try:
        import vl_convert
    except ImportError:
        raise NotInstalled("PNG", "vl-convert-python") from None
    found: bytes = vl_convert.svg_to_png(still(svg, dark), scale=scale)
    return found


FORMATS: dict[str, Callable[[Any, bool], str | bytes]] = {
    ".svg": lambda picture, dark: still(picture.svg, dark) if dark else picture.svg,
    ".png": lambda picture, dark: png(picture.svg, dark),
    ".html": lambda picture, dark: _page(picture.svg),
    ".htm": lambda picture, dark: _page(picture.svg),
    ".mmd": lambda picture, dark: picture.shapes("mermaid", picture.words),
    ".drawio": lambda picture, dark: picture.shapes("drawio", picture.words, palette_of(dark)._asdict()),
    ".graphml": lambda picture, dark: picture.shapes("graphml"),
}
"""The content of a file in each format, for a picture in light or dark colors."""
OF_LABS = (".mmd", ".drawio", ".graphml")
"""The formats of boxes and lines, which a chart has not."""


def suffix_of(path: str | PathLike, possible: list[str], more: str = "") -> str:
    """The end of a file name, in lower case; LabError, with a list of the possible ones, for any other."""
    suffix = Path(path).suffix.lower() if isinstance(path, str | PathLike) else ""
    if suffix not in possible:
        raise LabError(f"path must be a file name that ends in {', '.join(possible)}; got {str(path)!r}{more}")
    return suffix


def _page(svg: str) -> str:
    head = '<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
    return f"<!DOCTYPE html>\n{head}<title>mqlab</title></head><body>{svg}</body></html>\n"


# per lab: the size of its log and the outline then, by queue manager; worked out again only when the log has grown;
# outlines hold no lab, so labs can go
_outlines: WeakKeyDictionary = WeakKeyDictionary()

_OWN_SIZE = re.compile('(width="([0-9.]+)" height="[0-9.]+" style="max-width:)100%')


class Picture:
    """A drawing as a notebook shows it: `svg` is one or more SVG elements, `words` what they show in a sentence, and
    `key` the signs that it uses, an SVG element too, "" for none. `shapes` gives its boxes and lines, in a form of
    `mqlab.views.drawing.topology.Places.exported`; None for a drawing that has none."""

    def __init__(self, svg: str, words: str, key: str = "", shapes: Callable[..., Any] | None = None) -> None:
        self.svg, self.words, self.key, self.shapes = svg, words, key, shapes

    def __repr__(self):
        return self.words

    def _repr_mimebundle_(self, include=None, exclude=None):
        return mime_bundle(self.words, self.html, include, exclude)

    @property
    def html(self) -> str:
        """The drawing as part of a page: as wide as the page, but no smaller than its text stays legible."""
        key = f"<details><summary>Signs</summary>{self.key}</details>" if self.key else ""
        drawn = _OWN_SIZE.sub(r"\1max(100%,calc(\2px*.6))", self.svg + key)
        frame = 'class="mqlab-picture" role="group" aria-label="Picture" tabindex="0" style="overflow-x:auto"'
        return f"<div {frame}>{drawn}</div>"

    def save(self, path: str | PathLike, *, dark: bool = False) -> None:
        """Write the drawing to a file: .svg, .png, .html, which a browser prints to PDF, and of a lab at a moment .mmd
        (Mermaid), .drawio, and .graphml too, in light colors or with `dark` in dark ones.

        An .svg file without `dark` and an .html file follow the reader's own setting. LabError for any other name, and
        where what writes the format is not installed.
        """
        palette_of(dark)
        suffix = suffix_of(path, [each for each in FORMATS if self.shapes or each not in OF_LABS])
        if suffix not in (".svg", ".html", ".htm", *OF_LABS) and self.svg.count("<svg ") != 1:
            raise LabError(f"a {suffix} file holds one picture; got several: .html holds them all")
        write_whole(path, FORMATS[suffix](self, dark))


class Scene:
    """A lab, or one queue manager of it, with an outline of its own: the most important parts of the frame that is
    drawn first are open in every picture. LabError for an unknown queue manager, and for a `look` that names one."""

    def __init__(self, lab: Lab, qmgr: str | None = None, look: Look | None = None) -> None:
        names = [q.name for q in lab.queue_managers]
        if qmgr is not None and qmgr not in names:
            raise LabError(f"queue manager must be one of {', '.join(names) or 'none yet'}; got {qmgr!r}")
        self.lab, self.qmgr, self.start = lab, qmgr, lab.start
        kept = _outlines.setdefault(lab, {})
        if kept.get(qmgr, (None,))[0] != len(lab.events):
            made = outline(lab.topology(), qmgr)
            suspended = suspensions(lab.events.where(kind="cluster"))
            kept[qmgr] = len(lab.events), made._replace(stops={**made.stops, **suspended})
        self.outline: Outline = kept[qmgr][1]
        if look and any(look):
            self.outline = self.outline._replace(look=look.checked(lab.topology()))
        self._places: Places | None = None

    def time_us(self, at: At = None) -> int:
        """`at` (see `moment_us`) in microseconds since the start, now if None; LabError for a moment still to come."""
        if at is None:
            return self.lab.now_us
        found = moment_us(self.start, at)
        if found > self.lab.now_us:
            raise LabError(
                f"moment must be up to {clock(self.start, self.lab.now_us)} (the lab's now); got {at!r}. "
                f"lab.advance(seconds) moves on"
            )
        return found

    def frame(self, time_us: int) -> TopologyFrame:
        """The frame at `time_us`, after every event up to then."""
        return self.frame_of(self.lab.state(at=time_us), time_us)

    def frame_after(self, seq: int) -> TopologyFrame:
        """The frame just after event row `seq`; LabError for an unknown row."""
        last = len(self.lab.events) - 1
        require("event row", seq, int, f"0 to {last}", within(0, last))
        event = self.lab.events[seq]
        return self.frame_of(self.lab.state(seq=seq), event.time_us)._replace(
            traces=traces_of(event, self.outline.nodes)
        )

    def frame_of(self, state: State, time_us: int, plan: Outline | None = None) -> TopologyFrame:
        """The frame of a replayed state at `time_us`, of the whole outline or of `plan`, a part of it."""
        return topology_frame(plan or self.outline, state, time_us, start=self.start, label_of=self.label)

    def label(self, number: int) -> str:
        """The beginning of a message's data, "" if it is no text or was not kept (`Lab.labels`)."""
        return label_of(self.lab, number)

    def draw(self, frame: TopologyFrame, places: Places | None = None) -> Picture:
        """A frame of this scene as a picture, at the places of the frame that was drawn first if none are given."""
        if places is None:
            places = self._places = self._places or places_of(frame)
        shapes = partial(places.exported, facts_of(frame), frame.time_us)
        return Picture(draw_topology(frame, places), frame.sentence, draw_key(frame, places), shapes)


def timeline_frame(lab: Lab, at: At = None, *, seq: int | None = None, qmgr: str | None = None) -> TopologyFrame:
    """The rows behind a picture: see `lab_picture`."""
    scene = Scene(lab, qmgr)
    return scene.frame(scene.time_us(at)) if seq is None else scene.frame_after(seq)


def topology_svg(lab: Lab, at: At = None, *, seq: int | None = None, qmgr: str | None = None) -> str:
    """The SVG text of a picture: see `lab_picture`."""
    return lab_picture(lab, at, seq=seq, qmgr=qmgr).svg


def lab_picture(
    lab: Lab,
    at: At = None,
    *,
    seq: int | None = None,
    qmgr: str | None = None,
    objects: Sequence[str] | None = None,
    positions: Mapping[str, Any] | None = None,
    groups: Mapping[str, Iterable[str]] | None = None,
    colors: Mapping[str, str] | None = None,
    notes: Mapping[str, str] | None = None,
) -> Picture:
    """The topology of a lab at a moment, drawn.

    The moment `at` is "13:05:00" (the first such time from the lab's start on), an ISO time, a datetime, or seconds
    since the start, and now if it is not given; `seq` is a row of the event log, just after which to look instead.
    `qmgr` is one queue manager to draw instead of all; `objects` are the only ones to draw, by their keys in
    `lab.topology()`, such as those of a route.

    Names below are those of queue managers or objects, or keys of `lab.topology()`. `positions` are places of one's own
    in any unit, scaled to fit, with y upwards: {"HUB": (0, 0), "ROME": (1, 0.5)}, or a layout of networkx. Other boxes
    are below. `groups` are sites, frames around queue managers: {"Vienna": ["HUB", "ROME"]}. `colors` are "#rrggbb",
    colors of `OKABE_ITO`, or roles of `Palette` (`mqlab.views.theme`), also of sites; `notes` are remarks below a box.

    LabError for a moment before the start or after now, and for a row, a queue manager, or a name there is not.
    """
    scene = Scene(lab, qmgr, Look(positions, groups, colors, notes))
    frame = scene.frame(scene.time_us(at)) if seq is None else scene.frame_after(seq)
    return scene.draw(frame, None if objects is None else places_of(frame, route=objects))
