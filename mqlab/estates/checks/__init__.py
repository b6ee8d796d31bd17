"""The checks, by subject; importing this package registers them all."""

from importlib import import_module
from pkgutil import iter_modules

from ..findings import CHECKS, findings

for _module in iter_modules(__path__):
    import_module(f".{_module.name}", __package__)

__all__ = ["CHECKS", "findings"]
