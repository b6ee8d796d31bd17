"""The drawing scripts in an embedded JavaScript engine: Python draws with the same scripts as a page, byte for byte."""

from __future__ import annotations

import atexit
import gzip
import json
from functools import cache
from importlib.resources import files
from typing import Any

from ...mq.errors import LabError

_HERE = files("mqlab.views.drawing")
SCRIPTS = ("model.js", "places.js", "picture.js", "export.js")
"""The pure scripts, in the order in which they are read."""

# ELK puts things off with a timer, which an engine without a page does not have: they are done at the end of a call.
_SHIM = """var self=globalThis,later=[];globalThis.setTimeout=(act)=>{later.push(act)};globalThis.clearTimeout=()=>{};
globalThis.console={log(){},error(){},warn(){}};var module={exports:{}},exports=module.exports,define=undefined;"""
_CALLS = """
const elk = new (module.exports.default ?? module.exports)(), kept = new Map();
let answer = null;
const asked = (facts) => (id) => facts[id];
const calls = {
  async places({ key, plan, facts, screen }) {
    const model = modelOf(plan, asked(facts)), { view, scene } = await openingOf(elk, model, asked(facts), screen);
    kept.set(key, { model, scene });
    return { view, scene: packed(model, scene) };
  },
  async picture({ key, facts, k, time }) {
    const { model, scene } = kept.get(key);
    return { svg: pictureOf(model, scene, asked(facts), k, time), signs: keyOf(model, scene, asked(facts), time) };
  },
  async exported({ key, facts, time, form, title, colors }) {
    const { model, scene } = kept.get(key);
    return EXPORTS[form](shapesOf(model, scene, asked(facts), time), title, colors);
  },
  async forget({ key }) { return kept.delete(key); },
};
function call(name, text) {
  answer = null;
  const failed = (error) => { answer = JSON.stringify({ failed: String(error && error.stack) }); };
  calls[name](JSON.parse(text)).then((found) => { answer = JSON.stringify({ found }); }, failed);
}"""


def packed_elk() -> bytes:
    """ELK, the library that places boxes (elkjs, EPL-2.0, unmodified), compressed with gzip."""
    return _HERE.joinpath("elk.bundled.js.gz").read_bytes()


def script(*names: str) -> str:
    """The text of some of the scripts of this folder."""
    return "\n".join(_HERE.joinpath(name).read_text("utf-8") for name in names)


@cache
def _engine() -> Any:
    try:
        from py_mini_racer import MiniRacer
    except ImportError:
        raise LabError("pictures of a lab need mini-racer, which is not installed: pip install 'mqlab[lab]'") from None
    engine = MiniRacer()
    atexit.register(engine.close)
    for text in (_SHIM, gzip.decompress(packed_elk()).decode("utf-8"), script(*SCRIPTS), _CALLS):
        engine.eval(f"{text}\n;0")
    return engine


def call(name: str, **values: Any) -> Any:
    """The answer of one of the calls above ("places", "picture", "exported", "forget"); values and answer are JSON.

    LabError if mini-racer is not installed.
    """
    engine = _engine()
    engine.eval(f"call({json.dumps(name)},{json.dumps(json.dumps(values, separators=(',', ':')))})")
    while not engine.eval("answer!==null"):
        engine.eval("while(later.length)later.shift()()")
    answer = json.loads(engine.eval("answer"))
    if "failed" in answer:
        raise RuntimeError(answer["failed"])
    return answer["found"]
