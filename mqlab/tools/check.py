"""`mqlab check`: find what is wrong in an estate, from the scripts or dumps that define it."""

from mqlab.tools import command_line, stopped

CLEAN, ERRORS, NOT_READ = 0, 1, 20


def main(argv: list[str] | None = None) -> int:
    """Read the scripts, print the findings, and return the exit code."""
    parser = command_line(
        "mqlab check",
        "Find what is wrong in an estate, from the MQSC scripts or dumps (dmpmqcfg) that define it.",
        "Exit code: 0 if nothing was found, 1 if errors were found, 20 if a file cannot be read.\n\nexamples:\n"
        "  mqlab check QM1.mqsc QM2.mqsc\n  mqlab check dumps/ --prove",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a script, a dump, or a folder of them")
    parser.add_argument("--qmgr", default="", help="name of the queue manager (default: that in the header, else FILE)")
    parser.add_argument("--platform", choices=("distributed", "zos", "vse"), help="(default: that in the header)")
    parser.add_argument("--level", type=int, help="command level, such as 940 for 9.4 (default: that in the header)")
    parser.add_argument("--group", default="", help="queue sharing group of the z/OS queue managers (default: QSGNAME)")
    parser.add_argument("--prove", action="store_true", help="prove each finding on a lab, and print what it showed")
    options = parser.parse_args(argv)
    from mqlab import estates
    from mqlab.estates.proofs import prove
    from mqlab.mq.errors import LabError

    try:
        given = {key: getattr(options, key) for key in ("qmgr", "platform", "level", "group")}
        estate = estates.read(options.files, **given)
    except LabError as error:
        return stopped("check", error, NOT_READ)
    found = estate.findings()
    for one in found:
        print(one)
        if options.prove and one.proof is not None:
            proved = prove(estate, one.proof)
            print(f"  {one.proof.program}  # {proved.shown}")
    return ERRORS if any(one.severity == "error" for one in found) else CLEAN
