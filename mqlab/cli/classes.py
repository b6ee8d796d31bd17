"""`mqlab class`: one page about a class, from the progress files that its learners handed in."""

from __future__ import annotations

from pathlib import Path

from mqlab.cli import command_of, near, stopped
from mqlab.engine.words.errors import LabError
from mqlab.formats.whole_file import write_whole

NAME = "class.html"


def main(argv: list[str] | None = None) -> int:
    """Write the page; return 0, or 1 if there is nothing to read or the page cannot be written."""
    parser = command_of("class", page=NAME)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--output", type=Path, metavar="FILE")
    options = parser.parse_args(argv)
    from mqlab.course.memory.class_page import page
    from mqlab.course.memory.classes import read_class
    from mqlab.views.text import plural

    beside = options.folder if options.folder.is_dir() else options.folder.parent
    out: Path = options.output or beside / NAME
    try:
        group = read_class(options.folder)
        write_whole(out, page(group))
    except LabError as problem:
        return stopped("class", problem)
    except OSError as problem:
        return stopped("class", f"{out} cannot be written: {problem.strerror}")
    many, them = plural(len(group.left_out), "line"), "it" if len(group.left_out) == 1 else "them"
    left = f"; {many} could not be read, and the page lists {them}" if group.left_out else ""
    print(f"wrote {near(out.absolute())}: {plural(len(group.learners), 'learner')}{left}")
    return 0
