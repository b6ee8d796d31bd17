"""Files that appear whole or not at all, whoever writes them."""

import errno
import os
from pathlib import Path

import pytest

from helpers import cases, lab_with, refusal
from mqlab.formats.whole_file import whole, write_whole
from mqlab.views import topology_svg

TOLD = "a page that was good"


@pytest.fixture
def full(monkeypatch):
    """A disk that takes ten bytes of a file and then no more."""

    def write(self, data):
        with open(self, "wb") as file:
            file.write(data[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", write)


def lab():
    lab, qm = lab_with("DEFINE QLOCAL(A)")
    qm.put("A", b"x")
    return lab


@cases(
    "call",
    lambda path: write_whole(path, "new"),
    lambda path: lab().save_player(path),
    lambda path: __import__("tools.trust").trust.main(["--output", str(path)]),
)
def test_a_full_disk_leaves_what_was_there(tmp_path, full, call, capsys):
    path = tmp_path / "page.html"
    with open(path, "w") as file:
        file.write(TOLD)
    try:
        assert call(path) == 1
    except OSError as error:
        assert str(path) in str(error)
        assert "No space left" in str(error)
    else:
        assert "No space left" in capsys.readouterr().err
    assert (path.read_text(), os.listdir(tmp_path)) == (TOLD, [path.name])


def test_an_event_log_that_cannot_be_written_leaves_the_one_before(tmp_path, monkeypatch):
    path = tmp_path / "events.parquet"
    lab().events.write_parquet(path)
    before = path.read_bytes()

    def fails(*_args, **_settings):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("mqlab.formats.event_file.pq.write_table", fails)
    refusal(OSError, r"No space left.*events\.parquet", lab().events.write_parquet, path)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (before, [path.name])


def test_mode_and_link_of_a_file_stay(tmp_path):
    path, link = tmp_path / "page.html", tmp_path / "link.html"
    write_whole(path, "first")
    path.chmod(0o600)
    link.symlink_to(path)
    write_whole(link, b"second")
    assert (path.read_bytes(), link.is_symlink(), path.stat().st_mode & 0o777) == (b"second", True, 0o600)


def test_a_block_that_fails_writes_nothing_and_a_device_is_written_to(tmp_path):
    with pytest.raises(ZeroDivisionError), whole(tmp_path / "x") as draft:
        print(draft.write_text("half") / 0)
    assert not os.listdir(tmp_path)
    write_whole(os.devnull, topology_svg(lab()))
    assert not Path(os.devnull).is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_device_that_is_full_is_named():
    refusal(OSError, r"No space left on device: '/dev/full'", write_whole, "/dev/full", "x")
