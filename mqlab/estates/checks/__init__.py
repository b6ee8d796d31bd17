"""The checks, by what they are about; importing this package registers them all."""

from ..findings import CHECKS, findings
from . import names

__all__ = ["CHECKS", "findings", "names"]
