"""Serving the panel and JupyterLab: only this machine, only with the token, and nothing asked of the network."""

import json
import os
import socket

import nbformat

from helpers import refusal, says
from mqlab.cli import cli, serve


def test_the_server_is_for_this_machine_and_who_has_the_token_and_its_template_comes_first(tmp_path):
    line = serve.panel_arguments(tmp_path / "panel.ipynb", 8870, "secret", ["--theme=dark"])
    assert {"--Voila.ip=127.0.0.1", "--Voila.token=secret", "--port=8870", "--template=mqlab"} <= set(line)
    assert line[-1] == "--theme=dark"
    options, more = serve.panel_parser().parse_known_args(["--scenario", "poison", "--theme=dark"])
    assert (options.scenario, more) == ("poison", ["--theme=dark"]), "what it does not know goes to Voilà"
    environment = {"JUPYTER_PATH": "/elsewhere"}
    serve.put_first(environment, "JUPYTER_PATH", serve.TEMPLATES)
    assert environment["JUPYTER_PATH"] == os.pathsep.join([str(serve.TEMPLATES), "/elsewhere"])


def test_a_port_that_is_taken_is_passed_over_and_one_that_is_none_refused_in_a_sentence(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert serve.free_port(port) != port
        refusal(OSError, "Choose another with --port", serve.free_port, port, tries=1)
    for port in ("65536", "99999", "0", "-100"):
        assert serve.panel([f"--port={port}"]) == 1
        assert "is free. Choose another with --port, 1 to 65535" in capsys.readouterr().err


def test_parameters_are_put_into_a_copy_and_without_a_checkout_it_says_so(tmp_path, capsys):
    cell = nbformat.v4.new_code_cell('scenario = ""', metadata={"tags": ["parameters"]})
    notebook = tmp_path / "panel.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), notebook)
    folder = tmp_path / "copy"
    folder.mkdir()
    assert serve.prepared(notebook, {}, folder) == notebook
    copy = serve.prepared(notebook, {"scenario": "poison"}, folder)
    assert copy.parent == folder
    assert 'scenario = "poison"' in nbformat.read(copy, as_version=4).cells[1].source
    assert len(nbformat.read(notebook, as_version=4).cells) == 1
    assert serve.panel(["--dir", str(tmp_path), "--no-browser"]) == 1
    assert "mqlab panel: no notebooks/00-start-here.ipynb" in capsys.readouterr().err


def test_only_this_machine_can_reach_jupyterlab_and_without_a_checkout_it_says_so(tmp_path, capsys):
    line = serve.lab_arguments(tmp_path, browser=True, more=["--port", "9000"])
    assert "--ip=127.0.0.1" in line
    assert not [word for word in line if "token" in word.lower() or "password" in word.lower()]
    says(line, "--LabApp.default_url=/lab/tree/notebooks/00-start-here.ipynb", f"--ServerApp.root_dir={tmp_path}")
    assert line[-2:] == ["--port", "9000"]
    assert "--no-browser" not in line
    assert "--no-browser" in serve.lab_arguments(tmp_path, browser=False, more=[])
    assert cli.main(["lab", "--dir", str(tmp_path)]) == 1
    assert "name one with --dir" in capsys.readouterr().err


def test_jupyter_understands_the_settings(monkeypatch, tmp_path):
    """As the server reads them: no news, no update check, no shop for extensions."""
    from jupyterlab.handlers.announcements import NeverCheckForUpdate
    from jupyterlab.labapp import LabApp
    from jupyterlab_server.settings_utils import _get_overrides

    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(serve.CONFIG))
    settings = json.loads((serve.CONFIG / "jupyter_lab_config.json").read_text())["LabApp"]
    app = LabApp(**settings)
    assert app.news_url is None
    assert app.check_for_updates_class is NeverCheckForUpdate
    assert app.extension_manager == "readonly"
    overrides, problem = _get_overrides(str(tmp_path))
    assert not problem
    assert overrides["@jupyterlab/apputils-extension:notification"] == {"checkForUpdates": False, "fetchNews": "false"}
    assert overrides["@jupyterlab/notebook-extension:panel"]["toolbar"][0]["label"] == "Start"
    assert LabApp.class_own_traits()["custom_css"], "an option of JupyterLab's that reads custom/custom.css"
    assert (serve.CONFIG / "custom" / "custom.css").is_file()
