"""Show altair charts without a network: live in JupyterLab, as a picture elsewhere, with words and a table of data."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ...engine.words.errors import NotInstalled
from ..cards.tables import table
from ..text import capital, escape, plural
from ..theme import LIGHT, style_sheet

if TYPE_CHECKING:
    import altair as alt

_PARTS = ("layer", "concat", "hconcat", "vconcat")
_STYLE = (
    "<style>.mqlab-data{margin:2px 0 10px}.mqlab-data>summary{cursor:pointer;width:fit-content;font-size:12px}</style>"
)

ROWS = 1500
Columns = tuple[str, ...]
Row = tuple[object, ...]


def tables(spec: dict[str, Any]) -> dict[Columns, list[Row]]:
    """Return the rows of a chart's marks by the headings of their tooltips; marks with the same headings share a table.

    `spec` is a Vega-Lite chart, as `chart.to_dict()` makes it. A mark without a tooltip has no row.
    """
    found: dict[Columns, dict[Row, None]] = {}
    for tips, data in _marks(spec, {}, spec.get("datasets", {}), []):
        columns = tuple(capital(str(tip.get("title") or tip["field"].replace("_", " "))) for tip in tips)
        rows = found.setdefault(columns, {})
        rows.update(dict.fromkeys(tuple(_cell(row.get(tip["field"]), tip) for tip in tips) for row in data))
    return {columns: _together(list(rows)) for columns, rows in found.items() if rows}


def data_table(spec: dict[str, Any], title: str) -> tuple[str, str]:
    """Return a chart's data as (text, html): tables, folded away; both are empty for a chart without tooltips.

    A table has at most ROWS rows, evenly spaced in those of the chart."""
    found = tables(spec)
    if not found:
        return "", ""
    most = max(map(len, found.values()))
    count, step = plural(sum(map(len, found.values())), "row"), -(-most // ROWS)
    count = count if step == 1 else f"1 in {step} of {count}"
    shown = "".join(table(title, columns, rows[::step]) for columns, rows in found.items())
    summary = f"<summary>The chart as a table ({escape(count)})</summary>"
    return f"The chart as a table: {count}", f'{_STYLE}<details class="mqlab-data">{summary}{shown}</details>'


def _marks(view: dict[str, Any], encoding: dict, datasets: dict, rows: list[dict]) -> Iterator[tuple[list[dict], list]]:
    """The fields of the tooltip of each mark, and the rows that it draws; a part inherits encoding and data."""
    encoding = {**encoding, **view.get("encoding", {})}
    data = view.get("data") or {}
    if "name" in data or "values" in data:
        values = datasets.get(data["name"], []) if "name" in data else data["values"]
        rows = _read(values, data) if isinstance(values, str) else values
    for step in view.get("transform", ()):
        own = step.get("filter")
        if isinstance(own, dict) and "equal" in own:  # of a layer that shares its table with others
            rows = [row for row in rows if row.get(own["field"]) == own["equal"]]
    parts = [part for name in _PARTS for part in view.get(name, ())]
    for part in [*parts, *filter(None, [view.get("spec")])]:
        yield from _marks(part, encoding, datasets, rows)
    tips = encoding.get("tooltip")
    tips = tips if isinstance(tips, list) else [tips] if isinstance(tips, dict) else []
    if "mark" in view and tips and all("field" in tip and "aggregate" not in tip for tip in tips):
        yield tips, rows


def _read(text: str, data: dict[str, Any]) -> list[dict]:
    """The rows of data in CSV."""
    kinds, rows = data["format"].get("parse", {}), csv.DictReader(io.StringIO(text))
    numbers = {key for key, kind in kinds.items() if kind == "number"}
    return [{key: float(text) if text and key in numbers else text for key, text in row.items()} for row in rows]


def _cell(value: Any, tip: dict[str, Any]) -> object:
    """A value as its tooltip shows it: a time by its format, a number without needless digits."""
    if tip.get("type") == "temporal" and isinstance(value, str):
        return datetime.fromisoformat(value.removesuffix("Z")).strftime(tip.get("format", "%Y-%m-%d %H:%M:%S"))
    if isinstance(value, float):
        return int(value) if value.is_integer() else float(f"{value:.4g}")
    return value


def _together(rows: list[Row]) -> list[Row]:
    """Rows with those of the same first cell together, in the order in which they were first drawn."""
    order = {first: number for number, first in enumerate(dict.fromkeys(row[0] for row in rows))}
    return sorted(rows, key=lambda row: order[row[0]])


SCOPE = ".mqlab-chart"
_PLOT = re.compile(r'<g fill="none" stroke-miterlimit="10" transform="translate\(([\d.]+),([\d.]+)\)">')
_GROUND = re.compile(r'<path class="background" aria-hidden="true" d="M0,0h([\d.]+)v([\d.]+)h')
_SPOKEN = re.compile(r'<path aria-label="([^"]*)" role="graphics-symbol"([^>]*)/>')


# of the renderer, and of our charts: Vega turns theirs into classes of their marks
NAME = "mqlab"
_LIVE = f'.vega-embed:has([class*="{NAME}_"]) svg'
# the layout of vega-embed's own style sheet, which it leaves out if it is given another
_MENU = (
    ".vega-embed{position:relative;display:inline-block}.vega-embed.has-actions{padding-right:38px}"
    ".vega-embed details:not([open])>:not(summary){display:none!important}"
    ".vega-embed summary{position:absolute;top:0;right:0;padding:6px;cursor:pointer;list-style:none;opacity:.5}"
    ".vega-embed summary svg{width:14px;height:14px}.vega-embed summary::-webkit-details-marker{display:none}"
    ".vega-embed .vega-actions{position:absolute;z-index:1001;top:35px;right:0;display:flex;flex-direction:column;"
    "padding:8px 0;border:1px solid #d9d9d9;background:#ffffff}"
    ".vega-embed .vega-actions a{padding:8px 16px;font:600 14px sans-serif;white-space:nowrap;color:#434a56;"
    "text-decoration:none}"
)


@cache
def _rules(scope: str) -> str:
    """The theme's variables, and for each color of the light palette the rule that draws its role's color instead."""
    # the colors stay in the drawing as attributes, which any style sheet outranks: a reader without CSS sees them
    roles: dict[str, str] = {}
    for role, colour in zip(LIGHT._fields, LIGHT, strict=True):
        roles.setdefault(colour, role.replace("_", "-"))  # card is paper, puts is live: alike in both palettes
    return style_sheet(scope) + "".join(
        f'{scope} [{what}="{colour}"]{{{what}:var(--mq-{role},{colour})}}'
        for colour, role in roles.items()
        for what in ("fill", "stroke")
    )


@cache
def live_style() -> str:
    """The style sheet for charts that JupyterLab draws: those of this project follow its theme, as pictures do.

    vega-embed sets the ground as a style of the SVG itself, which only `!important` outranks.
    """
    return f"{_MENU}{_rules(_LIVE)}{_LIVE}.marks{{background-color:var(--mq-paper)!important}}"


def themed(svg: str) -> str:
    """Let a drawing in the colors of the light palette follow the light or dark theme of its surroundings.

    Inline, the page's theme decides (see `mqlab.views.theme.style_sheet`); as an image, the reader's own setting.
    """
    head, _, rest = svg.partition(">")
    name = SCOPE.removeprefix(".")
    head = head.replace('class="', f'class="{name} ', 1) if 'class="' in head else f'{head} class="{name}"'
    return f"{head}><style>{_rules(SCOPE)}</style>{rest}"


def plot_area(svg: str) -> tuple[float, float, float, float]:
    """Where a chart's plot is in its drawing: x0, y0, x1, y1 in SVG user units."""
    (left, top), (width, height) = (map(float, form.findall(svg)[0]) for form in (_PLOT, _GROUND))
    return left, top, left + width, top + height


# JupyterLab 4.6 bundles Vega-Lite 5 and knows its charts by this label only; altair's own label draws nothing offline.
LIVE_TYPE = "application/vnd.vegalite.v5+json"
LIVE_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.20.1.json"
LIVE_OPTIONS = {"renderer": "svg", "actions": {"export": True, "source": False, "compiled": False, "editor": False}}
DEFINED = re.compile(r'<(?:clipPath|linearGradient|radialGradient|pattern) id="([^"]+)"')
STATIC_VARIABLE = "MQLAB_STATIC"


def spoken(spec: dict[str, Any]) -> str:
    """Return what a screen reader says of a chart: its description, else its title, else that it is a chart."""
    if description := spec.get("description"):
        return str(description)
    title = _title(spec)
    return f"Chart: {title}" if title else "Chart without a title"


def _title(spec: dict[str, Any]) -> str:
    title = spec.get("title") or ""
    if isinstance(title, dict):
        title = title.get("text") or ""
    return " ".join(map(str, title)) if isinstance(title, list) else str(title)


def renumbered(svg: str) -> str:
    """Return an SVG with the ids of its clips and gradients counted from 0: Vega counts on from chart to chart."""
    for number, name in enumerate(DEFINED.findall(svg)):
        svg = svg.replace(f' id="{name}"', f' id="part{number}"').replace(f'="url(#{name})"', f'="url(#part{number})"')
    return svg


def can_draw() -> bool:
    """Return whether this process can draw a chart; without, JupyterLab draws it, and other places have its words."""
    return find_spec("vl_convert") is not None


def picture(spec: dict[str, Any]) -> str:
    """Return the chart as SVG text that carries its own words; drawn in this process, nothing is fetched.

    LabError if vl-convert is not installed, as in a browser.
    """
    if not can_draw():
        raise NotInstalled("a chart as a picture", "vl-convert-python")
    import altair
    import vl_convert

    version = ".".join(altair.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    svg = renumbered(vl_convert.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[]))
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(spoken(spec))}" ', 1)
    return themed(svg) if ours(spec) else svg


def themed_svg(chart: alt.TopLevelMixin) -> str:
    """Return an altair chart as SVG for a page: it follows the page's theme where the chart has this project's look.

    The words of every mark are its <title> too, which browsers show under the pointer.
    """
    titled = r'<path aria-label="\1" role="graphics-symbol"\2><title>\1</title></path>'
    return _SPOKEN.sub(titled, picture(chart.to_dict()))


def ours(spec: dict[str, Any]) -> bool:
    """Return whether a chart has the look of `mqlab.views.theme`, whose colors can follow a page's theme."""
    return spec.get("config", {}).get("background") == LIGHT.paper


def mimebundle(spec: dict[str, Any], live: bool = True) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (data, metadata) of a chart for Jupyter: picture and words, and where `live` the chart itself as well."""
    words = spoken(spec)
    data: dict[str, Any] = ({"image/svg+xml": picture(spec)} if can_draw() else {}) | {"text/plain": words}
    if not live:
        return data, {}
    name, style = ({"name": NAME}, {"defaultStyle": live_style()}) if ours(spec) else ({}, {})
    data[LIVE_TYPE] = {**spec, **name, "$schema": LIVE_SCHEMA, "description": words}
    return data, {LIVE_TYPE: {"embed_options": LIVE_OPTIONS | style}}


def show(chart: alt.TopLevelMixin) -> None:
    """Display a chart in a notebook and, below a chart of this renderer, its data as a table, folded away."""
    import altair
    from IPython.display import display

    spec = chart.to_dict(context={"pre_transform": False})
    bundle = altair.renderers.get()(spec)
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    display(data, metadata=metadata, raw=True)
    text, html = data_table(spec, _title(spec)) if altair.renderers.active == NAME else ("", "")
    if html:
        display({"text/plain": text, "text/html": html}, raw=True)


def enable(live: bool | None = None) -> None:
    """Make this the renderer of every altair chart; `live` False, or MQLAB_STATIC=1, leaves pictures only.

    In a notebook, each chart also gets its data as a table.
    """
    import altair
    from IPython import get_ipython

    if live is None:
        live = os.environ.get(STATIC_VARIABLE, "") in ("", "0")
    altair.renderers.register(NAME, mimebundle)
    altair.renderers.enable(NAME, live=live)
    if shell := get_ipython():
        shell.display_formatter.ipython_display_formatter.for_type(altair.TopLevelMixin, show)
