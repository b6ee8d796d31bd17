"""Commands for every kind of object, status, and record: they are made, shown, and deleted by their numbers."""

from helpers import for_each
from mqlab.pcf import format as pcf

i, s = pcf.integer, pcf.string
KINDS = {  # the numbers of CREATE, INQUIRE and DELETE, the parameter of the name, what a CREATE needs, what is shown
    "PROCESS": (5, 7, 6, 2012, [s(2001, "/bin/pay")], {2001: "/bin/pay", 1: 6}),
    "NAMELIST": (34, 36, 35, 2010, [pcf.strings(2020, ("A", "B"))], {19: 2, 2020: ("A", "B")}),
    "CHANNEL": (23, 25, 24, 3501, [i(1511, 1), s(3506, "hub(1414)"), s(3505, "XQ"), i(1562, 1)], {1511: 1, 1562: 1}),
    "AUTHINFO": (81, 83, 82, 2045, [i(66, 3), i(258, 2)], {66: 3, 258: 2}),
    "LISTENER": (95, 97, 96, 3554, [i(1501, 2), i(1522, 1499), i(1601, 2)], {1501: 2, 1522: 1499, 1601: 2}),
    "SERVICE": (151, 153, 152, 2077, [s(2079, "/bin/x"), i(121, 1)], {2079: "/bin/x", 121: 1, 139: 2}),
    "TOPIC": (172, 174, 173, 2092, [s(2094, "/fruit "), i(181, 2)], {2094: "/fruit ", 181: 2, 175: 0}),
    "COMMINFO": (190, 191, 194, 2110, [i(223, 1)], {223: 1}),
    "SUBSCRIPTION": (177, 176, 179, 3152, [s(2094, "/fruit"), s(3154, "ORDERS")], {2094: "/fruit", 1274: 1, 1289: 2}),
}


@for_each("kind", KINDS)
def test_an_object_is_made_shown_and_deleted(ask, kind):
    create, inquire, delete, named, given, shown = KINDS[kind]
    assert ask(create, s(named, "MY.OBJECT"), *given) == [(0, 0, {})]
    ((comp, _, about),) = ask(inquire, s(named, "MY.*"))
    assert (comp, about[named].rstrip()) == (0, "MY.OBJECT")
    found = {id: about[id].rstrip() if isinstance(about[id], str) and id != 2094 else about[id] for id in shown}
    assert found == shown
    assert ask(delete, s(named, "MY.OBJECT")) == [(0, 0, {})]
    assert ask.refused(inquire, s(named, "MY.OBJECT"))[0] in (2085, 2428, 4032)


def test_the_queue_manager_is_shown_changed_and_pinged(qm, ask):
    assert ask(1, s(2014, "our shop"), i(131, 60)) == [(0, 0, {})]
    ((_, _, about),) = ask(2, pcf.integers(1001, (2014, 131, 32)))
    assert about == {2015: "QM1".ljust(48), 2014: "our shop".ljust(64), 131: 60, 32: 3}
    assert {31, 2003} <= set(ask(2, pcf.integers(1001, (1122,)))[0][2])
    ((_, _, status),) = ask(161, pcf.integers(1229, (1149, 1230, 1233)))
    assert status == {2015: "QM1".ljust(48), 1149: 2, 1230: 2, 1233: 2}
    assert [ask(40), ask(78, i(1106, 4)), ask(16, i(1078, 4))] == [[(0, 0, {})]] * 3


def test_statuses_of_queues_and_connections_have_the_numbers_of_their_words(lab, qm, ask):
    qm.mqsc("ALTER QMGR MONQ(LOW)").require()
    app = qm.connect("till")
    with app.open("ORDERS", input="shared", output=True) as handle:
        handle.put()
        lab.advance(7)
        ((_, _, queue),) = ask(41, s(2016, "ORDERS"))
        assert (queue[1103], queue[3], queue[17], queue[1227], queue[1226], queue[123]) == (1105, 1, 1, 7, (-1, -1), 17)
        assert (queue[3128], queue[3129]) == ("2025-01-06  ", "09.00.00")
        ((_, _, opened),) = ask(41, s(2016, "ORDERS"), i(1103, 1104))
        assert (opened[3058].rstrip(), opened[1098], opened[1099], opened[1102], opened[1028]) == ("till", 1, 1, 0, 0)
        rows = ask(85, pcf.byte_string(7007, b""), pcf.Parameter("CFSF", 3058, "till", 2))
        ((_, _, about),) = rows
        assert (len(about[7006]), about[1], about[1108]) == (24, 25, 256)
        ((_, _, handle_),) = ask(85, pcf.byte_string(7006, about[7006]), i(1110, 1112))
        assert (handle_[3046].rstrip(), handle_[1016], handle_[1022]) == ("ORDERS", 1, 2 + 16)
        assert ask.refused(85, pcf.byte_string(7006, bytes(24)))[0] == 3174


def test_a_channel_is_operated_and_its_status_shown(lab, qm, ask):
    hub = lab.queue_manager("HUB")
    lab.link("QM1", "HUB")
    lab.address("hub(1414)", "HUB")
    hub.mqsc("DEFINE CHANNEL(QM1.HUB) CHLTYPE(RCVR)\nDEFINE QLOCAL(IN)").require()
    qm.mqsc("DEFINE QLOCAL(HUB) USAGE(XMITQ)\nDEFINE QREMOTE(AWAY) RNAME(IN) RQMNAME(HUB)").require()
    ask(23, s(3501, "QM1.HUB"), i(1511, 1), s(3506, "hub(1414)"), s(3505, "HUB"))
    assert (ask(26, s(3501, "QM1.HUB")), ask(28, s(3501, "QM1.HUB"))) == ([(0, 0, {})], [(0, 0, {})])
    qm.put("AWAY")
    lab.advance(1)
    ((_, _, status),) = ask(42, s(3501, "QM1.*"), pcf.integers(1524, (1534, 1538)))
    told = (status[1527], status[1511], status[1534], status[1538], status[1609], status[1523], status[3505].rstrip())
    assert told == (3, 1, 1, -1, 1600, 1011, "HUB")
    assert ask.refused(27, s(3501, "QM1.HUB"), i(1514, 1))[0] == 4031
    assert ask(29, s(3501, "QM1.HUB"), i(1527, 6), i(1008, 1)) == [(0, 0, {})]
    lab.advance(1)
    assert ask(42, s(3501, "QM1.HUB"))[0][2][1527] == 6
    assert ask(20, s(3501, "QM1*")) == [(0, 0, {3512: ("QM1.HUB",), 1582: (1,)})]


def test_the_channel_of_a_client_has_a_status(qm, ask):
    qm.mqsc("DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)\nALTER QMGR CHLAUTH(DISABLED)").require()
    client = qm.connect("shop", channel="APP")
    ((_, _, status),) = ask(42, s(3501, "APP"))
    assert (status[1511], status[1527], status[3506].rstrip(), status[3548].rstrip()) == (7, 3, "127.0.0.1", "shop")
    (row,) = qm.mqsc("DISPLAY CONN(*) WHERE(CHANNEL EQ APP) APPLTAG CONNAME").rows
    assert (row["APPLTAG"], row["CONNAME"]) == (client.caller, "127.0.0.1")


def test_records_of_channels_and_authorities(ask):
    assert ask(203, s(3501, "APP.*"), i(1352, 4), s(3506, "10.*"), i(1638, 1)) == [(0, 0, {})]
    ((_, _, record),) = ask(204, s(3501, "APP.*"))
    assert (record[1352], record[3506].rstrip(), record[1638]) == (4, "10.*", 1)
    given = [s(3067, "ORDERS"), i(1016, 1), pcf.strings(3065, ("ann",)), pcf.integers(1116, (9, 11))]
    assert ask(90, *given) == [(0, 0, {})]
    ((_, _, record),) = ask(87, i(1228, 0x21), s(3067, "ORDERS"), i(1016, 1))
    assert (record[3067].rstrip(), record[3068].rstrip(), record[1118], record[1115]) == ("ORDERS", "ann", 1, (9, 11))


def test_an_inquiry_about_authority_records_says_how_profiles_are_matched(ask):
    for profile in ("SALES.**", "SALES.IN"):
        for who in (pcf.strings(3065, ("ann",)), pcf.strings(3066, ("shop",))):
            ask(90, s(3067, profile), i(1016, 1), who, pcf.integers(1116, (9,)))

    def profiles(name, options, *more):
        return [answer[3067].rstrip() for _, _, answer in ask(87, i(1228, options), s(3067, name), i(1016, 1), *more)]

    matching, exact, wildcards = 0x21, 0x11, 0x61
    assert profiles("SALES.IN", matching, s(3068, "ann"), i(1118, 1)) == ["SALES.IN", "SALES.**"]
    assert profiles("SALES.IN", exact, s(3068, "shop"), i(1118, 2)) == ["SALES.IN"]
    assert sorted(profiles("*", wildcards)) == sorted(["SALES.IN", "SALES.**"] * 2)
    assert profiles("*.I?", wildcards, s(3068, "ann")) == ["SALES.IN"]
    assert ask.refused(87, i(1228, wildcards), s(3067, "PAY*"), i(1016, 1)) == (2085, None)
    assert ask.refused(87, s(3067, "*")) == (3228, 1228)


def test_statuses_of_publish_subscribe_and_of_listeners(qm, ask):
    qm.mqsc("DEFINE SUB(MINE) TOPICSTR('/fruit') DEST(ORDERS)").require()
    qm.publish("/fruit", "pear")
    ((_, _, status),) = ask(182, s(3152, "MINE"))
    assert (status[2094], status[1290], status[1289], len(status[7016])) == ("/fruit", 1, 2, 24)
    ((_, _, status),) = ask(183, s(2094, "/fruit"))
    assert (status[2094], status[204], status[1300]) == ("/fruit", 1, 0)
    assert (ask(185)[0][2][1311], ask(184, s(2094, "/fruit"), i(1305, 1))) == (3, [(0, 0, {})])
    ((_, _, status),) = ask(98, s(3554, "*"))
    assert (status[3554].rstrip(), status[1599], status[1522]) == ("SYSTEM.LISTENER.TCP.1", 2, 1414)
