"""Scripts that other people wrote: every command is recognized, or refused with a reason that holds.

They are read where they lie, beside the repository, and are no part of it; without them these tests are skipped.
"""

import re
from pathlib import Path

import pytest

from helpers import displays, for_each, some
from mqlab import Lab
from mqlab.engine.commands import parse, read_script

SCRIPTS = Path(__file__).parents[4] / "shared" / "mqsc"
FILES = sorted(SCRIPTS.glob("*.mqsc"))
TEMPLATE = re.compile(r"\$[A-Za-z0-9_{(]|\{\{|%[A-Za-z_]\w+%|<[A-Za-z?]")

pytestmark = pytest.mark.skipif(not FILES, reason="the real scripts (../shared/mqsc) are not beside this repository")


def read(path):
    return read_script(path).text


@for_each("path", FILES)
def test_every_command_is_recognised_or_explained_and_the_script_runs(path):
    commands = parse(read(path), "distributed")
    for command in commands:
        if command.refused is None:
            assert command.verb
            assert command.object
        else:
            assert re.fullmatch(r"AMQ8\d{3}[IES]", command.refused.code)
            assert len(command.refused.said) > 20
    reply = Lab().queue_manager("QM1").mqsc(read(path))
    assert len(reply.replies) == len(commands)
    assert str(reply).endswith("processed.")
    assert reply._repr_mimebundle_()["text/html"]


@for_each(
    ("path", "platform"), [*((path, "distributed") for path in FILES), *((path, "zos") for path in some(FILES, 15))]
)
def test_every_script_loaded_exported_and_loaded_displays_the_same(path, platform):
    one, two = (Lab().queue_manager("QM1", platform=platform) for _ in range(2))
    one.mqsc(read(path))
    two.mqsc(one.export_mqsc()).require()
    assert displays(two) == displays(one)


def test_the_fraction_recognised(capsys):
    commands = [command for path in FILES for command in parse(read(path), "distributed")]
    whole = [command for command in commands if not TEMPLATE.search(command.text)]
    # wrong in the originals: a misspelled keyword, names that are too long or hold a hyphen, a channel type that is
    # none, a keyword torn in two with blanks left in it
    wrong = re.compile(r"FAILEDDLAY|QUEUE-(ONE|TWO)|MQTESTAPP_(INFO|DATA)\.CHANNEL|CHLTYPE\(SOMETHING\)|SSL\s+CRYP")
    valid = [command for command in whole if not wrong.search(command.text)]
    known = [command for command in valid if command.refused is None]
    templates = [command for command in commands if TEMPLATE.search(command.text) and command.refused is not None]
    with capsys.disabled():
        print(
            f"\n{len(commands)} commands of {len(FILES)} real scripts: {len(templates)} refused for a template's "
            f"placeholder, {len(whole) - len(valid)} wrong in the original; of the other {len(valid)}, "
            f"{len(known)} recognized ({len(known) / len(valid):.2%})"
        )
    assert len(known) / len(valid) >= 0.99, [(c.text[:80], c.refused.said) for c in valid if c.refused]
    assert all(command.refused is not None for command in whole if wrong.search(command.text))
