"""Templates of sentences: text with fields in braces, which data files keep and code fills in."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter


class _Template(Formatter):
    """A formatter with formats for numbers: {number:message|messages} is a number with its noun, and with ``=`` first,
    {number:=matches|match}, the word alone."""

    def format_field(self, value: object, format_spec: str) -> str:
        if not format_spec:
            return str(value)
        singular, plural = format_spec.removeprefix("=").split("|")
        word = singular if value == 1 else plural
        return word if format_spec.startswith("=") else f"{value} {word}"


_FORMATTER = _Template()


def filled(template: str, facts: Mapping[str, object]) -> str:
    """The template with these facts in its fields; KeyError for a field that they lack.

    >>> filled("{depth:message|messages} on {queue}", {"depth": 1, "queue": "ORDERS"})
    '1 message on ORDERS'
    """
    return _FORMATTER.vformat(template, (), facts)


def fields_of(template: str) -> set[str]:
    """The names of the fields of a template."""
    return {name for _, name, _, _ in _FORMATTER.parse(template) if name}
