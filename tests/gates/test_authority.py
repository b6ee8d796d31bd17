"""Authority over objects: who may open what, at which doors it is asked, and what is refused where."""

import inspect
from pathlib import Path

import pytest

import mqlab
from helpers import channel, for_each, lab_error, reason
from mqlab import MD, PMO, Lab
from mqlab.engine.queues.caller import Guard
from mqlab.engine.words import constants as mq
from mqlab.engine.words.because import because
from mqlab.engine.words.headers import MQDLH

PACKAGE = Path(mqlab.__file__).parent
DOORS = {
    "opened": {"engine/queues/calls.py": 1},  # open, with a model queue too
    "named": {"engine/queues/calls.py": 5, "engine/queues/forward.py": 1, "pubsub/subscribing.py": 1,
              "engine/queues/dynamic_queues.py": 1},
    "other": {"engine/queues/inquire.py": 1, "pubsub/calls.py": 1, "pubsub/subscribing.py": 2},
    "created": {"engine/queues/dynamic_queues.py": 1, "pubsub/renewing.py": 1},
    "commanded": {"pcf/server.py": 1},
    "arrived": {"engine/programs/channels/receiving.py": 1},
}  # fmt: skip
"""The doors, and how often each module asks at them: a call that opens an object passes one of them."""


def test_authority_is_asked_at_these_doors_and_nowhere_else():
    assert {*DOORS, "allowed"} == {name for name, _ in inspect.getmembers(Guard, inspect.isfunction)}
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    for door in DOORS:
        asked = {name: text.count(f".guard.{door}(") for name, text in texts.items()}
        assert {name: many for name, many in asked.items() if many} == DOORS[door], door


def granted(kind, name, *words, who="GROUP('tills')"):
    profile = "" if kind == "QMGR" else f"PROFILE('{name}') "
    return f"SET AUTHREC {profile}OBJTYPE({kind}) {who} AUTHADD({','.join(words)})\n"


OBJECTS = """
DEFINE QALIAS(ALIAS) TARGET(ORDERS)
DEFINE QREMOTE(FAR) RNAME(X) RQMNAME(QM2) XMITQ(WAY)
DEFINE QLOCAL(WAY) USAGE(XMITQ)
DEFINE QMODEL(MODEL) DEFTYPE(PERMDYN)
DEFINE QREMOTE(HERE) RNAME(' ') RQMNAME(QM1)
DEFINE QREMOTE(ANY) RNAME(' ') RQMNAME(' ')
DEFINE PROCESS(P) APPLICID('p')
DEFINE TOPIC(NEWS) TOPICSTR('news')
DEFINE TOPIC(SPORT) TOPICSTR('news/sport')
"""


# a call, the object whose record it needs, and all that it needs there
CALLS = [
    (lambda app: app.put("ORDERS", b"x"), "QUEUE", "ORDERS", ["PUT"]),
    (lambda app: app.get("ORDERS"), "QUEUE", "ORDERS", ["GET"]),
    (lambda app: app.browse("ORDERS"), "QUEUE", "ORDERS", ["BROWSE"]),
    (lambda app: app.depth("ORDERS"), "QUEUE", "ORDERS", ["INQ"]),
    (lambda app: app.open("ORDERS", output=True, inquire=True), "QUEUE", "ORDERS", ["PUT", "INQ"]),
    (lambda app: app.open("ORDERS", browse=True, input="shared"), "QUEUE", "ORDERS", ["GET", "BROWSE"]),
    (lambda app: app.open("ORDERS", set=True), "QUEUE", "ORDERS", ["SET"]),
    (lambda app: app.put("ALIAS", b"x"), "QUEUE", "ALIAS", ["PUT"]),  # not the queue that it leads to
    (lambda app: app.put("FAR", b"x"), "QUEUE", "FAR", ["PUT"]),
    (lambda app: app.put("X@WAY", b"x"), "QUEUE", "WAY", ["PUT"]),  # without a definition: the transmission queue
    (lambda app: app.open("MODEL", input="shared"), "QUEUE", "MODEL", ["GET", "DSP"]),
    (lambda app: app.open("MODEL@QM1", input="shared"), "QUEUE", "MODEL", ["GET", "DSP"]),
    (lambda app: app.put("ORDERS@HERE", b"x"), "QUEUE", "ORDERS", ["PUT"]),
    (lambda app: app.open("ORDERS@ANY", output=True), "QUEUE", "ORDERS", ["PUT"]),
    (lambda app: app.open_object("QMGR", "QM1"), "QMGR", "QM1", ["INQ"]),
    (lambda app: app.open_object("PROCESS", "P"), "PROCESS", "P", ["INQ"]),
    (lambda app: app.publish("news/now", b"x"), "TOPIC", "NEWS", ["PUB"]),
    (lambda app: app.subscribe("news/now"), "TOPIC", "NEWS", ["SUB"]),
]


@pytest.mark.rule("OAM-02")
@pytest.mark.rule("OAM-01", "OAM-03", event=False)
@for_each("call, kind, name, needs", CALLS)
def test_a_call_needs_each_of_its_authorities_on_the_name_as_it_is_written(gates, call, kind, name, needs):
    gates = type(gates)(OBJECTS)
    gates.mqsc("DELETE AUTHREC PROFILE('ORDERS') OBJTYPE(QUEUE) GROUP('tills')")
    gates.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('tills') AUTHRMV(INQ)")
    app = gates.tries(address="10.0.0.1")
    gates.qm.put("ORDERS", b"there")
    for lacking in needs:
        given = [word for word in needs if word != lacking]
        gates.mqsc(granted(kind, name, *given) if given else "PING QMGR")
        assert reason(call, app) == 2035
        answer = gates.lab.why_refused("TILL")
        assert (answer.refused.gate, answer.reason) == ("open", 2035)
        assert f"lacks {lacking} on {kind} {name}:" in answer.refused.said
        (entry,) = [each for each in gates.qm.error_log()[-1:] if each.id.startswith("AMQ8077")]
        assert entry.inserts["CommentInsert3"] == lacking.lower()
        if given:
            gates.mqsc(granted(kind, name, *given).replace("AUTHADD", "AUTHRMV"))
    gates.mqsc(answer.opens)
    gates.mqsc(granted(kind, name, *needs))
    call(app)


@pytest.mark.rule("OAM-02")
def test_context_and_another_user_need_authority_of_their_own(gates):
    app = gates.tries()
    assert app.put("ORDERS", b"x")
    options = PMO(Options=mq.MQPMO_SET_ALL_CONTEXT)
    assert reason(app.put, "ORDERS", b"x", md=MD(), pmo=options) == 2035
    assert "lacks SETALL on QUEUE ORDERS" in gates.lab.why_refused("TILL").refused.said
    gates.mqsc(gates.lab.why_refused("TILL").opens)
    assert reason(app.put, "ORDERS", b"x", md=MD(), pmo=options) == 2035
    assert "lacks SETALL on QMGR QM1" in gates.lab.why_refused("TILL").refused.said
    gates.mqsc(gates.lab.why_refused("TILL").opens)
    assert app.put("ORDERS", b"x", md=MD(), pmo=options)
    assert reason(app.open, "ORDERS", output=True, alternate_user="shop") == 2035
    assert "lacks ALTUSR on QMGR" in gates.lab.why_refused("TILL").refused.said
    gates.mqsc(granted("QMGR", "", "ALTUSR"))
    assert reason(app.open, "ORDERS", output=True, alternate_user="shop") == 2035
    assert gates.lab.why_refused("TILL").refused.said.startswith("shop (groups: shop) lacks PUT on QUEUE ORDERS")
    gates.mqsc(granted("QUEUE", "ORDERS", "PUT", who="PRINCIPAL('shop')"))
    assert app.open("ORDERS", output=True, alternate_user="shop")


@pytest.mark.rule("OAM-06", event=False)
def test_only_the_most_specific_profile_counts(gates):
    gates.mqsc("DEFINE QLOCAL(AB.CD)\nDEFINE QLOCAL(AB.X.Y)")
    gates.mqsc(granted("QUEUE", "AB.*", "PUT") + granted("QUEUE", "AB.C*", "GET"))
    app = gates.tries()
    assert reason(app.put, "AB.CD", b"x") == 2035
    assert "has GET on AB.C*" in gates.lab.why_refused("TILL").refused.said
    gates.qm.put("AB.CD", b"x")
    assert app.get("AB.CD").body == b"x"
    assert reason(app.put, "AB.X.Y", b"x") == 2035  # * is one qualifier
    gates.mqsc(granted("QUEUE", "AB.**", "PUT"))
    assert app.put("AB.X.Y", b"x")
    assert reason(app.put, "AB.CD", b"x") == 2035
    gates.mqsc(granted("QUEUE", "AB.C*", "PUT"))  # to the specific one: that helps
    assert app.put("AB.CD", b"x")


@pytest.mark.rule("OAM-07", "OAM-08", event=False)
def test_a_user_has_what_its_groups_have_as_last_read(gates):
    assert gates.tries("OTHER", user="boss", password="word") == 2035  # BLOCKUSER has *MQADMIN
    gates.qm.groups["tills"] = ["till", "new"]
    gates.qm.users["new"] = "pass"
    assert gates.tries("NEW", user="new", password="pass") == 2035
    assert gates.lab.why_refused("NEW").refused.said.startswith("new (groups: new) lacks CONNECT on QMGR QM1")
    gates.mqsc("REFRESH SECURITY TYPE(AUTHSERV)")
    app = gates.tries("NEW", user="new", password="pass")
    assert app.put("ORDERS", b"x")
    gates.mqsc("DEFINE QLOCAL(MINE)\n" + granted("QUEUE", "MINE", "PUT", who="PRINCIPAL('till')"))
    assert app.put("MINE", b"x")  # a record of a principal is one of its primary group
    alone = type(gates)(environment={"SecurityPolicy": "user"})
    alone.qm.groups["tills"] = ["till", "new"]
    alone.qm.users["new"] = "pass"
    alone.mqsc("REFRESH SECURITY\nDEFINE QLOCAL(MINE)\n" + granted("QUEUE", "MINE", "PUT", who="PRINCIPAL('till')"))
    assert alone.tries().put("MINE", b"x")
    assert reason(alone.tries("NEW", user="new", password="pass").put, "MINE", b"x") == 2035


@pytest.mark.rule("OAM-01", event=False)
def test_a_handle_keeps_what_it_was_opened_with_and_what_has_no_records_asks_nothing(gates):
    app = gates.tries()
    handle = app.open("ORDERS", output=True)
    gates.mqsc("SET AUTHREC PROFILE('ORDERS') OBJTYPE(QUEUE) GROUP('tills') AUTHRMV(ALL)")
    assert handle.put(b"x")
    assert reason(app.open, "ORDERS", output=True) == 2035
    assert gates.qm.put("ORDERS", b"x")  # a person may do everything
    assert Lab().queue_manager("QM9", level=750).connect("ANY").caller == "ANY"


@pytest.mark.rule("OAM-02")
def test_whoever_creates_a_dynamic_queue_may_use_it_and_another_may_not_delete_it(gates):
    gates.mqsc(OBJECTS + granted("QUEUE", "MODEL", "GET", "DSP"))
    gates.mqsc(granted("QMGR", "", "CONNECT", who="PRINCIPAL('odd')"))
    app = gates.tries()
    handle = app.open("MODEL", input="shared")
    assert app.put(handle.name, b"answer")
    gates.qm.users["odd"] = "one"
    other = gates.tries("ODD", user="odd", password="one")
    assert reason(other.put, handle.name, b"x") == 2035
    name = handle.name
    gates.mqsc(granted("QUEUE", name, "GET", who="PRINCIPAL('odd')"))
    handle.close()
    theirs = other.open(name, input="shared")
    assert reason(theirs.close, purge=True) == 2035
    assert "lacks DLT" in gates.lab.why_refused("ODD").refused.said
    theirs.close()
    app.open(name, input="shared").close(purge=True)


@pytest.mark.rule("OAM-05", event=False)
def test_a_topic_is_granted_at_or_above_its_string(gates):
    gates.mqsc(OBJECTS + granted("TOPIC", "NEWS", "PUB"))
    app = gates.tries()
    app.publish("news/sport/now", b"x")
    assert reason(app.publish, "/news", b"x") == 2035  # with a slash at its start, it is another one
    assert "on TOPIC SYSTEM.BASE.TOPIC" in gates.lab.why_refused("TILL").refused.said
    gates.mqsc(granted("TOPIC", "SPORT", "SUB"))
    assert reason(app.subscribe, "news/now") == 2035
    assert app.subscribe("news/sport/now")


@pytest.mark.rule("OAM-11", event=False)
def test_a_message_channel_puts_with_the_authority_of_its_user_or_of_the_message(lab):
    one, two = channel(lab.queue_manager("QM1"), lab.queue_manager("QM2"), far="PUTAUT(CTX) MRRTY(0)")
    two.mqsc("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(DEAD)\nALTER QMGR DEADQ(DEAD)").require()
    two.mqsc(granted("QUEUE", "Q", "PUT", who="GROUP('staff')")).require()
    app = one.connect("APP", user="ann")
    app.put("Q@QM2", b"x")
    one.mqsc("START CHANNEL(C)").require()
    lab.advance(2)
    assert MQDLH.unpack(two.browse("DEAD").body).reason == mq.MQRC_NOT_AUTHORIZED
    assert (two.depth("Q"), two.depth("DEAD")) == (0, 1)
    two.mqsc(granted("QUEUE", "Q", "PUT", who="PRINCIPAL('ann')")).require()
    app.put("Q@QM2", b"x")
    lab.advance(2)
    assert two.depth("Q") == 1


@pytest.mark.needs("clusters")
@pytest.mark.rule("OAM-04", event=False)
@for_each(
    "access, name, kind, asked",
    ("Xmitq", "ORDERS", "QUEUE", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"),
    ("Xmitq", "ORDERS@HUB", "QUEUE", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"),
    ("RQMName", "ORDERS", "QUEUE", "ORDERS"),
    ("RQMName", "ORDERS@HUB", "RQMNAME", "HUB"),
    ("Xmitq", "BYALIAS", "QUEUE", "BYALIAS"),
    ("Xmitq", "HERE", "QUEUE", "HERE"),
)
def test_a_put_to_a_cluster_queue_asks_for_the_transmission_queue_or_the_name(access, name, kind, asked):
    lab = Lab()
    hub = lab.queue_manager("HUB")
    shop = lab.queue_manager("SHOP", environment={"ClusterQueueAccessControl": access})
    lab.link("HUB", "SHOP", 0.01)
    hub.mqsc("""
        ALTER QMGR REPOS(DEMO)
        DEFINE CHANNEL(TO.HUB) CHLTYPE(CLUSRCVR) CONNAME('hub(1414)') CLUSTER(DEMO)
        DEFINE QLOCAL(ORDERS) CLUSTER(DEMO)
        DEFINE QLOCAL(HERE) CLUSTER(DEMO)""").require()
    shop.mqsc("""
        DEFINE CHANNEL(TO.SHOP) CHLTYPE(CLUSRCVR) CONNAME('shop(1414)') CLUSTER(DEMO)
        DEFINE CHANNEL(TO.HUB) CHLTYPE(CLUSSDR) CONNAME('hub(1414)') CLUSTER(DEMO)
        DEFINE QALIAS(BYALIAS) TARGET(ORDERS)
        DEFINE QLOCAL(HERE) CLUSTER(DEMO)""").require()
    lab.advance(5)
    shop.mqsc(granted("QMGR", "", "CONNECT", who="PRINCIPAL('ann')")).require()
    app = shop.connect("TILL", user="ann")
    for door in (lambda: app.put(name, b""), lambda: app.open(name, output=True)):
        assert reason(door) == mq.MQRC_NOT_AUTHORIZED
        refused = lab.events.where(qmgr="SHOP", reason=mq.MQRC_NOT_AUTHORIZED)[-1]
        assert refused.facts["opened"] == f"{asked} [{kind.lower()}]"
    shop.mqsc(granted(kind, asked, "PUT", who="PRINCIPAL('ann')")).require()
    app.put(name, b"")
    app.open(name, output=True).put(b"")


@pytest.mark.rule("OAM-01", event=False)
@pytest.mark.parametrize("settings", [{"platform": "zos"}, {"environment": {"MQSNOAUT": "YES"}}])
def test_no_authority_is_asked_where_the_platform_or_the_environment_says_so(settings):
    qm = Lab().queue_manager("QM1", **settings)
    qm.mqsc("DEFINE QLOCAL(Q)\nSET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)")
    assert qm.connect("APP", user="nobody").put("Q", b"x")


def test_the_commands_of_the_shell_do_what_those_of_mqsc_do(gates):
    app = gates.tries()
    assert reason(app.get, "ORDERS") == 2035
    answer = gates.lab.why_refused("TILL")
    gates.qm.shell(answer.shell)
    gates.qm.put("ORDERS", b"x")
    assert app.get("ORDERS").body == b"x"
    assert gates.qm.shell("dspmqaut -m QM1 -t queue -n ORDERS -p till").splitlines()[1:] == ["get", "put"]
    gates.qm.shell("setmqaut -m QM1 -t q -n ORDERS -g tills -all +browse")
    assert gates.qm.shell("dspmqaut -m QM1 -t queue -n ORDERS -g tills").splitlines()[1:] == ["browse"]
    dumped = gates.qm.shell("dmpmqaut -m QM1 -n ORDERS -t queue")
    assert "entity: tills\nentity type: GROUP\nauthority: browse" in dumped
    gates.qm.shell("setmqaut -m QM1 -t queue -n ORDERS -g tills -remove")
    assert gates.qm.shell("dspmqaut -m QM1 -t queue -n ORDERS -g tills").splitlines()[1:] == ["nothing"]
    rows = gates.mqsc("DISPLAY AUTHREC PRINCIPAL('till') MATCH(MEMBERSHIP)").rows
    assert [row["ENTITY"] for row in rows if row["OBJTYPE"] == "QMGR"] == ["tills"]


@for_each(
    "text, wanted",
    ("endmqm QM1", "setmqaut, dspmqaut, or dmpmqaut"),
    ("setmqaut -m QM2 -t qmgr -p a +inq", "this queue manager, QM1; got QM2"),
    ("setmqaut -t file -n X -p a +inq", "-t must be one of"),
    ("setmqaut -t queue -p a +inq", "must name it with -n"),
    ("setmqaut -t qmgr +inq", "must name entities"),
    ("dspmqaut -t qmgr", "must name one entity"),
    ("dspmqaut -t qmgr -p a +inq", "got .inq"),
)
def test_a_command_of_the_shell_that_cannot_be_done_says_what_it_wants(gates, text, wanted):
    lab_error(wanted, gates.qm.shell, text)


def test_an_estate_asks_for_authority_once_it_has_its_groups(lab):
    from mqlab.engine.commands import read_script
    from mqlab.estates import from_script

    qm, _ = from_script(lab, read_script(("DEFINE QLOCAL(Q)\n" + granted("QMGR", "", "CONNECT")).encode()))
    assert qm.connect("TILL", user="till").put("Q", b"x")
    qm.groups["tills"] = ["till"]
    qm.environment.clear()
    qm.stop()
    qm.start()
    assert reason(qm.connect("TILL", user="till").put, "Q", b"x") == 2035


@pytest.mark.rule("EVT-13")
@pytest.mark.rule("OAM-12", event=False)
def test_a_command_as_a_message_needs_authority_over_its_object(gates):
    from mqlab.pcf import format as pcf

    gates.mqsc("DEFINE QLOCAL(ANSWERS)\nALTER QMGR AUTHOREV(ENABLED)\n" + granted("QUEUE", "ANSWERS", "GET"))
    gates.mqsc(granted("QUEUE", "SYSTEM.ADMIN.COMMAND.QUEUE", "PUT"))
    app = gates.tries()

    clear = 9  # MQCMD_CLEAR_Q

    def ask(command, *parameters):
        body = pcf.pack(pcf.Header(mq.MQCFT_COMMAND, command), parameters, 546)
        options = {"msg_type": mq.MQMT_REQUEST, "reply_to_q": "ANSWERS", "format": "MQADMIN"}
        app.put("SYSTEM.ADMIN.COMMAND.QUEUE", body, **options)
        headers = [pcf.unpack(app.get("ANSWERS", wait=1).body).header]
        while not headers[-1].control:
            headers.append(pcf.unpack(app.get("ANSWERS", wait=1).body).header)
        return [header.reason for header in headers]

    name = pcf.string(mq.MQCA_Q_NAME, "ORDERS", 48)
    assert ask(clear, name) == [2035, 3008]
    assert "till (groups: tills) lacks CLR on QUEUE ORDERS" in because(gates.lab.events.where(reason=2035)[-1].facts)
    (told,) = [each for each in gates.qm.event_messages() if each.reason == 2035]
    assert told.parameters[mq.MQIACF_REASON_QUALIFIER] == mq.MQRQ_CMD_NOT_AUTHORIZED
    gates.mqsc(granted("QUEUE", "ORDERS", "CLR"))
    assert ask(clear, name) == [0]
