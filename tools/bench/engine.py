"""Speed of the engine, as ratios against a reference measured in turn with it in the same process.

Run with ``make bench`` (or ``python -m tools.bench.engine [--quick] [--strict]``). Each figure is the median
of the per-round ratios, printed beside the bar it must keep. Timings are noisy on shared machines: a bar missed is
measured again with more rounds before it counts, and only ``--strict`` makes a missed one an error.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import tracemalloc
from functools import partial
from itertools import count, pairwise, permutations
from time import process_time

import simpy

from mqlab import Lab
from mqlab.engine.commands import parse
from mqlab.views import draw_topology, outline, topology_frame
from mqlab.views.drawing.topology import places_of
from mqlab.views.text import thousands
from tools.bench.measuring import doubling, options, report, seconds

PAIRS = 20_000


def opened(record: bool = True, depth: int = 0, **put):
    """A lab with one queue that holds `depth` messages, and a handle on it."""
    lab = Lab(record=record)
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(999999999)")
    handle = qm.open("Q", input="shared", output=True)
    for number in range(depth):
        handle.put(b"body", **{key: value(number) if callable(value) else value for key, value in put.items()})
    return lab, qm, handle


def simpy_pairs() -> None:
    """The reference: one SimPy process that puts to a PriorityStore and gets from it."""
    env = simpy.Environment()
    store = simpy.PriorityStore(env)

    def pairs():
        for number in range(PAIRS):
            yield store.put((number % 10, number))
            yield store.get()

    env.process(pairs())
    env.run()


def mqlab_pairs(handle, pairs: int = PAIRS) -> None:
    """The subject: put and get over an open handle, every effect and the log included."""
    put, get = handle.put, handle.get
    for _ in range(pairs):
        put(b"body")
        get()


def lifetime_pairs(handle) -> None:
    """The same with a lifetime that does not end."""
    put, get = handle.put, handle.get
    for _ in range(PAIRS):
        put(b"body", expiry=600)
        get()


def one_call_pairs(qm) -> None:
    """The same by the one-call forms, which open and close each time."""
    for _ in range(PAIRS):
        qm.put("Q", b"body")
        qm.get("Q")


def pair_against_simpy() -> float:
    _, _, handle = opened()
    return seconds(lambda: mqlab_pairs(handle)) / seconds(simpy_pairs)


def lifetime_pair_against_simpy() -> float:
    _, _, handle = opened()
    return seconds(lambda: lifetime_pairs(handle)) / seconds(simpy_pairs)


def one_call_against_simpy() -> float:
    _, qm, _ = opened()
    return seconds(lambda: one_call_pairs(qm)) / seconds(simpy_pairs)


def log_on_against_off() -> float:
    _, _, on = opened()
    _, _, off = opened(record=False)
    return seconds(lambda: mqlab_pairs(on)) / seconds(lambda: mqlab_pairs(off))


def identifier(number: int) -> bytes:
    return number.to_bytes(24, "big")


def selective_get(depth: int, gets: int = 500) -> float:
    """Seconds that one get by CorrelId takes at `depth`; the index is built before."""
    _, _, handle = opened(record=False, depth=depth, correl_id=identifier)
    handle.put(b"body", correl_id=identifier(depth))
    handle.get(correl_id=identifier(depth))
    wanted = [identifier(number * (depth // gets)) for number in range(gets)]

    def work():
        for each in wanted:
            handle.get(correl_id=each)

    return seconds(work) / gets


def selective_at_depth(depth: int) -> float:
    """Get by CorrelId at a depth against the same at depth 1,000."""
    return selective_get(depth) / selective_get(1_000)


def discard_against_get(messages: int) -> float:
    """One get that discards `messages` expired ones against as many gets of live ones."""
    lab, _, handle = opened(depth=messages, expiry=10)
    handle.put(b"live")
    lab.advance(2)
    discarding = seconds(handle.get)
    del lab, handle
    _, _, handle = opened(depth=messages)

    def drain():
        for _ in range(messages):
            handle.get()

    return discarding / seconds(drain)


def deep_against_empty(depth: int) -> float:
    _, _, deep = opened(record=False, depth=depth)
    _, _, empty = opened(record=False)
    return seconds(lambda: mqlab_pairs(deep)) / seconds(lambda: mqlab_pairs(empty))


def bytes_per_message(messages: int = 200_000) -> float:
    """Memory of a queued message with the index on, without body, log and the caller's CorrelId."""
    identifiers = [number.to_bytes(24, "big") for number in range(messages + 1)]
    _, _, handle = opened(record=False)
    handle.put(b"body", correl_id=identifiers[messages])
    handle.get(correl_id=identifiers[messages])
    gc.collect()
    tracemalloc.start()
    for number in range(messages):
        handle.put(b"body", correl_id=identifiers[number])
    handle.get(correl_id=identifiers[0])
    gc.collect()
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return used / (messages - 1)


def definition(objects: int, definitions: int = 300) -> float:
    """Seconds that one DEFINE takes on a queue manager with so many objects, half of them aliases."""
    qm = Lab(record=False).queue_manager("QM1")
    qm.mqsc("\n".join(f"DEFINE QL(Q{n})\nDEFINE QA(A{n}) TARGET(Q{n})" for n in range(objects // 2))).require()
    text = "\n".join(f"DEFINE QL(NEW{n})\nDEFINE QA(ALIAS{n}) TARGET(NEW{n})" for n in range(definitions // 2))
    return seconds(lambda: qm.mqsc(text)) / definitions


def definition_among_many() -> float:
    """A definition among 8,000 objects against one among 1,000."""
    return definition(8_000) / definition(1_000)


def explanation(messages: int, explanations: int = 200) -> float:
    """Seconds that lab.explain of one message takes among so many; the log's index is built before."""
    lab, _, handle = opened()
    for _ in range(messages):
        handle.put(b"body", expiry=600)
        handle.get()
    lab.explain(1)
    wanted = [1 + number * (messages // explanations) for number in range(explanations)]
    return seconds(lambda: [lab.explain(number) for number in wanted]) / explanations


def explanation_among_many() -> float:
    """lab.explain of one message among 100,000 against one among 1,000."""
    return explanation(100_000) / explanation(1_000)


COMMAND = "DEFINE QLOCAL(A) DESCR('it''s') MAXDEPTH(5) +\n  NOTRIGGER\n"


def parsed(part: str, size: int):
    """A call that reads so many of a command, or of a part of one text."""
    text = part * size if part == COMMAND else "DEFINE QLOCAL(A) DESCR('" + part * size
    return lambda: parse(text)


def defining(objects: int):
    qm = Lab(record=False).queue_manager("QM1")
    return lambda: qm.mqsc("\n".join(f"DEFINE QL(Q{n})\nDEFINE QA(A{n}) TARGET(Q{n})" for n in range(objects)))


def playing(messages: int):
    """A page of messages that stay on their queue."""
    lab, _, handle = opened()
    for _ in range(messages):
        handle.put(b"body", expiry=600)
        lab.advance(0.01)
    return lambda: lab.save_player(os.path.join(tempfile.gettempdir(), f"mqlab-bench-{os.getpid()}.html"))


def published(levels: int):
    """A publication to three times as many levels as the only subscription has gaps; it does not match."""
    qm = Lab().queue_manager("QM1")
    qm.subscribe("/".join(["a", "#"] * levels))
    topic = "/".join("a" * 3 * levels + "b")
    return lambda: [qm.publish(topic, b"x") for _ in range(10)]


def retried(hours: int):
    """The life of a message behind a channel that was retried for so many hours."""
    lab = Lab()
    one = lab.queue_manager("QM1")
    lab.queue_manager("QM2")
    lab.link("QM1", "QM2")
    one.mqsc(
        "DEFINE QL(QM2) USAGE(XMITQ)\n"
        "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) SHORTRTY(999999999) SHORTTMR(60)\nSTART CHANNEL(C)"
    )
    lab.advance(10)
    message = one.put("X@QM2", b"waits")
    for _ in range(50):
        one.put("X@QM2", b"waits too")
    lab.advance(hours * 3600)
    lab.explain(message)
    return lambda: [lab.explain(message) for _ in range(3)]


def shown(qmgrs: int):
    """A chain of queue managers with ten queues each, drawn as a notebook shows it."""
    lab = Lab()
    chain = [lab.queue_manager(f"QM{n}") for n in range(qmgrs)]
    for one, other in pairwise(chain):
        lab.link(one.name, other.name)
    for each in chain:
        each.mqsc("\n".join(f"DEFINE QL(Q{n})" for n in range(10)))
    return lab._repr_mimebundle_  # type: ignore[attr-defined]


def dumped(objects: int):
    """The first picture of one large queue manager: routes out, aliases, and families of queues."""
    lab = Lab()
    qm = lab.queue_manager("QM1")
    for number in range(objects // 10):
        family = f"F{number % 40:02d}"
        qm.mqsc(
            f"DEFINE QL(P{number}.XQ) USAGE(XMITQ)\nDEFINE CHANNEL(QM1.P{number}) CHLTYPE(SDR) CONNAME(P{number}) "
            f"XMITQ(P{number}.XQ)\nDEFINE QR(TO.P{number}) RNAME(IN) RQMNAME(P{number}) XMITQ(P{number}.XQ)\n"
            f"DEFINE CHANNEL(P{number}.QM1) CHLTYPE(RCVR)"
        )
        qm.mqsc(
            "\n".join(
                f"DEFINE QL({family}.N{number}.{k})\nDEFINE QA({family}.A{number}.{k}) TARGET({family}.N{number}.{k})"
                for k in range(3)
            )
        )
    return first_picture(lab)


def first_picture(lab: Lab):
    """Lay out and draw a lab as it is now; each time on a screen that nothing was laid out for yet."""
    heights = count(620)

    def draw():
        frame = topology_frame(outline(lab.topology()), lab.state(), lab.now_us, start=lab.start)
        draw_topology(frame, places_of(frame, (900, next(heights))))

    return draw


def first_of(ways: list[tuple[int, int]]):
    """The first picture of queue managers, by their numbers, with a channel from one to another for each way."""
    lab, names = Lab(), {number: f"QM{number:03d}" for way in ways for number in way}
    for name in sorted(names.values()):
        lab.queue_manager(name)
    for near, far in ((names[one], names[other]) for one, other in ways):
        if lab.network.path(near, far) is None:
            lab.link(near, far)
        lab[near].mqsc(
            f"DEFINE QL({far}) USAGE(XMITQ)\nDEFINE CHANNEL({near}.{far}) CHLTYPE(SDR) CONNAME({far}) XMITQ({far})"
        )
        lab[far].mqsc(f"DEFINE CHANNEL({near}.{far}) CHLTYPE(RCVR)")
    return first_picture(lab)


def linked(qmgrs: int):
    """The first picture of branches at hubs at one core."""
    return first_of([(number, (number - 1) // 20) for number in range(1, qmgrs)])


def drawn_against_simpy(ways: list[tuple[int, int]]) -> float:
    """Processor time of a first picture against that of the reference, after a small one."""
    taken = []
    for work in (first_of([(0, 1)]), first_of(ways), simpy_pairs):
        gc.collect()
        begin = process_time()
        work()
        taken.append(process_time() - begin)
    return taken[1] / taken[2]


def learning(queues: int, members: int = 20):
    """Twenty queue managers, two of them full repositories, that learn so many cluster queues."""
    lab = Lab()
    names = [f"QM{number:02d}" for number in range(members)]
    for number, name in enumerate(names):
        lab.queue_manager(name)
        for other in names[: min(number, 2)]:
            lab.link(name, other, latency=0.01)

    def learn():
        for number, name in enumerate(names):
            hub = names[1 - number] if number < 2 else names[number % 2]
            lab[name].mqsc(
                f"{'ALTER QMGR REPOS(C)' if number < 2 else ''}\n"
                f"DEFINE CHANNEL(TO.{name}) CHLTYPE(CLUSRCVR) CONNAME('{name.lower()}(1414)') CLUSTER(C)\n"
                f"DEFINE CHANNEL(TO.{hub}) CHLTYPE(CLUSSDR) CONNAME('{hub.lower()}(1414)') CLUSTER(C)\n"
                + "\n".join(f"DEFINE QL(Q{queue}) CLUSTER(C)" for queue in range(number, queues, members))
            )
        lab.advance(10)
        known = lab[names[1]].mqsc("DISPLAY QCLUSTER(*)").rows
        assert len(known) == queues

    return learn


def import_seconds() -> float:
    """The processor time of `from mqlab import Lab` in a process of its own, SimPy included."""
    text = "from time import process_time as now\nbegin = now()\nfrom mqlab import Lab\nprint(now() - begin)"
    return float(subprocess.run([sys.executable, "-c", text], capture_output=True, check=True, text=True).stdout)


FIGURES = (
    # what, how, bar, rounds
    ("put+get pair / SimPy PriorityStore pair", pair_against_simpy, 0.67, 9),
    ("the pair with a lifetime / SimPy PriorityStore pair", lifetime_pair_against_simpy, 0.72, 9),
    ("one-call put+get pair / SimPy PriorityStore pair", one_call_against_simpy, None, 5),
    ("pair with the log / without it", log_on_against_off, 1.7, 9),
    ("lab.explain of a message among 100,000 / among 1,000", explanation_among_many, 1.5, 3),
    ("a definition among 8,000 objects / among 1,000", definition_among_many, 1.5, 3),
    ("DEFINE twice as many objects", partial(doubling, defining, 1_000), 2.6, 3),
    ("parse twice as many commands", partial(doubling, partial(parsed, COMMAND), 2_000), 2.6, 3),
    ("parse twice as long a quote that is not closed", partial(doubling, partial(parsed, "it''s "), 20_000), 2.6, 3),
    ("save_player of twice as many waiting messages", partial(doubling, playing, 1_000), 2.6, 3),
    ("publish to twice as many levels past wildcards", partial(doubling, published, 200), 2.6, 3),
    ("lab.explain behind twice as many retries", partial(doubling, retried, 16), 2.6, 3),
    ("show a lab of twice as many queue managers", partial(doubling, shown, 18), 2.6, 3),
    ("first picture of a queue manager of twice as many objects", partial(doubling, dumped, 720), 2.6, 3),
    ("first picture of twice as many linked queue managers", partial(doubling, linked, 100), 2.6, 3),
    ("first picture of a mesh of 14 / SimPy pairs", partial(drawn_against_simpy, [*permutations(range(14), 2)]), 25, 3),
    ("first picture of a chain of 200 / SimPy pairs", partial(drawn_against_simpy, [*pairwise(range(200))]), 25, 3),
    ("learn twice as many cluster queues", partial(doubling, learning, 200), 2.6, 3),
    ("from mqlab import Lab, seconds of processor time", import_seconds, 0.12, 9),
    ("bytes per queued message, index on", bytes_per_message, 400, 1),
)
SIZED = (
    # what, how, of which size, bar, rounds
    ("get by CorrelId at depth {} / at 1,000", selective_at_depth, 300_000, 4, 5),
    ("discard {} expired / get as many live", discard_against_get, 1_000_000, 1.5, 3),
    ("pair at depth {} / at depth 0", deep_against_empty, 1_000_000, 2, 3),
)
QUICK = 50  # times as small


def main(arguments: list[str] | None = None) -> int:
    """Measure every figure and print it beside its bar; 1 if one is missed and that counts."""
    given = options(__doc__, "smaller, one round, and none more if a bar is missed", arguments)
    by = QUICK if given.quick else 1
    sized = [
        (what.format(thousands(size // by)), partial(measure, size // by), bar, rounds)
        for what, measure, size, bar, rounds in SIZED
    ]
    quick = ((what, measure, bar, 1, 0) for what, measure, bar, _ in (*FIGURES, *sized))
    whole = ((what, measure, bar, rounds, 2 * rounds) for what, measure, bar, rounds in (*FIGURES, *sized))
    return report(quick if given.quick else whole, given.strict)


if __name__ == "__main__":
    sys.exit(main())
