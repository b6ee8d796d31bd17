"""Names that lead into clusters: the doctor runs no cluster, and says of such a name that it cannot judge it."""

from estates.cases import estate_of, found_by

from helpers import for_each
from mqlab.estates.proofs import lab_of

MEMBER = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CONNAME('{0}.example') CLUSTER({1})\n"
HOW = {
    "CLUSTER": "DEFINE QLOCAL(FX) CLUSTER(PAY)",
    "CLUSNL": "DEFINE NAMELIST(BOTH) NAMES(PAY, OTHER)\nDEFINE QLOCAL(FX) CLUSNL(BOTH)",
    "an alias": "DEFINE QLOCAL(IN)\nDEFINE QALIAS(FX) TARGET(IN) CLUSTER(PAY)",
    "a remote definition": "DEFINE QREMOTE(FX) RNAME(IN) RQMNAME(FAR) CLUSTER(PAY)",
}
LATER = "the doctor does not judge routes through clusters yet"


def make(qm1="", lonpay1=HOW["CLUSTER"], member=True):
    """The estate of two queue managers of cluster PAY, or of one member and one that is none."""
    here = MEMBER.format("QM1", "PAY") if member else "DEFINE QLOCAL(Q)\n"
    return estate_of({"QM1": here + qm1, "LONPAY1": MEMBER.format("LONPAY1", "PAY") + lonpay1})


def unjudged(estate, name, said="cluster PAY may route it to LONPAY1", at="QM1"):
    """The last fact of a route that must not be judged because of a cluster, and must have these words."""
    route = estate.route(name, at)
    assert (route.verdict, route.why, route.hops[-1].holds) == ("cannot judge", "cluster", None)
    assert said in route.hops[-1].said
    assert LATER in route.hops[-1].said
    return route.hops[-1]


def test_a_queue_that_another_queue_manager_has_in_a_cluster():
    for commands in HOW.values():
        assert unjudged(make(lonpay1=commands), "FX").reason == 2085, commands
    assert unjudged(make("DEFINE QLOCAL(FXX)"), "FX").reason == 2085
    unjudged(make("DEFINE QLOCAL(IN) STREAMQ(FX) STRMQOS(MUSTDUP)"), "IN")
    unjudged(make(member=False), "FX", "cluster PAY may route it to LONPAY1 if QM1 joins it")
    assert "joins" not in unjudged(make(), "FX").said
    assert make("DEFINE QLOCAL(FX)").route("FX", "QM1").verdict == "delivers", "an own queue comes first"
    assert make(member=False).route("GY", "QM1").verdict == "broken", "a name in no cluster is unknown"


@for_each(
    "alias, commands",
    ("TARGET(FX)", HOW["CLUSTER"]),
    ("TARGTYPE(TOPIC) TARGET(FX)", "DEFINE TOPIC(FX) TOPICSTR(fx) CLUSTER(PAY)"),
)
def test_an_alias_whose_target_is_in_a_cluster(alias, commands):
    estate = make(f"DEFINE QALIAS(RATES) {alias}", commands)
    assert unjudged(estate, "RATES").reason == 2082
    (found,) = found_by(estate, "alias-target-missing")
    assert (found.severity, found.fix, found.proof) == ("cannot judge", "", None)


def test_a_queue_manager_of_the_cluster_and_a_defxmitq_beside_it():
    estate = make("DEFINE QREMOTE(REMOTE) RNAME(FX) RQMNAME(LONPAY1)")
    assert [unjudged(estate, name).reason for name in ("FX@LONPAY1", "REMOTE")] == [2087, 2087]
    commands = "DEFINE QLOCAL(OUT) USAGE(XMITQ)\nALTER QMGR DEFXMITQ(OUT)"
    assert unjudged(make(commands), "FX@LONPAY1").name == "OUT"
    assert make(commands, member=False).route("FX@LONPAY1", "QM1").verdict == "broken"
    named = f"{commands}\nDEFINE QLOCAL(LONPAY1) USAGE(XMITQ)"  # a local definition comes first
    assert make(named).route("FX@LONPAY1", "QM1").hops[0].name == "LONPAY1"


def test_no_cluster_runs_where_definitions_are_read():
    commands = "ALTER QMGR REPOS(PAY)\nDEFINE CHANNEL(TO.LONPAY1) CHLTYPE(CLUSSDR) CONNAME(LONPAY1) CLUSTER(PAY)\n"
    commands += "DEFINE QLOCAL(FX) CLUSTER(PAY) CLWLUSEQ(ANY)\nREFRESH CLUSTER(*)\nSUSPEND QMGR CLUSTER(PAY)\n"
    commands += "RESET CLUSTER(PAY) ACTION(FORCEREMOVE) QMNAME(GONE)"
    estate = make(commands)
    assert all(reply.ok for each in estate.replies for reply in each.replies)
    for lab in (estate.lab, lab_of(estate)):
        assert lab.now_us == 0
        assert not [each for qmgr in lab.queue_managers for each in qmgr.programs_running if "REPOS" in each.name]
        for _ in range(4):
            lab["QM1"].put("FX", b"")
        lab.advance(60)
        assert (lab["QM1"].depth("FX"), lab["LONPAY1"].depth("FX")) == (4, 0)
