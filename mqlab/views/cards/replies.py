"""The replies of MQSC: each command with its reply, and the objects of a DISPLAY as tables."""

from __future__ import annotations

from typing import Any

from ..text import escape, plural
from ..theme import style_sheet
from .tables import Gap, cut, table, value_cell

_STYLE = style_sheet(".mqlab-reply", "replies.css")
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
    return f'<div class="mqlab-reply" role="group" aria-label="{escape(label)}"><style>{_STYLE}</style>{inner}</div>'


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
        return table(said, ("Attribute", "Value"), [(key, value_cell(value)) for key, value in rows[0].items()])
    cells: list[tuple | Gap] = [tuple(value_cell(row.get(column)) for column in columns) for row in rows]
    if hidden:
        cells.append(Gap(f"… {plural(hidden, 'SYSTEM object')}, not shown: ask for SYSTEM.*"))
    return table(said, columns, cells)
