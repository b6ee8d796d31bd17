"""The engine without an extra: in a copy of the package without its folder, the engine's tests pass.

Some of them, in files that differ from room to room; all of them when thorough (make thorough).
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mqlab
from helpers import THOROUGH, some
from mqlab.lab.extras import ROOMS

ROOT = Path(__file__).parents[2]
PACKAGE = Path(mqlab.__file__).parent
ABOVE = ("ibmmq", "estates", "course", "pipeline", "cli")
CUTS = {**{room: (room,) for room in ROOMS}, "what is above": ABOVE, "all": (*ROOMS, *ABOVE)}
FOLDERS = ("engine",)
PARTS = len(CUTS)
"""A file of tests in so many is run when not thorough, so that each is, but for these of more than two seconds."""
SLOW = ("again", "events", "faults", "guard", "interrupts", "levels", "machine", "refusals", "replay", "store")
EDITABLE = """
import sys
sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in f"{f!r} {getattr(f, '__module__', '')}".lower()]
"""
"""An editable installation would find the folder that was cut: a plugin of pytest that takes its finder away."""


def chosen(part):
    """The files of the engine's tests, all of them or one part."""
    files = sorted(p for folder in FOLDERS for p in (ROOT / "tests" / folder).rglob("test_*.py"))
    files = [str(p.relative_to(ROOT)) for p in files if p.parent != Path(__file__).parent]
    quick = [file for file in files if Path(file).stem.removeprefix("test_") not in SLOW]
    return files if THOROUGH else quick[part % PARTS :: PARTS]


@pytest.mark.parametrize("cut", some(CUTS, 4))
def test_the_engine_works_without(cut, tmp_path):
    gone = {str(PACKAGE / room) for room in CUTS[cut]}
    assert all(Path(room).is_dir() for room in gone)
    shutil.copytree(
        PACKAGE, tmp_path / "mqlab", ignore=lambda folder, names: [n for n in names if f"{folder}/{n}" in gone]
    )
    for name in ("tests", "datasets", "docs", "notebooks", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "noeditable.py").write_text(EDITABLE, encoding="utf-8")
    files = chosen(list(CUTS).index(cut))
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-qx", "-p", "noeditable", "-p", "no:cacheprovider", *files],
        cwd=tmp_path,
        env={**plain, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert " passed" in done.stdout
