"""`make trust`: the checks of an estate, as docs/checks.md has them."""

import argparse
from itertools import groupby
from pathlib import Path

from mqlab.estates.checks import CHECKS
from mqlab.estates.findings import TEXTS
from mqlab.formats.whole_file import write_whole


def markdown() -> str:
    """Return the checks as Markdown, a table for each of the modules that they are in."""
    lead = (
        f"`mqlab check` has {len(CHECKS)} checks. An error keeps messages from their queues; a name that\n"
        "nothing defines is an error in a dump with a header, and a warning in a script, which may be one of several.\n"
        "A source such as MQI-14 is one of [the rules](rules.md). `make trust` writes this file."
    )
    lines = ["# Checks of an estate", "", lead, ""]
    for subject, checks in groupby(CHECKS.values(), lambda check: check.subject):
        heading = f"## {TEXTS[subject]['heading']}"
        lines += [heading, "", "| check | severity | it finds | source |", "|---|---|---|---|"]
        for check in checks:
            about = check.about.replace("|", "\\|")
            lines.append(f"| `{check.id}` | {check.severity} | {check.title}. {about} | {check.source} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description="Write the checks of `mqlab check` as Markdown.")
    reader.add_argument("output", type=Path)
    write_whole(reader.parse_args().output, markdown())
