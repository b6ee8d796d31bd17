"""The saved player in a browser without a network, and its script as a notebook would run it."""

import base64
import json
import re
import statistics
from collections import Counter

import in_page
import pytest

from mqlab import Lab, estates
from mqlab.views.drawing.engine import packed_elk
from mqlab.views.player.player import player_script, player_style
from mqlab.views.player.player_steps import PlayerSteps
from mqlab.views.theme import LIGHT

pytestmark = pytest.mark.browser
CHART = (
    '<svg viewBox="0 0 400 100" width="400" height="100" role="img" aria-label="lives" data-from-us="0" '
    'data-to-us="10000000" data-x0="50" data-x1="350" data-y0="0" data-y1="100">'
    '<rect x="50" y="40" width="300" height="8"/></svg>'
)
PLACE = "() => window.player.position"


def sites():
    """Orders over two channels, a link that is cut, and a lifetime that ends meanwhile."""
    lab = estates.load("two-sites")
    south, shop = lab["SOUTH"], lab["NORTH"].connect("WEBSHOP")

    def serve(app, trigger):
        app.reply(app.get(trigger.queue, wait=1), b"picked")

    south.program("ORDER.SERVER", serve)
    south.trigger_monitor("SOUTH.INITQ")
    shop.put("ORDERS", b"1", reply_to_q="ORDERS.REPLY", persistent=True)
    lab.advance(5)
    lab.cut("NORTH", "HUB")
    shop.put("ORDERS", b"2", reply_to_q="ORDERS.REPLY", expiry=30)
    lab.advance(20)
    lab.restore("NORTH", "HUB")
    lab.advance(60)
    return lab


def busy(messages=2000, queues=60):
    """Many messages on sixty queues of three queue managers."""
    lab = Lab()
    managers = [lab.queue_manager(name) for name in ("QM1", "QM2", "QM3")]
    names = [f"APP{i % 4}.QUEUE.{i}" for i in range(queues // 3)]
    for qmgr in managers:
        assert qmgr.mqsc("\n".join(f"DEFINE QLOCAL({name})" for name in names)).ok
    for number in range(messages):
        qmgr, name = managers[number % 3], names[number // 3 % len(names)]
        qmgr.connect("PUTTER").put(name, b"x", expiry=50 + number % 40 if number % 3 else -1)
        if number % 2:
            lab.advance(0.5)
        if number % 4 == 3 and qmgr.depth(name) > 2:
            qmgr.connect("GETTER").get(name)
    return lab


@pytest.fixture(scope="module")
def lab():
    """The two sites."""
    return sites()


@pytest.fixture(scope="module")
def recording(lab):
    """What the page should show."""
    return PlayerSteps(lab)


@pytest.fixture(scope="module")
def saved(lab, tmp_path_factory):
    """A saved player of the two sites."""
    return lab.save_player(tmp_path_factory.mktemp("player") / "demo.html", title="An <b>order</b>", lifecycle=CHART)


@pytest.fixture
def opened(chromium):
    """A function that opens a page from disk, offline. At the end nothing has been asked for or gone wrong."""
    contexts, wrong = [], []

    def judge(route):
        if not route.request.url.startswith(("file:", "data:", "blob:")):
            wrong.append(route.request.url)
        route.continue_()

    def open_(path, hash="", width=1400, height=900, scripts=True, ready=True, **options):
        context = chromium.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=scripts, offline=True, **options
        )
        contexts.append(context)
        context.route("**/*", judge)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.goto(path.as_uri() + hash)
        if scripts and ready:
            page.wait_for_function("() => window.player")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert wrong == []


def depths_in_cards(page):
    """The depth that each card of the picture tells."""
    cards = page.evaluate(
        "() => [...document.querySelectorAll('.mq-picture .of-card')].map(g => [g.dataset.part, "
        "g.getAttribute('aria-label')])"
    )
    found = {id: re.search(r"\. ([\d,]+) messages? of ", said) for id, said in cards}
    return {id: int(match[1].replace(",", "")) for id, match in found.items() if match}


def whole(page):
    """Open all queue managers of the picture, each with all its cards."""
    page.evaluate(in_page.script("whole.js"))
    return page


def depths_replayed(lab, recording, number):
    """The depths at a step, from the log alone."""
    state = lab.state(seq=recording.steps[number].seq) if recording.steps[number].seq >= 0 else None
    return {queue.id: state.queue(queue.qmgr, queue.name).depth if state else 0 for queue in recording.outline.queues}


# ---------------------------------------------------------------- what is shown
def test_all_of_it_is_there_and_needs_no_scrolling(opened, saved):
    page = opened(saved)
    assert page.title() == page.inner_text("h1") == "An <b>order</b>"
    assert page.locator("h1 b").count() == 0
    for part in (".mq-picture svg", ".mq-told", ".mq-events", ".mq-controls", ".mq-range", ".mq-buttons"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 900, part
        assert box["width"] > 300, part
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_cards_tell_the_depths_of_the_log_wherever_one_goes(opened, saved, lab, recording):
    page = whole(opened(saved))
    last = len(recording.steps) - 1
    for number in (last, 0, 60, 61, 62, last // 2, 61, 60, last - 1, 17):
        page.evaluate("(n) => window.player.go(n)", number)
        shown, wanted = depths_in_cards(page), depths_replayed(lab, recording, number)
        assert shown or not number, "nothing is there at the beginning"
        assert shown == {id: wanted[id] for id in shown}, number
        assert {id for id, depth in wanted.items() if depth} <= set(shown)
        step = recording.steps[number]
        if step.kind not in ("shot", "begin"):
            words = {stop.step: stop.said for stop in recording.stops}.get(number, step.said)
            assert page.inner_text(".mq-said").lower().rstrip(".") == words.lower()
        assert f"{number} of {last}" in page.inner_text(".mq-when")


def test_the_table_tells_the_same_as_the_frames(opened, saved, recording):
    page = opened(saved)
    page.keyboard.press("v")
    assert page.locator(".mq-picture").is_hidden()
    for number in (0, 62, len(recording.steps) - 1, 62):
        page.evaluate("(n) => window.player.go(n)", number)
        rows = page.evaluate(
            "() => [...document.querySelectorAll('[data-queue]')].map(r => [r.dataset.queue, "
            "[...r.cells].slice(3).map(c => c.textContent)])"
        )
        frame = recording.frame(number)
        assert [id for id, _ in rows] == [queue.id for queue in recording.outline.queues]
        for id, (depth, expired, uncommitted, *_) in rows:
            if depth != "–":
                now = frame.queues[id]
                assert (int(depth), int(expired), int(uncommitted)) == (now.depth, now.expired, now.uncommitted), id
    page.keyboard.press("v")
    assert page.locator(".mq-picture").is_visible()


# ---------------------------------------------------------------- by keyboard
def test_every_step_can_be_reached_by_keyboard(opened, saved, recording):
    page = opened(saved)
    last = len(recording.steps) - 1

    def press(key):
        page.keyboard.press(key)
        return page.evaluate(PLACE)

    stops = [stop.step for stop in recording.stops]
    assert [press("ArrowRight") for _ in range(3)] == [1, 2, 3]
    assert (press("ArrowLeft"), press("End"), press("ArrowRight"), press("Home")) == (2, last, last, 0)
    assert press("ArrowLeft") == 0
    assert [press("Shift+ArrowRight"), press("PageDown"), press("PageDown")] == stops[:3]
    assert (press("Shift+ArrowLeft"), press("PageUp")) == (stops[1], stops[0])


def test_a_room_sees_two_lines_of_the_words_of_a_shot_and_the_rest_on_request(opened, tmp_path):
    lab = sites()
    lab.shot("Long", "Orders wait; nothing is lost. " * 20)
    page = opened(lab.save_player(tmp_path / "long.html"), "#present", width=1280, height=720, reduced_motion="reduce")
    page.keyboard.press("Space")
    folded = "(() => { const e = document.querySelector('.mq-text'); return e.scrollHeight > e.clientHeight + 1; })()"
    assert page.evaluate(folded)
    page.keyboard.press("ArrowDown")
    assert not page.evaluate(folded)
    page.locator(".mq-text").click()
    assert page.evaluate(folded)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_a_shot_frames_its_objects_and_depths_run_beside_the_picture_on_the_same_clock(opened, tmp_path, size):
    lab = sites()
    shop = lab["NORTH"].connect("WEBSHOP")
    with lab.shot("Cut again", "Orders wait; nothing is lost.", focus=["NORTH/HUB", "NORTH/channel:NORTH.HUB"]):
        lab.cut("NORTH", "HUB")
        for _ in range(3):
            shop.put("ORDERS", b"3", reply_to_q="ORDERS.REPLY")
            lab.advance(2)
    lab.restore("NORTH", "HUB")
    lab.advance(90)
    lab.shot("Back", "All of them arrived.")
    path = lab.save_player(tmp_path / "told.html", depth=["NORTH/HUB", "ORDERS.IN"])
    page = opened(path, "#present", width=size[0], height=size[1], reduced_motion="reduce")
    depths = ".mq-gauges output"
    line = "[...document.querySelectorAll('.mq-gauges .mq-needle')].map((e) => +e.getAttribute('x1'))"
    seen = []
    for name in ("cut", "back"):
        page.keyboard.press("Space")
        seen.append((page.inner_text(".mq-shot"), page.locator(depths).all_inner_texts(), page.evaluate(line)))
        if name == "cut":
            box = "player.canvas.box('NORTH/HUB')"
            assert page.evaluate(f"player.canvas.within({box})")
            assert page.evaluate("player.canvas.camera.k > player.canvas.framed(player.canvas.whole).k")
    (cut, at_cut, x_cut), (back, at_end, x_end) = seen
    assert (cut, back) == ("Cut again", "Back")
    assert (at_cut[0], at_end[0]) == ("3", "0")
    assert x_cut[0] == x_cut[1] < x_end[0] == 1000
    labels = page.locator(".mq-gauges span").all_inner_texts()
    assert labels[1::2] == ["0", "0"], "the axis begins at 0"
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert not page.evaluate("player.canvas.near"), "a shot of nothing shows everything"


def test_space_plays_and_pauses_and_speed_has_keys(opened, saved, recording):
    page = opened(saved)
    for _ in range(6):
        page.keyboard.press("+")
    assert page.evaluate("() => window.player.speed") == 16
    page.keyboard.press("Space")
    assert page.get_attribute(".mq-play", "aria-label") == "Pause"
    page.wait_for_function("() => window.player.position > 5")
    page.keyboard.press("Space")
    at = page.evaluate(PLACE)
    page.wait_for_timeout(400)
    assert (page.evaluate(PLACE), page.get_attribute(".mq-play", "aria-label")) == (at, "Play")
    page.keyboard.press("-")
    assert page.evaluate("() => window.player.speed") == 8
    assert page.input_value(".mq-speed select") == "8"
    page.evaluate("(n) => window.player.go(n)", len(recording.steps) - 4)
    page.keyboard.press("Space")
    page.wait_for_function("() => !window.player.playing")
    assert page.evaluate(PLACE) == len(recording.steps) - 1


def test_a_second_press_shows_a_stop_with_its_words_before_the_next_one_goes_on(opened, saved, recording):
    page = opened(saved, "#present")
    for stop in recording.stops:
        page.keyboard.press("Space")
        if page.evaluate("() => player.playing || Boolean(player.flight)"):
            page.keyboard.press("Space")
        assert page.evaluate(PLACE) == stop.step
        assert page.inner_text(".mq-said").lower().rstrip(".") == stop.said.lower()


def test_following_a_message_rides_its_way_and_shows_its_descriptor(opened, saved, recording, serious):
    page = opened(saved)
    assert page.is_visible(".mq-opener")
    put = next(n for n, step in enumerate(recording.steps) if step.kind == "put" and step.message is not None)
    number = recording.steps[put].message
    journey = [n for n, step in enumerate(recording.steps) if step.message == number]
    page.evaluate("(n) => window.player.go(n)", journey[2])
    assert page.is_hidden(".mq-opener")
    page.keyboard.press("m")
    seen = [page.evaluate(PLACE)]
    while seen[-1] < journey[-1]:
        page.keyboard.press("Shift+ArrowRight")
        at = page.evaluate(PLACE)
        if at != seen[-1]:
            seen.append(at)
    assert seen == journey
    page.wait_for_function("() => !player.flight")
    fields = dict(
        zip(
            page.locator(".mq-descriptor dt").all_inner_texts(),
            page.locator(".mq-descriptor dd").all_inner_texts(),
            strict=True,
        )
    )
    last = recording.steps[journey[-1]]
    assert (fields["Queue"], fields["Persistence"]) == (f"{last.object} of {last.qmgr}", "persistent")
    assert page.locator(".mq-rows tr[data-step]").count() == len(journey)
    assert serious(page) == []
    page.keyboard.press("Escape")
    assert page.is_hidden(".mq-descriptor")
    assert page.evaluate("() => player.recording.following") == 0
    page.evaluate("(n) => window.player.go(n)", put)
    page.evaluate("async () => { await player.riding; await player.canvas.reveal('NORTH/HUB'); }")
    page.locator(f".mq-picture [data-message='{number}']").first.click()
    assert page.evaluate("() => player.recording.following") == number


def test_the_events_of_one_stop_can_be_opened_in_the_table(opened, saved, recording):
    page = opened(saved)
    page.click("text=stops only")
    rows = page.locator(".mq-rows tr[data-step]")
    assert rows.count() == len(recording.stops)
    many = next(stop for stop in recording.stops if len(stop.members) > 1)
    fold = page.locator(f".mq-rows tr[data-step='{many.step}'] .mq-fold")
    assert fold.inner_text() == f"{len(many.members)} events"
    fold.click()
    assert rows.count() == len(recording.stops) + len(many.members) - 1
    assert fold.get_attribute("aria-expanded") == "true"
    fold.click()
    assert rows.count() == len(recording.stops)


def test_keys_that_are_typed_into_a_field_are_the_field_s(opened, saved):
    page = opened(saved)
    page.focus(".mq-find input[type=search]")
    page.keyboard.type("pwf t+hub")
    assert page.input_value(".mq-find input[type=search]") == "pwf t+hub"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    assert page.evaluate(PLACE) == 0
    assert not page.evaluate("() => window.player.presenting || window.player.playing")
    page.focus(".mq-speed select")
    page.keyboard.press("End")
    assert page.evaluate(PLACE) == 0
    page.focus(".mq-step")
    page.keyboard.press("Space")
    assert page.evaluate(PLACE) == 1, "the button is pressed, and nothing plays"
    assert not page.evaluate("() => window.player.playing")
    page.focus(".mq-range")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(PLACE) == 2, "the slider goes one step, not two"


def test_help_tells_the_keys_and_closes(opened, saved):
    page = opened(saved)
    page.keyboard.press("?")
    assert "next or previous stop" in page.inner_text("dialog")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(PLACE) == 0
    page.keyboard.press("Escape")
    assert page.locator("dialog").is_hidden()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(PLACE) == 1


def test_why_is_the_chain_of_causes(opened, saved, recording):
    page = opened(saved)
    number = next(n for n, s in enumerate(recording.steps) if s.kind == "get" and "ORDER.SERVER" in s.said)
    page.evaluate("(n) => window.player.go(n)", number)
    page.keyboard.press("w")
    causes, at = [], recording.steps[number].cause
    while at >= 0:
        causes.append(recording.steps[at].said.lower())
        at = recording.steps[at].cause
    shown = [
        words.lower().split(" ", 1)[1].rstrip(".") for words in page.locator(".mq-causes button").all_inner_texts()
    ]
    assert shown == causes
    assert len(causes) >= 2
    page.locator(".mq-causes button").first.click()
    assert page.evaluate(PLACE) == recording.steps[number].cause


# ---------------------------------------------------------------- by mouse
def test_the_buttons_and_the_slider_do_the_same(opened, saved, recording):
    page = opened(saved)
    last = len(recording.steps) - 1
    for name, wanted in (("step", 1), ("step", 2), ("back", 1), ("last", last), ("first", 0)):
        page.click(f".mq-{name}")
        assert page.evaluate(PLACE) == wanted
    page.click(".mq-next")
    assert recording.steps[page.evaluate(PLACE)].sort or recording.steps[page.evaluate(PLACE)].kind == "shot"
    page.locator(".mq-range").fill("40")
    assert page.evaluate(PLACE) == 40
    assert f"lab_picture(lab, seq={recording.steps[40].seq})" in page.inner_text(".mq-call")
    assert page.get_attribute(".mq-range", "aria-valuetext").endswith(f"event 40 of {last}")
    box = page.locator(".mq-strip").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + 10)
    half = recording.steps[-1].time_us / 2
    assert abs(recording.steps[page.evaluate(PLACE)].time_us - half) < recording.steps[-1].time_us / 4


def test_a_row_is_gone_to_and_the_table_is_filtered(opened, saved, recording):
    page = opened(saved)
    page.locator(".mq-rows tr[data-step]").nth(8).click()
    assert page.evaluate(PLACE) == 8
    assert page.locator(".mq-rows tr[aria-current]").get_attribute("data-step") == "8"
    page.locator(".mq-rows tr[aria-current] button").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate(PLACE) == 9
    page.fill(".mq-find input[type=search]", "orders.in")
    wanted = [n for n, s in enumerate(recording.steps) if "ORDERS.IN" in f"{s.said} {s.object}"]
    shown = page.eval_on_selector_all(".mq-rows tr[data-step]", "rows => rows.map(r => +r.dataset.step)")
    assert shown == wanted
    assert page.inner_text(".mq-counted").startswith(f"{len(wanted)} of ")
    page.fill(".mq-find input[type=search]", "no such thing")
    assert "No event is like that" in page.inner_text(".mq-rows")
    page.fill(".mq-find input[type=search]", "")
    page.check(".mq-find input[type=checkbox]")
    shown = page.eval_on_selector_all(".mq-rows tr[data-step]", "rows => rows.map(r => +r.dataset.step)")
    assert shown == [stop.step for stop in recording.stops][: len(shown)]


def test_a_click_on_a_queue_shows_its_events(opened, saved, recording):
    page = whole(opened(saved, "#step=60"))
    rows = "rows => rows.map(r => +r.dataset.step)"
    page.locator('[data-part="SOUTH/ORDERS.IN"]').click()
    shown = page.eval_on_selector_all(".mq-rows tr[data-step]", rows)
    assert {n for n, s in enumerate(recording.steps) if (s.qmgr, s.object) == ("SOUTH", "ORDERS.IN")} <= set(shown)
    assert len(shown) < len(recording.steps) / 2
    page.locator('[data-part="SOUTH/ORDERS.IN"]').click()
    assert len(page.eval_on_selector_all(".mq-rows tr[data-step]", rows)) > len(shown)


# ---------------------------------------------------------------- movement, light and dark
def test_a_message_moves_over_its_lines(opened, saved, recording):
    page = whole(opened(saved))
    number = next(n for n, s in enumerate(recording.steps) if s.kind == "put" and "WEBSHOP" in s.said)
    page.evaluate("(n) => { window.player.setSpeed(0.1); window.player.go(n); }", number - 1)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.mq-dot')?.getAttribute('transform')")
    look = """() => { const dot = document.querySelector('.mq-dot'); return [dot.textContent, dot.classList.contains(
        'persistent'), dot.querySelectorAll('rect').length, dot.getAttribute('transform')]; }"""
    *said, one = page.evaluate(look)
    assert said == [str(recording.steps[number].message), True, 1], "its number, in the shape of a persistent message"
    page.wait_for_timeout(300)
    assert page.evaluate(look)[3] != one
    page.wait_for_function("() => !document.querySelector('.mq-dot')")
    assert page.locator(".mq-way").count() == len(recording.steps[number].ways)
    page.keyboard.press("ArrowLeft")
    assert page.locator(".mq-way").count() == 0


def test_with_reduced_motion_nothing_moves_and_the_way_is_lit(opened, saved, recording):
    page = whole(opened(saved, reduced_motion="reduce"))
    page.evaluate("""() => { window.dots = 0; new MutationObserver((changes) => {
        for (const c of changes) window.dots += c.addedNodes.length;
    }).observe(document.querySelector('.mq-dots'), { childList: true }); }""")
    number = next(n for n, s in enumerate(recording.steps) if s.kind == "put" and "WEBSHOP" in s.said)
    page.evaluate("(n) => window.player.go(n - 1)", number)
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    assert page.evaluate("() => window.dots") == 0
    assert page.locator(".mq-way").count() == len(recording.steps[number].ways) > 0


def test_light_and_dark_as_the_system_has_it_or_as_chosen(opened, saved):
    page = opened(saved, "#step=60")

    def ground(scheme=None, key=None):
        if scheme:
            page.emulate_media(color_scheme=scheme)
        if key:
            page.keyboard.press(key)
        return page.evaluate("() => getComputedStyle(document.querySelector('.mq-frame')).backgroundColor")

    white, black = ground("light"), ground("dark")
    assert white != black
    for scheme, own in (("dark", black), ("light", white)):
        assert (ground(scheme), ground(key="t"), ground(key="t")) == (own, white, black)
        card = "() => getComputedStyle(document.querySelector('.mq-picture .closed')).fill"
        assert page.evaluate(card) == "rgb(36, 43, 52)"
        assert ground(key="t") == own


def test_a_chart_of_lives_has_a_line_for_now(opened, saved, recording):
    page = opened(saved)
    page.click("text=Lives")
    page.evaluate("(n) => window.player.go(n)", recording.step_at(5))
    x = float(page.get_attribute(".mq-chartnow", "x1"))
    assert x == pytest.approx(50 + 300 * recording.steps[recording.step_at(5)].time_us / 1e7)
    page.evaluate("(n) => window.player.go(n)", len(recording.steps) - 1)
    assert float(page.get_attribute(".mq-chartnow", "x1")) == 350


# ---------------------------------------------------------------- for a room, by link, on paper, without scripts
def test_for_a_room_one_key_plays_up_to_the_next_place_that_explains(opened, saved, recording):
    page = opened(saved, "#step=40&present")
    assert page.locator(".mq-controls").is_hidden()
    assert page.locator(".mq-events").is_hidden()
    assert (
        float(
            page.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.mq-shot, .mq-said')).fontSize)")
        )
        >= 18
    )
    stops = [stop.step for stop in recording.stops if stop.step > 40]
    for key, stop in zip((" ", "ArrowRight", "PageDown", "Enter"), stops, strict=False):
        page.keyboard.press("Space" if key == " " else key)
        page.wait_for_function("() => !window.player.playing", timeout=90_000)
        assert page.evaluate(PLACE) == stop
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(PLACE) == stops[2]
    page.keyboard.press("Escape")
    assert page.locator(".mq-controls").is_visible()


def test_a_place_can_be_linked(opened, saved, recording):
    page = opened(saved, "#step=62")
    assert page.evaluate(PLACE) == 62
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash === '#step=63'")
    page.evaluate("() => { location.hash = '#step=10'; }")
    page.wait_for_function("() => window.player.position === 10")
    assert opened(saved, "#step=99999").evaluate(PLACE) == len(recording.steps) - 1
    assert opened(saved, "#step=lunch").evaluate(PLACE) == 0


def test_what_happens_is_said_to_those_who_hear_it(opened, saved, recording):
    page = opened(saved)
    page.evaluate("() => window.player.go(62)")
    page.wait_for_function("() => document.querySelector('[aria-live]').textContent.length > 0")
    page.wait_for_timeout(300)
    assert recording.steps[62].said in page.text_content("[aria-live]")
    assert page.get_attribute(".mq-picture svg", "aria-label").startswith("Topology: 09:00:")
    assert page.get_attribute(".mq-picture svg", "role") == "group"


def test_without_scripts_there_is_a_picture_with_its_words(opened, saved, recording):
    page = opened(saved, scripts=False)
    assert page.locator("noscript svg.mqlab-topology, main svg.mqlab-topology").first.is_visible()
    assert recording.picture(len(recording.steps) - 1).words in page.inner_text("body")


def test_on_paper_there_are_the_picture_and_the_narration_alone_in_light_colors(opened, saved):
    page = opened(saved, "#step=62", color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".mq-picture svg").is_visible()
    assert page.locator(".mq-said").is_visible()
    for part in (".mq-controls", ".mq-events", ".mq-tools", ".mq-finding", ".mq-follow"):
        assert page.locator(part).is_hidden()
    for part, look in ((".mq-said", "color"), (".mq-picture text.title", "fill")):
        found = page.locator(part).first.evaluate("(each, look) => getComputedStyle(each)[look]", look)
        assert found == f"rgb{tuple(bytes.fromhex(LIGHT.ink[1:]))}"
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1


def test_on_a_phone_menus_open_within_the_window(opened, saved):
    page = opened(saved, "#step=62", width=400, height=800)
    assert page.locator(".mq-stage").bounding_box()["y"] < 150
    for menu, inside in ((".mq-save", "div"), (".mq-signs", "div")):
        page.click(f"{menu} summary")
        page.wait_for_selector(f"{menu}>{inside}>*")
        box = page.locator(f"{menu}>{inside}").bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 400
        assert box["height"] > 40
        page.click(f"{menu} summary")
    page.keyboard.press("?")
    assert page.locator(".mq-help").evaluate("(help) => help.scrollWidth <= help.clientWidth")
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    box = page.locator(".mq-onward").bounding_box()
    assert 0 <= box["y"] <= box["y"] + box["height"] <= 800


def test_narrow_windows_scroll_down_only_and_keep_the_controls(opened, saved):
    page = opened(saved, "#step=62")
    for width in (800, 400):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        box = page.locator(".mq-controls").bounding_box()
        assert box["y"] + box["height"] <= 900


# ---------------------------------------------------------------- faults that axe finds
def test_axe_finds_no_serious_fault(opened, saved, serious):
    page = opened(saved, "#step=62")
    for keys in ((), "?", ("Escape", "z"), "p", ("p", "v", "w")):
        for key in keys:
            page.keyboard.press(key)
        assert serious(page, dark=True) == [], keys


# ---------------------------------------------------------------- how long a step takes
def test_a_step_takes_less_than_a_tenth_of_a_second(opened, tmp_path):
    lab = busy()
    path = lab.save_player(tmp_path / "busy.html")
    assert path.stat().st_size < 2_000_000
    page = opened(path)
    took = page.evaluate("""async () => {
        const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        const took = [], middle = Math.floor(window.player.recording.length / 2);
        window.player.go(middle);
        for (let i = 0; i < 200; i++) {
            await frame();
            const began = performance.now();
            window.player.go(middle + i + 1, { fly: true });
            document.body.getBoundingClientRect();
            took.push(performance.now() - began);
        }
        return took;
    }""")
    jumps = page.evaluate("""() => [...Array(40).keys()].map((i) => {
        const began = performance.now();
        window.player.go((i * 7919) % window.player.recording.length);
        document.body.getBoundingClientRect();
        return performance.now() - began;
    })""")
    rows = page.evaluate("() => document.querySelectorAll('.mq-rows tr').length")
    print(f"\n{len(lab.events)} rows, {path.stat().st_size:,} bytes, {rows} table rows")
    print(f"a step: median {statistics.median(took):.1f} ms, longest {max(took):.1f} ms")
    print(f"a jump: median {statistics.median(jumps):.1f} ms")
    assert statistics.median(took) < 100
    assert rows < 400


# ---------------------------------------------------------------- the same script as a widget
MODEL = in_page.script("model.js")


@pytest.fixture
def widget(opened, tmp_path):
    """A function that renders the widget of a recording's bytes beside a text field: the page."""

    def show(packed):
        script = player_script().replace("export default", "window.widget =")
        values = {
            "position": 3,
            "playing": False,
            "speed": 2,
            "lifecycle": "",
            "selected": "",
            "present": False,
            "title": "T",
            "elk": base64.b64encode(packed_elk()).decode("ascii"),
        }
        page = (
            f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>w</title><style>{player_style()}</style>"
            "<input id=field><div id=el></div>"
            f'<script type="module">{script}\n{MODEL}\nObject.assign(model.values, {json.dumps(values)}, '
            f'{{recording: bytes("{base64.b64encode(packed).decode()}"), more: nothing}});\n'
            "window.done = await window.widget.render({model, el: document.getElementById('el')});"
            "window.ready = true;</script>"
        )
        (tmp_path / "widget.html").write_text(page, "utf-8")
        shown = opened(tmp_path / "widget.html", ready=False)
        shown.wait_for_function("() => window.ready")
        return shown

    return show


def test_the_widget_follows_its_model_and_tells_it_what_happens(widget, lab, recording):
    page = widget(recording.packed())
    assert "3 of" in page.inner_text(".mq-when")
    assert page.locator("#el h3").inner_text() == "T"
    page.evaluate("() => { window.sent = []; return model.change('position', 62); }")
    assert "62 of" in page.inner_text(".mq-when")
    assert page.evaluate("() => window.sent") == []
    page.click(".mq-step")
    assert page.evaluate("() => window.sent") == [["position", 63]]
    assert page.inner_text(".mq-call") == "panel.step()"
    assert "panel.next_interesting()" in page.get_attribute(".mq-next", "title")
    page.evaluate("() => { window.sent = []; return model.change('playing', true); }")
    page.wait_for_function("() => window.sent.some(([name]) => name === 'position')")
    page.evaluate("() => model.change('playing', false)")
    rows = "() => document.querySelectorAll('.mq-rows tr[data-step]').length"
    page.locator(".mq-finding input").fill("ORDERS.IN")
    page.locator(".mq-hits button", has_text="SOUTH/ORDERS.IN").click()
    page.wait_for_function("() => window.sent.some(([name]) => name === 'selected')")
    assert ["selected", "SOUTH/ORDERS.IN"] in page.evaluate("() => window.sent")
    few = page.evaluate(rows)
    page.evaluate("() => { window.sent = []; return model.change('selected', ''); }")
    assert page.evaluate(rows) > few
    page.evaluate("() => model.change('selected', 'NORTH/ORDERS')")
    assert page.locator("[data-part='NORTH/ORDERS'].mq-selected, [data-part=NORTH].mq-selected").count() == 1
    assert page.evaluate("() => window.sent") == []
    page.evaluate("() => window.done()")
    assert page.locator(".mq-frame").count() == 0


def test_the_widget_takes_keys_only_while_it_has_the_focus(widget, recording):
    page = widget(recording.packed())
    page.keyboard.press("ArrowRight")
    assert "3 of" in page.inner_text(".mq-when")
    page.focus("#field")
    page.keyboard.press("ArrowRight")
    assert "3 of" in page.inner_text(".mq-when")
    page.focus(".mq-frame")
    page.keyboard.press("ArrowRight")
    assert "4 of" in page.inner_text(".mq-when")
    assert page.get_attribute(".mq-frame", "data-lm-suppress-shortcuts") == "true"


def test_the_widget_takes_in_what_is_new(widget):
    lab = sites()
    recording = PlayerSteps(lab)
    page = widget(recording.packed())
    since = len(recording.steps)
    lab["NORTH"].connect("WEBSHOP").put("ORDERS", b"3", reply_to_q="ORDERS.REPLY", expiry=5)
    lab.advance(30)
    recording.grow()
    more = base64.b64encode(recording.packed(since)).decode()
    page.evaluate("(text) => model.change('more', bytes(text))", more)
    last = len(recording.steps) - 1
    for number in (last, since, since - 1, last):
        page.evaluate("(n) => model.change('position', n)", number)
        assert f"{number} of {last}" in page.inner_text(".mq-when")
        wanted = Counter()
        for id, depth in depths_replayed(lab, recording, number).items():
            wanted[id.partition("/")[0]] += depth
        said = page.eval_on_selector_all(".of-closed, .of-room", "all => all.map(g => g.getAttribute('aria-label'))")
        shown = {words.split()[2].rstrip(":"): int(re.search(r"(\d+) message", words)[1]) for words in said}
        assert shown == dict(wanted)
    fresh = PlayerSteps(lab)
    page.evaluate(
        "(text) => { model.values.more = nothing; return model.change('recording', bytes(text)); }",
        base64.b64encode(fresh.packed()).decode(),
    )
    assert f"{last} of {last}" in page.inner_text(".mq-when")
