"""Levels are levels: what came with a later version is refused by an older queue manager, and not shown by it."""

from functools import cache

import pytest

from mqlab import Lab
from mqlab.mq import catalog
from mqlab.mqsc.command import objects_of

LEVELS = (530, 600, 700, 701, 710, 750, 800, 801, 802, 900, 902, 910, 913, 915, 920, 923, 930, 931, 940, 943)
KINDS = [kind for kind in catalog.kinds() if kind != "CLNTCONN"]
NEWER = [
    (kind, attribute)
    for kind in KINDS
    for attribute in catalog.attributes(kind).values()
    if attribute.since > max(catalog.KINDS[kind].since, LEVELS[0])
]


@cache
def queue_manager(platform, level):
    """A queue manager that is only looked at, or asked what it refuses."""
    return Lab().queue_manager("QM1", platform=platform, level=level)


def answer(platform, level, command):
    """The reply of such a queue manager to one command."""
    (reply,) = queue_manager(platform, level).mqsc(command).replies
    return reply


def too_new(reply, word, since):
    """Whether a reply says that the queue manager is too old for a word."""
    return reply.code == "AMQ8405I" and reply.syntax and f"{word} is there from level {since} on" in reply.text


def typed(kind, keyword):
    """CHLTYPE(...) of a type of channel that has the keyword, "" for other kinds."""
    types = catalog.attributes("CHANNEL")["CHLTYPE"].values if kind == "CHANNEL" else ()
    able = [one for one in types if keyword in catalog.attributes("CHANNEL", one)]
    return f"CHLTYPE({able[0]}) " if able else ""


def shown(platform, level, kind):
    """The keywords that DISPLAY shows of the SYSTEM objects of a kind, or of the queue manager."""
    reply = answer(platform, level, "DISPLAY QMGR" if kind == "QMGR" else f"DISPLAY {kind}(SYSTEM*) ALL")
    return {keyword for row in reply.rows for keyword in row}


@pytest.mark.parametrize(("kind", "attribute"), NEWER, ids=lambda one: getattr(one, "keyword", one))
def test_an_attribute_newer_than_the_level_is_refused_and_not_shown_and_a_current_one_is_taken(kind, attribute):
    keyword, since = attribute.keyword, attribute.since
    platform = "zos" if attribute.platforms == ("zos",) else "distributed"
    before = max(level for level in LEVELS if level < since)
    name = "" if kind == "QMGR" else "(NEW.ONE)"
    displays = [f"DISPLAY {kind}{name and '(*)'} {keyword}"] if catalog.headline(kind) else []
    sets = f"{'ALTER' if kind == 'QMGR' else 'DEFINE'} {kind}{name} {typed(kind, keyword)}{keyword}(1)"
    for command in [*displays, *([sets] if attribute.settable else [])]:
        assert too_new(answer(platform, before, command), keyword, since), command
        assert not too_new(answer(platform, since, command), keyword, since), command
    if displays:
        assert answer(platform, since, *displays).code != "AMQ8405I"
        assert keyword not in shown(platform, before, kind)
    now = shown(platform, since, kind)
    if now and displays and catalog.defaults(kind, platform).get(keyword) is not None and not attribute.only_of:
        assert keyword in now


@pytest.mark.parametrize("word", [word for word, row in catalog.KINDS.items() if row.since > LEVELS[0]])
def test_an_object_newer_than_the_level_is_refused_whatever_the_command(word):
    row = catalog.KINDS[word]
    platform = row.platforms[0]
    before = max(level for level in LEVELS if level < row.since)
    verbs = [verb for verb in catalog.VERBS if verb not in ("START", "STOP") and word in objects_of(verb)]
    assert verbs
    for verb in verbs:
        assert too_new(answer(platform, before, f"{verb} {word}(X)"), word, row.since)
        assert not too_new(answer(platform, row.since, f"{verb} {word}(X)"), word, row.since)


# Facts of IBM's "what's new" pages and of each version's command reference: first with the second level.
FACTS = [
    ("DEFINE LISTENER(L) TRPTYPE(TCP)", 530, 600),
    ("ALTER QMGR MONQ(LOW)", 530, 600),
    ("DEFINE QLOCAL(Q) STATQ(ON)", 530, 600),
    ("DEFINE QLOCAL(Q) NPMCLASS(HIGH)", 530, 600),
    ("DEFINE CHANNEL(C) CHLTYPE(RCVR) COMPMSG(RLE)", 530, 600),
    ("DEFINE TOPIC(T) TOPICSTR(t)", 600, 700),
    ("DISPLAY SUB(*)", 600, 700),
    ("DISPLAY PUBSUB", 600, 700),
    ("DEFINE QALIAS(A) TARGET(Q) TARGTYPE(QUEUE)", 600, 700),
    ("DEFINE QLOCAL(Q) PROPCTL(NONE)", 600, 700),
    ("DEFINE QLOCAL(Q) DEFPRESP(ASYNC)", 600, 700),
    ("DEFINE CHANNEL(C) CHLTYPE(SVRCONN) SHARECNV(1)", 600, 700),
    ("ALTER QMGR MARKINT(1)", 600, 700),
    ("DISPLAY CHLAUTH(*)", 701, 710),
    ("ALTER QMGR CHLAUTH(DISABLED)", 701, 710),
    ("DEFINE QLOCAL(Q) CUSTOM(' ')", 701, 710),
    ("DEFINE TOPIC(T) TOPICSTR(t) MCAST(DISABLED)", 701, 710),
    ("DEFINE CHANNEL(C) CHLTYPE(RCVR) USEDLQ(NO)", 701, 710),
    ("DEFINE QLOCAL(Q) CLCHNAME(X)", 710, 750),
    ("ALTER QMGR DEFCLXQ(CHANNEL)", 710, 750),
    ("ALTER QMGR CONNAUTH(X)", 750, 800),
    ("ALTER QMGR REVDNS(DISABLED)", 750, 800),
    ("ALTER QMGR CERTLABL(X)", 750, 800),
    ("DEFINE CHANNEL(C) CHLTYPE(RCVR) CERTLABL(X)", 750, 800),
    ("DEFINE QLOCAL(Q) IMGRCOVQ(NO)", 900, 902),
    ("DEFINE QLOCAL(Q) MAXFSIZE(100)", 910, 920),
    ("DEFINE QLOCAL(Q) STREAMQ(X)", 920, 923),
    ("ALTER QMGR KEYRPWD(X)", 920, 930),
    ("DEFINE QLOCAL(Q) CAPEXPRY(10)", 930, 931),
]


@pytest.mark.parametrize(("command", "before", "since"), FACTS)
def test_what_came_with_a_version(command, before, since):
    assert "is there from level" in answer("distributed", before, command).text
    assert "is there from level" not in answer("distributed", since, command).text


def test_a_refused_definition_leaves_nothing_behind():
    qm = Lab().queue_manager("OLD", level=920)
    assert not qm.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(5) STREAMQ(COPY)").ok
    assert qm.mqsc("DISPLAY QLOCAL(Q)").replies[0].code == "AMQ8147E"


def test_another_platforms_attribute_is_left_out_with_a_note_at_any_level():
    (reply,) = Lab().queue_manager("OLD", level=530).mqsc("DEFINE CHANNEL(C) CHLTYPE(RCVR) DEFCDISP(SHARED)").replies
    assert reply.ok
    assert "DEFCDISP is for zos queue managers" in reply.text
