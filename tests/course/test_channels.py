"""The channels of notebooks: a shop and its depot, and the dead-letter queue that they may need."""

import pytest

from mqlab.course.channels import DEAD_LETTER, dead_letters, shop_and_depot, state_of


@pytest.mark.rule("CHL-08", "MQI-30")
def test_a_message_on_the_dead_letter_queue_is_listed_with_its_reason():
    lab, shop, depot = shop_and_depot()
    depot.mqsc("ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)").require()
    shop.put("NOWHERE@DEPOT", "a broken chair")
    assert (state_of(shop, "SHOP.DEPOT"), dead_letters(depot, "SYSTEM.DEAD.LETTER.QUEUE")) == ("INACTIVE", [])
    shop.mqsc("START CHANNEL(SHOP.DEPOT)").require()
    lab.advance(5)
    assert state_of(shop, "SHOP.DEPOT") == "RUNNING"
    (found,) = dead_letters(depot, "SYSTEM.DEAD.LETTER.QUEUE")
    assert found == ("a broken chair", "2085", "NOWHERE at DEPOT", "SHOP.DEPOT")
    assert len(found) == len(DEAD_LETTER)
