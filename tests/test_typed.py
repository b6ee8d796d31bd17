"""Public functions are typed; the type checker holds the functions of the model to it, in each room of its list."""

import ast
import tomllib

from helpers import PACKAGE, ROOT, for_each

OTHERS = {"views", "lab", "estates", "course", "pipeline", "cli"}
MODEL = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - OTHERS
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def switched_on(flag):
    """The rooms that the type checker reads with `flag`, as pyproject.toml lists them."""
    tables = [table for table in PROJECT["tool"]["mypy"]["overrides"] if table.get(flag)]
    names = [name for table in tables for name in table["module"] if name.endswith(".*")]
    return [name.split(".")[1] for name in names if name != "tools.*"]


MODEL_ON = switched_on("disallow_untyped_defs")
OTHERS_ON = switched_on("disallow_incomplete_defs")


def functions(body):
    """The public functions and methods of a module or class."""
    for node in body:
        public = not getattr(node, "name", "").startswith("_")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if public or node.name == "__init__":
                yield node
        elif public and isinstance(node, ast.ClassDef | ast.If | ast.Try | ast.With):
            yield from functions(node.body)


def untyped(function):
    """The parameters of a function without an annotation, and "return" if its result has none."""
    parameters = function.args
    listed = [*parameters.posonlyargs, *parameters.args]
    if listed and listed[0].arg in ("self", "cls", "mcs"):
        listed = listed[1:]
    listed += [*parameters.kwonlyargs, *filter(None, (parameters.vararg, parameters.kwarg))]
    missing = [parameter.arg for parameter in listed if parameter.annotation is None]
    if function.returns is None and not (function.name == "__init__" and listed):
        missing.append("return")
    return missing


def wrong(paths):
    """Each function of some files that is not typed: file, line, name, and what has no annotation."""
    found = []
    for path in sorted(paths):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in functions(tree.body):
            if missing := untyped(function):
                place = f"{path.relative_to(ROOT)}:{function.lineno} {function.name}"
                found.append(f"{place}: {', '.join(missing)}")
    return found


@for_each("room", OTHERS_ON)
def test_every_public_function_is_typed(room):
    assert wrong((PACKAGE / room).rglob("*.py")) == []


def test_every_public_function_of_the_tools_is_typed():
    assert wrong((ROOT / "tools").glob("*.py")) == []


def test_a_room_is_in_its_own_list_and_the_package_says_that_it_is_typed():
    assert (set(MODEL_ON), set(OTHERS_ON)) == (MODEL, OTHERS)
    assert {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()} == MODEL | OTHERS
    assert (PACKAGE / "py.typed").read_bytes() == b""
    assert "py.typed" in PROJECT["tool"]["setuptools"]["package-data"]["*"]
