"""What CI runs: each step is a target or a function, runs by its name, and a file with another checksum fails it."""

import os
import re
import shlex
import shutil
import subprocess

import pytest
import yaml

from helpers import ROOT, says

SCRIPT = (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.fixture
def run(tmp_path):
    """A function that runs the script in an empty checkout, with our own make and npm; returns what it ran and said."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    programs = tmp_path / "bin"
    programs.mkdir()

    def program(name, text):
        (programs / name).write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
        (programs / name).chmod(0o755)

    def ran(*words, npm="exit 1", **settings):
        program("make", 'echo "ran ${@: -1}"')
        program("npm", npm)
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "MQLAB_CI_WITHOUT": "", **settings}
        return subprocess.run(
            ["bash", ".ci/run", *words], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
        )

    return ran


def listed():
    """The steps that --list shows: name, needs, and what each is for."""
    text = re.search(r"<<'END'\n(.*?)END\n", SCRIPT, re.DOTALL)[1]
    return [line.split(maxsplit=2) for line in text.splitlines()]


def test_each_step_is_run_once_and_is_a_target_or_a_function(run):
    names = [name for name, _, purpose in listed() if purpose]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(names) <= {*targets, *re.findall(r"^run_(\w+)\(\)", SCRIPT, re.MULTILINE)}
    assert sorted(re.findall(r"^(?:step|beside) (\w+)", SCRIPT, re.MULTILINE)) == sorted(names)
    assert [line.split(maxsplit=2) for line in run("--list").stdout.splitlines()] == listed()


def test_a_step_is_run_by_its_name_and_says_what_it_is_for(run):
    done = run("lint", "test")
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^ran (.+)", done.stdout, re.MULTILINE)[:2] == ["lint", "test"]
    assert "=== test: the tests pass\n" in done.stdout
    assert "=== site" not in done.stdout
    assert run("tests").returncode == 2


def test_the_steps_that_need_what_a_machine_has_not_are_left_out(run):
    done = run(MQLAB_CI_WITHOUT="browser cluster npm")
    assert done.returncode == 0, done.stderr
    ran = set(re.findall(r"^=== (\w+): ", done.stdout, re.MULTILINE))
    assert ran == {name for name, needs, _ in listed() if needs == "-"}
    assert {name for name, _, _ in listed()} - ran == {"cluster", "lite", "speedscope", "browser"}
    done = run(MQLAB_CI_WITHOUT="browser chromium")
    assert (done.returncode, done.stdout) == (2, "")
    says(done.stderr, "no step needs chromium")


def test_a_viewer_that_cannot_be_fetched_is_skipped_and_one_with_another_checksum_fails(run):
    done = run("speedscope")
    assert done.returncode == 0, done.stderr
    assert "its test is skipped" in done.stdout
    done = run("speedscope", npm="echo another > speedscope-1.25.0.tgz")
    assert done.returncode == 1
    says(done.stdout, "speedscope-1.25.0.tgz: FAILED", "=== speedscope FAILED")


RECIPES = re.findall(r"^```yaml\n(.*?)^```", (ROOT / "docs" / "ci.md").read_text(encoding="utf-8"), re.M | re.S)


def recipe(number):
    """A recipe of docs/ci.md: its Pythons, its shards, its commands, the files by which it caches, and its report."""
    whole = yaml.safe_load(RECIPES[number])
    if "jobs" not in whole:
        job = whole["notebooks"]
        [matrix] = job["parallel"]["matrix"]
        report = job["artifacts"]["reports"]["junit"]
        assert set(job["cache"]["paths"]) == {".cache/pip", ".cache/uv"}
        return matrix["PYTHON"], matrix["SHARD"], job["script"], job["cache"]["key"]["files"], report
    job = whole["jobs"]["notebooks"]
    used = {step["uses"].partition("@")[0]: step.get("with", {}) for step in job["steps"] if "uses" in step}
    matrix, commands = job["strategy"]["matrix"], [step["run"] for step in job["steps"] if "run" in step]
    cached = re.findall(r"hashFiles\('(.+?)'\)", used["actions/cache"]["key"])
    assert {"python", "shard"} == set(matrix)
    return matrix["python"], matrix["shard"], commands, cached, used["actions/upload-artifact"]["path"]


@pytest.mark.parametrize("number", range(2))
def test_a_recipe_names_two_pythons_the_lock_all_shards_and_its_report(number):
    pythons, shards, commands, cached, report = recipe(number)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(set(pythons)) == 2
    assert all(isinstance(each, str) and tuple(map(int, each.split("."))) >= (3, 11) for each in pythons)
    assert cached == ["requirements.lock"]
    assert (ROOT / cached[0]).is_file()
    setup, install, run = map(shlex.split, commands)
    assert (setup[0], setup[1] in targets) == ("make", True)
    assert install[-2:] == ["nbmake", "pytest-split"]
    assert [str(each) for each in shards] == [str(each + 1) for each in range(int(run[run.index("--splits") + 1]))]
    assert {"notebooks", "exercises", f"--junitxml={report}"} <= set(run)
