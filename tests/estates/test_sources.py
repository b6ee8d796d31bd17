"""Scripts where people keep them: YAML, JCL, CCDTs in JSON, and qm.ini become an estate, and lines are the file's."""

from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter

import pytest
from estates.cases import found_by

from helpers import for_each, lab_error
from mqlab import estates
from mqlab.cli import check
from mqlab.course.incidents import GameDay

CONFIG_MAP = r"""# one file for each queue manager
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop-mqsc
data:
  20-queues.mqsc: |
    * queues of the shop
    DEFINE QALIAS(SALES) +

      TARGET(NO.SUCH)
    DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME('HUB') XMITQ(HUB)
    DEFINE QLOCAL(HUB) USAGE(XMITQ)
    DEFINE CHANNEL(SHOP.HUB) CHLTYPE(SDR) CONNAME('hub(1414)') XMITQ(HUB)
  10-base.mqsc: "DEFINE QLOCAL(ONE) \n* mqlab: ignore alias-loop\nDEFINE QALIAS(TWO) TARGET(2)\n\
    DEFINE QALIAS(THREE) +\n  TARGET(3)\n"
  other.mqsc: DEFINE QLOCAL(NOT.MOUNTED)
  qm.ini: |
    Channels:
      MaxChannels=7
      ChlauthEarlyAdopt=n
    Log:
      LogPrimaryFiles=9
"""
RESOURCE = """apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata:
  name: shop
spec:
  queueManager:
    name: Shop
    mqsc:
      - configMap:
          name: shop-mqsc
          items: [10-base.mqsc, 20-queues.mqsc]
    ini:
      - configMap: {name: shop-mqsc, items: [qm.ini]}
"""
JOB = """//DEFINE   JOB (ACCT),'ALL OBJECTS',
//             CLASS=A
//*            a comment
// SET SSID=CSQ7
//STEP1    EXEC PGM=CSQUTIL,
//*            another one
//             PARM='&SSID'
//SYSIN    DD *
 COMMAND -
   DDNAME(CMDINP)
/*
//CMDINP   DD DISP=SHR,DSN=MQ.COMMANDS(BASE)
//         DD DATA,DLM=@@
* // /* are data
DEFINE QALIAS(BILLS) -                                                  00010000
* /*
       TARGET(NO.BILLS)                                                 00020000
@@
//
"""
CCDT = """{
\t"channel": [
\t\t{
\t\t\t"name": "SHOP.CLIENT", "type": "clientConnection",
\t\t\t"clientConnection": {
\t\t\t\t"connection": [{"host": "a.example", "port": 1414}, {"host": "b.example"}],
\t\t\t\t"queueManager": "Shop"
\t\t\t},
\t\t\t"ticket": 7,
\t\t\t"connectionManagement": {"defaultReconnect": "queueManager", "heartbeatInterval": 30, "affinity": null},
\t\t\t"compression": {"message": ["rle", "zlibfast"]},
\t\t\t"transmissionSecurity": {"cipherSpecification": "ANY_TLS12"}
\t\t}
\t]
}"""
HUB = "DEFINE QLOCAL(ORDERS)\r\nDEFINE CHANNEL(SHOP.HUB) CHLTYPE(RCVR)\r\nDEFINE QALIAS(A) TARGET(NO.A)\r\n"


def found(estate, folder):
    """The findings as "file:line check"."""
    every = estate.findings()
    return {f"{one.place}".removeprefix(f"{folder}/") + f" {one.check}" for one in every if one.place.file}


def written(folder, **files):
    """A new folder with files, by name with _ for the dot."""
    made = Path(mkdtemp(dir=folder))
    for name, text in files.items():
        made.joinpath(name.replace("_", ".")).write_bytes(text if isinstance(text, bytes) else text.encode())
    return made


@pytest.fixture
def mixed(tmp_path):
    files = {"cm_yaml": CONFIG_MAP, "qmgr_yml": RESOURCE, "job_jcl": JOB, "ccdt_json": CCDT, "HUB_mqsc": HUB}
    return written(tmp_path, **files, report_json='{"a": 1}')


def test_a_folder_mixes_them_and_every_finding_has_its_line(mixed, capsys):
    estate = estates.read(mixed)
    assert estate.names == ["HUB", "Shop", "CSQ7"]
    shop = estate.lab["Shop"]
    assert estate.lab["CSQ7"].platform == "zos"
    assert (shop.environment["MaxChannels"], shop.environment["ChlauthEarlyAdopt"]) == ("7", "N")
    missing = ("HUB.mqsc:3", "cm.yaml:11", "cm.yaml:15", "cm.yaml:16", "job.jcl:17")
    wanted = {f"{each} alias-target-missing" for each in missing}
    wanted |= {f"{each} not-read" for each in ("cm.yaml:17", "cm.yaml:23", "job.jcl:12", "ccdt.json:9")}
    assert wanted <= found(estate, mixed)
    assert not [one for one in found(estate, mixed) if one.startswith("report.json")]
    assert str(estate.place("CSQ7", "QALIAS", "BILLS", "TARGET")).endswith("job.jcl:17")
    assert str(estate.place("Shop", "QALIAS", "SALES", "TARGET")).endswith("cm.yaml:11")
    assert str(estate.place("Shop", "CLNTCONN", "SHOP.CLIENT", "SSLCIPH")).endswith("ccdt.json:12")
    assert estate.route("ORDERS", "Shop").verdict == "delivers"
    # the other commands read the same estate
    assert GameDay(mixed).faults()
    assert check.main([str(mixed), "--html", str(mixed / "page.html")]) == 0
    page = mixed.joinpath("page.html").read_text("utf-8")
    assert ">    DEFINE QALIAS(SALES) +" in page
    assert check.diff([str(mixed), str(mixed)]) == 0
    assert "no differences" in capsys.readouterr().out


def test_what_was_read_is_exported_as_mqsc(mixed):
    estate = estates.read(mixed)
    shop = estate.lab["Shop"]
    client = shop.objects.named("CLNTCONN", "SHOP.CLIENT").attributes
    wanted = {"CONNAME": "a.example(1414),b.example", "QMNAME": "Shop", "DEFRECON": "QMGR", "HBINT": 30}
    wanted |= {"AFFINITY": "PREFERRED", "COMPMSG": ("RLE", "ZLIBFAST"), "SSLCIPH": "ANY_TLS12"}
    assert {key: client[key] for key in wanted} == wanted
    again = estates.read(written(mixed, again_txt=shop.export_mqsc()) / "again.txt")
    assert again.lab["Shop"].objects.named("CLNTCONN", "SHOP.CLIENT").attributes["CONNAME"] == client["CONNAME"]


def test_a_comment_in_quoted_yaml_still_ignores_a_check(tmp_path):
    text = CONFIG_MAP.replace("ignore alias-loop", "ignore alias-target-missing")
    estate = estates.read(written(tmp_path, cm_yaml=text))
    assert "alias-target-missing" not in {one.check for one in estate.findings()}


@for_each(
    "text, line",
    [
        ("a.mqsc: |\n    DEFINE QALIAS(A) TARGET(B)", 4),
        ("a.mqsc: |2-\n\n\n    DEFINE QALIAS(A) TARGET(B)", 6),
        ("a.mqsc: >\n    * text\n\n\n    DEFINE\n    QALIAS(A)\n    TARGET(B)", 7),
        ("a.mqsc: 'DEFINE QLOCAL(''C'')\n\n\n    DEFINE QALIAS(A) TARGET(B)'", 6),
        ('a.mqsc: "DEFINE QLOCAL(C)\\nDEFINE QALIAS(A) TARGET(B)"', 3),
        ('a.mqsc: "DEFINE QLOCAL(C)\\n\\\n    DEFINE QALIAS(A) TARGET(B)"', 4),
        ('a.mqsc: "DEFINE QLOCAL(C)\n\n    * c\n\n    DEFINE QALIAS(A) TARGET(B)"', 7),
        ("a.mqsc: DEFINE QALIAS(A)\n    TARGET(B)", 3),
    ],
)
def test_a_value_of_yaml_has_the_lines_of_its_file(tmp_path, text, line):
    folder = written(tmp_path, cm_yaml=f"kind: ConfigMap\ndata:\n  {text}\n")
    assert f"cm.yaml:{line} alias-target-missing" in found(estates.read(folder), folder)


@for_each(
    "text, names",
    [
        ("kind: ConfigMap\nmetadata: {name: qm1-mqsc}\ndata:\n  a.mqsc: DEFINE QLOCAL(A)", ["QM1"]),
        ("kind: Secret\nmetadata: {name: qm1}\nstringData:\n  a: DEFINE QLOCAL(A)", ["QM1"]),
        ("queueManager:\n  name: QM7\n  setup: |\n    * Helm\n    ALTER QMGR DEADQ(D)", ["QM7"]),
        (
            "kind: List\nitems:\n"
            "- {kind: QueueManager, metadata: {name: a-1}, spec: {queueManager: {mqsc: [{configMap: {name: cm}}]}}}\n"
            "- {kind: QueueManager, spec: {queueManager: {name: B, mqsc: [{configMap: {name: cm}}]}}}\n"
            "- {kind: ConfigMap, metadata: {name: cm}, data: {a.mqsc: 'DEFINE QLOCAL(A)'}}",
            ["a1", "B"],
        ),
        (
            "- hosts: all\n  tasks:\n  - name: queues\n    mqsc: |\n      DEFINE QLOCAL(A)\n  - shell: |\n      ls",
            ["X"],
        ),
    ],
)
def test_a_resource_names_its_queue_manager(tmp_path, text, names):
    other = "DEFINE QREMOTE(R) RNAME(R) RQMNAME(QM1) XMITQ(X)\n"
    folder = written(tmp_path, x_yaml=text, other_mqsc=other)
    assert estates.read(folder).names[1:] == names
    assert estates.read(folder / "x.yaml", qmgr="QM9").names == ["QM9"] if len(names) == 1 else True


def test_a_page_shows_nothing_else_of_a_secret(tmp_path):
    text = "kind: Secret\nstringData:\n  password: swordfish\n  a.mqsc: |\n    DEFINE QALIAS(A) TARGET(B)\n"
    folder = written(tmp_path, s_yaml=text)
    assert check.main([str(folder), "--html", str(folder / "page.html")]) == 0
    page = folder.joinpath("page.html").read_text("utf-8")
    assert ">DEFINE QALIAS(A) TARGET(B)<" in page
    assert "swordfish" not in page


def test_an_alias_of_two_config_maps_is_read_for_both(tmp_path):
    text = "kind: List\nitems:\n- {kind: ConfigMap, metadata: {name: a}, data: &d {q.mqsc: DEFINE QLOCAL(Q)}}\n"
    text += "- {kind: ConfigMap, metadata: {name: b}, data: *d}\n"
    assert estates.read(written(tmp_path, x_yaml=text)).names == ["A", "B"]


@for_each(
    "text, names",
    [
        ("//CSQ1MSTR PROC\n//A EXEC PGM=CSQYASCP\n//CSQINP1 DD *\nDEFINE PSID(1) BUFFPOOL(1)\n//\n", ["CSQ1"]),
        (
            "//J JOB\n// COMMAND '+CSQ4 START QMGR'\n//A EXEC PGM=CSQYASCP\n//CSQINP2 DD *\nDEFINE QLOCAL(A)\n/*",
            ["CSQ4"],
        ),
        ("//A EXEC PGM=CSQUTIL,PARM=CSQ2\n COMMAND\n//CSQUCMD DD *\nDEFINE QLOCAL(A)", ["CSQ2"]),
        (
            "//A EXEC PGM=CSQUTIL\n//SYSIN DD *\n COMMAND DDNAME(X) TGTQMGR(FAR)\n//X DD *\nDEFINE QLOCAL(A)\n//",
            ["FAR"],
        ),
        (
            "//A EXEC CSQPROC,SSID=CSQ3\n//S.SYSIN DD *\n COMMAND\n//S.CSQUCMD DD *,DLM='$$'\nDEFINE QLOCAL(A)\n$$",
            ["CSQ3"],
        ),
        ("//A EXEC PGM=CSQUTIL\n//SYSIN DD *\n COMMAND\n/*\n//CSQUCMD DD *\nDEFINE QLOCAL(A)\n//", ["JOB"]),
    ],
)
def test_a_job_names_its_queue_manager_whatever_the_file_is_called(tmp_path, text, names):
    records = "".join(f"{line:80}" for line in text.split("\n"))
    for data in (text, text.replace("\n", "\r\n"), records.encode("cp037")):
        estate = estates.read(written(tmp_path, JOB_txt=data))
        assert (estate.names, estate.queue_managers[0].platform) == (names, "zos")
        assert all(reply.ok for reply in estate.replies)


def test_client_channels_belong_to_their_queue_manager_else_to_the_first(tmp_path):
    entry = '{{"name": "C", "type": "clientConnection", "clientConnection": {{"queueManager": "{}", "connection": '
    entry += '[{{"host": "h", "port": 1}}]}}}}'
    table = f'{{"channel": [{",".join(entry.format(name) for name in ("QM2", "*ANY", "QM2"))}]}}'
    folder = written(tmp_path, ccdt_json=table, QM1_mqsc="DEFINE QLOCAL(A)", QM2_mqsc="DEFINE QLOCAL(A)")
    estate = estates.read(folder)
    assert [qmgr.objects.get("CLNTCONN", "C").attributes["QMNAME"] for qmgr in estate.queue_managers] == ["*ANY", "QM2"]
    assert found(estate, folder) == {"ccdt.json:1 not-read"}
    assert estates.read(folder / "ccdt.json").names == ["QM2", "CCDT"]


@for_each(
    "name, path, limit",
    [("QM2.ini", "", "9"), ("qm.ini", "Log:\n  LogPath=/var/mqm/log/QM2/\n", "9"), ("qm.ini", "", None)],
)
def test_a_qm_ini_needs_the_name_of_its_queue_manager(tmp_path, name, path, limit):
    text = f"# limits\n{path}CHANNELS:\n  maxchannels = 9\n"
    scripts = dict.fromkeys(("QM1_mqsc", "QM2_mqsc"), "DEFINE QLOCAL(A)")
    folder = written(tmp_path, **scripts, **{name: text})
    estate = estates.read(folder)
    assert [qmgr.environment.get("MaxChannels") for qmgr in estate.queue_managers] == [None, limit]
    assert [one.check for one in estate.findings()] == ([] if limit else ["not-read"])
    assert estates.read([folder / "QM1.mqsc", folder / name], qmgr="Q").lab["Q"].environment["MaxChannels"] == "9"


MAP = "kind: ConfigMap\n"
IDCAMS = "//A EXEC PGM=IDCAMS\n//SYSIN DD *\n"
STREAM = "the JCL is damaged: the data in the stream have no end"
BOMB = "a: &a [x, x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{f'*{chr(97 + n)},' * 9}]\n" for n in range(20))


@for_each(
    "name, text, sentence, severity",
    [
        ("yaml", "kind: Pod\n", "1: no MQSC is in this file", "note"),
        ("yaml", "a: 1\nb:\n\tc: 1\n", "3: the YAML is damaged: found character", "warning"),
        ("yaml", "a: *b\n", "1: the YAML is damaged: found undefined alias 'b'", "warning"),
        ("yaml", "[" * 100_000, "1: the YAML is damaged: it is nested too deep", "warning"),
        ("yaml", "- " * 100_000, "1: the YAML is damaged: it is nested too deep", "warning"),
        ("yaml", 'a: "\\UFFFFFFFF"', "1: the YAML is damaged: YAML does not allow a character in it", "warning"),
        ("yaml", BOMB, r"\d+: .*more than 100 aliases of one value", "warning"),
        ("yaml", "a: &a [*a]", "1: the YAML is damaged: found unconstructable recursive node", "warning"),
        ("yaml", f"{MAP}metadata:\n  name: {{{{ .Values.name }}}}\n", r"3: this is a template with \{\{", "warning"),
        ("yaml", f"{MAP}data:\n  a.mqsc: |\n    {{{{- if x }}}}\n    DEFINE QLOCAL(A)", "3: this is a tem", "note"),
        ("yaml", "kind: Secret\ndata: {a.mqsc: REVGSU5F}", "2: a Secret has its MQSC in stringData", "note"),
        ("json", '{"channel": [\n{"name": ]}', "2: the JSON is damaged: Expecting value", "warning"),
        ("json", "[" * 100_000, "1: the JSON is damaged: it is nested too deep", "warning"),
        ("json", '{"channel": [\n{"name": "A"}, null]}', "2: this entry of the CCDT is no clientConnection", "note"),
        ("jcl", "//A EXEC PGM=CSQUTIL,\n//*\nX", "1: the JCL is damaged: this statement ends with a comma", "warning"),
        ("jcl", "//A DD *,DLM=$$\nX\n/*\n", rf"1: {STREAM} \(DLM=\$\$", "warning"),
        ("jcl", f"{IDCAMS} DEFINE CLUSTER (NAME(A))", "1: no step of this JCL has MQSC", "note"),
        ("ini", "[client]\nuser = me\n", "1: qm.ini has stanzas, as Channels:, and lines Key=Value; got", "warning"),
    ],
)
def test_a_file_that_is_damaged_is_one_sentence_and_in_a_folder_a_finding(tmp_path, name, text, sentence, severity):
    name = f"a.{name}"
    begun, folder = perf_counter(), written(tmp_path, QM1_mqsc="DEFINE QALIAS(A) TARGET(B)", **{name: text})
    lab_error(f"{name}:{sentence}", estates.read, folder / name)
    estate = estates.read(folder)
    assert {one.check for one in estate.findings()} == {"alias-target-missing", "not-read"}
    assert [(one.severity, one.name) for one in found_by(estate, "not-read")] == [(severity, name)]
    assert perf_counter() - begun < 60
