"""MQ's words, and only those: a message whose time is up has expired, and still counts until it is discarded."""

import re
import subprocess
from pathlib import Path

import pytest

from helpers import ROOT

LAPSE = re.compile(r"(?<!time-)(?<![a-z])(?<!time)laps(e|ed|es|ing)(?![a-z])", re.IGNORECASE)
TEXT = {".py", ".md", ".ipynb", ".js", ".css", ".sql", ".html", ".toml", ".json", ".svg", ".mqsc", ".yml", ""}


def _files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout")
    names = [ROOT / name for name in listed.stdout.splitlines()]
    return [path for path in names if path.suffix in TEXT and path.is_file() and path != Path(__file__)]


def test_no_file_has_a_second_word_for_expiry_or_is_named_by_it():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in _files()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="ignore").splitlines(), 1)
        if LAPSE.search(line)
    ]
    assert not found, "a message expires, and is discarded when a call or a scan reaches it:\n" + "\n".join(found)
    assert not [str(path) for path in _files() if LAPSE.search(path.name)]
