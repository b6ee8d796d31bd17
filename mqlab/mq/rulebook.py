"""The rule book: what makes each thing happen, in our own words, with its source.

Ids beginning EXP, TRG, IGQ and MQE come from the source documents on expiry, triggering, intra-group queuing and MQ
Everyplace. The others are everyday rules around them: MQI of the message queue interface, STQ of streaming queues, CHL
of channels, NET of the lab's links, QSG of queue-sharing groups, DLQ of the dead-letter handler, IMS of the IMS bridge,
MQE-08 and later of MQ Everyplace. Every event names the rule that caused it, and the test that proves a rule is marked
with its id.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """One rule: its id, a title of a few words, one or two sentences, its source, and what the lab simplifies in it."""

    id: str
    title: str
    text: str
    source: str
    simplified: str = ""


_EXPIRY = "Expiry in MQMD, product documentation"
_OLD = "Expiry in MQMD, product documentation of version 5.3"
_TRIGGER = "Conditions for a trigger event, product documentation"
_CALLS = "MQI reference, product documentation"
_READING = "our reading of the MQI reference"
_STREAMING = "Streaming queues, product documentation"
_NAMES = "Queue name resolution, product documentation"
_CHANNELS = "Message channels, product documentation"
_COMMANDS = "MQSC reference"
_HANDLER = "Dead-letter queue handler rules table, product documentation"
_BRIDGE = "How the IMS bridge deals with messages, product documentation"
_IGQ = "Intra-group queuing, product documentation of z/OS"
_SHARING = "Shared queues and queue-sharing groups, product documentation of z/OS"
_DEVICE = "Checking for expired messages, MQ Everyplace product documentation"
_DEVICES = "MQe product documentation"

_BOOK = (
    # ---- Message expiry
    Rule("EXP-01", "A lifetime set by the putter",
         "Expiry is a lifetime in tenths of a second that starts at the put; left alone it is unlimited (-1).",
         _EXPIRY),
    Rule("EXP-02", "An expired message stays on its queue",
         "A message whose lifetime is over may be discarded, but it stays where it is until something meets it.",
         _EXPIRY),
    Rule("EXP-03", "Ageing on the way",
         "A lifetime counts down on every transmission queue on the way and on the destination queue.", _EXPIRY),
    Rule("EXP-04", "Time in flight",
         "A channel may also count the time a message is on its way where that is significant; the lab's links say "
         "whether it does.", _EXPIRY),
    Rule("EXP-05", "Time in a program's hands",
         "A program that forwards a message may take the time it held it off its lifetime; one that copies the "
         "descriptor makes it live longer by that time.", _EXPIRY),
    Rule("EXP-06", "Small intervals need not be counted",
         "A lifetime is approximate: the lab's granularity says how coarse, exact tenths if nothing else is said.",
         _EXPIRY,
         simplified="The product does not say how coarse it is; the lab's granularity is one number for a queue "
         "manager."),
    Rule("EXP-07", "What is left is returned",
         "A get or browse returns the lifetime still left: more than zero, or unlimited.", _EXPIRY),
    Rule("EXP-08", "Only a call that would have returned it discards it",
         "An expired message goes when a get or browse would have returned it; a call that selects others passes it "
         "by.", _EXPIRY),
    Rule("EXP-09", "FIFO queue: which expired messages a get discards",
         "On a FIFO queue a get of anything discards the expired messages ahead of the first live one, and no "
         "others.", _EXPIRY),
    Rule("EXP-10", "Priority queue: which expired messages a get discards",
         "On a priority queue such a get discards the expired messages of higher priority and those of the same "
         "priority that came before the first live one.", _EXPIRY),
    Rule("EXP-11", "An expired message is never returned",
         "Neither browse nor get ever gives an application a message whose lifetime is over.", _EXPIRY),
    Rule("EXP-12", "Expired on the way",
         "A message for a remote queue may expire on a transmission queue; the agent that would have sent it discards "
         "it, and it never arrives.", _EXPIRY),
    Rule("EXP-13", "A report only if asked for",
         "Discarding an expired message sends an expiration report if its putter set one of the MQRO_EXPIRATION "
         "options.", _EXPIRY),
    Rule("EXP-14", "The lifetime starts at the put, not at the commit",
         "A message put in a unit of work ages from the put; if it expires before the commit it is discarded "
         "afterwards and never returned.", _EXPIRY),
    Rule("EXP-15", "Zero is no lifetime",
         "A put with an Expiry of zero, or negative other than -1, fails with 2013 and sends no report.", _EXPIRY),
    Rule("EXP-16", "A limit that must be switched on",
         "A lifetime above 999 999 999 fails with 2013 only where AMQ_ENFORCE_MAX_EXPIRY_ERROR exists, whatever "
         "its value.", _EXPIRY),
    Rule("EXP-17", "Expired messages still count",
         "Until they are discarded, expired messages count towards CURDEPTH, MAXDEPTH and trigger depth.", _EXPIRY),
    Rule("EXP-18", "The report is sent at the discard",
         "An expiration report is made when the message is discarded, not when its lifetime ended.", _EXPIRY),
    Rule("EXP-19", "Discards are nobody's unit of work",
         "A discard and its report are final even when the get that met the message is backed out.", _EXPIRY),
    Rule("EXP-20", "A backed out message goes on ageing",
         "A message got with little time left may have expired by the time its unit of work is backed out.", _EXPIRY),
    Rule("EXP-21", "A locked message goes on ageing",
         "A message locked by a browse may expire before it is got under the cursor; that get then fails with 2034.",
         _EXPIRY),
    Rule("EXP-22", "A reply's lifetime is the replier's choice",
         "A replier copies what is left of the request's lifetime, sets its own, or sets none.", _EXPIRY),
    Rule("EXP-23", "Ageing on the dead-letter queue",
         "A message moved to the dead-letter queue keeps what is left of its lifetime, and goes on ageing there.",
         _EXPIRY),
    Rule("EXP-24", "Trigger messages do not age",
         "Trigger messages are written with unlimited expiry; CAPEXPRY on the queue limits them too (our reading).",
         _EXPIRY),
    Rule("EXP-25", "Two lifetimes, the same at first",
         "A message on a transmission queue has a second descriptor in its MQXQH; the queue manager gives both the "
         "same Expiry.", _EXPIRY),
    Rule("EXP-26", "Put there by an application",
         "Level 5.3 takes what an application puts on a transmission queue as it is; later levels want a whole MQXQH "
         "and the same valid Expiry in both descriptors.", _OLD),
    Rule("EXP-27", "Both age",
         "A get or browse of a message of format MQXMIT returns both lifetimes less the time on that queue; data too "
         "short for one is no error.", _EXPIRY),
    Rule("EXP-28", "The outer one decides",
         "Whether such a message has expired is told by its own descriptor, whatever the one in its header says.",
         _EXPIRY),
    Rule("EXP-29", "The inner one stops at zero",
         "Where the inner lifetime is over and the outer one is not, the inner Expiry is returned as zero.", _EXPIRY),
    Rule("EXP-30", "Replies of the IMS bridge",
         "The bridge's reply has an unlimited lifetime, unless the request's MQIIH has PASS_EXPIRATION: then it has "
         "what the request had left and its expiration report options.", _EXPIRY),
    Rule("EXP-31", "CAPEXPRY",
         "CAPEXPRY of any queue or topic on the way lowers the lifetime of a message put to it, an unlimited one "
         "too.", _EXPIRY,
         simplified="An alias, its base, and the topic of a publication are the whole path yet."),
    Rule("EXP-32", "VSE knows no lifetimes",
         "On VSE/ESA the expiry must be unlimited; any other fails with 2013.", _OLD),
    Rule("EXP-33", "z/OS scans",
         "z/OS discards expired messages that nobody meets: every EXPRYINT seconds on just the queues that hold "
         "some, and at each restart. Elsewhere level 5.3 never does.", _OLD,
         simplified="Which queues are worth a scan is known exactly; the product keeps an estimate."),
    Rule("EXP-34", "One member scans the shared queues",
         "The first member of a queue-sharing group to start with EXPRYINT or to have it set scans the shared queues; "
         "when it ends, another takes over at its next interval.", _OLD),
    Rule("EXP-35", "A scan on request",
         "REFRESH QMGR TYPE(EXPIRY) NAME(generic) on z/OS scans the named queues at once.", _OLD,
         simplified="The scan is done when the command returns."),
    Rule("EXP-36", "Whoever discards reports",
         "A program other than the queue manager that discards a message because its lifetime is over sends the "
         "expiration report that was asked for.", _EXPIRY),
    Rule("EXP-37", "An adapter with two settings",
         "The xCoupler takes the lifetime of what it puts from one trigger or from one transport; where both have one "
         "the trigger's is taken (our reading).", _OLD),
    Rule("EXP-38", "Counted until browsed, moved or got",
         "An expired message adds to the depth until a browse, a get, or a program that moves it on meets it.", _OLD),
    # ---- Triggering
    Rule("TRG-01", "A put asks for a trigger",
         "Every message that comes to a queue is a trigger event to consider.", _TRIGGER),
    Rule("TRG-02", "Priority counts",
         "Only messages at or above TRIGMPRI count; with TRIGMPRI(0) all do.", _TRIGGER),
    Rule("TRG-03", "How many there were",
         "FIRST fires when there was none before, EVERY always, DEPTH when there were TRIGDPTH less one. DEPTH "
         "then turns triggering off.", _TRIGGER),
    Rule("TRG-03a", "Uncommitted messages count too",
         "On a queue that is not shared uncommitted messages count; a program may be started and find nothing to "
         "get.", _TRIGGER),
    Rule("TRG-03b", "On a shared queue only committed messages count",
         "A message put to a shared queue in a unit of work is a trigger event when that is committed, for every "
         "member of the group.", _TRIGGER),
    Rule("TRG-04", "Nobody reads it",
         "FIRST and DEPTH fire only while no program has the queue open for input.", _TRIGGER),
    Rule("TRG-04a", "While another member reads it",
         "While a member has a shared queue open for shared input, the others take it as FIRST with TRIGMPRI(0); when "
         "all have closed it, as it is defined.", _TRIGGER),
    Rule("TRG-04b", "Each member counts its own readers",
         "A member triggers for a shared queue only while it does not read it itself (EVERY aside); an exclusive open "
         "anywhere stops them all.", _TRIGGER),
    Rule("TRG-05", "Gets are allowed",
         "On z/OS the queue must not have GET(DISABLED).", _TRIGGER),
    Rule("TRG-06", "A process that exists",
         "PROCESS names a process that is defined, or is blank on a transmission queue.", _TRIGGER),
    Rule("TRG-07", "An initiation queue that can be used",
         "INITQ names a local queue with gets and puts allowed, USAGE(NORMAL), and not deleted.", _TRIGGER),
    Rule("TRG-08", "A trigger monitor runs",
         "Some program has the initiation queue open for input.", _TRIGGER),
    Rule("TRG-09", "Triggering is on",
         "The queue has TRIGGER, not NOTRIGGER.", _TRIGGER),
    Rule("TRG-10", "A type is set",
         "TRIGTYPE is not NONE.", _TRIGGER),
    Rule("TRG-10a", "The trigger message waits for the unit of work",
         "If the message was put in a unit of work, its trigger message can be got when that ends: by a commit, "
         "and for FIRST and DEPTH by a backout too.", _TRIGGER),
    Rule("TRG-11", "Fired again",
         "A put to a queue that holds enough already fires again: for DEPTH at once, for FIRST when TRIGINT "
         "milliseconds have passed since the last trigger message.", _TRIGGER),
    Rule("TRG-11a", "A restart ends the interval",
         "After a restart of the queue manager the next qualifying put fires FIRST again, however little of "
         "TRIGINT passed.", _TRIGGER),
    Rule("TRG-12", "The last reader leaves messages behind",
         "When the last reader closes the queue and enough qualifying messages are left on it, FIRST and DEPTH "
         "fire.", _TRIGGER),
    Rule("TRG-12a", "The loop",
         "A program that closes without emptying the queue is started again, and again.", _TRIGGER,
         simplified="The product goes round for ever; the lab stops a server that got nothing done 1000 times in a "
         "row, and programs that keep each other busy at one moment."),
    Rule("TRG-12b", "Backing out before or after the close",
         "A get backed out before the close makes the close fire; one backed out after it does not.", _TRIGGER),
    Rule("TRG-12c", "BackoutCount tells",
         "Each backout raises BackoutCount, by which a program sees the loop; moving the message to BOQNAME at "
         "BOTHRESH is the program's work.", _TRIGGER),
    Rule("TRG-13", "Turned on or changed",
         "Turning triggering on, or changing its type, priority or (for DEPTH) depth while it is on, fires if "
         "enough messages are there; no monitor need run.", _TRIGGER),
    Rule("TRG-13a", "Puts allowed on the initiation queue again",
         "PUT(ENABLED) on an initiation queue fires once for each queue it serves that qualifies.", _TRIGGER),
    Rule("TRG-13b", "Gets allowed again",
         "GET(ENABLED) on a queue fires if the other conditions hold.", _TRIGGER),
    Rule("TRG-13c", "A monitor comes",
         "The first open for input of an initiation queue fires once for each queue it serves that qualifies.",
         _TRIGGER),
    Rule("TRG-14", "FIFO files by DEFPRTY",
         "On a FIFO queue every message counts as DEFPRTY: with TRIGMPRI above that nothing ever fires. On a "
         "PRIORITY queue messages below TRIGMPRI do not count.", _TRIGGER),
    Rule("TRG-15", "One message, in no unit of work",
         "What fires without a put is in no unit of work, and for EVERY it is one message however many wait.",
         _TRIGGER),
    Rule("TRG-16", "A segmented put is one event",
         "A message that the put splits into segments triggers once, when the last is there; moved on, each "
         "counts.", _TRIGGER,
         simplified="A message is split only if it is longer than the queue's MAXMSGL."),
    # ---- The message queue interface
    Rule("MQI-01", "A put joins its priority",
         "A message is filed behind those of its own priority when it arrives; FIFO queues file by DEFPRTY.", _CALLS),
    Rule("MQI-02", "A get takes the first in order",
         "A get takes the highest priority first and, within a priority, the message put first.", _CALLS),
    Rule("MQI-03", "A browse takes nothing",
         "A browse returns a copy; the cursor moves on and misses what arrives behind it.", _CALLS),
    Rule("MQI-04", "Selecting by MsgId and CorrelId",
         "A get or browse with a MsgId or CorrelId takes the first message in order that carries it.", _CALLS),
    Rule("MQI-05", "An uncommitted put counts and cannot be seen",
         "A message put in a unit of work raises CURDEPTH at once and can be got only after the commit.", _CALLS),
    Rule("MQI-06", "An uncommitted get lowers the depth",
         "A message got in a unit of work leaves CURDEPTH at once and is gone for good at the commit.", _CALLS),
    Rule("MQI-07", "A commit ends the unit of work",
         "A commit makes all its puts visible and all its gets final.", _CALLS),
    Rule("MQI-08", "A backout puts things back",
         "A backout removes its puts and returns its gets to their old places with BackoutCount one higher.", _READING),
    Rule("MQI-09", "A full queue",
         "A put fails with 2053 when the queue already holds MAXDEPTH messages.", _CALLS),
    Rule("MQI-10", "A message too long",
         "A put fails with 2030 when the data is longer than the queue's MAXMSGL, with 2031 for the queue "
         "manager's.", _CALLS),
    Rule("MQI-11", "Inhibited",
         "PUT(DISABLED) refuses puts with 2051, GET(DISABLED) refuses gets with 2016.", _CALLS),
    Rule("MQI-12", "Nothing to return",
         "A get or browse that finds no message it may take fails with 2033, whatever CURDEPTH says.", _CALLS),
    Rule("MQI-13", "The descriptor is checked first",
         "A put with a field out of range fails and changes nothing.", _CALLS),
    Rule("MQI-14", "Names and opens",
         "A call names an object that exists, opened for what the call does.", _CALLS),
    Rule("MQI-15", "Definitions",
         "A command defines, changes, clears or deletes an object.", "MQSC reference"),
    Rule("MQI-16", "Stopping and starting",
         "When a queue manager ends, open units of work are backed out and non-persistent messages are gone.", _CALLS,
         simplified="Stopping is immediate and controlled at once; the log of a real queue manager is not modelled."),
    Rule("MQI-17", "Waiting",
         "A get with a wait interval waits for a message until the interval is over.", _CALLS,
         simplified="Getters that wait look again in the order in which they began to wait."),
    Rule("MQI-18", "A unit of work has a limit",
         "More than MAXUMSGS puts and gets in one unit of work fail with 2024.", _CALLS),
    Rule("MQI-19", "How a program begins and ends",
         "A program that returns commits what it left open; one that dies has it backed out, and the "
         "handles of either are closed.", _READING,
         simplified="A program is a function in this process; APPLTYPE, environment and the operating system play no "
         "part."),
    Rule("MQI-20", "The expirer of current levels",
         "A distributed queue manager of level 600 or later discards expired messages every 300 seconds.",
         "Product support note on expired messages"),
    Rule("MQI-21", "Confirm on arrival",
         "The queue manager that owns the destination sends a COA report when the message lands, with its unit of "
         "work.", _CALLS),
    Rule("MQI-22", "Confirm on delivery",
         "A COD report is sent by the get that takes the message, in that get's unit of work; a browse sends none.",
         _CALLS),
    Rule("MQI-23", "Inquire and set",
         "MQINQ reads attributes of an open object; MQSET sets a few of a local queue, all of them or none.", _CALLS),
    Rule("MQI-24", "Dynamic queues",
         "Opening a model queue makes a dynamic queue; a temporary one goes when its creator closes it, and holds "
         "no persistent messages.", _CALLS),
    Rule("MQI-25", "The connection's own unit of work",
         "Calls with SYNCPOINT belong to one unit of work of their connection, ended by MQCMIT or MQBACK. Options that "
         "do not say are inside it on z/OS and outside elsewhere.", _CALLS),
    Rule("MQI-26", "A buffer that is too short",
         "A message longer than the buffer stays on its queue with warning 2080, or is returned cut with 2079 where "
         "that is accepted.", _CALLS),
    Rule("MQI-27", "Options that fit together",
         "Options that MQ does not know, or does not take together, fail with 2046 and do nothing.", _CALLS),
    Rule("MQI-28", "Context",
         "A message carries who it came from and what put it; a program opened for it may pass or set them.", _CALLS),
    Rule("MQI-29", "Exception reports",
         "Whoever cannot deliver a message sends an exception report if its putter asked for one, with the reason as "
         "its Feedback.", _CALLS),
    Rule("MQI-30", "What cannot be delivered",
         "MQRO_DISCARD_MSG discards a message that cannot be delivered; otherwise it goes to the dead-letter queue "
         "behind an MQDLH.", _CALLS),
    Rule("MQI-31", "Groups and segments",
         "Messages of a group share a GroupId and are numbered; in logical order a put numbers them and a get "
         "returns them by number.", _CALLS),
    Rule("MQI-32", "BackoutCount after a restart",
         "On z/OS a private queue with NOHARDENBO forgets its BackoutCounts at a restart; elsewhere, and with "
         "HARDENBO, they stay.", _CALLS),
    Rule("MQI-33", "A get left out of the backout",
         "On z/OS a get with MARK_SKIP_BACKOUT is not undone by a backout: it becomes a new unit of work.", _CALLS),
    Rule("MQI-34", "Publishing",
         "A publication goes, a copy each, to the queues of the subscriptions whose topic string matches its own.",
         "Publish and subscribe, product documentation"),
    # ---- Streaming queues
    Rule("STQ-01", "A duplicate of each message put",
         "Each message put to a queue with STREAMQ is also put to the queue that STREAMQ names: a local queue, an "
         "alias, which may lead to a topic, or a remote queue.", _STREAMING,
         simplified="A trigger message is not duplicated."),
    Rule("STQ-02", "What a duplicate has",
         "A duplicate has the data, identifiers, priority, persistence, and context of the original, an unlimited "
         "lifetime unless CAPEXPRY lowers it, and asks for no reports.", _STREAMING),
    Rule("STQ-03", "Both messages or neither",
         "With STRMQOS(MUSTDUP), a put whose duplicate cannot be put fails with the reason of that, and neither "
         "message is delivered.", _STREAMING),
    Rule("STQ-04", "The original matters more",
         "With STRMQOS(BESTEF), the original is put even if its duplicate cannot be.", _STREAMING),
    Rule("STQ-05", "One unit of work for both",
         "The duplicate joins the unit of work of the original. Without one, the queue manager begins and commits one, "
         "but not for a nonpersistent message with BESTEF; the duplicate does not count towards MAXUMSGS.",
         _STREAMING),
    Rule("STQ-06", "What cannot stream",
         "STREAMQ makes no chain or loop, and names no model queue and no SYSTEM queue but SYSTEM.DEFAULT.LOCAL.QUEUE; "
         "transmission queues, most SYSTEM queues, and destinations of subscriptions have none.", _STREAMING),
    # ---- Name resolution, channels, links, and the dead-letter handler
    Rule("CHL-01", "A message for elsewhere goes on a transmission queue",
         "A name that leads to another queue manager puts the message on a transmission queue, behind an MQXQH that "
         "says where it is going.", _NAMES),
    Rule("CHL-02", "The sending agent gets",
         "A sending channel gets messages from its transmission queue in their order and sends them in batches.",
         _CHANNELS),
    Rule("CHL-03", "The receiving agent puts",
         "A receiving channel puts each message to the queue its header names, as that queue manager resolves it.",
         _CHANNELS),
    Rule("CHL-04", "A batch is committed at both ends",
         "The receiver commits its puts with its record of the batch and confirms; then the sender commits its gets.",
         _CHANNELS),
    Rule("CHL-05", "In doubt",
         "A batch that the sender has asked to commit is in doubt until the answer comes; it outlives the agent and "
         "the queue manager.", _CHANNELS),
    Rule("CHL-06", "Resynchronised at the start",
         "A channel that starts in doubt asks which batch the receiver committed last: the same one is committed, any "
         "other is sent again.", _CHANNELS),
    Rule("CHL-07", "Fast messages",
         "With NPMSPEED(FAST) non-persistent messages move in no unit of work: they can be got at once, and are lost "
         "if the channel breaks on the way.", _CHANNELS),
    Rule("CHL-08", "States of a channel",
         "A channel is INACTIVE until it is started, runs through BINDING to RUNNING, and ends as the reason for its "
         "end says.", _CHANNELS),
    Rule("CHL-09", "Retries",
         "A sending channel that fails is tried SHORTRTY times every SHORTTMR seconds, then LONGRTY times every "
         "LONGTMR; then it is STOPPED and its transmission queue disabled.", _CHANNELS),
    Rule("CHL-10", "Message retry",
         "A receiving agent that cannot put a message for a reason that may pass tries again MRRTY times, MRTMR "
         "milliseconds apart, and everything behind waits.", _CHANNELS),
    Rule("CHL-12", "Sequence numbers agree",
         "The two ends compare the number of the last message committed; a channel whose ends disagree does not "
         "start.", _CHANNELS),
    Rule("CHL-13", "RESOLVE CHANNEL",
         "An operator ends a batch in doubt by hand: COMMIT deletes it, BACKOUT sends it again.", _COMMANDS),
    Rule("CHL-14", "RESET CHANNEL",
         "RESET gives the next message a sequence number; from a sender the receiver takes it over.", _COMMANDS),
    Rule("CHL-15", "The disconnect interval",
         "A sending channel with nothing to send for DISCINT seconds ends and is INACTIVE.", _CHANNELS),
    Rule("CHL-16", "Started by the channel initiator",
         "A trigger message starts the channel that TRIGDATA, USERDATA or the transmission queue names, unless that "
         "is STOPPED or runs.", _CHANNELS),
    Rule("CHL-17", "Nowhere to put it",
         "A message that neither its queue nor the dead-letter queue can take ends the channel and stays where it "
         "came from.", _CHANNELS),
    Rule("NET-01", "Links",
         "A flow between two queue managers needs a link that is up, and takes its latency.", "The lab"),
    Rule("DLQ-01", "The first rule that matches",
         "The handler does what the first matching rule says, as often as its RETRY allows; if that fails it goes on "
         "to the next rule that matches.", _HANDLER),
    Rule("DLQ-02", "Tried again",
         "ACTION(RETRY) puts a message where it was going, without its MQDLH and with what is left of its lifetime, "
         "every RETRYINT seconds.", _HANDLER),
    Rule("DLQ-03", "Forwarded",
         "ACTION(FWD) puts a message on the queue that FWDQ and FWDQM name, with its MQDLH unless HEADER(NO) says "
         "otherwise.", _HANDLER),
    Rule("DLQ-04", "Deleted", "ACTION(DISCARD) deletes a message from the dead-letter queue.", _HANDLER),
    Rule("DLQ-05", "Left where it is",
         "A message stays on the dead-letter queue if ACTION(IGNORE) says so, no rule is left that matches, or it has "
         "no MQDLH.", _HANDLER),
    Rule("IMS-01", "What the bridge cannot use",
         "A request whose MQIIH or segment lengths are wrong, or that IMS rejects, goes to the dead-letter queue with "
         "a feedback code that says why.", _BRIDGE),
    # ---- Queue-sharing groups and intra-group queuing
    Rule("QSG-01", "Members of one group",
         "Queue managers on z/OS form a queue-sharing group; each is in one group at the most.", _SHARING),
    Rule("QSG-02", "Whose definition it is",
         "SHARED is one queue for all members, GROUP a master that each running member has a COPY of, and QMGR a queue "
         "manager's own.", _SHARING),
    Rule("QSG-03", "A structure holds shared queues",
         "A CFSTRUCT names a structure of the coupling facility for all members; the first open of a queue in it "
         "allocates it.", _SHARING),
    Rule("QSG-04", "What a structure takes",
         "Persistent messages need CFLEVEL(3) and RECOVER(YES), else 2048; up to CFLEVEL(3) a message has 63 KB at the "
         "most, else 2030.", _SHARING),
    Rule("QSG-05", "Shared messages outlive queue managers",
         "When a member ends or fails, shared messages stay, non-persistent ones too, and other members get them.",
         _SHARING),
    Rule("QSG-06", "A queue manager fails",
         "Work on its own queues is backed out, and their non-persistent messages are lost, when it starts again.",
         _SHARING),
    Rule("QSG-07", "Peers recover",
         "What a failed member had not committed on shared queues is backed out by another one at once; with none "
         "running, by the next that starts.", _SHARING,
         simplified="Every running member is connected to every structure; units of work are never in doubt."),
    Rule("QSG-08", "The coupling facility fails",
         "Non-persistent messages are lost; persistent ones in structures with RECOVER(YES) are kept, out of reach.",
         _SHARING,
         simplified="The administration structure never fails; in the product, members have to be started again after "
         "that."),
    Rule("QSG-09", "A failed structure is recovered",
         "Until RECOVER CFSTRUCT calls that use its queues fail with 2373; then its persistent messages are there "
         "again.", _SHARING,
         simplified="The lab needs no backup to recover a structure, and recovers it at once."),
    Rule("QSG-10", "A structure that is not recovered",
         "A structure with RECOVER(NO) that fails loses everything, and the next open of a queue in it makes it anew.",
         _SHARING),
    Rule("QSG-11", "One trigger message for a shared initiation queue",
         "Each member writes its own trigger message; where the initiation queue is shared too, the first one does for "
         "all.", _SHARING),
    Rule("IGQ-01", "A header like any other",
         "A message on SYSTEM.QSG.TRANSMIT.QUEUE begins with an MQXQH, as on every transmission queue.", _IGQ),
    Rule("IGQ-02", "Persistent or not",
         "The shared transmission queue holds persistent and non-persistent messages, and the agent delivers both.",
         _IGQ),
    Rule("IGQ-03", "What is lost when the agent ends",
         "When a queue manager or its agent ends while the agent works, a non-persistent message in its hands is lost; "
         "the persistent batch is backed out.", _IGQ),
    Rule("IGQ-04", "What is lost when a put fails",
         "A non-persistent message whose put by the agent fails unexpectedly is lost; a persistent one is tried again.",
         _IGQ,
         simplified="The lab puts fail unexpectedly only where it is asked to."),
    Rule("IGQ-05", "In and out of syncpoint",
         "The agent moves persistent messages in a unit of work of its own and all others in none.", _IGQ),
    Rule("IGQ-06", "A commit each 50 messages",
         "A batch ends with 50 persistent messages, or when the agent finds no more to get.", _IGQ),
    Rule("IGQ-07", "The largest message",
         "With its header a message may be as long as the shared queue takes; a longer one goes by channel, and where "
         "no channel leads there it is refused with 2030.", _IGQ),
    Rule("IGQ-08", "Where defaults come from",
         "Default priority and persistence come from the first queue of the path by which the name was resolved.",
         _IGQ),
    Rule("IGQ-09", "What the agent cannot deliver",
         "The agent discards a message that asks for it with MQRO_DISCARD_MSG, and puts any other on the dead-letter "
         "queue of the destination queue manager.", _IGQ),
    Rule("IGQ-10", "No dead-letter queue",
         "Where that takes it neither, a non-persistent message is lost; for a persistent one the batch is backed out, "
         "and the agent tries again after 60 seconds ten times, then every 1200.", _IGQ,
         simplified="The long retries have no end."),
    Rule("IGQ-11", "A queue manager that ends",
         "What its agent had not processed stays on the shared transmission queue until the queue manager starts, and "
         "is delivered then.", _IGQ),
    Rule("IGQ-12", "A coupling facility that fails",
         "Non-persistent messages on the shared transmission queue are lost with it.", _IGQ),
    Rule("IGQ-13", "Puts to the shared transmission queue",
         "A message that an application puts there itself stays if no agent selects it or if its header is not whole.",
         _IGQ),
    Rule("IGQ-14", "Confirmations",
         "The queue managers confirm arrival and delivery of messages that intra-group queuing moved; it moves these "
         "reports too.", _IGQ),
    Rule("IGQ-15", "Expiration reports",
         "A message that expires on the shared transmission queue is discarded, and the queue manager sends the report "
         "that was asked for.", _IGQ),
    Rule("IGQ-16", "Exception reports of the agent",
         "The agent sends them with the persistence of the message they are about; where the reply-to queue cannot be "
         "reached they go to the dead-letter queue of the sending queue manager.", _IGQ),
    # ---- MQ Everyplace
    Rule("MQE-01", "Looked at when added",
         "A message is checked for expiry when it is added to a queue, by a local put, a pull or a push; one that has "
         "expired is not added.", _DEVICE),
    Rule("MQE-02", "Looked at when removed",
         "A message is checked when it is taken off a queue, by a local get or from another queue manager.", _DEVICE),
    Rule("MQE-03", "Activation clears out",
         "Activating a queue removes every message that has expired, locked ones too.", _DEVICE),
    Rule("MQE-04", "Deletion clears out first",
         "Deleting a queue first removes what has expired, locked or not, and then needs the queue to be empty.",
         _DEVICE),
    Rule("MQE-05", "Asking for the size clears out",
         "An administrator's inquiry of a queue's size first removes what has expired.", _DEVICE),
    Rule("MQE-06", "The queue rule is told",
         "A queue's rule is told once of each message that expires there; the message is deleted whatever it answers.",
         _DEVICE),
    Rule("MQE-07", "Two stages, two notices, one message",
         "An asynchronous queue sends by put and then confirm; if the link fails in between, the one message expires "
         "on both queue managers and the rules of both queues are told.", _DEVICE),
    Rule("MQE-08", "Queue managers and their queues",
         "A queue belongs to one queue manager, others know it as NAME@OWNER, and its kind says which calls it takes.",
         _DEVICES),
    Rule("MQE-09", "By priority, then by arrival",
         "A get takes the first message that is not locked, of the highest priority; a full queue refuses a put.",
         _DEVICES),
    Rule("MQE-10", "Assured: locked until confirmed",
         "A put or get with a confirm id locks the message until it is confirmed by its own id; the confirm id is for "
         "undoing it. Confirmed puts are ordered by the confirmation.", _DEVICES),
    Rule("MQE-11", "The message's own lifetime goes first",
         "A lifetime is milliseconds since the message was created, or a moment; it replaces the interval of the "
         "queue, even a shorter one.", _DEVICES),
    Rule("MQE-12", "Synchronous: now or not at all",
         "A call on a synchronous queue goes to its owner at once, and fails if the link is down.", _DEVICES),
    Rule("MQE-13", "Asynchronous: kept, and sent when triggered",
         "A put to an asynchronous queue is kept here; it is sent when transmission is triggered, by a call or a "
         "timer.", _DEVICES),
    Rule("MQE-14", "A client fetches from its home server",
         "A store-and-forward queue keeps messages for others; a home-server queue fetches its own, when triggered or "
         "polling, and stops polling when it cannot connect.", _DEVICES),
    Rule("MQE-15", "Nothing twice",
         "A message that was put before is refused unless it is marked as sent again, and a queue that has it does not "
         "add it again.", _DEVICES),
)  # fmt: skip  # three lines a rule, so that the list reads like a book

RULES: dict[str, Rule] = {entry.id: entry for entry in _BOOK}
"""Every rule by id, in the order of the book."""


def rule(id: str) -> Rule:
    """The rule with this id; KeyError that names the ids there are.

    >>> rule("EXP-15").title
    'Zero is no lifetime'
    """
    try:
        return RULES[id]
    except KeyError:
        raise KeyError(f"no rule {id!r}; the rule book has {', '.join(RULES)}") from None
