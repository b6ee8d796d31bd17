"""TLS as a handshake table, without cryptography (G2)."""

from __future__ import annotations

from collections.abc import Callable

from .attempt import Attempt, Outcome

HANDSHAKE: tuple[tuple[str, Callable[[Attempt], Outcome | None]], ...] = ()
"""The conditions of a handshake, in their order: the rule, and the test."""
