"""Running agents: the program that a start or a partner's call makes, and what becomes of the channel at its end.

A sending channel that fails is tried again, SHORTRTY times every SHORTTMR seconds and then LONGRTY times every LONGTMR,
while a channel initiator runs; then it is STOPPED, its transmission queue GET(DISABLED) and NOTRIGGER.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...extra import extras
from ...queues.application import Application
from ...queues.queue_manager import QueueManager
from ...words import whys
from ...words.objects import Definition
from ...world.clock import SECOND
from ...world.network import Broken, End
from ..program import Program
from .channel import SENDING, Channel, sends
from .receiving import receive
from .sending import send
from .session import Failed, Hello, Quit, answers, hello, partners, unwelcome


def channel_of(qmgr: QueueManager, definition: Definition, partner: str = "") -> Channel:
    """The channel of a definition (and of a partner, if the channel receives), made when first used.

    A channel that is defined again keeps its state and its in-doubt batch. With another type it is another channel,
    unless its agent still runs or it is in doubt.
    """
    key = (definition.name, partner)
    channel = qmgr.channels.get(key)
    if channel is not None and channel.definition is definition:
        return channel
    if channel is not None and channel.definition.attributes["CHLTYPE"] == definition.attributes["CHLTYPE"]:
        channel.definition = definition
    elif channel is None or not (channel.active or channel.indoubt):
        channel = qmgr.channels[key] = Channel(qmgr, definition, partner)
    return channel


def launch(channel: Channel, cause: int | None = None, rule: str = "CHL-08") -> None:
    """Start the agent of a channel that calls its partner: a sender, a server with CONNAME, or a requester."""

    def over() -> None:
        if channel.active and channel.program is program:  # it never came to run
            _ended(channel, whys.ProgramEnded())

    channel.stop_mode = channel.program = None
    channel.enter("INITIALIZING", rule=rule, cause=cause)
    run, args = (_request, ()) if channel.chltype == "RQSTR" else (send, (partial(_bind, channel),))
    channel.program = program = Program(channel.qmgr, channel.name, _guarded, (channel, run, args), cause, over)


def _call(channel: Channel) -> End:
    """Begin a session with the partner of a channel; the End here. Failed when there is none to be reached."""
    qmgr = channel.qmgr
    lab, network = qmgr.lab, qmgr.lab.network
    tried: list[whys.Attempt] = []
    conname = channel.attributes["CONNAME"]
    if not conname:
        raise Failed(whys.NoConname(channel.name))
    for name in partners(channel):
        path = network.path(qmgr.name, name)
        if path is not None and path.up and lab[name].running and lab[name].listens:
            end = path.connect(qmgr.clock, qmgr.name, name)
            Program(lab[name], channel.name, _answer, (end.other,))
            return end
        up = "deaf" if lab[name].running else "up"
        tried.append({"partner": name, "path": "none" if path is None else up if path.up else "cut"})
    raise Failed(whys.Unreachable(qmgr.name, tried) if tried else whys.UnknownHost(conname))


def _bind(channel: Channel) -> End:
    """Call the partner of a channel that sends, as its first step."""
    channel.enter("BINDING")
    return _call(channel)


def _answer(app: Application, end: End) -> None:
    """Take the first flow of a session and go on as the channel it names, or refuse."""
    try:
        greeting = end.receive()
        _adopt(app.qmgr, greeting)
        _define_receiver(app.qmgr, greeting)
        refusal = _refusal(app.qmgr, greeting)
        definition = app.qmgr.objects.get("CHANNEL", greeting.channel)
        calls_back = refusal is None and (greeting.chltype, definition.attributes["CHLTYPE"]) == ("RQSTR", "SDR")
        if refusal is not None or calls_back:
            end.send(refusal or Quit())
            end.close()
    except Broken:
        return
    if refusal is not None:
        return
    channel = channel_of(app.qmgr, definition, "" if greeting.chltype == "RQSTR" else greeting.qmgr)
    channel.program = app.program
    if greeting.chltype != "RQSTR":
        channel.enter("BINDING", whys.CalledBy(greeting.qmgr))
        _guarded(app, channel, receive, (end, greeting))
    else:
        channel.enter("INITIALIZING" if calls_back else "BINDING", whys.RequestedBy(greeting.qmgr))
        _guarded(app, channel, send, (partial(_bind, channel) if calls_back else lambda: end,))


def _adopt(qmgr: QueueManager, greeting: Hello) -> None:
    """End the agent of a session that broke unnoticed, if the queue manager adopts its channel (CHL-18)."""
    partner = "" if greeting.chltype == "RQSTR" else greeting.qmgr
    channel = qmgr.channels.get((greeting.channel, partner))
    adopts = qmgr.attributes.get("ADOPTMCA") or qmgr.environment.get("AdoptNewMCA", "NO")
    if channel is None or channel.state != "RUNNING" or channel.end is None or adopts == "NO":
        return
    channel.record("CHL-18", {"state": channel.state, "why": whys.Adopted(greeting.qmgr).facts})
    channel.end.fail()
    qmgr.clock.wait(qmgr.clock.event(), qmgr.clock.time_us)


def _define_receiver(qmgr: QueueManager, greeting: Hello) -> None:
    """With CHAD(ENABLED), define the receiver that is called and not there, as SYSTEM.AUTO.RECEIVER is defined."""
    name = greeting.channel
    missing = greeting.chltype in SENDING and qmgr.objects.get("CHANNEL", name) is None
    if missing and qmgr.attributes.get("CHAD") == "ENABLED" and qmgr.objects.get("CHANNEL", "SYSTEM.AUTO.RECEIVER"):
        qmgr.define("CHANNEL", name, {"CHLTYPE": "RCVR"}, like="SYSTEM.AUTO.RECEIVER")
        for extra in extras():
            extra.channel_defined(qmgr, name, greeting.qmgr)


def _refusal(qmgr: QueueManager, greeting: Hello) -> Quit | None:
    """Why this queue manager cannot answer, None if it can."""
    name, definition = greeting.channel, qmgr.objects.get("CHANNEL", greeting.channel)
    if definition is None:
        return Quit(whys.NotDefined(name, qmgr.name))
    chltype = definition.attributes["CHLTYPE"]
    if chltype not in answers(greeting.chltype):
        return Quit(whys.WrongType(name, chltype, qmgr.name, greeting.chltype))
    partner = "" if greeting.chltype == "RQSTR" else greeting.qmgr
    for (known, known_partner), channel in qmgr.channels.items():
        if known == name and channel.state == "STOPPED":
            return Quit(whys.PartnerStopped(name, qmgr.name))
        if (known, known_partner) == (name, partner) and channel.active:
            return Quit(whys.InUse(name, qmgr.name))
    return None if (why := unwelcome(qmgr, definition, greeting)) is None else Quit(why)


def _request(app: Application, channel: Channel) -> None:
    """A requester: ask the partner to send, over this session (a server) or by calling back (a sender)."""
    channel.enter("REQUESTING")
    end = _call(channel)
    channel.end = end
    try:
        end.send(hello(channel))
        first = end.receive()
        if isinstance(first, Hello):
            partner = channel_of(app.qmgr, channel.definition, first.qmgr)
            if partner.active:
                raise Failed(whys.InUseWith(channel.name, first.qmgr))
            partner.program = channel.program
            channel.enter("INACTIVE", whys.Sends(first.qmgr))
            partner.enter("BINDING", whys.Sends(first.qmgr))
            _guarded(app, partner, receive, (end, first))
        elif first.why:
            raise Failed(first.why)
        else:
            channel.enter("INACTIVE", whys.CallsBack())
    except Broken:
        raise Failed(whys.SessionBroken()) from None
    finally:
        channel.end = None
        end.close()


def _guarded(app: Application, channel: Channel, run: Callable[..., None], args: tuple) -> None:
    """Run an agent; whatever ends it, the channel is in a state that says so."""
    try:
        run(app, channel, *args)
    except Failed as failed:
        _failed(channel, failed.why)
    except BaseException:
        _ended(channel, whys.ProgramEnded())
        raise
    else:
        _ended(channel)


def _ended(channel: Channel, why: whys.Why | None = None) -> None:
    """A channel that ends in good order: STOPPED by a command, else INACTIVE."""
    mode, channel.stop_mode = channel.stop_mode, None
    if mode:
        channel.enter(channel.stop_state, whys.StopChannel(mode))
    elif channel.state != "INACTIVE":
        channel.enter("INACTIVE", why)


def _failed(channel: Channel, why: whys.Why) -> None:
    """A channel that failed: a sending one is tried again while there are retries and a channel initiator."""
    if channel.stop_mode:
        _ended(channel)
    elif channel.partner or not sends(channel.chltype) or not channel.attributes["CONNAME"]:
        channel.enter("INACTIVE", why, "CHL-18" if isinstance(why, whys.NotHeard) else "CHL-08")
    elif not channel.qmgr.running or channel.qmgr.channel_initiator is None:
        channel.enter("INACTIVE", why, then=whys.NoInitiator())
    elif channel.short_left or channel.long_left:
        _try_again(channel, why)
    else:
        _give_up(channel, why)


def _try_again(channel: Channel, why: whys.Why) -> None:
    """Wait for the next attempt, SHORTTMR or LONGTMR seconds from now."""
    short = channel.short_left > 0
    keyword = "SHORT" if short else "LONG"
    seconds = channel.attributes[f"{keyword}TMR"]
    if short:
        channel.short_left -= 1
    else:
        channel.long_left -= 1
    cause = channel.enter("RETRYING", why, "CHL-09", then=whys.Again(seconds, f"{keyword}TMR"))
    clock = channel.qmgr.clock
    channel.retry = timer = clock.timeout(seconds * SECOND)
    clock.idle(timer)
    timer.callbacks.append(lambda _: _retry(channel, timer, cause))


def _retry(channel: Channel, timer: object, cause: int) -> None:
    started = channel.qmgr.running and channel.qmgr.channel_initiator is not None
    if channel.state == "RETRYING" and channel.retry is timer and started:
        launch(channel, cause, "CHL-09")


def _give_up(channel: Channel, why: whys.Why) -> None:
    """No retry is left: STOPPED, and the transmission queue disabled until the channel runs again."""
    qmgr, name = channel.qmgr, channel.xmitq
    seq = channel.enter("STOPPED", why, "CHL-09", then=whys.NoRetryLeft())
    queue = qmgr.targets.get(name)
    if queue is None or queue.kind != "QLOCAL" or channel.tag is not None:
        return
    attributes = queue.definition.attributes
    channel.disabled = {key: attributes[key] for key in ("GET", "TRIGGER")}
    with qmgr.reporter(seq).open(name, set=True) as handle:
        handle.set(GET="DISABLED", TRIGGER=False)
