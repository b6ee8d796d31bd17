"""What `mqlab.views` offers, and what it costs to ask for it."""

import subprocess
import sys

import mqlab.views


def test_everything_offered_is_there():
    for name in mqlab.views.__all__:
        assert callable(getattr(mqlab.views, name)), name


def test_a_failure_card_loads_no_chart_library():
    script = (
        "import sys\nfrom mqlab import MQError\nMQError(2033, 'Q', 'QM1')._repr_mimebundle_()\n"
        "from mqlab.views import lab_picture\n"
        "print([m for m in ('altair', 'pandas', 'pyarrow', 'ipywidgets', 'IPython') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
