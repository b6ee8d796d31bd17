"""The dead-letter queue handler, runmqdlq: its rules table and the program that follows it.

`read_table` turns the text of a rules table into a `Table`; `dead_letter_handler` starts the program.
"""

from .handler import dead_letter_handler
from .reading import read_table
from .rules import Control, Rule, Table

__all__ = ["Control", "Rule", "Table", "dead_letter_handler", "read_table"]
