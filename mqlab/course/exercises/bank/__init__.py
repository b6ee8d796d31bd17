"""The exercises of the course by id, in the order of the course. Each subject has a module."""

from __future__ import annotations

from difflib import get_close_matches

from ....engine.words import arguments
from ....engine.words.errors import LabError
from ..exercise import Exercise
from . import (
    channels,
    clients,
    clusters,
    dead_letters,
    estates,
    expiry,
    gates,
    getting,
    keeping,
    mobile,
    names,
    queues,
    requests,
    sharing,
    triggering,
)

_SUBJECTS = (
    *(queues, getting, keeping, requests, names, expiry),
    *(triggering, channels, dead_letters, sharing, mobile, estates, gates, clusters, clients),
)
EXERCISES = {each.id: each for module in _SUBJECTS for each in module.EXERCISES}

_BOOKS = {
    "01-a-queue-and-a-message": "Q A R N",
    "02-message-expiry": "E",
    "03-triggering": "T",
    "04-channels-and-dead-letters": "C L N01 N02 N04 T08",
    "05-expiry-on-the-way": "C07",
    "06-shared-queues-and-igq": "S",
    "07-mobile-edge": "M",
    "08-reading-an-estate": "D",
    "09-why-was-i-refused": "G N05",
    "13-where-did-the-order-go": "K",
    "14-your-own-program": "Y",
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


def after(id: str) -> str:
    """The id of the next exercise of the course, "" after the last; LabError for an unknown id."""
    ids = [*EXERCISES, ""]
    return ids[ids.index(find(id).id) + 1]


arguments.checked_calls(__name__, but=("find",))
