"""Scripts and dumps become an estate: names, platforms, places, and refusals in one sentence."""

import pytest
from estates.cases import estate_of

from helpers import lab_error
from mqlab import estates

HUB = "* Queue manager name: HUB\n* Queue manager platform: MVS\n* Queue manager command level: (930/930)\n"
SHOP = "DEFINE QREMOTE(HQ) RNAME(IN) RQMNAME('Depot') XMITQ(HUB)\nDEFINE QLOCAL(HUB) +\n  USAGE(XMITQ)\n"


@pytest.fixture
def folder(tmp_path):
    files = {"a.mqsc": HUB + "DEFINE QLOCAL(Q)\n", "depot.txt": "DEFINE QLOCAL(IN)\n", "shop.mqs": SHOP}
    for name, text in {**files, "notes.md": "no script"}.items():
        tmp_path.joinpath(name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_header_or_a_file_names_a_queue_manager(folder):
    estate = estates.read(folder)
    assert estate.names == ["HUB", "Depot", "SHOP"]
    assert (estate.lab["HUB"].platform, estate.lab["HUB"].level) == ("zos", 930)
    assert estates.read(folder / "shop.mqs", qmgr="QM7", level=800).lab["QM7"].level == 800


def test_a_name_may_have_dots(tmp_path):
    for name in ("M00.LAN.mqsc", "M00.DMZ.2024.mqsc.txt", "SHOP.mqsc", ".mqsc"):
        tmp_path.joinpath(name).write_text("DEF QR(A) RNAME(B) RQMNAME('M00.DMZ')\n", encoding="utf-8")
    assert estates.read(sorted(tmp_path.iterdir())).names == [".MQSC", "M00.DMZ", "M00.LAN", "SHOP"]


def test_an_object_and_an_attribute_have_a_place_and_commands_make_a_new_estate(folder):
    estate = estates.read([folder / "shop.mqs"])
    file = str(folder / "shop.mqs")
    assert estate.place("SHOP", "QLOCAL", "HUB") == (file, 2)
    assert estate.place("SHOP", "QLOCAL", "HUB", "USAGE") == (file, 3)
    assert str(estate.place("SHOP", "QLOCAL", "NOPE")) == ""
    estate = estates.read(folder)
    other = estate.with_commands({"SHOP": "DELETE QLOCAL(HUB)"})
    found = [each.lab["SHOP"].objects.get("QLOCAL", "HUB") for each in (estate, other)]
    assert [one is None for one in found] == [False, True]
    lab_error("HUB, Depot, SHOP; got 'NOPE'", estate.with_commands, {"NOPE": ""})


def test_no_scripts_is_one_sentence(tmp_path):
    for wrong in (tmp_path, tmp_path / "none.mqsc", []):
        lab_error(r"^paths must name files|^the file must be readable", estates.read, wrong)


MEMBER = "DEFINE CFSTRUCT(APP) CFLEVEL(4) RECOVER(YES)\nDEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(APP)\n"


def test_members_of_a_group_share_what_their_scripts_define(tmp_path):
    for name, text in (("A", f"* QSGNAME(QSGA)\n{MEMBER}"), ("B", f"* QSGNAME(QSGA)\n{MEMBER}"), ("C", "DEF QL(Q)")):
        tmp_path.joinpath(f"{name}.mqsc").write_text(text, encoding="utf-8")
    estate = estates.read(tmp_path)
    told = [(qmgr.platform, qmgr.group and qmgr.group.name) for qmgr in estate.queue_managers]
    assert told == [("zos", "QSGA"), ("zos", "QSGA"), ("distributed", None)]
    first, second, _ = estate.queue_managers
    assert first.objects.get("QLOCAL", "Q") is second.objects.get("QLOCAL", "Q")
    assert [one.name for one in estate.own(first, "QLOCAL")] == ["Q"]
    assert not list(estate.own(second, "QLOCAL"))
    assert estates.read(tmp_path / "C.mqsc", platform="zos", group="QSG7").lab["C"].group.name == "QSG7"


def test_a_structure_that_no_script_defines_is_assumed(tmp_path):
    script = tmp_path / "M.mqsc"
    script.write_text("* CFSTRUCT(NONE)\nDEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(APP)\n", encoding="utf-8")
    estate = estates.read(script)
    assert estate.assumed == {"APP": "M"}
    assert estate.replies[0].ok
    assert estate.with_commands({"M": "DEFINE CFSTRUCT(APP) REPLACE"}).assumed == {}
    assert estates.read(script, platform="distributed").assumed == {}


def test_words_of_zos_name_a_platform_and_a_copy_needs_no_master_that_no_script_has(tmp_path):
    script = tmp_path / "M.mqsc"
    for text in ("ALTER QMGR IGQ(ENABLED)", "DEF QL(Q) STGCLASS ( 'FAST' )", "DEFINE QLOCAL(Q) QSGDISP(COPY)"):
        script.write_text(text, encoding="utf-8")
        estate = estates.read(script)
        assert (estate.queue_managers[0].platform, estate.replies[0].ok) == ("zos", True), text


def test_a_place_is_on_another_member_only_for_an_object_of_the_group():
    shared = "DEFINE CFSTRUCT(CF)\nDEFINE QLOCAL(S) QSGDISP(SHARED) CFSTRUCT(CF)\nDEFINE QLOCAL(M) QSGDISP(GROUP)\n"
    qma = shared + "ALTER QMGR DEADQ(D) IGQ(ENABLED)\nALTER QLOCAL(SYSTEM.DEAD.LETTER.QUEUE) PUT(DISABLED)\n"
    estate = estate_of({"QMA": qma, "QMB": "DEFINE QLOCAL(Q) CFSTRUCT(CF) QSGDISP(SHARED)"}, "zos")
    assert len(estate.lab["QMB"].group.members) == 2
    own = ("QMGR", "", "DEADQ"), ("QLOCAL", "SYSTEM.DEAD.LETTER.QUEUE", "PUT")
    assert [str(estate.place("QMA", *each)) for each in own] == ["QMA.mqsc:4", "QMA.mqsc:5"]
    assert [str(estate.place("QMB", *each)) for each in own] == ["", ""]
    of_group = ("CFSTRUCT", "CF"), ("QLOCAL", "S"), ("QLOCAL", "M")
    assert [str(estate.place("QMB", *each)) for each in of_group] == ["QMA.mqsc:1", "QMA.mqsc:2", "QMA.mqsc:3"]
