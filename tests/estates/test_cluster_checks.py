"""Clusters: what the checks find, what happens on a lab whose clusters run, and that a fix ends it there too."""

from estates.cases import assert_case, estate_of, estates_of, found_by

from helpers import for_each
from mqlab.estates.clustered import run_clusters
from mqlab.estates.proofs import lab_of, prove

TLS = "SSLCIPH(ECDHE_RSA_AES_256_GCM_SHA384)"
CALLS = {"HUB1": "HUB2", "HUB2": "HUB1", "DEPOT": "HUB1", "SHOP": "HUB2"}
FULL = ("HUB1", "HUB2", "HUB3")


def member(name, *calls, full=None, receiver="", conname="", more=""):
    """The script of a member of cluster SALES, with CLUSSDR channels to others."""
    words = f"CLUSTER(SALES) {TLS}\n"
    repos = "ALTER QMGR REPOS(SALES)\n" if (name in FULL if full is None else full) else ""
    conname = conname or f"{name.lower()}.shop(1414)"
    ends = [f"DEFINE CHANNEL({receiver or f'TO.{name}'}) CHLTYPE(CLUSRCVR) CONNAME('{conname}') {words}"]
    ends += [f"DEFINE CHANNEL(TO.{to}) CHLTYPE(CLUSSDR) CONNAME('{to.lower()}.shop(1414)') {words}" for to in calls]
    dead = "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)\n"
    return "".join((f"* Queue manager name: {name}\n", repos, *ends, more, dead))


def sales(**scripts):
    """Two full repositories, HUB1 and HUB2, and two partial ones; `scripts` replace those of members, or add some."""
    return {name: member(name, to) for name, to in CALLS.items()} | scripts


def queues(**more):
    """The cluster with more commands for members."""
    return sales(**{name: member(name, CALLS[name], more=its) for name, its in more.items()})


def shop(*calls, **words):
    """The cluster with another SHOP."""
    return sales(SHOP=member("SHOP", *calls, **words))


def changed(old, new, name="SHOP"):
    """The cluster with words of a member's script replaced."""
    scripts = sales()
    assert old in scripts[name]
    return scripts | {name: scripts[name].replace(old, new)}


def queue(words="DEFBIND(NOTFIXED)", name="ORDERS"):
    return f"DEFINE QLOCAL({name}) CLUSTER(SALES) {words}\n"


def sent_by(words):
    """The cluster with an alteration of the cluster transmission queue of SHOP."""
    return queues(SHOP=f"ALTER QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) {words}\n")


ONE = sales(HUB1=member("HUB1"), HUB2=member("HUB2", "HUB1", full=False), SHOP=member("SHOP", "HUB1"))
THREE = sales(**{one: member(one, *(to for to in FULL if to != one)) for one in FULL})
BEYOND = {"HUB1": member("HUB1", "HUB9"), "SHOP": member("SHOP", "HUB9")}
MANY = {name: member(name, "A" if name != "A" else "B", full=True) for name in "ABCDE"}
NONE = sales(HUB1=member("HUB1", "HUB2", full=False), HUB2=member("HUB2", "HUB1", full=False))
STRAY = {"SHOP": member("SHOP", "ELSEWHERE")}
TYPO = ("CLUSTER(SALES)", "CLUSTER(SALSE)")
ALIAS = "DEFINE QALIAS(AUDIT) TARGET(ORDERS) CLUSTER(SALES)\n"
BOTH = queues(HUB1=queue(), DEPOT=queue())
BY_NAME = "DEFINE QREMOTE(TO) RNAME(ORDERS) RQMNAME(DEPOT)"
BEHIND_ALIAS = "DEFINE QLOCAL(A)\nDEFINE QALIAS(ORDERS) TARGET(A)\n"
INTO = "DEFINE QALIAS(IN) TARGET(ORDERS) DEFBIND(NOTFIXED)\n"
AT_HOME = {
    name: text.replace("hub1.shop(1414)", "localhost(1)").replace("hub2.shop(1414)", "localhost(2)")
    for name, text in {"HUB1": member("HUB1", "HUB2"), "HUB2": member("HUB2", "HUB1")}.items()
}
PORT = "DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1515) CONTROL(QMGR)\n"

CASES = {
    "cluster-repositories": (
        [NONE, ONE, THREE, MANY],
        [sales(), {"A": member("A")}, NONE | STRAY, ONE | STRAY, {"HUB1": member("HUB1")}],
    ),
    "cluster-repositories-apart": (
        [sales(HUB1=member("HUB1")), sales(HUB3=member("HUB3", "HUB1", "HUB2"))],
        [sales(), ONE, THREE],
    ),
    "cluster-sender-astray": (
        [
            shop("DEPOT"),
            shop("HUB2", "DEPOT"),
            changed("TO.HUB2", "TO.HUBB2"),
            changed("TO.HUB2", "SALES.HUB2", "HUB1"),
            shop("HUB9"),
            ONE | {"SHOP": member("SHOP", "HUB9")},
            changed(*TYPO),
        ],
        [sales(), shop("HUB1", "HUB2"), shop("HUB1"), NONE, ONE | BEYOND],
    ),
    "cluster-not-joined": (
        [
            shop(),
            queues(SHOP=queue().replace(*TYPO) + queue(name="B").replace(*TYPO)),
            changed(f"depot.shop(1414)') {TYPO[0]}", f"depot.shop(1414)') {TYPO[1]}", "DEPOT"),
            changed("REPOS(SALES)", "REPOS(SALSE)", "HUB1"),
        ],
        [sales(), {"A": member("A"), "B": member("B")}, queues(SHOP=queue()), {"A": queue()}, sales(OBJECTS=queue())],
    ),
    "cluster-receiver-twice": (shop("HUB1", receiver="TO.DEPOT"), sales()),
    "cluster-receiver-address": (
        [
            shop("HUB1", conname="depot.shop"),
            shop("HUB1", conname="localhost(1415)"),
            shop("HUB1", conname=" "),
            shop("HUB1", conname=" ", more=PORT),
            sales(HUB1=member("HUB1", "HUB2", conname="hub1.shop(1415)"), SHOP=member("SHOP", "HUB1")),
            shop("HUB1") | changed("hub1.shop", "old", "DEPOT"),
        ],
        [
            sales(),
            AT_HOME,
            shop("HUB1", conname="depot.shop(1415)"),
            shop("HUB1", more=PORT),
            sales(HUB1=member("HUB1", "HUB2", conname="hub1.shop.example,spare")),
        ],
    ),
    "cluster-instances-differ": (
        [
            queues(HUB1=queue(), HUB2=queue(), DEPOT=queue(f"DEFBIND({words}"))
            for words in ("OPEN)", "NOTFIXED) DEFPSIST(YES)", "NOTFIXED) MAXMSGL(900)", "NOTFIXED) CLWLRANK(2)")
        ],
        [
            queues(HUB1=queue(), HUB2=queue("DEFBIND(NOTFIXED) CLWLPRTY(9) MAXDEPTH(9)")),
            queues(HUB1=queue(), DEPOT="DEFINE QLOCAL(ORDERS) DEFPSIST(YES)"),
            queues(HUB1=queue("DEFBIND(NOTFIXED) MAXMSGL(900)")),
            queues(HUB1=queue("CLWLRANK(2)"), HUB2=queue("CLWLRANK(2)")),
        ],
    ),
    "cluster-queue-bound": (
        queues(HUB1=queue(""), DEPOT=queue("") + queue("", "B"), HUB2=queue("", "B")),
        [queues(HUB1=queue(), HUB2=queue()), queues(HUB1=queue("")), queues(HUB1=queue(""), HUB2=queue())],
    ),
    "cluster-queue-local": (
        [queues(HUB1=queue(), DEPOT=queue() + INTO), BOTH | {"MILL": BY_NAME}],
        [
            BOTH | {"MILL": BY_NAME.replace("ORDERS", "OTHERS")},
            BOTH,
            queues(DEPOT=queue() + INTO),
            queues(HUB1=queue() + INTO, DEPOT=queue() + INTO),
            queues(HUB1=queue(), DEPOT=queue("DEFBIND(NOTFIXED) CLWLUSEQ(ANY)") + INTO),
            queues(HUB1=queue(), DEPOT=queue() + INTO + "ALTER QMGR CLWLUSEQ(ANY)\n"),
        ],
    ),
    "cluster-queue-hidden": (
        [queues(HUB1=queue(), SHOP="DEFINE QLOCAL(ORDERS)\n"), queues(HUB1=queue(), SHOP=BEHIND_ALIAS)],
        [
            queues(HUB1=queue(), SHOP=queue()),
            queues(SHOP="DEFINE QLOCAL(ORDERS)\n"),
            queues(HUB1=queue(), SHOP=BEHIND_ALIAS.replace("TARGET(A)", "TARGET(A) CLUSTER(SALES) DEFBIND(NOTFIXED)")),
        ],
    ),
    "cluster-alias-astray": (
        queues(HUB1=queue(), DEPOT=ALIAS),
        [
            queues(HUB1=queue(), DEPOT=ALIAS.replace("\n", " DEFBIND(NOTFIXED)\n")),
            queues(HUB1=queue(), DEPOT=queue() + ALIAS),
            queues(HUB1=queue(), DEPOT="DEFINE QALIAS(AUDIT) TARGET(ORDERS)\n"),
        ],
    ),
    "cluster-transmission-queue": (
        [
            *map(sent_by, ("GET(DISABLED)", "PUT(DISABLED)", "MAXDEPTH(100)")),
            queues(SHOP="DEFINE QLOCAL(X) USAGE(XMITQ) CLCHNAME('TO.HUBB*')\n"),
        ],
        [
            *map(sent_by, ("GET(ENABLED)", "DESCR('no PUT(DISABLED)')", "MAXDEPTH(5000)")),
            queues(SHOP="DEFINE QLOCAL(X) USAGE(XMITQ) CLCHNAME('TO.H*')\n"),
        ],
    ),
    "cluster-sender-workload": (
        changed("CHLTYPE(CLUSSDR)", "CHLTYPE(CLUSSDR) CLWLRANK(1) CLWLWGHT(9)"),
        changed("CHLTYPE(CLUSRCVR)", "CHLTYPE(CLUSRCVR) CLWLRANK(1)"),
    ),
}


@for_each("check, scripts", CASES.items())
def test_a_check_finds_proves_and_fixes(check, scripts):
    assert_case(check, scripts)
    for estate in estates_of(scripts[0]):
        others = [one for one in estate.findings() if one.severity != "cannot judge"]
        every = [one for one in others if one.check != "security-summary"]
        assert len(every) == 1 or "HUB3" in estate.names, f"several findings of one mistake: {every}"
        for one in found_by(estate, check):
            if one.fix and one.proof:
                fixed = estate.with_commands({one.fix_at: one.fix})
                assert not prove(fixed, one.proof).holds, f"{one.fix} changes nothing"


def test_a_clean_cluster_gives_no_finding_and_its_members_know_each_other():
    estate = estate_of(BOTH)
    assert {one.check for one in estate.findings()} == {"cluster-not-judged"}
    lab = lab_of(estate)
    run_clusters(lab)
    for name in estate.names:
        rows = lab[name].mqsc("DISPLAY CLUSQMGR(*) WHERE(QMTYPE EQ REPOS)").rows
        assert sorted(row["CLUSQMGR"] for row in rows) == ["HUB1", "HUB2"]
    for _ in range(4):
        lab["SHOP"].put("ORDERS", b"an order")
    lab.advance(10)
    assert (lab["HUB1"].depth("ORDERS"), lab["DEPOT"].depth("ORDERS")) == (2, 2)


def test_a_uniform_cluster_and_a_script_alone_give_no_finding():
    uniform = "DEFINE CHANNEL('+AUTOCL+_+QMNAME+') CHLTYPE(CLUSRCVR) CONNAME('localhost(1414)') CLUSTER('+AUTOCL+')\n"
    for scripts in ({"A": uniform + queue(), "B": uniform + queue()}, {"A": queue() + member("A", "B")}):
        assert {one.check for one in estate_of(scripts).findings() if "cluster" in one.check} == {"cluster-not-judged"}
