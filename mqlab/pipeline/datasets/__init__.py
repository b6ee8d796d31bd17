"""The sample data sets: what there are, and making each again, at any size (`mqlab datasets make`).

datasets/README.md is their data sheet.
"""

from mqlab.pipeline.datasets.recipes import RECIPES, Recipe, find, make

__all__ = ["RECIPES", "Recipe", "find", "make"]
