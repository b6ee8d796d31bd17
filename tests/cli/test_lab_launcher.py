"""JupyterLab as we start it: the tour open, loopback only, token kept, nothing asked of the network."""

import json

from helpers import says
from mqlab.cli import cli, serve


def test_only_this_machine_can_reach_it_and_without_a_checkout_it_says_so(tmp_path, capsys):
    line = serve.lab_arguments(tmp_path, browser=True, more=["--port", "9000"])
    assert "--ip=127.0.0.1" in line
    assert not [word for word in line if "token" in word.lower() or "password" in word.lower()]
    says(line, "--LabApp.default_url=/lab/tree/notebooks/00-start-here.ipynb", f"--ServerApp.root_dir={tmp_path}")
    assert line[-2:] == ["--port", "9000"]
    assert "--no-browser" not in line
    assert "--no-browser" in serve.lab_arguments(tmp_path, browser=False, more=[])
    environment = {"JUPYTER_CONFIG_PATH": "/etc/theirs"}
    serve.put_first(environment, "JUPYTER_CONFIG_PATH", serve.CONFIG)
    first, *_, last = environment["JUPYTER_CONFIG_PATH"].split(":")
    assert (first, last) == (str(serve.CONFIG), "/etc/theirs"), "our settings come first"
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
