"""The sample data sets: what there are, and making each again, at any size (`mqlab datasets make`).

datasets/README.md is their data sheet.
"""

from mqlab.pipeline.datasets.making import make
from mqlab.pipeline.datasets.recipe import Recipe
from mqlab.pipeline.datasets.recipes import RECIPES, find

__all__ = ["RECIPES", "Recipe", "find", "make"]
