"""From tokens to checked commands: verb, object, name, keywords and values, each refusal saying what was meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..extra import extras, of_extras
from ..words import catalog
from ..words.arguments import at_least, require
from ..words.catalog import Attribute, Kind, Value, Word
from ..words.constants import CURRENT_LEVEL, PLATFORMS
from ..words.lexer import Source, Token, read_commands, read_tokens
from .command import Command, Grammar, Where, grammar, objects_of
from .control_commands import require_shape
from .replies import Refused

if TYPE_CHECKING:
    from .advice import Advice

_NOWHERE = Source([], [(1, "")], [], "")  # of a command without a text
_CHOICES = frozenset().union(*(extra.choices for extra in extras()))
_IDENTIFIED_BY = of_extras("identified_by")
_BEFORE_OBJECT = _CHOICES.union(("REPLACE", "NOREPLACE", "FORCE"))

_LIST = ("CT", "EX", "CTG", "EXG")
_OPERATORS = ("LT", "GT", "EQ", "NE", "LE", "GE", "LK", "NL", *_LIST)
# shape of an attribute -> its name in a sentence, and the operators that a filter may compare it by
_SHAPES = {
    "int": ("a number", _OPERATORS[:6]),
    "choice": ("one of a set of words", ("EQ", "NE")),
    "flag": ("on or off", ("EQ", "NE")),
    "text": ("text", _OPERATORS[:8]),
    "name": ("a name", _OPERATORS[:8]),
    "names": ("a list", _LIST),
    "words": ("a list", _LIST),
}
_NO_FILTER = (
    "ALL CLUSINFO COMPRATE COMPTIME CURRENT EXITTIME EXTCONN EXTURID MCANAME MONITOR NETTIME OPENTYPE "
    "QDPHIEV QDPLOEV QDPMAXEV QSVCIEV QTIME SAVED SHORT SUMMARY URDISP URID WHERE XBATCHSZ XQTIME"
)
"""Keywords that no filter compares, whatever object or status has them."""
_NUMBERS = {"range": 8412, "length": 8413, "name": 8424}
_STRAY = {")": "closes-nothing", "(": "follows-no-keyword"}


class _Item(NamedTuple):
    """A keyword with its value in parentheses, if it has one, and the positions of both in the text."""

    word: str
    values: tuple[Token, ...]
    enclosed: bool
    nested: bool
    position: int
    end: int


def parse(text: str, platform: str | None = None, level: int = CURRENT_LEVEL) -> list[Command]:
    """Parse MQSC, any number of commands, without a queue manager, and return a `Command` for each, in order.

    A command that cannot be taken has `.refused`. With a `platform` ("distributed", "zos", or "vse") a command notes
    the attributes that this platform does not have; those that a queue manager of this `level` does not have yet are
    refused. LabError only if `text` is not a str that UTF-8 can hold, or there is no such platform or level.
    """
    require("platform", platform, str | None, f"one of {', '.join(PLATFORMS)}", PLATFORMS.__contains__)
    require("level", level, int, f"a command level such as 530 or {CURRENT_LEVEL}", at_least(1))
    sources, _ = read_commands(text, platform)
    return [parse_source(source, number, platform, level) for number, source in enumerate(sources, start=1)]


def parse_source(source: Source, number: int, platform: str | None = None, level: int = CURRENT_LEVEL) -> Command:
    """Parse one command that the lexer has cut out; a refusal is kept in it, not raised."""
    command = Command(number, source.line, source.text, source)
    try:
        _parse(command, platform, level)
    except Refused as refused:
        command.refused = refused
    if source.ignored:
        command.notes += source.ignored
        if command.refused is not None:
            command.refused.notes += source.ignored
    return command


def command_of(
    verb: str,
    object: str,
    name: str,
    keywords: Sequence[tuple[str, tuple[str, ...] | None]],
    platform: str | None = None,
    level: int = CURRENT_LEVEL,
) -> Command:
    """A command from its words, without a text: the name of its object, "" for none, and each keyword with its values,
    None for a keyword alone. Refused, as in a script."""
    command = Command(0, 0, "", _NOWHERE, verb=verb)
    items = [
        _Item(word, tuple(Token("text", value, 0, 0) for value in values or ()), values is not None, False, 0, 0)
        for word, values in ((object, (name,) if name else None), *keywords)
    ]
    _take(command, items, platform, level)
    return command


def _parse(command: Command, platform: str | None, level: int) -> None:
    source = command.source
    if source.pending:
        raise Refused(8406, "no-line-follows", len(source.text), sign=source.pending)
    tokens = read_tokens(source.text)
    if not tokens:
        raise Refused(8405, "nothing-to-run", 0)
    _require_verb(command, tokens)
    if tokens[-1].sort == "unended":
        raise Refused(8405, "quote-never-closed", tokens[-1].position, start=_shorten(tokens[-1].value))
    _take(command, _items(tokens[1:], command), platform, level)


def _take(command: Command, items: list[_Item], platform: str | None, level: int) -> None:
    """Let a command have what its words say: the object, with its name, and the keywords."""
    items = _require_object(command, items)
    row = catalog.KINDS[command.object]
    whose = "DISPLAY" if row.rows is None else "DEFINE"  # the command that the platforms of a kind are of
    if command.verb == whose or platform in row.platforms:
        _require(command, items[0].position, row, platform, level, "keeps it anyway" if row.rows else "")
    chltype = _channel_type(command, items)
    rules = grammar(command.verb, command.object, chltype)
    assert rules is not None, "the verb acts on this sort of object"
    if rules.had is not None:
        _require(command, items[0].position, rules.had, platform, level)
    command.kind = "CLNTCONN" if chltype == "CLNTCONN" else rules.kind
    _take_name(command, items[0], rules)
    _Keywords(command, rules, platform, level).take(items[1:])
    _require_needed(command, rules)


def _require_verb(command: Command, tokens: list[Token]) -> None:
    first = tokens[0]
    verb = catalog.verb_word(first.value) if first.sort == "word" else None
    if verb is None:
        from . import advice

        refused = _advised(advice.for_verb(first.value, command.text[first.end :]), first.position)
        lines = [number for number, _ in command.source.written]
        if len(lines) > 1:
            together = f"line {lines[0]} ends with + or -, so it was read together with the lines up to {lines[-1]}"
            refused.notes.append(together)
        raise refused
    command.verb = verb


def _items(tokens: list[Token], command: Command) -> list[_Item]:
    """Group tokens into keywords and their parentheses."""
    items: list[_Item] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.sort in _STRAY:
            raise Refused(8405, _STRAY[token.sort], token.position)
        if token.sort == "text":
            raise Refused(8405, "outside-parentheses", token.position, text=_shorten(repr(token.value)))
        if position + 1 < len(tokens) and tokens[position + 1].sort == "(":
            item, position = _with_values(tokens, position)
        else:
            item, position = _Item(token.value, (), False, False, token.position, token.end), position + 1
        if items and items[-1].enclosed and items[-1].end == item.position:
            command.notes.append(f"no blank before {item.word}: outside z/OS the rules ask for one")
        items.append(item)
    return items


def _with_values(tokens: list[Token], start: int) -> tuple[_Item, int]:
    """The keyword at `start` with the text in its parentheses, and the position after it."""
    values: list[Token] = []
    keyword, depth, nested = tokens[start], 1, False
    for position in range(start + 2, len(tokens)):
        token = tokens[position]
        if token.sort in ("(", ")"):
            depth += 1 if token.sort == "(" else -1
            nested = nested or depth > 1
            if depth == 0:
                return _Item(keyword.value, tuple(values), True, nested, keyword.position, token.end), position + 1
        values.append(token)
    first = 1 if keyword.value.upper() == "WHERE" else 0  # a filter begins with a keyword of its own
    if inside := _keyword_among(values[first:]):
        raise Refused(8405, "never-closed-before", keyword.position, keyword=keyword.value, following=inside.value)
    raise Refused(8405, "never-closed", keyword.position, keyword=keyword.value)


def _require_object(command: Command, items: list[_Item]) -> list[_Item]:
    """Find the sort of object (z/OS allows REPLACE and others before it); the items with it first."""
    able = objects_of(command.verb)
    if not items:
        raise Refused(8405, "no-object", len(command.text), verb=command.verb, objects=", ".join(able))
    for index, item in enumerate(items):
        name = catalog.object_word(item.word)
        if name in able:
            command.object = name
            return [item, *items[:index], *items[index + 1 :]]
        if item.word.upper() not in _BEFORE_OBJECT:
            break
    from . import advice

    raise _advised(advice.for_object(command.verb, item.word, able), item.position)


def _advised(advice: Advice, position: int) -> Refused:
    """The refusal of a word, with advice about it."""
    return Refused(8405, advice.case, position, **advice.fields)


def _channel_type(command: Command, items: list[_Item]) -> str | None:
    if command.object != "CHANNEL" or command.verb not in ("DEFINE", "ALTER"):
        return None
    types = [
        item.values[0].value.upper() for item in items[1:] if item.word.upper() == "CHLTYPE" and len(item.values) == 1
    ]
    return types[0] if types and types[0] in catalog.attributes("CHANNEL")["CHLTYPE"].values else None


def _take_name(command: Command, item: _Item, rules: Grammar) -> None:
    if not item.enclosed:
        if rules.how in ("-", "any", "free"):
            return
        raise Refused(8405, "name-in-parentheses", item.position, keyword=item.word, verb=command.verb)
    if rules.how == "-":
        raise Refused(8405, "takes-no-name", item.position, object=command.object, verb=command.verb)
    raw = _between(command, item)
    if item.nested:
        if inside := _keyword_among(item.values):
            raise Refused(8405, "closing-missing", inside.position, following=inside.value)
        _checked(lambda: catalog.check_name(command.object, raw.strip(" '\"")), item.position)
    if placeholder := _placeholder_in(command, item):
        from . import advice

        raise _advised(advice.unfilled(placeholder), item.position)
    if not item.values:
        raise Refused(8405, "no-name", item.position, keyword=item.word)
    _require_one(command, item, "name")
    command.name = _folded(item.values[0])
    generic = command.verb == "DISPLAY" or rules.how in ("any", "free", "generic")
    if patterned := catalog.KINDS.get(command.object, catalog.Kind("")).pattern_of:
        _checked(lambda: catalog.check_name(patterned, command.name.replace("*", "") or "ANY"), item.position)
    elif rules.how != "free":
        length_of = command.kind or command.object
        _checked(lambda: catalog.check_name(length_of, command.name, generic), item.position)


class _Keywords:
    """Takes the keywords of one command in turn."""

    def __init__(self, command: Command, rules: Grammar, platform: str | None, level: int):
        self.command, self.rules, self.platform, self.level = command, rules, platform, level
        self.seen: dict[str, str] = {}

    def take(self, items: list[_Item]) -> None:
        """Take them all, in the order of the text."""
        for place, item in enumerate(items):
            following = items[place + 1].word if place + 1 < len(items) else ""
            keyword = self._known(item, following)
            if keyword in self.seen:
                case = "twice" if self.seen[keyword] == item.word.upper() else "twice-as"
                raise Refused(8411, case, item.position, keyword=item.word, earlier=self.seen[keyword])
            self.seen[keyword] = item.word.upper()
            attribute = self.rules.options.get(keyword) or self.rules.attributes[keyword]
            sets = self.command.verb in ("DEFINE", "ALTER") and keyword not in self.rules.options
            _require(self.command, item.position, attribute, self.platform, self.level, "leaves it out" if sets else "")
            self._take(item, attribute)
        where, chosen = self.command.where, {**self.command.attributes, **self.command.options}
        if where is not None and where.keyword in chosen:
            raise Refused(8569, "chosen-already", keyword=where.keyword, value=chosen[where.keyword])

    def _of_level(self, attribute: Attribute, tokens: Sequence[Token]) -> Attribute:
        """The attribute as the queue manager has it; a value that only others have is refused."""
        for token in tokens:
            for word in attribute.marked:
                if word.keyword == token.value.strip().upper():
                    word = replace(word, keyword=f"{attribute.keyword}({word.keyword})")
                    _require(self.command, token.position, word, self.platform, self.level)
        return attribute if self.platform is None else attribute.of(self.platform, self.level)

    def _known(self, item: _Item, following: str) -> str:
        upper = item.word.upper()
        if upper in self.rules.spelled:
            return self.rules.spelled[upper]
        command, verb_and_object = self.command, f"{self.command.verb} {self.command.object}"
        if command.object == "CHANNEL" and upper in catalog.spelled("CHANNEL"):
            types = catalog.attributes("CHANNEL")["CHLTYPE"].values
            able = ", ".join(chltype for chltype in types if upper in catalog.spelled("CHANNEL", chltype))
            raise Refused(8405, "other-channel-types", item.position, keyword=item.word, types=able)
        if commands := catalog.goes_with(upper):
            fields = {"commands": ", ".join(commands), "command": verb_and_object}
            raise Refused(8405, "other-commands", item.position, keyword=item.word, **fields)
        from . import advice

        raise _advised(advice.for_keyword(verb_and_object, item.word, following, self.rules.spelled), item.position)

    def _take(self, item: _Item, attribute: Attribute) -> None:
        command, keyword = self.command, attribute.keyword
        option = keyword in self.rules.options
        if keyword == "WHERE" and option:
            command.where = where = _where(command, item, self.rules)
            compared = self.rules.attributes.get(where.keyword) or self.rules.options[where.keyword]
            _require(command, item.values[0].position, compared, self.platform, self.level)
            self._of_level(compared, item.values[2:])
            return
        if not item.enclosed:
            self._alone(item, attribute, option)
            return
        if attribute.shape == "flag":
            raise Refused(8405, "flag", item.position, keyword=keyword)
        if command.verb == "DISPLAY" and "ALL" in self.rules.options and not attribute.picks:
            raise Refused(8405, "asked-for-alone", item.position, keyword=keyword)
        if not attribute.settable and command.verb != "DISPLAY":
            raise Refused(8405, "only-displayed", item.position, keyword=keyword)
        if attribute.only_define and command.verb == "ALTER" and keyword not in ("CHLTYPE", "AUTHTYPE"):
            raise Refused(8405, "fixed", item.position, keyword=keyword)
        self._keep(attribute, option, self._value(item, attribute))

    def _alone(self, item: _Item, attribute: Attribute, option: bool) -> None:
        command, keyword, upper = self.command, attribute.keyword, item.word.upper()
        if command.verb == "DISPLAY" and not (option and attribute.shape == "flag"):
            command.wanted += (keyword,)
        elif attribute.shape == "flag":
            if not attribute.settable and command.verb != "DISPLAY":
                raise Refused(8405, "flag-only-displayed", item.position, keyword=keyword)
            self._keep(attribute, option, upper == keyword or not upper.startswith("NO"))
        else:
            case = "needs-name-to-copy" if keyword == "LIKE" else "needs-value"
            raise Refused(8405, case, item.position, keyword=item.word, wanted=attribute.wanted())

    def _keep(self, attribute: Attribute, option: bool, value: object) -> None:
        (self.command.options if option else self.command.attributes)[attribute.keyword] = value

    def _value(self, item: _Item, attribute: Attribute) -> object:
        command = self.command
        word, raw = item.word, _between(command, item)
        if placeholder := _placeholder_in(command, item, attribute):
            from . import advice

            raise _advised(advice.unfilled(placeholder, f"{word}: "), item.position)
        if item.nested:
            raise Refused(8405, "nested", item.position, keyword=word, value=_shorten(raw), quoted=raw.strip())
        if not item.values and attribute.shape != "names":
            raise Refused(8405, "no-value", item.position, keyword=word, wanted=attribute.wanted())
        texts = [_folded(token) for token in item.values]
        attribute = self._of_level(attribute, item.values)
        if attribute.shape in ("names", "words"):
            return _checked(lambda: attribute.check(texts), item.position)
        _require_one(command, item, "value")
        if command.verb == "DISPLAY" and attribute.picks and attribute.shape != "choice" and texts[0].endswith("*"):
            stem = texts[0][:-1]  # a generic value, or * for any
            return f"{_checked(lambda: attribute.check(stem), item.position) if stem else ''}*"
        if command.verb == "DISPLAY" and command.kind and texts[0] == "ALL" and "RESOLVED" not in attribute.values:
            return "ALL"  # every TYPE and such, as if not chosen by it
        if attribute.keyword == "APPLTYPE" and texts[0] == "DEF":
            return catalog.defaults("PROCESS", self.platform or "distributed")["APPLTYPE"]
        return _checked(lambda: attribute.check(texts[0]), item.position)


def _require(
    command: Command, position: int, row: Word | Kind, platform: str | None, level: int, but: str = ""
) -> None:
    """Refuse what only a higher level or another platform has; of the platform only note it if the lab does `but`."""
    since = row.since_on(platform or "zos") if isinstance(row, Word) else row.since
    if platform is None or (platform in row.platforms and level >= since):
        return
    if platform not in row.platforms:
        theirs, ours = ({"zos": "z/OS", "vse": "VSE"}.get(each, each) for each in (row.platforms[0], platform))
        if but:
            subject = f"{row.keyword} is for {' and '.join(row.platforms)} queue managers"
            command.notes.append(f"{subject}; a {platform} one would refuse it, and the lab {but}")
            command.case, command.subject = command.case or "platform", command.subject or subject
            return
        raise Refused(8405, "platform", position, keyword=row.keyword, theirs=theirs, ours=ours)
    raise Refused(8405, "level", position, keyword=row.keyword, since=since, level=level)


def _require_needed(command: Command, rules: Grammar) -> None:
    """Check the keywords that DEFINE, REFRESH QMGR and RESET QMGR require."""
    require_shape(command)
    kind, other = command.kind, _IDENTIFIED_BY.get(command.kind)
    if other is not None and not command.name and other not in {**command.options, **command.attributes}:
        position = command.text.upper().find(kind)
        raise Refused(8405, "name-or-other", position, kind=kind, other=other, verb=command.verb)
    if command.verb != "DEFINE" or "LIKE" in command.options:
        return
    for keyword, attribute in rules.attributes.items():
        if attribute.needed and keyword not in command.attributes:
            subject, wanted = f"DEFINE {command.object}", attribute.wanted()
            raise Refused(8421, "needs-one-of", len(command.text), command=subject, keywords=keyword, wanted=wanted)
    sorts = {command.attributes.get("AUTHTYPE"), command.attributes.get("TRPTYPE")}
    for keyword, value in command.attributes.items():
        only = rules.attributes[keyword].only_of
        if only and not sorts.intersection(only) and value != rules.attributes[keyword].default:
            fields = {"object": command.object, "keyword": keyword, "types": ", ".join(only)}
            raise Refused(8405, "only-of", command.text.upper().find(keyword), **fields)
    if command.name.startswith("SYSTEM.DEF"):  # the SYSTEM defaults are blank here, and dmpmqcfg writes blanks
        return
    for keyword in catalog.AUTHINFO_NEEDS.get(command.attributes.get("AUTHTYPE", ""), ()):
        if not command.attributes.get(keyword):
            fields = {"type": command.attributes["AUTHTYPE"], "keyword": keyword}
            raise Refused(8421, "authtype-needs", len(command.text), **fields)
    for keyword in catalog.CHANNEL_NEEDS.get(command.attributes.get("CHLTYPE", ""), ()):
        if not command.attributes.get(keyword):
            number, case = {"CONNAME": (8214, "no-conname"), "XMITQ": (8215, "no-xmitq")}[keyword]
            raise Refused(number, case, len(command.text), type=command.attributes["CHLTYPE"])


def _require_one(command: Command, item: _Item, what: str) -> None:
    """Refuse parentheses that hold more than one value, saying what the writer may have meant."""
    if len(item.values) == 1:
        return
    raw = _between(command, item)
    fields: dict[str, object] = {"keyword": item.word, "value": _shorten(raw)}
    if "''" in raw:
        raise Refused(8405, "two-apostrophes", item.values[0].position, **fields)
    fields |= {"what": what, "count": len(item.values)}
    if all(t.value.isdigit() for t in item.values):
        raise Refused(8405, "several-numbers", item.position, digits="".join(t.value for t in item.values), **fields)
    if any(t.sort == "text" for t in item.values):
        raise Refused(8405, "quote-in-the-middle", item.position, **fields)
    if inside := _keyword_among(item.values[1:]):
        raise Refused(8405, "several-values-before", item.position, following=inside.value, **fields)
    raise Refused(8405, "several-values", item.position, **fields)


def _where(command: Command, item: _Item, rules: Grammar) -> Where:
    """Read WHERE(keyword operator value): one condition of three parts."""
    # other than three parts are a syntax error (AMQ8405); a keyword, operator, or value that does not go with the
    # others is an error in the filter (AMQ8569)
    values = item.values
    if item.nested or len(values) != 3:
        at = values[3].position if len(values) > 3 else item.position
        got = _shorten(_between(command, item)) if values else "nothing"
        raise Refused(8405, "one-condition", at, got=got)
    keyword, operator = rules.spelled.get(values[0].value.upper()), values[1].value.upper()
    if keyword is None or operator not in _OPERATORS:
        wrong = values[0] if keyword is None else values[1]
        guess = catalog.nearest(wrong.value, rules.spelled if keyword is None else _OPERATORS)
        case = "filter-keyword" if keyword is None else "filter-operator"
        fields = {"word": wrong.value, "operators": ", ".join(_OPERATORS), "near": guess}
        raise Refused(8405, f"{case}-but-near" if guess else case, wrong.position, **fields)
    if keyword in _CHOICES or keyword in _NO_FILTER.split():
        raise Refused(8569, "not-compared", values[0].position, keyword=keyword)
    attribute = rules.attributes.get(keyword) or rules.options[keyword]
    text = _folded(values[2])
    shape, able = _SHAPES[attribute.shape]
    if operator not in able:
        fields = {"keyword": keyword, "shape": shape, "operators": ", ".join(able), "operator": operator}
        raise Refused(8569, "other-operators", values[1].position, **fields)
    if operator in ("LK", "NL", "CTG", "EXG") and "*" in text[:-1]:
        raise Refused(8569, "asterisk", values[2].position, value=text)
    if operator in _OPERATORS[6:]:
        return Where(keyword, operator, text)
    if attribute.shape == "flag":
        if text.upper() not in ("YES", "NO"):
            fields = {"keyword": keyword, "operator": operator, "value": text}
            raise Refused(8569, "yes-or-no", values[2].position, **fields)
        return Where(keyword, operator, text.upper() == "YES")
    return Where(keyword, operator, _checked(lambda: attribute.check(text), values[2].position, 8569))


def _keyword_among(tokens: Sequence[Token]) -> Token | None:
    """Return the first of these tokens that is a keyword of some kind of object, or REPLACE, LIKE, or WHERE."""
    known = {"REPLACE", "LIKE", "WHERE"}.union(*map(catalog.spelled, catalog.kinds()))
    return next((token for token in tokens if token.sort == "word" and token.value.upper() in known), None)


def _between(command: Command, item: _Item) -> str:
    """The text between an item's parentheses, as written."""
    if not command.text:
        return ",".join(token.value for token in item.values)
    return command.text[command.text.index("(", item.position) + 1 : item.end - 1]


def _placeholder_in(command: Command, item: _Item, attribute: Attribute | None = None) -> str | None:
    """A template's placeholder between an item's parentheses, None if there is none or the command is of no script."""
    raw = _between(command, item)
    if not command.number or not any(c in raw for c in "{$%<@"):
        return None
    from . import advice

    free = "" if attribute is None or not attribute.free else "prose" if attribute.keyword == "DESCR" else "shell"
    if all(token.sort != "text" for token in item.values):
        return advice.placeholder(raw, quoted=False)
    each = (advice.placeholder(token.value, token.sort == "text", free) for token in item.values)
    return next(filter(None, each), None)


def _folded(token: Token) -> str:
    """The value of a token: upper case unless it was quoted."""
    return token.value if token.sort == "text" else token.value.upper()


def _checked(check: Callable[[], Value], position: int, number: int | None = None) -> Value:
    """Call a check of the catalog; its refusal as a command's."""
    try:
        return check()
    except catalog.CatalogError as error:
        number = number or _NUMBERS.get(error.sort, 8405)
        raise Refused(number, "in-words", position, words=str(error)) from error


def _shorten(text: str) -> str:
    """The text on one line of at most 50 characters."""
    text = " ".join(text.split())
    return text if len(text) <= 50 else text[:47] + "..."
