"""What `mqlab.views` offers, and what it costs to ask for it."""

import subprocess
import sys

import mqlab.views
from helpers import for_each, lab_error, lab_with
from mqlab import views


def test_everything_offered_is_there():
    for name in mqlab.views.__all__:
        assert callable(getattr(mqlab.views, name)), name


def test_a_failure_card_and_a_player_load_no_library_of_charts_or_notebooks(tmp_path):
    script = (
        "import sys\nfrom mqlab import Lab, MQError\nlab = Lab()\nlab.queue_manager('QM1')\n"
        "assert not [m for m in sys.modules if m.startswith('mqlab.views.') and m != 'mqlab.views.plug']\n"
        "MQError(2033, 'Q', 'QM1')._repr_mimebundle_()\nfrom mqlab.views import lab_picture\n"
        "print([m for m in ('networkx', 'pyarrow') if m in sys.modules])\n"
        f"lab.save_player({str(tmp_path / 'x.html')!r})\n"
        "print([m for m in ('altair', 'pandas', 'anywidget', 'ipywidgets', 'IPython') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "[]"]


@for_each(
    "call",
    lambda lab, qm: views.lifecycle_chart(lab, [None]),
    lambda lab, qm: views.lifecycle_chart(lab, [[1]]),
    lambda lab, qm: views.lifecycle_chart(lab, slice(None)),
    lambda lab, qm: views.lifecycle_chart(lab, limit=-1),
    lambda lab, qm: views.lifecycle_frame(lab.events, float("nan"), end_us=1),
    lambda lab, qm: views.depth_frame(lab.events, "QM1", "A", start_us=-1, end_us=1),
    lambda lab, qm: views.depth_frame(lab.events, "QM1", "A", end_us=1, limit=0),
    lambda lab, qm: views.expired_chart(lab, "A", start=1, end=0),
    lambda lab, qm: views.card("t", items="A"),
    lambda lab, qm: views.card("t", items=[("1", "2")]),
    lambda lab, qm: views.outline(lab),
    lambda lab, qm: views.topology_frame(lab, lab.state(), 0),
    lambda lab, qm: views.reasons_card(lab),
    lambda lab, qm: views.themed_svg(lab),
    lambda lab, qm: lab.events["A"],
    lambda lab, qm: lab.events[1.5],
    lambda lab, qm: lab.events["A":],
)
def test_what_cannot_be_drawn_or_looked_up_is_refused_in_a_sentence(call):
    lab, qm = lab_with("DEFINE QLOCAL(A)")
    qm.put("A", b"x")
    lab_error(r"must (be|have|come|not)", call, lab, qm)
    assert '<span class="label">1</span>' in views.card("t", {1: 2}), "a label of any type is one"
