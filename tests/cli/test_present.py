"""Serving the panel: only this machine, only with the token, and the parameters asked for."""

import os
import socket

import nbformat

from helpers import refusal
from mqlab.cli.serve import TEMPLATES, free_port, panel, panel_arguments, panel_parser, prepared, put_first


def test_the_server_is_for_this_machine_and_who_has_the_token_and_its_template_comes_first(tmp_path):
    line = panel_arguments(tmp_path / "panel.ipynb", 8870, "secret", ["--theme=dark"])
    assert {"--Voila.ip=127.0.0.1", "--Voila.token=secret", "--port=8870", "--template=mqlab"} <= set(line)
    assert line[-1] == "--theme=dark"
    options, more = panel_parser().parse_known_args(["--scenario", "poison", "--theme=dark"])
    assert (options.scenario, more) == ("poison", ["--theme=dark"]), "what it does not know goes to Voilà"
    environment = {"JUPYTER_PATH": "/elsewhere"}
    put_first(environment, "JUPYTER_PATH", TEMPLATES)
    first, second = environment["JUPYTER_PATH"].split(os.pathsep)
    assert first.endswith("templates")
    assert second == "/elsewhere"


def test_a_port_that_is_taken_is_passed_over_and_one_that_is_none_refused_in_a_sentence(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert free_port(port) != port
        refusal(OSError, "Choose another with --port", free_port, port, tries=1)
    for port in ("65536", "99999", "0", "-100"):
        assert panel([f"--port={port}"]) == 1
        assert "is free. Choose another with --port, 1 to 65535" in capsys.readouterr().err


def test_parameters_are_put_into_a_copy_and_without_a_checkout_it_says_so(tmp_path, capsys):
    cell = nbformat.v4.new_code_cell('scenario = ""', metadata={"tags": ["parameters"]})
    notebook = tmp_path / "panel.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), notebook)
    folder = tmp_path / "copy"
    folder.mkdir()
    assert prepared(notebook, {}, folder) == notebook
    copy = prepared(notebook, {"scenario": "poison"}, folder)
    assert copy.parent == folder
    assert 'scenario = "poison"' in nbformat.read(copy, as_version=4).cells[1].source
    assert (len(nbformat.read(notebook, as_version=4).cells), panel(["--dir", str(tmp_path), "--no-browser"])) == (1, 1)
    assert "mqlab panel: no notebooks/00-start-here.ipynb" in capsys.readouterr().err
