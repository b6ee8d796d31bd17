"""Developer defaults: the objects that code for IBM's container for developers expects."""

from helpers import for_each, lab_error
from mqlab import Lab


def test_a_queue_manager_for_developers_has_what_copied_code_uses(lab):
    qm = lab.queue_manager("QM1", developer=True)
    names = {one.name for one in qm.objects.everything() if one.name.startswith("DEV.")}
    queues = {f"DEV.QUEUE.{number}" for number in (1, 2, 3)} | {"DEV.DEAD.LETTER.QUEUE"}
    channels = {"DEV.APP.SVRCONN", "DEV.ADMIN.SVRCONN"}
    assert names == queues | channels | {"DEV.BASE.TOPIC", "DEV.AUTHINFO", "DEV.LISTENER.TCP"}
    assert (qm.attributes["DEADQ"], qm.attributes["CONNAUTH"]) == ("DEV.DEAD.LETTER.QUEUE", "DEV.AUTHINFO")
    assert qm.objects.get("TOPIC", "DEV.BASE.TOPIC").attributes["TOPICSTR"] == "dev/"
    assert "STATUS(RUNNING)" in str(qm.mqsc("DISPLAY LSSTATUS(DEV.LISTENER.TCP) STATUS"))
    assert "CHCKCLNT(REQUIRED)" in str(qm.mqsc("DISPLAY CHLAUTH(DEV.APP.SVRCONN) ALL"))
    qm.put("DEV.QUEUE.1", b"hello")
    assert qm.get("DEV.QUEUE.1").body == b"hello"
    other = lab.queue_manager("QM2", developer=True, users={"admin": "secret"})  # and no password for app
    assert "CHCKCLNT(REQUIRED)" not in str(other.mqsc("DISPLAY CHLAUTH(DEV.APP.SVRCONN) ALL"))


@for_each("settings", [{"platform": "zos"}, {"level": 701}, {"users": ["app"]}, {"users": {"app": ""}}])
def test_developer_defaults_refuse_what_cannot_have_them(settings):
    lab_error(r"needs platform|users must be", Lab().queue_manager, "QM1", developer=True, **settings)
