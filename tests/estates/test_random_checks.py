"""Random estates: every finding holds when it is proved, and is gone when it is fixed; and a trigger fires on the lab
exactly if no check says that it never does."""

import pytest
from estates.cases import assert_fix, estate_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers import tries
from mqlab.engine.words.errors import MQError
from mqlab.estates.proofs import prove, prove_all

NAMES = ("A", "B", "C", "q.d")
MADE = ("backout", "dead-letter", "events", "expiry", "queue-", "trigger", "xmitq")


def words(**choices):
    """Attributes of a definition, each of them given or left out."""
    each = [st.sampled_from(["", *(f"{keyword}({value})" for value in values)]) for keyword, values in choices.items()]
    return st.tuples(*each).map(" ".join)


QUEUE = words(
    BOTHRESH=(0, 2), BOQNAME=(*NAMES[:2], "'q.d'", "E"), GET=("DISABLED",), PUT=("DISABLED",), MAXDEPTH=(0, 1, 3),
    MAXMSGL=(5, 2_000), USAGE=("XMITQ",), CUSTOM=("'CAPEXPRY(20)'", "'CAPEXPRY(x)'"), CAPEXPRY=(10, 30),
    TRIGDPTH=(2, 9), TRIGTYPE=("NONE", "EVERY", "DEPTH"), INITQ=(*NAMES[:2], "'q.d'", "SYSTEM.CHANNEL.INITQ"),
    PROCESS=("P", "R"),
    TRIGMPRI=(2,), DEFPRTY=(1, 3), MSGDLVSQ=("FIFO",), TRIGDATA=("S", "T"), QDPHIEV=("ENABLED",), QDPLOEV=("ENABLED",),
    QDEPTHHI=(20, 30), QDEPTHLO=(20, 30), QSVCIEV=("HIGH",),
)  # fmt: skip
ALIAS = words(TARGET=NAMES[:3], PUT=("DISABLED",), CAPEXPRY=(15, 25))
REMOTE = words(RNAME=("A",), RQMNAME=("QM2",), XMITQ=NAMES[:2], CAPEXPRY=(15, 25))
FLAGS = st.sampled_from(["", " TRIGGER", " TRIGGER NOSHARE", " TRIGGER NOHARDENBO"])
DEFINITION = st.one_of(
    st.tuples(st.just("QLOCAL"), QUEUE, FLAGS), st.tuples(st.just("QLOCAL"), QUEUE, FLAGS),
    st.tuples(st.just("QALIAS"), ALIAS, st.just("")), st.tuples(st.just("QREMOTE"), REMOTE, st.just("")),
    st.tuples(st.just("QMODEL"), st.just(""), st.just("")),
)  # fmt: skip
SENDERS = ("CHANNEL(S) CHLTYPE(SDR) XMITQ(A) CONNAME(x)", "CHANNEL(T) CHLTYPE(SDR) XMITQ(B) CONNAME(x)")
OTHERS = (*SENDERS, "CHANNEL(U) CHLTYPE(RCVR) MAXMSGL(3000)", "PROCESS(P)")
QMGR = st.sampled_from(("", "ALTER QMGR DEADQ(A)", "ALTER QMGR DEADQ('q.d')", "ALTER QMGR DEADQ(E)"))
SETTINGS = settings(max_examples=tries(20), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def script(definitions, others, qmgr):
    named = zip(NAMES, definitions, strict=False)
    queues = [f"DEFINE {kind}('{name}') {more}{flag}" for name, (kind, more, flag) in named]
    return "\n".join([*queues, *(f"DEFINE {one}" for one in others), qmgr])


MORE = st.lists(st.sampled_from(OTHERS), unique=True)
SCRIPTS = st.builds(script, st.lists(DEFINITION, min_size=1, max_size=4), MORE, QMGR)


@pytest.mark.parametrize("platform", ["distributed", "zos", "vse"])
@SETTINGS
@given(SCRIPTS)
def test_a_finding_holds_and_is_fixed(platform, text):
    estate = estate_of({"QM1": text, "QM2": "DEFINE QLOCAL(A)"}, platform)
    found = [one for one in estate.findings() if one.check.startswith(MADE)]
    every = prove_all(estate, [one.proof for one in found if one.proof is not None])
    for one in found:
        if one.proof is not None:
            proved = every[one.proof]
            assert proved == prove(estate, one.proof)
            assert proved.holds, f"{one}: {one.proof.program} showed {proved.shown}, not {one.proof.shows}"
        if one.fix:
            assert_fix(estate, one)


@pytest.mark.parametrize("platform", ["distributed", "zos"])
@SETTINGS
@given(SCRIPTS)
def test_a_trigger_fires_exactly_if_no_check_says_that_it_never_does(platform, text):
    estate = estate_of({"QM1": text}, platform)
    such = ("trigger-", "xmitq-disabled") if platform == "zos" else ("trigger-",)
    found = [one for one in estate.findings() if one.check.startswith(such) and one.severity != "note"]
    never = {each.name for one in found for each in (one, *one.others)}
    for queue in estate.own(estate.lab["QM1"], "QLOCAL"):
        lab = estate.with_commands({}).lab
        qmgr, of = lab["QM1"], queue.attributes
        if not of["TRIGGER"] or of["PUT"] == "DISABLED" or of["MAXDEPTH"] == 0 or of["MAXMSGL"] < 1_000:
            continue
        initq = qmgr.objects.get("QLOCAL", of["INITQ"])
        if initq is not None and (initq.attributes["MAXDEPTH"] == 0 or initq.attributes["MAXMSGL"] < 1_000):
            continue  # the trigger message is lost
        if initq is not None and initq.attributes["GET"] == "ENABLED" and not qmgr.status(initq.name)["IPPROCS"]:
            qmgr.trigger_monitor(of["INITQ"])
        lab.advance(1)
        for _ in range(min(of["MAXDEPTH"], 10)):
            try:
                qmgr.put(f"A@{queue.name}" if of["USAGE"] == "XMITQ" else queue.name, b"a message", priority=9)
            except MQError:
                break  # a trigger message to this very queue has made it full
        fired = [row for row in lab.events if (row.kind, row.object) == ("trigger", queue.name) and row.facts["fired"]]
        assert bool(fired) == (queue.name not in never), f"{text}\n{queue.name}: {fired} {never}"
