"""The programs of maintainers, run from the checkout as `python -m tools.NAME`; none is in the wheel."""
