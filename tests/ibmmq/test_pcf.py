"""IBM's library sends commands to the command server of a lab, and reads its answers."""

import pytest


@pytest.fixture
def pcf(mqi, qm):
    return mqi.PCFExecute(mqi.connect("QM1"))


def test_a_queue_is_made_filtered_and_counted(mqi, qm, pcf):
    name, kind, depth = mqi.CMQC.MQCA_Q_NAME, mqi.CMQC.MQIA_Q_TYPE, mqi.CMQC.MQIA_CURRENT_Q_DEPTH
    pcf.MQCMD_CREATE_Q({name: "BILLS", kind: mqi.CMQC.MQQT_LOCAL, mqi.CMQC.MQCA_Q_DESC: "of today"})
    qm.put("BILLS")
    (found,) = pcf.MQCMD_INQUIRE_Q({name: "B*", mqi.CMQCFC.MQIACF_Q_ATTRS: [depth]}, [mqi.Filter(depth).greater(0)])
    assert found == {name: b"BILLS".ljust(48), kind: mqi.CMQC.MQQT_LOCAL, depth: 1}
    (counts,) = pcf.MQCMD_RESET_Q_STATS({name: "BILLS"})
    assert (counts[mqi.CMQC.MQIA_MSG_ENQ_COUNT], counts[mqi.CMQC.MQIA_HIGH_Q_DEPTH]) == (1, 1)
    with pytest.raises(mqi.MQMIError) as caught:
        pcf.MQCMD_CREATE_Q({name: "BILLS", kind: mqi.CMQC.MQQT_LOCAL})
    assert caught.value.reason == mqi.CMQCFC.MQRCCF_OBJECT_ALREADY_EXISTS


def test_a_command_server_that_does_not_run_answers_nothing(mqi, qm, pcf):
    qm.endmqcsv()
    with pytest.raises(mqi.MQMIError) as caught:
        pcf.MQCMD_PING_Q_MGR()
    assert caught.value.reason == mqi.CMQC.MQRC_NO_MSG_AVAILABLE
    assert qm.lab.now_us == 5_000_000
