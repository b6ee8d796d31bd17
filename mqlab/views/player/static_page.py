"""A lab for readers without a kernel: its picture now, a row of moments, its messages' lives, the end of its log."""

from __future__ import annotations

from ...mq.errors import LabError
from ..charts.lifecycle import lifecycle_svg
from ..drawing.scene import Picture, lab_moments, lab_picture
from ..frames.lifecycle_rows import rule_title
from ..frames.moments import clock, start_of
from ..text import escape, plural
from ..theme import style_sheet
from .telling import told

__all__ = ["last_rows", "lives_svg", "still"]

ROWS = 12  # of the event log
LIVES = 40  # messages in the lifecycle chart


def still(lab) -> Picture:
    """The static pictures of a lab: the topology now, a row of moments, the lifecycle chart, the end of its log."""
    now = lab_picture(lab)
    return Picture(now.svg + lab_moments(lab).svg + lives_svg(lab) + last_rows(lab), now.words)


def lives_svg(lab) -> str:
    """The lifecycle chart of the first messages with its time scale (`lifecycle_svg`), "" where there are none."""
    try:
        return lifecycle_svg(lab, limit=LIVES)[0]
    except LabError:
        return ""


def last_rows(lab, count: int = ROWS) -> str:
    """The last `count` rows of the event log as an HTML table: time, what happened, and the rule."""
    start, several = start_of(lab), len(lab.queue_managers) > 1
    rows = lab.events[max(0, len(lab.events) - count) :]
    body = "".join(
        f'<tr><th scope="row">{escape(clock(start, row.time_us))}</th><td>{escape(told(row, several))}</td>'
        f"<td>{escape(rule_title(row.rule or ''))}</td></tr>"
        for row in rows
    )
    style = style_sheet(".mqlab-still" * 2, "compare.css")
    caption = f"The last of {plural(len(lab.events), 'event')}"
    head = "".join(f'<th scope="col">{word}</th>' for word in ("time", "what happened", "the rule behind it"))
    return (
        f'<div class="mqlab-still"><style>{style}</style><table class="log"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
