"""`mqlab diff`: what two estates define and do differently, from their scripts or dumps."""

import sys

from mqlab.cli import command_line, stopped
from mqlab.engine.words.errors import LabError

SAME, DIFFERENT, NOT_READ = 0, 1, 20


def main(argv: list[str] | None = None) -> int:
    """Compare two estates, print the differences, and return the exit code."""
    parser = command_line(
        "mqlab diff",
        "Show what two estates define and do differently, from their MQSC scripts or dumps (dmpmqcfg).",
        "Exit code: 0 if there is no difference, 1 if there is one, 2 if the command line is wrong,\n"
        "20 if a file cannot be read or written.\n\n"
        "examples:\n  mqlab diff old/ new/\n  mqlab diff old.mqsc new.mqsc --qmgr QM1 --prove\n"
        "  mqlab diff old/ new/ --duel duel.html    a page that plays both",
    )
    parser.add_argument("old", metavar="OLD", help="a script, a dump, or a folder of them")
    parser.add_argument("new", metavar="NEW", help="the same, with which it is compared")
    parser.add_argument("--qmgr", default="", help="name of the queue manager of both (default: that in the header)")
    parser.add_argument("--platform", choices=("distributed", "zos", "vse"), help="(default: that in the header)")
    parser.add_argument("--level", type=int, help="command level, such as 940 for 9.4 (default: that in the header)")
    parser.add_argument("--group", default="", help="queue sharing group of the z/OS queue managers (default: QSGNAME)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="(default text)")
    parser.add_argument("--prove", action="store_true", help="run a program on both for each difference of behavior")
    parser.add_argument("--duel", metavar="FILE", help="write a page that plays messages to routes that differ")
    options = parser.parse_args(argv)
    from mqlab import estates

    try:
        given = {key: getattr(options, key) for key in ("qmgr", "platform", "level", "group")}
        old, new = (estates.read(path, **given) for path in (options.old, options.new))
        found = estates.diff(old, new)
        if options.prove:
            found = found.proved()
        page = estates.duel(old, new).save(options.duel) if options.duel else None
        print(found.to_json() if options.format == "json" else found)
        if page:
            print(f"wrote {page}", file=sys.stderr)
    except BrokenPipeError:
        raise
    except (LabError, OSError) as problem:
        return stopped("diff", problem, NOT_READ)
    return DIFFERENT if found.found or found.refused else SAME
