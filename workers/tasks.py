"""The jobs that RQ calls by name, without arguments.

The work is in the rows: a job may come twice, late or for nothing. The context is built once per
process, by the first job.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

import structlog

from service import heartbeats
from service.bots.choosing import Choosing, choice, choosing_in
from service.bots.playing import play_due
from service.children import ForkServer, ForkServerDied, Handler, note_waiting
from service.config import load
from service.context import Context
from service.guard import ChildGuard, Guard
from service.heartbeats import Pulse
from service.inbox.act import dispatch
from service.inbox.handling import handle_due
from service.logs import configure
from service.loop import answering
from service.notices import delivery
from service.notices.delivery import DeliveryResult
from service.notices.mail.compose import composing
from service.notices.mail.errors import TransportError
from service.pictures.pool import PicturePool
from service.queue import BOTS, MESSAGES, NOTICES
from service.states import States
from service.store.database import Database
from service.turns import pending
from service.turns.rulings import ChildRulings, OwnRulings, in_child
from service.vitals import BOT_TURNS, DELIVERIES, HANDLINGS
from service.wiring import REMEMBERED_MATCHES, wire
from workers.stop import Stop

STOP: Final = Stop()
"""The stop of this process."""

_log = structlog.get_logger("workers")


@lru_cache(maxsize=1)
def context() -> Context:
    """The context of this process."""
    return wire(load(os.environ))


@lru_cache(maxsize=1)
def rulings() -> ChildRulings:
    """What rules on turns for this process: child processes.

    Call it first before the process has threads or connections.
    """
    server = ForkServer.forked(_ruling_child)
    return ChildRulings(server, context().timer, context().settings.ruling_seconds)


@lru_cache(maxsize=1)
def sending() -> Context:
    """The context of this process, if it is a worker of notices: mails are composed by another
    process, which is forked from this one, and pictures drawn by a third. Call it first before
    there are threads and connections.
    """
    timer = context().timer
    composer = ChildGuard(_start_composer, timer, ForkServer.forked(composing_child))
    return replace(context(), composer=composer, pictures=PicturePool([ChildGuard(_start_drawer, timer)], timer))


@lru_cache(maxsize=1)
def handling() -> Guard:
    """What handles messages for this process: a child process. Call it first before the process
    has threads or connections.
    """
    return ChildGuard(_start_handler, context().timer, ForkServer.forked(handling_child))


@lru_cache(maxsize=1)
def choosing() -> Choosing:
    """What chooses for bots for this process: a child process. Call it first before the process has
    threads or connections.
    """
    return choosing_in(ChildGuard(_start_choosing, context().timer, ForkServer.forked(choosing_child)))


def choosing_child() -> Handler:
    """Makes what a child process does that chooses for bots."""
    return answering(partial(choice, _of_child()))


def handling_child() -> Handler:
    """Makes what a child process does that handles messages."""
    return answering(partial(dispatch, _of_child()))


def composing_child() -> Handler:
    """Makes what a child process does that composes mails."""
    return answering(composing(_of_child()))


def judge_turns() -> None:
    """Judges the pending turns, unless there is a maintenance."""
    started = context().timer()
    try:
        judged = pending.judge_pending(context(), rulings(), _stopping)
    except ForkServerDied:
        STOP.request()  # this process is of no more use; the supervisor starts another
        raise
    _log.info("turns.judged", turns=judged, milliseconds=_milliseconds(started))


def deliver_notices() -> None:
    """Delivers the notices that are due, unless there is a maintenance: what was sent has to be
    marked in the database.
    """
    started = context().timer()
    context().queue.acknowledge(NOTICES)
    if context().maintenance() is not None:
        _log.info("notices.kept", reason="maintenance")
        return
    delivered = delivery.deliver_due(sending())
    _beat_for_mails(delivered)
    context().vitals.count(DELIVERIES, {str(result): number for result, number in delivered.items()})
    _log.info("notices.handled", results=dict(delivered), milliseconds=_milliseconds(started))


def handle_messages() -> None:
    """Handles the mails that came in, unless there is a maintenance: their turns could not be
    stored.
    """
    started = context().timer()
    context().queue.acknowledge(MESSAGES)
    if context().maintenance() is not None:
        _log.info("messages.left", reason="maintenance")
        return
    handled = handle_due(context(), handling())
    context().vitals.count(HANDLINGS, {str(result): number for result, number in handled.items()})
    _log.info("messages.handled", results=dict(handled), milliseconds=_milliseconds(started))


def play_bots() -> None:
    """Plays for the bots that are awaited, unless there is a maintenance."""
    started = context().timer()
    context().queue.acknowledge(BOTS)
    if context().maintenance() is not None:
        _log.info("bots.left", reason="maintenance")
        return
    played = play_due(context(), choosing(), lambda: STOP)
    context().vitals.count(BOT_TURNS, {str(result): number for result, number in played.items()})
    _log.info("bots.played", results=dict(played), milliseconds=_milliseconds(started))


def _of_child() -> Context:
    """The context of a child process, which says when it waits for the database."""
    settings = load(os.environ)
    configure(settings.log_format, settings.log_level)
    return replace(wire(settings), database=Database(settings.database_url, waits=note_waiting))


def _ruling_child() -> Handler:
    """Makes what a child process does that rules on turns."""
    settings = load(os.environ)
    configure(settings.log_format, settings.log_level)
    return in_child(OwnRulings(Database(settings.database_url, waits=note_waiting), States(REMEMBERED_MATCHES)))


def _start_composer() -> ForkServer:
    return ForkServer.started("workers.tasks:composing_child")


def _start_handler() -> ForkServer:
    return ForkServer.started("workers.tasks:handling_child")


def _start_choosing() -> ForkServer:
    return ForkServer.started("workers.tasks:choosing_child")


def _start_drawer() -> ForkServer:
    return ForkServer.started("service.pictures.drawing:drawer")


def _stopping() -> bool:
    """Whether no further turn is to be judged; asked often, also while nothing is to be judged."""
    judge_pulse().beat()
    return bool(STOP) or context().maintenance() is not None


def _beat_for_mails(delivered: Counter[DeliveryResult]) -> None:
    """Beats where mails were sent, or could be."""
    pulse = mail_pulse()
    if delivered["waiting"] or not pulse.is_due:
        return
    try:
        if not delivered["sent"]:
            sending().transport.check()
    except TransportError as error:
        _log.warning("mail_server.down", error=str(error))
        return
    pulse.beat()


@lru_cache(maxsize=1)
def judge_pulse() -> Pulse:
    """The heartbeat of this process, if it is a judge."""
    return Pulse(context(), heartbeats.JUDGE)


@lru_cache(maxsize=1)
def mail_pulse() -> Pulse:
    """The heartbeat of this process, if it sends mails."""
    return Pulse(context(), heartbeats.MAIL)


def _milliseconds(started: float) -> float:
    return round((context().timer() - started) * 1000, 1)
