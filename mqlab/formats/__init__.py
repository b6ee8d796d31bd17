"""The event log in the formats of other tools: OCEL 2.0 and Chrome trace."""

from .files import FORMATS, write
from .source import Rows, moment
