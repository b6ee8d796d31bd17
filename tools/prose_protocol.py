"""Find code that reads text which was written for people: `python tools/prose_protocol.py [FOLDER]`; exit 1 if there is
more of it than BOUNDS allow.

The package is read as one program. A text for people starts as a sentence in the code (a literal or an f-string with
words), as a template that is filled in, as the text of an exception, as a docstring, or as JSON in a column of the log;
it flows through names, parameters, results, fields of classes, keys of dictionaries, and columns of Spark. Nothing
depends on how these are spelled, nor on the folder that they are in: what is known of a field is known of its class.
Where the class of an object is not known, a field counts if most fields of that name hold sentences. The columns with
JSON are those that the table of columns in the code calls so.

A reader is a use that depends on the words: a string method of READING, a slice, a comparison or lookup with a phrase,
a regular expression, a LIKE of SQL. A rightful reader, of what is nobody's sentence (what a user wrote, the output of
another program), says whose text it is: `# text: WHOSE` on one of its lines, or on the line of its function's `def`.
A field that holds any text there is, such as a parameter of PCF, has `# any text: WHOSE` where it is declared.
"""

from __future__ import annotations

import argparse
import ast
import gc
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGINE = _words("""
    engine
""")
BOUNDS = {"engine": 0, "all": 7, "excused": 29}
"""How many readers there may be in the rooms of the engine, in all, and with a comment that says whose text it is.
Lower a number with each reader that goes; the aim is none in the engine, and 20 in all, each with its reason."""

READING = _words("""
    startswith endswith partition rpartition split rsplit splitlines replace removeprefix removesuffix find
    rfind index rindex count translate isdecimal isdigit islower isupper
""")
MATCHING = _words("""
    match search fullmatch findall finditer sub subn split
""")
KEEPING = _words("""
    strip lstrip rstrip lower upper capitalize title casefold format ljust rjust expandtabs
""")
HANDING_ON = _words("""
    str sorted list tuple set reversed iter next max min visible repr cast deque frozenset
""")
SPARK = _words("""
    startswith endswith contains like rlike ilike substr
""")
SQL_FUNCTIONS = _words("""
    regexp_extract regexp_replace regexp_like instr locate split substring like rlike
""")
MARK = re.compile(r"(#|//) text: \S")
CARRIES = re.compile(r"# any text: \S")
_SQL = re.compile(r"(\w+)[`)]*\s+(?:NOT\s+)?(?:I?LIKE|RLIKE|REGEXP)\s+['\"{:?$]", re.IGNORECASE)
_AS = re.compile(r"(\w+)[`)]*(?:\s*,\s*'\$?\.?(\w+)'\s*\))?\s+AS\s+`?(\w+)", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:^|[a-z{},]) (?:[a-z]+ )*[a-z]{2,}")
_CODE = re.compile(r"[<>=|\\\n]|; ?$|\bself\b|\bSELECT\b|\bLIKE\b|[a-z_]\(|[a-z]\.[a-z]")
_MARKUP = re.compile(r"</?\w|\w>")

Slot = tuple  # a place that holds values: see _slots of _Program
WORDS, ERROR, DOC, OBJECT = ("source", "words"), ("source", "error"), ("source", "doc"), ("source", "exception")
_SORTS = {WORDS: "words", ERROR: "error", DOC: "doc", OBJECT: "exception"}
_JSON = re.compile(r"^(\w+) *\| *string *\| *JSON\b", re.MULTILINE)
_OF_CONTAINERS = _words("""
    append add extend insert update get pop setdefault items values keys copy join
""")
_BUILTIN = _words("""
    str int float bool bytes bytearray complex Decimal Path Pattern
""")
_SEQUENCES = _words("""
    list tuple set frozenset Iterable Iterator Sequence Generator deque Collection List Set AbstractSet
""")
_MAPS = _words("""
    dict Mapping defaultdict OrderedDict MutableMapping Counter
""")


class Type(NamedTuple):
    """The kind of an expression: a class of the package or a builtin one, a sequence, or a map; with what it holds."""

    name: str  # "class", "seq", "map", "tuple", or a builtin name
    of: Any = None


class Finding(NamedTuple):
    """A reader: where, in which function, what sort of text it reads, the code, and whether a comment excuses it."""

    path: str
    line: int
    function: str
    sort: str
    code: str
    excused: bool

    def __str__(self) -> str:
        mark = " (excused)" if self.excused else ""
        return f"{self.path}:{self.line}: {self.function}: {self.sort}{mark}: {self.code}"


class _Class:
    """A class of the package: its fields with their types, its methods, and its bases by name."""

    def __init__(self, module: _Module, node: ast.ClassDef):
        self.module, self.node, self.name = module, node, node.name
        self.id = f"{module.name}:{node.name}"
        self.bases: list[_Class] = []
        self.subclasses: list[_Class] = []
        self.methods: dict[str, _Function] = {}
        self.fields: dict[str, Type | None] = {}
        self.order: list[str] = []  # of a dataclass or named tuple
        self.carried: set[str] = set()  # fields of what carries any text there is

    def line(self) -> Iterator[_Class]:
        """The class and its ancestors."""
        yield self
        for base in self.bases:
            yield from base.line()

    def descendants(self) -> Iterator[_Class]:
        """The class and all that derive from it."""
        yield self
        for other in self.subclasses:
            yield from other.descendants()

    def is_error(self) -> bool:
        """Whether it is an exception."""
        return any(
            ast.unparse(base).endswith(("Error", "Exception", "Warning"))
            for each in self.line()
            for base in each.node.bases
        )


class _Function:
    """A function of the package, with its parameters in order."""

    def __init__(self, module: _Module, node: Any, owner: _Class | None, name: str):
        self.module, self.node, self.owner, self.name = module, node, owner, name
        self.id = f"{module.name}:{owner.name + '.' if owner else ''}{name}@{getattr(node, 'lineno', 0)}"
        decorators = {ast.unparse(each).split("(")[0].split(".")[-1] for each in getattr(node, "decorator_list", ())}
        self.is_property = bool(decorators & {"property", "cached_property"})
        names: list[ast.arg] = []
        if not isinstance(node, ast.Module):
            names = [*node.args.posonlyargs, *node.args.args]
            if owner is not None and "staticmethod" not in decorators:
                names = names[1:]
        self.parameters = [each.arg for each in names]
        self.types: dict[str, Type | None] = {}


class _Module:
    """A module: its tree, its names from elsewhere, its classes and functions."""

    def __init__(self, name: str, path: str, source: str):
        self.name, self.path, self.lines = name, path, source.splitlines()
        self.package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
        self.tree = ast.parse(source)
        top: list[ast.AST] = []
        self.nodes: dict[ast.AST, list[ast.AST]] = {self.tree: top}
        _gather(self.tree, top, self.nodes, None)
        self.imported: dict[str, tuple[str, str]] = {}  # name -> (module, name there)
        self.classes: dict[str, _Class] = {}
        self.functions: dict[str, _Function] = {}
        self.globals: dict[str, Type | None] = {}
        self.constants: dict[str, object] = {}

    def source_of(self, node: ast.ImportFrom) -> str:
        """The module that an import names, without the name of the package."""
        if not node.level:
            return (node.module or "").removeprefix("mqlab").removeprefix(".")
        parts = self.package.split(".") if self.package else []
        parts = parts[: len(parts) - (node.level - 1)]
        return ".".join([*parts, *([node.module] if node.module else [])])


class Reader(NamedTuple):
    """A use that depends on the words of what comes from `slots`."""

    node: Any
    function: _Function
    slots: tuple[Slot, ...]
    symbol: Slot | None  # the constant that it is compared with
    sort: str  # "" follows from where the text comes from


class Program:
    """The modules under a folder as one program: what flows where, and who reads it."""

    def __init__(self, root: Path, more: Iterable[Path] = ()):
        self.modules: dict[str, _Module] = {}
        self._annotated: dict[int, Type | None] = {}
        self.by_name: defaultdict[str, list[_Class]] = defaultdict(list)
        self.methods: defaultdict[str, list[_Function]] = defaultdict(list)
        self.owners: defaultdict[str, list[_Class]] = defaultdict(list)  # field -> classes that have it
        self.edges: defaultdict[Slot, set[Slot]] = defaultdict(set)
        self.keyed: defaultdict[str, list[tuple[Slot, ...]]] = defaultdict(list)  # key -> what is written under it
        self.calls: dict[Slot, list[tuple[_Function, list[tuple[str, Any]]]]] = {}  # the result of one call
        self.json: list[tuple[_Class, str]] = []  # columns that a table of columns calls JSON
        self.readers: list[Reader] = []
        self.scripts: dict[str, str] = {}
        self.texts: list[tuple[ast.Constant, _Function]] = []
        gc.disable()  # nothing here is garbage
        files = [root] if root.is_file() else sorted(root.rglob("*.py"))
        for path in [*files, *more]:
            inside = path.relative_to(root) if path.is_relative_to(root) and path != root else Path(path.name)
            name = ".".join(inside.with_suffix("").parts).removesuffix("__init__").removesuffix(".")
            self.modules[name] = _Module(name, str(inside), path.read_text("utf-8"))
        if root.is_dir():
            self.scripts = {str(path.relative_to(root)): path.read_text("utf-8") for path in sorted(root.rglob("*.js"))}
        for module in self.modules.values():
            self._collect(module)
        self._link()
        for module in self.modules.values():
            module.globals = _Flow(self, next(self._functions_of(module))).learn()
        for module in self.modules.values():
            for function in self._functions_of(module):
                _Flow(self, function).run()
        self._pass_through()
        self.reached = self._reach()
        gc.enable()

    # what there is

    def _collect(self, module: _Module) -> None:
        for node in [each for own in module.nodes.values() for each in own]:
            if isinstance(node, ast.ImportFrom):
                source = module.source_of(node)
                for alias in node.names:
                    module.imported[alias.asname or alias.name] = (source, alias.name)
            elif isinstance(node, ast.ClassDef):
                owner = _Class(module, node)
                module.classes.setdefault(node.name, owner)
                self.by_name[node.name].append(owner)
                for each in node.body:
                    if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                        function = _Function(module, each, owner, each.name)
                        each._function = function  # type: ignore[union-attr]
                        if each.name in owner.methods:  # a setter, or an overload
                            function.is_property |= owner.methods[each.name].is_property
                        owner.methods[each.name] = function
                        self.methods[each.name].append(function)
        for node in module.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not hasattr(node, "_function"):
                node._function = _Function(module, node, None, node.name)  # type: ignore[union-attr]
                module.functions.setdefault(node.name, node._function)  # type: ignore[union-attr]
        for node in module.tree.body:
            match node:
                case ast.Assign([ast.Name(id)], ast.Constant(value)):
                    module.constants[id] = value
                case ast.Assign([ast.Tuple(names)], ast.Tuple(values)):
                    for name, given in zip(names, values, strict=False):
                        if isinstance(name, ast.Name) and isinstance(given, ast.Constant):
                            module.constants[name.id] = given.value

    def _link(self) -> None:
        """Bases, fields, and types, once all classes are known."""
        for owner in [each for group in self.by_name.values() for each in group]:
            for base in owner.node.bases:
                name = ast.unparse(base).split("[")[0].split(".")[-1]
                if (found := self.class_named(owner.module, name)) is not None and found is not owner:
                    owner.bases.append(found)
                    found.subclasses.append(owner)
            for each in owner.node.body:
                match each:
                    case ast.AnnAssign(ast.Name(id), annotation) if "ClassVar" not in ast.unparse(annotation):
                        owner.fields[id] = self.type_of(annotation, owner.module)
                        owner.order.append(id)
                        if CARRIES.search(owner.module.lines[each.lineno - 1]):
                            owner.carried.add(id)
                    case ast.AnnAssign(ast.Name(id), annotation):
                        owner.fields[id] = self.type_of(annotation, owner.module)
                    case ast.Assign([ast.Name(id)], _):
                        owner.fields[id] = None
        for owner in [each for group in self.by_name.values() for each in group]:
            for function in owner.methods.values():
                for node in owner.module.nodes[function.node]:
                    match node:
                        case ast.AnnAssign(ast.Attribute(ast.Name("self"), attr), annotation):
                            owner.fields[attr] = self.type_of(annotation, owner.module)
                        case ast.Assign(targets, value):
                            for target in targets:
                                self._of_self(owner, function, target, value)
        for module in self.modules.values():
            for name in _JSON.findall("\n".join(module.lines)):
                self.json += [(owner, name) for owner in module.classes.values() if name in owner.order]
        for owner in [each for group in self.by_name.values() for each in group]:
            for name in owner.fields:
                self.owners[name].append(owner)
            for name, method in owner.methods.items():
                if method.is_property:
                    self.owners[name].append(owner)

    def _of_self(self, owner: _Class, function: _Function, target: ast.AST, value: ast.AST) -> None:
        match target, value:
            case ast.Tuple(targets), ast.Tuple(values) if len(targets) == len(values):
                for one, other in zip(targets, values, strict=True):
                    self._of_self(owner, function, one, other)
            case ast.Tuple(targets), _:
                for one in targets:
                    self._of_self(owner, function, one, ast.Constant(None))
            case ast.Attribute(ast.Name("self"), attr), _:
                if CARRIES.search(owner.module.lines[target.lineno - 1]):
                    owner.carried.add(attr)
                if owner.fields.get(attr) is None:
                    owner.fields[attr] = None
                    match value:
                        case ast.Name(id):
                            for each in _arguments(function.node):
                                if each.arg == id and each.annotation is not None:
                                    owner.fields[attr] = self.type_of(each.annotation, owner.module)
                        case ast.Call(ast.Name(id), _) if (made := self.class_named(owner.module, id)) is not None:
                            owner.fields[attr] = Type("class", made)

    def class_named(self, module: _Module, name: str) -> _Class | None:
        """The class that a name means in a module; one that is not imported there, if only one class has the name."""
        if name in module.classes:
            return module.classes[name]
        if name in module.imported:
            source, there = module.imported[name]
            for _ in range(4):  # through an __init__
                if (other := self.modules.get(source)) is None:
                    break
                if there in other.classes:
                    return other.classes[there]
                if there not in other.imported:
                    break
                source, there = other.imported[there]
        known = self.by_name.get(name, ())
        return known[0] if len(known) == 1 else None

    def function_named(self, module: _Module, name: str) -> _Function | None:
        """The function that a name means in a module."""
        if name in module.functions:
            return module.functions[name]
        source, there = module.imported.get(name, ("", ""))
        for _ in range(4):
            if (other := self.modules.get(source)) is None or not there:
                return None
            if there in other.functions:
                return other.functions[there]
            source, there = other.imported.get(there, ("", ""))
        return None

    def global_named(self, module: _Module, name: str) -> Slot:
        """The slot of a name of a module."""
        source, there = module.imported.get(name, (module.name, name))
        for _ in range(4):
            other = self.modules.get(source)
            if other is None or there not in other.imported:
                break
            source, there = other.imported[there]
        return ("global", source, there)

    def type_of(self, annotation: ast.AST | None, module: _Module) -> Type | None:
        """The type that an annotation states; None if it is not known."""
        if (known := self._annotated.get(id(annotation), 0)) == 0:
            known = self._annotated[id(annotation)] = self._type_of(annotation, module)
        return known  # type: ignore[return-value]

    def _type_of(self, annotation: ast.AST | None, module: _Module) -> Type | None:
        match annotation:
            case ast.Constant(str() as text):
                try:
                    return self._type_of(ast.parse(text, mode="eval").body, module)
                except SyntaxError:
                    return None
            case ast.Name(id) | ast.Attribute(_, id):
                if id in _BUILTIN:
                    return Type(id)
                if id in _SEQUENCES:
                    return Type("seq")
                if id in _MAPS:
                    return Type("map")
                found = self.class_named(module, id)
                return None if found is None else Type("class", found)
            case ast.BinOp(left, ast.BitOr(), right):
                sides = [each for each in (left, right) if not (isinstance(each, ast.Constant) and each.value is None)]
                kinds = [self.type_of(each, module) for each in sides]
                if len(kinds) == 2 and all(each is not None and _is_error(each) for each in kinds):
                    return Type("exception")
                return kinds[0] if len(kinds) == 1 else None
            case ast.Subscript(ast.Name(id) | ast.Attribute(_, id), inner):
                items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                if id in ("Optional", "Final", "ClassVar", "Annotated"):
                    return self.type_of(items[0], module)
                if id == "tuple" and not (len(items) == 2 and isinstance(items[1], ast.Constant)):
                    return Type("tuple", tuple(self.type_of(each, module) for each in items))
                if id in _SEQUENCES:
                    return Type("seq", self.type_of(items[0], module))
                if id in _MAPS and len(items) == 2:
                    return Type("map", (self.type_of(items[0], module), self.type_of(items[1], module)))
                if id in _MAPS:
                    return Type("map")
                found = self.class_named(module, id)
                return None if found is None else Type("class", found)
        return None

    def _functions_of(self, module: _Module) -> Iterator[_Function]:
        yield _Function(module, module.tree, None, "<module>")
        for node in module.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node._function  # type: ignore[union-attr]

    # what flows

    def field(self, owner: _Class, name: str) -> list[Slot]:
        """The slots of a field, or of the result of a property, of a class: where it or an ancestor defines it."""
        for each in owner.line():
            if name in each.methods and each.methods[name].is_property:
                own = [("result", each.methods[name].id)]
                own += [("result", sub.methods[name].id) for sub in owner.descendants() if name in sub.methods]
                return own
        line = [each for each in owner.line() if name in each.fields]
        if line:
            return [("field", line[-1].id, name)]
        subs = [each for each in owner.descendants() if name in each.fields]
        return [("field", each.id, name) for each in subs]

    def field_type(self, owner: _Class, name: str) -> Type | None:
        """The type of a field or property of a class."""
        for each in owner.line():
            if name in each.methods and each.methods[name].is_property:
                return self.type_of(each.methods[name].node.returns, each.module)
            if each.fields.get(name) is not None:
                return each.fields[name]
        return None

    def _pass_through(self) -> None:
        """Let arguments flow into the result of their own call, where a function hands them on, but not into others."""
        handed: dict[tuple[str, str], bool] = {}
        changed = True
        while changed:
            changed = False
            for called in self.calls.values():
                for function, given in called:
                    for name, slots in given:
                        if (function.id, name) not in handed and slots:
                            handed[function.id, name] = False
            for (function_id, name), done in list(handed.items()):
                if not done and self._hands_on(function_id, name):
                    handed[function_id, name] = changed = True
            if changed:
                for result, called in self.calls.items():
                    for function, given in called:
                        for name, slots in given:
                            if handed.get((function.id, name)):
                                for slot in slots:
                                    self.edges[slot].add(result)

    def _hands_on(self, function: str, name: str) -> bool:
        """Whether a parameter reaches the result by the names and calls of its own function."""
        seen: set[Slot] = set()
        work: list[Slot] = [("local", function, name)]
        while work:
            slot = work.pop()
            if slot in seen:
                continue
            seen.add(slot)
            for each in self.edges.get(slot, ()):
                if each == ("result", function):
                    return True
                if each[0] == "call" or each[:2] == ("local", function):
                    work.append(each)
        return False

    def _reach(self) -> dict[Slot, set[str]]:
        """The sorts of text that reach each slot.

        What came in as an argument does not leave by the result: for that, `_pass_through` made a way for each call.
        """
        reached: dict[Slot, set[tuple[str, str]]] = {}
        carried = {
            ("field", owner.id, name) for group in self.by_name.values() for owner in group for name in owner.carried
        }
        work: list[tuple[Slot, str, str]] = [(source, sort, "") for source, sort in _SORTS.items()]
        for owner, name in self.json:
            work += [(slot, "json", "") for slot in (("field", owner.id, name), ("any", name), ("column", name))]
        while work:
            while work:
                slot, sort, came = work.pop()
                if (sort, came) in reached.setdefault(slot, set()) or _whole(slot) in carried:
                    continue
                reached[slot].add((sort, came))
                for each in self._next(slot):
                    other = _function_of(each)
                    if each[0] == "result" and came == other:
                        continue
                    if each[0] == "call" or (other is not None and came == other):
                        now = came
                    else:
                        now = other or "" if _whole(slot)[0] == "parameter" else ""
                    if (sort, now) not in reached.get(each, ()):
                        work.append((each, sort, now))
                if sort == "exception":
                    work.append((("text", slot), "error", ""))
            plain = {slot: {sort for sort, _ in sorts} for slot, sorts in reached.items()}
            work = [(slot, sort, "") for slot, sort in self._by_name(plain) if sort not in plain.get(slot, ())]
        return plain

    def _by_name(self, reached: dict[Slot, set[str]]) -> Iterator[tuple[Slot, str]]:
        """Fields of objects whose class is not known, and keys: sentences if most of that name hold sentences."""
        for name, owners in self.owners.items():
            slots = {slot for owner in owners for slot in self.field(owner, name)}
            worded = [slot for slot in slots if slot in reached]
            if len(worded) * 2 > len(slots):
                yield from ((("any", name), sort) for slot in worded for sort in reached[slot])
        for key, written in self.keyed.items():
            sorts = [{sort for slot in slots for sort in reached.get(slot, ())} for slots in written]
            if 2 * len(list(filter(None, sorts))) > len(sorts):
                yield from ((("key", key), sort) for each in sorts for sort in each)

    def _next(self, slot: Slot) -> Iterator[Slot]:
        yield from self.edges.get(slot, ())
        if slot[0] == "parameter":
            yield ("local", *slot[1:])
        elif slot[0] == "item":
            _, whole, key = slot
            if key != "?":
                yield _item(whole, "?")
            for other in self.edges.get(whole, ()):
                yield _item(other, key)
            if whole[0] == "parameter":
                yield ("item", ("local", *whole[1:]), key)

    def findings(self) -> list[Finding]:
        """The readers, in order; one for each line and sort."""
        found: dict[tuple[str, int, str], Finding] = {}
        for reader in self.readers:
            sorts = {sort for slot in reader.slots for sort in self.reached.get(slot, ())} - {"exception"}
            if (not sorts and not reader.sort) or (reader.symbol and self._comes_to(reader.symbol, reader.slots)):
                continue
            sort = reader.sort or next(each for each in ("prose", "error", "json", "doc", "words") if each in sorts)
            self._add(found, reader.node, reader.function, sort)
        columns = self.columns()
        names, methods = "|".join(sorted(self.shown())), "|".join(READING)
        program = re.compile(rf"[\"'] in (\w+\.)+({names})\b|\w\.({names})\[|\w\.({names})\.({methods})\(")
        for node, function in self.texts:
            text = str(node.value)
            aliases = {new: key or old for old, key, new in _AS.findall(text)}
            for name in _SQL.findall(text):
                if name in columns or aliases.get(name, "") in columns:
                    self._add(found, node, function, "sql")
            if program.search(text):
                self._add(found, node, function, "text")
        names = "|".join(sorted({*self.shown(), "title", "error.message"}))
        script = re.compile(
            rf"\b({names})\)?\.(match|startsWith|endsWith|includes|split|replace|replaceAll|indexOf|search|substring)\("
            rf"|/\.(test|exec)\((\w+\.)*({names})\)"
        )
        for path, text in self.scripts.items():
            for number, line in enumerate(text.splitlines(), 1):
                if script.search(line):
                    code = line.strip()[:110]
                    found[path, number, "js"] = Finding(path, number, "-", "js", code, bool(MARK.search(line)))
        return sorted(found.values())

    def _comes_to(self, symbol: Slot, slots: tuple[Slot, ...]) -> bool:
        """Whether a constant is what some of these slots hold: a comparison with it does not depend on its words."""
        seen: set[Slot] = set()
        work = [symbol]
        while work:
            slot = work.pop()
            if slot in slots:
                return True
            if slot not in seen:
                seen.add(slot)
                work += self._next(slot)
        return False

    def columns(self) -> set[str]:
        """The names of fields, keys, and columns that hold sentences or JSON, for texts of SQL."""
        sentences = {"prose", "json", "error", "words"}
        names = {slot[-1] for slot, sorts in self.reached.items() if slot[0] in ("column", "key") and sorts & sentences}
        return {each for each in names if isinstance(each, str) and each.isidentifier()} | {
            name for _, name in self.json
        }

    def shown(self) -> set[str]:
        """The names of fields and keys that hold sentences wherever they are written; a script has them by name."""
        sure = {name for name in self.columns() if len(name) > 2}
        for key, written in self.keyed.items():
            if not all(any(slot in self.reached for slot in slots) for slots in written):
                sure.discard(key)
        for name, owners in self.owners.items():
            if not all(slot in self.reached for owner in owners for slot in self.field(owner, name)):
                sure.discard(name)
        return sure | {name for _, name in self.json}

    def _add(self, found: dict, node: ast.AST, function: _Function, sort: str) -> None:
        first, last = node.lineno, node.end_lineno or node.lineno  # type: ignore[attr-defined]
        lines = function.module.lines
        whole = not isinstance(function.node, ast.Module)
        own = range(function.node.lineno - 1, function.node.body[0].lineno - 1) if whole else ()
        excused = any(MARK.search(lines[number]) for number in [*range(first - 1, last), *own])
        code = " ".join(ast.unparse(node).split())[:110]
        path = function.module.path
        found.setdefault((path, first, sort), Finding(path, first, function.name, sort, code, excused))


class _Flow:
    """One function: the types of its names, what flows through it, and what it reads."""

    def __init__(self, program: Program, function: _Function):
        self.program, self.function, self.module = program, function, function.module
        self.types: dict[str, Type | None] = {}
        self.locals: set[str] = set()
        self.learned, self.known = False, dict[int, Type | None]()
        node = function.node
        if not isinstance(node, ast.Module):
            for parameter in _arguments(node):
                self.locals.add(parameter.arg)
                self.types[parameter.arg] = program.type_of(parameter.annotation, self.module)
            if function.owner is not None and node.args.args and node.args.args[0].arg in ("self", "cls"):
                self.types[node.args.args[0].arg] = Type("class", function.owner)
            if node.args.vararg:
                inner = self.types.get(node.args.vararg.arg)
                self.types[node.args.vararg.arg] = Type("seq", inner)
        self.nodes = self.module.nodes[node]
        outer: set[str] = set()
        for each in self.nodes:
            if isinstance(each, ast.Nonlocal | ast.Global):
                outer |= set(each.names)
        for each in self.nodes:
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id not in outer:
                self.locals.add(each.id)
            elif (isinstance(each, ast.ExceptHandler) and each.name) or (
                isinstance(each, ast.MatchAs | ast.MatchStar) and each.name
            ):
                self.locals.add(each.name)
            elif isinstance(each, ast.Lambda):
                self.locals |= {arg.arg for arg in _arguments(each)}
        node._names = self.locals

    def learn(self) -> dict[str, Type | None]:
        """The types of the names."""
        for _ in range(2):  # a name's type may come from a line below
            for node in self.nodes:
                self._learn(node)
        return self.types

    def run(self) -> None:
        self.learn()
        self.learned = True
        for node in self.nodes:
            self._spread(node)
            self._read(node)

    # types

    def _learn(self, node: ast.AST) -> None:
        match node:
            case ast.AnnAssign(ast.Name(id), annotation):
                self.types[id] = self.program.type_of(annotation, self.module)
            case ast.Assign([ast.Name(id)], value) | ast.NamedExpr(ast.Name(id), value):
                if (kind := self.type(value)) is not None and self.types.get(id) is None:
                    self.types[id] = kind
            case ast.Assign([ast.Tuple(targets)], value):
                self._learn_tuple(targets, self.type(value), value)
            case ast.For(target, source) | ast.comprehension(target, source):
                inner = self._item_type(source)
                if isinstance(target, ast.Name):
                    if inner is not None and self.types.get(target.id) is None:
                        self.types[target.id] = inner
                elif isinstance(target, ast.Tuple):
                    self._learn_tuple(target.elts, inner, None)
            case ast.withitem(value, ast.Name(id)):
                if self.types.get(id) is None:
                    self.types[id] = self.type(value)
            case ast.ExceptHandler(kind, str() as name):
                names = kind.elts if isinstance(kind, ast.Tuple) else [kind]
                found = [self.program.type_of(each, self.module) for each in names]
                self.types[name] = found[0] if found and found[0] is not None else Type("exception")
            case ast.Call(ast.Name("isinstance"), [ast.Name(id), ast.Name() as kind]):
                if self.types.get(id) is None:
                    self.types[id] = self.program.type_of(kind, self.module)

    def _learn_tuple(self, targets: list[ast.expr], kind: Type | None, value: ast.AST | None) -> None:
        for position, target in enumerate(targets):
            inner = None
            if isinstance(value, ast.Tuple) and len(value.elts) == len(targets):
                inner = self.type(value.elts[position])
            elif kind is not None and kind.name == "tuple" and position < len(kind.of):
                inner = kind.of[position]
            elif kind is not None and kind.name == "seq":
                inner = kind.of
            elif kind is not None and kind.name == "class" and position < len(kind.of.order):
                inner = self.program.field_type(kind.of, kind.of.order[position])
            if isinstance(target, ast.Name) and inner is not None and self.types.get(target.id) is None:
                self.types[target.id] = inner
            elif isinstance(target, ast.Tuple):
                self._learn_tuple(target.elts, inner, None)

    def _item_type(self, source: ast.AST) -> Type | None:
        match source:
            case ast.Call(ast.Attribute(value, "items"), []):
                kind = self.type(value)
                return Type("tuple", kind.of) if kind is not None and kind.name == "map" and kind.of else None
            case ast.Call(ast.Attribute(value, "values"), []):
                kind = self.type(value)
                return kind.of[1] if kind is not None and kind.name == "map" and kind.of else None
            case ast.Call(ast.Name("enumerate"), [value, *_]):
                return Type("tuple", (Type("int"), self._item_type(value)))
            case ast.Call(ast.Name("zip"), values):
                return Type("tuple", tuple(self._item_type(each) for each in values))
        kind = self.type(source)
        if kind is None:
            return None
        if kind.name == "seq":
            return kind.of
        if kind.name == "map" and kind.of:
            return kind.of[0]
        if kind.name == "class" and (method := self._method(kind.of, "__iter__")) is not None:
            inner = self.program.type_of(method.node.returns, method.module)
            return inner.of if inner is not None and inner.name == "seq" else None
        return None

    def _method(self, owner: _Class, name: str) -> _Function | None:
        return next((each.methods[name] for each in owner.line() if name in each.methods), None)

    def type(self, node: ast.AST | None) -> Type | None:
        """The type of an expression, if that is plain."""
        if not self.learned:
            return self._type(node)
        if id(node) not in self.known:
            self.known[id(node)] = self._type(node)
        return self.known[id(node)]

    def _type(self, node: ast.AST | None) -> Type | None:
        match node:
            case ast.Constant(value):
                return None if value is None else Type(type(value).__name__)
            case ast.JoinedStr():
                return Type("str")
            case ast.Name(id):
                if id in self.types:
                    return self.types[id]
                if id in self.locals:
                    return None
                slot = self.program.global_named(self.module, id)
                module = self.program.modules.get(slot[1])
                return None if module is None else module.globals.get(slot[2])
            case ast.Attribute(value, attr):
                kind = self.type(value)
                if kind is not None and kind.name == "class":
                    return self.program.field_type(kind.of, attr)
                return None
            case ast.Call(ast.Name(id), given):
                if (made := self.program.class_named(self.module, id)) is not None and id not in self.locals:
                    return Type("class", made)
                if id in ("len", "int", "ord", "sum", "round", "abs", "hash", "id"):
                    return Type("int")
                if id in ("str", "repr", "ascii", "chr"):
                    return Type("str")
                if id in ("sorted", "list", "set", "tuple", "reversed", "deque", "frozenset") and given:
                    return Type("seq", self._item_type(given[0]))
                if id in ("next", "max", "min") and given:
                    return self._item_type(given[0])
                called = self.program.function_named(self.module, id)
                return None if called is None else self.program.type_of(called.node.returns, called.module)
            case ast.Call(ast.Attribute(value, attr), _):
                for called in self._called(node)[:1]:
                    return self.program.type_of(called.node.returns, called.module)
                kind = self.type(value)
                if kind is not None and kind.name == "map" and kind.of and attr in ("get", "pop", "setdefault"):
                    return kind.of[1]
                if kind is not None and kind.name == "seq" and attr == "pop":
                    return kind.of
                return None
            case ast.Subscript(value, index):
                kind = self.type(value)
                if kind is None:
                    return None
                if kind.name == "seq":
                    return kind if isinstance(index, ast.Slice) else kind.of
                if kind.name == "map" and kind.of:
                    return kind.of[1]
                if kind.name == "tuple" and isinstance(index, ast.Constant) and isinstance(index.value, int):
                    return kind.of[index.value] if -len(kind.of) <= index.value < len(kind.of) else None
                if kind.name == "class" and (method := self._method(kind.of, "__getitem__")) is not None:
                    return self.program.type_of(method.node.returns, method.module)
                return kind if kind.name == "str" else None
            case ast.IfExp(body=body, orelse=other):
                return self.type(body) or self.type(other)
            case ast.BoolOp(values=values):
                return next(filter(None, map(self.type, values)), None)
            case ast.NamedExpr(value=value) | ast.Await(value):
                return self.type(value)
            case ast.ListComp(elt) | ast.SetComp(elt) | ast.GeneratorExp(elt):
                return Type("seq", self.type(elt))
            case ast.List(elts) | ast.Set(elts):
                return Type("seq", self.type(elts[0]) if elts else None)
            case ast.Tuple(elts):
                return Type("tuple", tuple(map(self.type, elts)))
            case ast.Dict(keys, values):
                return Type("map", (Type("str"), self.type(values[0]))) if values and keys[0] else Type("map")
            case ast.DictComp(key, value):
                return Type("map", (self.type(key), self.type(value)))
        return None

    def _called(self, node: ast.AST) -> list[_Function]:
        """The functions of the package that a call may mean."""
        match node:
            case ast.Call(ast.Name(id)) if id not in self.locals or id in self.module.functions:
                called = self.program.function_named(self.module, id)
                if called is not None and called.owner is None:
                    return [called]
            case ast.Call(ast.Attribute(ast.Call(ast.Name("super")), attr)) if self.function.owner is not None:
                for base in self.function.owner.bases:
                    if (method := self._method(base, attr)) is not None:
                        return [method]
            case ast.Call(ast.Attribute(value, attr)):
                kind = self.type(value)
                if kind is not None and kind.name == "class":
                    own = self._method(kind.of, attr)
                    below = [each.methods[attr] for each in kind.of.descendants() if attr in each.methods]
                    return [*([own] if own else []), *[each for each in below if each is not own]]
                if isinstance(value, ast.Name) and value.id not in self.locals:
                    source, there = self.module.imported.get(value.id, ("?", ""))
                    inside = self.program.modules.get(f"{source}.{there}".strip("."))
                    if inside is not None and attr in inside.functions:
                        return [inside.functions[attr]]
                    if (owner := self.program.class_named(self.module, value.id)) is not None and attr in owner.methods:
                        return [owner.methods[attr]]
                if kind is None and attr not in READING | KEEPING | MATCHING | _OF_CONTAINERS:
                    known = self.program.methods.get(attr, [])
                    if len(known) == 1:
                        return known
        return []

    # flows

    def slots(self, node: ast.AST | None) -> list[Slot]:
        """Where the value of an expression comes from."""
        match node:
            case ast.Constant(str() as text):
                return [WORDS] if _is_sentence(text) else []
            case ast.JoinedStr(values):
                text = "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in values)
                if _MARKUP.search(text):
                    return []
                return [
                    *([WORDS] if _is_sentence(text) else []),
                    *(slot for each in values for slot in self._shown(each)),
                ]
            case ast.Name(id):
                if id in self.locals and not isinstance(self.function.node, ast.Module):
                    return [("local", self.function.id, id)]
                if not isinstance(self.function.node, ast.Module) and (outer := self._outer(id)) is not None:
                    return [("local", outer, id)]
                return [self.program.global_named(self.module, id)]
            case ast.Attribute(value, attr):
                return self._attribute(value, attr)
            case ast.Subscript(value, ast.Slice()):
                return self.slots(value)
            case ast.Subscript(value, ast.Constant(str() | int() as key)):
                return [
                    *self._items(value, key),
                    *([("key", key)] if isinstance(key, str) and self._may_be_parsed(value) else []),
                ]
            case ast.Subscript(value, _):
                return [*self._items(value, "?"), *self.slots(value)]
            case ast.BoolOp(values=values):
                return [slot for each in values for slot in self.slots(each)]
            case ast.IfExp(body=body, orelse=other):
                return [*self.slots(body), *self.slots(other)]
            case (
                ast.NamedExpr(value=value)
                | ast.Starred(value=value)
                | ast.FormattedValue(value=value)
                | ast.Await(value)
            ):
                return self.slots(value)
            case ast.BinOp(left, ast.Add() | ast.BitOr(), right):
                return [*self.slots(left), *self.slots(right)]
            case ast.BinOp(left, ast.Mod(), _) if self.slots(left):
                return self.slots(left)
            case ast.List(elts) | ast.Set(elts):
                return [slot for each in elts for slot in self.slots(each)]
            case ast.Tuple():
                return []
            case ast.ListComp(elt) | ast.GeneratorExp(elt) | ast.SetComp(elt):
                return self.slots(elt)
            case ast.Call():
                return self._result(node)
        return []

    def _outer(self, name: str) -> str | None:
        """The function around this one that has a local of that name."""
        around = getattr(self.function.node, "_around", None)
        while around is not None:
            if name in around._names:
                return around._function.id
            around = getattr(around, "_around", None)
        return None

    def _may_be_parsed(self, value: ast.AST) -> bool:
        """Whether a container may be one that was parsed from JSON: its keys are then those that any writer gave."""
        kind = self.type(value)
        return kind is None or (kind.name == "map" and (not kind.of or kind.of[1] is None or kind.of[1].name == "str"))

    def _items(self, value: ast.AST, key: object) -> list[Slot]:
        if isinstance(value, ast.Tuple) and isinstance(key, int) and key < len(value.elts):
            return self.slots(value.elts[key])
        if isinstance(value, ast.Dict):
            return [slot for each in value.values for slot in self.slots(each)]
        own = [_item(slot, key) for slot in self.slots(value)]
        if isinstance(key, int):  # of a list, whose items are not told apart
            kind = self.type(value)
            if kind is None or kind.name == "seq":
                own += self.slots(value)
            if kind is not None and kind.name == "class" and 0 <= key < len(kind.of.order):
                own += self.program.field(kind.of, kind.of.order[key])
        if key != "?":
            own += [_item(slot, "*") for slot in self.slots(value)]
        return own

    def _shown(self, node: ast.AST) -> list[Slot]:
        """The parts of a value's text, when it is formatted."""
        value = node.value if isinstance(node, ast.FormattedValue) else node
        kind = self.type(value)
        if kind is not None and kind.name == "exception":
            return [ERROR]
        if kind is not None and kind.name == "class":
            if (method := self._method(kind.of, "__str__")) is not None and not kind.of.is_error():
                return [("result", method.id)]
            return [ERROR] if kind.of.is_error() else []
        if kind is not None and kind.name in _BUILTIN and kind.name != "str":
            return []
        slots = self.slots(value)
        return slots if kind is not None else [*slots, *(("text", slot) for slot in slots)]

    def _attribute(self, value: ast.AST, attr: str) -> list[Slot]:
        if attr == "__doc__":
            return [DOC]
        kind = self.type(value)
        if kind is not None:
            if attr == "args" and (kind.name == "exception" or (kind.name == "class" and kind.of.is_error())):
                return [ERROR]
            if kind.name == "class":
                own = self.program.field(kind.of, attr)
                return [each for each in own if not self._plain(self.program.field_type(kind.of, attr))]
            return []
        owners = self.program.owners.get(attr, ())
        if owners and all(self._plain(self.program.field_type(each, attr)) for each in owners):
            return []
        if isinstance(value, ast.Name) and value.id in self.module.imported and value.id not in self.locals:
            source, there = self.module.imported[value.id]
            if f"{source}.{there}".strip(".") in self.program.modules:
                return [("global", f"{source}.{there}".strip("."), attr)]
        return [("any", attr)]

    @staticmethod
    def _plain(kind: Type | None) -> bool:
        """Whether values of a type have no words."""
        return kind is not None and kind.name in _BUILTIN and kind.name != "str"

    def _result(self, node: ast.Call) -> list[Slot]:
        function, given = node.func, node.args
        if isinstance(function, ast.Attribute) and function.attr == "column" and isinstance(given[0], ast.Constant):
            return [("column", given[0].value)]  # of the log
        called = self._called(node)
        if called:
            called = [each for each in called if not self._plain(self._returned(each))]
            result: Slot = (
                "call",
                self.module.name,
                node.lineno,
                node.col_offset,
                node.end_lineno,
                node.end_col_offset,
            )
            if result not in self.program.calls:
                self.program.calls[result] = [
                    (each, [(name, self.slots(value)) for name, value in self._arguments(each, node)])
                    for each in called
                ]
            for each in called:
                self.program.edges["result", each.id].add(result)
            return [result] if called else []
        match function:
            case ast.Name("str" | "repr" | "ascii") if given:
                return self._shown(given[0])
            case ast.Name("getattr") if len(given) > 1 and isinstance(given[1], ast.Constant):
                return self._attribute(given[0], str(given[1].value))
            case ast.Name(id) if id in HANDING_ON:
                return [slot for each in given for slot in self.slots(each)]
            case ast.Attribute(ast.Name("json"), "loads"):
                return []
            case ast.Attribute(ast.Name("ast" | "inspect"), "get_docstring" | "getdoc"):
                return [DOC]
            case ast.Attribute(ast.Name("traceback"), _):
                return [ERROR]
            case ast.Attribute(_, "vformat" | "format_map"):  # a template of a data file, filled in
                return [WORDS]
            case ast.Attribute(ast.Name("F"), "get_json_object") if len(given) == 2:
                path = given[1].value if isinstance(given[1], ast.Constant) else ""
                key = str(path).rpartition(".")[2]
                return [("key", key)]
            case ast.Attribute(ast.Name("F"), "col") if given and isinstance(given[0], ast.Constant):
                return [("column", given[0].value)]
            case ast.Attribute(ast.Name("F"), _):
                return [slot for each in given for slot in self._column(each)]
            case ast.Attribute(value, "get" | "pop" | "setdefault") if given:
                index = given[0].value if isinstance(given[0], ast.Constant) else "?"
                more = [slot for each in given[1:] for slot in self.slots(each)]
                by_name = isinstance(index, str) and index != "?" and self._may_be_parsed(value)
                return [*self._items(value, index), *([("key", index)] if by_name else []), *more]
            case ast.Attribute(value, "values" | "items"):
                return self._items(value, "?")
            case ast.Attribute(value, "join"):
                parts = given[0].elts if given and isinstance(given[0], ast.Tuple | ast.List) else given
                return [slot for each in [value, *parts] for slot in self.slots(each)]
            case ast.Attribute(value, "format"):
                return [slot for each in [value, *given] for slot in self.slots(each)]
            case ast.Attribute(value, attr) if attr in KEEPING | READING | {
                "alias",
                "cast",
                "encode",
                "decode",
                "copy",
            }:
                return self.slots(value)
            case ast.Attribute(pattern, "sub") if len(given) > 1:
                text = given[2] if isinstance(pattern, ast.Name) and pattern.id == "re" and len(given) > 2 else given[1]
                return self.slots(text)
        return []

    def _column(self, node: ast.AST) -> list[Slot]:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [("column", node.value)]
        return self.slots(node)

    def _returned(self, called: _Function) -> Type | None:
        return self.program.type_of(called.node.returns, called.module)

    def _spread(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets, value):
                for target in targets:
                    self._bind(target, value)
            case ast.AnnAssign(target, _, value) | ast.AugAssign(target, _, value) | ast.NamedExpr(target, value):
                if value is not None:
                    self._bind(target, value)
            case ast.For(target, source) | ast.comprehension(target, source):
                self._each(target, source)
            case ast.withitem(value, ast.AST() as target):
                self._bind(target, value)
            case ast.Return(value) | ast.Yield(value) if value is not None:
                self._put([("result", self.function.id)], value)
            case ast.YieldFrom(value):
                self._put([("result", self.function.id)], value)
            case ast.ExceptHandler(_, str() as name):
                self._flow([OBJECT], [self._local(name)])
            case ast.Call():
                self._call(node)
            case ast.Dict(keys, values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        self.program.keyed[key.value].append(tuple(self.slots(value)))
            case ast.Match(subject, cases):
                for case in cases:
                    if isinstance(case.pattern, ast.MatchAs) and case.pattern.name:
                        self._flow(self.slots(subject), [self._local(case.pattern.name)])

    def _local(self, name: str) -> Slot:
        slots = self.slots(ast.Name(name, ast.Load()))
        return slots[0]

    def _each(self, target: ast.AST, source: ast.AST) -> None:
        match target, source:
            case ast.Tuple(targets), ast.Call(ast.Name("zip"), sources):
                for one, other in zip(targets, sources, strict=False):
                    self._each(one, other)
            case ast.Tuple([_, one]), ast.Call(ast.Name("enumerate"), [other, *_]):
                self._each(one, other)
            case ast.Tuple([_, one]), ast.Call(ast.Attribute(value, "items"), []):
                self._unpack(one, self._items(value, "?") + self.slots(value))
            case _, ast.Tuple(elts) | ast.List(elts) | ast.Set(elts):
                for each in elts:
                    self._bind(target, each)
            case _:
                slots = self.slots(source)
                if (
                    isinstance(source, ast.Call)
                    and isinstance(source.func, ast.Attribute)
                    and source.func.attr == "values"
                ):
                    slots = slots + self.slots(source.func.value)
                kind = self.type(source)
                if kind is not None and kind.name == "tuple":
                    slots = slots + [_item(each, "?") for each in slots]
                self._unpack(target, slots)

    def _unpack(self, target: ast.AST, slots: list[Slot]) -> None:
        """Bind what comes out of slots to a target, by position where that is a tuple."""
        if isinstance(target, ast.Tuple | ast.List):
            for position, each in enumerate(target.elts):
                self._unpack(each, [_item(slot, position) for slot in slots])
        else:
            self._flow(slots, self._places(target))

    def _places(self, target: ast.AST) -> list[Slot]:
        match target:
            case ast.Name(id):
                return [self._local(id)]
            case ast.Attribute(value, attr):
                kind = self.type(value)
                if kind is not None and kind.name == "class":
                    return [slot for slot in self.program.field(kind.of, attr) if slot[0] == "field"]
            case ast.Subscript(value, index):
                key = index.value if isinstance(index, ast.Constant) else "*"
                own: list[Slot] = [_item(slot, key) for slot in self._places(value)]
                return own
            case ast.Starred(value):
                return self._places(value)
        return []

    def _bind(self, target: ast.AST, value: ast.AST) -> None:
        match target, value:
            case ((ast.Tuple(targets) | ast.List(targets)), (ast.Tuple(values) | ast.List(values))) if len(
                targets
            ) == len(values):
                for one, other in zip(targets, values, strict=True):
                    self._bind(one, other)
            case ((ast.Tuple(targets) | ast.List(targets)), _):
                kind = self.type(value)
                if kind is not None and kind.name == "class" and kind.of.order:
                    for one, name in zip(targets, kind.of.order, strict=False):
                        self._flow(self.program.field(kind.of, name), self._places(one))
                else:
                    slots = self.slots(value)
                    self._unpack(target, slots)
                    if kind is None or kind.name == "seq":
                        for each in targets:
                            self._flow(slots, self._places(each))
            case _:
                self._put(self._places(target), value)

    def _put(self, places: list[Slot], value: ast.AST) -> None:
        """Let the value of an expression flow into slots, with what it contains."""
        match value:
            case ast.Tuple(elts):
                for position, each in enumerate(elts):
                    self._put([_item(place, position) for place in places], each)
            case ast.List(elts) | ast.Set(elts):
                for each in elts:
                    self._put(places, each.value if isinstance(each, ast.Starred) else each)
            case ast.Dict(keys, values):
                for key, each in zip(keys, values, strict=True):
                    if key is None:
                        self._put(places, each)
                    else:
                        known = key.value if isinstance(key, ast.Constant) else "*"
                        self._put([_item(place, known) for place in places], each)
            case ast.DictComp(_, each):
                self._put([_item(place, "*") for place in places], each)
            case ast.ListComp(elt) | ast.GeneratorExp(elt) | ast.SetComp(elt):
                self._put(places, elt)
            case ast.IfExp(body=body, orelse=other):
                self._put(places, body)
                self._put(places, other)
            case ast.BoolOp(values=values):
                for each in values:
                    self._put(places, each)
            case ast.BinOp(left, ast.Add() | ast.BitOr(), right):
                self._put(places, left)
                self._put(places, right)
            case ast.Call(ast.Name("dict"), _, keywords):
                for keyword in keywords:
                    self._put([_item(place, keyword.arg or "*") for place in places], keyword.value)
            case _:
                self._flow(self.slots(value), places)

    def _flow(self, sources: Iterable[Slot], places: Iterable[Slot]) -> None:
        places = list(places)
        for source in sources:
            for place in places:
                if source != place:
                    self.program.edges[source].add(place)

    @staticmethod
    def _arguments(called: _Function, node: ast.Call) -> list[tuple[str, ast.expr]]:
        by_position = zip(called.parameters, node.args, strict=False)
        return [
            *((name, value) for name, value in by_position if not isinstance(value, ast.Starred)),
            *((keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg),
        ]

    def _call(self, node: ast.Call) -> None:
        function = node.func
        for called in self._called(node):
            for name, value in self._arguments(called, node):
                self._put([("parameter", called.id, name)], value)
        match function:
            case ast.Name(id) if (
                id not in self.locals and (made := self.program.class_named(self.module, id)) is not None
            ):
                self._make(made, node)
            case ast.Name("cls") if self.function.owner is not None:
                self._make(self.function.owner, node)
            case ast.Attribute(value, "append" | "add" | "appendleft" | "extend" | "insert" | "update"):
                if not self._called(node):
                    for each in node.args:
                        self._put(self._places(value) or self._deep(value), each)
            case ast.Attribute(value, "setdefault") if len(node.args) == 2:
                self._put([_item(place, "?") for place in self._places(value)], node.args[1])
            case ast.Attribute(value, "withColumn") if len(node.args) == 2 and isinstance(node.args[0], ast.Constant):
                self._put([("column", node.args[0].value)], node.args[1])
            case ast.Attribute(value, "alias") if node.args and isinstance(node.args[0], ast.Constant):
                self._put([("column", node.args[0].value)], value)
            case ast.Attribute(value, "withColumnRenamed") if len(node.args) == 2:
                old, new = node.args
                if isinstance(old, ast.Constant) and isinstance(new, ast.Constant):
                    self._flow([("column", old.value)], [("column", new.value)])
            case ast.Attribute(_, "_replace" | "replace"):
                for keyword in node.keywords:
                    if keyword.arg:
                        kind = self.type(function.value)
                        if kind is not None and kind.name == "class":
                            self._put(self.program.field(kind.of, keyword.arg), keyword.value)

    def _deep(self, value: ast.AST) -> list[Slot]:
        """The containers behind `known[key].append`, `by.setdefault(key, []).append`, or `self.of(key).append`."""
        match value:
            case ast.Call(ast.Attribute(inner, "setdefault" | "get"), _):
                return [_item(place, "?") for place in self._places(inner)]
            case ast.Call():
                return [("result", each.id) for each in self._called(value)]
        return []

    def _make(self, made: _Class, node: ast.Call) -> None:
        if (init := self._method(made, "__init__")) is not None:
            for name, value in zip(init.parameters, node.args, strict=False):
                self._put([("parameter", init.id, name)], value)
            for keyword in node.keywords:
                if keyword.arg:
                    self._put([("parameter", init.id, keyword.arg)], keyword.value)
            return
        order = [name for each in reversed(list(made.line())) for name in each.order]
        for name, value in zip(order, node.args, strict=False):
            if isinstance(value, ast.Starred):
                break
            self._put(self.program.field(made, name), value)
        for keyword in node.keywords:
            if keyword.arg:
                self._put(self.program.field(made, keyword.arg), keyword.value)

    # readers

    def _add(self, node: ast.AST, text: ast.AST | None, symbol: ast.AST | None = None, sort: str = "") -> None:
        slots = tuple(self.slots(text)) if text is not None else ()
        constant = self.slots(symbol)[0] if isinstance(symbol, ast.Name) else None
        if slots or sort:
            self.program.readers.append(Reader(node, self.function, slots, constant, sort))

    def _read(self, node: ast.AST) -> None:
        match node:
            case ast.Call(ast.Attribute(pattern, attr), given) if attr in MATCHING and self._is_pattern(pattern, given):
                by_module = isinstance(pattern, ast.Name) and pattern.id == "re"
                position = by_module + (attr in ("sub", "subn"))
                if len(given) > position:
                    self._add(node, given[position])
            case ast.Call(ast.Attribute(value, attr), given) if attr in READING | SPARK:
                if attr in ("count", "index") and not (given and self._is_text(given[0])):
                    return
                if attr == "replace" and (node.keywords or (given and _is_sign(given[0]))):
                    return  # of fields, or an escape
                if attr in ("split", "splitlines") and not given:
                    return  # into words or lines; whoever takes one of them reads
                if attr == "endswith" and given and all(map(_is_stop, getattr(given[0], "elts", given[:1]))):
                    return
                self._add(node, value)
            case ast.Call(ast.Attribute(ast.Name("F"), attr), [first, *_]) if attr in SQL_FUNCTIONS:
                slots = tuple(self._column(first))
                self.program.readers.append(Reader(node, self.function, slots, None, ""))
            case ast.Compare(left, [ast.In() | ast.NotIn()], [right]):
                if isinstance(right, ast.Tuple | ast.List | ast.Set):
                    if any(map(self._is_phrase, right.elts)):
                        self._add(node, left)
                elif self._is_text(left):
                    kind = self.type(right)
                    if kind is None or kind.name in ("str", "seq"):
                        self._add(node, right)
            case ast.Compare(left, [ast.Eq() | ast.NotEq()], [right]):
                for one, other in ((left, right), (right, left)):
                    if self._is_phrase(other) and not self._is_text(one):
                        self._add(node, one, other)
            case ast.Subscript(ast.Call(ast.Attribute(value, "split" | "splitlines"), []), _) | ast.Assign(
                [ast.Tuple()], ast.Call(ast.Attribute(value, "split" | "splitlines"), [])
            ):
                self._add(node, value)
            case ast.Subscript(value, ast.Slice(None, ast.Constant(1)) | ast.Slice(ast.Constant(1), None)):
                return  # the first letter, and the others
            case ast.Subscript(value, ast.Slice()):
                kind = self.type(value)
                if kind is None or kind.name == "str":
                    self._add(node, value)
            case ast.Call(ast.Attribute(_, "get"), [key, *_]) | ast.Subscript(_, key) if self._is_key(key):
                self._add(node, None, sort="key")
            case ast.Call(ast.Attribute(ast.Name("ast"), "get_docstring")):
                self._add(node, None, sort="doc")
            case ast.MatchClass(
                cls=ast.Attribute(attr="Expr"), kwd_patterns=[ast.MatchClass(cls=ast.Attribute(attr="Constant"))]
            ):
                self._add(node, None, sort="doc")
            case ast.Call(ast.Attribute(ast.Dict(), "get"), [key, *_]) | ast.Subscript(ast.Dict(), key):
                self._add(node, key)
            case ast.Match(subject, cases):
                if any(isinstance(case.pattern, ast.MatchValue | ast.MatchOr) for case in cases):
                    self._add(node.subject, subject)
            case ast.Constant(str()):
                self.program.texts.append((node, self.function))

    def _is_text(self, node: ast.AST) -> bool:
        match node:
            case ast.Constant(str()) | ast.JoinedStr():
                return True
            case ast.Name(id) if id not in self.locals:
                return isinstance(self.module.constants.get(id), str) or (id.isupper() and id in self.module.imported)
        return False

    def _is_phrase(self, node: ast.AST) -> bool:
        """Whether a text is a sentence, or a part of one: a single word is a code."""
        match node:
            case ast.Constant(str() as text):
                return " " in text.strip()
            case ast.JoinedStr():
                return True
            case ast.Name(id) if id not in self.locals:
                constant = self.module.constants.get(id)
                return isinstance(constant, str) and " " in constant.strip() and self._is_text(node)
        return False

    def _is_key(self, node: ast.AST) -> bool:
        """Whether a key is a sentence: text with a blank, itself or by the name of a constant."""
        value = node.value if isinstance(node, ast.Constant) else self.module.constants.get(getattr(node, "id", ""))
        return isinstance(value, str) and re.search(r"[a-z]{2,} [a-z]{2,}", value) is not None

    def _is_pattern(self, node: ast.AST, given: list[ast.expr]) -> bool:
        match node:
            case ast.Name("re"):
                return True
            case ast.Name(id) if id.isupper():
                return id.strip("_") != ""
            case ast.Call(ast.Attribute(ast.Name("re"), "compile")):
                return True
        kind = self.type(node)
        return kind is not None and kind.name == "Pattern"


def _arguments(node: Any) -> list[ast.arg]:
    own = node.args
    more = [each for each in (own.vararg, own.kwarg) if each is not None]
    return [*own.posonlyargs, *own.args, *own.kwonlyargs, *more]


def _function_of(slot: Slot) -> str | None:
    """The function whose local or result a slot is."""
    inner = _whole(slot)
    return inner[1] if inner[0] in ("local", "result") else None


def _whole(slot: Slot) -> Slot:
    """The container of a slot, or the slot itself."""
    return slot[1] if slot[0] == "item" else slot


def _is_error(kind: Type) -> bool:
    return kind.name == "exception" or (kind.name == "class" and kind.of.is_error())


def _is_sign(node: ast.AST) -> bool:
    """Whether a text has neither letters nor digits nor a blank."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and not re.search(r"[\w ]", node.value)


def _is_stop(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in (".", "?", "!")


def _item(whole: Slot, key: object) -> Slot:
    """What a container holds under a key or at a position; of what is nested deeper, the last key counts."""
    return ("item", whole[1] if whole[0] == "item" else whole, key)


def _gather(
    node: ast.AST, own: list[ast.AST], by_function: dict[ast.AST, list[ast.AST]], around: ast.AST | None
) -> None:
    """The nodes of _KEPT by their function, in the order of the source; a function knows the one around it."""
    kind = type(node)
    if kind in _KEPT:
        own.append(node)
    elif kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
        node._around = around  # type: ignore[attr-defined]
        for each in node.decorator_list:  # type: ignore[attr-defined]
            _gather(each, own, by_function, around)
        own = by_function[node] = []
        around = node
    for name in node._fields:
        value = getattr(node, name, None)
        if type(value) is list:
            if name == "decorator_list":
                continue
            for each in value:
                if isinstance(each, ast.AST):
                    _gather(each, own, by_function, around)
        elif isinstance(value, ast.AST) and name != "ctx":
            _gather(value, own, by_function, around)


_KEPT = frozenset(
    (
        *(
            ast.Assign,
            ast.AnnAssign,
            ast.AugAssign,
            ast.NamedExpr,
            ast.For,
            ast.comprehension,
            ast.withitem,
            ast.Lambda,
        ),
        *(ast.ExceptHandler, ast.Return, ast.Yield, ast.YieldFrom, ast.Call, ast.Dict, ast.Match, ast.MatchAs),
        *(ast.Compare, ast.Subscript, ast.MatchClass, ast.MatchStar, ast.Constant, ast.Nonlocal, ast.Global, ast.Name),
        *(ast.ImportFrom, ast.ClassDef),
    )
)


def _is_sentence(text: str) -> bool:
    """Whether a text has words of English with a blank between them; commands and code are in capitals or have signs.

    What has two words only is a name of something, unless it is filled in.
    """
    if _CODE.search(text) or not _SENTENCE.search(text):
        return False
    return "{}" in text or text.count(" ") > 1


def counted(found: list[Finding]) -> dict[str, int]:
    """How many readers there are, by the names of BOUNDS."""
    excused = sum(each.excused for each in found)
    engine = sum(each.path.partition("/")[0] in ENGINE and not each.excused for each in found)
    return {"engine": engine, "all": len(found) - excused, "excused": excused}


def main(arguments: list[str] | None = None) -> int:
    """Print the readers under a folder; 1 if there are more than BOUNDS allow."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("mqlab"))
    parser.add_argument("--all", action="store_true", help="show every reader")
    parser.add_argument("--count", action="store_true", help="show how many there are, by room and sort")
    given = parser.parse_args(arguments)
    found = Program(given.folder).findings()
    numbers = counted(found)
    if given.count:
        counts = Counter((each.path.partition("/")[0], each.sort) for each in found if not each.excused)
        print("\n".join(f"{count:4} {sort:6} {room}" for (room, sort), count in sorted(counts.items())))
    over = [name for name, bound in BOUNDS.items() if numbers[name] > bound]
    if given.all or over:
        print("\n".join(map(str, found)))
    print("readers of sentences: " + ", ".join(f"{numbers[name]} {name} (at most {BOUNDS[name]})" for name in numbers))
    return bool(over)


if __name__ == "__main__":
    raise SystemExit(main())
