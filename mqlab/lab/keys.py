"""Certificates and key repositories as people describe them: values of the gates, which know TLS."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from ..admin.runcheck import parts_of_name
from ..engine.words.arguments import checked, require, within
from ..engine.words.errors import LabError
from ..gates import kept
from ..gates.attempt import Certificate, Keys
from ..gates.tls import usual_label


@checked
def certificate(
    lab: Any,
    subject: str,
    issuer: str = "",
    label: str = "",
    days: float = 365,
    valid_from: datetime | str | None = None,
    valid_to: datetime | str | None = None,
    serial: str = "",
    revoked: bool | None = False,
) -> Certificate:
    """A certificate that is valid from now on for so many days, unless the times say otherwise; without an issuer, its
    subject has signed it. LabError for a value that does not fit."""
    require("days", days, float, "0 to 100,000 days", within(0, 100_000))
    names(subject, issuer or subject)
    begins = _time(valid_from) or lab.now
    ends = _time(valid_to) or begins + timedelta(days)
    return Certificate(subject, issuer or subject, label, begins, ends, serial, revoked)


def _time(value: datetime | str | None) -> datetime | None:
    """A time of the simulated clock, in UTC unless it says otherwise."""
    try:
        time = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise LabError(f'a certificate must have times such as "2025-02-05T09:00:00Z"; got {value!r}') from None
    return time if time is None or time.tzinfo is not None else time.replace(tzinfo=UTC)


def names(*known: str) -> tuple[str, ...]:
    """Distinguished names; LabError for a text without attributes."""
    for text in known:
        require("a distinguished name", text, str, 'a text such as "CN=shop,O=Bakery"', parts_of_name)
    return known


def own(qmgr: Any, new: Certificate | None, trusts: tuple[str, ...] = ()) -> Any:
    """Add a certificate to the key repository on disk, in place of the one with its label, and issuers to trust; the
    certificate with its label."""
    had = kept(qmgr).repository or Keys()
    if new is not None:
        new = new._replace(label=new.label or usual_label(qmgr.name))
        others = tuple(each for each in had.certificates if each.label != new.label)
        had = had._replace(certificates=(*others, new))
    kept(qmgr).repository = had._replace(trusted=tuple(dict.fromkeys((*had.trusted, *names(*trusts)))))
    return new
