"""IBM's library sends commands to the command server of a lab, and reads its answers."""


def test_a_queue_is_made_filtered_and_counted_and_a_server_that_does_not_run_answers_nothing(mqi, conn, qm, refused):
    pcf = mqi.PCFExecute(conn)
    name, kind, depth = mqi.CMQC.MQCA_Q_NAME, mqi.CMQC.MQIA_Q_TYPE, mqi.CMQC.MQIA_CURRENT_Q_DEPTH
    pcf.MQCMD_CREATE_Q({name: "BILLS", kind: mqi.CMQC.MQQT_LOCAL, mqi.CMQC.MQCA_Q_DESC: "of today"})
    qm.put("BILLS")
    (found,) = pcf.MQCMD_INQUIRE_Q({name: "B*", mqi.CMQCFC.MQIACF_Q_ATTRS: [depth]}, [mqi.Filter(depth).greater(0)])
    assert found == {name: b"BILLS".ljust(48), kind: mqi.CMQC.MQQT_LOCAL, depth: 1}
    (counts,) = pcf.MQCMD_RESET_Q_STATS({name: "BILLS"})
    assert (counts[mqi.CMQC.MQIA_MSG_ENQ_COUNT], counts[mqi.CMQC.MQIA_HIGH_Q_DEPTH]) == (1, 1)
    twice = refused(pcf.MQCMD_CREATE_Q, {name: "BILLS", kind: mqi.CMQC.MQQT_LOCAL})
    assert twice.reason == mqi.CMQCFC.MQRCCF_OBJECT_ALREADY_EXISTS
    qm.endmqcsv()
    begun = qm.lab.now_us
    assert refused(pcf.MQCMD_PING_Q_MGR).reason == mqi.CMQC.MQRC_NO_MSG_AVAILABLE
    assert qm.lab.now_us - begun == 5_000_000


def test_the_channel_of_a_client_counts_its_calls_and_their_bytes(library, lab):
    lab.queue_manager("QM1", developer=True)
    with lab.ibmmq():
        import ibmmq as mqi

        conn = mqi.connect("QM1", "DEV.ADMIN.SVRCONN", "localhost(1414)", "admin", "password")
        channel, ids = mqi.CMQCFC.MQCACH_CHANNEL_NAME, mqi.CMQCFC
        wanted = (ids.MQIACH_MSGS, ids.MQIACH_BYTES_RECEIVED, ids.MQIACH_BYTES_SENT)

        def counts():
            (found,) = mqi.PCFExecute(conn).MQCMD_INQUIRE_CHANNEL_STATUS({channel: "DEV.ADMIN.SVRCONN"})
            return [found[each] for each in wanted]

        before = counts()
        assert min(before) > 0
        queue = mqi.Queue(conn, "DEV.QUEUE.1")
        queue.put(b"x" * 10_000)
        after = counts()
        assert [after[0] > before[0], after[1] > before[1] + 10_000, after[2] < before[2] + 10_000] == [True] * 3
