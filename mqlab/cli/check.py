"""`mqlab check` and `mqlab diff`: what is wrong in an estate, and what two of them define and do differently."""

import json
import shutil
import sys
import tomllib
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mqlab.cli import command_line, stopped
from mqlab.engine.words.errors import LabError
from mqlab.formats.whole_file import write_whole

if TYPE_CHECKING:
    from mqlab.estates.report import Report

CLEAN, ERRORS, NOT_READ = 0, 1, 20
FAILING = ("error", "warning", "note")
SAME, DIFFERENT = 0, 1
_GIVEN = ("qmgr", "platform", "level", "group")
FORMATS = ("text", "json", "sarif")


def main(argv: list[str] | None = None) -> int:
    """Read the scripts, write the report, and return the exit code."""
    parser = _parser()
    try:
        options = parser.parse_args(argv, _configured(parser))
    except LabError as problem:
        return stopped("check", problem, NOT_READ)
    from mqlab import estates

    if options.list:
        # Unbuffered, Python would drop the rest of one write that the system takes only in part.
        sys.stdout.writelines(listing().splitlines(keepends=True))
        return CLEAN
    if not options.files:
        parser.error("FILE must name a script, a dump, or a folder of them; or use --list")
    if options.seconds is not None and not options.traffic:
        parser.error("--seconds needs --traffic")
    try:
        given = {key: getattr(options, key) for key in _GIVEN}
        estate = estates.read(["/dev/stdin" if each == "-" else each for each in options.files], **given)
        report = estate.report(
            baseline=options.baseline or (),
            prove=options.prove,
            security=options.security,
            traffic="\n".join(options.traffic),
            seconds=60 if options.seconds is None else options.seconds,
            ignore=options.ignore,
        )
        _write(report, options)
    except BrokenPipeError:
        raise
    except (LabError, OSError) as problem:
        return stopped("check", problem, NOT_READ)
    fatal = FAILING[: FAILING.index(options.fail_on) + 1]
    return ERRORS if any(report.counts[each] for each in fatal) or report.failed else CLEAN


def _configured(parser: ArgumentParser) -> Namespace | None:
    """The options in [tool.mqlab] of pyproject.toml, or in .mqlab.toml, of this folder or the nearest one above."""
    folders = (Path.cwd(), *Path.cwd().parents)
    for file in (folder / name for folder in folders for name in (".mqlab.toml", "pyproject.toml")):
        try:
            found: Any = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
            found = found.get("tool", {}).get("mqlab", {}) if file.name == "pyproject.toml" else found
            given = [
                (key, each) for key, value in found.items() for each in (value if type(value) is list else [value])
            ]
        except (OSError, ValueError, RecursionError, AttributeError) as problem:
            raise LabError(f"{file} must be TOML with options of mqlab check; got {problem}") from None
        if given:
            prog, parser.prog = parser.prog, f"{parser.prog} ({file})"
            words = [f"--{key}" if each is True else f"--{key}={each}" for key, each in given if each is not False]
            options = parser.parse_args(words)
            parser.prog = prog
            return options
    return None


def _parser() -> ArgumentParser:
    """Return the parser of the command."""
    parser = command_line(
        "mqlab check",
        "Find what is wrong in an estate, from MQSC scripts or dumps (dmpmqcfg), also in YAML or JCL.",
        "Exit code: 0 if no finding is an error (--fail-on), 1 if one is, or if a proof fails, 2 if the\n"
        "command line is wrong, 20 if a file cannot be read or written. The table [tool.mqlab] of\n"
        'pyproject.toml, or the file .mqlab.toml, can have options: ignore = ["queue-depth-odd"].\n\nexamples:\n'
        "  mqlab check QM1.mqsc QM2.mqsc\n"
        "  dmpmqcfg -m QM1 -a | mqlab check -\n"
        "  mqlab check dumps/ --prove\n"
        "  mqlab check dumps/ --html found.html\n"
        '  mqlab check dumps/ --traffic "ORDERS 50 a second, 5 % poison, expiry 60 s"\n'
        "  mqlab check dumps/ --format json --output known.json     the findings of today\n"
        "  mqlab check dumps/ --baseline known.json                 those that are new since then",
    )
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help="a script, a dump, or a folder of them; - reads the input"
    )
    _add_options(parser, "name of the queue manager of all files (default: that in the header, else FILE)", FORMATS)
    parser.add_argument("--output", metavar="FILE", help="write to a file (default: to the screen)")
    parser.add_argument("--html", metavar="FILE", help="write it as a page instead")
    parser.add_argument("--baseline", metavar="FILE", help="hide the findings of a report of --format json")
    parser.add_argument(
        "--ignore",
        metavar="CHECK[:OBJECT]",
        action="append",
        default=[],
        help="leave out the findings of a check, or of objects (with *); in a script: * mqlab: ignore CHECK",
    )
    parser.add_argument("--fail-on", choices=FAILING, default=FAILING[0], help="the least that is exit code 1")
    parser.add_argument("--prove", action="store_true", help="prove each finding on a lab, and show what happened")
    parser.add_argument(
        "--traffic",
        metavar="LINE",
        action="append",
        default=[],
        help="run traffic, and add to each finding the figures of its fault: QUEUE [at QMGR] N a second "
        "[, N %% poison] [, expiry N s] [, N bytes] [, persistent] [, read N a second]; again for each queue",
    )
    parser.add_argument("--seconds", type=float, help="how long the traffic lasts (default 60)")
    parser.add_argument(
        "--security", action="store_true", help="show each finding of security (default: only a summary)"
    )
    parser.add_argument("--list", action="store_true", help="list the checks")
    return parser


def _add_options(parser: ArgumentParser, qmgr: str, formats: tuple[str, ...]) -> None:
    """Give a command line the options that say how files are read, and the format."""
    parser.add_argument("--qmgr", default="", help=qmgr)
    parser.add_argument("--platform", choices=("distributed", "zos", "vse"), help="(default: that in the header)")
    parser.add_argument("--level", type=int, help="command level, such as 940 for 9.4 (default: that in the header)")
    parser.add_argument("--group", default="", help="queue sharing group of the z/OS queue managers (default: QSGNAME)")
    parser.add_argument("--format", choices=formats, default="text", help="(default text)")


def listing() -> str:
    """Return the checks as lines of text: id, severity, title, and source."""
    from mqlab.estates.checks import CHECKS

    width = max(map(len, CHECKS))
    return "".join(f"{each.id:{width}}  {each.severity:12}  {each.title} ({each.source})\n" for each in CHECKS.values())


def _write(report: "Report", options: Namespace) -> None:
    """Write the report in the chosen format; raises OSError, or LabError for a page."""
    output = options.html or options.output
    if options.html:
        from mqlab.estates.page import page

        text = page(report)
    elif options.format == "text":
        on_screen = options.output is None and sys.stdout.isatty()
        text = report.text(shutil.get_terminal_size().columns if on_screen else None)
    else:
        from mqlab.estates.report import sarif

        text = json.dumps(report.json() if options.format == "json" else sarif(report), indent=1, ensure_ascii=False)
    if output is None:
        return print(text)
    _save(output, text)
    return print(f"wrote {output}: {report.summary}")


def _save(output: str, text: str) -> None:
    """Write a file; raises LabError."""
    try:
        write_whole(Path(output), f"{text}\n".encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise LabError(f"the output must be a file that can be written; got {output} ({error.strerror})") from None


def diff(argv: list[str] | None = None) -> int:
    """Compare two estates, print the differences, and return the exit code."""
    parser = command_line(
        "mqlab diff",
        "Show what two estates define and do differently, from their MQSC scripts or dumps (dmpmqcfg).",
        "Exit code: 0 if there is no difference, 1 if there is one, 2 if the command line is wrong,\n"
        "20 if a file cannot be read or written.\n\n"
        "examples:\n  mqlab diff old/ new/\n  mqlab diff old.mqsc new.mqsc --qmgr QM1 --prove\n"
        "  mqlab diff old/ new/ --html review.html  a page for a change request\n"
        "  mqlab diff old/ new/ --duel duel.html    a page that plays both",
    )
    parser.add_argument("old", metavar="OLD", help="a script, a dump, or a folder of them")
    parser.add_argument("new", metavar="NEW", help="the same, with which it is compared")
    _add_options(parser, "name of the queue manager of both (default: that in the header)", ("text", "json"))
    parser.add_argument("--prove", action="store_true", help="run a program on both for each difference of behavior")
    parser.add_argument("--html", metavar="FILE", help="write a page for a change request instead")
    parser.add_argument("--duel", metavar="FILE", help="write a page that plays messages to routes that differ")
    options = parser.parse_args(argv)
    from mqlab import estates

    try:
        given = {key: getattr(options, key) for key in _GIVEN}
        old, new = (estates.read(path, **given) for path in (options.old, options.new))
        found = estates.diff(old, new)
        if options.prove:
            found = found.proved()
        page = estates.duel(old, new).save(options.duel) if options.duel else None
        if options.html:
            from mqlab.estates.review import review

            _save(options.html, review(found))
            print(f"wrote {options.html}: {found.title}")
        else:
            print(found.to_json() if options.format == "json" else found)
        if page:
            print(f"wrote {page}", file=sys.stderr)
    except BrokenPipeError:
        raise
    except (LabError, OSError) as problem:
        return stopped("diff", problem, NOT_READ)
    return DIFFERENT if found.found or found.refused else SAME
