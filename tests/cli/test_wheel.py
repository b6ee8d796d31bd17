"""The package as it is installed: a wheel, tried in an empty folder, without a checkout and without a network."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("setuptools")
ROOT = Path(__file__).parents[2]
BUILD = "from setuptools.build_meta import build_wheel; build_wheel('out')"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A function that runs the wheel's Python in an empty folder."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "mqlab", folder / "mqlab", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([sys.executable, "-c", BUILD], cwd=folder, check=True, capture_output=True, timeout=300)
    (wheel,) = (folder / "out").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    (folder / "empty").mkdir()

    def run(*words):
        environment = {**os.environ, "PYTHONPATH": str(folder / "site"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, *words]
        return subprocess.run(
            command, cwd=folder / "empty", env=environment, capture_output=True, text=True, timeout=300
        )

    run.folder = folder
    return run


def test_it_has_the_files_and_scripts_beside_its_modules_and_the_licence_of_the_one_that_is_not_ours(installed):
    assert {path.name.partition("-")[0] for path in (installed.folder / "site").iterdir()} == {"mqlab"}, "no tools"
    ran = installed(
        "-c",
        "from mqlab import Lab; from mqlab.cli.pyodide import TEMPLATES; from mqlab.course.exercises import names\n"
        "print(sorted(str(p) for p in TEMPLATES.glob('*.mjs')), names()['Q01'])\n"
        "lab = Lab(); lab.queue_manager('QM1').mqsc('DEFINE QLOCAL(ORDERS)')\n"
        "print('ORDERS: local queue' in lab._repr_mimebundle_()['text/html'])",
    )
    there = installed.folder / "site/mqlab/cli/templates"
    scripts = [str(there / name) for name in ("archive.mjs", "compile.mjs")]
    assert ran.stdout == f"{scripts} The queue that refuses orders\nTrue\n", ran.stderr
    drawing = installed.folder / "site/mqlab/views/drawing"
    assert "Eclipse Public License" in (drawing / "elk.LICENSE.md").read_text(encoding="utf-8")


def test_it_finds_the_checkout_that_pip_copied_it_from(installed):
    [noted] = (installed.folder / "site").glob("mqlab-*.dist-info")
    asks = "from mqlab.lab.checkout import datasets; print(datasets())"
    (noted / "direct_url.json").write_text(json.dumps({"url": ROOT.as_uri()}))
    found = installed("-c", asks)
    (noted / "direct_url.json").unlink()
    assert found.stdout.strip() == str(ROOT / "datasets")
    assert "papermill: --cwd" in installed("-c", asks).stderr


@pytest.mark.parametrize("command", ["tour", "lab", "datasets make"])
def test_what_needs_a_checkout_says_so_and_writes_nothing(installed, command):
    ran = installed("-m", "mqlab", *command.split())
    assert ran.returncode != 0
    assert "run this in a checkout of mqlab" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
    assert not list((installed.folder / "empty").iterdir())
