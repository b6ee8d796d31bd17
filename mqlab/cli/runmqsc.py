"""`mqlab runmqsc`: run MQSC commands on a new queue manager and print runmqsc's replies."""

import sys

from mqlab.cli import command_of, stopped

ALL_WORKED, SOME_FAILED, NOT_RUN = 0, 10, 20


def main(argv: list[str] | None = None) -> int:
    """Run the commands and print the replies; return runmqsc's exit code."""
    parser = command_of("runmqsc")
    parser.add_argument("qmgr", metavar="QMGR", nargs="?", default="")
    parser.add_argument("file", metavar="FILE", nargs="?")
    parser.add_argument("--platform", choices=("distributed", "zos", "vse"))
    parser.add_argument("--level", type=int)
    options = parser.parse_args(argv)
    from mqlab.engine.commands import read_script
    from mqlab.engine.words.errors import MQError
    from mqlab.estates import from_script
    from mqlab.estates.reading import parts
    from mqlab.lab.lab import Lab

    try:
        if options.file:
            script, *more = [part.script for part in parts(options.file, options.qmgr)]
            script = script._replace(text="\n".join(each.text for each in (script, *more)))
        else:
            script = read_script(sys.stdin.buffer.read())
        _, reply = from_script(Lab(), script, options.qmgr, options.platform, options.level)
    except (MQError, ValueError) as error:
        return stopped("runmqsc", error, NOT_RUN)
    print(reply)
    return ALL_WORKED if reply.ok else SOME_FAILED
