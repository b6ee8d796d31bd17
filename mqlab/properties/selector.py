"""Selection strings: MQ's subset of SQL92 conditions on message properties and fields of the descriptor.

Comparisons have three results: true, false, and unknown (None) if a value is missing. A comparison of values of
different types is false, and integers and floating-point numbers are of one type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.errors import LabError
from ..engine.words.patterns import between_gaps
from ..engine.words.refusals import Grounds

Lookup = Callable[[str], Any]
"""From the name of a property to its value: str, int, float, bool, bytes, or None if the message has no such value."""

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<text>'(?:[^']|'')*')
      | (?P<bytes>"0[xX][^"]*"|0[xX]\w*)
      | (?P<float>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.$])|\d+[eE][+-]?\d+(?![\w.$]))
      | (?P<int>\d+[lL]?(?![\w.$]))
      | (?P<name>[^\W\d][\w$.]*|\$[\w$.]*)
      | (?P<sign><>|<=|>=|[=<>+*/(),-])
      | (?P<end>$)
    )""",
    re.VERBOSE,
)
WORDS = frozenset({"NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE"})
"""The words that no property may be called, in whatever case."""
_ORDERINGS = ("<", "<=", ">", ">=")
_DEEPEST = 50


class SelectorError(LabError):
    """A selection string whose syntax is wrong."""


class Mismatch(Exception):
    """A comparison of values whose types do not fit: it is false."""


class Node(NamedTuple):
    """A part of a selector: the type of its value ("any" for a property), and how to find the value."""

    sort: str
    value: Callable[[Lookup], Any]


class Selector:
    """A selection string that was checked: its `text`, and the `names` of the properties in it."""

    def __init__(self, text: str, names: frozenset[str], node: Node):
        self.text, self.names, self._node = text, names, node
        self.timed = any("Exp" in name for name in names)  # whether time can change what it selects

    def matches(self, lookup: Lookup) -> bool:
        """Whether a message is selected; `lookup` gives the values of its properties by name."""
        return _truth(self._node, lookup) is True

    def none_of(self, depth: int) -> Grounds:
        """Why a get finds none of so many messages (2033)."""
        return Grounds(mq.MQRC_NO_MSG_AVAILABLE, "not-selected", {"depth": depth, "selector": f"{self.text!r:.200}"})

    @property
    def always_false(self) -> bool:
        """Whether no message can be selected, because no property is in it and it is not true."""
        return not self.names and not self.matches(lambda name: None)

    def __repr__(self) -> str:
        return f"Selector({self.text!r})"


def parse(text: str) -> Selector:
    """Read a selection string; SelectorError if its syntax is wrong.

    >>> parse("color IN ('red', 'blue') AND weight / 2 > 5").matches({"color": "red", "weight": 14}.get)
    True
    >>> parse("color = 'red' OR NOT color = 'red'").matches({}.get)
    False
    """
    require("selector", text, str, "text such as \"color = 'red'\"")
    return _Reader(text).whole()


selector_of = lru_cache(1000)(parse)
"""As `parse`, for a selector that is used again and again."""


class _Reader:
    """Reads one selection string from left to right, by the precedence of its operators."""

    def __init__(self, text: str):
        self.text, self.at, self.depth, self.names = text, 0, 0, set[str]()
        self.sort = self.word = ""
        self.step()

    def step(self) -> None:
        """Go to the next token."""
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            self.fail(f"at character {self.at + 1}: {self.text[self.at : self.at + 20]!r}")
        self.begun, self.at = self.at, match.end()
        self.sort = match.lastgroup or ""
        self.word = match[self.sort]

    def fail(self, problem: str) -> NoReturn:
        raise SelectorError(f"the selector {self.text!r:.200} is wrong: {problem}")

    def taken(self, *words: str) -> str:
        """The next token in capitals if it is one of these, and go on; else ""."""
        word = self.word.upper() if self.sort in ("name", "sign") else ""
        if word not in words:
            return ""
        self.step()
        return word

    def require(self, word: str) -> None:
        if not self.taken(word):
            self.fail(f"{word} was wanted, and {repr(self.word) if self.word else 'its end'} found")

    def whole(self) -> Selector:
        node = self.boolean(self.alternatives())
        if self.sort != "end":
            self.fail(f"{self.word!r} after its end")
        return Selector(self.text, frozenset(self.names), node)

    def boolean(self, node: Node) -> Node:
        if node.sort not in ("bool", "any"):
            self.fail("a value where a condition was wanted")
        return node

    def alternatives(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail(f"more than {_DEEPEST} levels of parentheses and NOT")
        nodes = [self.all_of()]
        while self.taken("OR"):
            nodes.append(self.all_of())
        self.depth -= 1
        return self.joined(nodes, True)

    def all_of(self) -> Node:
        nodes = [self.negated()]
        while self.taken("AND"):
            nodes.append(self.negated())
        return self.joined(nodes, False)

    def joined(self, nodes: list[Node], decisive: bool) -> Node:
        """OR of conditions, where True decides, or AND, where False does."""
        if len(nodes) == 1:
            return nodes[0]
        parts = [self.boolean(node) for node in nodes]

        def value(lookup: Lookup) -> bool | None:
            result: bool | None = not decisive
            for part in parts:
                truth = _truth(part, lookup)
                if truth is decisive:
                    return decisive
                result = None if truth is None else result
            return result

        return Node("bool", value)

    def negated(self) -> Node:
        odd = False
        while self.taken("NOT"):
            odd = not odd
        node = self.condition()
        if not odd:
            return node
        self.boolean(node)
        return Node("bool", lambda lookup: _opposite(_truth(node, lookup)))

    def condition(self) -> Node:
        left = self.sum()
        if sign := self.taken("=", "<>", *_ORDERINGS):
            return self.comparison(left, sign, self.sum())
        if self.taken("IS"):
            present = bool(self.taken("NOT"))
            self.require("NULL")
            self.named(left, "IS NULL")
            return Node("bool", lambda lookup: (left.value(lookup) is not None) is present)
        odd = bool(self.taken("NOT"))
        word = self.taken("BETWEEN", "IN", "LIKE")
        if not word:
            if odd:
                self.fail("NOT where BETWEEN, IN or LIKE was wanted after it")
            return left
        node = {"BETWEEN": self.between, "IN": self.among, "LIKE": self.like}[word](left)
        return Node("bool", lambda lookup: _opposite(_truth(node, lookup))) if odd else node

    def named(self, node: Node, what: str) -> None:
        if node.sort != "any":
            self.fail(f"{what} of something that is no property")

    def comparison(self, left: Node, sign: str, right: Node) -> Node:
        sorts = {left.sort, right.sort} - {"any"}
        if len(sorts) > 1 or (sign in _ORDERINGS and sorts - {"number"}):
            self.fail(f"{sign} of {' and '.join(sorted({left.sort, right.sort}))}")
        return Node("bool", lambda lookup: _compared(left.value(lookup), sign, right.value(lookup)))

    def between(self, middle: Node) -> Node:
        low = self.number(self.sum())
        self.require("AND")
        high = self.number(self.sum())
        self.number(middle)

        def value(lookup: Lookup) -> bool | None:
            one = _compared(low.value(lookup), "<=", middle.value(lookup))
            other = _compared(middle.value(lookup), "<=", high.value(lookup))
            return False if one is False or other is False else None if None in (one, other) else True

        return Node("bool", value)

    def among(self, left: Node) -> Node:
        self.named(left, "IN")
        self.require("(")
        wanted = [self.literal_text()]
        while self.taken(","):
            wanted.append(self.literal_text())
        self.require(")")
        return Node("bool", lambda lookup: _of_text(left.value(lookup), wanted.__contains__))

    def like(self, left: Node) -> Node:
        self.named(left, "LIKE")
        pattern, escape = self.literal_text(), ""
        if self.taken("ESCAPE"):
            escape = self.literal_text()
            if len(escape) != 1:
                self.fail(f"ESCAPE {escape!r}, which is not one character")
        compiled = self.pattern(pattern, escape)
        return Node("bool", lambda lookup: _of_text(left.value(lookup), lambda text: bool(compiled.fullmatch(text))))

    def pattern(self, pattern: str, escape: str) -> re.Pattern[str]:
        """Compile a pattern of LIKE: ``%`` is any text, ``_`` one character; ``escape`` makes the next one literal."""
        pieces, letters = [""], iter(pattern)
        for letter in letters:
            if letter == escape:
                letter = next(letters, "")
                if letter not in ("%", "_", escape):
                    self.fail(f"ESCAPE {escape!r} before something other than % or _")
                pieces[-1] += re.escape(letter)
            elif letter == "%":
                pieces.append("")
            else:
                pieces[-1] += "." if letter == "_" else re.escape(letter)
        return between_gaps(pieces)

    def literal_text(self) -> str:
        if self.sort != "text":
            self.fail(f"{repr(self.word) if self.word else 'its end'} where text in single quotation marks was wanted")
        found = self.word[1:-1].replace("''", "'")
        self.step()
        return found

    def number(self, node: Node) -> Node:
        if node.sort not in ("number", "any"):
            self.fail(f"{node.sort} where a number was wanted")
        return node

    def sum(self) -> Node:
        return self.chain(self.product, ("+", "-"))

    def product(self) -> Node:
        return self.chain(self.signed, ("*", "/"))

    def chain(self, part: Callable[[], Node], signs: Iterable[str]) -> Node:
        first, rest = part(), []
        while sign := self.taken(*signs):
            self.number(first)
            rest.append((sign, self.number(part())))
        if not rest:
            return first

        def value(lookup: Lookup) -> Any:
            result = _number(first.value(lookup))
            for sign, node in rest:
                result = _calculated(result, sign, _number(node.value(lookup)))
            return result

        return Node("number", value)

    def signed(self) -> Node:
        negative = signs = False
        while sign := self.taken("+", "-"):
            signs, negative = True, negative is not (sign == "-")
        node = self.primary()
        if not signs:
            return node
        self.number(node)
        factor = -1 if negative else 1
        return Node("number", lambda lookup: _calculated(factor, "*", _number(node.value(lookup))))

    def primary(self) -> Node:
        sort, word = self.sort, self.word
        if self.taken("("):
            node = self.alternatives()
            self.require(")")
            return node
        if sort == "text":
            text = self.literal_text()
            return Node("text", lambda lookup: text)
        if sort == "name" and word.upper() in ("TRUE", "FALSE"):
            self.step()
            return Node("bool", lambda lookup: word.upper() == "TRUE")
        if sort == "name" and word.upper() not in WORDS and ".." not in word and word[-1] != ".":
            self.step()
            self.names.add(word)
            return Node("any", lambda lookup: lookup(word))
        if sort in ("int", "float"):
            if sort == "int" and (len(word) > 20 or int(word.rstrip("lL")) > 2**63):
                self.fail(f"{word:.40}, which has more than 64 bits")
            number = float(word) if sort == "float" else int(word.rstrip("lL"))
            self.step()
            return Node("number", lambda lookup: number)
        if sort != "bytes":
            self.fail(f"{repr(word) if word else 'its end'} where a value was wanted")
        digits = word.strip('"')[2:]
        if len(digits) % 2 or not re.fullmatch("[0-9a-fA-F]+", digits):
            self.fail(f"{word:.40}, which has no pairs of hexadecimal digits after 0x")
        self.step()
        return Node("bytes", lambda lookup: bytes.fromhex(digits))


def _truth(node: Node, lookup: Lookup) -> bool | None:
    """The truth of a condition; a property that is no boolean is a condition that is false."""
    try:
        result = node.value(lookup)
    except Mismatch:
        return False
    return result if result is None or type(result) is bool else False


def _opposite(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _sort(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, (int, float)) else "text" if isinstance(value, str) else "bytes"


def _compared(left: Any, sign: str, right: Any) -> bool | None:
    if left is None or right is None:
        return None
    sort = _sort(left)
    if sort != _sort(right) or (sign in _ORDERINGS and sort != "number"):
        return False
    if sign in ("=", "<>"):
        return (left == right) is (sign == "=")
    low, high = (left, right) if sign[0] == "<" else (right, left)
    return bool(low <= high if len(sign) == 2 else low < high)


def _of_text(value: Any, fits: Callable[[str], bool]) -> bool | None:
    return None if value is None else isinstance(value, str) and fits(value)


def _number(value: Any) -> Any:
    if value is not None and _sort(value) != "number":
        raise Mismatch
    return value


def _calculated(left: Any, sign: str, right: Any) -> Any:
    if left is None or right is None or (sign == "/" and right == 0):
        return None
    exact = isinstance(left, int) and isinstance(right, int)
    try:
        if sign == "/" and exact:
            return abs(left) // abs(right) * (1 if (left < 0) is (right < 0) else -1)
        return {"+": left + right, "-": left - right, "*": left * right}[sign] if sign != "/" else left / right
    except OverflowError:
        return None
