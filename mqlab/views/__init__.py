"""Pictures of a lab: frames (plain rows at a moment), drawings of them, and nothing the model depends on.

- A lab at a moment: `lab_picture`, `lab_moments`, `topology_svg`, `timeline_frame`
- Charts (altair): `lifecycle_chart`, `expired_chart`; for a page, as SVG: `lifecycle_svg`, `themed_svg`
- Cards: `card`, `delivery_card`, `error_card`, `explain_card`, `lab_error_card`, `reasons_card`
- The rows behind them: `outline`, `topology_frame`, `lifecycle_frame`, `depth_frame`
- Two futures: `comparison_frame`, `comparison_card`; both and the pictures: `lab.compare(other)`
- Drawings of rows: `lay_out`, `route_paths`, `draw_topology`, `draw_moments`, `draw_lifecycles`, `draw_depths`
"""

from importlib import import_module

_HOME = {
    "lab_picture": "drawing.scene",
    "lab_moments": "drawing.scene",
    "topology_svg": "drawing.scene",
    "timeline_frame": "drawing.scene",
    "lifecycle_chart": "charts.lifecycle",
    "lifecycle_svg": "charts.lifecycle",
    "themed_svg": "charts.renderer",
    "expired_chart": "charts.expired",
    "draw_lifecycles": "charts.lifecycle",
    "draw_depths": "charts.expired",
    "comparison_card": "player.compare",
    "comparison_frame": "player.compare",
    "card": "cards.cards",
    "delivery_card": "cards.cards",
    "error_card": "cards.cards",
    "explain_card": "cards.cards",
    "lab_error_card": "cards.cards",
    "reasons_card": "cards.cards",
    "outline": "frames.topology",
    "topology_frame": "frames.topology",
    "lifecycle_frame": "frames.lifecycle_rows",
    "depth_frame": "frames.depths",
    "lay_out": "drawing.layout",
    "route_paths": "drawing.layout",
    "draw_topology": "drawing.topology",
    "draw_moments": "drawing.strip",
}

__all__ = list(_HOME)


def __getattr__(name: str):
    # a failure card must not wait for altair to load
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)
