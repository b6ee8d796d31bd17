"""The opening: the graph that pages play is the engine's, and everything that it asks for can be found."""

import json
import re

import nbformat

from helpers import lab_error
from mqlab import course
from mqlab.cli import tour
from mqlab.course import games
from mqlab.course.exercises import progress
from mqlab.course.games import opening
from mqlab.course.games.opening import ACTIONS, SHORTEST, graph, spec
from tools.opening import walk


def step(state, action):
    """Where an action leads, and what it gives, by the stored graph."""
    return graph()["edges"][state][ACTIONS.index(action)]


def test_the_stored_graph_is_what_the_engine_does_and_its_shortest_way_finds_all_three():
    assert json.loads(json.dumps(walk())) == graph()
    assert all(rule is None or all(rule) for rule in spec()["rules"]), "each has its title and text"
    state, found = 0, []
    for action in SHORTEST:
        depth = len(graph()["states"][state])
        state, reason, *_ = step(state, action)
        found += [(action[:3], reason, depth)] if reason else []
    assert found == [("get", 2033, 0), ("put", 2053, 3), ("get", 2033, 3)]
    state = 0
    for action in ("put:0", "put:3", "tick"):
        state = step(state, action)[0]
    assert graph()["states"][state] == [0, None]
    after, reason, returned, discarded, _ = step(state, "get")
    assert (graph()["states"][after], reason, returned, discarded) == ([], 0, 1, [0]), "a get discards expired ones"


def test_without_interaction_it_is_a_table():
    shown = course.opening(interactive=False)._repr_mimebundle_()
    assert shown["text/html"].count("<tr>") == len(SHORTEST) + 1
    assert "2053 MQRC_Q_FULL" in shown["text/plain"]
    lab_error("interactive", opening, interactive="no")


def test_a_game_is_recorded_and_is_no_exercise():
    playing = opening()
    playing.said = {"key": "opening", "right": True}
    (line,), bad = progress.read()
    assert (line["exercise"], line["what"], line["key"], line["right"], bad) == ("opening", "play", "opening", True, [])
    assert progress.summary() == []


def test_a_page_plays_it_under_a_policy_for_this_script_alone(tmp_path):
    output = nbformat.v4.new_output("display_data", data=opening(interactive=False)._repr_mimebundle_())
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[output])])
    nbformat.write(book, tmp_path / "book.ipynb")
    page = tour.page(tmp_path / "book.ipynb")
    assert re.search(r"default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src", page)
    assert page.count("<script") == 2
    assert json.loads(re.search(r'id="game-opening">(.*?)</script>', page)[1]) == json.loads(json.dumps(spec()))
    assert games.page("<p>no game</p>") == "<p>no game</p>"
