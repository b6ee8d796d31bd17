"""Tables: rows as HTML that can be read, heard, and scrolled, long tables cut; and the replies of MQSC, with theirs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..text import escape, plural, thousands
from ..theme import style_sheet

_STYLE = style_sheet(".mqlab-table" * 2, "tables.css")  # twice: as exact as what Jupyter says of cells, and later
_NUMBER = ' class="n"'
LONGEST = 200
"""Rows of a table; of more, the first are shown and the rest counted."""
_LONG = 24  # characters of a text that may be broken over lines, and is given the room to


class Code(str):
    """Text of a cell in a fixed-width font."""


class Notable(str):
    """Text of a cell that must be noticed: its words give the reason, its color only repeats it."""


class Quiet(str):
    """Text of a cell that matters less."""


class Struck(Notable):
    """Text of a cell that is struck through: what it is about is left out from here on."""


class Wrapped(str):
    """The heading of a column, or of a row, that is broken over lines, so that its column is no wider than its cells,
    or no wider than need be."""


class Gap(str):
    """Stands for the rows that are left out, and says how many."""


def table(caption: str, columns: Iterable[str], rows: Iterable[tuple | Gap]) -> str:
    """An HTML table in a box of its own that scrolls; all is escaped.

    The first cell of a row is its heading; of very many rows the first LONGEST are shown. Numbers get thousands
    separators and are aligned right, None is left empty, True and False are yes and no.
    """
    columns, rows = list(columns), list(rows)
    if len(rows) > LONGEST:
        rows = [*rows[:LONGEST], Gap(f"… {plural(len(rows) - LONGEST, 'row')} more, not shown")]
    first = next((row for row in rows if not isinstance(row, Gap)), ())
    right = [_is_number(cell) for cell in first] + [False] * len(columns)
    heads = zip(columns, right, strict=False)
    head = "".join(f'<th scope="col"{_headed(name, number)}>{escape(name)}</th>' for name, number in heads)
    body = "".join(_gap(row, len(columns)) if isinstance(row, Gap) else _row(row) for row in rows)
    return (
        f'<div class="mqlab-table" role="group" aria-label="{escape(caption)}" tabindex="0"><style>{_STYLE}</style>'
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def cut(size: int, first: int, last: int) -> tuple[range, range]:
    """The places of `size` rows to show: the first ones, and the last ones that are not among them.

    >>> cut(5, 3, 3), cut(100, 2, 3)
    ((range(0, 3), range(3, 5)), (range(0, 2), range(97, 100)))
    """
    return range(min(first, size)), range(max(min(first, size), size - last), size)


def between(left_out: int) -> list[Gap]:
    """The row that stands for so many left out, none for none.

    >>> between(1200)
    ['… 1200 rows between']
    """
    return [Gap(f"… {plural(left_out, 'row')} between")] if left_out > 0 else []


def value_cell(keyword: str, value: object) -> object:
    """The value of an attribute as a cell: as MQSC writes it, lists with commas, a flag as TRIGGER or NOTRIGGER."""
    if value is None:
        return value
    if isinstance(value, bool):
        return Code(keyword if value else f"NO{keyword}")
    return Code(", ".join(value) if isinstance(value, tuple) else value)


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)


def _headed(name: str, number: bool) -> str:
    return _NUMBER if number else ' class="wrapped"' if isinstance(name, Wrapped) else ""


def _row(row: tuple) -> str:
    heading, *rest = row
    return f'<tr><th scope="row"{_kind(heading)}>{_shown(heading)}</th>' + (
        "".join(f"<td{_kind(cell)}>{_shown(cell)}</td>" for cell in rest) + "</tr>"
    )


def _gap(words: Gap, width: int) -> str:
    return f'<tr><td class="gap" colspan="{width}">{escape(words)}</td></tr>'


def _kind(cell: Any) -> str:
    """The class of a cell, as an attribute."""
    if _is_number(cell):
        return _NUMBER
    kinds = ["notable"] * isinstance(cell, Notable) + ["quiet"] * isinstance(cell, Quiet)
    kinds += ["wrapped"] * isinstance(cell, Wrapped)
    kinds += ["long"] * (isinstance(cell, str) and len(cell) > _LONG)
    return f' class="{" ".join(kinds)}"' if kinds else ""


def _shown(cell: Any) -> str:
    """A cell's value, escaped."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if _is_number(cell):
        return thousands(cell)
    if isinstance(cell, Struck):
        return f"<s>{escape(cell)}</s>"
    return f"<code>{escape(cell)}</code>" if isinstance(cell, Code) else escape(cell)


_REPLY_STYLE = style_sheet(".mqlab-reply", "replies.css")
FIRST, LAST = 40, 20
_WIDE = 8  # an object with this many attributes is shown as a column


def reply_card(reply: Any) -> tuple[str, str]:
    """The answer to a text of MQSC: in runmqsc's shape, and as HTML. Of many commands those in the middle that were
    done are left out."""
    size = len(reply.replies)
    head, tail = cut(size, FIRST, LAST)
    middle = range(head.stop, tail.start)
    refused = [at for at in middle if not reply.replies[at].ok]
    parts = [_command(reply.replies[at]) for at in head]
    if len(middle) > len(refused):
        left_out = plural(len(middle) - len(refused), "command that was done", "commands that were done")
        parts.append(f'<div class="between">… {escape(left_out)}, not shown here</div>')
    parts += [_command(reply.replies[at]) for at in (*refused, *tail)]
    closing = "".join(f"<div>{escape(line)}</div>" for line in reply.summary().splitlines())
    label = f"MQSC on {reply.qmgr}: {plural(size, 'command')}"
    return str(reply), _boxed(label, "".join(parts) + f'<div class="closing">{closing}</div>')


def command_card(reply: Any) -> tuple[str, str]:
    """The answer to one command."""
    return reply.text, _boxed(f"MQSC: {reply.command}", _command(reply))


def _boxed(label: str, inner: str) -> str:
    return (
        f'<div class="mqlab-reply" role="group" aria-label="{escape(label)}"><style>{_REPLY_STYLE}</style>{inner}</div>'
    )


def _command(reply: Any) -> str:
    """One command, its outcome, its reply, and the parts of it that have no effect here."""
    state = "done" if reply.ok else "refused"
    sign = "✓" if reply.ok else "✗"
    said = reply.text if not reply.rows else reply.headline
    which = f": {', '.join(reply.kept_only)}" if reply.kept_only else ""
    kept = "" if reply.simulated or not reply.ok else f' <em class="kept">(kept, not acted on{escape(which)})</em>'
    return (
        f'<div class="command"><code>{reply.number} : {escape(reply.command)}</code></div>'
        f'<div class="answer {state}"><span class="state">{sign} {state}</span> '
        f'<span class="said">{escape(said)}</span>'
        f"{kept}</div>" + (_table(reply, said) if reply.rows else "")
    )


def _table(reply: Any, said: str) -> str:
    """A row for each object, or a row for each attribute if one object shows many."""
    # objects whose names start with SYSTEM are only counted, unless the command asks for them
    first = [str(next(iter(row.values()), "")) for row in reply.rows]
    own = [row for row, name in zip(reply.rows, first, strict=True) if not name.startswith("SYSTEM.")]
    rows = reply.rows if "SYSTEM" in reply.command.upper() or not own else own
    hidden = len(reply.rows) - len(rows)
    columns = list(dict.fromkeys(keyword for row in rows for keyword in row))
    if len(rows) == 1 and len(columns) > _WIDE:
        return table(said, ("Attribute", "Value"), [(key, value_cell(key, value)) for key, value in rows[0].items()])
    cells: list[tuple | Gap] = [tuple(value_cell(column, row.get(column)) for column in columns) for row in rows]
    if hidden:
        cells.append(Gap(f"… {plural(hidden, 'SYSTEM object')}, not shown: ask for SYSTEM.*"))
    return table(said, columns, cells)
