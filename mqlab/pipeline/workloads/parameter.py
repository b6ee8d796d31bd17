"""Parameters of workloads: what each means, in which unit, and which values it can have."""

from __future__ import annotations

from typing import NamedTuple

from mqlab.mq.errors import LabError

__all__ = ["Parameter"]

_YES_NO = {"true": True, "yes": True, "false": False, "no": False}


class Parameter(NamedTuple):
    """One parameter: its default (whose type is the parameter's), what it is, its unit and its values.

    `low` and `high` are the least and the greatest number it can be, `choices` the words. What MQ itself refuses, such
    as a lifetime of 0, is no matter of the range: that is a result.
    """

    name: str
    default: int | float | bool | str
    about: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def checked(self, value):
        """The value as this parameter's type, from a value or its text; LabError for one it cannot have."""
        found = self._typed(value)
        if found is None or (self.choices and found not in self.choices) or not self._within(found):
            raise LabError(f"{self.name} wanted: {self.wanted}; got {value!r}. It is {self.about}")
        return found

    @property
    def wanted(self) -> str:
        """The values it can have, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if isinstance(self.default, bool):
            return "True or False"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        limits = [f"{low} or more" for low in (self.low,) if low is not None]
        limits += [f"at most {high}" for high in (self.high,) if high is not None]
        return ", ".join([f"{kind} of {self.unit}" if self.unit else kind, *limits])

    def _typed(self, value):
        """The value as the type of the default, None if it is none of that type."""
        if self.choices:
            return value.upper() if isinstance(value, str) else None
        if isinstance(self.default, bool):
            return value if isinstance(value, bool) else _YES_NO.get(str(value).lower())
        if isinstance(value, bool):
            return None
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            return None
        if number - number:  # neither infinity nor what is no number
            return None
        if isinstance(self.default, float):
            return number
        return int(number) if number.is_integer() else None

    def _within(self, value) -> bool:
        """Whether a number is in the range; what is no number is."""
        if isinstance(value, bool | str):
            return True
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
