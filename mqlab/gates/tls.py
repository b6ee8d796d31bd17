"""TLS as a handshake table, without cryptography (G2): its two ends, and its conditions in their order.

If nobody has described the key repository of a queue manager, it is taken to have the certificates that a handshake
needs: conditions about certificates do not ask it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache, partial
from importlib.resources import files
from typing import Any, NamedTuple

from ..admin.runcheck import SUBJECT, matches_name, parts_of_name
from ..engine.words import constants as mq
from ..engine.words.catalog.ciphers import CIPHERS
from . import keys_of
from .attempt import Attempt, Certificate, Keys, Outcome, Passed, refused

_ALIASES = {"ANY": ("TLSV13", "TLSV12", "TLSV1", "SSLV30"), "ANY_TLS12_OR_HIGHER": ("TLSV13", "TLSV12"),
            "ANY_TLS13_OR_HIGHER": ("TLSV13",), "ANY_TLS12": ("TLSV12",), "ANY_TLS13": ("TLSV13",)}  # fmt: skip
"""Values of SSLCIPH that stand for several CipherSpecs -> their protocols, as SECPROT names them."""
_MINIMUM = ("ANY", "ANY_TLS12_OR_HIGHER", "ANY_TLS13_OR_HIGHER")  # those without an upper bound


@cache
def specs() -> dict[str, tuple[str, bool]]:
    """CipherSpecs of ciphers.toml in their order -> the protocol, and whether each is enabled, not deprecated."""
    table = tomllib.loads(files(__package__).joinpath("ciphers.toml").read_text("utf-8"))
    rows = ((protocol, state, names) for protocol, by_state in table.items() for state, names in by_state.items())
    return {name: (protocol, state == "enabled") for protocol, state, names in rows for name in names.split()}


class End(NamedTuple):
    """One end of a handshake: a client program or a queue manager, with its CipherSpec, its key repository (None if
    nobody described it), its SSLPEER, the label of its certificate, and the label that is usual.

    `level` and `zos` decide which CipherSpecs it knows, and `weak` whether deprecated ones are enabled.
    """

    name: str
    cipher: str
    keys: Keys | None
    peer: str
    label: str
    usual: str
    level: int = mq.CURRENT_LEVEL
    zos: bool = False
    weak: bool = True
    asks_status: bool = True  # whether a certificate is refused if nobody can find out whether it is revoked

    @property
    def certificate(self) -> Certificate | None:
        """The certificate that it sends; None for none, or if nobody described its repository."""
        wanted, own = self.label or self.usual, () if self.keys is None else self.keys.certificates
        return next((each for each in own if (each.label or self.usual) == wanted), None)

    def accepts(self, cipher: str) -> list[str]:
        """The CipherSpecs that a value of SSLCIPH stands for at its level, in the order of preference."""
        if cipher not in _ALIASES:
            return [cipher]
        known = [name for name in specs() if CIPHERS[name][self.zos] <= self.level]
        return [name for name in known if specs()[name][1] and specs()[name][0] in _ALIASES[cipher]]


class Handshake(NamedTuple):
    """A handshake: the end that calls, the end that answers, SSLCAUTH of the latter, and the time."""

    near: End
    far: End
    asks: str
    now: datetime

    @property
    def both(self) -> tuple[End, End]:
        """The two ends, the one that calls first."""
        return self.near, self.far

    @property
    def cipher(self) -> str:
        """The CipherSpec that the ends agree on, "" for none; one that sets no upper bound at the end that calls leads
        to the strongest that both ends know, whatever the other end is set to (TLS-01)."""
        answers = self.far.accepts("ANY" if self.near.cipher in _MINIMUM else self.far.cipher)
        return next((name for name in self.near.accepts(self.near.cipher) if name in answers), "")

    @property
    def sent(self) -> Certificate | None:
        """The certificate that the end that calls sends; none with SSLCAUTH(NEVER)."""
        return None if self.asks == "NEVER" else self.near.certificate

    def columns(self, other: Certificate | None) -> dict[str, str]:
        """The columns of DISPLAY CHSTATUS about it; `other` is the certificate of the other end."""
        names = {"SSLPEER": other.name if other else "", "SSLCERTI": other.issuer if other else ""}
        return names | {"SSLCIPH": self.cipher, "SECPROT": specs().get(self.cipher, ("", True))[0]}


def usual_label(name: str) -> str:
    """The label of a certificate if none is given (TLS-03)."""
    return f"ibmwebspheremq{name.lower()}"


def end_of(qmgr: Any, has: Mapping[str, Any]) -> End:
    """A queue manager as one end, by the attributes of its channel."""
    given, label = qmgr.environment, has.get("CERTLABL") or qmgr.attributes.get("CERTLABL", "")
    sets = given.get("AllowWeakCipherSpec", "Yes") == "Yes", given.get("OCSPAuthentication", "REQUIRED") == "REQUIRED"
    about = (has.get("SSLCIPH", ""), keys_of(qmgr), has.get("SSLPEER", ""), label, usual_label(qmgr.name))
    return End(qmgr.name, *about, qmgr.level, qmgr.platform == "zos", *sets)


def handshake_of(attempt: Attempt, near: End | None = None) -> Handshake | None:
    """The handshake of an attempt; None without a channel, or if neither end uses TLS. `near` is the end that calls, if
    it is no client program."""
    has, client = attempt.definition, attempt.client
    if near is None:
        keys, usual = client.keys or Keys(readable=False), usual_label(attempt.asserted or attempt.user)
        near = End(attempt.program, client.cipher, keys, client.peer, client.label, usual)
    if not has or not (near.cipher or has.get("SSLCIPH")):
        return None
    return Handshake(near, end_of(attempt.qmgr, has), has.get("SSLCAUTH", "REQUIRED"), attempt.qmgr.lab.now)


Fault = tuple[str, dict[str, Any]]
"""A condition that is not met: the case in refusals.toml, and its fields."""


def _unreadable(ends: Handshake) -> Fault | None:
    near = ends.near
    unread = near.cipher and near.keys is not None and not near.keys.readable
    return ("no-repository", {"here": near.name, "cipher": near.cipher}) if unread else None


def _malformed(ends: Handshake) -> Fault | None:
    peer, parts = ends.near.peer, parts_of_name(ends.near.peer)
    rest = re.sub(r"\w+\s*=\s*(\"[^\"]*\"|[^,;]*)[,;]?\s*", "", peer)
    wrong = rest.strip() or not {*parts} <= {*SUBJECT.split()}
    return ("malformed-peer", {"here": ends.near.name, "peer": peer}) if wrong else None


def _one_end_only(ends: Handshake, has: int) -> Fault | None:
    end, other = ends.both[has], ends.both[1 - has]
    fields = {"has": end.name, "cipher": end.cipher, "lacks": other.name}
    return ("one-end-only", fields) if end.cipher and not other.cipher else None


def _not_enabled(ends: Handshake, which: int) -> Fault | None:
    end = ends.both[which]
    name, fields = end.cipher, {"end": end.name, "cipher": end.cipher}
    if name not in CIPHERS or CIPHERS[name][end.zos] > end.level:
        return None if end.zos and re.fullmatch("([0-9A-F]{2}){1,2}", name) else ("unknown-cipher", fields)
    return ("weak-cipher", fields) if not end.weak and name in specs() and not specs()[name][1] else None


def _incompatible(ends: Handshake) -> Fault | None:
    near, far, chosen = ends.near, ends.far, ends.cipher
    fields = {"here": near.name, "mine": near.cipher, "there": far.name, "theirs": far.cipher, "chosen": chosen}
    case = "other-cipher" if chosen else "no-common-cipher"
    return None if chosen and chosen in far.accepts(far.cipher) else (case, fields)


def _no_certificate(ends: Handshake) -> Fault | None:
    far = ends.far
    lacks = far.keys is not None and far.certificate is None
    return ("no-certificate", {"there": far.name, "label": far.label or far.usual}) if lacks else None


def _not_sent(ends: Handshake) -> Fault | None:
    near, asks = ends.near, "SSLCAUTH(REQUIRED)" if ends.asks == "REQUIRED" else f"SSLPEER('{ends.far.peer}')"
    if ends.sent is not None or near.keys is None or not (ends.asks == "REQUIRED" or ends.far.peer):
        return None
    return "no-certificate-sent", {"here": near.name, "label": near.label or near.usual, "asks": asks}


def _of(ends: Handshake, checks: int) -> tuple[End, Certificate | None, dict[str, Any]]:
    """The end that checks the other's certificate, that certificate, and both in words."""
    certificate = ends.far.certificate if checks == 0 else ends.sent
    names = ("", "") if certificate is None else (certificate.name, certificate.issuer)
    return ends.both[checks], certificate, {"checks": ends.both[checks].name, "subject": names[0], "issuer": names[1]}


def _unsound(ends: Handshake, checks: int) -> Fault | None:
    end, certificate, fields = _of(ends, checks)
    if certificate is None:
        return None
    trusted = [] if end.keys is None else [parts_of_name(each) for each in end.keys.trusted]
    if end.keys is not None and parts_of_name(certificate.issuer) not in trusted:
        return "untrusted", fields
    if certificate.valid_to is not None and ends.now > certificate.valid_to:
        return "expired", fields | {"at": f"{certificate.valid_to:%Y-%m-%d %H:%M:%S}"}
    if certificate.valid_from is not None and ends.now < certificate.valid_from:
        return "not-yet-valid", fields | {"at": f"{certificate.valid_from:%Y-%m-%d %H:%M:%S}"}
    return None


def _revoked(ends: Handshake, checks: int, revoked: bool | None) -> Fault | None:
    end, certificate, fields = _of(ends, checks)
    if certificate is None or certificate.revoked is not revoked or (revoked is None and not end.asks_status):
        return None
    return "revoked" if revoked else "unknown-revocation", fields


def _differs(ends: Handshake, checks: int) -> Fault | None:
    end, certificate, fields = _of(ends, checks)
    if certificate is None or not end.peer or matches_name(end.peer, certificate.name):
        return None
    return "peer-differs", fields | {"peer": end.peer, "there": ends.both[1 - checks].name}


class Row(NamedTuple):
    """One condition of a handshake: its rule, the test for its fault, the messages in the log of the end that answers
    and of the end that calls, the qualifier of event 2371, and the reason code that a client gets."""

    rule: str
    fault: Callable[[Handshake], Fault | None]
    there: str
    here: str
    qualifier: int = 0
    reason: int = mq.MQRC_SSL_INITIALIZATION_ERROR

    def test(self, attempt: Attempt) -> Outcome | None:
        """The refusal of an attempt whose handshake has the fault; None without TLS, or without the fault."""
        attempt.handshake = attempt.handshake or handshake_of(attempt)
        fault = None if attempt.handshake is None else self.fault(attempt.handshake)
        if fault is None:
            return None
        (case, fields), event = fault, ("ssl", self.qualifier) if self.qualifier else ("", 0)
        chltype, mine = attempt.definition["CHLTYPE"], fields.get("mine")
        opens = f"ALTER CHANNEL({attempt.channel}) CHLTYPE({chltype}) SSLCIPH({mine})" if mine else ""
        refusal = refused(self.reason, case, *([self.there] if self.there else []), **fields)
        return refusal._replace(client=self.here, event=event, opens=opens)


_NEAR, _FAR = 0, 1
_CIPHER, _FAILED, _STATUS = mq.MQRQ_SSL_CIPHER_SPEC_ERROR, mq.MQRQ_SSL_HANDSHAKE_ERROR, mq.MQRQ_SSL_UNKNOWN_REVOCATION
ROWS = (
    Row("TLS-06", _unreadable, "", "AMQ9660E", 0, mq.MQRC_KEY_REPOSITORY_ERROR),
    Row("TLS-04", _malformed, "", "AMQ9640E", 0, mq.MQRC_SSL_PEER_NAME_ERROR),
    Row("TLS-08", partial(_one_end_only, has=_FAR), "AMQ9639E", "AMQ9641E", _CIPHER),
    Row("TLS-08", partial(_one_end_only, has=_NEAR), "AMQ9635E", "AMQ9641E", _CIPHER),
    Row("TLS-02", partial(_not_enabled, which=_NEAR), "", "AMQ9635E"),
    Row("TLS-02", partial(_not_enabled, which=_FAR), "AMQ9635E", "AMQ9665E", _CIPHER),
    Row("TLS-01", _incompatible, "AMQ9631E", "AMQ9641E", _CIPHER),
    Row("TLS-03", _no_certificate, "AMQ9637E", "AMQ9665E", _FAILED),
    Row("TLS-07", partial(_unsound, checks=_NEAR), "AMQ9665E", "AMQ9633E", _FAILED),
    Row("TLS-04", partial(_differs, checks=_NEAR), "AMQ9643E", "AMQ9636E", 0, mq.MQRC_SSL_PEER_NAME_MISMATCH),
    Row("TLS-09", _not_sent, "AMQ9637E", "AMQ9642E", mq.MQRQ_SSL_CLIENT_AUTH_ERROR),
    Row("TLS-07", partial(_unsound, checks=_FAR), "AMQ9633E", "AMQ9665E", _FAILED),
    Row("TLS-10", partial(_revoked, checks=_NEAR, revoked=True), "AMQ9665E", "AMQ9633E", _FAILED,
        mq.MQRC_SSL_CERTIFICATE_REVOKED),
    Row("TLS-10", partial(_revoked, checks=_FAR, revoked=True), "AMQ9633E", "AMQ9665E", _FAILED),
    Row("TLS-10", partial(_revoked, checks=_NEAR, revoked=None), "AMQ9665E", "AMQ9716E", _FAILED),
    Row("TLS-10", partial(_revoked, checks=_FAR, revoked=None), "AMQ9716E", "AMQ9665E", _STATUS),
    Row("TLS-04", partial(_differs, checks=_FAR), "AMQ9636E", "AMQ9643E", mq.MQRQ_SSL_PEER_NAME_ERROR),
)  # fmt: skip  # a table
"""The conditions of a handshake, in their order."""


def _agreed(attempt: Attempt) -> Outcome | None:
    """The handshake is complete: the certificate that the end that calls sent counts from then on."""
    if attempt.handshake is None:
        return None
    attempt.certificate = sent = attempt.handshake.sent
    until = f", valid until {sent.valid_to:%Y-%m-%d}" if sent is not None and sent.valid_to is not None else ""
    whose = "no certificate" if sent is None else f"{sent.name} by {sent.issuer}{until}"
    return Passed("handshake", {"cipher": attempt.handshake.cipher, "whose": whose})


HANDSHAKE: tuple[tuple[str, Callable[[Attempt], Outcome | None]], ...] = (
    *((row.rule, row.test) for row in ROWS),
    ("TLS-01", _agreed),
)
"""The rule and the test of each condition, and the end of the handshake."""
