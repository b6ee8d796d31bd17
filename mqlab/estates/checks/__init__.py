"""The checks, by subject; importing this package registers them all."""

from ..findings import CHECKS, findings
from . import (
    admission,
    authority,
    calls,
    channels,
    commands,
    dead_letters,
    expiry,
    missing,
    names,
    persistence,
    routes,
    security,
    sharing,
    storage,
    transmission,
    triggers,
)

__all__ = ["CHECKS", "findings"]
