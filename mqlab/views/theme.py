"""The look of every picture: colors by role, fonts, and the style sheet they become."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files as files_of
from typing import NamedTuple

# Okabe and Ito's palette: people with any of the common color-vision deficiencies can distinguish its colors.
OKABE_ITO = {
    "black": "#000000",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "blue": "#0072B2",
    "vermillion": "#D55E00",
    "purple": "#CC79A7",
}

SANS = 'var(--jp-ui-font-family, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif)'
MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace'
CHART_FONT = "Helvetica Neue, Arial, DejaVu Sans, sans-serif"


class Palette(NamedTuple):
    """One color for each role, as #rrggbb; the defaults are the light theme. Text has a contrast of 4.5:1 and graphics
    of 3:1 on paper, panel, and card (`tests/views/test_theme.py`)."""

    paper: str = "#ffffff"
    panel: str = "#f4f6f8"
    card: str = "#ffffff"
    edge: str = "#c9d1d9"  # outlines of cards and panels: decoration, never the only sign of anything
    ink: str = "#1c2128"
    muted: str = "#57606a"
    live: str = OKABE_ITO["blue"]
    level: str = "#d9ecf8"  # the fill behind a card's text: how full the queue is
    uncommitted: str = OKABE_ITO["orange"]
    uncommitted_line: str = "#7a5200"
    uncommitted_ground: str = "#ffe6ad"  # the fill under strokes of uncommitted_line
    expired: str = "#c24f00"
    expired_ground: str = "#ffe3cf"
    alarm: str = "#a63d00"  # words and signs that must be noticed
    puts: str = OKABE_ITO["blue"]
    gets: str = "#00805d"
    structure: str = "#6b7580"
    held: str = "#dcf1e9"  # the fill of what a unit of work holds; its outline is gets
    differs: str = "#8a3a86"  # what is otherwise in another future
    grid: str = "#e6eaee"  # thin lines under a chart: decoration


LIGHT = Palette()
DARK = Palette(
    paper="#14181d", panel="#1b2027", card="#242b34", edge="#3d4753", ink="#e8edf2", muted="#a9b4c0", level="#23435a",
    live=OKABE_ITO["sky"], uncommitted_line="#ffd27a", uncommitted_ground="#4d3a10", expired="#ff8b45",
    expired_ground="#4a2a15", alarm="#ffa366", puts=OKABE_ITO["sky"], gets="#2fbf93", structure="#8d98a5",
    held="#17402f", differs="#e39ad9", grid="#2b323b",
)  # fmt: skip  # a table of colors by role


def _variables(palette: Palette) -> str:
    return "".join(f"--mq-{role.replace('_', '-')}:{color};" for role, color in palette._asdict().items())


def _scoped(scope: str, css: str) -> str:
    """Flat CSS with `scope` before every selector, & standing for the scope itself."""
    css = re.sub(r"/\*.*?\*/|\n", "", css)
    scoped = ""
    for selectors, body in (rule.split("{", 1) for rule in css.split("}") if rule.strip()):
        each = (selector.strip() for selector in selectors.split(","))
        scoped += ",".join(scope + s[1:] if s.startswith("&") else f"{scope} {s}" for s in each) + f"{{{body}}}"
    return scoped


@cache
def style_sheet(scope: str, *files: str) -> str:
    """CSS for `scope`, a selector such as ``.mqlab-topology``: ``--mq-<role>`` variables and the rules of `files`.

    A page that says which theme it has (JupyterLab and nbconvert pages do, on their body) is believed; elsewhere the
    reader's own light or dark setting decides.
    """
    light, dark = _variables(LIGHT), _variables(DARK)
    jupyter = "--mq-ink:var(--jp-ui-font-color1,{ink});--mq-paper:var(--jp-layout-color1,{paper});"
    return (
        f"{scope}{{{light}--mq-sans:{SANS};--mq-mono:{MONO};color-scheme:light dark}}"
        f"@media (prefers-color-scheme:dark){{{scope}{{{dark}}}}}"
        f'[data-jp-theme-light="true"] {scope}{{{light}{jupyter.format(**LIGHT._asdict())}}}'
        f'[data-jp-theme-light="false"] {scope}{{{dark}{jupyter.format(**DARK._asdict())}}}'
        f".vscode-light {scope}{{{light}}}.vscode-dark {scope}{{{dark}}}"
        + "".join(_scoped(scope, files_of("mqlab.views").joinpath(name).read_text("utf-8")) for name in files)
    )


def on_paper(scope: str) -> str:
    """CSS that gives `scope` light colors where it is printed, whatever theme the page has."""
    return f"@media print{{{scope * 3}{{{_variables(LIGHT)}color-scheme:light;print-color-adjust:exact}}}}"


def altair_theme() -> dict:
    """The same look as a Vega-Lite config: ink on white, system fonts, thin grid, legends at the top."""
    label = {"labelColor": LIGHT.muted, "labelFont": CHART_FONT, "labelFontSize": 11}
    label |= {"titleColor": LIGHT.ink, "titleFont": CHART_FONT, "titleFontSize": 12, "titleFontWeight": 500}
    title = {"anchor": "start", "frame": "group", "offset": 14, "color": LIGHT.ink, "fontSize": 16, "fontWeight": 600}
    title |= {"subtitleColor": LIGHT.muted, "subtitleFontSize": 12, "subtitlePadding": 6}
    lines = {"gridColor": LIGHT.grid, "domainColor": LIGHT.edge, "tickColor": LIGHT.edge, "titlePadding": 8}
    return {
        "config": {
            "background": LIGHT.paper,
            "font": CHART_FONT,
            "padding": 12,
            "view": {"stroke": None},
            "title": title,
            "axis": label | lines,
            "axisY": {"domain": False, "ticks": False},
            "legend": {**label, "orient": "top", "symbolSize": 110, "labelLimit": 320, "titlePadding": 4},
            "range": {"category": [OKABE_ITO[c] for c in ("blue", "orange", "green", "vermillion", "sky", "purple")]},
        }
    }
