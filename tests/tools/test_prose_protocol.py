"""No code reads text that was made for people: readers are counted, and their number may only fall."""

import re
from functools import cache
from pathlib import Path

from tools.prose_protocol import BOUNDS, Program, counted

PACKAGE = Path(__file__).parents[2] / "mqlab"
PLANTS = '''
import json
import re
from pyspark.sql import functions as F
from mqlab.engine.commands.replies import CommandReply, Refused
from mqlab.engine.programs.channels.control import ChannelError
from mqlab.engine.explain.words import told as narrated
from mqlab.engine.words.errors import LabError, MQError
from mqlab.engine.world.event import Event

PATTERN = re.compile("full")
FULL = "the queue is full now"

class Verdict:
    """A verdict has a remark for people."""
    remark: str
    def __init__(self, queue: str) -> None:
        self.remark = f"the queue {queue} is full and takes no message"
        self.notes = []
        self._last = self.remark

    def own(self) -> bool:
        return self._last.startswith("the")  # self attribute

    def noted(self) -> str:
        self.notes.append(self.remark)
        return self.notes[0].partition(" ")[2]  # container

def method(error: MQError) -> bool:
    return error.said.startswith("the queue")  # string method

def part(error: MQError) -> str:
    return error.hint[:8]  # slice

def contains(error: MQError) -> bool:
    return "is full" in error.said  # in

def equals(error: MQError) -> bool:
    return error.said == "the queue is full"  # equality

def one_of(error: MQError) -> bool:
    return error.said in ("the queue is full", "the queue is empty")  # one of several

def named(error: MQError) -> bool:
    return FULL in error.said  # a constant

def by_pattern(error: MQError):
    return PATTERN.search(error.said)  # compiled pattern

def by_module(error: MQError):
    return re.findall(r"MAXDEPTH\\((\\d+)\\)", error.said)  # re

def in_sql(spark):
    return spark.sql("SELECT seq FROM events WHERE detail LIKE '%died%'")  # LIKE

def in_spark(frame):
    return frame.where(F.col("detail").contains("died"))  # Spark column

def by_alias(frame):
    frame = frame.withColumn("reasoning", F.get_json_object("detail", "$.grounds"))
    return frame.where(F.col("reasoning").startswith("the"))  # Spark column under another name

def by_function(frame):
    return frame.select(F.regexp_extract("detail", "died", 0))  # function of Spark

def write(qmgr, queue: str) -> None:
    qmgr.record("fault", qmgr.place, None, detail={"grounds": f"the queue {queue} is full and takes no message"})

def by_position(row: Event) -> bool:
    return '"died"' in (row.detail or "")  # JSON by position

def by_slice(row) -> str:
    return row.detail.split("@")[-1]  # JSON of an untyped row

def by_column(lab) -> list:
    return [each for each in set(lab.events.column("detail")) if (each or "").startswith('{"via"')]  # JSON of a column

def of_narrator(row: Event) -> bool:
    return narrated(row).endswith("discarded")  # a sentence of the narrator

def by_docstring() -> str:
    return method.__doc__.partition(". ")[0]  # docstring

def of_lab_error(error: LabError) -> bool:
    return "ALTER" in str(error)  # str(error)

def caught(call) -> bool:
    try:
        call()
    except MQError as problem:
        return str(problem).endswith("full")  # str of a caught error
    return False

def handed(problem) -> bool:
    return f"{problem}".startswith("2053")  # text of an error that came untyped

def hands(call) -> None:
    try:
        call()
    except ValueError as problem:
        handed(problem)

def renamed_field(verdict: Verdict) -> bool:
    return verdict.remark.endswith("message")  # a field with another name

def untyped(verdict) -> bool:
    return "full" in verdict.remark  # the same field of an untyped object

def of_alias(error: MQError) -> bool:
    words = error.said
    text = words
    return text.removeprefix("the ").islower()  # alias

def of_tuple(error: MQError) -> bool:
    where, what = error.object, error.said
    return what.startswith("the")  # tuple

def of_pair(pair: tuple[str, str]) -> bool:
    name, what = pair
    return what.startswith("the")  # tuple as a parameter

def gives(error: MQError) -> bool:
    return of_pair((error.object, error.said))

def parameter(what: str) -> bool:
    return what.startswith("the")  # parameter

def passes(error: MQError) -> bool:
    return parameter(error.said)

def keyword(*, what: str = "") -> bool:
    return what.startswith("the")  # keyword

def passes_by_keyword(error: MQError) -> bool:
    return keyword(what=error.said)

def made(queue: str) -> str:
    return f"the queue {queue} is full"

def of_result() -> bool:
    return made("A").count("full") > 1  # result of a function

def of_key(row: Event) -> bool:
    facts = json.loads(row.detail or "{}")
    return facts["grounds"].startswith("the")  # key of a detail

def of_dict(error: MQError) -> bool:
    kept = {"what": error.said}
    return kept["what"].startswith("the")  # dict

def each_of(errors: list[MQError]) -> list[str]:
    return [text for text in (error.said for error in errors) if text.endswith(" full")]  # comprehension

def matched(error: MQError) -> int:
    match error.said:  # match
        case "the queue is full":
            return 1
    return 0

def by_key(counts: dict) -> int:
    return counts["messages that failed"]  # an English key

def by_first_word(error: MQError) -> str:
    return error.said.split()[0]  # first word

def by_first_line(reply: CommandReply) -> str:
    return reply.text.splitlines()[0]  # first line of a reply

def by_last_line(replies: list[CommandReply]) -> list[str]:
    return [reply.text.splitlines()[-1] for reply in replies]  # last line of each

def by_lines(reply: CommandReply) -> str:
    first, *others = reply.text.splitlines()  # first line by its name
    return first

def of_refused(error: Refused) -> bool:
    return error.said.endswith("full")  # of a refused command

def of_refused_text(error: Refused) -> bool:
    return "full" in str(error)  # text of a refused command

def of_channel(error: ChannelError) -> bool:
    return "in doubt" in error.grounds.said  # of a channel that cannot do it

def of_channel_text(call) -> bool:
    try:
        call()
    except ChannelError as problem:
        return str(problem).startswith("no channel")  # text of a caught one
    return False
'''
SCRIPT = """
export const troubled = (row) => row.detail.includes("died"); // JSON in a script
const call = title.match(/panel/); // title
"""
FINE = """
from mqlab.engine.words.errors import MQError

VERDICTS = ("the message arrives", "the message is lost")
ARRIVES, LOST = VERDICTS

def shown(error: MQError) -> str:
    return f"{error.said.capitalize()}." + error.hint[:1].upper() + " ".join(error.said.split()).replace("<", "&lt;")

def by_fact(error: MQError) -> bool:
    return error.reason == 2053 and error.name.startswith("MQRC") and not error.said and error.object[:3] == "SYS"

def kept(text: str) -> str:
    return text.strip()

def of_another(name: str, error: MQError) -> bool:
    kept(error.said)
    return kept(name).startswith("SYSTEM")
"""


@cache
def _program() -> Program:
    return Program(PACKAGE)


def test_the_number_of_readers_only_falls():
    found = _program().findings()
    numbers = counted(found)
    assert all(numbers[name] <= bound for name, bound in BOUNDS.items()), (numbers, "\n".join(map(str, found)))


def test_every_comment_that_excuses_is_needed():
    needed = sum(each.excused for each in _program().findings())
    lines = (line for module in _program().modules.values() for line in module.lines)
    assert sum(1 for line in lines if re.search(r"# text: \S", line)) <= needed


def test_a_reader_of_each_kind_is_found_and_what_does_not_depend_on_words_is_none(tmp_path):
    (tmp_path / "plants.py").write_text(PLANTS)
    (tmp_path / "fine.py").write_text(FINE)
    program = Program(PACKAGE, [tmp_path / "plants.py", tmp_path / "fine.py"])
    program.scripts["plants.js"] = SCRIPT
    findings = list(program.findings())
    for path, text in (("plants.py", PLANTS), ("plants.js", SCRIPT)):
        found = {each.line for each in findings if each.path == path}
        lines = text.splitlines()
        planted = {number for number, line in enumerate(lines, 1) if re.search(r"(#|//) [a-zA-Z]", line)}
        assert [lines[number - 1] for number in sorted(planted - found)] == []
        assert [lines[number - 1] for number in sorted(found - planted)] == []
    assert [each for each in findings if each.path == "fine.py"] == []


def test_neither_a_rename_nor_a_move_changes_the_readers(tmp_path):
    names = {"said": "uttered", "why": "wherefore", "detail": "more_of_it", "shows": "displays", "hint": "tip"}
    pattern = re.compile(r"\b(" + "|".join(names) + r")\b")
    for path in PACKAGE.rglob("*.py"):
        room, _, rest = str(path.relative_to(PACKAGE)).partition("/")
        other = tmp_path / room / rest
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_text(pattern.sub(lambda name: names[name[0]], path.read_text("utf-8")))
    moved = {(each.path, each.line) for each in Program(tmp_path).findings()}
    assert moved == {(each.path, each.line) for each in _program().findings() if each.path.endswith(".py")}
