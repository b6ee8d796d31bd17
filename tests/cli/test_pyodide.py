"""Pyodide's package: another sum, another text, and a machine without npm are refused, each in a sentence."""

import io
import tarfile

import pytest

from helpers import refusal, says
from mqlab.cli import pyodide
from mqlab.cli.pyodide import FILES, PACKAGES, VERSION, NoPyodide, WrongSum, compiled, patched

SCRIPT = f"{pyodide._SAVED}suspender:1}}}}{pyodide._RESTORED}_restoreThreadState(state.threadState)}}"


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """The function npm(script) that puts an npm on PATH, which packs a Pyodide with this pyodide.asm.mjs."""

    def installed(script: str) -> None:
        archive = tmp_path / "packed.tgz"
        with tarfile.open(archive, "w:gz") as packed:
            for name in FILES:
                content = script.encode() if name == "pyodide.asm.mjs" else b"{}"
                member = tarfile.TarInfo(f"package/{name}")
                member.size = len(content)
                packed.addfile(member, io.BytesIO(content))
        program = tmp_path / "bin" / "npm"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n/bin/cp {archive} pyodide-{VERSION}.tgz\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(program.parent))
        monkeypatch.setattr(pyodide, "SHA256", pyodide.hashlib.sha256(archive.read_bytes()).hexdigest())

    return installed


def test_the_package_is_fetched_checked_and_patched_once(npm, tmp_path, monkeypatch):
    npm(SCRIPT)
    folder = pyodide.pyodide(tmp_path / "build")
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    script = (folder / "pyodide.asm.mjs").read_text(encoding="utf-8")
    says(script, "(threadState+52)>>>2]=0;return{frame,", "(state.threadState+52)>>>2]=state.frame;_restore")
    monkeypatch.setenv("PATH", "")
    assert pyodide.pyodide(tmp_path / "build") == folder


def test_another_package_is_refused_and_leaves_nothing(npm, tmp_path, monkeypatch):
    npm("another version")
    refusal(NoPyodide, "the place to patch occurs 0 times", pyodide.pyodide, tmp_path / "build")
    monkeypatch.setattr(pyodide, "SHA256", "0" * 64)
    refusal(WrongSum, f"has the sha256 .* not {'0' * 64}; do not use it", pyodide.pyodide, tmp_path / "build")
    assert not list((tmp_path / "build").iterdir())


def test_a_machine_without_npm_or_node_says_so_and_a_patch_is_made_once(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    refusal(NoPyodide, "node is not on PATH; install Node", compiled, {f"{PACKAGES}/this.py": b""}, tmp_path, tmp_path)
    assert list(tmp_path.iterdir()) == []
    refusal(NoPyodide, "npm is not on PATH; install Node", pyodide.pyodide, tmp_path / "build")
    refusal(NoPyodide, f"not pyodide.asm.mjs {VERSION}", patched, patched(SCRIPT))
