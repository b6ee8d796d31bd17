"""The checks, by subject; importing this package registers them all."""

from ..findings import CHECKS, findings
from . import (
    admission,
    authority,
    calls,
    channels,
    cluster_queues,
    clusters,
    commands,
    dead_letters,
    doubles,
    expiry,
    missing,
    names,
    persistence,
    routes,
    security,
    sharing,
    transmission,
    triggers,
)

__all__ = ["CHECKS", "findings"]
