"""`mqlab runmqsc`: MQSC commands in, runmqsc's replies out, on a queue manager made for the occasion."""

import sys

from mqlab.tools import command_line, stopped

ALL_WORKED, SOME_FAILED, NOT_RUN = 0, 10, 20


def main(argv: list[str] | None = None) -> int:
    """Run the commands and print the replies; return runmqsc's exit code."""
    parser = command_line(
        "mqlab runmqsc",
        "Run MQSC commands on a fresh simulated queue manager and print its replies.",
        "Exit code: 0 every command worked, 10 some failed, 20 nothing was run.\n\nexamples:\n"
        "  mqlab runmqsc < dump.mqsc\n  mqlab runmqsc QM1 estate.mqsc --platform zos",
    )
    said = "(default: what the header of a dump says, else %s)"
    parser.add_argument("qmgr", metavar="QMGR", nargs="?", default="", help="name of the queue manager " + said % "QM1")
    parser.add_argument("file", metavar="FILE", nargs="?", help="file of MQSC commands (default: standard input)")
    parser.add_argument("--platform", choices=("distributed", "zos", "vse"), help=said % "distributed")
    parser.add_argument("--level", type=int, help="command level, 940 for 9.4 " + said % "940")
    options = parser.parse_args(argv)
    from mqlab.lab.estates import from_script, read_script
    from mqlab.lab.lab import Lab
    from mqlab.mq.errors import MQError

    try:
        script = read_script(options.file or sys.stdin.buffer.read())
        _, reply = from_script(Lab(), script, options.qmgr, options.platform, options.level)
    except (MQError, ValueError) as error:
        return stopped("runmqsc", error, NOT_RUN)
    print(reply)
    return ALL_WORKED if reply.ok else SOME_FAILED
