"""`mqlab runmqsc`: MQSC commands in, runmqsc's replies out, on a queue manager made for the occasion."""

import sys
from pathlib import Path

from mqlab.tools import command_line, stopped

ALL_WORKED, SOME_FAILED, NOT_RUN = 0, 10, 20


def main(argv: list[str] | None = None) -> int:
    """Run the commands and print the replies; return runmqsc's exit code."""
    parser = command_line(
        "mqlab runmqsc",
        "Run MQSC commands on a fresh simulated queue manager and print its replies.",
        "Exit code: 0 every command worked, 10 some failed, 20 nothing was run.\n\nexamples:\n"
        "  mqlab runmqsc QM1 < estate.mqsc\n  mqlab runmqsc QM1 estate.mqsc --platform zos",
    )
    parser.add_argument("qmgr", metavar="QMGR", help="name of the queue manager")
    parser.add_argument("file", metavar="FILE", nargs="?", help="file of MQSC commands (default: standard input)")
    parser.add_argument("--platform", default="distributed", choices=("distributed", "zos", "vse"))
    parser.add_argument("--level", type=int, default=940, help="command level, 940 for 9.4 (default 940)")
    options = parser.parse_args(argv)
    from mqlab.lab.lab import Lab
    from mqlab.mq.errors import MQError

    try:
        data = Path(options.file).read_bytes() if options.file else sys.stdin.buffer.read()
        text = data.decode("utf-8-sig")
    except OSError as error:
        return stopped("runmqsc", f"cannot read {options.file}: {error.strerror}", NOT_RUN)
    except UnicodeDecodeError as error:
        where = f"{options.file or 'standard input'} must be UTF-8 text, and byte {error.start} is not"
        return stopped("runmqsc", f"{where}: save it as UTF-8 and try again", NOT_RUN)
    try:
        manager = Lab().queue_manager(options.qmgr, platform=options.platform, level=options.level)
    except (MQError, ValueError) as error:
        return stopped("runmqsc", error, NOT_RUN)
    reply = manager.mqsc(text)
    print(reply)
    return ALL_WORKED if reply.ok else SOME_FAILED
