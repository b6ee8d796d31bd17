"""Whatever is subscribed and published: each publication reaches exactly the subscriptions that match.

The reference turns a topic string with wildcards into a regular expression, and keeps what each subscription must get.
"""

import re

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mqlab import Lab

TOPICS = ("a", "a/b", "a/b/c", "b", "/a")
WANTED = ("a", "a/b", "a/+", "+/b", "a/#", "#", "+/+/c", "/+", "#/b/#")


def fits(wanted, string):
    """Whether a subscription's topic string matches: ``+`` one level, ``#`` any number, as a regular expression."""
    levels = [{"+": "[^/]*/", "#": "(?:[^/]*/)*"}.get(level, re.escape(level) + "/") for level in wanted.split("/")]
    return re.fullmatch("".join(levels), string + "/") is not None


class Machine(RuleBasedStateMachine):
    """One queue manager, its subscriptions, durable and not, and what they must have received."""

    @initialize()
    def begin(self):
        self.qm = Lab(seed=1).queue_manager("QM1")
        self.open, self.wanted, self.retained, self.number = {}, {}, {}, 0

    @rule(wanted=st.sampled_from(WANTED), durable=st.booleans(), new_only=st.booleans())
    def subscribe(self, wanted, durable, new_only):
        self.number += 1
        name = f"S{self.number}"
        self.open[name] = self.qm.subscribe(wanted, name=name, durable=durable, new_only=new_only)
        got = [] if new_only else [body for topic, body in sorted(self.retained.items()) if fits(wanted, topic)]
        self.wanted[name] = wanted, durable, got

    @rule(topic=st.sampled_from(TOPICS), retain=st.booleans())
    def publish(self, topic, retain):
        self.number += 1
        body = b"%d" % self.number
        copies = self.qm.publish(topic, body, retain=retain, persistent=True)
        found = [name for name, (wanted, _, _) in self.wanted.items() if fits(wanted, topic)]
        assert len(copies) == len(found)
        for name in found:
            self.wanted[name][2].append(body)
        if retain:
            self.retained[topic] = body

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def close(self, data):
        name = data.draw(st.sampled_from(sorted(self.open)))
        self.open.pop(name).close()
        if not self.wanted[name][1]:
            del self.wanted[name]

    @rule(data=st.data())
    def resume(self, data):
        for name in sorted(set(self.wanted) - set(self.open))[:1]:
            self.open[name] = self.qm.subscribe(name=name, how="resume")

    @rule(roll=st.integers(0, 5))
    def restart(self, roll):
        if not roll:
            self.qm.stop()
            self.qm.start()
            self.open.clear()
            self.wanted = {name: about for name, about in self.wanted.items() if about[1]}

    @invariant()
    def each_has_what_it_must_have(self):
        for name, subscription in self.open.items():
            got = sorted(message.body for message in subscription.queue.queue.store.in_order())
            assert got == sorted(self.wanted[name][2]), name
        assert {one.name for one in self.qm.objects.match(("SUB",))} == {*self.wanted, "SYSTEM.DEFAULT.SUB"}
        assert sum(queue.name.startswith("SYSTEM.MANAGED") for queue in self.qm.queues) == len(self.wanted)


Machine.TestCase.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
TestMachine = Machine.TestCase
