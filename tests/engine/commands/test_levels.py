"""Levels are levels: what came with a later version is refused by an older queue manager, and not shown by it."""

import tomllib
from functools import cache
from pathlib import Path

from helpers import channel, for_each, needing
from mqlab import Lab
from mqlab.engine.commands.command import grammar, objects_of
from mqlab.engine.commands.parser import parse
from mqlab.engine.commands.status import shows
from mqlab.engine.words import catalog
from mqlab.engine.words.catalog.ciphers import CIPHERS
from mqlab.engine.words.catalog.commands import keywords, others

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
    return reply.code == "AMQ8405I" and reply.syntax and f"{word} exists from command level {since}" in reply.text


def typed(kind, keyword):
    """CHLTYPE(...) of a type of channel that has the keyword, "" for other kinds."""
    types = catalog.attributes("CHANNEL")["CHLTYPE"].values if kind == "CHANNEL" else ()
    able = [one for one in types if keyword in catalog.attributes("CHANNEL", one)]
    return f"CHLTYPE({able[0]})" if able else ""


def shown(platform, level, kind):
    """The keywords that DISPLAY shows of the SYSTEM objects of a kind, or of the queue manager."""
    reply = answer(platform, level, "DISPLAY QMGR" if kind == "QMGR" else f"DISPLAY {kind}(SYSTEM*) ALL")
    return {keyword for row in reply.rows for keyword in row}


@for_each("kind, attribute", NEWER)
def test_an_attribute_newer_than_the_level_is_refused_and_not_shown_and_a_current_one_is_taken(kind, attribute):
    keyword, platform = attribute.keyword, "zos" if attribute.platforms == ("zos",) else "distributed"
    since = attribute.since_on(platform)
    before = max(level for level in LEVELS if level < since)
    name = "" if kind == "QMGR" else "(NEW.ONE)"
    displays = [f"DISPLAY {kind}{name and '(*)'} {keyword}"] if catalog.headline(kind) else []
    sort = typed(kind, keyword)
    sets = f"{'ALTER' if kind == 'QMGR' else 'DEFINE'} {kind}{name} {sort} {keyword}(1)"
    for command in [*displays, *([sets] if attribute.settable else [])]:
        reply = answer(platform, before, command)
        assert too_new(reply, keyword, since) or (sort and f"{sort} exists from command level" in reply.text), command
        assert not too_new(answer(platform, since, command), keyword, since), command
    if displays:
        assert answer(platform, since, *displays).code != "AMQ8405I"
        assert keyword not in shown(platform, before, kind)
    now = shown(platform, since, kind)
    if now and displays and catalog.defaults(kind, platform).get(keyword) is not None and not attribute.only_of:
        assert keyword in now


@for_each("word", [word for word, row in catalog.KINDS.items() if row.since > LEVELS[0]])
def test_an_object_newer_than_the_level_is_refused_whatever_the_command(word):
    row = catalog.KINDS[word]
    platform = row.platforms[0]
    before = max(level for level in LEVELS if level < row.since)
    verbs = [verb for verb in catalog.VERBS if verb not in ("START", "STOP") and word in objects_of(verb)]
    assert verbs
    for verb in verbs:
        assert too_new(answer(platform, before, f"{verb} {word}(X)"), word, row.since)
        assert not too_new(answer(platform, row.since, f"{verb} {word}(X)"), word, row.since)


FACTS = tomllib.loads(Path(__file__).with_name("levels.toml").read_text("utf-8"))
ROOMS = {
    "pubsub": ("TOPIC(", "SUB(*)", "DISPLAY PUBSUB", "STREAMQ"),
    "properties": ("PROPCTL",),
    "sharing": ("CFSTRUCT", "CMDSCOPE"),
    "admin": ("SET ", "DISPLAY CHLAUTH"),
}
"""Extras -> words of the commands that are about their objects."""


# ---------------------------------------------------------------- commands, their keywords, and values
@cache
def grammars():
    """Every verb and object, with how they go together and a command that is right so far."""
    found = {}
    for verb in catalog.VERBS:
        for word in objects_of(verb):
            rules = grammar(verb, word)
            found[verb, word] = rules, f"{verb} {word}{'' if rules.how == '-' else '(A)'}"
    return found


def refusal(text, platform, level):
    """Why a queue manager of this platform and level refuses a command, "" if it does not."""
    (command,) = parse(text, platform, level)
    return "" if command.refused is None else command.refused.said


def words():
    """Each keyword of each command, and each value that not every queue manager has: its row, how it is called in a
    refusal, and a command with it."""
    for (verb, word), (rules, head) in grammars().items():
        for keyword, has in (rules.attributes | rules.options).items():
            taken = {"flag": "", "int": f"({has.low})", "choice": f"({has.values[0] if has.values else ''})"}
            value = (
                "" if verb == "DISPLAY" and keyword != "WHERE" else taken.get(has.shape, f"({(*has.values, 'A')[0]})")
            )
            sets = verb in ("DEFINE", "ALTER") and keyword in rules.attributes
            if has.settable or not sets:
                text = f"{head} {typed(word, keyword) if sets and keyword != 'CHLTYPE' else ''} {keyword}{value}"
                yield has, keyword, text.replace("WHERE(A)", "WHERE(X EQ A)"), not sets
            for one in has.marked if not sets or has.settable else ():
                if verb != "DISPLAY" or has.picks:
                    yield one, f"{keyword}({one.keyword})", f"{head} {keyword}({one.keyword})", True


def test_a_keyword_or_value_is_refused_by_who_does_not_have_it_and_taken_by_who_has_it():
    newer = elsewhere = 0
    for row, called, text, refused_elsewhere in words():
        for platform in row.platforms if row.since > LEVELS[0] else ():
            since = row.since_on(platform)
            before = max(level for level in LEVELS if level < since)
            said = refusal(text, platform, before)  # of a word, or of its command or kind, which is as new
            assert "exists from command level" in said or "queue managers; this" in said, (platform, before, text)
            assert f"{called} is there" not in refusal(text, platform, since), (platform, since, text)
            newer += said.startswith(f"{called} exists from command level {since}")
        for platform in {"distributed", "zos"} - {*row.platforms} if refused_elsewhere else ():
            assert "queue managers; this queue manager is" in refusal(text, platform, 940), (platform, text)
            elsewhere += 1
    assert newer > 150
    assert elsewhere > 150


def test_a_command_is_refused_by_who_does_not_have_it():
    for verb, word in others():
        _, had, _ = keywords(verb, word)
        _, head = grammars()[verb, word]
        for platform in ("distributed", "zos"):
            for level in (LEVELS[0], LEVELS[-1]):
                of_kind = platform in catalog.KINDS[word].platforms
                has = had.had_by(platform, level) and (level >= catalog.KINDS[word].since or not of_kind)
                has &= verb != "DISPLAY" or of_kind
                said = refusal(head, platform, level)
                refused = " exists from command level " in said or "; this queue manager is " in said
                assert refused != has, (head, platform)


@for_each("platform", ["distributed", "zos"])
@for_each("level", [530, 600, 701, 710, 750, 800, 900, 910, 920, 940])
def test_a_status_has_the_columns_of_its_level(platform, level):
    lab = Lab()
    one, two = channel(*(lab.queue_manager(name, platform=platform, level=level) for name in ("QM1", "QM2")))
    one.mqsc("START CHANNEL(C)").require()
    lab.advance(5)
    for word in shows():
        known = grammar("DISPLAY", word).options
        for qm in (one, two):
            name = "('#')" if word == "TPSTATUS" else "" if grammar("DISPLAY", word).how == "-" else "(*)"
            (reply,) = qm.mqsc(f"DISPLAY {word}{name} ALL").replies
            for row in reply.rows:
                assert all(known[key].had_by(platform, level) for key in row if key in known), (word, row)
            assert catalog.KINDS[word].since <= level or (not reply.ok and not reply.rows)
    (row,) = one.mqsc("DISPLAY CHSTATUS(C) ALL").rows
    since = {"SUBSTATE": 600, "RQMNAME": 600, "MONCHL": 600, "RVERSION": 710, "SECPROT": 800, "SSLCIPH": 911}
    assert {key: key in row for key in since} == {key: level >= first for key, first in since.items()}
    assert ("MCASTAT" in row, "KAINT" in row) == (platform != "zos", platform == "zos")


def test_ciphers_defaults_and_values_belong_to_their_levels():
    for cipher, levels in CIPHERS.items():
        for platform, since in zip(("distributed", "zos"), levels, strict=True):
            if since:
                before = max(level for level in LEVELS if level < since)
                text = f"DEFINE CHANNEL(A) CHLTYPE(RCVR) REPLACE SSLCIPH({cipher})"
                assert answer(platform, before, text).code == "AMQ8242E"
                assert answer(platform, max(since, 914), text).code != "AMQ8242E"
    for kind in catalog.kinds():
        for chltype in catalog.CHANNEL_TYPES if kind == "CHANNEL" else (None,):
            for keyword, has in catalog.attributes(kind, chltype).items():
                for platform in has.platforms:
                    default = catalog.defaults(kind, platform, chltype).get(keyword)
                    assert default not in [one.keyword for one in has.marked], (kind, keyword)
    said = refusal("DEFINE CHANNEL(C) CHLTYPE(RCVR) COMPMSG(LZ5)", "distributed", 910)
    assert "ZLIBHIGH" in said
    assert "LZ4" not in said


@for_each("text, platform, before, since", needing(map(tuple, FACTS["rows"]), **ROOMS))
def test_who_has_a_command_a_keyword_or_a_value(text, platform, before, since):
    reply = answer(platform, before, text)
    assert (reply.code, reply.syntax) == ("AMQ8405I", True)
    assert (f"exists from command level {since}" if since else "; this queue manager is ") in reply.text
    if since:
        assert "exists from command level" not in answer(platform, since, text).text
