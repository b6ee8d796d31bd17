"""Commands of a notebook: `%load_ext mqlab` gives `%%mqsc`, `%%expect`, `%%predict` and `%mqlab`.

Each is a shorter form of one public call of mqlab, and shows a failure as a card. The lab is the one named `lab` in the
notebook, or the only lab. `%mqlab?`, `%%mqsc?`, and `%%expect?` show the help.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from traceback import walk_tb
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import display

from ..engine.explain.words import sentence
from ..engine.words.constants import named
from ..engine.words.errors import LabError, MQError, ProgramDied
from ..engine.words.objects import QUEUE_KINDS
from ..engine.words.rulebook import RULES
from ..engine.world.event import Event
from ..lab.lab import Lab
from ..lab.queue_manager import QueueManager
from ..views.cards.cards import card
from ..views.cards.lab_cards import events_table
from .lessons import REFUSALS, Card, explained, refusal, run_python, strict
from .predictions.magic import PredictMagics
from .retelling import Retelling

SHOWN = 12
NOTHING_ABOUT = ("status", "progress")
WHAT = ["status", "events", "explain", "why", "errors", "rule", "progress"]


def load(shell: Any) -> None:
    """Give an IPython shell the magics, refusals as cards, and `Retelling`; nothing happens the second time, or without
    a shell."""
    if shell is not None and "LabMagics" not in shell.magics_manager.registry:
        Retelling(shell)
        shell.register_magics(LabMagics, PredictMagics)
        shell.set_custom_exc((*REFUSALS, ProgramDied, UsageError), show_refusal)
        shell.display_formatter.formatters["text/html"].for_type(list, events_as_html)


def events_as_html(rows: list) -> str | None:
    """Rows of an event log as a table, such as `lab.events[-5:]`; None for every other list."""
    return events_table(rows) if rows and all(isinstance(row, Event) for row in rows) else None


def show_refusal(shell: Any, kind: Any, error: Any, traceback: Any, tb_offset: Any = None) -> None:
    """Show the card of the error that ended a cell, Python's last line, and the lines of cells that led to it; `%tb`
    shows the rest. For a program that died of any other exception, show the traceback."""
    if misused := isinstance(error, UsageError):
        kind, error = _ToldInTheCell, _ToldInTheCell(*error.args)
    why = error.__cause__ if isinstance(error, ProgramDied) else error
    known = misused or isinstance(why, REFUSALS)
    cells = ((shell.compile.format_code_name(frame.f_code.co_filename), line) for frame, line in walk_tb(traceback))
    for place in dict.fromkeys(f"{' '.join(cell)}, line {line}" for cell, line in cells if known and cell):
        error.add_note(place)
    if not misused:
        display(why if known else error)
    shell.showtraceback((kind, error, traceback), exception_only=known)


class _ToldInTheCell(UsageError):
    """A magic that was used wrongly, as an error of its cell: IPython writes a UsageError past the log of a CI."""


_ToldInTheCell.__name__ = UsageError.__name__


@magics_class
class LabMagics(Magics):
    """The magics; they look up labs in the notebook's own names each time, so that restarted kernels do no harm."""

    shell: Any

    def _lab(self, name: str | None) -> Lab:
        names = {key: value for key, value in self.shell.user_ns.items() if isinstance(value, Lab) and key[:1] != "_"}
        known = ", ".join(names)
        if name not in (None, *names):
            raise UsageError(f"--lab must be the name of a lab, one of {known or 'none yet'}; got {name}")
        if (wanted := name or "lab") in names:
            return names[wanted]
        distinct = {id(value): value for value in names.values()}
        if not distinct:
            raise UsageError("there is no lab yet: lab = mqlab.Lab()")
        if len(distinct) > 1:
            raise UsageError(f"Make a lab first: lab = mqlab.Lab(), or --lab NAME with one of {known}")
        return next(iter(distinct.values()))

    def _qmgr(self, lab: Lab, name: str | None, how: str) -> QueueManager:
        """The queue manager of this name, or the only one; `how` is what to type before a name."""
        known = [qmgr.name for qmgr in lab.queue_managers]
        if name is None and len(known) == 1:
            name = known[0]
        if name not in known:
            there = f"{how} {'|'.join(known)}" if known else 'lab.queue_manager("QM1") makes one'
            raise UsageError(f"The queue manager must be {there}; got {name or 'nothing'}")
        return lab[name]

    @staticmethod
    def _asked(magic: Any, line: str, sign: str) -> Any:
        """The arguments after the name of a magic; raises UsageError, which names the help."""
        try:
            return parse_argstring(magic, line)
        except (UsageError, ValueError) as wrong:
            raise UsageError(f"{wrong}. {sign}{magic.__name__}? shows the help") from None

    @magic_arguments()
    @argument("qmgr", nargs="?", help="the queue manager; not needed if the lab has only one")
    @argument("--lab", help="the name of the lab, if there are several")
    @argument("--to", metavar="NAME", help="keep the reply under this name")
    @argument("--refused", action="store_true", help="a command is expected to be refused")
    @no_var_expand
    @cell_magic
    def mqsc(self, line: str, cell: str) -> None:
        """Run the cell's MQSC commands on a queue manager and show its reply, such as

        %%mqsc QM1 --to reply
        DEFINE QLOCAL(ORDERS) MAXDEPTH(2)

        With MQLAB_STRICT=1, as in CI, a refused command is an error, unless --refused expects one.
        """
        options = self._asked(self.mqsc, line, "%%")
        if options.to and not options.to.isidentifier():
            raise UsageError(f"--to must be a Python name, such as reply; got {options.to}")
        reply = self._qmgr(self._lab(options.lab), options.qmgr, "%%mqsc").mqsc(cell)
        if options.to:
            self.shell.user_ns[options.to] = reply
        display(reply)
        if strict() and reply.ok == options.refused:
            first = next((f"{each.command}: {each.text}" for each in reply.replies if not each.ok), "none")
            wanted = "a refused command" if options.refused else "no refused command"
            raise AssertionError(f"The cell was expected to have {wanted}; it has {first}")

    @magic_arguments()
    @argument("reason", help="the reason code that the cell is expected to end with, such as 2085, or its name")
    @no_var_expand
    @cell_magic
    def expect(self, line: str, cell: str) -> None:
        """Run a cell that must fail with an MQ error, and show the error as a card without a traceback. For example:

        %%expect 2085
        qm.put("ORDRES", b"which queue is that?")

        With MQLAB_STRICT=1, as in CI, another outcome is an error.
        """
        options = self._asked(self.expect, line, "%%")
        wanted, got = named("MQRC").get(options.reason.upper()), None
        if wanted is None and not re.fullmatch("[0-9]{4}", options.reason):
            asked = "a number of four digits or a name, such as %%expect 2085 or %%expect MQRC_UNKNOWN_OBJECT_NAME"
            raise UsageError(f"the reason code must be {asked}; got {options.reason}")
        wanted = wanted or int(options.reason)
        try:
            run_python(self.shell, cell, above=1)
        except (MQError, LabError, ProgramDied) as error:
            refused = refusal(error)
            display(refused)
            got = getattr(refused, "reason", type(refused).__name__)
        if got == wanted:
            return
        lead = f"The cell should fail with {wanted}, but it " + ("succeeded" if got is None else f"ended with {got}")
        if strict():
            raise AssertionError(lead)
        display(Card(lead, card("Not as expected", lead=f"{lead}.", failed=True)))

    @magic_arguments()
    @argument("what", choices=WHAT, nargs="?", default="status")
    @argument("about", nargs="?", help="a message's number, a queue or a program (why), a queue manager, a rule")
    @argument("--qmgr", help="the queue manager, if the lab has several")
    @argument("--lab", help="the name of the lab, if there are several")
    @line_magic
    def mqlab(self, line: str) -> None:
        """Look into the lab, the rule book, and your progress:

        %mqlab                  the lab as a picture; so does %mqlab status
        %mqlab events           the last rows of the log
        %mqlab events ORDERS    the last rows about a queue
        %mqlab explain 3        the life of message 3
        %mqlab why ORDERS       why a get finds no message there, and why no trigger fires
        %mqlab why SHOP         why program SHOP was refused
        %mqlab errors QM1       the error log of a queue manager (AMQERR01.LOG)
        %mqlab rule EXP-02      a rule of the rule book
        %mqlab progress         your exercises, predictions, and games, and the map of your skills
        """
        options = self._asked(self.mqlab, line, "%")
        if options.about is not None and options.what in NOTHING_ABOUT:
            raise UsageError(f"%mqlab {options.what} takes no argument; got {options.about}")
        options.about = options.about and options.about.strip("'\"")  # as names are written in MQSC
        try:
            self._tell(options)
        except (MQError, LabError) as refused:
            display(refused)

    def _tell(self, options: Any) -> None:
        if options.what == "progress":
            from .exercises import progress_card

            display(progress_card())
            return
        if options.what == "rule":
            asked = (options.about or "").upper()
            rule = next((known for known in RULES.values() if known.id.upper() == asked), None)
            if rule is None:
                near = ", ".join(get_close_matches(asked, RULES, 3)) or "EXP-02"
                raise UsageError(f"the rule must be an id, such as {near}; got {options.about or 'nothing'}")
            display(Card(f"{rule.id} {rule.title}: {rule.text}", card(f"{rule.id} {rule.title}", lead=rule.text)))
            return
        lab = self._lab(options.lab)
        if options.what == "status":
            display(lab)
        elif options.what == "events":
            self._events(lab, options.about)
        elif options.what == "explain":
            if options.about is None or not re.fullmatch("[0-9]{1,18}", options.about):
                raise UsageError(
                    f"the message must be a number, such as %mqlab explain 3; got {options.about or 'nothing'}"
                )
            display(explained(lab, int(options.about)))
        elif options.what == "errors":
            display(self._qmgr(lab, options.about or options.qmgr, "%mqlab errors").error_log())
        else:
            if options.about is None:
                raise UsageError("name a queue or a program, such as %mqlab why ORDERS")
            queues = (qmgr.objects.match(QUEUE_KINDS) for qmgr in lab.queue_managers)
            named = {queue.name for known in queues for queue in known}
            if options.about not in named and lab.events.where(program=options.about):
                display(lab.why_refused(options.about))
                return
            qmgr = self._qmgr(lab, options.qmgr, f"%mqlab why {options.about} --qmgr")
            display(qmgr.why_no_message(options.about))
            display(qmgr.why_not_triggered(options.about))

    def _events(self, lab: Lab, queue: str | None) -> None:
        rows = lab.events[-SHOWN:] if queue is None else lab.events.where(object=queue)[-SHOWN:]
        if queue is not None and not rows:
            near = get_close_matches(queue.upper(), {row.object for row in lab.events if row.object}, 1)
            raise LabError(f"no event of the log is about a queue {queue}" + "".join(f", try {n}" for n in near))
        words = "\n".join(sentence(row, len(lab.queue_managers) > 1) for row in rows) or "no events yet"
        display(Card(words, events_as_html(rows) or words))
