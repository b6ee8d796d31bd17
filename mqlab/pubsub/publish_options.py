"""MQPUT and MQPUT1 to a topic with MQ's own structures."""

from __future__ import annotations

from itertools import compress
from typing import Any

from ..engine.queues.logical_order import GROUPED, SEGMENTED
from ..engine.queues.options import unit_for
from ..engine.queues.properties import asked_by
from ..engine.queues.put_options import check_options, context_for, described_with, descriptor_for, persistence_of
from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.errors import LabError, MQError
from ..engine.words.structures import MD, PMO, as_identifier
from .publishing import Publication, Published, Topic, publish


class StructuredTopic(Topic):
    """A topic that is published to by MQ's own structures, too."""

    def put_as(
        self,
        application: Any,
        body: bytes,
        md: MD,
        pmo: PMO | None,
        unit: Any,
        handle: Any,
        properties: dict[str, Any] | None,
    ) -> Published:
        """Publish one message as MQ's structures say. MQError 2417 and 2443 for groups and segments, and those of
        `publish`."""
        options, level = (0, 9) if pmo is None else (pmo.Options, pmo.PubLevel)
        request = Publication(application, self, body, md.Expiry, options=options, level=level)
        check_options(request, options, handle)
        if not 0 <= request.level <= 9:
            request.refuse(mq.MQRC_PMO_ERROR, "publevel", level=request.level)
        flags = md.MsgFlags if md.Version >= 2 else 0
        if flags & GROUPED or options & mq.MQPMO_LOGICAL_ORDER:
            request.refuse(mq.MQRC_MSG_NOT_ALLOWED_IN_GROUP, "group")
        if flags & (SEGMENTED | mq.MQMF_SEGMENTATION_ALLOWED):
            request.refuse(mq.MQRC_SEGMENTATION_NOT_ALLOWED, "segments")
        if options & mq.MQPMO_SUPPRESS_REPLYTO and md.Report & mq.REPORTS_ASKED:
            request.refuse(mq.MQRC_MISSING_REPLY_TO_Q, "suppressed-reply-to")
        context = context_for(request, options, md, pmo, handle) or application.context
        request.persistent = persistence_of(request, md)
        request.descriptor, _ = descriptor_for(request, options, md, handle)
        request.descriptor = described_with(request, properties, pmo)
        chosen = None if pmo is None else options
        request.unit = unit_for(application, unit, chosen, mq.MQPMO_SYNCPOINT, mq.MQPMO_NO_SYNCPOINT)
        request.msg_id = None if options & mq.MQPMO_NEW_MSG_ID else as_identifier(md.MsgId, "MsgId")
        qmgr = application.qmgr
        correl_id = as_identifier(md.CorrelId, "CorrelId")
        if options & mq.MQPMO_NEW_CORREL_ID:
            correl_id = qmgr.new_id(qmgr.lab.next_message())
        request.correl_id = correl_id
        request.priority = None if md.Priority == mq.MQPRI_PRIORITY_AS_Q_DEF else md.Priority
        try:
            published = publish(request, self)
        except MQError:
            application.forget_empty_unit()
            raise
        record = published._of
        record.context = context
        if record.msg_id == mq.MQMI_NONE or (not published.copies and options & mq.MQPMO_NEW_MSG_ID):
            record.msg_id = qmgr.new_id(qmgr.lab.next_message())
        published.describe_in(md)
        if pmo is not None:
            if asked_by(pmo) and pmo.NewMsgHandle:
                pmo.NewMsgHandle.put(request.descriptor)
            pmo.ResolvedQName = pmo.ResolvedQMgrName = ""
        return published


def publishing(pmo: PMO | None, unit: Any, flags: tuple[bool, ...], level: int) -> PMO:
    """The PMO of a publication that keywords ask for; LabError for a keyword of another kind, or both."""
    words = ("retain", "suppress_reply_to", "not_own_subscriptions", "warn_if_no_subscription")
    values = (mq.MQPMO_RETAIN, mq.MQPMO_SUPPRESS_REPLYTO, mq.MQPMO_NOT_OWN_SUBS, mq.MQPMO_WARN_IF_NO_SUBS_MATCHED)
    for word, flag in zip(words, flags, strict=True):
        require(word, flag, bool)
    if pmo is not None:
        raise LabError("pmo must hold all the options; got keywords of a publication as well")
    return PMO(Options=sum(compress(values, flags)) | (mq.MQPMO_NO_SYNCPOINT if unit is None else 0), PubLevel=level)
