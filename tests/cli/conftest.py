"""A small checkout with a notebook of its own."""

from small_checkout import checkout, notebook  # noqa: F401
