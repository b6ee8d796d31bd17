"""The sample data sets: what there are, and making each again, at any size (`mqlab datasets make`).

datasets/README.md is their data sheet.
"""

from ...mq.arguments import checked_calls as _checked_calls
from .recipes import RECIPES, Recipe, find, make

_checked_calls(__name__)
