"""Scripts and dumps become an estate: names, platforms, places, and refusals in one sentence."""

import pytest

from mqlab import LabError, estates

HUB = "* Queue manager name: HUB\n* Queue manager platform: MVS\n* Queue manager command level: (930/930)\n"
SHOP = "DEFINE QREMOTE(HQ) RNAME(IN) RQMNAME('Depot') XMITQ(HUB)\nDEFINE QLOCAL(HUB) +\n  USAGE(XMITQ)\n"


@pytest.fixture
def folder(tmp_path):
    for name, text in (
        ("a.mqsc", HUB + "DEFINE QLOCAL(Q)\n"),
        ("depot.txt", "DEFINE QLOCAL(IN)\n"),
        ("shop.mqs", SHOP),
    ):
        tmp_path.joinpath(name).write_text(text, encoding="utf-8")
    tmp_path.joinpath("notes.md").write_text("no script", encoding="utf-8")
    return tmp_path


def test_a_header_or_a_file_names_a_queue_manager(folder):
    estate = estates.read(folder)
    assert estate.names == ["HUB", "Depot", "SHOP"]
    assert (estate.lab["HUB"].platform, estate.lab["HUB"].level) == ("zos", 930)
    assert estates.read(folder / "shop.mqs", qmgr="QM7", level=800).lab["QM7"].level == 800


def test_an_object_and_an_attribute_have_a_place(folder):
    estate = estates.read([folder / "shop.mqs"])
    file = str(folder / "shop.mqs")
    assert estate.place("SHOP", "QLOCAL", "HUB") == (file, 2)
    assert estate.place("SHOP", "QLOCAL", "HUB", "USAGE") == (file, 3)
    assert str(estate.place("SHOP", "QLOCAL", "NOPE")) == ""


def test_commands_make_a_new_estate(folder):
    estate = estates.read(folder)
    other = estate.with_commands({"SHOP": "DELETE QLOCAL(HUB)"})
    found = [each.lab["SHOP"].objects.get("QLOCAL", "HUB") for each in (estate, other)]
    assert [one is None for one in found] == [False, True]
    with pytest.raises(LabError, match="HUB, Depot, SHOP; got 'NOPE'"):
        estate.with_commands({"NOPE": ""})


def test_no_scripts_is_one_sentence(tmp_path):
    for wrong in (tmp_path, tmp_path / "none.mqsc", []):
        with pytest.raises(LabError, match=r"^paths must name files|^the file must be readable"):
            estates.read(wrong)
