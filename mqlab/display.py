"""How the model's objects look in a notebook.

The model never imports a view, so its classes get their notebook faces here, from above. The views themselves load when
something is first shown.
"""

from __future__ import annotations

from .errors import LabError, MQError, ProgramDied, RunawayTrigger
from .stuck import Delivery
from .triggering import Reasons

__all__ = ["install"]


def install() -> None:
    """Give the model's classes their `_repr_mimebundle_`, which Jupyter asks for."""
    MQError._repr_mimebundle_ = _error_bundle
    Reasons._repr_mimebundle_ = _reasons_bundle
    Delivery._repr_mimebundle_ = _delivery_bundle
    for error in (LabError, ProgramDied, RunawayTrigger):
        error._repr_mimebundle_ = _lab_error_bundle


def _reasons_bundle(reasons: Reasons, include=None, exclude=None) -> dict[str, str]:
    """Conditions as a card, a line each."""
    from .views.cards import reasons_card

    return _bundle(reasons_card(reasons))


def _delivery_bundle(delivery: Delivery, include=None, exclude=None) -> dict[str, str]:
    """Where a message is and what keeps it there, as a card."""
    from .views.cards import delivery_card

    return _bundle(delivery_card(delivery))


def _error_bundle(error: MQError, include=None, exclude=None) -> dict[str, str]:
    """A refusal as a card."""
    from .views.cards import error_card

    return _bundle(error_card(error))


def _lab_error_bundle(error, include=None, exclude=None) -> dict[str, str]:
    """What the lab itself raised, as a card."""
    from .views.cards import lab_error_card

    return _bundle(lab_error_card(error))


def _bundle(card: tuple[str, str]) -> dict[str, str]:
    """A card's text and HTML as Jupyter takes them."""
    return {"text/plain": card[0], "text/html": card[1]}
