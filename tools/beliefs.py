"""The table of misconceptions in docs/teaching.md, from mqlab/course/misconceptions.toml."""

import re
import sys
from pathlib import Path

from mqlab.cli import command_line
from mqlab.course.exercises.bank import EXERCISES
from mqlab.course.texts import misconceptions
from mqlab.formats.whole_file import write_whole
from mqlab.lab.checkout import NotACheckout, checkout
from tools import stopped

FILE = Path("docs", "teaching.md")
_BLOCK = re.compile(r"(?<=<!-- misconceptions -->\n).*?(?=<!-- end of misconceptions -->)", re.DOTALL)


def page(root: Path) -> str:
    """docs/teaching.md of a checkout, with the table as it should be."""
    lines = ["", "| the learner's belief | what shows that it is wrong | predictions, exercises |", "|---|---|---|"]
    for belief, each in misconceptions().items():
        asked = [*dict.fromkeys(key.partition(":")[0] for key in each.get("answers", {}))]
        asked += [
            exercise.id for exercise in EXERCISES.values() if any(belief in check.beliefs for check in exercise.checks)
        ]
        lines.append(f"| {each['belief']} | {each['shown']} | {', '.join(asked)} |")
    text = (root / FILE).read_text(encoding="utf-8")
    return _BLOCK.sub(lambda _: "\n".join([*lines, "", ""]), text)


def main(argv: list[str] | None = None) -> int:
    """Write the table; return 0, or 1 with one sentence on stderr."""
    parser = command_line(
        "python -m tools.beliefs",
        f"Write the table of misconceptions in {FILE}.",
        "example:\n  python -m tools.beliefs --dir ~/mqlab",
        checkout=True,
    )
    try:
        root = checkout(parser.parse_args(argv).dir)
    except NotACheckout as problem:
        return stopped("beliefs", problem)
    write_whole(root / FILE, page(root))
    print(f"wrote {FILE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
