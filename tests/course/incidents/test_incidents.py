"""Each fault of each estate can be repaired by its expert, and not by plausible wrong repairs; the business judges."""

import json
import re
import tomllib
from pathlib import Path

from helpers import for_each, lab_error, says, some
from mqlab.course.exercises.progress import read, summary
from mqlab.course.incidents import Incident, estates, of_the_day
from mqlab.course.incidents.desk import Desk
from mqlab.course.incidents.estate import commands

SEED = 3
WRONG = tomllib.loads(Path(__file__).with_name("wrong.toml").read_text("utf-8"))
FAULTS = [(estate.name, fault.key) for estate in estates().values() for fault in estate.faults]
ASKED = [f"{words} ALL" for words in ("QMGR", "PROCESS(*)", "QSTATUS(*) TYPE(QUEUE)", "CHSTATUS(*)")]
ASKED += ["CONN(*) TYPE(ALL)", "CFSTATUS(*)"]
TRACES = {}
COUNTS = re.compile(r"(\d+) (?:confirmed (?:in time|late)|without|(?:was|were) refused|not due)")


def trace(incident):
    """What a player can find out: the answers to DISPLAY, but for times of alteration, the error logs, the symptom."""
    found = [incident.pager]
    for qmgr in incident.lab.queue_managers:
        asked = [f"{kind}({name}) ALL" for kind, name in own(qmgr)]
        rows = [row for text in (*ASKED, *asked) for row in qmgr.mqsc(f"DISPLAY {text}").rows]
        found += [repr({key: row[key] for key in row if not key.startswith("ALT")}) for row in rows]
        found.append(str(qmgr.error_log()))
    return "\n".join(found)


def own(qmgr):
    """The queues and channels of an estate that are not there from the beginning, each as (kind, name)."""
    shown = {kind: qmgr.mqsc(f"DISPLAY {kind}(*)").rows for kind in ("QUEUE", "CHANNEL")}
    named = [(kind, next(iter(row.values()))) for kind, rows in shown.items() for row in rows]
    return [(kind, name) for kind, name in named if not name.startswith("SYSTEM.") or "QSG" in name]


def end(incident):
    incident.lab.close()
    return incident


@for_each(("estate", "key"), FAULTS)
def test_an_expert_repairs_it_in_eight_commands_at_most(estate, key):
    incident = Incident(SEED, estate, fault=key)
    TRACES[estate, key] = trace(incident)
    incident.solve()
    verdict = incident.close()
    assert incident.state == "repaired", verdict
    assert incident.minutes == incident.commands <= 8
    assert all(step.qmgr or step.text.startswith("(report") for step in incident.steps)
    end(incident)


@for_each(("estate", "key"), some(FAULTS, 14))
def test_neither_waiting_nor_a_plausible_wrong_repair_helps(estate, key):
    incident = Incident(SEED, estate, fault=key)
    assert any(words in incident.wait(2) for words in ("without a confirmation", "refused", "confirmed late"))
    for wrong in WRONG[estate][key]:
        for qmgr, command in commands(wrong):
            incident.run(qmgr, command)
    assert "The pager rings again" in incident.close()
    assert incident.state == "open"
    end(incident)


@for_each(("estate", "key"), [pair for pair in FAULTS if estates()[pair[0]].fault(pair[1]).alternatives])
def test_an_alternative_repairs_it_too_and_the_debriefing_calls_it_so(estate, key):
    for alternative in estates()[estate].fault(key).alternatives:
        incident = Incident(SEED, estate, fault=key)
        for qmgr, command in commands(alternative):
            incident.run(qmgr, command).require()
        assert "Repaired" in incident.close()
        says(incident.debrief(), "An alternative to the expert's repair, enough by itself", command)
        end(incident)


@for_each("estate", estates())
def test_the_pager_and_the_business_line_agree_at_every_minute(estate):
    for seed in range(3):
        incident = Incident(seed, estate)
        seen = incident.pager
        for _ in range(4):
            assert seen == incident.status()
            since = incident.lab.now_us - 300_000_000
            for who, orders in incident.business.orders.items():
                sent = sum(order.put_us >= since for order in orders)
                every, count, parts = re.search(rf"{who}: (all )?(\d+) orders?(.*?)\.(?= |$)", seen).groups()
                assert int(count) == sent
                assert every or sum(map(int, COUNTS.findall(parts))) == sent, seen
            seen = incident.wait()
        assert incident.close().startswith(f"The pager rings again: {incident.status()}")
        end(incident)


@for_each("estate", estates())
def test_no_two_faults_leave_the_same_trace(estate):
    faults = [key for name, key in FAULTS if name == estate]
    for key in faults:
        if (estate, key) not in TRACES:  # this test alone was asked for
            TRACES[estate, key] = trace(end(Incident(SEED, estate, fault=key)))
    traces = {key: TRACES[estate, key] for key in faults}
    assert len(set(traces.values())) == len(faults)


def test_kinds_of_faults_and_a_seed_that_gives_the_same_incident():
    assert len(estates()) == 5
    assert len({key for _, key in FAULTS}) == len(FAULTS) >= 25
    for estate in estates().values():
        incident = end(Incident(0, estate.name))
        assert 18 <= len([each for qmgr in incident.lab.queue_managers for each in own(qmgr)]) <= 32
    one, same = Incident(11), Incident(11)
    assert (one.pager, list(one.lab.events)) == (same.pager, list(same.lab.events))
    assert len({Incident(seed, "stores").pager for seed in range(6)}) > 2
    shown = f"{one} {one!r} {one.lab!r}"
    assert not any(key in shown for _, key in FAULTS)
    assert "Incident 11 in estate" in str(one)


def test_minutes_commands_hints_and_the_debriefing():
    incident = Incident(SEED, "stores", fault="stopped")
    assert incident.run("store1", "DISPLAY CHSTATUS(*)\nDISPLAY QLOCAL(DEPOT) CURDEPTH").ok
    assert (incident.minutes, incident.commands) == (2, 2)
    assert "AMQ9528W" in incident.error_log("STORE1")
    assert incident.hint()
    assert incident.minutes == 8
    for wrong in (
        lambda: incident.run("STORE9", "DISPLAY QMGR"),
        lambda: incident.error_log(""),
        lambda: incident.wait(0),
        lambda: incident.debrief(),
        lambda: incident.replay(),
        lambda: Incident(-1),
        lambda: Incident(1, "bakery"),
        lambda: Incident(1, "stores", fault="?"),
    ):
        lab_error("", wrong)
    assert incident.minutes == 8
    incident.run("STORE1", "START CHANNEL(STORE1.DEPOT)")
    assert incident.close() == (
        "Repaired: 9 minutes, 3 commands, 1 hint. The business has run well since, and no order is lost."
    )
    debriefing = incident.debrief()
    says(debriefing, "An operator stopped channel STORE1.DEPOT", "An expert's way: 3 minutes, 3 commands")
    lab_error("repaired", incident.run, "STORE1", "DISPLAY QMGR")


def test_the_name_of_a_queue_manager_alone_switches_to_it():
    incident = Incident(SEED, "stores")
    typed = ("DEPOT", " depot ", "use store2", "DEPOT1", "DISPLAY QMGR", "", "use")
    assert [incident.switches_to(text) for text in typed] == ["DEPOT", "DEPOT", "STORE2", None, None, None, None]
    assert (incident.minutes, incident.commands) == (0, 0)


def test_a_repair_of_ones_own_counts_and_deleted_orders_end_the_incident():
    incident = Incident(SEED, "stores", fault="alias")
    incident.run("DEPOT", "DEFINE QLOCAL(ORDERS.NEW) LIKE(ORDERS.IN)")
    assert "Repaired" in incident.close()
    incident = Incident(SEED, "stores", fault="stopped")
    incident.run("STORE1", "CLEAR QLOCAL(DEPOT)\nSTART CHANNEL(STORE1.DEPOT)").require()
    assert "can never be confirmed" in incident.close()
    assert incident.state == "lost"


WIDE = (
    ("ALTER QMGR CHLAUTH(DISABLED)", "CHLAUTH(DISABLED) at HQ"),
    ("ALTER AUTHINFO(HQ.USERS) AUTHTYPE(IDPWOS) CHCKLOCL(NONE)", "CHCKLOCL(NONE) at HQ"),
    ("SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)", "no record that refuses all others at HQ"),
    (
        "ALTER CHANNEL(ADMIN.CLIENTS) CHLTYPE(SVRCONN) MCAUSER('mqm')\n"
        "SET CHLAUTH('WEB.CLIENTS') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)\n"
        "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) GROUP('web') AUTHADD(ALL)",
        "ADMIN.CLIENTS with MCAUSER(mqm) at HQ; the profile ** for web at HQ; "
        "the record for WEB.CLIENTS that lets in every address at HQ",
    ),
)


@for_each(("repair", "wide"), WIDE)
def test_a_repair_that_opens_a_queue_manager_to_all_costs_ten_minutes_for_each_thing(repair, wide):
    incident = Incident(SEED, "gate", fault="no-map")
    incident.run("HQ", repair).require()
    incident.run("HQ", "SET CHLAUTH('WEB.CLIENTS') TYPE(ADDRESSMAP) ADDRESS('10.0.2.4') USERSRC(CHANNEL)")
    incident.run("HQ", "SET AUTHREC OBJTYPE(QMGR) GROUP('www') AUTHADD(CONNECT)\n"
                 "SET AUTHREC PROFILE('SHOP.ORDERS') OBJTYPE(QUEUE) GROUP('www') AUTHADD(PUT)\n"
                 "SET AUTHREC PROFILE('CONFIRM.WEB') OBJTYPE(QUEUE) GROUP('www') AUTHADD(GET)")  # fmt: skip
    verdict = incident.close()
    count = len(incident.wide)
    says(verdict, f"Too wide: {wide}.", f"{count} wide repair")
    assert incident.minutes == incident.commands + 10 * count
    end(incident)


def test_progress_is_a_line_of_its_own_kind_and_the_replay_has_both_ways():
    Incident(SEED, "stores", fault="stopped").give_up()
    (line,), bad = read()
    assert not bad
    wanted = {"exercise": "incident stores 3", "what": "incident", "done": False, "minutes": 0, "commands": 0}
    assert ({key: line[key] for key in wanted}, summary()) == (wanted, [])
    incident = Incident(SEED, "stores", fault="no-trigger")
    incident.solve()
    incident.close()
    futures = incident.replay()
    assert (futures.names, futures.scores[0]) == (("your way", "an expert's way"), futures.scores[1])


def test_a_desk_answers_a_page_with_what_the_page_does_not_have():
    desk = Desk(Incident(5, "stores"))

    def ask(**question):
        return json.loads(desk.answer(json.dumps(question)))

    first = ask(ask="show")
    count = len(first["steps"]["steps"]["seq"])
    assert (first["pager"], first["clock"], first["state"]) == (first["business"], "09:05", "open")
    assert first["qmgrs"] == ["STORE1", "STORE2", "DEPOT"]
    assert 0 < first["from"] < count
    since = [first["recording"], count]
    switched = ask(ask="do", since=since, act="run", qmgr="STORE1", text="depot")
    assert (switched["switched"], switched["score"], switched["clock"]) == ("DEPOT", "0 minutes, 0 commands", "09:05")
    assert switched["steps"]["since"] == count
    assert not switched["steps"]["steps"]["seq"]
    wrong = ask(ask="do", since=since, act="run", qmgr="DEPOT", text="DISPLY QMGR")
    asked = ask(ask="do", since=since, act="run", qmgr="DEPOT", text="DIS QLOCAL(ORDERS.IN) TRIGGER")
    assert [each["right"] for each in asked["said"]] == [True, False, True]
    assert "NOTRIGGER" in asked["said"][-1]["said"]
    assert wrong["steps"]["steps"]["seq"] == asked["steps"]["steps"]["seq"][: len(wrong["steps"]["steps"]["seq"])]
    ask(ask="do", since=since, act="run", qmgr="DEPOT", text="DEFINE QLOCAL(NEW.QUEUE)")
    assert ask(ask="do", since=since, act="close")["said"][-1]["right"] is False
    changed = ask(ask="do", since=since, act="run", qmgr="DEPOT", text="ALTER QLOCAL(ORDERS.IN) TRIGGER")
    assert (changed["recording"], changed["steps"]["since"]) == (2, 0), "another object is another map"
    ended = ask(ask="do", since=since, act="close")
    assert ended["state"] == "repaired"
    says(ended["ending"], "ORDERS.IN had NOTRIGGER", "An expert's way: 3 minutes, 3 commands")
    assert ask(ask="replay")["names"] == ["your way", "an expert's way"]


def test_everyone_has_the_same_incident_on_a_day_and_another_one_on_the_next():
    assert [of_the_day(day) for day in ("2026-11-28", "2026-11-29", "2026-12-28")] == [25, 26, 25]
    lab_error("such as 2026-11-28", of_the_day, "yesterday")
