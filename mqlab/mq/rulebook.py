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
    """One rule: its id, a title of a few words, its source, one or two sentences, what the lab simplifies in it, and
    the words that the trust page holds the lab to if it then says that something is not done."""

    id: str
    title: str
    source: str
    text: str
    simplified: str = ""
    denies: str = ""


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
    Rule("EXP-01", "A lifetime set by the putter", _EXPIRY,
         "Expiry is a lifetime in tenths of a second that starts at the put; left alone it is unlimited (-1)."),
    Rule("EXP-02", "An expired message stays on its queue", _EXPIRY,
         "A message whose lifetime is over may be discarded, but it stays where it is until something meets it."),
    Rule("EXP-03", "Ageing on the way", _EXPIRY,
         "A lifetime counts down on every transmission queue on the way and on the destination queue."),
    Rule("EXP-04", "Time in flight", _EXPIRY,
         "A channel may also count the time a message is on its way where that is significant; the lab's links say "
         "whether it does."),
    Rule("EXP-05", "Time in a program's hands", _EXPIRY,
         "A program that forwards a message may take the time it held it off its lifetime; one that copies the "
         "descriptor makes it live longer by that time."),
    Rule("EXP-06", "Small intervals need not be counted", _EXPIRY,
         "A lifetime is approximate: the lab's granularity says how coarse, exact tenths if nothing else is said.",
         simplified="The product leaves open how coarse it is; the lab's granularity is one number for a queue "
         "manager."),
    Rule("EXP-07", "What is left is returned", _EXPIRY,
         "A get or browse returns the lifetime still left: more than zero, or unlimited."),
    Rule("EXP-08", "Only a call that would have returned it discards it", _EXPIRY,
         "An expired message goes when a get or browse would have returned it; a call that selects others passes it "
         "by."),
    Rule("EXP-09", "FIFO queue: which expired messages a get discards", _EXPIRY,
         "On a FIFO queue a get of anything discards the expired messages ahead of the first live one, and no others."),
    Rule("EXP-10", "Priority queue: which expired messages a get discards", _EXPIRY,
         "On a priority queue such a get discards the expired messages of higher priority and those of the same "
         "priority that came before the first live one."),
    Rule("EXP-11", "An expired message is never returned", _EXPIRY,
         "Neither browse nor get ever gives an application a message whose lifetime is over."),
    Rule("EXP-12", "Expired on the way", _EXPIRY,
         "A message for a remote queue may expire on a transmission queue; the agent that would have sent it discards "
         "it, and it never arrives."),
    Rule("EXP-13", "A report only if asked for", _EXPIRY,
         "Discarding an expired message sends an expiration report if its putter set one of the MQRO_EXPIRATION "
         "options."),
    Rule("EXP-14", "The lifetime starts at the put, not at the commit", _EXPIRY,
         "A message put in a unit of work ages from the put; if it expires before the commit it is discarded "
         "afterwards and never returned."),
    Rule("EXP-15", "Zero is no lifetime", _EXPIRY,
         "A put with an Expiry of zero, or negative other than -1, fails with 2013 and sends no report."),
    Rule("EXP-16", "A limit that must be switched on", _EXPIRY,
         "A lifetime above 999 999 999 fails with 2013 only where AMQ_ENFORCE_MAX_EXPIRY_ERROR exists, whatever its "
         "value."),
    Rule("EXP-17", "Expired messages still count", _EXPIRY,
         "Until they are discarded, expired messages count towards CURDEPTH, MAXDEPTH and trigger depth."),
    Rule("EXP-18", "The report is sent at the discard", _EXPIRY,
         "An expiration report is made when the message is discarded, not when its lifetime ended."),
    Rule("EXP-19", "Discards are nobody's unit of work", _EXPIRY,
         "A discard and its report are final even when the get that met the message is backed out."),
    Rule("EXP-20", "A backed out message goes on ageing", _EXPIRY,
         "A message got with little time left may have expired by the time its unit of work is backed out."),
    Rule("EXP-21", "A locked message goes on ageing", _EXPIRY,
         "A message locked by a browse may expire before it is got under the cursor; that get then fails with 2034."),
    Rule("EXP-22", "A reply's lifetime is the replier's choice", _EXPIRY,
         "A replier copies what is left of the request's lifetime, sets its own, or sets none."),
    Rule("EXP-23", "Ageing on the dead-letter queue", _EXPIRY,
         "A message moved to the dead-letter queue keeps what is left of its lifetime, and goes on ageing there."),
    Rule("EXP-24", "Trigger messages do not age", _EXPIRY,
         "Trigger messages are written with unlimited expiry; CAPEXPRY on the queue limits them too (our reading)."),
    Rule("EXP-25", "Two lifetimes, the same at first", _EXPIRY,
         "A message on a transmission queue has a second descriptor in its MQXQH; the queue manager gives both the "
         "same Expiry."),
    Rule("EXP-26", "Put there by an application", _OLD,
         "Level 5.3 takes what an application puts on a transmission queue as it is; later levels want a whole MQXQH "
         "and the same valid Expiry in both descriptors."),
    Rule("EXP-27", "Both age", _EXPIRY,
         "A get or browse of a message of format MQXMIT returns both lifetimes less the time on that queue; data too "
         "short for one is no error."),
    Rule("EXP-28", "The outer one decides", _EXPIRY,
         "Whether such a message has expired is told by its own descriptor, whatever the one in its header says."),
    Rule("EXP-29", "The inner one stops at zero", _EXPIRY,
         "Where the inner lifetime is over and the outer one is not, the inner Expiry is returned as zero."),
    Rule("EXP-30", "Replies of the IMS bridge", _EXPIRY,
         "The bridge's reply has an unlimited lifetime, unless the request's MQIIH has PASS_EXPIRATION: then it has "
         "what the request had left and its expiration report options."),
    Rule("EXP-31", "CAPEXPRY", _EXPIRY,
         "CAPEXPRY of any queue or topic on the way lowers the lifetime of a message put to it, an unlimited one too.",
         simplified="An alias, its base, and the topic of a publication are the whole path yet."),
    Rule("EXP-32", "VSE knows no lifetimes", _OLD,
         "On VSE/ESA the expiry must be unlimited; any other fails with 2013."),
    Rule("EXP-33", "z/OS scans", _OLD,
         "z/OS discards expired messages that nobody meets: every EXPRYINT seconds on just the queues that hold some, "
         "and at each restart. Elsewhere level 5.3 never does.",
         simplified="Which queues are worth a scan is known exactly; the product keeps an estimate."),
    Rule("EXP-34", "One member scans the shared queues", _OLD,
         "The first member of a queue-sharing group to start with EXPRYINT or to have it set scans the shared queues; "
         "when it ends, another takes over at its next interval."),
    Rule("EXP-35", "A scan on request", _OLD,
         "REFRESH QMGR TYPE(EXPIRY) NAME(generic) on z/OS scans the named queues at once.",
         simplified="The scan is done when the command returns."),
    Rule("EXP-36", "Whoever discards reports", _EXPIRY,
         "A program other than the queue manager that discards a message because its lifetime is over sends the "
         "expiration report that was asked for."),
    Rule("EXP-37", "An adapter with two settings", _OLD,
         "The xCoupler takes the lifetime of what it puts from one trigger or from one transport; where both have one "
         "the trigger's is taken (our reading)."),
    Rule("EXP-38", "Counted until browsed, moved or got", _OLD,
         "An expired message adds to the depth until a browse, a get, or a program that moves it on meets it."),
    # ---- Triggering
    Rule("TRG-01", "A put asks for a trigger", _TRIGGER,
         "Every message that comes to a queue is a trigger event to consider."),
    Rule("TRG-02", "Priority counts", _TRIGGER,
         "Only messages at or above TRIGMPRI count; with TRIGMPRI(0) all do."),
    Rule("TRG-03", "How many there were", _TRIGGER,
         "FIRST fires when there was none before, EVERY always, DEPTH when there were TRIGDPTH less one. DEPTH then "
         "turns triggering off."),
    Rule("TRG-03a", "Uncommitted messages count too", _TRIGGER,
         "On a queue that is not shared uncommitted messages count; a program may be started and find nothing to get."),
    Rule("TRG-03b", "On a shared queue only committed messages count", _TRIGGER,
         "A message put to a shared queue in a unit of work is a trigger event when that is committed, for every "
         "member of the group."),
    Rule("TRG-04", "Nobody reads it", _TRIGGER,
         "FIRST and DEPTH fire only while no program has the queue open for input."),
    Rule("TRG-04a", "While another member reads it", _TRIGGER,
         "While a member has a shared queue open for shared input, the others take it as FIRST with TRIGMPRI(0); when "
         "all have closed it, as it is defined."),
    Rule("TRG-04b", "Each member counts its own readers", _TRIGGER,
         "A member triggers for a shared queue only while it does not read it itself (EVERY aside); an exclusive open "
         "anywhere stops them all."),
    Rule("TRG-05", "Gets are allowed", _TRIGGER,
         "On z/OS the queue must not have GET(DISABLED)."),
    Rule("TRG-06", "A process that exists", _TRIGGER,
         "PROCESS names a process that is defined, or is blank on a transmission queue."),
    Rule("TRG-07", "An initiation queue that can be used", _TRIGGER,
         "INITQ names a local queue with gets and puts allowed, USAGE(NORMAL), and not deleted."),
    Rule("TRG-08", "A trigger monitor runs", _TRIGGER,
         "Some program has the initiation queue open for input."),
    Rule("TRG-09", "Triggering is on", _TRIGGER,
         "The queue has TRIGGER, not NOTRIGGER."),
    Rule("TRG-10", "A type is set", _TRIGGER,
         "TRIGTYPE is not NONE."),
    Rule("TRG-10a", "The trigger message waits for the unit of work", _TRIGGER,
         "If the message was put in a unit of work, its trigger message can be got when that ends: by a commit, and "
         "for FIRST and DEPTH by a backout too."),
    Rule("TRG-11", "Fired again", _TRIGGER,
         "A put to a queue that holds enough already fires again: for DEPTH at once, for FIRST when TRIGINT "
         "milliseconds have passed since the last trigger message."),
    Rule("TRG-11a", "A restart ends the interval", _TRIGGER,
         "After a restart of the queue manager the next qualifying put fires FIRST again, however little of TRIGINT "
         "passed."),
    Rule("TRG-12", "The last reader leaves messages behind", _TRIGGER,
         "When the last reader closes the queue and enough qualifying messages are left on it, FIRST and DEPTH fire."),
    Rule("TRG-12a", "The loop", _TRIGGER,
         "A program that closes without emptying the queue is started again, and again.",
         simplified="The product goes round forever; the lab stops a server that was started in vain 1000 times in a "
         "row, and programs that keep each other busy at one moment."),
    Rule("TRG-12b", "Backing out before or after the close", _TRIGGER,
         "A get backed out before the close makes the close fire; one backed out after it does not."),
    Rule("TRG-12c", "BackoutCount tells", _TRIGGER,
         "Each backout raises BackoutCount, by which a program sees the loop; moving the message to BOQNAME at "
         "BOTHRESH is the program's work."),
    Rule("TRG-13", "Turned on or changed", _TRIGGER,
         "Turning triggering on, or changing its type, priority or (for DEPTH) depth while it is on, fires if enough "
         "messages are there; no monitor need run."),
    Rule("TRG-13a", "Puts allowed on the initiation queue again", _TRIGGER,
         "PUT(ENABLED) on an initiation queue fires once for each queue it serves that qualifies."),
    Rule("TRG-13b", "Gets allowed again", _TRIGGER,
         "GET(ENABLED) on a queue fires if the other conditions hold."),
    Rule("TRG-13c", "A monitor comes", _TRIGGER,
         "The first open for input of an initiation queue fires once for each queue it serves that qualifies."),
    Rule("TRG-14", "FIFO files by DEFPRTY", _TRIGGER,
         "On a FIFO queue every message counts as DEFPRTY: with TRIGMPRI above that nothing ever fires. On a PRIORITY "
         "queue messages below TRIGMPRI do not count."),
    Rule("TRG-15", "One message, in no unit of work", _TRIGGER,
         "What fires without a put is in no unit of work, and for EVERY it is one message however many wait."),
    Rule("TRG-16", "A segmented put is one event", _TRIGGER,
         "A message that the put splits into segments triggers once, when the last is there; moved on, each counts. "
         "z/OS splits no message.",
         simplified="A message is split only if it is longer than the queue's MAXMSGL."),
    # ---- The message queue interface
    Rule("MQI-01", "A put joins its priority", _CALLS,
         "A message is filed behind those of its own priority when it arrives; FIFO queues file by DEFPRTY."),
    Rule("MQI-02", "A get takes the first in order", _CALLS,
         "A get takes the highest priority first and, within a priority, the message put first."),
    Rule("MQI-03", "A browse takes nothing", _CALLS,
         "A browse returns a copy; the cursor moves on and misses what arrives behind it."),
    Rule("MQI-04", "Selecting by MsgId and CorrelId", _CALLS,
         "A get or browse with a MsgId or CorrelId takes the first message in order that carries it."),
    Rule("MQI-05", "An uncommitted put counts and cannot be seen", _CALLS,
         "A message put in a unit of work raises CURDEPTH at once and can be got only after the commit."),
    Rule("MQI-06", "An uncommitted get lowers the depth", _CALLS,
         "A message got in a unit of work leaves CURDEPTH at once and is gone for good at the commit."),
    Rule("MQI-07", "A commit ends the unit of work", _CALLS,
         "A commit makes all its puts visible and all its gets final."),
    Rule("MQI-08", "A backout puts things back", _READING,
         "A backout removes its puts and returns its gets to their old places with BackoutCount one higher."),
    Rule("MQI-09", "A full queue", _CALLS,
         "A put fails with 2053 when the queue already holds MAXDEPTH messages."),
    Rule("MQI-10", "A message too long", _CALLS,
         "A put fails with 2030 when the data is longer than the queue's MAXMSGL, with 2031 for the queue manager's."),
    Rule("MQI-11", "Inhibited", _CALLS,
         "PUT(DISABLED) refuses puts with 2051, GET(DISABLED) refuses gets with 2016."),
    Rule("MQI-12", "Nothing to return", _CALLS,
         "A get or browse that finds no message it may take fails with 2033, whatever CURDEPTH says."),
    Rule("MQI-13", "The descriptor is checked first", _CALLS,
         "A put with a field out of range fails and changes nothing."),
    Rule("MQI-14", "Names and opens", _CALLS,
         "A call names an object that exists, opened for what the call does."),
    Rule("MQI-15", "Definitions", "MQSC reference",
         "A command defines, changes, clears or deletes an object."),
    Rule("MQI-16", "Stopping and starting", _CALLS,
         "When a queue manager ends, open units of work are backed out, and nonpersistent messages are lost, except on "
         "shared queues and queues with NPMCLASS(HIGH).",
         simplified="Stopping is immediate and controlled at once; the log of a real queue manager is not modelled.",
         denies="SET LOG, ARCHIVE LOG"),
    Rule("MQI-17", "Waiting", _CALLS,
         "A get with a wait interval waits for a message until the interval is over.",
         simplified="Getters that wait look again in the order in which they began to wait."),
    Rule("MQI-18", "A unit of work has a limit", _CALLS,
         "More than MAXUMSGS puts and gets in one unit of work fail with 2024."),
    Rule("MQI-19", "How a program begins and ends", _READING,
         "A program that returns commits what it left open; one that dies has it backed out, and the handles of either "
         "are closed.",
         simplified="A program is a function in this process, whatever APPLTYPE and the environment say."),
    Rule("MQI-20", "The expirer of current levels", "Product support note on expired messages",
         "A distributed queue manager of level 600 or later discards expired messages every 300 seconds."),
    Rule("MQI-21", "Confirm on arrival", _CALLS,
         "The queue manager that owns the destination sends a COA report when the message lands, with its unit of "
         "work."),
    Rule("MQI-22", "Confirm on delivery", _CALLS,
         "A COD report is sent by the get that takes the message, in that get's unit of work; a browse sends none."),
    Rule("MQI-23", "Inquire and set", _CALLS,
         "MQINQ reads attributes of an open object; MQSET sets a few of a local queue, all of them or none."),
    Rule("MQI-24", "Dynamic queues", _CALLS,
         "Opening a model queue makes a dynamic queue; a temporary one goes when its creator closes it, and holds no "
         "persistent messages."),
    Rule("MQI-25", "The connection's own unit of work", _CALLS,
         "Calls with SYNCPOINT belong to one unit of work of their connection, ended by MQCMIT or MQBACK. Options that "
         "do not say are inside it on z/OS and outside elsewhere."),
    Rule("MQI-26", "A buffer that is too short", _CALLS,
         "A message longer than the buffer stays on its queue with warning 2080, or is returned cut with 2079 where "
         "that is accepted."),
    Rule("MQI-27", "Options that fit together", _CALLS,
         "Options that MQ does not know, or does not take together, fail with 2046 and do nothing."),
    Rule("MQI-28", "Context", _CALLS,
         "A message carries who it came from and what put it; a program opened for it may pass or set them."),
    Rule("MQI-29", "Exception reports", _CALLS,
         "Whoever cannot deliver a message sends an exception report if its putter asked for one, with the reason as "
         "its Feedback."),
    Rule("MQI-30", "What cannot be delivered", _CALLS,
         "MQRO_DISCARD_MSG discards a message that cannot be delivered; otherwise it goes to the dead-letter queue "
         "behind an MQDLH."),
    Rule("MQI-31", "Groups and segments", _CALLS,
         "Messages of a group share a GroupId and are numbered; in logical order a put numbers them and a get returns "
         "them by number."),
    Rule("MQI-32", "BackoutCount after a restart", _CALLS,
         "On z/OS a private queue with NOHARDENBO forgets its BackoutCounts at a restart; elsewhere, and with "
         "HARDENBO, they stay."),
    Rule("MQI-33", "A get left out of the backout", _CALLS,
         "On z/OS a get with MARK_SKIP_BACKOUT is not undone by a backout: it becomes a new unit of work."),
    Rule("MQI-34", "Publishing", "Publish and subscribe, product documentation",
         "A publication goes, a copy each, to the queues of the subscriptions whose topic string matches its own."),
    Rule("MQI-35", "An index for what a get asks for", "IndexType and reason codes 2206, 2207, 2365 and 2394",
         "On z/OS a shared queue is searched by MsgId or CorrelId only if its INDXTYPE is of that identifier, else "
         "2206 or 2207; groups need INDXTYPE(GROUPID) on any queue, else 2394.",
         simplified="A private queue without an index is slower in the product; here both are searched as fast."),
    # ---- Streaming queues
    Rule("STQ-01", "A duplicate of each message put", _STREAMING,
         "Each message put to a queue with STREAMQ is also put to the queue that STREAMQ names: a local queue, an "
         "alias, which may lead to a topic, or a remote queue.",
         simplified="A trigger message is not duplicated.", denies="duplicate of a trigger message"),
    Rule("STQ-02", "What a duplicate has", _STREAMING,
         "A duplicate has the data, identifiers, priority, persistence, and context of the original, an unlimited "
         "lifetime unless CAPEXPRY lowers it, and asks for no reports."),
    Rule("STQ-03", "Both messages or neither", _STREAMING,
         "With STRMQOS(MUSTDUP), a put whose duplicate cannot be put fails with the reason of that, and neither "
         "message is delivered."),
    Rule("STQ-04", "The original matters more", _STREAMING,
         "With STRMQOS(BESTEF), the original is put even if its duplicate cannot be."),
    Rule("STQ-05", "One unit of work for both", _STREAMING,
         "The duplicate joins the unit of work of the original. Without one, the queue manager begins and commits one, "
         "but not for a nonpersistent message with BESTEF; the duplicate does not count towards MAXUMSGS."),
    Rule("STQ-06", "What cannot stream", _STREAMING,
         "STREAMQ makes no chain or loop, and names no model queue and no SYSTEM queue but SYSTEM.DEFAULT.LOCAL.QUEUE; "
         "transmission queues, most SYSTEM queues, and destinations of subscriptions have none."),
    # ---- Name resolution, channels, links, and the dead-letter handler
    Rule("CHL-01", "A message for elsewhere goes on a transmission queue", _NAMES,
         "A name that leads to another queue manager puts the message on a transmission queue, behind an MQXQH that "
         "says where it is going."),
    Rule("CHL-02", "The sending agent gets", _CHANNELS,
         "A sending channel gets messages from its transmission queue in their order and sends them in batches."),
    Rule("CHL-03", "The receiving agent puts", _CHANNELS,
         "A receiving channel puts each message to the queue its header names, as that queue manager resolves it."),
    Rule("CHL-04", "A batch is committed at both ends", _CHANNELS,
         "The receiver commits its puts with its record of the batch and confirms; then the sender commits its gets."),
    Rule("CHL-05", "In doubt", _CHANNELS,
         "A batch that the sender has asked to commit is in doubt until the answer comes; it outlives the agent and "
         "the queue manager."),
    Rule("CHL-06", "Resynchronised at the start", _CHANNELS,
         "A channel that starts in doubt asks which batch the receiver committed last: the same one is committed, any "
         "other is sent again."),
    Rule("CHL-07", "Fast messages", _CHANNELS,
         "With NPMSPEED(FAST) non-persistent messages move in no unit of work: they can be got at once, and are lost "
         "if the channel breaks on the way."),
    Rule("CHL-08", "States of a channel", _CHANNELS,
         "A channel is INACTIVE until it is started, runs through BINDING to RUNNING, and ends as the reason for its "
         "end says."),
    Rule("CHL-09", "Retries", _CHANNELS,
         "A sending channel that fails is tried SHORTRTY times every SHORTTMR seconds, then LONGRTY times every "
         "LONGTMR; then it is STOPPED and its transmission queue disabled."),
    Rule("CHL-10", "Message retry", _CHANNELS,
         "A receiving agent that cannot put a message for a reason that may pass tries again MRRTY times, MRTMR "
         "milliseconds apart, and everything behind waits."),
    Rule("CHL-12", "Sequence numbers agree", _CHANNELS,
         "The two ends compare the number of the last message committed; a channel whose ends disagree does not "
         "start."),
    Rule("CHL-13", "RESOLVE CHANNEL", _COMMANDS,
         "An operator ends a batch in doubt by hand: COMMIT deletes it, BACKOUT sends it again."),
    Rule("CHL-14", "RESET CHANNEL", _COMMANDS,
         "RESET gives the next message a sequence number; from a sender the receiver takes it over."),
    Rule("CHL-15", "The disconnect interval", _CHANNELS,
         "A sending channel with nothing to send for DISCINT seconds ends and is INACTIVE."),
    Rule("CHL-16", "Started by the channel initiator", _CHANNELS,
         "A trigger message starts the channel that TRIGDATA, USERDATA or the transmission queue names, unless that is "
         "STOPPED or runs."),
    Rule("CHL-17", "Nowhere to put it", _CHANNELS,
         "A message that neither its queue nor the dead-letter queue can take ends the channel and stays where it came "
         "from."),
    Rule("NET-01", "Links", "The lab",
         "A flow between two queue managers needs a link that is up, and takes its latency."),
    Rule("DLQ-01", "The first rule that matches", _HANDLER,
         "The handler does what the first matching rule says, as often as its RETRY allows; if that fails it goes on "
         "to the next rule that matches."),
    Rule("DLQ-02", "Tried again", _HANDLER,
         "ACTION(RETRY) puts a message where it was going, without its MQDLH and with what is left of its lifetime, "
         "every RETRYINT seconds."),
    Rule("DLQ-03", "Forwarded", _HANDLER,
         "ACTION(FWD) puts a message on the queue that FWDQ and FWDQM name, with its MQDLH unless HEADER(NO) says "
         "otherwise."),
    Rule("DLQ-04", "Deleted", _HANDLER,
         "ACTION(DISCARD) deletes a message from the dead-letter queue."),
    Rule("DLQ-05", "Left where it is", _HANDLER,
         "A message stays on the dead-letter queue if ACTION(IGNORE) says so, no rule is left that matches, or it has "
         "no MQDLH."),
    Rule("IMS-01", "What the bridge cannot use", _BRIDGE,
         "A request whose MQIIH or segment lengths are wrong, or that IMS rejects, goes to the dead-letter queue with "
         "a feedback code that says why."),
    # ---- Queue-sharing groups and intra-group queuing
    Rule("QSG-01", "Members of one group", _SHARING,
         "Queue managers on z/OS form a queue-sharing group; each is in one group at the most."),
    Rule("QSG-02", "Whose definition it is", _SHARING,
         "SHARED is one queue for all members, GROUP a master that each running member has a COPY of, and QMGR a queue "
         "manager's own."),
    Rule("QSG-03", "A structure holds shared queues", _SHARING,
         "A CFSTRUCT names a structure of the coupling facility for all members; the first open of a queue in it "
         "allocates it."),
    Rule("QSG-04", "What a structure takes", _SHARING,
         "Persistent messages need CFLEVEL(3) and RECOVER(YES), else 2048; up to CFLEVEL(3) a message has 63 KB at the "
         "most, else 2030."),
    Rule("QSG-05", "Shared messages outlive queue managers", _SHARING,
         "When a member ends or fails, shared messages stay, non-persistent ones too, and other members get them."),
    Rule("QSG-06", "A queue manager fails", _SHARING,
         "Work on its own queues is backed out, and their non-persistent messages are lost, when it starts again."),
    Rule("QSG-07", "Peers recover", _SHARING,
         "What a failed member had not committed on shared queues is backed out by another one at once; with none "
         "running, by the next that starts.",
         simplified="Every running member is connected to every structure; units of work are never in doubt.",
         denies="RESOLVE INDOUBT"),
    Rule("QSG-08", "The coupling facility fails", _SHARING,
         "Non-persistent messages are lost; persistent ones in structures with RECOVER(YES) are kept, out of reach.",
         simplified="The administration structure is always there; in the product, members have to be started again "
         "after it failed."),
    Rule("QSG-09", "A failed structure is recovered", _SHARING,
         "Until RECOVER CFSTRUCT calls that use its queues fail with 2373; then its persistent messages are there "
         "again.",
         simplified="The lab recovers a structure at once, and BACKUP CFSTRUCT makes no difference to that.",
         denies="recovery from a backup"),
    Rule("QSG-10", "A structure that is not recovered", _SHARING,
         "A structure with RECOVER(NO) that fails loses everything, and the next open of a queue in it makes it anew."),
    Rule("QSG-11", "One trigger message for a shared initiation queue", _SHARING,
         "Each member writes its own trigger message; where the initiation queue is shared too, the first one does for "
         "all."),
    Rule("IGQ-01", "A header like any other", _IGQ,
         "A message on SYSTEM.QSG.TRANSMIT.QUEUE begins with an MQXQH, as on every transmission queue."),
    Rule("IGQ-02", "Persistent or not", _IGQ,
         "The shared transmission queue holds persistent and non-persistent messages, and the agent delivers both."),
    Rule("IGQ-03", "What is lost when the agent ends", _IGQ,
         "When a queue manager or its agent ends while the agent works, a non-persistent message in its hands is lost; "
         "the persistent batch is backed out."),
    Rule("IGQ-04", "What is lost when a put fails", _IGQ,
         "A non-persistent message whose put by the agent fails unexpectedly is lost; a persistent one is tried again.",
         simplified="The lab puts fail unexpectedly only where it is asked to."),
    Rule("IGQ-05", "In and out of syncpoint", _IGQ,
         "The agent moves persistent messages in a unit of work of its own and all others in none."),
    Rule("IGQ-06", "A commit each 50 messages", _IGQ,
         "A batch ends with 50 persistent messages, or when the agent finds no more to get."),
    Rule("IGQ-07", "The largest message", _IGQ,
         "With its header a message may be as long as the shared queue takes; a longer one goes by channel, and where "
         "no channel leads there it is refused with 2030."),
    Rule("IGQ-08", "Where defaults come from", _IGQ,
         "Default priority and persistence come from the first queue of the path by which the name was resolved."),
    Rule("IGQ-09", "What the agent cannot deliver", _IGQ,
         "The agent discards a message that asks for it with MQRO_DISCARD_MSG, and puts any other on the dead-letter "
         "queue of the destination queue manager."),
    Rule("IGQ-10", "No dead-letter queue", _IGQ,
         "Where that takes it neither, a non-persistent message is lost; for a persistent one the batch is backed out, "
         "and the agent tries again after 60 seconds ten times, then every 1200.",
         simplified="The long retries go on forever."),
    Rule("IGQ-11", "A queue manager that ends", _IGQ,
         "What its agent had not processed stays on the shared transmission queue until the queue manager starts, and "
         "is delivered then."),
    Rule("IGQ-12", "A coupling facility that fails", _IGQ,
         "Non-persistent messages on the shared transmission queue are lost with it."),
    Rule("IGQ-13", "Puts to the shared transmission queue", _IGQ,
         "A message that an application puts there itself stays if no agent selects it or if its header is not whole."),
    Rule("IGQ-14", "Confirmations", _IGQ,
         "The queue managers confirm arrival and delivery of messages that intra-group queuing moved; it moves these "
         "reports too."),
    Rule("IGQ-15", "Expiration reports", _IGQ,
         "A message that expires on the shared transmission queue is discarded, and the queue manager sends the report "
         "that was asked for."),
    Rule("IGQ-16", "Exception reports of the agent", _IGQ,
         "The agent sends them with the persistence of the message they are about; where the reply-to queue cannot be "
         "reached they go to the dead-letter queue of the sending queue manager."),
    # ---- MQ Everyplace
    Rule("MQE-01", "Looked at when added", _DEVICE,
         "A message is checked for expiry when it is added to a queue, by a local put, a pull or a push; one that has "
         "expired is not added."),
    Rule("MQE-02", "Looked at when removed", _DEVICE,
         "A message is checked when it is taken off a queue, by a local get or from another queue manager."),
    Rule("MQE-03", "Activation clears out", _DEVICE,
         "Activating a queue removes every message that has expired, locked ones too."),
    Rule("MQE-04", "Deletion clears out first", _DEVICE,
         "Deleting a queue first removes what has expired, locked or not, and then needs the queue to be empty."),
    Rule("MQE-05", "Asking for the size clears out", _DEVICE,
         "An administrator's inquiry of a queue's size first removes what has expired."),
    Rule("MQE-06", "The queue rule is told", _DEVICE,
         "A queue's rule is told once of each message that expires there; the message is deleted whatever it answers."),
    Rule("MQE-07", "Two stages, two notices, one message", _DEVICE,
         "An asynchronous queue sends by put and then confirm; if the link fails in between, the one message expires "
         "on both queue managers and the rules of both queues are told."),
    Rule("MQE-08", "Queue managers and their queues", _DEVICES,
         "A queue belongs to one queue manager, others know it as NAME@OWNER, and its kind says which calls it takes."),
    Rule("MQE-09", "By priority, then by arrival", _DEVICES,
         "A get takes the first message that is not locked, of the highest priority; a full queue refuses a put."),
    Rule("MQE-10", "Assured: locked until confirmed", _DEVICES,
         "A put or get with a confirm id locks the message until it is confirmed by its own id; the confirm id is for "
         "undoing it. Confirmed puts are ordered by the confirmation."),
    Rule("MQE-11", "The message's own lifetime goes first", _DEVICES,
         "A lifetime is milliseconds since the message was created, or a moment; it replaces the interval of the "
         "queue, even a shorter one."),
    Rule("MQE-12", "Synchronous: now or not at all", _DEVICES,
         "A call on a synchronous queue goes to its owner at once, and fails if the link is down."),
    Rule("MQE-13", "Asynchronous: kept, and sent when triggered", _DEVICES,
         "A put to an asynchronous queue is kept here; it is sent when transmission is triggered, by a call or a "
         "timer."),
    Rule("MQE-14", "A client fetches from its home server", _DEVICES,
         "A store-and-forward queue keeps messages for others; a home-server queue fetches its own, when triggered or "
         "polling, and stops polling when it cannot connect."),
    Rule("MQE-15", "Nothing twice", _DEVICES,
         "A message that was put before is refused unless it is marked as sent again, and a queue that has it does not "
         "add it again."),
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
    except (KeyError, TypeError):
        raise KeyError(f"no rule {id!r}; the rule book has {', '.join(RULES)}") from None
