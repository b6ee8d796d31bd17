"""Every view says the same: headers, boxes, the sentence above, and DISPLAY."""

import re

from helpers import for_each, lab_with, scenario_lab
from mqlab import estates
from mqlab.lab.scenarios import scenarios
from mqlab.views.drawing.scene import Scene, lab_picture
from mqlab.views.player.player_steps import PlayerSteps

HEADER = re.compile(
    r"<title>(?:Queue manager|Coupling facility of) (\w+)(?:, [\w ]+)?: "
    r"([\d,]+) queues?, ([\d,]+) channels?, ([\d,]+) mess"
)


def headers(lab):
    """What the header of each queue manager counts: queues, channels, messages."""
    found = HEADER.findall(lab_picture(lab).svg)
    return {name: tuple(int(count.replace(",", "")) for count in counts) for name, *counts in found}


LABS = {each.name: scenario_lab for each in scenarios()} | dict.fromkeys(estates.names(), estates.load)


@for_each("name", LABS)
def test_headers_count_what_is_drawn_and_what_display_says(name):
    lab = LABS[name](name)
    frame, told = Scene(lab).frame(lab.now_us), headers(lab)
    drawn = {(q.qmgr, q.name): frame.queues[q.id].depth for q in frame.outline.queues}
    channels = [p.qmgr for p in frame.outline.programs if p.chltype]
    for qmgr, (queues, ways, messages) in told.items():
        mine = {at: depth for at, depth in drawn.items() if at[0] == qmgr}
        assert (queues, ways, messages) == (len(mine), channels.count(qmgr), sum(mine.values())), qmgr
    assert sum(messages for *_, messages in told.values()) == sum(queue.depth for queue in frame.queues.values())
    for qmgr in lab.queue_managers:
        depths = {row["QUEUE"]: int(row["CURDEPTH"]) for row in qmgr.mqsc("DISPLAY QLOCAL(*) CURDEPTH").rows}
        mine = {queue: depth for (owner, queue), depth in drawn.items() if owner == qmgr.name and queue in depths}
        assert mine == {queue: depths[queue] for queue in mine}


def test_the_sentence_of_a_step_counts_the_queues_that_exist_then():
    lab, qm = lab_with("DEFINE QLOCAL(Q)")
    lab.advance(1)
    qm.mqsc("DEFINE QALIAS(A) TARGET(Q)\nDEFINE QLOCAL(LATER)").require()
    source = PlayerSteps(lab)
    said = source.facts["summary"]
    assert [text for _, text in said] == [f"{n} queue{'s' * (n > 1)}, no messages." for n in (1, 2, 3)]
