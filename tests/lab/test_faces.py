"""Controls in every free text of a lab: visible escapes in all that is shown, never raw."""

import re

from helpers import for_each
from mqlab import Lab, LabError, MQError, ProgramDied, estates
from mqlab.everyplace import MQeError
from mqlab.views import lab_picture, lifecycle_chart, lifecycle_svg, topology_svg

RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
COMMANDS = """
DEFINE QLOCAL(A) DESCR('{0}') TRIGDATA('{0}')
DEFINE TOPIC(T) TOPICSTR('{0}') DESCR('{0}')
DEFINE SUB('{0}') TOPICSTR('{0}') DEST(A)
DEFINE PROCESS(P) APPLICID('{0}')
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('{0}') XMITQ(X)
SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('{0}') MCAUSER('{0}')
DISPLAY QUEUE(*) ALL
DISPLAY SUB(*) ALL
DISPLAY TOPIC(T) ALL
DISPLAY TPSTATUS('{0}')
DISPLAY CHANNEL(C) ALL
DISPLAY CHLAUTH(*) ALL
{0}
"""


def answer(call, *arguments, **options):
    """What a call returns, or its refusal."""
    try:
        return call(*arguments, **options)
    except (MQError, LabError, MQeError, ProgramDied) as refused:
        return refused


def told(evil, folder):
    """A lab with this text wherever text can be, and everything of it that can be shown."""
    lab = Lab()
    qm, van = lab.queue_manager("QM1"), lab.everyplace("VAN")
    app = qm.connect("TILL", user=evil[:12])

    def die(_):
        raise ValueError(evil)

    def run():
        qm.run_program("DIES", die)
        lab.run(1)

    yield qm.mqsc(COMMANDS.format(evil))
    for call in (qm.put, app.put, qm.publish):
        yield answer(call, "A" if call != qm.publish else evil, evil)
    yield answer(qm.put, "A", b"x", format=evil[:8])
    yield answer(qm.put, "A", b"x", reply_to_q=evil)
    for call in (app.get, qm.connect, lab.shot, lab.everyplace, lab.__getitem__, van.put, van.get, estates.load):
        yield answer(call, evil, b"x") if call == van.put else answer(call, evil)
    yield answer(lab.link, evil, "QM1")
    yield answer(van.define, "local", evil)
    yield answer(Lab().scenario, evil)
    yield answer(run)
    yield from [lab, qm, van, app, lab.events, *lab.events, lab.state(), qm.error_log(), qm.why_no_message("A")]
    yield from [lab.why_not_delivered(1), qm.browse("A"), qm.queues[-1], app.unit_of_work(), lab.compare(Lab(), evil)]
    yield from [one for one in qm.objects.everything() if not one.name.startswith("SYSTEM.")]
    yield from [qm.export_mqsc(), lab.explain(1), lab_picture(lab), topology_svg(lab)]
    yield from [lifecycle_svg(lab)[0], lifecycle_chart(lab).to_json()]
    yield lab.save_player(folder / "page.html", title=evil).read_text(encoding="utf-8")


def faces(thing):
    """Everything that a terminal or a page gets to see of it."""
    yield thing if isinstance(thing, str) else repr(thing)
    yield str(thing)
    if hasattr(thing, "_repr_mimebundle_"):
        bundle = thing._repr_mimebundle_()
        yield from (bundle[0] if isinstance(bundle, tuple) else bundle).values()
    yield getattr(thing, "svg", "")


@for_each("control", ["\x1b[31m", "\x07\x08", "\x7f", "\x9b2J", "\u202e", "\u2066\u2069"])
def test_controls_are_shown_as_escapes_wherever_a_lab_shows_itself(control, tmp_path):
    seen = 0
    for thing in told(f"a{control}z", tmp_path):
        for face in faces(thing):
            raw = RAW.search(str(face))
            assert not raw, (type(thing).__name__, str(face)[max(0, raw.start() - 80) : raw.end() + 10])
            seen += 1
    assert seen > 150
