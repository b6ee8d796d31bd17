"""Pictures of a lab at a moment."""

import gc
import re
import weakref
from xml.etree import ElementTree

from helpers import for_each, lab_error
from mqlab import Lab, estates
from mqlab.views import lab_picture, timeline_frame, topology_svg
from mqlab.views.drawing.scene import Scene


def test_a_picture_speaks_and_draws(played):
    picture = lab_picture(played)
    bundle = picture._repr_mimebundle_()
    assert bundle["text/plain"] == repr(picture)
    assert "expired and still count" in repr(picture)
    assert bundle["text/html"].count('class="mqlab-topology"') == 1
    assert picture.key.partition(" style=")[0] in bundle["text/html"]
    assert re.search(r'style="max-width:max\(100%,calc\([0-9.]+px\*.6\)\);height:auto"', bundle["text/html"])
    assert picture.svg == topology_svg(played)


def test_a_moment_and_the_row_that_made_it_give_the_same_picture_and_boxes_stay_where_they_are(played):
    row = played.events.where(kind="get")[0]
    last = max(e.seq for e in played.events if e.time_us == row.time_us)
    assert topology_svg(played, at=row.time_us / 1e6) == topology_svg(played, seq=last)
    assert topology_svg(played, at="09:00:09") == topology_svg(played, at="2025-01-06T09:00:09Z")
    put = played.events.where(kind="put")[2]
    before, after = (timeline_frame(played, seq=s).queues["QM1/ORDERS"].depth for s in (put.seq - 1, put.seq))
    assert after == before + 1 == put.depth

    def boxes(svg):
        groups = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g")
        return {g.get("data-part"): g.get("transform") for g in groups if g.get("class") == "box"}

    first, last = boxes(topology_svg(played, at="09:00:00")), boxes(topology_svg(played))
    assert len(first) > 4
    assert first == {id: last[id] for id in first}
    played["QM1"].mqsc("DEFINE QLOCAL(BRAND.NEW)")
    assert "BRAND.NEW" in topology_svg(played)


@for_each(
    "options, wanted",
    ({"at": "noon"}, "moment must be"),
    ({"at": "2024-01-01"}, "moment must be 2025-01-06"),
    ({"at": "10:00:00"}, "moment must be up to 09:00:"),
    ({"seq": -1}, "event row must be"),
    ({"seq": 10_000}, "event row must be"),
    ({"seq": "3"}, "seq must be"),
    ({"qmgr": "QM7"}, "queue manager must be one of QM1"),
)
def test_a_picture_of_what_is_not_there_is_refused(played, options, wanted):
    lab_error(wanted, lab_picture, played, **options)


def test_an_empty_lab_can_be_looked_at_and_looking_does_not_keep_it():
    lab = Lab()
    assert "no messages" in repr(lab_picture(lab))
    gone = weakref.ref(lab)
    del lab
    gc.collect()
    assert gone() is None


def test_a_picture_can_be_kept_as_a_file(played, tmp_path):
    picture = lab_picture(played)
    picture.save(tmp_path / "now.svg")
    picture.save(tmp_path / "now.html")
    assert (tmp_path / "now.svg").read_text("utf-8") == picture.svg
    page = (tmp_path / "now.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert picture.svg in page


def test_the_head_counts_the_queues_of_all_boxes_and_a_scene_of_one_queue_manager_shows_only_that(lab, qm):
    two = estates.load("two-sites")
    boxes = re.findall(r": (\d+) queues, \d+ channels, 0 messages", lab_picture(two).svg)
    assert repr(lab_picture(two)).endswith(f" {sum(map(int, boxes))} queues, no messages.")
    lab.queue_manager("QMZ", platform="zos").mqsc("DEFINE QLOCAL(FAR.AWAY)").require()
    assert [q.name for q in Scene(lab, "QMZ").outline.queues] == ["FAR.AWAY"]
    assert "FAR.AWAY" not in topology_svg(lab, qmgr="QM1")
    svg = lab_picture(lab, qmgr="QMZ").svg
    assert "0 messages of any number" in svg, "the depth that z/OS begins with is no limit"
    assert "1,000M" not in svg
