"""The checks, by what they are about; importing this package registers them all."""

from ..findings import CHECKS, findings
from . import commands, names, security

__all__ = ["CHECKS", "commands", "findings", "names", "security"]
