"""Charts without a network: a picture and words everywhere, the live chart where it is wanted."""

import json
import xml.etree.ElementTree as ElementTree

import altair
import nbformat
import pytest
from bs4 import BeautifulSoup
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from helpers import for_each, refusal, says
from mqlab.views.charts import axes, renderer
from mqlab.views.charts.renderer import tables

LIVE = "application/vnd.vegalite.v5+json"
VEGA = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def renderer_put_back():
    """Leave altair's renderer as it was."""
    with altair.renderers.enable("default"):
        yield


@pytest.fixture
def chart():
    """A chart with a name from outside in it."""
    rows = altair.Data(values=[{"queue": "<script>alert(1)</script>", "depth": 3}, {"queue": "B", "depth": 1}])
    return altair.Chart(rows, title='Depth of "A" & <b>').mark_bar(clip=True).encode(x="queue:N", y="depth:Q")


@pytest.fixture
def notebook():
    """What a cell of a notebook shows, as outputs."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()

    def shown(chart):
        with capture_output() as captured:
            shell.user_ns["chart"] = chart
            shell.run_cell("chart").raise_error()
        return [output.data for output in captured.outputs]

    yield shown
    InteractiveShell.clear_instance()


def bundle(chart):
    return chart._repr_mimebundle_(None, None)


def test_live_gives_the_chart_a_picture_and_words_and_static_only_these_the_same_each_time(chart, monkeypatch):
    for value, live in (("", True), ("0", True), ("1", False)):
        monkeypatch.setenv("MQLAB_STATIC", value)
        renderer.enable()
        assert (LIVE in bundle(chart)[0]) is live, "the environment decides where nothing is said"
    for live in (True, False):
        renderer.enable(live=live)
        data, metadata = bundle(chart)
        assert set(data) == {"image/svg+xml", "text/plain", *([LIVE] if live else [])}
        assert (data["text/plain"], bundle(chart)[0]) == ('Chart: Depth of "A" & <b>', data)
        output = nbformat.v4.new_output("display_data", data, metadata=metadata)  # altair's own renderer fails here
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("chart", outputs=[output])])
        nbformat.validate(json.loads(json.dumps(book)))
        if live:
            assert data[LIVE]["description"] == data["text/plain"]
            assert metadata[LIVE]["embed_options"]["actions"]["editor"] is False


def test_the_picture_is_well_formed_says_what_it_is_and_fetches_nothing(chart):
    svg = renderer.picture(chart.to_dict())
    root = ElementTree.fromstring(svg)
    assert (root.tag, root.get("role"), root.get("aria-label")) == (f"{VEGA}svg", "img", 'Chart: Depth of "A" & <b>')
    assert not list(root.iter(f"{VEGA}script"))
    assert "href=" not in svg.replace("xmlns:xlink", "")
    spec = altair.Chart("http://127.0.0.1:9/rows.json").mark_point().encode(x="x:Q").to_dict()
    refusal(ValueError, r"rows\.json", renderer.picture, spec)


@for_each(
    "spec, words",
    ({"description": "Who waits", "title": "Waits"}, "Who waits"),
    ({"title": "Waits"}, "Chart: Waits"),
    ({"title": ["Waits", "by queue"]}, "Chart: Waits by queue"),
    ({"title": {"text": ["Waits", "by queue"]}}, "Chart: Waits by queue"),
    ({}, "Chart without a title"),
)
def test_words_come_from_description_then_title(spec, words):
    assert renderer.spoken(spec) == words


def test_a_chart_of_our_look_follows_jupyterlabs_theme_and_any_other_is_left_alone(chart):
    renderer.enable(live=True)
    with altair.theme.enable("default"):
        data, metadata = bundle(chart)
        assert "defaultStyle" not in metadata[LIVE]["embed_options"]
        assert "mqlab-chart" not in data["image/svg+xml"]
    assert altair.theme.active == axes.THEME, "each chart of a session has the look, so that charts can be joined"
    data, metadata = bundle(chart)
    style = metadata[LIVE]["embed_options"]["defaultStyle"]
    assert data[LIVE]["name"] == "mqlab", "its marks are of classes that begin so, which the style sheet asks for"
    says(style, '[data-jp-theme-light="false"] .vega-embed:has([class*="mqlab_"]) svg{', ".vega-actions")
    assert "url(" not in style
    assert 'class="mqlab-chart' in data["image/svg+xml"]


def test_a_notebook_shows_the_data_of_a_chart_with_tooltips_as_a_table_below_it_folded_away(chart, notebook):
    renderer.enable(live=False)
    picture, table = notebook(chart.encode(tooltip=[altair.Tooltip("queue:N", title="queue"), "depth:Q"]))
    assert "image/svg+xml" in picture
    assert table["text/plain"] == "The chart as a table: 2 rows"
    page = BeautifulSoup(table["text/html"], "html.parser")
    assert page.details.summary.get_text() == "The chart as a table (2 rows)"
    assert not page.details.has_attr("open")
    assert page.caption.get_text() == 'Depth of "A" & <b>'
    assert [each.get_text() for each in page.thead.find_all("th", scope="col")] == ["Queue", "Depth"]
    assert [each.get_text() for each in page.tbody.find_all(["th", "td"])] == [
        "<script>alert(1)</script>",
        "3",
        "B",
        "1",
    ]
    renderer.enable(live=False)
    assert len(notebook(chart)) == 1
    altair.renderers.enable("default")
    assert len(notebook(chart.encode(tooltip="queue:N"))) == 1


def test_parts_of_a_chart_share_a_table_if_their_headings_are_alike():
    def part(kind, *rows):
        values = [dict(zip(("at", "what", "depth"), row, strict=True)) for row in rows]
        tips = [altair.Tooltip("at:T", format="%H:%M"), "what:N", altair.Tooltip("depth:Q", title="CURDEPTH")]
        return getattr(altair.Chart(altair.Data(values=values)), kind)().encode(x="at:T", tooltip=tips)

    bars = part("mark_bar", ("2025-01-06T09:00:00", "put", 1), ("2025-01-06T10:00:00", "put", 2.5))
    points = part("mark_point", ("2025-01-06T09:00:00", "got", 0.123456))
    unseen = altair.Chart(altair.Data(values=[{"at": 1}])).mark_rule().encode(x="at:Q")
    found = tables((bars + points + unseen | bars).to_dict())
    rows = [("09:00", "put", 1), ("09:00", "got", 0.1235), ("10:00", "put", 2.5)]
    assert found == {("At", "What", "CURDEPTH"): rows}
