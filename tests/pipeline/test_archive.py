"""Spark's classes in an archive: where it is, and that Java takes nothing but a whole one."""

import sys

import pytest

from mqlab.pipeline import spark


@pytest.fixture
def java(tmp_path, monkeypatch):
    """A Java without an archive of its own classes, in an environment without one of Spark's."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    return spark.Java(tmp_path / "jdk", 21, "JAVA_HOME")


def test_java_gets_the_option_once_all_its_archives_are_there(java):
    own, of_spark = spark.archives(java)
    own.parent.mkdir(parents=True)
    own.touch()
    assert spark.classes(java) == ""
    of_spark.touch()
    assert f"-XX:SharedArchiveFile={own}:{of_spark}" in spark.classes(java)


def test_a_java_with_an_archive_of_its_own_needs_only_that_of_spark(java):
    (java.home / "lib" / "server").mkdir(parents=True)
    (java.home / "lib" / "server" / "classes.jsa").touch()
    (path,) = spark.archives(java)
    assert path.name.startswith("spark-")


def test_another_java_has_another_archive(java, tmp_path):
    assert spark.archives(java) != spark.archives(java._replace(version=25))
    assert spark.archives(java) != spark.archives(java._replace(home=tmp_path / "other"))
