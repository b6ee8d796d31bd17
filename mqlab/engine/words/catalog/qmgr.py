"""The queue manager itself: DISPLAY QMGR's groups of attributes, and what follows from its name and level."""

from .attribute import table

_GROUPS = {
    "EVENT": " ".join(row[0] for row in table()["QMGR"] if row[0].endswith("EV")),  # text: a keyword
    "CLUSTER": "CLWLDATA CLWLEXIT CLWLLEN CLWLMRUC CLWLUSEQ DEFCLXQ MONACLS PSCLUS QMID REPOS REPOSNL",
    "PUBSUB": "PARENT PSCLUS PSMODE PSNPMSG PSNPRES PSRTYCNT PSSYNCPT TREELIFE",
    "CHINIT": "ACTCHL ADOPTCHK ADOPTMCA CHADEXIT CHIADAPS CHIDISPS CHISERVP CHLAUTH IPADDRV LSTRTMR LUGROUP LUNAME "
    "LU62ARM LU62CHL MAXCHL MONCHL OPORTMAX OPORTMIN RCVTIME RCVTMIN RCVTTYPE SCHINIT SSLRKEYC SSLTASKS "
    "STATCHL TCPCHL TCPKEEP TCPNAME TCPSTACK TRAXSTR TRAXTBL",
    "SYSTEM": "ACCTCONO ACCTINT ACCTMQI ACCTQ ACTIVREC ALTDATE ALTTIME CCSID CMDLEVEL COMMANDQ CRDATE CRTIME CUSTOM "
    "DEADQ DEFXMITQ DESCR DISTL EXPRYINT MARKINT MAXHANDS MAXMSGL MAXPROPL MAXPRTY MAXUMSGS MONQ PLATFORM "
    "ROUTEREC SCMDSERV STATINT STATMQI STATQ SYNCPT TRIGINT VERSION",
}
GROUPS = {word: tuple(keywords.split()) for word, keywords in _GROUPS.items()}
"""DISPLAY QMGR's words for groups of attributes."""


def certificate_label(name: str, platform: str) -> str:
    """Return the CERTLABL that a new queue manager has, "" on z/OS.

    >>> certificate_label("QM1", "distributed")
    'ibmwebspheremqqm1'
    """
    return f"ibmwebspheremq{name.lower()}" if platform == "distributed" else ""


def version(level: int) -> str:
    """Write a command level as VERSION has it.

    >>> version(942)
    '09040200'
    """
    return f"{level // 100:02}{level // 10 % 10:02}{level % 10:02}00"
