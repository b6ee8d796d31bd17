"""A command of programmable command format as a command of MQSC (PCF-04): its words, and what of the answer it wants.

Source: Definitions of the Programmable Command Formats, product documentation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..engine.commands.command import Command, Grammar, grammar
from ..engine.commands.parser import command_of
from ..engine.commands.replies import Refused
from ..engine.words import catalog
from ..engine.words import constants as mq
from ..engine.words.catalog.attribute import Attribute
from . import format as pcf
from . import numbers
from .commands import LISTS, Entry, commands
from .format import Parameter, PCFError

_ALL = 1009  # MQIACF_ALL, in a list of attributes
_SUMS = (1108, 1022)  # options of a connection and of an open: one number
_REPLACE, _COMMAND_SCOPE, _CONNECTION, _CONNECTIONS = 1006, 3080, 7006, 7007
_AUTHORITY_OPTIONS, _PROFILE, _OBJECT_TYPE, _ENTITY, _ENTITY_TYPE = 1228, 3067, 1016, 3068, 1118
_NAME_EXPLICIT, _AS_WILDCARD = 0x10, 0x40  # MQAUTHOPT
_OPERATORS = dict(zip((1, 2, 3, 4, 5, 6, 10, 13, 18, 21, 26, 29), ("LT", "EQ", "LE", "GT", "NE", "GE", "CT", "EX",
                      "LK", "NL", "CTG", "EXG"), strict=True))  # fmt: skip  # a table: MQCFOP, and how MQSC writes it
_FILTERS = ("CFIF", "CFSF", "CFBF")
_EXITS = ("MSGEXIT", "MSGDATA", "RCVEXIT", "RCVDATA", "SENDEXIT", "SENDDATA")
"""Keywords that take one text, and a list of texts."""
_GROUPS = {1122: "SYSTEM", 1123: "EVENT", 1124: "CHINIT", 1125: "CLUSTER", 1291: "PUBSUB"}
"""MQIACF_Q_MGR_SYSTEM and such: groups of attributes of the queue manager."""


VALUE_ERRORS = (8405, 8412)
"""The numbers of refusals of MQSC that PCF has a reason for, by the parameter."""
_VALUES = {
    "CHANNEL": {
        "BATCHINT": mq.MQRCCF_BATCH_INT_ERROR,
        "BATCHSZ": mq.MQRCCF_BATCH_SIZE_ERROR,
        "CHLTYPE": mq.MQRCCF_CHANNEL_TYPE_ERROR,
        "CONVERT": mq.MQRCCF_DATA_CONV_VALUE_ERROR,
        "DISCINT": mq.MQRCCF_DISC_INT_ERROR,
        "HBINT": mq.MQRCCF_HB_INTERVAL_ERROR,
        "KAINT": mq.MQRCCF_KEEP_ALIVE_INT_ERROR,
        "LONGRTY": mq.MQRCCF_LONG_RETRY_ERROR,
        "LONGTMR": mq.MQRCCF_LONG_TIMER_ERROR,
        "MAXINST": mq.MQRCCF_MAX_INSTANCES_ERROR,
        "MAXINSTC": mq.MQRCCF_MAX_INSTS_PER_CLNT_ERR,
        "MAXMSGL": mq.MQRCCF_MAX_MSG_LENGTH_ERROR,
        "MCATYPE": mq.MQRCCF_MCA_TYPE_ERROR,
        "MRRTY": mq.MQRCCF_MR_COUNT_ERROR,
        "MRTMR": mq.MQRCCF_MR_INTERVAL_ERROR,
        "NETPRTY": mq.MQRCCF_NET_PRIORITY_ERROR,
        "NPMSPEED": mq.MQRCCF_NPM_SPEED_ERROR,
        "PUTAUT": mq.MQRCCF_PUT_AUTH_ERROR,
        "SEQWRAP": mq.MQRCCF_SEQ_NUMBER_WRAP_ERROR,
        "SHARECNV": mq.MQRCCF_SHARING_CONVS_ERROR,
        "SHORTRTY": mq.MQRCCF_SHORT_RETRY_ERROR,
        "SHORTTMR": mq.MQRCCF_SHORT_TIMER_ERROR,
        "SSLCAUTH": mq.MQRCCF_SSL_CLIENT_AUTH_ERROR,
        "TRPTYPE": mq.MQRCCF_XMIT_PROTOCOL_TYPE_ERR,
    },
    "QUEUE": {"QTYPE": mq.MQRCCF_Q_TYPE_ERROR},
    "LISTENER": {"PORT": mq.MQRCCF_PORT_NUMBER_ERROR},
}


def value_error(section: str, keyword: str | None) -> int:
    """The reason for a value that a parameter cannot have."""
    return _VALUES.get(section, {}).get(keyword or "", mq.MQRCCF_ATTR_VALUE_ERROR)


_Keyword = tuple[str, tuple[str, ...] | None]


@dataclass
class Request:
    """A command: its entry, the object of MQSC that it is about, with its name, the keywords of MQSC with their values,
    the parameters of the answer that it wants (None: all), and the identifier that connections begin with; `filtered`
    is the sort of its filter, `profiles` a name with wildcards that the profiles of authority records must match."""

    entry: Entry
    kind: str = ""
    name: str = ""
    keywords: tuple[_Keyword, ...] = ()
    wanted: frozenset[int] | None = None
    connection: str = ""
    filtered: str = ""
    profiles: str = ""

    def command(self, qmgr: Any) -> Command:
        """The command of MQSC that it is. Refused, as in a script."""
        return self._command(qmgr, len(self.keywords))

    def _command(self, qmgr: Any, count: int) -> Command:
        kept = self.keywords[:count]
        return command_of(self.entry.verb, self.kind, self.name, kept, qmgr.platform, qmgr.level)

    def refused_value(self, qmgr: Any) -> int:
        """The reason for the first keyword whose value MQSC refuses: that of its parameter, if PCF has one."""
        for place, (keyword, _) in enumerate(self.keywords):
            try:
                self._command(qmgr, place + 1)
            except Refused as refused:
                if refused.number in VALUE_ERRORS:
                    return value_error(self.entry.object, keyword)
        return mq.MQRCCF_ATTR_VALUE_ERROR


def read(qmgr: Any, message: pcf.Message) -> Request:
    """Understand a command; PCFError for one that is not as MQ takes it (PCF-05)."""
    header = message.header
    _require_header(qmgr, header)
    entry = commands().get(header.command)
    if entry is None:
        raise PCFError(mq.MQRCCF_CFH_COMMAND_ERROR, f"command {header.command}, which the lab does not have")
    by_id: dict[int, Parameter] = {}
    for parameter in message.parameters:
        if parameter.id in by_id and parameter.sort not in _FILTERS:
            sort = parameter.sort if parameter.sort in ("CFST", "CFSL", "CFBS") else "CFIN"
            raise PCFError(_code(sort, "DUPLICATE_PARM"), "a parameter twice", parameter.id)
        by_id.setdefault(parameter.id, parameter)
    filters = [parameter for parameter in message.parameters if parameter.sort in _FILTERS]
    if len(filters) > 1:
        raise PCFError(mq.MQRCCF_TOO_MANY_FILTERS, f"{len(filters)} filters", filters[1].id)
    others = [parameter for parameter in message.parameters if parameter.sort not in _FILTERS]
    return _Writer(qmgr, entry, by_id, others).write(filters)


def _require_header(qmgr: Any, header: pcf.Header) -> None:
    kinds = (mq.MQCFT_COMMAND_XR,) if qmgr.platform == "zos" else (mq.MQCFT_COMMAND, mq.MQCFT_COMMAND_XR)
    if header.type not in kinds:
        raise PCFError(mq.MQRCCF_CFH_TYPE_ERROR, f"a header of Type {header.type}, which is no command here")
    if header.version not in (1, 2, 3) or (header.type == mq.MQCFT_COMMAND_XR and header.version != 3):
        raise PCFError(mq.MQRCCF_CFH_VERSION_ERROR, f"a header of Version {header.version}")
    if header.sequence != 1:
        raise PCFError(mq.MQRCCF_CFH_MSG_SEQ_NUMBER_ERR, f"a command with MsgSeqNumber {header.sequence}")
    if header.control != mq.MQCFC_LAST:
        raise PCFError(mq.MQRCCF_CFH_CONTROL_ERROR, f"a command with Control {header.control}")


class _Writer:
    """Finds the words of MQSC for one command."""

    def __init__(self, qmgr: Any, entry: Entry, by_id: dict[int, Parameter], parameters: list[Parameter]):
        self.qmgr, self.entry, self.by_id, self.parameters = qmgr, entry, by_id, parameters
        self.request = Request(entry)
        self.kind = self._kind()

    def write(self, filters: list[Parameter]) -> Request:
        """The command as a whole."""
        entry, request = self.entry, self.request
        rules = grammar(entry.verb, self.kind, self._channel_type())
        assert rules is not None, "every command of the table is one of MQSC"
        if rules.had is not None and not rules.had.had_by(self.qmgr.platform, self.qmgr.level):
            raise PCFError(mq.MQRCCF_CFH_COMMAND_ERROR, f"{entry.name}, which this queue manager does not have")
        words: list[_Keyword] = []
        used = {entry.named_by, entry.copied, entry.copy}
        request.kind, request.name = self.kind, _on_one_line(self._name(rules))
        if entry.verb == "DISPLAY" and "ALL" in rules.options:
            words.append(("ALL", None))
        if entry.copied:
            words.append(("LIKE", (_on_one_line(self._text(entry.copied)) or " ",)))
        if entry.verb == "DISPLAY" and self.kind == "AUTHREC":
            words += self._authority()
            used |= {_AUTHORITY_OPTIONS, _PROFILE, _ENTITY, _ENTITY_TYPE}
        for parameter in self.parameters:
            if parameter.id in LISTS:
                self._want(parameter)
            elif parameter.id in (_CONNECTION, _CONNECTIONS) and self.kind == "CONN":
                words += self._connection(parameter, entry.verb)
            elif parameter.id == _REPLACE and entry.verb == "DEFINE":
                if parameter.sort != "CFIN":
                    raise _wrong(parameter, f"a {parameter.sort} as Replace")
                words += [("REPLACE", None)] if parameter.value else []
            elif parameter.id not in used:
                words += self._keyword(parameter, rules)
        words += [self._filter(parameter, rules) for parameter in filters]
        if request.wanted is not None:
            request.wanted |= {parameter.id for parameter in filters}
        request.keywords = tuple(words)
        return request

    def _kind(self) -> str:
        """The object of MQSC: a queue is one of its kinds, which the command gives or the queue of its name has."""
        entry = self.entry
        if entry.object != "QUEUE" or entry.verb == "DISPLAY":
            return entry.object
        if entry.verb == "CLEAR":
            return "QLOCAL"
        queue_type = self.by_id.get(numbers.parameters("QUEUE")["QTYPE"])
        if queue_type is not None:
            kind = numbers.word("QUEUE", "QTYPE", queue_type.value) if queue_type.sort == "CFIN" else None
            if kind not in catalog.QUEUE_KINDS:
                raise PCFError(mq.MQRCCF_Q_TYPE_ERROR, f"a queue type of {queue_type.value}", queue_type.id)
            return kind
        if entry.verb != "DELETE" and not entry.copied:
            raise self._missing(numbers.parameters("QUEUE")["QTYPE"])
        has = self.qmgr.objects.named("QLOCAL", self._text(entry.copied or entry.named_by or 0))
        return has.kind if has is not None else "QLOCAL"

    def _channel_type(self) -> str | None:
        """The type of channel that a DEFINE or ALTER is about."""
        if self.entry.object != "CHANNEL" or self.entry.verb not in ("DEFINE", "ALTER"):
            return None
        channel_type = self.by_id.get(numbers.parameters("CHANNEL")["CHLTYPE"])
        if channel_type is None:
            if self.entry.copied:
                return None
            raise self._missing(numbers.parameters("CHANNEL")["CHLTYPE"])
        return numbers.word("CHANNEL", "CHLTYPE", channel_type.value)

    def _name(self, rules: Grammar) -> str:
        """The name of the object; its parameter must be given where MQSC wants a name."""
        entry = self.entry
        id = entry.copy or entry.named_by
        if rules.how == "-" or id is None:
            return "*" if self.kind == "CONN" and entry.verb == "DISPLAY" else ""
        if id not in self.by_id:
            if entry.verb == "DISPLAY" and entry.object in ("SERVICE", "LISTENER"):
                return "*"
            if rules.how in ("any", "free") or (entry.object == "SUB" and 7016 in self.by_id):
                return ""
            raise self._missing(id)
        return self._text(id)

    def _authority(self) -> list[_Keyword]:
        """Which authority records an inquiry is about: of a profile or of many, of all entities or of one."""
        for id in (_AUTHORITY_OPTIONS, _PROFILE, _OBJECT_TYPE):
            if id not in self.by_id:
                raise PCFError(mq.MQRCCF_PARM_MISSING, f"{self.entry.name} without its parameter {id}", id)
        options, profile, entity = self.by_id[_AUTHORITY_OPTIONS], self._text(_PROFILE), self.by_id.get(_ENTITY)
        if options.sort != "CFIN":
            raise _wrong(options, f"a {options.sort} as options")
        words: list[_Keyword] = []
        if options.value & _AS_WILDCARD:
            self.request.profiles = profile or "*"
        elif profile:
            words.append(("PROFILE", (_on_one_line(profile),)))
            words += [("MATCH", ("EXACT",))] if options.value & _NAME_EXPLICIT else []
        if entity is not None and self._text(_ENTITY):
            entity_type = self.by_id.get(_ENTITY_TYPE)
            keyword = "GROUP" if entity_type is not None and entity_type.value == 2 else "PRINCIPAL"
            words.append((keyword, (_on_one_line(self._text(_ENTITY)),)))
        return words

    def _missing(self, id: int) -> PCFError:
        """The refusal of a command without a parameter that it must have: a number of its own where it has none."""
        known = _code("CFIN" if id < 2001 else "CFST", "PARM_ID_ERROR")
        reason = known if self.by_id else mq.MQRCCF_PARM_COUNT_TOO_SMALL
        if self.qmgr.platform == "zos":
            reason = mq.MQRCCF_PARM_MISSING
        return PCFError(reason, f"{self.entry.name} without its parameter {id}", id)

    def _text(self, id: int) -> str:
        parameter = self.by_id.get(id)
        if parameter is None:
            raise self._missing(id)
        if parameter.sort != "CFST":
            raise _wrong(parameter, f"a {parameter.sort} as name")
        text: str = parameter.value
        return text.rstrip(" ")

    def _want(self, parameter: Parameter) -> None:
        """Read the list of attributes that an inquiry wants; 2067 for a number that MQ does not have."""
        if parameter.sort != "CFIL":
            raise _wrong(parameter, f"a {parameter.sort} as list of attributes")
        asked = {*parameter.value}
        if _ALL in asked:
            return
        wanted: set[int] = set()
        for number in asked:
            if number in _GROUPS and self.kind == "QMGR":
                known = numbers.parameters("QMGR")
                wanted.update(known[word] for word in catalog.QMGR_GROUPS[_GROUPS[number]] if word in known)
            elif number < 1 or number > 9000:
                raise PCFError(mq.MQRC_SELECTOR_ERROR, f"attribute {number}", number)
            else:
                wanted.add(number)
        self.request.wanted = frozenset(wanted)

    def _connection(self, parameter: Parameter, verb: str) -> list[_Keyword]:
        """A connection identifier: 24 bytes, of which MQSC writes the last eight, or so many first ones."""
        if parameter.sort != "CFBS":
            raise _wrong(parameter, f"a {parameter.sort} as connection identifier")
        self.request.connection = parameter.value.hex().upper()
        return [("EXTCONN", (self.request.connection[:32],))] if verb == "STOP" else []

    def _keyword(self, parameter: Parameter, rules: Grammar) -> list[_Keyword]:
        """One parameter as MQSC has it."""
        keyword = numbers.keywords(self.entry.object).get(parameter.id)
        keyword = "CMDSCOPE" if parameter.id == _COMMAND_SCOPE else keyword
        if self.kind == "CHSTATUS" and keyword == "INSTANCE":
            return [(numbers.word("CHSTATUS", "INSTANCE", parameter.value) or self._refuse_value(parameter), None)]
        if keyword == "QTYPE" and self.entry.verb != "DISPLAY":
            return []
        known = keyword is not None and keyword in rules.spelled
        attribute = (rules.options.get(keyword) or rules.attributes[keyword]) if known and keyword is not None else None
        if parameter.sort not in _sorts(parameter.id, attribute) or (not known and self.entry.verb != "DISPLAY"):
            said = f"parameter {parameter.id} as a {parameter.sort}, which {self.entry.name} does not have"
            raise _wrong(parameter, said)
        if attribute is None or keyword is None:
            return []
        if attribute.shape == "flag":
            word = keyword if parameter.value else f"NO{keyword}"
            return [(word, None)] if keyword not in rules.options or parameter.value else []
        if attribute.trailing_blanks and isinstance(parameter.value, str):
            return [(keyword, (_on_one_line(parameter.value) or " ",))]
        values = parameter.value if isinstance(parameter.value, tuple) else (parameter.value,)
        return [(keyword, tuple(self._written(parameter, keyword, value) for value in values))]

    def _written(self, parameter: Parameter, keyword: str, value: Any) -> str:
        """A value as MQSC has it: a word for a number that has one, a text, bytes in hexadecimal digits."""
        if isinstance(value, bytes):
            return value.hex().upper() or " "
        if isinstance(value, str):
            return _on_one_line(value.rstrip(" ")) or " "
        known = numbers.words(self.entry.object, keyword)
        word = numbers.word(self.entry.object, keyword, value)
        return word or (self._refuse_value(parameter) if known else str(value))

    def _refuse_value(self, parameter: Parameter) -> str:
        keyword = numbers.keywords(self.entry.object).get(parameter.id)
        reason = value_error(self.entry.object, keyword)
        raise PCFError(reason, f"{parameter.value} as parameter {parameter.id}", parameter.id)

    def _filter(self, parameter: Parameter, rules: Grammar) -> _Keyword:
        """A filter as WHERE."""
        keyword, operator = numbers.keywords(self.entry.object).get(parameter.id), _OPERATORS.get(parameter.operator)
        expected = "CFIF" if parameter.id < 2001 else "CFSF" if parameter.id < 7001 else "CFBF"
        filters = keyword in rules.spelled and "WHERE" in rules.options
        if keyword is None or not filters or parameter.sort != expected:
            raise _wrong(parameter, f"a filter of parameter {parameter.id}")
        if operator is None:
            problem = f"a filter with operator {parameter.operator}"
            raise PCFError(_code(parameter.sort, "OPERATOR_ERROR"), problem, parameter.id)
        self.request.filtered = parameter.sort
        attribute = rules.options.get(keyword) or rules.attributes[keyword]
        flag = "YES" if parameter.value else "NO"
        value = flag if attribute.shape == "flag" else self._written(parameter, keyword, parameter.value)
        return "WHERE", (keyword, operator, value)


def _sorts(id: int, attribute: Attribute | None) -> tuple[str, ...]:
    """The structures that a parameter may be: of one integer or of a list, of one text or of a list, of bytes."""
    listed = attribute is not None and attribute.shape in ("names", "words")
    if id >= 7001:
        return ("CFBS",)
    if id < 2001:
        return ("CFIL", "CFIL64") if listed and id not in _SUMS else ("CFIN", "CFIN64")
    if attribute is not None and attribute.keyword in _EXITS:
        return ("CFST", "CFSL")
    return ("CFSL",) if listed else ("CFST",)


def _on_one_line(text: str) -> str:
    """A text as MQSC can have it: its lines as one."""
    return " ".join(text.splitlines())


def refusal_of_filter(sort: str) -> int:
    """The reason for a filter that does not go with its parameter."""
    return _code(sort or "CFIF", "OPERATOR_ERROR")


def _code(sort: str, what: str) -> int:
    """MQ's code for a wrong parameter of this sort, such as MQRCCF_CFIN_PARM_ID_ERROR, for a CFIN64 too."""
    return int(getattr(mq, f"MQRCCF_{sort.removesuffix('64')}_{what}"))


def _wrong(parameter: Parameter, problem: str) -> PCFError:
    """The refusal of a parameter that a command does not have in this form."""
    return PCFError(_code(parameter.sort, "PARM_ID_ERROR"), problem, parameter.id)
