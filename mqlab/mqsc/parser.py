"""From tokens to checked commands: verb, object, name, keywords and values, each refusal saying what was meant."""

from __future__ import annotations

from ..mq import catalog
from ..mq.catalog import Attribute
from ..mq.lexer import Source, Token, read_commands, read_tokens
from . import advice
from .command import FILTERS, Command, Grammar, goes_with, grammar, objects_of
from .refusal import Refused
from .requests import require_shape
from .values import Item, between, checked, folded, keyword_anywhere, placeholder_in, require_one, shorten, where

__all__ = ["parse"]

_BEFORE_OBJECT = ("REPLACE", "NOREPLACE", "FORCE", "CMDSCOPE", "QSGDISP")


def parse(text: str, platform: str | None = None) -> list[Command]:
    """Parse MQSC, without a queue manager.

    Parameters
    ----------
    text : str
        Any number of commands, with comments and continuations.
    platform : str, optional
        "distributed", "zos" or "vse": note on a command the attributes that this platform does not have.

    Returns
    -------
    list of Command
        One for each command in order; one that cannot be taken has `.refused`. Nothing is raised for bad MQSC.

    Raises
    ------
    LabError
        When `text` is not a str.
    """
    sources, _ = read_commands(text)
    return [parse_source(source, number, platform) for number, source in enumerate(sources, start=1)]


def parse_source(source: Source, number: int, platform: str | None = None) -> Command:
    """Parse one command that the lexer has cut out; a refusal is kept in it, not raised."""
    command = Command(number, source.line, source.text, source)
    try:
        _parse(command, platform)
    except Refused as refused:
        command.refused = refused
    return command


def _parse(command: Command, platform: str | None) -> None:
    source = command.source
    if source.pending:
        raise Refused(
            8406,
            f"the last line ends with {source.pending}, which asks for another line, and there is "
            f"none: take the {source.pending} off",
            len(source.text),
        )
    tokens = read_tokens(source.text)
    if not tokens:
        raise Refused(8405, "there is nothing to run here: a continuation of nothing", 0)
    _require_verb(command, tokens)
    if tokens[-1].sort == "unended":
        raise Refused(
            8405,
            f"the quote that opens at {shorten(tokens[-1].value)} is never closed; inside quotes "
            "write two '' for an apostrophe",
            tokens[-1].at,
        )
    items = _items(tokens[1:], command)
    items = _require_object(command, items)
    rules = grammar(command.verb, command.object, _channel_type(command, items))
    command.kind = "CLNTCONN" if _channel_type(command, items) == "CLNTCONN" else rules.kind
    _take_name(command, items[0], rules)
    _Keywords(command, rules, platform).take(items[1:])
    _require_needed(command, rules)


def _require_verb(command: Command, tokens: list[Token]) -> None:
    first = tokens[0]
    verb = catalog.verb_word(first.value) if first.sort == "word" else None
    if verb is None:
        said = advice.for_verb(first.value, command.text[first.end :])
        lines = [number for number, _ in command.source.written]
        if len(lines) > 1:
            said += f"; line {lines[0]} ends with + or -, so it was read together with the lines up to {lines[-1]}"
        raise Refused(8405, said, first.at)
    command.verb = verb


def _items(tokens: list[Token], command: Command) -> list[Item]:
    """Group tokens into keywords and their parentheses."""
    items, position = [], 0
    while position < len(tokens):
        token = tokens[position]
        if token.sort == ")":
            raise Refused(8405, "this ) closes nothing: there is one ) too many, or a ( is missing before it", token.at)
        if token.sort == "(":
            raise Refused(8405, "this ( follows no keyword: the keyword before it is missing", token.at)
        if token.sort == "text":
            raise Refused(
                8405,
                f"{shorten(repr(token.value))} stands outside parentheses: a value goes in the "
                "parentheses of its keyword",
                token.at,
            )
        if position + 1 < len(tokens) and tokens[position + 1].sort == "(":
            item, position = _with_values(tokens, position)
        else:
            item, position = Item(token.value, None, False, token.at, token.end), position + 1
        if items and items[-1].values is not None and items[-1].end == item.at:
            command.notes.append(f"no blank before {item.word}: outside z/OS the rules ask for one")
        items.append(item)
    return items


def _with_values(tokens: list[Token], start: int) -> tuple[Item, int]:
    """The keyword at `start` with all that stands in its parentheses, and the position after it."""
    keyword, values, depth, nested = tokens[start], [], 1, False
    for position in range(start + 2, len(tokens)):
        token = tokens[position]
        if token.sort in ("(", ")"):
            depth += 1 if token.sort == "(" else -1
            nested = nested or depth > 1
            if depth == 0:
                return Item(keyword.value, tuple(values), nested, keyword.at, token.end), position + 1
        values.append(token)
    first = 1 if keyword.value.upper() == "WHERE" else 0  # a filter begins with a keyword of its own
    inside = next((t.value for t in values[first:] if t.sort == "word" and keyword_anywhere(t.value)), "")
    raise Refused(
        8405,
        f"the parenthesis after {keyword.value} is never closed"
        + (f": a ) is missing before {inside}" if inside else ""),
        keyword.at,
    )


def _require_object(command: Command, items: list[Item]) -> list[Item]:
    """Find the sort of object (z/OS lets REPLACE and such stand before it); the items with it first."""
    able = objects_of(command.verb)
    if not items:
        raise Refused(8405, f"{command.verb} of what? It takes {', '.join(able)}", len(command.text))
    for place, item in enumerate(items):
        name = catalog.object_word(item.word)
        if name in able:
            command.object = name
            return [item, *items[:place], *items[place + 1 :]]
        if item.word.upper() not in _BEFORE_OBJECT:
            break
    raise Refused(8405, advice.for_object(command.verb, item.word, able), item.at)


def _channel_type(command: Command, items: list[Item]) -> str | None:
    if command.object != "CHANNEL" or command.verb not in ("DEFINE", "ALTER"):
        return None
    for item in items[1:]:
        if item.word.upper() == "CHLTYPE" and item.values and len(item.values) == 1:
            word = item.values[0].value.upper()
            return word if word in catalog.attributes("CHANNEL")["CHLTYPE"].values else None
    return None


def _take_name(command: Command, item: Item, rules: Grammar) -> None:
    if rules.how == "-":
        if item.values is not None:
            raise Refused(8405, f"{command.object} takes no name: write {command.verb} {command.object} ...", item.at)
        return
    if item.values is None:
        if rules.how in ("any", "free"):
            return
        raise Refused(8405, f"{item.word} needs a name in parentheses: {command.verb} {item.word}(NAME)", item.at)
    raw = between(command, item)
    if item.nested:
        inside = next((t for t in item.values if t.sort == "word" and keyword_anywhere(t.value)), None)
        if inside:
            raise Refused(8405, f"a ) is missing before {inside.value}", inside.at)
        checked(lambda: catalog.check_name(command.object, raw.strip(" '\"")), item.at)
    found = placeholder_in(command, item)
    if found:
        raise Refused(8405, advice.unfilled(found), item.at)
    if not item.values:
        raise Refused(8405, f"{item.word} needs a name between its parentheses", item.at)
    require_one(command, item, "name")
    command.name = folded(item.values[0])
    generic = command.verb == "DISPLAY" or rules.how in ("any", "free", "generic")
    if command.object == "CHLAUTH":
        checked(lambda: catalog.check_name("CHANNEL", command.name.replace("*", "") or "ANY"), item.at)
    elif rules.how != "free":
        length_of = command.kind or command.object
        checked(lambda: catalog.check_name(length_of, command.name, generic), item.at)


class _Keywords:
    """Takes the keywords of one command in turn."""

    def __init__(self, command: Command, rules: Grammar, platform: str | None):
        self.command, self.rules, self.platform = command, rules, platform
        self.seen: dict[str, str] = {}

    def take(self, items: list[Item]) -> None:
        """Take them all, in the order of the text."""
        for place, item in enumerate(items):
            following = items[place + 1].word if place + 1 < len(items) else ""
            keyword = self._known(item, following)
            if keyword in self.seen:
                other = "" if self.seen[keyword] == item.word.upper() else f" (as {self.seen[keyword]})"
                raise Refused(8411, f"{item.word} is given twice{other}: leave one out", item.at)
            self.seen[keyword] = item.word.upper()
            self._take(item, keyword)

    def _known(self, item: Item, following: str) -> str:
        upper = item.word.upper()
        if upper in self.rules.spelled:
            return self.rules.spelled[upper]
        command, about = self.command, f"{self.command.verb} {self.command.object}"
        if command.object == "CHANNEL" and upper in catalog.spelled("CHANNEL"):
            one_of = [
                t for t in catalog.attributes("CHANNEL")["CHLTYPE"].values if upper in catalog.spelled("CHANNEL", t)
            ]
            raise Refused(8405, f"{item.word} is not for this type of channel, only for {', '.join(one_of)}", item.at)
        if goes_with(upper):
            raise Refused(8405, f"{item.word} goes with {', '.join(goes_with(upper))}; not with {about}", item.at)
        raise Refused(8405, advice.for_keyword(about, item.word, following, self.rules.spelled), item.at)

    def _take(self, item: Item, keyword: str) -> None:
        command = self.command
        attribute = self.rules.options.get(keyword) or self.rules.attributes[keyword]
        option = keyword in self.rules.options
        if keyword == "WHERE" and option:
            command.where = where(command, item, self.rules)
            return
        if item.values is None:
            self._alone(item, attribute, option)
            return
        if attribute.shape == "flag":
            raise Refused(8405, f"{keyword} takes no parentheses: write {keyword} or NO{keyword} alone", item.at)
        if command.verb == "DISPLAY" and not option and keyword not in FILTERS:
            raise Refused(
                8405,
                f"DISPLAY asks for {keyword} without parentheses; to choose by its value write "
                f"WHERE({keyword} EQ value)",
                item.at,
            )
        if not attribute.settable and command.verb != "DISPLAY":
            raise Refused(8405, f"{keyword} is only displayed: the queue manager keeps it. Leave it out", item.at)
        if attribute.only_define and command.verb == "ALTER" and keyword not in ("CHLTYPE", "AUTHTYPE"):
            raise Refused(8405, f"{keyword} is fixed when the object is defined: DELETE it and DEFINE it anew", item.at)
        value = self._value(item, attribute)
        (command.options if option else command.attributes)[keyword] = value
        self._note_platform(attribute)

    def _alone(self, item: Item, attribute: Attribute, option: bool) -> None:
        command, negative = self.command, item.word.upper() != attribute.keyword and item.word.upper().startswith("NO")
        if command.verb == "DISPLAY" and not option:
            command.wanted += (attribute.keyword,)
        elif attribute.shape == "flag":
            if not attribute.settable and command.verb != "DISPLAY":
                raise Refused(8405, f"{attribute.keyword} is only displayed: leave it out", item.at)
            (command.options if option else command.attributes)[attribute.keyword] = not negative
            self._note_platform(attribute)
        elif command.verb == "DISPLAY":
            command.wanted += (attribute.keyword,)
        else:
            wanted = "the name of the object to copy" if attribute.keyword == "LIKE" else attribute.wanted()
            raise Refused(8405, f"{item.word} needs a value: wanted {wanted}, in parentheses", item.at)

    def _note_platform(self, attribute: Attribute) -> None:
        if self.platform is not None and self.platform not in attribute.platforms:
            owners = " and ".join(attribute.platforms)
            self.command.notes.append(
                f"{attribute.keyword} is for {owners} queue managers; a {self.platform} one would refuse it, and the "
                "lab leaves it out"
            )

    def _value(self, item: Item, attribute: Attribute):
        command = self.command
        found = placeholder_in(command, item, attribute)
        if found:
            raise Refused(8405, f"{item.word}: {advice.unfilled(found)}", item.at)
        if item.nested:
            raw = between(command, item)
            raise Refused(
                8405,
                f"{item.word}({shorten(raw)}): a value with parentheses in it must stand in quotes: "
                f"{item.word}('{raw.strip()}')",
                item.at,
            )
        if not item.values and attribute.shape != "names":
            raise Refused(
                8405,
                f"{item.word}() has nothing in it: wanted {attribute.wanted()}; for nothing write {item.word}(' ')",
                item.at,
            )
        if attribute.shape in ("names", "words"):
            given = [folded(token) for token in item.values]
        else:
            require_one(command, item, "value")
            given = folded(item.values[0])
        return checked(lambda: attribute.check(given), item.at)


def _require_needed(command: Command, rules: Grammar) -> None:
    """What DEFINE, REFRESH QMGR and RESET QMGR cannot do without."""
    require_shape(command)
    if command.verb != "DEFINE" or "LIKE" in command.options:
        return
    for keyword, attribute in rules.attributes.items():
        if attribute.needed and keyword not in command.attributes:
            raise Refused(8421, f"DEFINE {command.object} needs {keyword}: {attribute.wanted()}", len(command.text))
    for keyword in catalog.CHANNEL_NEEDS.get(command.attributes.get("CHLTYPE"), ()):
        if not command.attributes.get(keyword):
            raise Refused(
                {"CONNAME": 8214, "XMITQ": 8215}[keyword],
                f"a channel of type {command.attributes['CHLTYPE']} needs {keyword}(...)",
                len(command.text),
            )
