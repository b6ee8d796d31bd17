"""The checks, by what they are about; importing this package registers them all."""

from ..findings import CHECKS, findings
from . import names, security

__all__ = ["CHECKS", "findings", "names", "security"]
