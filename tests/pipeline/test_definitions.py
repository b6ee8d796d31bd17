"""MQSC scripts as a table of objects."""

import re
from pathlib import Path

import pytest

from helpers import lab_error
from mqlab.engine.commands.parser import parse
from mqlab.pipeline.read import read_mqsc

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "mqsc"


@pytest.fixture
def scripts(tmp_path):
    (tmp_path / "one.mqsc").write_text(
        "* the shop\nDEFINE QLOCAL('ORDERS') +\n  MAXDEPTH(10) TRIGGER\n"
        "DEF QR(FAR) RNAME(IN) RQMNAME(HQ)\nALTER QMGR DEADQ(DLQ)\n"
    )
    (tmp_path / "two.mqsc").write_text("DEFINE QLOCAL(ORDERS) MAXDEPTH(ten)\nDEFINE CHANNEL(TO.HQ) CHLTYPE(RCVR)\n")
    return tmp_path


def test_objects_and_refusals(spark, scripts):
    found = read_mqsc(spark, scripts)
    found.commands.cache()
    objects = {(row.kind, row.name): row for row in found.objects.collect()}
    assert set(objects) == {("QLOCAL", "ORDERS"), ("QREMOTE", "FAR"), ("CHANNEL", "TO.HQ")}
    orders = objects["QLOCAL", "ORDERS"]
    assert (orders.attributes["MAXDEPTH"], orders.line) == ("10", 2)
    assert orders.file.endswith("one.mqsc")
    [refused] = found.refused.collect()
    assert refused.line == 1
    assert "MAXDEPTH" in refused.text
    assert refused.problem
    assert found.commands.where("verb = 'ALTER'").count() == 1
    for frame in found.commands, found.objects, found.refused:
        assert all(re.search(r"\(unit: .+; null: .+\)$", each.metadata["comment"]) for each in frame.schema)


def test_nothing_to_read_and_folders_in_a_folder(spark, tmp_path):
    for nothing in (tmp_path, tmp_path / "nowhere", tmp_path / "*.mqsc"):
        lab_error("MQSC scripts must be", read_mqsc, spark, nothing)
    (tmp_path / "QM1").mkdir()
    for path in (tmp_path / "QM1" / "a[1].mqsc", tmp_path / "b.mqsc"):
        path.write_text(f"DEFINE QLOCAL({path.name[0].upper()})")
    for path, names in ((tmp_path, {"A", "B"}), (tmp_path / "QM1" / "a[1].mqsc", {"A"})):
        assert {row.name for row in read_mqsc(spark, path).objects.collect()} == names
    (tmp_path / "QM1" / "_SUCCESS").touch()
    assert read_mqsc(spark, tmp_path).objects.count() == 2
    for name in ("QM1:2025.mqsc", "_dump"):
        (tmp_path / "QM1" / name).write_text("DEFINE QLOCAL(C)")
        lab_error(f"skips '{name}'", read_mqsc, spark, tmp_path)
        (tmp_path / "QM1" / name).unlink()


def test_the_platform_is_one_that_there_is_and_zos_for_numbered_records(spark, tmp_path):
    records = ("DEFINE QLOCAL(A) +", "  DESCR('x')")
    numbered = "".join(f"{record:72}{10 * number:08}" for number, record in enumerate(records, 1))
    (tmp_path / "one").write_bytes(numbered.encode("cp037"))
    [found] = read_mqsc(spark, tmp_path).commands.collect()
    assert (found.name, found.attributes["DESCR"], found.problem) == ("A", "x", None)
    for platform in ("z/OS", "ZOS", ""):
        lab_error("platform must be one of distributed, zos, vse; got", read_mqsc, spark, tmp_path, platform)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real MQSC scripts is not beside this checkout")
def test_real_scripts_give_every_command_of_the_parser(spark):
    files = sorted(CORPUS.glob("*.mqsc"))
    found = read_mqsc(spark, str(CORPUS / "*.mqsc")).commands.groupBy("file").count().collect()
    counted = {Path(row.file).name: row["count"] for row in found}
    wanted = {path.name: len(parse(path.read_text(encoding="utf-8", errors="replace"))) for path in files}
    assert counted == {name: number for name, number in wanted.items() if number}
