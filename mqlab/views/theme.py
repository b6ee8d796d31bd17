"""The look of every picture: colours by role, fonts, and the style sheet they become."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files as files_of
from typing import NamedTuple

# Okabe and Ito's palette, told apart by people with any of the common colour-vision deficiencies.
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
    """One colour for each role, as #rrggbb; text roles hold 4.5:1 and graphic roles 3:1 on paper, panel and card."""

    paper: str
    panel: str
    card: str
    edge: str  # outlines of cards and panels: decoration, never the only sign of anything
    ink: str
    muted: str
    live: str
    level: str  # the fill behind a card's text: how full the queue is
    uncommitted: str
    uncommitted_line: str
    uncommitted_ground: str  # the fill under strokes of uncommitted_line
    expired: str
    expired_ground: str
    alarm: str  # words and signs that must be noticed
    puts: str
    gets: str
    structure: str
    held: str  # the fill of what a unit of work holds; its outline is gets
    grid: str  # thin lines under a chart: decoration


_COLOURS = {  # role: in the light theme, in the dark one
    "paper": ("#ffffff", "#14181d"),
    "panel": ("#f4f6f8", "#1b2027"),
    "card": ("#ffffff", "#242b34"),
    "edge": ("#c9d1d9", "#3d4753"),
    "ink": ("#1c2128", "#e8edf2"),
    "muted": ("#57606a", "#a9b4c0"),
    "live": (OKABE_ITO["blue"], OKABE_ITO["sky"]),
    "level": ("#d9ecf8", "#23435a"),
    "uncommitted": (OKABE_ITO["orange"], OKABE_ITO["orange"]),
    "uncommitted_line": ("#7a5200", "#ffd27a"),
    "uncommitted_ground": ("#ffe6ad", "#4d3a10"),
    "expired": ("#c24f00", "#ff8b45"),
    "expired_ground": ("#ffe3cf", "#4a2a15"),
    "alarm": ("#a63d00", "#ffa366"),
    "puts": (OKABE_ITO["blue"], OKABE_ITO["sky"]),
    "gets": ("#00805d", "#2fbf93"),
    "structure": ("#6b7580", "#8d98a5"),
    "held": ("#dcf1e9", "#17402f"),
    "grid": ("#e6eaee", "#2b323b"),
}
LIGHT, DARK = (Palette(**{role: colours[dark] for role, colours in _COLOURS.items()}) for dark in (0, 1))
TEXT_ROLES = ("ink", "muted", "alarm")
GRAPHIC_ROLES = ("live", "uncommitted_line", "expired", "puts", "gets", "structure")


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG contrast ratio, 1 to 21, of two #rrggbb colours.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return round((high + 0.05) / (low + 0.05), 2)


def _variables(palette: Palette) -> str:
    return "".join(
        f"--mq-{role.replace('_', '-')}:{value};" for role, value in zip(palette._fields, palette, strict=True)
    )


def _scoped(scope: str, css: str) -> str:
    """Flat CSS with `scope` before every selector, & standing for the scope itself."""
    css = re.sub(r"/\*.*?\*/|\n", "", css)
    rules = (rule.split("{", 1) for rule in css.split("}") if rule.strip())
    return "".join(
        ",".join(
            scope + s.strip()[1:] if s.strip().startswith("&") else f"{scope} {s.strip()}" for s in selectors.split(",")
        )
        + f"{{{body}}}"
        for selectors, body in rules
    )


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


def altair_theme() -> dict:
    """The same look as a Vega-Lite config: ink on white, system fonts, thin grid, legends at the top."""
    label = {
        "labelColor": LIGHT.muted,
        "titleColor": LIGHT.ink,
        "labelFont": CHART_FONT,
        "titleFont": CHART_FONT,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": 500,
    }
    return {
        "config": {
            "background": LIGHT.paper,
            "font": CHART_FONT,
            "padding": 12,
            "view": {"stroke": None},
            "title": {
                "anchor": "start",
                "color": LIGHT.ink,
                "fontSize": 16,
                "fontWeight": 600,
                "subtitleColor": LIGHT.muted,
                "subtitleFontSize": 12,
                "subtitlePadding": 6,
                "offset": 14,
                "frame": "group",
            },
            "axis": {
                **label,
                "gridColor": LIGHT.grid,
                "domainColor": LIGHT.edge,
                "tickColor": LIGHT.edge,
                "titlePadding": 8,
            },
            "axisY": {"domain": False, "ticks": False},
            "legend": {**label, "orient": "top", "symbolSize": 110, "labelLimit": 320, "titlePadding": 4},
            "range": {"category": [OKABE_ITO[c] for c in ("blue", "orange", "green", "vermillion", "sky", "purple")]},
        }
    }
