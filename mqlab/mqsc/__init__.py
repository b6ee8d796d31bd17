"""MQSC: the command language of MQ, read as runmqsc reads it and answered as runmqsc answers.

`run(qmgr, text)` runs commands on a queue manager; `parse(text)` checks them without one.
"""

from .command import Command, Where
from .commands import run
from .parser import parse
from .replies import CommandReply, Refused, Reply
from .script import Script, read_script
