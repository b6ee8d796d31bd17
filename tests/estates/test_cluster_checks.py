"""Clusters: what the checks find, what happens on a lab whose clusters run, and that a fix ends it there too."""

from estates.cases import Case, assert_case, estate_of, found_by

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
TYPO = ("CLUSTER(SALES)", "CLUSTER(SALSE)")
ALIAS = "DEFINE QALIAS(AUDIT) TARGET(ORDERS) CLUSTER(SALES)\n"
INTO = "DEFINE QALIAS(IN) TARGET(ORDERS) DEFBIND(NOTFIXED)\n"
AT_HOME = {
    name: text.replace("hub1.shop(1414)", "localhost(1)").replace("hub2.shop(1414)", "localhost(2)")
    for name, text in {"HUB1": member("HUB1", "HUB2"), "HUB2": member("HUB2", "HUB1")}.items()
}
PORT = "DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1515) CONTROL(QMGR)\n"

CASES = [
    Case("cluster-repositories", NONE, [sales(), {"A": member("A")}, NONE | {"SHOP": member("SHOP", "ELSEWHERE")}]),
    Case("cluster-repositories", ONE, [ONE | {"SHOP": member("SHOP", "ELSEWHERE")}, {"HUB1": member("HUB1")}]),
    Case("cluster-repositories", THREE, sales()),
    Case("cluster-repositories", MANY, sales()),
    Case("cluster-repositories-apart", sales(HUB1=member("HUB1")), [sales(), ONE]),
    Case("cluster-repositories-apart", sales(HUB3=member("HUB3", "HUB1", "HUB2")), THREE),
    Case("cluster-sender-astray", shop("DEPOT"), [sales(), shop("HUB1", "HUB2"), NONE]),
    Case("cluster-sender-astray", shop("HUB2", "DEPOT"), sales()),
    Case("cluster-sender-astray", changed("TO.HUB2", "TO.HUBB2"), shop("HUB1")),
    Case("cluster-sender-astray", changed("TO.HUB2", "SALES.HUB2", "HUB1"), sales()),
    Case("cluster-sender-astray", shop("HUB9"), ONE | BEYOND),
    Case("cluster-sender-astray", ONE | {"SHOP": member("SHOP", "HUB9")}, ONE | BEYOND),
    Case("cluster-sender-astray", changed(*TYPO), sales()),
    Case("cluster-not-joined", shop(), [sales(), {"A": member("A"), "B": member("B")}]),
    Case(
        "cluster-not-joined",
        queues(SHOP=queue().replace(*TYPO) + queue(name="B").replace(*TYPO)),
        [queues(SHOP=queue()), {"A": queue()}, sales(OBJECTS=queue())],
    ),
    Case(
        "cluster-not-joined",
        changed(f"depot.shop(1414)') {TYPO[0]}", f"depot.shop(1414)') {TYPO[1]}", "DEPOT"),
        sales(),
    ),
    Case("cluster-not-joined", changed("REPOS(SALES)", "REPOS(SALSE)", "HUB1"), sales()),
    Case("cluster-receiver-twice", shop("HUB1", receiver="TO.DEPOT"), sales()),
    Case("cluster-receiver-address", shop("HUB1", conname="depot.shop"), shop("HUB1", conname="depot.shop(1415)")),
    Case("cluster-receiver-address", shop("HUB1", conname="localhost(1415)"), AT_HOME),
    Case("cluster-receiver-address", shop("HUB1", conname=" "), sales()),
    Case("cluster-receiver-address", shop("HUB1", conname=" ", more=PORT), shop("HUB1", more=PORT)),
    Case(
        "cluster-receiver-address",
        sales(HUB1=member("HUB1", "HUB2", conname="hub1.shop(1415)"), SHOP=member("SHOP", "HUB1")),
        sales(HUB1=member("HUB1", "HUB2", conname="hub1.shop.example,spare")),
    ),
    Case("cluster-receiver-address", shop("HUB1") | changed("hub1.shop", "old", "DEPOT"), sales()),
    *(
        Case("cluster-instances-differ", queues(HUB1=queue(), HUB2=queue(), DEPOT=queue(f"{words}")), nearly)
        for words, nearly in (
            ("DEFBIND(OPEN)", queues(HUB1=queue(), HUB2=queue("DEFBIND(NOTFIXED) CLWLPRTY(9) MAXDEPTH(9)"))),
            ("DEFBIND(NOTFIXED) DEFPSIST(YES)", queues(HUB1=queue(), DEPOT="DEFINE QLOCAL(ORDERS) DEFPSIST(YES)")),
            ("DEFBIND(NOTFIXED) MAXMSGL(900)", queues(HUB1=queue("DEFBIND(NOTFIXED) MAXMSGL(900)"))),
            ("DEFBIND(NOTFIXED) CLWLRANK(2)", queues(HUB1=queue("CLWLRANK(2)"), HUB2=queue("CLWLRANK(2)"))),
        )
    ),
    Case(
        "cluster-queue-bound",
        queues(HUB1=queue(""), DEPOT=queue("") + queue("", "B"), HUB2=queue("", "B")),
        [queues(HUB1=queue(), HUB2=queue()), queues(HUB1=queue("")), queues(HUB1=queue(""), HUB2=queue())],
    ),
    Case(
        "cluster-queue-local",
        queues(HUB1=queue(), DEPOT=queue() + INTO),
        [
            queues(HUB1=queue(), DEPOT=queue()),
            queues(DEPOT=queue() + INTO),
            queues(HUB1=queue() + INTO, DEPOT=queue() + INTO),
            queues(HUB1=queue(), DEPOT=queue("DEFBIND(NOTFIXED) CLWLUSEQ(ANY)") + INTO),
            queues(HUB1=queue(), DEPOT=queue() + INTO + "ALTER QMGR CLWLUSEQ(ANY)\n"),
        ],
    ),
    Case(
        "cluster-queue-local",
        queues(HUB1=queue(), DEPOT=queue()) | {"MILL": "DEFINE QREMOTE(TO) RNAME(ORDERS) RQMNAME(DEPOT)"},
        queues(HUB1=queue(), DEPOT=queue()) | {"MILL": "DEFINE QREMOTE(TO) RNAME(OTHERS) RQMNAME(DEPOT)"},
    ),
    Case(
        "cluster-queue-hidden",
        queues(HUB1=queue(), SHOP="DEFINE QLOCAL(ORDERS)\n"),
        [queues(HUB1=queue(), SHOP=queue()), queues(SHOP="DEFINE QLOCAL(ORDERS)\n")],
    ),
    Case(
        "cluster-queue-hidden",
        queues(HUB1=queue(), SHOP="DEFINE QLOCAL(A)\nDEFINE QALIAS(ORDERS) TARGET(A)\n"),
        queues(
            HUB1=queue(), SHOP="DEFINE QLOCAL(A)\nDEFINE QALIAS(ORDERS) TARGET(A) CLUSTER(SALES) DEFBIND(NOTFIXED)\n"
        ),
    ),
    Case(
        "cluster-alias-astray",
        queues(HUB1=queue(), DEPOT=ALIAS),
        [
            queues(HUB1=queue(), DEPOT=ALIAS.replace("\n", " DEFBIND(NOTFIXED)\n")),
            queues(HUB1=queue(), DEPOT=queue() + ALIAS),
            queues(HUB1=queue(), DEPOT="DEFINE QALIAS(AUDIT) TARGET(ORDERS)\n"),
        ],
    ),
    *(
        Case("cluster-transmission-queue", sent_by(words), sent_by(nearly))
        for words, nearly in (
            ("GET(DISABLED)", "GET(ENABLED)"),
            ("PUT(DISABLED)", "DESCR('no PUT(DISABLED)')"),
            ("MAXDEPTH(100)", "MAXDEPTH(5000)"),
        )
    ),
    Case(
        "cluster-transmission-queue",
        queues(SHOP="DEFINE QLOCAL(X) USAGE(XMITQ) CLCHNAME('TO.HUBB*')\n"),
        queues(SHOP="DEFINE QLOCAL(X) USAGE(XMITQ) CLCHNAME('TO.H*')\n"),
    ),
    Case(
        "cluster-sender-workload",
        changed("CHLTYPE(CLUSSDR)", "CHLTYPE(CLUSSDR) CLWLRANK(1) CLWLWGHT(9)"),
        changed("CHLTYPE(CLUSRCVR)", "CHLTYPE(CLUSRCVR) CLWLRANK(1)"),
    ),
]


@for_each("case", CASES)
def test_a_check_finds_proves_and_fixes(case):
    assert_case(case)
    estate = estate_of(case.triggers)
    others = [one for one in estate.findings() if one.severity != "cannot judge"]
    every = [one for one in others if one.check != "security-summary"]
    assert len(every) == 1 or "HUB3" in case.triggers, f"several findings of one mistake: {every}"
    for one in found_by(estate, case.check):
        if one.fix and one.proof:
            assert not prove(estate.with_commands({one.fix_at: one.fix}), one.proof).holds, f"{one.fix} changes nothing"


def test_a_clean_cluster_gives_no_finding_and_its_members_know_each_other():
    estate = estate_of(queues(HUB1=queue(), DEPOT=queue()))
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
