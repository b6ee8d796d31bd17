"""Write requirements.lock and requirements-bootstrap.lock again from their .in files, pinned and hashed."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILE = (
    "uv",
    "pip",
    "compile",
    "--quiet",
    "--universal",
    "--python-version",
    "3.11",
    "--fork-strategy",
    "fewest",
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-header",
    "--no-annotate",
)


def resolve(name: str, *more: str) -> None:
    """Resolve name.in into name.lock; versions already locked stay unless `more` says --upgrade."""
    subprocess.run([sys.executable, "-m", *COMPILE, f"{name}.in", "-o", f"{name}.lock", *more], cwd=ROOT, check=True)


def main(argv: list[str] | None = None) -> int:
    """Resolve both locks, the tools' lock held to the versions of the main one; `--upgrade` takes newer versions."""
    more = sys.argv[1:] if argv is None else argv
    resolve("requirements", *more)
    resolve("requirements-bootstrap", "-c", "requirements.lock", *more)
    return 0


if __name__ == "__main__":
    sys.exit(main())
