"""Charts as SVG text for a page: its colours follow the page's theme, its marks say their words to a pointer."""

from __future__ import annotations

import re
from functools import cache

from ..theme import LIGHT, style_sheet

__all__ = ["MARKER", "SCOPE", "live_style", "plot_area", "themed", "with_titles"]

SCOPE = ".mqlab-chart"
_PLOT = re.compile(r'<g fill="none" stroke-miterlimit="10" transform="translate\(([\d.]+),([\d.]+)\)">')
_GROUND = re.compile(r'<path class="background" aria-hidden="true" d="M0,0h([\d.]+)v([\d.]+)h')
_SPOKEN = re.compile(r'<path aria-label="([^"]*)" role="graphics-symbol"([^>]*)/>')


# our charts carry a name, which Vega turns into classes of their marks
MARKER = "mqlab"
_LIVE = f'.vega-embed:has([class*="{MARKER}_"]) svg'
# what vega-embed lays out in its own style sheet, which it leaves out where it is given another
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
    """The theme's variables, and for each colour of the light palette the rule that draws its role's colour instead.

    The colours stay in the drawing as attributes, which any style sheet outranks: a reader without CSS sees them.
    """
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
    """A drawing in the colours of the light palette as one that follows the light or dark theme of where it is shown.

    Inline, the page's theme decides (see `mqlab.views.theme.style_sheet`); as an image, the reader's own setting.
    """
    head, _, rest = svg.partition(">")
    name = SCOPE.removeprefix(".")
    head = head.replace('class="', f'class="{name} ', 1) if 'class="' in head else f'{head} class="{name}"'
    return f"{head}><style>{_rules(SCOPE)}</style>{rest}"


def with_titles(svg: str) -> str:
    """The drawing with the words of every mark as its <title> too, which browsers show under the pointer."""
    return _SPOKEN.sub(r'<path aria-label="\1" role="graphics-symbol"\2><title>\1</title></path>', svg)


def plot_area(svg: str) -> tuple[float, float, float, float]:
    """Where a chart's plot is in its drawing: x0, y0, x1, y1 in SVG user units."""
    left, top = map(float, _PLOT.search(svg).groups())
    width, height = map(float, _GROUND.search(svg).groups())
    return left, top, left + width, top + height
