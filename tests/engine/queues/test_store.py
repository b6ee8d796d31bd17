"""The message store: order, late arrivals, indexes and cursors, against a plain list."""

import hypothesis.strategies as st
from hypothesis import given
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from mqlab.engine.queues.message import PLAIN, Context, QueuedMessage
from mqlab.engine.queues.store import Cursor, MessageStore, Passed


def message(seq, filed=0, correl_id=None):
    identity = (seq, seq.to_bytes(24, "big"), correl_id, b"", Context(), PLAIN)
    return QueuedMessage(*identity, filed, False, 0, 0, seq=seq, filed=filed)


def ordered(messages):
    return sorted(messages, key=lambda m: (-m.filed, m.seq))


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9)), unique_by=lambda pair: pair[0]))
def test_whatever_the_order_of_arrival_delivery_is_by_priority_then_seq(pairs):
    store = MessageStore()
    messages = [message(seq, filed) for seq, filed in pairs]
    for each in messages:
        store.add(each)
    assert list(store.in_order()) == ordered(messages)
    store.check()


class Store(RuleBasedStateMachine):
    """Add, remove, look up and browse at random; the list `held` is the reference."""

    def __init__(self):
        super().__init__()
        self.store, self.held, self.away, self.seq = MessageStore(), [], [], 0
        self.cursor, self.at = Cursor(), None
        self.passed, self.locked = Passed(), set()

    @rule(filed=st.integers(0, 9), correl_id=st.sampled_from([None, b"A", b"B"]))
    def add(self, filed, correl_id):
        self.seq += 1
        self.held.append(message(self.seq, filed, correl_id))
        self.store.add(self.held[-1])

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def take(self, data):
        taken = data.draw(st.sampled_from(self.held))
        self.held.remove(taken)
        self.store.remove(taken)
        self.away.append(taken)

    @precondition(lambda self: self.away)
    @rule(data=st.data())
    def give_back(self, data):
        returned = data.draw(st.sampled_from(self.away))
        self.away.remove(returned)
        self.held.append(returned)
        self.store.add(returned)

    @rule(correl_id=st.sampled_from([b"A", b"B", b"C"]))
    def look_up(self, correl_id):
        assert list(self.store.matching(None, correl_id)) == ordered(m for m in self.held if m.correl_id == correl_id)

    @rule(number=st.integers(1, 20))
    def look_up_by_msg_id(self, number):
        wanted = number.to_bytes(24, "big")
        assert list(self.store.matching(wanted, None)) == [m for m in self.held if m.seq == number]

    @rule(correl_id=st.sampled_from([None, b"A"]))
    def browse_on(self, correl_id):
        behind = [
            m
            for m in ordered(self.held)
            if (self.at is None or (-m.filed, m.seq) > self.at) and correl_id in (None, m.correl_id)
        ]
        found = self.store.matching(None, correl_id, self.cursor) if correl_id else self.store.in_order(self.cursor)
        following = next(found, None)
        assert following is (behind[0] if behind else None)
        if following is not None:
            self.cursor.stand_on(following, self.store.buckets[following.filed])
            self.at = (-following.filed, following.seq)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def lock_or_free(self, data):
        chosen = data.draw(st.sampled_from(self.held))
        self.locked ^= {chosen.seq}
        if chosen.seq not in self.locked:
            self.store.freed(chosen)

    @rule(correl_id=st.sampled_from([None, b"A"]))
    def search_past_others(self, correl_id):
        """A search that goes on where an earlier one for the same found nothing finds what one from the start finds."""
        found, last = None, {}
        for each in self.passed.messages(self.store, correl_id):
            if each.seq not in self.locked and each.correl_id == correl_id:
                found = each
                break
            last[each.filed] = each
        for each in last.values():
            self.passed.passed(self.store, each)
        fitting = [m for m in ordered(self.held) if m.seq not in self.locked and m.correl_id == correl_id]
        assert found is (fitting[0] if fitting else None)

    @rule()
    def browse_again(self):
        self.cursor.reset()
        self.at = None

    @invariant()
    def holds(self):
        self.store.check()
        first = ordered(self.held)
        assert self.store.first() is (first[0] if first else None)


TestStore = Store.TestCase


def test_a_message_gone_from_under_the_cursor_is_not_under_it():
    store, cursor = MessageStore(), Cursor()
    first, second = message(1), message(2)
    store.add(first)
    store.add(second)
    cursor.stand_on(first, store.buckets[0])
    store.remove(first)
    assert cursor.message is None
    assert next(store.in_order(cursor)) is second
