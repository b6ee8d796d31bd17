"""Files that appear whole or not at all: a full disk costs what is written, and never what was there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..engine.words.errors import LabError


@contextmanager
def whole(path: str | os.PathLike) -> Iterator[Path]:
    """A draft to write in a ``with`` block, which takes the place of `path` when the block ends well; OSError, naming
    `path`, where it cannot; LabError for what can be the name of no file."""
    try:
        target = Path(path)
        os.stat(target)
    except FileNotFoundError:
        pass
    except (TypeError, ValueError):
        raise LabError(f"path must be the name of a file; got {path!r}") from None
    if not target.name:
        raise LabError(f"path must be the name of a file; got {str(path)!r}")
    if target.is_symlink():
        target = target.resolve()
    special = target.exists() and not target.is_file()  # a pipe or a folder
    draft = target if special else target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield draft
        if not special:
            if target.exists():
                draft.chmod(target.stat().st_mode)
            draft.replace(target)
    except OSError as error:
        raise OSError(error.errno or 0, error.strerror or str(error), str(path)) from None
    finally:
        if not special:
            draft.unlink(missing_ok=True)


def write_whole(path: str | os.PathLike, text: str | bytes) -> None:
    """Write a text, in UTF-8, or bytes, as `whole` does."""
    with whole(path) as draft:
        draft.write_bytes(text.encode() if isinstance(text, str) else text)
