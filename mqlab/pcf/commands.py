"""The commands of programmable command format, each with the command of MQSC that does it.

Source: Definitions of the Programmable Command Formats, product documentation.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from . import numbers

_KINDS = {
    "Q": "QUEUE",
    "PROCESS": "PROCESS",
    "NAMELIST": "NAMELIST",
    "CHANNEL": "CHANNEL",
    "AUTH_INFO": "AUTHINFO",
    "CF_STRUC": "CFSTRUCT",
    "STG_CLASS": "STGCLASS",
    "LISTENER": "LISTENER",
    "SERVICE": "SERVICE",
    "TOPIC": "TOPIC",
    "SUBSCRIPTION": "SUB",
    "COMM_INFO": "COMMINFO",
}
_VERBS = {"CHANGE": "ALTER", "COPY": "DEFINE", "CREATE": "DEFINE", "DELETE": "DELETE", "INQUIRE": "DISPLAY"}
# kind -> the numbers of its CHANGE, COPY, CREATE, DELETE and INQUIRE, of the parameters with which COPY names the
# object that is copied and the new one, and of the list of attributes that INQUIRE takes
_OF_KINDS = {
    "Q": (8, 10, 11, 12, 13, 3001, 3002, 1002),
    "PROCESS": (3, 4, 5, 6, 7, 3003, 3004, 1003),
    "NAMELIST": (32, 33, 34, 35, 36, 3005, 3006, 1004),
    "CHANNEL": (21, 22, 23, 24, 25, 3007, 3008, 1015),
    "AUTH_INFO": (79, 80, 81, 82, 83, 3009, 3010, 1019),
    "CF_STRUC": (101, 110, 108, 112, 115, 3093, 3094, 1133),
    "STG_CLASS": (102, 111, 109, 113, 122, 3104, 3105, 1156),
    "LISTENER": (93, 94, 95, 96, 97, 3124, 3125, 1222),
    "SERVICE": (149, 150, 151, 152, 153, 3126, 3127, 1224),
    "TOPIC": (170, 171, 172, 173, 174, 3150, 3149, 1269),
    "SUBSCRIPTION": (178, 181, 177, 179, 176, 3163, 3164, 1287),
    "COMM_INFO": (192, 193, 190, 194, 191, 3177, 3178, 1327),
}
_OTHERS = """
    1 CHANGE_Q_MGR ALTER QMGR         2 INQUIRE_Q_MGR DISPLAY QMGR         9 CLEAR_Q CLEAR QUEUE
    16 REFRESH_Q_MGR REFRESH QMGR     26 PING_CHANNEL PING CHANNEL         27 RESET_CHANNEL RESET CHANNEL
    28 START_CHANNEL START CHANNEL    29 STOP_CHANNEL STOP CHANNEL         30 START_CHANNEL_INIT START CHINIT
    31 START_CHANNEL_LISTENER START LISTENER  39 RESOLVE_CHANNEL RESOLVE CHANNEL  40 PING_Q_MGR PING QMGR
    41 INQUIRE_Q_STATUS DISPLAY QSTATUS       42 INQUIRE_CHANNEL_STATUS DISPLAY CHSTATUS
    70 INQUIRE_CLUSTER_Q_MGR DISPLAY CLUSQMGR 71 RESUME_Q_MGR_CLUSTER RESUME QMGR
    72 SUSPEND_Q_MGR_CLUSTER SUSPEND QMGR     73 REFRESH_CLUSTER REFRESH CLUSTER
    74 RESET_CLUSTER RESET CLUSTER            78 REFRESH_SECURITY REFRESH SECURITY
    85 INQUIRE_CONNECTION DISPLAY CONN        86 STOP_CONNECTION STOP CONN
    87 INQUIRE_AUTH_RECS DISPLAY AUTHREC      88 INQUIRE_ENTITY_AUTH DISPLAY ENTAUTH
    89 DELETE_AUTH_REC DELETE AUTHREC         90 SET_AUTH_REC SET AUTHREC
    98 INQUIRE_LISTENER_STATUS DISPLAY LSSTATUS  105 BACKUP_CF_STRUC BACKUP CFSTRUCT
    116 INQUIRE_CF_STRUC_STATUS DISPLAY CFSTATUS 129 RECOVER_CF_STRUC RECOVER CFSTRUCT
    141 STOP_CHANNEL_INIT STOP CHINIT            142 STOP_CHANNEL_LISTENER STOP LISTENER
    154 INQUIRE_SERVICE_STATUS DISPLAY SVSTATUS  155 START_SERVICE START SERVICE  156 STOP_SERVICE STOP SERVICE
    161 INQUIRE_Q_MGR_STATUS DISPLAY QMSTATUS    182 INQUIRE_SUB_STATUS DISPLAY SBSTATUS
    183 INQUIRE_TOPIC_STATUS DISPLAY TPSTATUS    185 INQUIRE_PUBSUB_STATUS DISPLAY PUBSUB
    184 CLEAR_TOPIC_STRING CLEAR TOPICSTR
    203 SET_CHLAUTH_REC SET CHLAUTH              204 INQUIRE_CHLAUTH_RECS DISPLAY CHLAUTH
    213 RESET_CF_STRUC RESET CFSTRUCT
"""
_NAMES = {18: "QUEUE", 19: "PROCESS", 20: "CHANNEL", 37: "NAMELIST", 84: "AUTHINFO", 147: "CFSTRUCT", 148: "STGCLASS",
          175: "TOPIC"}  # fmt: skip  # a table: the commands that inquire only names
NAME_LISTS = {
    "QUEUE": (3011, "TYPE", 1261),
    "PROCESS": (3012, "", 0),
    "CHANNEL": (3512, "CHLTYPE", 1582),
    "NAMELIST": (3013, "", 0),
    "AUTHINFO": (3048, "AUTHTYPE", 1622),
    "CFSTRUCT": (3095, "", 0),
    "STGCLASS": (3106, "", 0),
    "TOPIC": (3151, "", 0),
}
"""Kind -> the parameter that lists names, and the keyword and the parameter that list their types, if any."""
ESCAPE, RESET_Q_STATS = 38, 17
"""The command that carries MQSC, and the one that no MQSC command of all platforms does."""

_NAMED_BY = {"QSTATUS": "QUEUE", "CHSTATUS": "CHANNEL", "LSSTATUS": "LISTENER", "SVSTATUS": "SERVICE", "CONN": "",
             "SBSTATUS": "SUB", "TPSTATUS": "TOPICSTR"}  # fmt: skip  # a table: the keyword, where it is another one
_ATTRIBUTE_LISTS = {
    "QMGR": 1001, "QSTATUS": 1026, "CHSTATUS": 1524, "CONN": 1107, "AUTHREC": 1114, "LSSTATUS": 1223, "SVSTATUS": 1225,
    "QMSTATUS": 1229, "SBSTATUS": 1294, "TPSTATUS": 1301, "PUBSUB": 1318, "CHLAUTH": 1355, "CLUSQMGR": 1093,
}  # fmt: skip  # a table


class Entry(NamedTuple):
    """One command: its name in PCF, the verb and the object of MQSC, the parameter that names the object, whether it
    only inquires names, and, of COPY, the parameters that name what is copied and what is made."""

    name: str
    verb: str
    object: str
    named_by: int | None
    names_only: bool = False
    copied: int = 0
    copy: int = 0


@cache
def commands() -> dict[int, Entry]:
    """Number of a command -> how it is done."""
    entries = {}
    for word, (*kinds, copied, copy, _) in _OF_KINDS.items():
        kind = _KINDS[word]
        for number, (verb, mqsc) in zip(kinds, _VERBS.items(), strict=True):
            entry = Entry(f"{verb}_{word}", mqsc, kind, numbers.parameters(kind)[kind])
            entries[number] = entry._replace(copied=copied, copy=copy) if verb == "COPY" else entry
    words = _OTHERS.split()
    for one, name, verb, object in zip(*[iter(words)] * 4, strict=True):
        named_by = numbers.parameters(object).get(_NAMED_BY.get(object, object))
        entries[int(one)] = Entry(name, verb, object, named_by)
    for number, kind in _NAMES.items():
        entries[number] = Entry(f"INQUIRE_{kind}_NAMES", "DISPLAY", kind, numbers.parameters(kind)[kind], True)
    return entries


LISTS = frozenset([*(row[-1] for row in _OF_KINDS.values()), *_ATTRIBUTE_LISTS.values()])
"""The parameters that list the attributes that an inquiry wants."""
