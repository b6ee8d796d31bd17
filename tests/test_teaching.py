"""docs/teaching.md tells the truth: what it names is there, and what it says that learners answer is really refused."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from mqlab import Lab
from mqlab.course.exercises.bank import EXERCISES
from mqlab.engine.words.rulebook import RULES
from mqlab.lab.scenarios import names

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs/teaching.md").read_text(encoding="utf-8")
ID = re.compile(r"\b[A-Z]\d\d\b")


def section(title, level="##"):
    """The text under a heading."""
    found = re.search(rf"^{level} {re.escape(title)}\n(.*?)(?=^#{{2,{len(level)}}} |\Z)", TEXT, re.M | re.S)
    assert found, title
    return found[1]


def rows(text):
    """The cells of a table's rows, without its head and the line under that."""
    lines = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.splitlines() if line[:1] == "|"]
    return [cells for cells in lines if cells[0] not in ("exercise", "min", "time") and not cells[0].startswith("---")]


def wrong_answers():
    found = {}
    for path in sorted((ROOT / "tests" / "course" / "exercises").glob("wrong_*.py")):
        spec = spec_from_file_location(path.stem, path)
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        found |= {id: {name: symptom for name, _, symptom in answers} for id, answers in module.WRONG.items()}
    return found


WRONG = wrong_answers()
TOLD = [row for row in rows(section("Common wrong answers")) if ID.fullmatch(row[0])]


def test_every_exercise_it_names_is_there():
    assert set(ID.findall(TEXT)) <= set(EXERCISES)


def test_every_file_and_every_heading_it_points_to_is_there():
    headings = {
        re.sub(r"[^a-z -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.+)$", TEXT, re.M)
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        if target.startswith("#"):
            assert target[1:] in headings, target
        else:
            assert (ROOT / "docs" / target.partition("#")[0]).exists(), target
    for path in re.findall(r"\bnotebooks/[\w.-]+", TEXT):
        assert (ROOT / path).exists(), path


def test_every_target_module_and_rule_it_names_is_there():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)", TEXT)) <= targets
    for module in re.findall(r"-m (mqlab[.\w]*)", TEXT):
        assert (ROOT / f"{module.replace('.', '/')}.py").exists(), module
    assert set(re.findall(r"\b[A-Z]{3}-\d\d[a-z]?\b", TEXT)) <= set(RULES)


def test_the_scenarios_of_the_plans_are_there():
    for plan in ("A half day", "Two days"):
        shown = {name for row in rows(section(plan)) for name in re.findall(r"`([a-z]+(?:-[a-z]+)*)`", row[1])}
        assert shown
        assert shown <= set(names()), plan


def needed(cell):
    """The minutes that the exercises and scenarios of a row take; what is for some only is left out."""
    cell = cell.split(" (learners who")[0]
    parts = [part for part in cell.split(";") if "finish early" not in part and "others:" not in part]
    total = 10 * sum(part.count("`") // 2 for part in parts if "%mqlab" not in part)
    for part in parts:
        minutes = [EXERCISES[id].minutes for id in ID.findall(part)]
        total += max(minutes) if " or " in part and minutes else sum(minutes)
    return total + 15 * ("notebooks/" in parts[0] and "to read on" not in parts[0])


@pytest.mark.parametrize(
    ("plan", "end", "breaks"),
    [("A half day", "4:00", 2), ("Two days", "17:15", 4), ("Two and a half hours for programmers", "2:30", 1)],
)
def test_what_stands_in_a_plan_fits_between_its_times(plan, end, breaks):
    table = [
        [cell.strip() for cell in line[1:-1].split(" | ")] for line in section(plan).splitlines() if line[:1] == "|"
    ]
    table = [row for row in table if re.search(r"\d:\d\d", row[0])]
    starts = [sum(int(n) * m for n, m in zip(row[0].split()[-1].split(":"), (60, 1), strict=True)) for row in table]
    hours, minutes = map(int, end.split(":"))
    ends = [*starts[1:], 60 * hours + minutes]
    for (time, what, *_), start, until in zip(table, starts, ends, strict=True):
        until = until if until > start else 60 * hours + minutes  # the last of a day
        assert needed(what) <= until - start, (time, what)
    words = [row[1] for row in table]
    assert words.count("break") >= breaks


def test_every_scenario_has_its_script_of_ten_minutes_and_no_other_has():
    assert re.findall(r"^### (\S+)$", TEXT, re.M) == names()
    for name in names():
        script = section(name, "###")
        minutes = [int(row[0]) for row in rows(script)]
        assert minutes[0] == 0, name
        assert minutes == sorted(set(minutes)), name
        assert 8 <= minutes[-1] <= 9, name
        assert all(len(row) == 4 and all(row) for row in rows(script)), name
        assert "\nThey ask: *" in script, name


@pytest.mark.parametrize(("id", "answer", "symptom"), [row[:3] for row in TOLD], ids=lambda value: value[:20])
def test_a_common_wrong_answer_is_one_that_is_tried_and_refused(id, answer, symptom):
    assert WRONG[id][answer] == symptom


def test_every_exercise_has_a_common_wrong_answer():
    assert set(EXERCISES) == {row[0] for row in TOLD}
    assert all(len(row) == 4 for row in TOLD)


def test_the_plans_use_every_exercise():
    plans = section("A half day") + section("Two days") + section("Two and a half hours for programmers")
    for first, last in re.findall(r"\b([A-Z]\d\d) to ([A-Z]\d\d)\b", plans):
        plans += " ".join(id for id in EXERCISES if first <= id <= last)
    assert set(ID.findall(plans)) == set(EXERCISES)


def puts(lab, queue, what):
    """A column of the puts to a queue that worked, in order."""
    return [getattr(row, what) for row in lab.events.where(kind="put", object=queue)]


# What a script says to show or to say, and what shows it: words of the scenario's chapters, or a look at its lab.
FIGURES = {
    "expiry-priority": {
        "five orders, 7, 4, 4, 4, 2": lambda lab: puts(lab, "ORDERS", "priority") == [7, 4, 4, 4, 2],
        "the others have 8 seconds": "Carol's never expires. The others expire after 8 seconds",
        "fifteen seconds pass": "No program gets an order for 15 seconds",
        "5: expiry removes nothing": "CURDEPTH is 5. Expiry removes nothing",
        "Why are two left": "CURDEPTH is 2",
    },
    "expired-fill": {
        "five questions, two seconds each": lambda lab: puts(lab, "PRICE.ASK", "expiry_left")[:5] == [20] * 5,
        "09:05": "the lab advances to 09:05",
        "the depth is 5": "CURDEPTH is 5, because expired messages count",
        "2053: whose fault?": "The put returned 2053 MQRC_Q_FULL",
        "2033, and 0: this get reached all five": "CURDEPTH is 0 now, because the get reached all five",
        "every 5 minutes at a current level": "at a current command level scans for expired messages every 5 minutes",
        "2053. A late reader": "for more than 4 minutes, since 09:00:40, the queue was full",
    },
    "cannot-get": {
        "Depth 3 and 2033": "CURDEPTH is 3",
        "the get for order 3": "TILL, tries to get the answer for order 3",
        "the get for order 1": "Next, TILL tries to get the answer for order 1",
        "2: the get reached an expired message": "CURDEPTH is 2 now: the get reached an expired message",
        "Depth 0, and the other till gets 2033": "CURDEPTH is 0; the get of TILL2 returned 2033",
        "1 again": "Available again CURDEPTH is 1",
    },
    "first-every-depth": {
        "FIRST 1, EVERY 3, DEPTH 1": "Starts: FIRST 1, EVERY 3, DEPTH 1",
        "DEPTH: two wait for a third": "2 orders wait for a third",
    },
    "trigger-once": {
        "Still 1: none of them was the first": "PICKER starts: still 1",
        "6: one start serves all waiting orders": "PICKER served them all: 6 slips",
        "999999999 ms, eleven and a half days": "999999999 ms: eleven and a half days",
    },
    "poison": {
        "6, and the good order": "BOTHRESH and BOQNAME 6 times",
        "five and a half seconds": "in the next five and a half seconds",
        "BOTHRESH is 3, backed out four times": "BOTHRESH is 3, and a message has been backed out four times",
        "Four backouts": "OLDPACK got it four times",
    },
    "channel-retrying": {
        "restored after 12 seconds": "The link is restored after 12 more seconds",
        "3 short retries and 2 long ones": "all 3 short and 2 long retries. A STOPPED channel The channel is STOPPED",
        "the link is restored, order 4": "The link is restored, and order 4 is put",
        "each order arrived once, and in order": "ORDERS.IN holds 4 orders, each of them once and in order",
    },
    "expiry-on-the-way": {
        "3, and no report": "DEPOT is 3. TILL asked for expiration reports, and the queue REPORTS holds 0",
        "70 seconds": "At 70 seconds",
        "60 seconds until expiry, 90 seconds of waiting": "A message that expires after 60 seconds waits 90 seconds",
        "Two: the sending agent": "The remaining expiry time ORDERS.IN holds 2",
        "191 tenths": "The browse at the depot shows an Expiry of 191 tenths",
    },
    "dead-letters": {
        "2053, 2053, 2085": "Each message has a dead-letter header with the reason why: 2053, 2053, 2085",
        "Only the message about the chair": "Only the message about the chair: DEPOT.MANUAL holds 1",
        "Five are sent, two fit": "ORDERS.IN on queue manager DEPOT accepts 2 orders",
    },
    "igq-channels": {
        "4, through the coupling facility; 3 waits": "booking 4 arrived through the coupling facility, ahead",
        "1, 2, 4, 5, 3": "in this order: 1, 2, 4, 5, 3",
        "Who can deliver booking 5?": "booking 5 is there, because the shared queue belongs to the group",
    },
    "member-failure": {
        "Depth 0: is the payment lost?": "uncommitted: CURDEPTH is 0",
        "A peer, immediately: MVSB": "When MVSA failed, MVSB backed out",
        "one finds nothing": "one of the last two servers found no payment",
    },
    "facility-failure": {
        "Five messages": "PAYMENTS holds 3, BALANCES 2",
        "3: all nonpersistent messages": "3 messages are lost: all nonpersistent ones",
        "2373, until someone recovers": "A get from PAYMENTS returned 2373",
        "The two persistent ones, in their order": "'100 to Anna' and '20 to Bob', persistent and in their order",
    },
    "expires-twice": {
        "0: no call has used the queues": "Rules notified so far: 0, because no call has used the queues",
        "0, and the office's rule is notified too": "The size is 0: the inquiry discards expired messages",
    },
    "van-out-of-reach": {
        "The van has 1, the office 2": "VAN held 1 and OFFICE 2",
        "Two had expired and were not sent": "the two old positions had expired and were not sent",
    },
}


@pytest.mark.parametrize("name", names())
def test_the_figures_of_a_script_are_those_of_its_scenario(name):
    lab, script = Lab(), section(name, "###")
    lab.scenario(name)
    told = " ".join(f"{each.title} {each.text}" for each in lab.chapters)
    for said, shown in FIGURES[name].items():
        assert said in script, said
        assert shown(lab) if callable(shown) else shown in told, said


@pytest.mark.parametrize("name", names())
def test_no_figure_that_a_script_says_is_left_unchecked(name):
    for _, *cells in rows(section(name, "###")):
        for cell in cells:
            rest = cell
            for said in FIGURES[name]:
                rest = rest.replace(said, "")
            assert not re.search(r"(?<![A-Z(`])\b\d+\b(?![)`])", rest), cell
