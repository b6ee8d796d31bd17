"""The environment is described once: environment.yml, pyproject.toml, and the locks agree."""

import json
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from helpers import ROOT, for_each
from tools import bootstrap

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
LOCKS = ("requirements.lock", "tools/requirements-lite.lock")
RUNTIME = {"greenlet", "networkx", "simpy"}


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def entries(name):
    """The entries of a lock: (requirement, hashes) for each pin."""
    joined = text(name).replace("\\\n", " ")
    found = []
    for line in joined.splitlines():
        if line.strip() and not line.startswith("#"):
            words = line.split("--hash=")
            found.append((Requirement(words[0].strip()), [word.strip() for word in words[1:]]))
    return found


def pinned(name):
    """Name -> the one version that a lock pins."""
    return {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin, _ in entries(name)}


def wanted():
    """Every requirement of pyproject.toml, extras included, by canonical name."""
    lists = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    found = [Requirement(line) for lines in lists for line in lines]
    return {canonicalize_name(each.name): each for each in found if each.name != "mqlab"}


@for_each("name", LOCKS)
def test_every_pin_is_exact_and_hashed_and_of_another_package(name):
    pins = entries(name)
    assert len(pins) >= 2
    for pin, hashes in pins:
        assert [each.operator for each in pin.specifier] == ["=="], pin
        assert pin.url is None, pin
        assert hashes, f"{pin} has no hash"
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in hashes), pin
    names = [canonicalize_name(pin.name) for pin, _ in pins]
    assert sorted(set(names)) == sorted(names)


@for_each(
    "name",
    [*LOCKS, "tools/requirements-lite.in", "environment.yml", ".binder/environment.yml", "pyproject.toml", "Makefile"],
)
def test_nothing_names_a_registry(name):
    lines = [line for line in text(name).splitlines() if not line.lstrip().startswith("#")]
    registry = r"https?:|file:|(?<!no-emit-)index-url|find-links|--trusted-host"
    assert [line for line in lines if re.search(registry, line)] == []


def test_the_core_needs_three_packages_and_this_python_and_pandas_fit():
    assert {Requirement(line).name for line in PROJECT["dependencies"]} == RUNTIME
    assert SpecifierSet(PROJECT["requires-python"]).contains(".".join(map(str, sys.version_info[:3])))
    assert int(pinned("requirements.lock")["pandas"].split(".")[0]) < 3
    assert pinned("requirements.lock")["pyspark"].startswith("4.")


def test_the_lock_satisfies_pyproject_the_setup_and_the_build():
    pins = pinned("requirements.lock")
    for name, requirement in wanted().items():
        assert requirement.specifier.contains(pins[name]), f"{requirement} is locked at {pins[name]}"
    assert set(bootstrap.FIRST) == RUNTIME | {"setuptools", "uv"}
    first = [line.partition("==")[0] for line in bootstrap.locked(bootstrap.FIRST).splitlines() if line[0] != " "]
    assert sorted(first) == sorted(bootstrap.FIRST)
    build = tomllib.loads(text("pyproject.toml"))["build-system"]["requires"]
    (setuptools,) = [Requirement(line) for line in build]
    assert setuptools.name == "setuptools"
    assert setuptools.specifier.contains(pinned("requirements.lock")["setuptools"])


def test_conda_and_binder_take_the_same_lock_a_fitting_python_and_a_java():
    plain = [line for line in CONDA["dependencies"] if isinstance(line, str)]
    (pip,) = [line["pip"] for line in CONDA["dependencies"] if isinstance(line, dict)]
    conda = dict(re.fullmatch(r"([a-z]+)(?:=([\d.]+))?", line).groups() for line in plain)
    assert (CONDA["name"], CONDA["channels"]) == (PROJECT["name"], ["conda-forge", "nodefaults"])
    assert (pip, set(conda)) == (["-r requirements.lock"], {"python", "openjdk", "pip", "make"})
    assert SpecifierSet(PROJECT["requires-python"]).contains(conda["python"])
    assert int(conda["openjdk"]) >= 17
    binder = yaml.safe_load(text(".binder/environment.yml").replace("../requirements.lock", "requirements.lock"))
    assert binder == CONDA
    assert (ROOT / ".binder" / "postBuild").stat().st_mode & 0o111
    assert "pip install --no-deps" in text(".binder/postBuild")


def test_the_development_container_has_a_fitting_python_and_sets_up_with_make():
    container = json.loads(text(".devcontainer/devcontainer.json"))
    assert container["postCreateCommand"] == "make setup"
    (version,) = re.findall(r"python:(\d\.\d+)", container["image"])
    assert SpecifierSet(PROJECT["requires-python"]).contains(version)
    settings = container["customizations"]["vscode"]["settings"]
    assert settings["python.defaultInterpreterPath"].endswith("/.venv/bin/python")


def test_nothing_built_is_kept_with_the_source():
    listed = subprocess.run(["git", "ls-files", "-c"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("no git, or no checkout of it: there is no list of the files kept")
    built = re.compile(r"\.(whl|egg|gz|zip|jar|pyc|log)$")
    found = [name for name in listed.stdout.splitlines() if built.search(name)]
    assert found == [
        "mqlab/views/drawing/elk.bundled.js.gz",  # not ours: ELK, as it is shipped to pages and pictures
        "tests/golden/scenarios.v1.jsonl.gz",  # logs of schema version 1, which nothing can write any more
    ]
