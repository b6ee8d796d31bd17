"""The shop of the triggering notebook: decisions as rows and a table, and steps that name what was decided."""

from helpers import lab_error
from mqlab.course.triggers import Shop, answers, decisions


def test_each_step_names_what_was_decided():
    shop = Shop()
    assert [shop.step(words) for words in ("close SHOP.INITQ", "put ORDERS", "open SHOP.INITQ")] == [
        "not asked",
        "no, TRG-08",
        "fired, TRG-13c",
    ]
    assert shop.step("ORDERS TRIGMPRI(0)") in ("not asked", "no, TRG-11", "fired, TRG-13")
    fired = [each for each in decisions(shop.lab) if each.fired]
    assert fired[0].queue == "ORDERS"
    assert "TRG-13c" in repr(answers(shop.lab, queue="ORDERS"))
    assert "SHOP" in repr(answers(shop.lab, members=True))


def test_a_monitored_shop_starts_its_server():
    shop, started = Shop(kind="EVERY"), []
    shop.monitored(lambda app, trigger: started.append(trigger.queue))
    shop.step("put ORDERS")
    shop.lab.advance(1)
    assert started == ["ORDERS"]


def test_a_command_that_is_refused_is_an_error():
    lab_error("SHOP refused a command", Shop().step, "DELETE QLOCAL(NOWHERE)")
    lab_error("SHOP refused a command", Shop, kind="SOMETIMES")
