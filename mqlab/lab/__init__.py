"""A lab put together: queue managers, scenarios, branches, and how they look in a notebook."""

from .display import install

install()
