"""Pictures of a lab: frames (plain rows at a moment), drawings of them, and nothing the model depends on.

- A lab at a moment: `lab_picture`, `lab_moments`, `topology_svg`, `timeline_frame`
- Charts (altair): `lifecycle_chart`, `lapsed_chart`; for a page, as SVG: `lifecycle_svg`, `themed_svg`
- Cards: `card`, `delivery_card`, `error_card`, `explain_card`, `lab_error_card`, `reasons_card`
- The rows behind them: `outline`, `topology_frame`, `lifecycle_frame`, `depth_frame`
- Drawings of rows: `lay_out`, `route_paths`, `draw_topology`, `draw_moments`, `draw_lives`, `draw_depths`
"""

from importlib import import_module

_HOME = {
    "lab_picture": "scene",
    "lab_moments": "scene",
    "topology_svg": "scene",
    "timeline_frame": "scene",
    "lifecycle_chart": "lifecycle",
    "lifecycle_svg": "lifecycle",
    "themed_svg": "renderer",
    "lapsed_chart": "lapsed",
    "draw_lives": "lifecycle",
    "draw_depths": "lapsed",
    "card": "cards",
    "delivery_card": "cards",
    "error_card": "cards",
    "explain_card": "cards",
    "lab_error_card": "cards",
    "reasons_card": "cards",
    "outline": "frames",
    "topology_frame": "frames",
    "lifecycle_frame": "lives",
    "depth_frame": "depths",
    "lay_out": "layout",
    "route_paths": "layout",
    "draw_topology": "svg",
    "draw_moments": "strip",
}

__all__ = list(_HOME)


def __getattr__(name: str):
    # a failure card must not wait for altair to load
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)
