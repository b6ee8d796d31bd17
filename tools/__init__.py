"""Tools of those who maintain mqlab: `python -m tools.NAME` in a checkout. They are not installed with the package."""
