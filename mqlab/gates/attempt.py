"""One attempt to get in: its facts, the outcome of each gate, and the walk from gate to gate.

The gates of a connect are one list of conditions, `mqlab.gates.admitting.CONDITIONS`. A connect walks it and stops at
the refusal; `why_refused` shows the same outcomes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from ..engine.extra import Admission
from ..engine.queues.caller import Gate
from ..engine.words.refusals import Grounds
from ..engine.words.templates import filled


class Certificate(NamedTuple):
    """A certificate: the distinguished names of its subject and its issuer, its label ("" for the default label of who
    owns it), and the times from and to which it is valid (None for no limit).

    `serial` is its serial number in hexadecimal digits. `revoked` is None if no one can find out whether it is revoked.
    """

    subject: str
    issuer: str
    label: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    serial: str = ""
    revoked: bool | None = False

    @property
    def name(self) -> str:
        """The distinguished name with the serial number, as SSLPEER of DISPLAY CHSTATUS shows it."""
        return f"SERIALNUMBER={self.serial},{self.subject}" if self.serial else self.subject


class Keys(NamedTuple):
    """A key repository: the certificates that it owns, the issuers that it trusts, and whether its password is known,
    so that it can be read."""

    certificates: tuple[Certificate, ...] = ()
    trusted: tuple[str, ...] = ()
    readable: bool = True


class Client(NamedTuple):
    """Where a client comes from: its IP address, the port that it calls (None for any), and what it knows of TLS.

    `asserted` is the user under which it runs on its own machine, "" for the user that it names. `cipher` is its
    CipherSpec, `keys` its key repository, `label` the certificate in it, and `peer` the SSLPEER that it holds against
    the certificate of the queue manager. `defrecon` is DEFRECON of its channel definition, "" for that of a CLNTCONN
    channel of the queue manager; `places` are where a reconnection goes, in order: each an address, a channel, and a
    client, None for this one; `on_event` is called with 2544, 2545, and the reason code of a reconnection that ends.
    """

    address: str = "127.0.0.1"
    port: int | None = None
    asserted: str = ""
    cipher: str = ""
    keys: Keys | None = None
    label: str = ""
    peer: str = ""
    defrecon: str = ""
    places: tuple[tuple[str, str, Client | None], ...] = ()
    on_event: Callable[[int], object] | None = None


class Passed(NamedTuple):
    """A gate lets an attempt through: the case in gates.toml, and its fields; `warned` is a record that only warns."""

    case: str
    fields: Mapping[str, object] = {}
    warned: dict[str, Any] | None = None

    @property
    def said(self) -> str:
        """The fact, in words."""
        return filled(_sentences()[self.case], self.fields)


class Refusal(NamedTuple):
    """A gate refuses an attempt.

    `grounds` have the reason code that the program gets; `codes` are the messages in the error log of the queue
    manager, `client` the one at the client; `event` is the kind of event message and its qualifier, and `record` what
    decided. `opens` is MQSC that opens this gate and no more, `shell` the command of the shell that does, "" for none.
    """

    grounds: Grounds
    codes: tuple[str, ...] = ()
    client: str = ""
    event: tuple[str, int] = ("", 0)
    record: str = ""
    opens: str = ""
    shell: str = ""

    @property
    def said(self) -> str:
        """The fact, in words."""
        return self.grounds.said


Outcome = Passed | Refusal


class Condition(NamedTuple):
    """One condition of a gate: `rule`, and `test(attempt)`, which is None where the gate has nothing to ask."""

    gate: str
    rule: str
    test: Callable[[Attempt], Outcome | None]


class Opening(NamedTuple):
    """An open, or a call that opens: `kind` of object, its name as written, and the authorities that it needs."""

    call: str
    kind: str
    name: str
    needs: tuple[str, ...]
    user: str
    own: bool = True  # whether the program opens it for the user that it runs as


@dataclass(eq=False)
class Attempt(Admission):
    """One attempt of a program to connect, and to open: who comes, how, and what the gates have found out so far.

    `asserted` is the user under which the program runs on its own machine, `user` and `password` are those of the
    MQCSP ("" for none), and `channel` is a client's, None for a local program. The call of a message channel is an
    attempt too: `partner` is the queue manager that calls.
    """

    qmgr: Any
    program: str
    channel: str | None
    asserted: str
    user: str = ""
    password: str = ""
    client: Client = field(default_factory=Client)
    options: int = 0
    partner: str = ""  # the queue manager that calls with a message channel
    handshake: Any = None  # the two ends of the handshake, if TLS is used
    certificate: Certificate | None = None  # of the client or the partner, as the handshake took it
    adopted: str = ""  # the user of the MQCSP, if it counts from then on
    runs_as: str = ""
    record: dict[str, Any] | None = None  # the channel authentication record that decided
    opening: Opening | None = None
    time_us: int = 0
    seq: int | None = None  # the row of its refusal
    hypothetical: bool = False  # whether nobody makes it: `why_refused` asks
    reconnects: str = ""  # how the connection is made again when it breaks: "YES", "QMGR", or "" for never
    breaks: Callable[[Attempt, Any, Grounds], Gate | None] | None = None
    outcomes: list[tuple[Condition, Outcome]] = field(default_factory=list)

    @property
    def address(self) -> str:  # type: ignore[override]  # it is the client's
        """The IP address of the client."""
        return self.client.address

    @property
    def definition(self) -> dict[str, Any]:
        """The attributes of the client's channel; none for a local program, or if there is no such channel."""
        found = self.qmgr.objects.get("CHANNEL", self.channel) if self.channel is not None else None
        return found.attributes if found is not None else {}

    @property
    def where(self) -> str:
        """The address that it comes from; the name of a partner whose address is not known."""
        return self.client.address or self.partner

    @property
    def known(self) -> str:
        """The user that records compare with CLNTUSER: that of the MQCSP where it is adopted early."""
        early = self.qmgr.environment.get("ChlauthEarlyAdopt", "Y") == "Y"
        return self.adopted if self.adopted and early else self.asserted

    def broken(self, application: Any, grounds: Grounds) -> Gate | None:
        """End the connection that breaks, and return the gate that makes it again (REC-01)."""
        return None if self.breaks is None else self.breaks(self, application, grounds)

    @property
    def refusal(self) -> Refusal | None:
        """The refusal that it ended with; None if it was let in."""
        last = self.outcomes[-1][1] if self.outcomes else None
        return last if isinstance(last, Refusal) else None

    def walk(self, conditions: tuple[Condition, ...]) -> Refusal | None:
        """Go from gate to gate up to a refusal, and keep the outcome of each."""
        for condition in conditions:
            outcome = condition.test(self)
            if outcome is not None:
                self.outcomes.append((condition, outcome))
            if isinstance(outcome, Refusal):
                return outcome
        return None


def refused(reason: int, case: str, *codes: str, **fields: object) -> Refusal:
    """A refusal by its reason code and case."""
    return Refusal(Grounds(reason, case, fields), codes)


@cache
def _sentences() -> dict[str, str]:
    """The sentences of passed gates, by case."""
    return tomllib.loads(files(__package__).joinpath("gates.toml").read_text("utf-8"))


def warnings(attempt: Attempt) -> Iterator[dict[str, Any]]:
    """The records that would have refused an attempt, but only warn."""
    return (outcome.warned for _, outcome in attempt.outcomes if isinstance(outcome, Passed) and outcome.warned)
