"""The dotted names that programs of others import: each leads to the same object, however it is imported."""

import subprocess
import sys
from importlib import import_module
from inspect import unwrap
from pathlib import Path

from helpers import for_each, mq_error
from mqlab import Lab

LISTED = Path(__file__).with_name("names.txt").read_text("utf-8")
"""What the notebooks, the exercises, and a set of programs imported before the engine had a folder of its own."""
NAMES = LISTED.split()


def found(name):
    """The object of a dotted name, as an import finds it: a module, or a name in one."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        module, _, last = name.rpartition(".")
        return getattr(import_module(module), last)


@for_each("name", NAMES)
def test_a_name_that_others_import_leads_to_the_one_object(name):
    thing = found(name)
    if hasattr(thing, "__module__"):
        home = getattr(sys.modules[thing.__module__], thing.__qualname__)
        assert unwrap(home) is unwrap(thing)
    elif hasattr(thing, "__spec__"):
        assert sys.modules[thing.__name__] is thing is sys.modules[thing.__spec__.name]


def test_no_module_is_loaded_twice_when_its_old_name_comes_first():
    text = (
        "import sys\nfrom importlib import import_module\n"
        f"for name in {[name for name in NAMES if '.pipeline' not in name]!r}:\n"
        "    try: import_module(name)\n"
        "    except ModuleNotFoundError: import_module(name.rpartition('.')[0])\n"
        "import mqlab, mqlab.constants\n"
        "from mqlab import constants\n"
        "assert constants is mqlab.constants\n"
        "loaded = {name: module for name, module in sys.modules.items() if name.startswith('mqlab')}\n"
        "assert len({module.__file__ for module in loaded.values()}) == len(set(map(id, loaded.values())))\n"
    )
    subprocess.run([sys.executable, "-c", text], check=True, timeout=60)


def test_a_module_is_found_from_the_folder_that_it_left_and_a_refusal_has_a_hint():
    from mqlab.mq import pcf, selector

    assert (pcf.__name__, selector.__name__) == ("mqlab.pcf.format", "mqlab.properties.selector")
    qm = Lab().queue_manager("QM1")
    caught = mq_error(qm.put, "ORDERS", b"x")
    assert caught.said
    assert caught.hint
    assert caught.said in str(caught)
