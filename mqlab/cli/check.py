"""`mqlab check` and `mqlab diff`: what is wrong in an estate, and what two of them define and do differently."""

import json
import shutil
import sys
import tomllib
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mqlab.cli import command_of, stopped
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
            several = {key: value if type(value) is list else [value] for key, value in found.items()}
            given = [(key, each) for key, values in several.items() for each in values]
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
    parser = command_of("check")
    parser.add_argument("files", metavar="FILE", nargs="*")
    _add_options(parser, FORMATS)
    parser.add_argument("--output", metavar="FILE")
    parser.add_argument("--html", metavar="FILE")
    parser.add_argument("--baseline", metavar="FILE")
    parser.add_argument("--ignore", metavar="CHECK[:OBJECT]", action="append", default=[])
    parser.add_argument("--fail-on", choices=FAILING, default=FAILING[0])
    parser.add_argument("--prove", action="store_true")
    parser.add_argument("--traffic", metavar="LINE", action="append", default=[])
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--security", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser


def _add_options(parser: ArgumentParser, formats: tuple[str, ...]) -> None:
    """Give a command line the options that say how files are read, and the format."""
    parser.add_argument("--qmgr", default="")
    parser.add_argument("--platform", choices=("distributed", "zos", "vse"))
    parser.add_argument("--level", type=int)
    parser.add_argument("--group", default="")
    parser.add_argument("--format", choices=formats, default="text")


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
    parser = command_of("diff")
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    _add_options(parser, ("text", "json"))
    parser.add_argument("--prove", action="store_true")
    parser.add_argument("--html", metavar="FILE")
    parser.add_argument("--duel", metavar="FILE")
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
