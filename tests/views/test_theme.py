"""Colours can be read, and a style sheet stays within its picture."""

import re
from pathlib import Path

import pytest

import mqlab.views
from helpers import contrast, for_each
from mqlab.views.theme import DARK, LIGHT, OKABE_ITO, style_sheet

TEXT_ROLES = ("ink", "muted", "alarm")  # on paper, panel, and card these have a contrast of at least 4.5, ...
GRAPHIC_ROLES = ("live", "uncommitted_line", "expired", "puts", "gets", "structure")  # ... and these of at least 3

PALETTES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")]
SHEETS = [
    (".mqlab-topology", "topology.css"),
    (".mqlab-card", "cards.css", "strip.css"),
    (".mqlab-line", "line.css"),
    (".mqlab-table", "tables.css"),
    (".mqlab-reply", "replies.css"),
    (".mqlab-words", "words.css"),
]
VIEWS = Path(mqlab.views.__file__).parent
GROUNDS = {"paper", "panel", "card", "level"}


@for_each("palette", PALETTES)
def test_text_and_graphics_can_be_seen_on_every_ground_and_letters_in_signs_can_be_read(palette):
    for under in (getattr(palette, ground) for ground in GROUNDS):
        assert min(contrast(getattr(palette, role), under) for role in TEXT_ROLES) >= 4.5
        assert min(contrast(getattr(palette, role), under) for role in GRAPHIC_ROLES) >= 3
    assert min(contrast(palette.paper, palette.alarm), contrast(palette.paper, palette.gets)) >= 4.5
    assert contrast(palette.ink, palette.expired_ground) >= 4.5
    assert contrast(palette.expired, palette.expired_ground) >= 3


def test_the_states_have_okabe_and_itos_colors_and_the_pages_theme_wins():
    assert {LIGHT.live, LIGHT.uncommitted, DARK.live, DARK.uncommitted} <= set(OKABE_ITO.values())
    css = style_sheet(".mqlab-topology")
    media = css.index("@media (prefers-color-scheme:dark)")
    light = css.index('[data-jp-theme-light="true"] .mqlab-topology')
    assert media < light, "a light JupyterLab page on a dark desktop must stay light"
    assert "var(--jp-ui-font-color1,#1c2128)" in css[light:]
    assert "var(--jp-layout-color1,#14181d)" in css[css.index('[data-jp-theme-light="false"]') :]


@for_each("sheet", SHEETS)
def test_a_style_sheet_stays_within_its_scope_loads_nothing_and_uses_only_colours_of_the_theme(sheet):
    css = style_sheet(*sheet)
    for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", css.replace("@media (prefers-color-scheme:dark){", "")):
        assert all(sheet[0] in selector for selector in selectors.split(",")), selectors
    assert not re.search(r"url\(|@import", css)
    used = set(re.findall(r"var\(--mq-([a-z-]+)\)", css))
    assert used <= {role.replace("_", "-") for role in LIGHT._fields} | {"sans", "mono"}


# ---------------------------------------------------------------- every pair of colours that is used
SIGNS = {"gets", "alarm"}  # what paper is written on
PAGES = ["cards.css", "tables.css", "replies.css", "words.css"]  # what stands in the page, not in a picture
# JupyterLab's own colour of text, which replaces ours there: (themes's palette, rgb, opacity)
JUPYTER_INK = [pytest.param(LIGHT, 0, 0.87, id="light"), pytest.param(DARK, 255, 0.87, id="dark")]


@for_each("sheet", PAGES)
def test_colours_of_a_page_are_roles_whose_contrast_is_tested(sheet):
    css = (VIEWS / sheet).read_text("utf-8")
    words = set(re.findall(r"[{;]color:var\(--mq-([a-z-]+)\)", css))
    assert words, "a sheet of text says its colour"
    assert words <= {*TEXT_ROLES, "paper"}
    assert set(re.findall(r"background(?:-color)?:var\(--mq-([a-z-]+)\)", css)) <= GROUNDS | SIGNS
    assert not re.search(r"(?:color|background)[^;}]*#[0-9a-f]{3}", css), "no colour but the theme's"
    lines = set(re.findall(r"border[a-z-]*:(?:[0-9a-z. ]+ )?var\(--mq-([a-z-]+)\)", css))
    assert lines <= {"edge", "structure", "alarm", "gets", "live"}, "edges are decoration; the others are held above"


@for_each(("palette", "white", "opacity"), JUPYTER_INK)
@for_each("ground", sorted(GROUNDS))
def test_jupyterlabs_own_ink_can_be_read_on_our_grounds(palette, white, opacity, ground):
    under = getattr(palette, ground)
    parts = (int(under[i : i + 2], 16) for i in (1, 3, 5))
    seen = "#" + "".join(f"{round(white * opacity + part * (1 - opacity)):02x}" for part in parts)
    assert contrast(seen, under) >= 4.5
