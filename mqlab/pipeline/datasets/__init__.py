"""The sample data sets: what there are, and making each again, at any size (`mqlab datasets make`).

datasets/README.md is their data sheet.
"""

from .recipes import RECIPES, Recipe, find, make
