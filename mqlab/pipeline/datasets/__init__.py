"""The sample data sets, and making each again, at any size (`mqlab datasets make`): see datasets/README.md."""

from ...engine.words import arguments
from .recipes import RECIPES, Recipe, find, make

arguments.checked_calls(__name__)
