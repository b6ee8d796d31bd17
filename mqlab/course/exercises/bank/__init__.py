"""The exercises of the course by id, in its order. Each subject has a module, and a .toml file of the same name."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from importlib.resources import files

from ....engine.words import arguments
from ....engine.words.errors import LabError
from ... import path
from ..exercise import POSED, Exercise

for _file in files(__package__).iterdir():
    if _file.name.endswith(".toml"):
        import_module(f".{_file.name.removesuffix('.toml')}", __package__)
_SUBJECTS = "QARNETCLSMDGKY"
"""The first letters of the ids, in the order of the course."""
EXERCISES = {id: POSED[id].whole() for id in sorted(POSED, key=lambda id: (_SUBJECTS.index(id[0]), id))}

_BOOKS = {
    "01-a-queue-and-a-message": "Q A R N",
    "02-message-expiry": "E",
    "03-triggering": "T",
    "04-channels-and-dead-letters": "C L N01 N02 N04",
    "05-more-about-channels": "C04 C08 L02 T08",
    "06-shared-queues": "S",
    "07-mobile-edge": "M",
    "08-reading-an-estate": "D",
    "09-why-was-i-refused": "G N05",
    "13-where-did-the-order-go": "K",
    "14-your-own-program": "Y",
    "16-intra-group-queuing": "S02",
}
"""Notebooks and the exercises that practice them: a letter for all exercises of a subject, an id for a single one."""
_BOOK_OF = {key: book for book, keys in _BOOKS.items() for key in keys.split()}


def find(id: str) -> Exercise:
    """Return an exercise by its id; raises LabError with the nearest ids if there is none."""
    if not isinstance(id, str) or id not in EXERCISES:
        wanted = str(id).upper()
        wanted = wanted[:1] + wanted[1:].zfill(2)  # Q1 is nearest to Q01
        near = get_close_matches(wanted, EXERCISES, 3, 0.3) or list(EXERCISES)
        raise LabError(
            f"exercise must be one of {', '.join(near)} ...; got {id!r}. mqlab.course.exercises.names() lists them"
        )
    return EXERCISES[id]


def book_of(id: str) -> str:
    """The file name, without .ipynb, of the notebook that an exercise practices; LabError for an unknown id."""
    known = find(id).id
    return _BOOK_OF.get(known) or _BOOK_OF[known[0]]


def next_step(id: str) -> tuple[str, str]:
    """The title and the address, seen from an exercise, of the next step: of the first sitting, or on the path, if the
    exercise is on it, else the next exercise of the library, or after the last one its notebook. LabError for an
    unknown id."""
    here = find(id)
    library = [*(each for each in EXERCISES if each not in path.STEPS), book_of(id)]
    steps = next((each for each in ((*path.FIRST,), path.STEPS) if here.id in each), library)
    step = steps[steps.index(here.id) + 1]
    if step in EXERCISES:
        return f"{step} {EXERCISES[step].title}", path.link(EXERCISES[step].file, here.file)
    return f"Notebook {step[:2]}", path.link(path.notebook_file(step), here.file)


arguments.checked_calls(__name__, but=("find",))
