"""Show altair charts without a network: live in JupyterLab, as a picture everywhere else, always with words."""

import os
import re
from html import escape
from typing import Any

from ..theme import LIGHT
from .inline import MARKER, live_style, themed, with_titles

NAME = "mqlab"
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
    title = spec.get("title")
    if isinstance(title, dict):
        title = title.get("text")
    if isinstance(title, list):
        title = " ".join(str(line) for line in title)
    return f"Chart: {title}" if title else "Chart without a title"


def renumbered(svg: str) -> str:
    """Return an SVG with the ids of its clips and gradients counted from 0: Vega counts on from chart to chart."""
    for number, name in enumerate(DEFINED.findall(svg)):
        svg = svg.replace(f' id="{name}"', f' id="part{number}"').replace(f'="url(#{name})"', f'="url(#part{number})"')
    return svg


def picture(spec: dict[str, Any]) -> str:
    """Return the chart as SVG text that carries its own words; drawn in this process, nothing is fetched."""
    import altair
    import vl_convert

    version = ".".join(altair.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    svg = renumbered(vl_convert.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[]))
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(spoken(spec), quote=True)}" ', 1)
    return themed(svg) if ours(spec) else svg


def themed_svg(chart: Any) -> str:
    """Return an altair chart as SVG for a page: it follows the page's theme where the chart has this project's look.

    Its marks say their descriptions under the pointer.
    """
    return with_titles(picture(chart.to_dict()))


def ours(spec: dict[str, Any]) -> bool:
    """Return whether a chart has the look of `mqlab.views.theme`, whose colours can follow a page's theme."""
    return spec.get("config", {}).get("background") == LIGHT.paper


def mimebundle(spec: dict[str, Any], live: bool = True) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (data, metadata) of a chart for Jupyter: picture and words, and where `live` the chart itself as well."""
    words = spoken(spec)
    data: dict[str, Any] = {"image/svg+xml": picture(spec), "text/plain": words}
    if not live:
        return data, {}
    name, style = ({"name": MARKER}, {"defaultStyle": live_style()}) if ours(spec) else ({}, {})
    data[LIVE_TYPE] = {**spec, **name, "$schema": LIVE_SCHEMA, "description": words}
    return data, {LIVE_TYPE: {"embed_options": LIVE_OPTIONS | style}}


def enable(live: bool | None = None) -> None:
    """Make this the renderer of every altair chart; `live` False, or MQLAB_STATIC=1, leaves pictures only."""
    import altair

    if live is None:
        live = os.environ.get(STATIC_VARIABLE, "") in ("", "0")
    altair.renderers.register(NAME, mimebundle)
    altair.renderers.enable(NAME, live=live)
