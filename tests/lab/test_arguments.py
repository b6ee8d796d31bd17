"""Values of wrong types in every public function: found by looking at what the packages give, not by a list."""

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import mqlab
from helpers import for_each, lab_error, refusal
from mqlab import LabError, MQError
from mqlab.engine.words.arguments import at_least, checked, require

WRONG = (object(), None, float("nan"), True, 2**70, "\ud800", "\0", b"x", [], {}, lambda: 0)
FACADES = [each.name for each in pkgutil.walk_packages(mqlab.__path__, "mqlab.") if each.ispkg]
MODULES = ["pipeline.read", "pipeline.source", "pipeline.sweep", "pipeline.charts.sweeps"]
MODULES += [f"pipeline.{name}" for name in ("instrumentation", "watch", "labs")]
INTERNAL = ("mqlab.engine.words.catalog", "mqlab.admin", "mqlab.gates", "mqlab.cli")
WITHIN = """asked beside cells_of check check_confidence clustered commented estimate group_of kept labs_of loaded
    manager_of once parsed plain repeated require_all returns_at_once seeds_of simulator t_quantile trust"""


def functions():
    for name in [*FACADES, *(f"mqlab.{each}" for each in MODULES)]:
        if name in INTERNAL:
            continue
        module = importlib.import_module(name)
        for each in sorted({*dir(module), *getattr(module, "__all__", ())}):
            found = getattr(module, each) if each[0] != "_" and each not in WITHIN.split() else None
            if inspect.isfunction(found) and found.__module__.startswith(name):
                yield pytest.param(found, id=f"{name}.{each}")


@for_each("call", list(functions()))
def test_a_public_function_refuses_values_of_wrong_types(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parameters = [each for each in inspect.signature(call).parameters.values() if not each.kind.name.startswith("VAR")]
    needed = [each.name for each in parameters if each.default is each.empty]
    tried = [dict.fromkeys(needed, wrong) for wrong in WRONG if needed]
    tried += [{**dict.fromkeys(needed, "A"), each.name: object()} for each in parameters]
    for given in tried:
        try:
            answer = call(**given)
            if inspect.isgenerator(answer):
                next(answer, None)
        except (LabError, MQError, KeyError) as refused:
            assert str(refused).encode()
            assert not isinstance(refused, KeyError) or call is mqlab.rule
    assert not list(tmp_path.iterdir())


def test_the_refusal_says_what_was_wanted_and_what_was_got():
    @checked
    def call(name: str, seconds: "float | None" = None, path: "str | Path" = "x", many: "list[dict[str, int]]" = ()):
        return name

    assert call("A", seconds=1) == "A"
    for given, said in (
        ({"name": None}, "name must be text that UTF-8 can hold; got None"),
        ({"name": "A", "seconds": True}, "seconds must be None or a number; got True"),
        ({"name": "A", "seconds": float("inf")}, "seconds must be None or a number; got inf"),
        ({"name": "A", "path": "a\0b"}, r"path must be Path or text that UTF-8 can hold; got 'a\x00b'"),
        ({"name": "A", "many": {}}, "many must be list; got {}"),
    ):
        assert str(refusal(LabError, "", call, **given)) == said
    lab_error("UTF-8", call, "\udc00")
    refusal(TypeError, "", call)


def test_a_class_of_another_package_with_the_name_of_a_type_does_not_fit():
    @checked
    def call(path: Path):
        return path

    named_like_it = type("Path", (), {"__module__": "elsewhere"})()
    lab_error("path must be Path", call, named_like_it)


def test_a_class_imported_for_types_only_counts_once_its_module_is_loaded(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "shapes_of_a_test.py").write_text("class Shape: ...\n")
    (tmp_path / "drawing_of_a_test.py").write_text(
        "from typing import TYPE_CHECKING\nfrom mqlab.engine.words.arguments import checked\nif TYPE_CHECKING:\n"
        "    import shapes_of_a_test as shapes\n    from shapes_of_a_test import Shape\n"
        "@checked\ndef draw(shape: 'Shape | None' = None, more: 'shapes.Shape | None' = None): return shape\n"
    )
    drawing = importlib.import_module("drawing_of_a_test")
    assert drawing.draw() is None
    lab_error("shape must be None or Shape; got 'square'", drawing.draw, "square")
    shape = importlib.import_module("shapes_of_a_test").Shape()
    assert drawing.draw(shape, more=shape) is shape


def test_a_value_may_have_limits_beyond_its_type():
    require("seconds", None, float | None, fits=at_least(1))
    require("seconds", 1, float | None, "a second or more", at_least(1))
    for value in (0, "1", True):
        wanted = (float | None, "a second or more", at_least(1))
        lab_error("seconds must be a second or more; got", require, "seconds", value, *wanted)
