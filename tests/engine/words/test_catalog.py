"""The attribute catalog: rows, defaults, ranges and what is said of a wrong value."""

import pytest

from helpers import for_each, needing, refusal
from mqlab.engine.words import catalog
from mqlab.engine.words.catalog import CatalogError, attributes, check, defaults


def stated(text):
    """What a line states of attributes, as KEYWORD=value; nothing behind the = is a blank value."""
    found = dict(item.split("=") for item in text.split())
    literal = {"True": True, "False": False}
    return {k: literal.get(v, int(v) if v.lstrip("-").isdigit() else v) for k, v in found.items()}


# as real queue managers display their SYSTEM.DEFAULT objects (behavior notes 3.1 and 5.1)
QLOCAL = stated("""
    DEFPRTY=0 DEFPSIST=NO DEFPRESP=SYNC DEFREADA=NO DEFSOPT=SHARED SHARE=True DEFBIND=OPEN DEFTYPE=PREDEFINED
    GET=ENABLED PUT=ENABLED HARDENBO=True MAXDEPTH=5000 MAXMSGL=4194304 MSGDLVSQ=PRIORITY NPMCLASS=NORMAL
    BOTHRESH=0 BOQNAME= USAGE=NORMAL QDEPTHHI=80 QDEPTHLO=20 QDPHIEV=DISABLED QDPLOEV=DISABLED QDPMAXEV=ENABLED
    QSVCIEV=NONE QSVCINT=999999999 RETINTVL=999999999 SCOPE=QMGR MONQ=QMGR STATQ=QMGR ACCTQ=QMGR TRIGGER=False
    TRIGTYPE=FIRST TRIGDPTH=1 TRIGMPRI=0 DISTL=NO CAPEXPRY=-1 CUSTOM= INITQ= PROCESS= TRIGDATA=
""")
QMGR = stated("""
    MAXHANDS=256 MAXUMSGS=10000 MAXMSGL=4194304 MAXPRTY=9 TRIGINT=999999999 DEADQ= DEFXMITQ= ACTIVREC=MSG
    ROUTEREC=MSG CHAD=DISABLED STRSTPEV=ENABLED INHIBTEV=DISABLED PERFMEV=DISABLED MONQ=OFF MONCHL=OFF STATQ=OFF
    STATMQI=OFF ACCTQ=OFF STATINT=1800 ACCTINT=1800 MARKINT=5000
""")
SENDER = stated("""
    BATCHSZ=50 BATCHINT=0 BATCHLIM=5000 BATCHHB=0 DISCINT=6000 HBINT=300 SHORTRTY=10 SHORTTMR=60 LONGRTY=999999999
    LONGTMR=1200 SEQWRAP=999999999 MAXMSGL=4194304 NPMSPEED=FAST CONVERT=NO USEDLQ=YES MCATYPE=PROCESS
    PROPCTL=COMPAT MONCHL=QMGR TRPTYPE=TCP
""")
SELECTORS = {
    "QLOCAL": stated("""
    CAPEXPRY=276 TRIGGER=24 TRIGTYPE=28 TRIGDPTH=29 TRIGMPRI=26 TRIGDATA=2023 PROCESS=2012 INITQ=2008 CURDEPTH=3
    MAXDEPTH=15 MAXMSGL=13 GET=9 PUT=10 IPPROCS=17 OPPROCS=18 BOTHRESH=22 BOQNAME=2019 DESCR=2013 USAGE=12
    """),
    "QMGR": stated("EXPRYINT=39 TRIGINT=25 IGQ=64 SQQMNAME=77 DEADQ=2006 MAXHANDS=11 CCSID=2"),
    "PROCESS": stated("APPLTYPE=1 APPLICID=2001 ENVRDATA=2007 USERDATA=2021"),
    "NAMELIST": stated("NAMES=2020 NAMCOUNT=19"),
}


@pytest.mark.needs("properties")
def test_queues_return_properties_by_default_as_real_ones_do():
    assert {defaults(kind)["PROPCTL"] for kind in ("QLOCAL", "QMODEL", "QALIAS")} == {"COMPAT"}


def test_defaults_are_those_of_a_real_queue_manager_of_each_platform_and_the_callers_own():
    for kind, expected, chltype in (("QLOCAL", QLOCAL, None), ("QMGR", QMGR, None), ("CHANNEL", SENDER, "SDR")):
        found = defaults(kind, chltype=chltype)
        assert {keyword: found[keyword] for keyword in expected} == expected
    assert stated("DEFTYPE=TEMPDYN DEFSOPT=EXCL SHARE=False").items() <= defaults("QMODEL").items()
    assert defaults("CHANNEL", chltype="SVRCONN")["DISCINT"] == 0
    assert defaults("CHANNEL", chltype="CLUSSDR")["MCATYPE"] == "THREAD"
    assert "XMITQ" not in defaults("CHANNEL", chltype="RCVR")
    distributed, zos = defaults("QLOCAL"), defaults("QLOCAL", "zos")
    assert "INDXTYPE" not in distributed
    assert zos["INDXTYPE"] == "NONE"
    assert "SCOPE" not in zos
    assert defaults("QMGR", "zos")["EXPRYINT"] == 0
    assert "EXPRYINT" not in defaults("QMGR")
    assert defaults("PROCESS", "zos")["APPLTYPE"] == 2
    defaults("QLOCAL")["MAXDEPTH"] = 1
    assert defaults("QLOCAL")["MAXDEPTH"] == 5000


@for_each("kind", needing(SELECTORS, sharing=("QMGR",)))
def test_selectors(kind):
    assert {keyword: attributes(kind)[keyword].selector for keyword in SELECTORS[kind]} == SELECTORS[kind]


@for_each("kind", catalog.kinds())
@for_each("platform", catalog.ALL_PLATFORMS)
def test_every_default_passes_its_own_check(kind, platform):
    types = attributes("CHANNEL")["CHLTYPE"].values if kind == "CHANNEL" else [None]
    for chltype in types:
        known = attributes(kind, chltype)
        for keyword, value in defaults(kind, platform, chltype).items():
            assert known[keyword].check(value, platform) == value, keyword


@for_each("kind", catalog.kinds())
def test_no_spelling_means_two_keywords(kind):
    words = [
        word
        for a in attributes(kind).values()
        for word in (a.keyword, *a.synonyms, *([f"NO{a.keyword}"] if a.shape == "flag" else []))
    ]
    assert len(words) == len(set(words))
    assert all(word == word.upper() and 2 <= len(word) <= 11 for word in words)


@for_each(
    "keyword, value, stored",
    ("MAXDEPTH", "0", 0),
    ("MAXDEPTH", 999_999_999, 999_999_999),
    ("maxdepth", "7", 7),
    ("CAPEXPRY", "1", 1),
    ("DESCR", "x  ", "x"),
    ("TRIGGER", True, True),
    ("BOQNAME", "Back.Out", "Back.Out"),
)
def test_right_values(keyword, value, stored):
    assert check("QLOCAL", keyword, value) == stored


@for_each(
    "keyword, value, sort, said",
    ("MAXDEPTH", "-1", "range", "from 0 to 999999999; got -1"),
    ("MAXDEPTH", "1e3", "value", "wanted a whole number"),
    ("MAXDEPTH", "1_000", "value", "wanted a whole number"),
    ("MAXDEPTH", "\u0663", "value", "wanted a whole number"),
    ("MAXDEPTH", True, "value", "wanted a whole number"),
    ("MAXDEPTH", None, "value", "wanted a whole number"),
    ("MAXDEPTH", 1.5, "value", "got 1.5"),
    ("CAPEXPRY", 0, "range", "or NOLIMIT"),
    ("CAPEXPRY", "NOLIMT", "value", "Did you mean NOLIMIT?"),
    ("GET", True, "value", "one of ENABLED, DISABLED"),
    ("DESCR", "x" * 65, "length", "got 65: 'xxx"),
    ("DESCR", 5, "value", "text of up to 64"),
    ("BOQNAME", "a b", "name", "is not allowed in an MQ name"),
    ("TRIGGER", "YES", "value", "TRIGGER or NOTRIGGER"),
    ("CURDEPTH", 1, "keyword", "only displayed"),
    ("INDXTYPE", "MSGID", "platform", "this one is distributed"),
    (5, 1, "keyword", "has no attribute 5"),
)
def test_wrong_values(keyword, value, sort, said):
    error = refusal(ValueError, r".+", check, "QLOCAL", keyword, value)
    assert isinstance(error, CatalogError)
    assert error.sort == sort
    assert said in str(error)


def test_an_unknown_kind_is_refused_and_how_values_are_shown():
    refusal(CatalogError, "wanted one of QLOCAL", attributes, "QLOCL")
    known = attributes("QLOCAL")
    assert (known["CAPEXPRY"].shown(-1), known["CAPEXPRY"].shown(5), known["DESCR"].shown("")) == ("NOLIMIT", "5", " ")
    assert attributes("NAMELIST")["NAMES"].shown(("A", "B")) == "A,B"
    assert attributes("PROCESS")["APPLTYPE"].shown(6) == "UNIX"


@pytest.mark.needs("pubsub")
def test_names():
    assert catalog.check_name("QLOCAL", "A.b_c/%9") == "A.b_c/%9"
    assert catalog.check_name("QLOCAL", "PAY*", generic=True) == "PAY*"
    assert catalog.check_name("SUB", "any text (really)!") == "any text (really)!"
    wrong = [("QLOCAL", name) for name in ("A B", "", "A*", "A" * 49, "é")]
    for kind, name in (*wrong, ("CHANNEL", "A" * 21), ("STGCLASS", "A" * 9)):
        assert refusal(CatalogError, "", catalog.check_name, kind, name).sort == "name"


def test_every_command_of_the_table_names_a_known_verb_and_object():
    from mqlab.engine.words.catalog import commands

    for verbs, objects, how in (row.split() for row, _ in commands.commands()):
        for verb in verbs.split("|"):
            for name in objects.partition(".")[0].split("|"):
                assert verb in catalog.VERBS
                assert name in catalog.OBJECTS
                assert catalog.keywords(verb, name)[0] == how
    assert catalog.keywords("PING", "QLOCAL") is None
