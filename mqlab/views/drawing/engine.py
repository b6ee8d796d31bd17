"""The drawing scripts in a JavaScript engine, embedded or that of the browser around Python: Python draws with the same
scripts as a page, byte for byte."""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from itertools import count
from typing import Any

from ...browser.page import BROWSERS
from ...engine.words.errors import LabError

_HERE = files("mqlab.views.drawing")
IN_BROWSER = sys.platform == "emscripten"
SCRIPTS = ("model.js", "places.js", "picture.js", "export.js")
"""The pure scripts, in the order in which they are read."""

# ELK puts things off with a timer, which an engine without a page does not have: they are done at the end of a call.
_SHIM = """const later=[],setTimeout=(act)=>{later.push(act)},clearTimeout=()=>{},console={log(){},error(){},warn(){}};
const self=new Proxy({setTimeout,clearTimeout},{get:(own,name)=>own[name]??globalThis[name]});
const module={exports:{}},exports=module.exports,define=undefined,document=undefined;"""
_numbers = count()
_begun_in: list[int] = []  # the process that the engine belongs to


def packed_elk() -> bytes:
    """ELK, the library that places boxes (elkjs, EPL-2.0, unmodified), compressed with gzip."""
    return _HERE.joinpath("elk.bundled.js.gz").read_bytes()


def script(*names: str) -> str:
    """The text of some of the scripts of this folder."""
    return "\n".join(_HERE.joinpath(name).read_text("utf-8") for name in names)


def cannot_draw() -> str:
    """Why this process cannot draw, "" if it can; words and tables then replace the picture."""
    if not IN_BROWSER and find_spec("py_mini_racer") is None:
        return "pictures of a lab need mini-racer, which is not installed: pip install 'mqlab[lab]'"
    if _begun_in and os.getpid() not in _begun_in:
        return "a process that was forked from one that has drawn cannot draw: spawn that process instead"
    if IN_BROWSER and not import_module("pyodide.ffi").can_run_sync():
        return f"pictures of a lab need a newer browser: {BROWSERS}"
    return ""


@cache
def _evaluate() -> Callable[[str], Any]:
    """The function that evaluates JavaScript, once it knows `drawing`, the calls of calls.js."""
    evaluate = import_module("pyodide.code").run_js if IN_BROWSER else _of_mini_racer()
    texts = "\n;".join((_SHIM, gzip.decompress(packed_elk()).decode("utf-8"), script(*SCRIPTS, "calls.js")))
    evaluate(f"globalThis.drawing=(()=>{{{texts}}})();0")
    return evaluate


def _of_mini_racer() -> Callable[[str], Any]:
    from ctypes import py_object, pythonapi

    from py_mini_racer import MiniRacer

    with ThreadPoolExecutor(1) as apart:  # of the event loop that runs here, which may end before the engine does
        engine = apart.submit(MiniRacer).result()
    # It lives as long as the process: closing it at an exit would wait for threads that may have ended, or never do.
    _begun_in.append(os.getpid())
    pythonapi.Py_IncRef(py_object(engine))
    return engine.eval


def _answer(evaluate: Callable[[str], Any], number: int) -> str:
    """The answer of a call when the engine has it; in a browser this stack waits, as its promises need the loop."""
    if IN_BROWSER:
        return import_module("pyodide.ffi").run_sync(evaluate(f"drawing.finished({number})"))
    while not (text := evaluate(f"drawing.answer({number})")):
        pass
    return text


def call(name: str, **values: Any) -> Any:
    """The answer of one of the calls of calls.js ("places", "known", "keep", "picture", and so on) as JSON values.

    LabError if this process cannot draw.
    """
    if why := cannot_draw():
        raise LabError(why)
    evaluate, number = _evaluate(), next(_numbers)
    evaluate(f"drawing.call({number},{json.dumps(name)},{json.dumps(json.dumps(values, separators=(',', ':')))})")
    answer = json.loads(_answer(evaluate, number))
    if "failed" in answer:
        raise RuntimeError(answer["failed"])
    return answer.get("found")
