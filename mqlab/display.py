"""How the model's objects look in a notebook.

The model never imports a view, so its classes get their notebook faces here, from above. The views themselves load when
something is first shown.
"""

from __future__ import annotations

from .errors import MQError
from .triggering import Reasons

__all__ = ["install"]


def install() -> None:
    """Give the model's classes their `_repr_mimebundle_`, which Jupyter asks for."""
    MQError._repr_mimebundle_ = _error_bundle
    Reasons._repr_mimebundle_ = _reasons_bundle


def _reasons_bundle(reasons: Reasons, include=None, exclude=None) -> dict[str, str]:
    """Conditions as a card, a line each."""
    from .views.cards import reasons_card

    return {"text/plain": str(reasons), "text/html": reasons_card(reasons)}


def _error_bundle(error: MQError, include=None, exclude=None) -> dict[str, str]:
    """A refusal as a card."""
    from .views.cards import error_card

    text, html = error_card(error)
    return {"text/plain": text, "text/html": html}
