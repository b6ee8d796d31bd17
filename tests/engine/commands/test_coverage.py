"""What a reply says is acted on: by kind of object and by attribute, held to what the engine really reads."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import mqlab
from helpers import channel, for_each, made
from mqlab import Lab
from mqlab.engine.commands import coverage
from mqlab.engine.words import catalog
from mqlab.engine.words.catalog.commands import commands as rows_of_commands

SIMULATED = [kind for kind in catalog.kinds() if catalog.KINDS[kind].simulated]
ACTING = {kind: {k for k, a in catalog.attributes(kind).items() if a.acts} for kind in SIMULATED}
NOT_YET = {kind for kind in catalog.kinds() if not catalog.KINDS[kind].simulated}
FOR_READERS = {k for kind in catalog.kinds() for k, a in catalog.attributes(kind).items() if a.inert}
PACKAGE = Path(mqlab.__file__).parent
# These show, compare, tell of or hand on a definition, or read a table of rules; none of them acts on a definition.
ONLY_SHOWN = """clusters.py display.py event_words.py export.py security_records.py inquire.py numbers.py runcheck.py
    sample_server.py table.py"""
ROOMS = "engine/queues engine/programs engine/world lab pcf sharing pubsub properties admin gates bridges clusters"
ENGINE = [
    path
    for room in ROOMS.split()
    for path in sorted((PACKAGE / room).rglob("*.py"))
    if path.name not in ONLY_SHOWN.split() and "scenarios" not in path.parts
] + [PACKAGE / "engine" / "commands" / "status.py", PACKAGE / "engine" / "words" / "objects.py"]


def settable():
    """Every keyword that a definition of some kind can set."""
    return {k for kind in catalog.kinds() for k, a in catalog.attributes(kind).items() if a.settable}


@cache
def looked_up(path):
    """Every keyword that a module looks up by name, x["KEYWORD"] or x.get("KEYWORD"), options of commands left out."""
    return frozenset(_looked_up(path))


_READERS = {"_highest": 1, "methodcaller": 2, "one.of": 1}
"""Functions of clusters that take a keyword, and which of their arguments it is."""


def _looked_up(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        key = of = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            key, of = node.slice, node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            key, of = (node.args[0] if node.args else None), node.func.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "inherited":
            key, of = node.args[2], node.func
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in _READERS:
            key, of = node.args[_READERS[ast.unparse(node.func)]], node.func
        if key is None or "options" in ast.unparse(of):
            continue
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key.value
        elif isinstance(key, ast.JoinedStr):  # f"{which}TMR": any keyword of a channel that it can spell
            spelled = "".join(".+" if isinstance(part, ast.FormattedValue) else part.value for part in key.values)
            yield from (each for each in catalog.attributes("CHANNEL") if re.fullmatch(spelled, each))


@pytest.mark.needs("pcf", "properties", "pubsub", "sharing", "clusters")
# ---------------------------------------------------------------- the tables do not drift from the engine
@for_each("kind, keyword", [(kind, k) for kind, words in ACTING.items() for k in sorted(words)])
def test_what_is_said_to_act_is_read_by_the_engine(kind, keyword):
    assert catalog.attributes(kind)[keyword].settable
    assert any(keyword in looked_up(path) for path in ENGINE), f"nothing in the engine reads {keyword}"


@pytest.mark.needs("pcf", "properties", "pubsub", "sharing", "clusters")
def test_what_the_engine_reads_is_said_to_act():
    told = set().union(*ACTING.values())
    read = {keyword: path.name for path in ENGINE for keyword in looked_up(path) if keyword in settable()}
    assert len(read) > 20
    assert {keyword: where for keyword, where in read.items() if keyword not in told} == {
        "TYPE": "passwords.py",  # of a CHLAUTH record
        "CONTROL": "queue_manager.py",  # which listeners and services DISPLAY shows as running
        **dict.fromkeys(("BACKLOG", "IPADDR", "PORT", "SERVTYPE", "TRPTYPE"), "qmgr_status.py"),  # and what of them
        "NAMES": "objects.py",  # of the namelists of REPOSNL and CLUSNL
        "PSMODE": "topics.py",
        "PSPROP": "publishing.py",  # of which only NONE acts
        **dict.fromkeys(("KAINT", "MAXFSIZE"), "status.py"),
    }


def test_every_kind_is_acted_on_or_not():
    assert set(ACTING) | NOT_YET == {*catalog.kinds()}
    assert {"LISTENER", "SERVICE", "COMMINFO", "STGCLASS", "BUFFPOOL", "PSID", "CLNTCONN"} == NOT_YET
    assert {"BOQNAME", "BOTHRESH", "DESCR", "NAMES"} == FOR_READERS
    assert not set(ACTING) & NOT_YET
    assert not FOR_READERS & set().union(*ACTING.values())


# ---------------------------------------------------------------- what a reply says
@for_each(
    "text, kept",
    ("DEFINE QLOCAL(A) MAXDEPTH(5) DESCR('x') BOTHRESH(3) BOQNAME(B)", ()),
    ("DEFINE QLOCAL(A) QDEPTHHI(90) MAXDEPTH(5) RETINTVL(3)", ("RETINTVL",)),
    ("DEFINE QLOCAL(A) SCOPE(QMGR)", ("SCOPE",)),
    ("DEFINE QALIAS(A) TARGQ(B) DEFBIND(NOTFIXED) DEFREADA(YES)", ("DEFREADA",)),
    ("DEFINE QMODEL(A) DEFTYPE(PERMDYN) STATQ(ON)", ("STATQ",)),
    ("DEFINE PROCESS(A) APPLICID('x') USERDATA('y')", ()),
    ("DEFINE NAMELIST(A) NAMES(B, C) DESCR('x')", ()),
    ("ALTER QMGR TRIGINT(10) CHLAUTH(DISABLED) SSLEV(ENABLED) SSLFIPS(YES)", ("SSLFIPS",)),
    ("ALTER QMGR DEADQ(DLQ)", ()),
    ("DEFINE QREMOTE(R) RNAME(X) RQMNAME(Y) XMITQ(Z) DESCR('far')", ()),
    ("DEFINE QREMOTE(R) RNAME(X) SCOPE(QMGR) CLWLRANK(2)", ("SCOPE",)),
    ("DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(h) XMITQ(X) DISCINT(5) LONGTMR(9)", ()),
    ("DEFINE CHANNEL(C) CHLTYPE(RCVR) MRRTY(5) MCAUSER('mqm') PUTAUT(CTX)", ()),
    ("DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MAXINST(5) HBINT(5)", ("HBINT",)),
    ("DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME(h)", ("CHLTYPE", "CONNAME")),
    pytest.param(
        "DEFINE CHANNEL(C) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C) CLWLPRTY(3) NETPRTY(2)",
        (),
        marks=pytest.mark.needs("clusters"),
    ),
    ("DEFINE QLOCAL(A) CLUSTER(C) CLWLUSEQ(ANY) CLWLRANK(1) DEFBIND(GROUP)", ()),
    ("ALTER QMGR REPOS(C) CLWLMRUC(3) MONACLS(LOW)", ("MONACLS",)),
    # what another platform has is left out of the object, so it is not kept
    ("DEFINE QLOCAL(A) INDXTYPE(CORRELID)", ()),
)
def test_a_reply_names_what_is_only_kept(text, kept):
    (reply,) = Lab().queue_manager("QM1").mqsc(text).replies
    assert reply.ok
    assert (reply.kept_only, reply.simulated) == (kept, not kept)
    lines = [line for line in reply.text.splitlines() if "nothing in the lab acts on" in line]
    assert len(lines) == bool(kept)
    if "CHLTYPE" in kept or (kept and "CLNTCONN" in text):
        assert re.fullmatch(
            r"mqlab: the (definition of a \w+ channel|CLNTCONN definition) is kept, but .* yet\.", lines[0]
        )
    elif kept:
        assert lines == [
            f"mqlab: {', '.join(kept)} {'is' if len(kept) == 1 else 'are'} kept, but nothing in the lab "
            f"acts on {'it' if len(kept) == 1 else 'them'} yet."
        ]


@pytest.mark.needs("sharing")
def test_an_attribute_of_zos_is_kept_there():
    (reply,) = Lab().queue_manager("CSQ1", platform="zos").mqsc("DEFINE QLOCAL(A) STGCLASS(FAST) CMDSCOPE(' ')").replies
    assert (reply.kept_only, reply.simulated) == (("STGCLASS",), False)


@pytest.mark.needs("views")
def test_the_notebook_names_them_too_and_not_those_of_a_refused_command(qm):
    text = "DEFINE QLOCAL(A) QDEPTHHI(90) RETINTVL(5)\nDEFINE QLOCAL(B)\nPING QMGR"
    html = qm.mqsc(text)._repr_mimebundle_()["text/html"]
    assert "(kept, not acted on: RETINTVL)" in html
    assert html.count("not acted on:") == 1
    assert "(kept, not acted on)" in html
    html = qm.mqsc("SET AUTHREC PROFILE(X) OBJTYPE(QUEUE)").replies[0]._repr_mimebundle_()["text/html"]
    assert "refused" in html
    assert "kept, not acted on" not in html


# ---------------------------------------------------------------- no command does nothing in silence
def words(shape, attribute):
    """A keyword with a value that a command takes."""
    value = {"int": "1", "choice": attribute.values[-1] if attribute.values else "", "text": "'X'", "name": "X"}
    return attribute.keyword if shape == "flag" else f"{attribute.keyword}({value.get(shape, attribute.shown('X'))})"


def commands():
    """Each command of the catalog that is no DISPLAY: with what it needs, and then each of its other keywords."""
    need = {
        "SET AUTHREC": "OBJTYPE(QMGR) GROUP('g')",
        "DELETE AUTHREC": "OBJTYPE(QMGR) GROUP('g')",
        "SET CHLAUTH": "TYPE(BLOCKUSER) USERLIST('u')",
        "RESET CLUSTER": "ACTION(FORCEREMOVE) QMNAME(Q)",
        "RESOLVE CHANNEL": "ACTION(COMMIT)",
        "REFRESH QMGR": "TYPE(EXPIRY)",
        "RESET QMGR": "TYPE(STATISTICS)",
    }
    for row, _ in rows_of_commands():
        verbs, objects, how = row.split()
        objects = objects.partition(".")[0]
        for verb in verbs.split("|"):
            for object in objects.split("|") if verb != "DISPLAY" else ():
                given = need.get(f"{verb} {object}", "")
                head = f"{verb} {object}{'' if how == '-' else '(Q)'} {given}"
                yield verb, object, "", head
                for keyword, attribute in catalog.keywords(verb, object)[2].items():
                    if f"{keyword}(" not in given:
                        yield verb, object, keyword, f"{head} {words(attribute.shape, attribute)}"


READ = {
    word
    for room in ("engine/commands", "sharing", "admin")
    for path in sorted((PACKAGE / room).glob("*.py"))
    for word in re.findall(r'"([A-Z]+)"', path.read_text())
}


@pytest.mark.needs("pcf", "properties", "pubsub", "sharing", "clusters")
@pytest.mark.parametrize("platform", ["distributed", "zos"])
def test_no_command_is_done_in_silence_without_effect_or_display(platform):
    quiet, there = [], {}
    for verb, object, keyword, text in commands():
        qm = there.setdefault((verb, object), Lab().queue_manager("QM1", platform=platform) if not keyword else None)
        qm.mqsc("DEFINE QLOCAL(Q)\nDEFINE CHANNEL(Q) CHLTYPE(SDR) CONNAME(h) XMITQ(Q)")
        (reply,) = qm.mqsc(text).replies
        noted = "mqlab:" in reply.text
        of_type = {f"TYPE({key[2]})" for key in coverage.acted_on() if key[:2] == (verb, object) and len(key) == 3}
        acted = (verb, object) in coverage.acted_on() or (verb, object) == ("CLEAR", "QLOCAL") or reply.rows
        acted = acted or of_type & {*text.split()}
        if reply.ok and not noted and not (acted and (not keyword or keyword in READ - coverage.UNREAD)):
            quiet.append(text)
    assert not quiet


@for_each(
    "text, word",
    pytest.param("START CHANNEL(C) CHLDISP(SHARED)", "CHLDISP", marks=pytest.mark.needs("sharing")),
    ("PING CHANNEL(C) DATALEN(20)", "DATALEN"),
)
def test_a_keyword_that_changes_nothing_is_named(text, word):
    qm = made(platform="zos")
    channel(qm, made(name="QM2", of=qm.lab))
    (reply,) = qm.mqsc(text).replies
    assert reply.ok
    assert reply.kept_only == (word,)
    assert f"mqlab: {word} is accepted, but nothing in the lab acts on it yet." in reply.text
