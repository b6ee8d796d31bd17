"""A command that cannot be taken: its AMQ number, what is wrong with it and what was meant."""

from __future__ import annotations

__all__ = ["CODES", "Refused"]

CODES = {
    # read in captured output or quoted in IBM's documents
    8405: "AMQ8405I: Syntax error detected at or near end of command segment below:-",
    8413: "AMQ8413E: String Length Error.",
    8424: "AMQ8424E: Error detected in a name keyword.",
    8214: "AMQ8214E: CONNAME parameter required with channel types SDR, RQSTR, CLNTCONN, CLUSSDR and CLUSRCVR.",
    8143: "AMQ8143E: IBM MQ queue not empty.",
    8147: "AMQ8147E: IBM MQ object {name} not found.",
    8148: "AMQ8148E: IBM MQ object in use.",
    8150: "AMQ8150E: IBM MQ object already exists.",
    8227: "AMQ8227E: Channel {name} not found.",
    8569: "AMQ8569E: Error in filter specification",
    9514: "AMQ9514E: Channel '{name}' is in use.",
    # known by number and sense; the wording and the letter are our reading
    8101: "AMQ8101S: IBM MQ error ({reason}) has occurred.",
    8135: "AMQ8135E: Not authorized.",
    8146: "AMQ8146E: IBM MQ queue manager not available.",
    8151: "AMQ8151E: IBM MQ object has different type.",
    8152: "AMQ8152E: Source IBM MQ object has different type.",
    8215: "AMQ8215E: XMITQ parameter required with channel types SDR and SVR.",
    8406: "AMQ8406E: Unexpected 'end of input' in MQSC.",
    8411: "AMQ8411E: Duplicate Keyword Error.",
    8412: "AMQ8412E: Numeric Range Error.",
    8421: "AMQ8421E: A required keyword was not specified.",
    8420: "AMQ8420I: Channel Status not found.",
    8565: "AMQ8565I: Queue Status not found.",
    9202: "AMQ9202E: Remote host not available, retry later.",
    9502: "AMQ9502E: Type of channel not suitable for action requested.",
    9507: "AMQ9507E: Channel '{name}' is currently in-doubt.",
    9520: "AMQ9520E: Channel '{name}' not defined remotely.",
    # the lab's own number, where that of MQ is not known
    8000: "AMQ8000E: The command cannot be carried out now.",
}
"""AMQ number -> the line runmqsc answers with."""

SYNTAX = frozenset({8405, 8406, 8411, 8412, 8413, 8421})
"""The numbers that the closing figures count as syntax errors (8424 is not one: IBM's APAR text shows it)."""


class Refused(Exception):
    """Why a command is not done.

    Attributes
    ----------
    number : int
        AMQ number, of `CODES`.
    said : str
        What is wrong and what was meant, for a person.
    at : int or None
        Where in the command's text it was met.
    """

    def __init__(self, number: int, said: str, at: int | None = None, **facts):
        super().__init__(said)
        self.number, self.said, self.at = number, said, at
        self.headline = CODES[number].format(**facts) if facts else CODES[number]

    @property
    def code(self) -> str:
        """The message number with its severity letter: "AMQ8405I"."""
        return self.headline.split(":")[0]

    @property
    def syntax(self) -> bool:
        """Whether the closing figures count it as a syntax error."""
        return self.number in SYNTAX
