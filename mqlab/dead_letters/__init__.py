"""The dead-letter queue handler, runmqdlq: its rules table and the program that follows it.

`read_table` turns the text of a rules table into a `Table`; `dead_letter_handler` starts the program.
"""

from .handler import dead_letter_handler
from .table import Control, Rule, Table, read_table
