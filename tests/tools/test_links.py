"""What the prose of notebooks names is a link: rules with their text, exercises, and other notebooks."""

from pathlib import Path

from helpers import for_each
from mqlab.cli.tour import on_a_page
from mqlab.course.exercises.bank import EXERCISES
from tools import links

ROOT = Path(__file__).parents[2]
TITLES = {
    "notebooks/02-message-expiry.ipynb": "Two",
    "notebooks/03-triggering.ipynb": "Three",
    "notebooks/library/30-game.ipynb": "Game",
}
TWO, THREE, GAME = TITLES


def test_notebooks_are_linked_once_and_names_lead_to_their_addresses():
    assert not links.link(ROOT, write=False), "link them with: make course"
    text = links.linked("By EXP-02, as in notebook 02. Q04 asks for it.\n\n| rule |\n|---|\n| MQI-02 |", THREE, TITLES)
    prose, _, addresses = text.partition("\n\n[EXP-02]: ")
    assert prose == "By [EXP-02], as in [notebook 02]. [Q04] asks for it.\n\n| rule |\n|---|\n| [MQI-02] |"
    assert addresses.startswith('../docs/rules.md "An expired message stays on its queue. ')
    assert '[notebook 02]: 02-message-expiry.ipynb "Two"' in addresses
    assert "[Q04]: ../exercises/library/Q04-the-wheelchair-waits-behind-the-clock.ipynb" in addresses
    once = links.linked("# One\n\nBy EXP-02 (EXP-17).", THREE, TITLES)
    assert links.linked(once, THREE, TITLES) == once
    file = EXERCISES["E01"].file
    once = links.with_next("The end.", TWO, TITLES)
    assert once == f"The end.\n\n**Next on the path:** [E01 A queue full of stale prices](../{file})"
    assert links.with_next(once, TWO, TITLES) == once
    assert links.with_next("The end.", GAME, TITLES) == "The end.", "a notebook of the library leads nowhere"
    twelve = {"notebooks/31-incident.ipynb": "On call"}
    assert "[On call](31-incident.ipynb)" in links.with_next("The end.", "notebooks/12-myths.ipynb", twelve)
    assert "[EXP-02]: ../../docs/rules.md" in links.linked("EXP-02", GAME, TITLES)
    html = '<a href="../docs/rules.md" title="No lifetime">EXP-15</a> <a href="x.ipynb#part">X</a> <a href="https://a.org/b.md">b</a>'
    assert on_a_page(html, {}) == '<abbr title="No lifetime">EXP-15</abbr> X <a href="https://a.org/b.md">b</a>'
    led = on_a_page(html, {"../docs/rules.md": "../rules.html", "x.ipynb": "x.html"})
    assert led.startswith('<a href="../rules.html#EXP-15" title="No lifetime">EXP-15</a> <a href="x.html#part">X</a>')


@for_each("text", ["# Rule EXP-02", "`EXP-02`", "[EXP-02](x.md)", "ABC-01, notebook 77", "```\nQ04\n```"])
def test_headings_code_links_and_names_of_nothing_stay_as_they_are(text):
    assert links.linked(text, TWO, TITLES) == text
