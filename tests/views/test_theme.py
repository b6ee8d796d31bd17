"""Colours can be read, and a style sheet stays within its picture."""

import re

import pytest

from mqlab.views.theme import DARK, GRAPHIC_ROLES, LIGHT, OKABE_ITO, TEXT_ROLES, contrast, style_sheet

PALETTES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")]
SHEETS = [
    (".mqlab-topology", "topology.css", "blocks.css"),
    (".mqlab-card", "cards.css"),
    (".mqlab-moments", "moments.css"),
    (".mqlab-line", "line.css"),
]


def test_contrast_is_the_ratio_of_wcag():
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#123456", "#123456") == 1


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("ground", ["paper", "panel", "card", "level"])
@pytest.mark.parametrize("role", TEXT_ROLES)
def test_text_can_be_read_on_every_ground(palette, role, ground):
    assert contrast(getattr(palette, role), getattr(palette, ground)) >= 4.5


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("ground", ["paper", "panel", "card", "level"])
@pytest.mark.parametrize("role", GRAPHIC_ROLES)
def test_graphics_can_be_seen_on_every_ground(palette, role, ground):
    assert contrast(getattr(palette, role), getattr(palette, ground)) >= 3


@pytest.mark.parametrize("palette", PALETTES)
def test_words_on_a_pill_of_alarm_can_be_read_and_hatching_can_be_seen(palette):
    assert contrast(palette.paper, palette.alarm) >= 4.5
    assert contrast(palette.lapsed, palette.lapsed_ground) >= 3


def test_the_states_are_okabe_and_itos_colours():
    assert {LIGHT.live, LIGHT.uncommitted, DARK.live, DARK.uncommitted} <= set(OKABE_ITO.values())


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda s: s[0])
def test_every_rule_of_a_style_sheet_stays_within_its_scope(sheet):
    css = style_sheet(*sheet)
    flat = css.replace("@media (prefers-color-scheme:dark){", "")
    for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", flat):
        for selector in selectors.split(","):
            assert sheet[0] in selector, selector


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda s: s[0])
def test_a_style_sheet_loads_nothing_and_uses_only_colours_of_the_theme(sheet):
    css = style_sheet(*sheet)
    assert "url(" not in css
    assert "@import" not in css
    used = set(re.findall(r"var\(--mq-([a-z-]+)\)", css))
    assert used <= {role.replace("_", "-") for role in LIGHT._fields} | {"sans", "mono"}


def test_the_pages_own_theme_wins_over_the_readers_setting():
    css = style_sheet(".mqlab-topology")
    media = css.index("@media (prefers-color-scheme:dark)")
    light = css.index('[data-jp-theme-light="true"] .mqlab-topology')
    assert media < light, "a light JupyterLab page on a dark desktop must stay light"
    assert "var(--jp-ui-font-color1,#1c2128)" in css[light:]
    assert "var(--jp-layout-color1,#14181d)" in css[css.index('[data-jp-theme-light="false"]') :]
