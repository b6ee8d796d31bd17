"""Pictures of a lab: frames (plain rows at a moment), drawings of them, and nothing the model depends on.

- A lab at a moment: `lab_picture`, `topology_svg`, `timeline_frame`
- Charts (altair): `lifecycle_chart`, `expired_chart`; for a page, as SVG: `lifecycle_svg`, `themed_svg`
- Cards: `card`, `delivery_card`, `error_card`, `explain_card`, `lab_error_card`, `reasons_card`
- The rows behind them: `outline`, `topology_frame`, `lifecycle_frame`, `depth_frame`
- Two futures: `comparison_frame`, `comparison_card`; both and the pictures: `lab.compare(other)`
- Drawings of rows: `draw_topology`, `draw_lifecycles`, `draw_depths`
"""

from importlib import import_module
from typing import Any

from ..engine.words.arguments import checked

_NAMES = {
    "drawing.scene": ("lab_picture", "topology_svg", "timeline_frame"),
    "charts.lifecycle": ("lifecycle_chart", "lifecycle_svg", "draw_lifecycles"),
    "charts.renderer": ("themed_svg",),
    "charts.expired": ("expired_chart", "draw_depths"),
    "player.compare": ("comparison_card", "comparison_frame"),
    "cards.cards": ("card", "delivery_card", "error_card", "explain_card", "lab_error_card", "reasons_card"),
    "frames.topology": ("outline", "topology_frame"),
    "frames.lifecycle_rows": ("depth_frame", "lifecycle_frame"),
    "drawing.topology": ("draw_topology",),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    # a failure card must not wait for altair to load
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = checked(getattr(import_module(f".{_HOME[name]}", __name__), name))
    return found
