"""The dotted names that programs of others import: each leads to the same object, however it is imported."""

import subprocess
import sys
from importlib import import_module
from inspect import unwrap

from helpers import for_each, mq_error
from mqlab import Lab

LISTED = """
mqlab
mqlab.GMO
mqlab.Lab
mqlab.LabError
mqlab.MD
mqlab.MQError
mqlab.PMO
mqlab.constants
mqlab.course
mqlab.course.channels.DEAD_LETTER
mqlab.course.channels.dead_letters
mqlab.course.channels.shop_and_depot
mqlab.course.channels.state_of
mqlab.course.exercise
mqlab.course.exercises.names
mqlab.course.incidents.Incident
mqlab.course.incidents.estates
mqlab.course.lessons
mqlab.course.lessons.as_table
mqlab.course.lessons.explained
mqlab.course.lessons.refused
mqlab.course.memory.classes
mqlab.course.memory.invented.invent
mqlab.course.programs.require_ibmmq
mqlab.course.programs.run
mqlab.course.triggers.Shop
mqlab.course.triggers.answers
mqlab.course.triggers.decisions
mqlab.estates
mqlab.estates.proofs.prove
mqlab.estates.report.rows_of
mqlab.everyplace.MQeError
mqlab.everyplace.copy_to_dead_letter
mqlab.lab.scenarios.telling.answer
mqlab.lab.scenarios.telling.outcome
mqlab.lab.scenarios.telling.starts
mqlab.mq.constants
mqlab.mq.constants.MQFB_EXPIRATION
mqlab.mq.constants.MQGMO_MARK_SKIP_BACKOUT
mqlab.mq.constants.MQGMO_NO_SYNCPOINT
mqlab.mq.constants.MQGMO_SYNCPOINT
mqlab.mq.constants.MQPMO_NO_SYNCPOINT
mqlab.mq.constants.MQRO_COA
mqlab.mq.constants.MQRO_COD
mqlab.mq.constants.MQRO_DISCARD_MSG
mqlab.mq.constants.MQRO_EXCEPTION
mqlab.mq.constants.MQRO_EXPIRATION
mqlab.mq.constants.MQRO_EXPIRATION_WITH_DATA
mqlab.mq.constants.MQRO_EXPIRATION_WITH_FULL_DATA
mqlab.mq.errors.RunawayTrigger
mqlab.mq.headers.ImsHeader
mqlab.mq.headers.MQDLH
mqlab.mq.headers.MQIIH
mqlab.mq.headers.MQTM
mqlab.mq.headers.MQXQH
mqlab.mq.headers.TriggerMessage
mqlab.mq.headers.join_segments
mqlab.mq.pcf
mqlab.mq.selector.parse
mqlab.mqsc.read_script
mqlab.pipeline.SparkUnavailable
mqlab.pipeline.charts
mqlab.pipeline.charts.fate_chart
mqlab.pipeline.cluster.running
mqlab.pipeline.cluster.up
mqlab.pipeline.questions
mqlab.pipeline.questions.fate_summary
mqlab.pipeline.read.read_events
mqlab.pipeline.session
mqlab.pipeline.source.register
mqlab.pipeline.spark.SMALL
mqlab.pipeline.sweep.SweepLost
mqlab.pipeline.sweep.sweep
mqlab.pipeline.traffic
mqlab.pipeline.watch
mqlab.pipeline.workloads
mqlab.programs.sample_server.sample_server
mqlab.tools.cli.main
mqlab.tools.pytest_plugin
mqlab.views.charts.renderer
mqlab.views.expired_chart
mqlab.views.lab_picture
mqlab.views.lifecycle_chart
mqlab.views.text.plural
mqlab.views.widgets.timeline
"""
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


def test_a_module_is_found_from_the_folder_that_it_left():
    from mqlab.mq import pcf, selector

    assert (pcf.__name__, selector.__name__) == ("mqlab.pcf.format", "mqlab.properties.selector")


def test_a_refusal_has_what_it_says_and_a_hint():
    qm = Lab().queue_manager("QM1")
    caught = mq_error(qm.put, "ORDERS", b"x")
    assert caught.said
    assert caught.hint
    assert caught.said in str(caught)
