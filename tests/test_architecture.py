"""The house holds: imports run one way, as the tables of docs/architecture.md show, and in no circle."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import networkx

import mqlab
from helpers import PACKAGE, ROOT, ROWS, for_each

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS = dict(ROWS)
ENGINE = dict(re.findall(r"^\| `engine/(\w+)/` \|[^|]*\| ([^|]*) \|$", PAGE, re.MULTILINE))
ABOVE = {"views", "ibmmq", "lab", "estates", "course", "pipeline", "cli"}
"""The front, what it shows itself with, and what imports it; all others are the engine and extras of the model."""
FILES = sorted(PACKAGE.rglob("*.py"))


def dotted(path: Path) -> str:
    """The name of the module that a file is."""
    parts = (PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {dotted(path): path for path in FILES}


def room(module: str) -> str:
    """The folder of the package that a module is in, "" for the package's own front."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] != "__main__" else ""


def room_of_engine(module: str) -> str:
    """The folder of the engine that a module is in; what plugs into it goes with its words, and "" puts it together."""
    parts = module.split(".")
    return "words" if module == SEAM else parts[2] if len(parts) > 2 and parts[2] in ENGINE else ""


@cache
def parsed(path: Path) -> ast.Module:
    """The tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(module: str) -> set[str]:
    """The modules of the package that a module imports anywhere in its text: in functions too, and for types only."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            found.update(f"{source}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
            found.update(text.value for text in ast.walk(node) if isinstance(text, ast.Constant))
    found = {name if name in MODULES else name.rpartition(".")[0] for name in found if isinstance(name, str)}
    return {name for name in found if name in MODULES and name != module}


SEAM = "mqlab.engine.extra"  # its hooks are typed with what they are given, and it imports none of that when it runs
PARTS = "mqlab.engine.queues.parts"  # types for the modules below those that define them: for annotations only


@cache
def imports() -> dict[str, set[str]]:
    """The modules of the package, each with those that it imports."""
    known: dict[str, set[str]] = {SEAM: {"mqlab.engine.words.shown"}, PARTS: set()}
    return {module: known[module] if module in known else imported(module) for module in MODULES}


def test_the_parts_of_a_queue_manager_are_types_only_and_of_one_room():
    assert {room_of_engine(name) for name in imported(PARTS)} == {"queues"}
    for module in MODULES:
        nodes = [*ast.walk(parsed(MODULES[module]))]
        named = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "parts"]
        blocks = [node for node in nodes if named and isinstance(node, ast.If)]
        guarded = [block for block in blocks if ast.unparse(block.test) == "TYPE_CHECKING"]
        types = {id(node) for block in guarded for node in ast.walk(block)}
        assert not [node.lineno for node in named if id(node) not in types], module


def test_every_entry_is_a_folder_that_says_what_it_is():
    entries = {path.name for path in PACKAGE.iterdir() if path.suffix not in (".pyc", ".md")} - {"__pycache__"}
    # an update leaves the compiled modules of a folder that has moved
    entries -= {name for name in entries if {p.name for p in (PACKAGE / name).glob("*")} == {"__pycache__"}}
    assert entries - {"__init__.py", "__main__.py", "py.typed"} == set(ROOMS)
    assert {path.name for path in (PACKAGE / "engine").iterdir() if (path / "__init__.py").exists()} == set(ENGINE)
    assert len(ROOMS) <= 24
    for path in PACKAGE.rglob("__init__.py"):
        first = (ast.get_docstring(parsed(path)) or "").partition("\n\n")[0]
        assert first.endswith("."), f"{path}: its first paragraph says in one sentence what it is; got {first!r}"


@for_each("name", ENGINE)
def test_a_room_of_the_engine_imports_what_its_table_allows_it(name):
    allowed = {name, *re.findall(r"`(\w+)`", ENGINE[name])}
    modules = [module for module in MODULES if room(module) == "engine" and room_of_engine(module) == name]
    assert modules
    assert not [f"{m} imports {i}" for m in modules for i in imports()[m] if room_of_engine(i) not in allowed]
    assert allowed - {name} == {room_of_engine(i) for m in modules for i in imports()[m]} - {name}


@for_each("name", ROOMS)
def test_a_room_imports_what_the_table_allows_it(name):
    allowed = {name, *re.findall(r"`(\w+)`", ROOMS[name])}
    wrong = [f"{m} imports {i}" for m in MODULES if room(m) == name for i in imports()[m] if room(i) not in allowed]
    assert not wrong


def test_the_package_imports_no_tool_of_its_maintainers():
    tools = re.compile(r"^\s*(?:from|import) tools\b|import_module\(.?.tools\b", re.MULTILINE)
    assert not [path for path in FILES if tools.search(path.read_text(encoding="utf-8"))]
    assert tools.search("from tools import site")
    assert not (PACKAGE / "tools" / "__init__.py").exists()


def test_the_table_has_no_arrow_up_its_arrows_are_used_and_no_module_imports_in_a_circle():
    assert (next(iter(ROOMS)), set([*ROOMS][-len(ABOVE) :])) == ("engine", ABOVE)
    for table in (ROOMS, ENGINE):
        assert_no_arrow_up(table)
    used = defaultdict(set)
    for module, names in imports().items():
        used[room(module)].update(room(name) for name in names)
    for name, may in ROOMS.items():
        assert set(re.findall(r"`(\w+)`", may)) <= used[name], f"{name}: the table allows what nothing uses"
    graph = networkx.DiGraph([(module, name) for module, names in imports().items() for name in names])
    circles = [group for group in networkx.strongly_connected_components(graph) if len(group) > 1]
    assert not circles


def assert_no_arrow_up(table):
    """Assert that no row of a table names itself, or a row below it."""
    order = list(table)
    for name, may in table.items():
        up = [other for other in re.findall(r"`(\w+)`", may) if order.index(other) >= order.index(name)]
        assert not up, f"{name} would import {up}, which the table lists below it"


def test_the_front_has_the_public_names_and_the_rooms():
    names = {name for name in dir(mqlab) if not name.startswith("__")}
    assert names == {*mqlab.__all__, *ROOMS}
    bound = {name for name in vars(mqlab) if not name.startswith("_") and f"mqlab.{name}" not in mqlab._MOVED}
    assert bound <= {*names, "load_ipython_extension", "TYPE_CHECKING"}


@for_each("page", ["docs/architecture.md", "docs/routes.md"])
def test_a_page_names_files_and_folders_that_there_are_with_the_functions_and_classes_beside_them(page):
    text, missing = (ROOT / page).read_text(encoding="utf-8"), []
    named = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.[a-z]+)?)`", text)
    assert len(named) > 60
    assert [name for name in named if not (ROOT / name).exists() and not (PACKAGE / name).exists()] == []
    for names, path in re.findall(r"((?:`[\w.]+`(?:, and |, | and )?)+) in `((?:[a-z_]+/)+[a-z_]+\.py)`", text):
        source = (PACKAGE / path).read_text(encoding="utf-8")
        for name in re.findall(r"(\w+)`", names):
            if not re.search(rf"^\s*(?:def |class )?{name}\b(?:[(:]| =)", source, re.MULTILINE):
                missing.append(f"{name} in {path}")
    assert missing == []


def test_the_page_leads_into_every_room_of_the_model():
    named = {name.rpartition("/")[0] for name in re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", PAGE)}
    assert {f"engine/{name}" for name in ENGINE} | (set(ROOMS) - ABOVE - {"engine"}) <= named


def test_the_docstring_of_a_private_function_is_one_line():
    long = []
    for path in FILES:
        for node in ast.walk(parsed(path)):
            private = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and re.match("_(?!_)", node.name)
            if private and "\n" in (ast.get_docstring(node, clean=False) or ""):
                long.append(f"{path.relative_to(PACKAGE)}: {node.name}")
    assert not long, "one line says what it does; comments say why"
