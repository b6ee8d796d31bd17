"""`mqlab export`: an event log as one file for the tools of others."""

from pathlib import Path

from mqlab.cli import command_of
from mqlab.engine.words.errors import LabError
from mqlab.formats import FORMATS, Rows, moment, write


def main(argv: list[str] | None = None) -> int:
    """Run `mqlab export` and return 0; raises LabError or OSError, which `mqlab` shows in one sentence."""
    listed = "".join(f"  {name:13} {each.purpose}\n" for name, each in FORMATS.items())
    parser = command_of("export", listed=listed)
    parser.add_argument("log", metavar="LOG", nargs="?")
    parser.add_argument("--scenario", metavar="NAME")
    parser.add_argument("--to", metavar="FORMAT", required=True, choices=FORMATS)
    parser.add_argument("--output", metavar="FILE", type=Path, required=True)
    options = parser.parse_args(argv)
    if (options.log is None) == (options.scenario is None):
        parser.error("name a LOG, or a scenario with --scenario; not both")
    if options.scenario is not None:
        from mqlab.lab.lab import Lab

        lab = Lab()
        lab.scenario(options.scenario)
        lab.events.export(options.output, options.to)
    else:
        import mqlab.lab  # noqa: F401 - extras know the sentences of their rows in old logs
        from mqlab.formats.event_file import about_parquet, read_parquet

        if Path(options.log).is_dir():
            raise LabError(f"LOG must be a parquet file of the events of one lab; got the folder {options.log}")
        start = about_parquet(options.log)[1]
        write(Rows(read_parquet(options.log), moment(start)), options.output, options.to)
    print(f"wrote {options.output} ({options.output.stat().st_size / 1e6:.1f} MB, {FORMATS[options.to].purpose})")
    return 0
