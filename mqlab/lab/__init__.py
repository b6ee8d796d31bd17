"""A lab put together: queue managers, scenarios, branches, and the extras that are there."""

from .extras import plug_in

plug_in()
