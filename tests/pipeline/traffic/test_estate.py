"""The estate: every command is accepted, and the traffic only uses what it defines."""

from collections import Counter
from pathlib import Path

from mqlab.pipeline import traffic
from tools import retail_day

DATASETS = Path(__file__).parents[3] / "datasets"
KINDS = ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "PROCESS", "NAMELIST", "CHANNEL", "TOPIC", "LISTENER")


def test_every_command_is_understood_and_backout_queues_exist(lab):
    qm = lab["QM1"]
    kinds = Counter(
        definition.kind for definition in qm.objects.match(KINDS, "*") if not definition.name.startswith("SYSTEM.")
    )
    assert sum(kinds.values()) >= 40
    assert set(kinds) == set(KINDS)
    assert qm.attributes["DEADQ"] == "QM1.DEAD.LETTER"
    assert qm.objects.get("PROCESS", "BILLING.MONTHEND.PROC").attributes["APPLICID"] == "/opt/retail/bin/monthend.sh"
    assert qm.objects.get("QLOCAL", "BILLING.INVOICE.BOQ.V1").attributes["MAXDEPTH"] == 20000
    qm = lab["QM1"]
    named = {d.attributes["BOQNAME"] for d in qm.objects.match(("QLOCAL",), "*") if d.attributes["BOQNAME"]}
    assert len(named) >= 4
    assert all(qm.objects.get("QLOCAL", name) for name in named)


def test_traffic_uses_local_queues_and_their_aliases(lab):
    table = retail_day.generate(1, 2000)
    for name in {*table["queue"].to_pylist(), *table["reply_to_q"].to_pylist()} - {None}:
        definition = lab["QM1"].objects.named("QLOCAL", name)
        assert definition is not None, name
        base = lab["QM1"].objects.named("QLOCAL", definition.attributes.get("TARGET") or name)
        assert (base.kind, base.attributes["USAGE"]) == ("QLOCAL", "NORMAL")


def test_data_sheet_tells_the_files(played):
    sheet = (DATASETS / "README.md").read_text(encoding="utf-8")
    table = traffic.load(DATASETS / "retail-day.parquet")
    known = played[0]["QM1"].objects
    objects = len(known.match(KINDS, "*")) - len(known.match(KINDS, "SYSTEM.*"))
    programs = set(table["program"].to_pylist())
    for figure in (
        f"{table.num_rows:,} rows",
        f"{len(programs)} programs",
        f"{objects} objects",
        f"seed={retail_day.SEED}",
        f"messages={retail_day.MESSAGES}",
    ):
        assert figure in sheet
    assert all(f"| `{column}` |" in sheet for column in traffic.COLUMNS)
