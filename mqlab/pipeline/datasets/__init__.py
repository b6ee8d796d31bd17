"""The sample data sets: what there are, and making each again, at any size (`mqlab datasets make`).

datasets/README.md is their data sheet.
"""

from ...engine.words import arguments
from .recipes import RECIPES, Recipe, find, make

arguments.checked_calls(__name__)
