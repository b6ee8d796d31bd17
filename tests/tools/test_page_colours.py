"""The style sheets of the exported pages: what is read holds 4.5:1 in light and in dark."""

import re
from pathlib import Path

from helpers import contrast, for_each
from mqlab.cli import tour
from tools import trust

SHEETS = {"page.css": tour.TEMPLATES / "mqlab" / "page.css", "trust.css": trust.STYLE}
READ = ("ink", "quiet", "link")
CODE = [f"jp-mirror-editor-{name}-color" for name in ("keyword", "string", "comment", "number", "operator", "error")]


def colours(sheet: Path, scheme: str) -> dict[str, str]:
    """The colours that a sheet's variables have in a reader's light or dark setting."""
    light, dark = re.findall(r":root \{(.*?)\}", sheet.read_text(encoding="utf-8"), re.DOTALL)
    found = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", light))
    return found if scheme == "light" else found | dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", dark))


@for_each("scheme", ["light", "dark"])
@for_each("sheet", SHEETS)
def test_words_can_be_read(sheet, scheme):
    have = colours(SHEETS[sheet], scheme)
    words = READ + (tuple(CODE) if sheet == "page.css" else ("note",))
    for word in words:
        for ground in ("paper", "shade"):
            assert contrast(have[word], have[ground]) >= 4.5, (word, ground)


@for_each("scheme", ["light", "dark"])
def test_words_on_grounds_of_their_own_can_be_read(scheme):
    trust, page = colours(SHEETS["trust.css"], scheme), colours(SHEETS["page.css"], scheme)
    for status in ("modeled", "simplified", "absent"):
        assert contrast(trust[status], trust[f"{status}-ground"]) >= 4.5, status
    assert contrast(page["ink"], page["warning"]) >= 4.5
    assert contrast(page["mark"], page["paper"]) >= 3


@for_each("sheet", SHEETS)
def test_every_colour_is_a_variable_so_that_none_is_left_behind_in_the_dark(sheet):
    text = re.sub(r":root \{.*?\}", "", SHEETS[sheet].read_text(encoding="utf-8"), flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,6}\b", text) == []
    light, dark = (colours(SHEETS[sheet], scheme) for scheme in ("light", "dark"))
    assert [name for name in light if light[name] == dark[name]] == []
