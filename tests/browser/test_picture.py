"""What a player's picture shows, measured in a browser: legible, apart, true to the log, in the hand, and quick."""

import gzip
import json
from statistics import median

import in_page
import pytest

from helpers import some
from mqlab import Lab, estates
from mqlab.engine.explain.replay import place_of
from mqlab.lab.scenarios import names
from mqlab.views.drawing.engine import SCRIPTS, call, packed_elk, script
from mqlab.views.drawing.topology import facts_of, plan_of
from mqlab.views.player.player_steps import PlayerSteps

pytestmark = pytest.mark.browser
ROOM, NOTEBOOK, PHONE = (1280, 720), (900, 700), (400, 800)
DUMP = "datasets/retail-estate.mqsc"
STOPS = """() => [...player.recording.steps.time_us.keys()]
    .filter((n) => !n || n === player.recording.length - 1 || player.recording.stops(n))"""

# Of every stop of `stops`: the smallest text in pixels on the screen, boxes without words, words over each other.
MEASURE = in_page.script("measure.js")

# Words of the picture whose contrast with what they stand on is under 4.5.
FAINT = in_page.script("faint.js")

# The same at every stop of `stops`.
FAINT_AT = f"""async (stops) => {{
    const faint = {FAINT}, found = new Set();
    for (const stop of stops) {{
        player.go(stop);
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        for (const words of faint()) found.add(`${{stop}}: ${{words}}`);
    }}
    return [...found];
}}"""

# Of each card at step `stop`: the numbers of its messages from the front with their looks, and what it says aloud.
CARDS = """(stop) => {
    player.go(stop);
    return Object.fromEntries([...document.querySelectorAll(".mq-picture .of-card")].map((card) => [card.dataset.part, {
        said: card.getAttribute("aria-label"),
        front: [...card.querySelectorAll(".message[data-message]")].map((each) =>
            [+each.dataset.message, each.classList[1]]),
    }]));
}"""


PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
TRACES = "(stop) => player.recording.leaves(stop)"


def lab_of(name):
    """The lab of a scenario, an estate, or a file of MQSC."""
    if name in estates.names():
        return estates.load(name)
    lab = Lab()
    if name.endswith(".mqsc"):
        with open(name) as file:
            lab.queue_manager("QM1").mqsc(file.read())
    else:
        lab.scenario(name)
    return lab


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A function that gives a lab by name, and its saved player."""
    kept, folder = {}, tmp_path_factory.mktemp("pictures")

    def tell(name):
        if name not in kept:
            lab = lab_of(name)
            kept[name] = lab, lab.save_player(folder / f"{len(kept)}.html")
        return kept[name]

    return tell


@pytest.fixture(scope="module")
def page(chromium):
    """A page without motion that is offline."""
    context = chromium.new_context(offline=True, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def show(page, path, size=ROOM, hash=""):
    """Open a player in a window of a size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("about:blank")
    page.goto(path.as_uri() + hash)
    page.wait_for_function("() => window.player")
    page.evaluate(PAINTED)  # only then does the picture know the size of its screen
    return page


@pytest.mark.parametrize("name", some([*names(), *estates.names(), DUMP], 10))
def test_words_are_legible_and_apart_at_every_stop(page, told, name):
    for size, hash, least in ((ROOM, "", 11), (NOTEBOOK, "", 11), (ROOM, "#present", 12), (PHONE, "", 11)):
        show(page, told(name)[1], size, hash)
        stops = page.evaluate(STOPS)
        found = page.evaluate(MEASURE, stops)
        assert found["least"] >= least - 0.05, (size, hash)
        assert found["over"] == [], (size, hash)
        assert found["bare"] == [], (size, hash)
        for scheme in ("dark", "light") if size == ROOM else ():
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(FAINT_AT, stops) == [], (scheme, hash)


@pytest.mark.parametrize("name", ["poison", "van-out-of-reach", "facility-failure"])
def test_on_a_phone_the_picture_goes_down_and_every_card_has_words(page, told, name):
    show(page, told(name)[1], PHONE)
    found = page.evaluate(
        """(stops) => {
            const { canvas } = player, bare = [], scales = [];
            for (const stop of stops) {
                player.go(stop);
                scales.push(canvas.camera.k);
                for (const card of document.querySelectorAll(".mq-picture .of-card"))
                    if (!card.querySelector("text")) bare.push(`${stop}: ${card.dataset.part}`);
            }
            const { width, height } = canvas.scene;
            return { tall: canvas.tall, bare, least: Math.min(...scales), width, height };
        }""",
        page.evaluate(STOPS),
    )
    assert found["tall"]
    assert found["bare"] == []
    assert found["least"] >= 0.55
    assert found["width"] < 700
    page.set_viewport_size({"width": ROOM[0], "height": ROOM[1]})
    page.wait_for_function("() => !player.canvas.tall")


@pytest.mark.parametrize("name", names())
def test_the_picture_at_a_stop_is_the_state(page, told, name):
    lab, path = told(name)
    show(page, path)
    steps = page.evaluate("() => player.recording.steps")
    recording = PlayerSteps(lab)
    for stop in page.evaluate(STOPS):
        cards, seq = page.evaluate(CARDS, stop), steps["seq"][stop]
        assert page.evaluate(TRACES, stop) == [list(trace) for trace in recording.traces_at(stop)]
        for id, kind, reason, _ in recording.traces_at(stop):
            assert (str(reason) if reason else kind) in cards[id]["said"], (stop, id)
        if seq < 0:
            continue
        state = lab.state(seq=seq)
        now_us = state.time_us = steps["time_us"][stop]
        for (qmgr, queue), holds in state.queues.items():
            card = cards.get(f"{qmgr}/{queue}")
            if card is None or " available, " not in card["said"]:
                continue
            assert f" {holds.depth} message" in card["said"], (stop, queue)
            got = {number: each.message for number, each in holds.held.items()}
            assert f"besides {len(got)} held by" in card["said"] or not got, (stop, queue)
            order = [message.number for message in sorted([*holds.messages.values(), *got.values()], key=place_of)]
            assert [number for number, _ in card["front"]] == order[: len(card["front"])], (stop, queue)
            assert len(card["front"]) >= min(holds.depth + len(got), 3), (stop, queue)
            for number, look in card["front"]:
                assert (look == "got") == (number in got), (stop, queue, number)
                if look not in ("got", "failed", "logged"):
                    assert look == look_of(holds.messages[number], now_us, holds.locked), (stop, queue, number)


def look_of(message, now_us, locked=()):
    """How a message looks at a moment."""
    if message.uow is not None:
        return "uncommitted"
    if message.number in locked:
        return "locked"
    return "expired" if message.expired(now_us) else "live"


@pytest.mark.parametrize("name", ["dead-letters", "two-sites", "sharing-group", DUMP])
def test_python_and_chromium_draw_the_same_bytes(page, told, name):
    frame = PlayerSteps(told(name)[0])._frame
    plan, facts = plan_of(frame.outline), facts_of(frame)
    page.goto("about:blank")
    for text in (gzip.decompress(packed_elk()).decode(), script(*SCRIPTS)):
        page.add_script_tag(content=text)
    scene, svg = page.evaluate(
        """async ({ plan, facts, time }) => {
            const asked = (id) => facts[id], model = modelOf(plan, asked);
            const { scene } = await openingOf(new ELK(), model, asked, [900, 620]);
            return [JSON.stringify(packed(model, scene)), pictureOf(model, scene, asked, 0.9, time)];
        }""",
        {"plan": json.loads(json.dumps(plan)), "facts": facts, "time": frame.time_us},
    )
    found = call("places", key=f"same {name}", plan=plan, facts=facts, screen=[900, 620])
    assert json.loads(scene) == found["scene"]
    assert svg == call("picture", key=f"same {name}", facts=facts, k=0.9, time=frame.time_us)["svg"]


def test_elk_travels_only_where_something_is_closed(told):
    sizes = {name: told(name)[1].stat().st_size for name in ("dead-letters", "two-sites")}
    assert sizes["dead-letters"] < 300_000 < 600_000 < sizes["two-sites"] < 2_000_000


# ---------------------------------------------------------------- movement
def test_headline_and_picture_change_when_the_message_arrives(visit, told):
    page = show(visit.page, told("dead-letters")[1])
    look = """() => ({ said: document.querySelector(".mq-said").textContent,
        dots: document.querySelectorAll(".mq-dot").length,
        heard: [...document.querySelectorAll(".of-card")].map((card) => card.getAttribute("aria-label")).join() })"""
    moving = page.evaluate(
        "() => [...player.recording.steps.ways.keys()].find((n) => player.recording.steps.ways[n].length)"
    )
    page.evaluate("(n) => { player.go(n); player.go(n - 1); player.setSpeed(0.5); }", moving)
    before = page.evaluate(look)
    page.keyboard.press("ArrowRight")
    assert page.evaluate(look) == before | {"dots": 1}, "nothing else has changed while it is on its way"
    page.wait_for_function("() => !document.querySelector('.mq-dot')")
    after = page.evaluate(look)
    assert after["said"] != before["said"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert page.evaluate(look)["dots"] == 0, "what is on its way goes with its step"
    page.wait_for_timeout(200)
    assert page.evaluate("() => [player.position, document.querySelectorAll('.mq-dot').length]") == [0, 0]


PAN = in_page.script("pan.js")


def test_a_pan_over_everything_open_is_smooth(page, told):
    """Against a still page of the same run: a busy machine is slow, not wrong."""
    show(page, told("two-sites")[1])
    page.evaluate(in_page.script("whole.js"))
    still, moved = page.evaluate(PAN, False), page.evaluate(PAN, True)
    print(f"\n{1000 / median(moved):.0f} frames a second over a pan, {1000 / median(still):.0f} of a still page")
    long = [sum(took > 2.5 * median(still) for took in frames) for frames in (still, moved)]
    assert long[1] <= long[0] + 40


# ---------------------------------------------------------------- by hand and by key
CAMERA = "() => [player.canvas.camera.x, player.canvas.camera.y, player.canvas.camera.k]"


def corner(page, part):
    """Where a box begins on the screen."""
    box = page.locator(f'[data-part="{part}"]').bounding_box()
    return box["x"], box["y"]


def test_the_wheel_a_drag_and_keys_move_the_picture(page, told):
    show(page, told("dead-letters")[1])
    page.evaluate("() => player.go(40)")
    x, y, k = page.evaluate(CAMERA)
    page.mouse.move(400, 300)
    page.mouse.wheel(0, -300)
    page.wait_for_function("(k) => player.canvas.camera.k > 1.2 * k", arg=k)
    before = page.evaluate(CAMERA)
    page.mouse.move(60, 500)
    page.mouse.down()
    page.mouse.move(160, 440, steps=4)
    page.mouse.up()
    after = page.evaluate(CAMERA)
    assert [after[0] - before[0], after[1] - before[1]] == pytest.approx([100, -60], abs=6)
    page.keyboard.press("0")
    assert page.evaluate(CAMERA) == pytest.approx([x, y, k])


def test_keys_reach_every_box_and_a_press_keeps_its_place(page, told):
    show(page, told("two-sites")[1])
    page.evaluate("() => player.go(player.recording.length - 1)")
    closed = page.locator(".of-closed").first.get_attribute("data-part")
    page.locator(f'[data-part="{closed}"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f'.of-room[data-part="{closed}"]')
    page.wait_for_timeout(300)
    opened = corner(page, closed)
    page.locator(f'[data-part="{closed}"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f'.of-closed[data-part="{closed}"]')
    assert corner(page, closed) == pytest.approx(opened, abs=3)
    assert page.locator(f'[data-part="{closed}"]').get_attribute("aria-expanded") == "false"
    parts = page.eval_on_selector_all(".mq-picture [role=button]", "all => all.map(g => g.tabIndex)")
    assert set(parts) == {0}


def test_what_is_searched_for_is_opened_and_shown(page, told):
    show(page, told("two-sites")[1])
    page.evaluate("() => player.go(player.recording.length - 1)")
    page.keyboard.press("/")
    page.keyboard.type("orders.reply")
    hit = page.locator(".mq-hits button").first
    id = hit.inner_text()
    assert "ORDERS.REPLY" in id
    hit.click()
    card = page.locator(f'.of-card[data-part="{id}"]')
    card.wait_for()
    box, view = card.bounding_box(), page.locator(".mq-picture").bounding_box()
    assert view["x"] <= box["x"]
    assert box["x"] + box["width"] <= view["x"] + view["width"]
    assert "mq-selected" in card.get_attribute("class")


# ---------------------------------------------------------------- seen by everyone
def test_axe_finds_nothing_and_words_stand_out(page, told):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for name in ("dead-letters", "facility-failure", "two-sites"):
        show(page, told(name)[1])
        page.evaluate("() => player.go(Math.floor(player.recording.length * 0.7))")
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            assert [(one["id"], one["nodes"][0]["html"][:120]) for one in axe.run(page).response["violations"]] == []
            assert page.evaluate(FAINT) == [], (name, scheme)
