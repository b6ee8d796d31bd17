"""The event log in the formats of other tools: OCEL 2.0, Chrome trace, and OTLP."""

from .files import FORMATS, write
from .source import Fact, Row, Rows, Source, moment
