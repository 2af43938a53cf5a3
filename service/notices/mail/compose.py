"""Composes the mail for a row of the outbox.

1. ``read`` reads the match and turn that the notice is about, as of the notice's ply.
2. ``write`` has ``pages`` compute the values of the mail, which the templates turn into text and
   HTML.
3. ``mail_of`` has the picture drawn and makes the message. A mail whose picture cannot be drawn
   goes without it; the board is also in it as text. One that ended a process when it was composed
   before goes without the legal moves, for which actions of the game are judged and played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from email.message import EmailMessage
from typing import Final

import structlog
from sqlalchemy import Connection

from engine.errors import DocumentError
from service.context import Context
from service.errors import Unavailable
from service.guard import Answered, Bounds, facts
from service.kinds import MAILINGS, read_payload
from service.links import ReplyTo, reply_tag, service_address
from service.matches import mending
from service.matches.replays import MatchUnreadable
from service.notices.additions import NOTHING, Added, added_to
from service.notices.mail import pages
from service.notices.mail.envelope import Envelope, envelope_of, thread_of
from service.notices.mail.errors import CannotCompose, NotComposed
from service.notices.mail.match_mails import PICTURE
from service.notices.mail.message import Draft, Letter, Picture, build, continued, numbered
from service.notices.mail.pages import Page
from service.notices.mail.render import render, subject_of
from service.notices.material import (
    JudgedTurn,
    MatchMaterial,
    Recipient,
    judged_turn_of,
    material_of,
    reader_of,
    with_names,
)
from service.payloads import TOLD_SINCE, TURNS, Gathered, MailAnswered, Payload, TurnJudged
from service.signing import Keys, keys_of
from service.store.outbox import Notice

PICTURE_WIDTH: Final = 420
"""Pixels: as wide as the picture is shown at most
(docs/decisions/0026-one-picture-for-all-widths.md).
"""
BOUNDS: Final = Bounds(seconds=10)
"""Composing takes a few hundredths of a second."""
PICTURE_SECONDS: Final = 60.0
"""Enough to start the process that draws on an overloaded machine."""
_log = structlog.get_logger("service.notices")


@dataclass(frozen=True, slots=True)
class Material:
    """What a mail is made of: ``earlier`` are the turns whose verdicts it tells besides that of
    ``turn``; a digest is of several ``matches``.
    """

    notice: Notice
    told: Payload
    reader: Recipient
    match: MatchMaterial | None
    turn: JudgedTurn | None
    keys: Keys
    added: Added = NOTHING
    matches: tuple[MatchMaterial, ...] = ()
    earlier: tuple[JudgedTurn, ...] = ()


def mail_of(context: Context, notice: Notice) -> EmailMessage:
    """Returns the mail for a notice, composed by ``context.composer`` where there is one. Raises as
    ``compose``, and ``NotComposed``.
    """
    draft = _draft_of(context, notice, pictured=True)
    if not draft.svg:
        return build(draft.letter)
    try:
        picture = context.pictures.png(draft.svg, PICTURE_WIDTH, PICTURE_SECONDS)
    except Unavailable as error:
        _log.error("notice.without_picture", notice=notice.id, kind=notice.kind, error=str(error))
        return build(_draft_of(context, notice, pictured=False).letter)
    return build(replace(draft.letter, pictures=(Picture(PICTURE, picture),)))


def compose(context: Context, notice: Notice, pictured: bool) -> Draft:
    """Returns the mail for a notice, with a picture or without.

    Uses the database only while it reads. Raises ``CannotCompose`` where the notice lacks content
    or a recipient.
    """
    return write(context, read(context, notice), pictured)


def read(context: Context, notice: Notice) -> Material:
    """Reads from the database what the mail is made of. Raises ``CannotCompose``, and
    ``MatchUnreadable``, of which it marks the match.
    """
    try:
        return _read(context, notice)
    except MatchUnreadable as error:
        mending.report(context, error)
        raise


def write(context: Context, material: Material, pictured: bool) -> Draft:
    """Returns the mail made of that, with a picture or without. Raises ``CannotCompose``."""
    notice, told, reader, match = material.notice, material.told, material.reader, material.match
    settings = context.settings
    service = service_address(settings.mail_from, settings.mail_addresses)
    envelope = envelope_of(material.keys, service, settings.base_url, notice, reader, match)
    page = _page(context, material, envelope, pictured)
    thread = None if match is None else thread_of(notice, reader, match)
    before = "" if thread is None else continued(subject_of(notice.kind, page.context), thread)
    values = {**page.context, "continued": before} if before else page.context
    rendered = render(notice.kind, values, material.added.text_only)
    letter = Letter(
        notice_id=notice.id,
        message_name=envelope.message_name,
        kind=notice.kind,
        sender=context.settings.mail_from,
        to_name=reader.name,
        to_address=reader.address,
        written_at=notice.created_at,
        subject=rendered.subject if thread is None else numbered(rendered.subject, thread),
        text=rendered.text,
        html=rendered.html,
        thread=thread,
        envelope_sender=envelope.sender,
        reply_to=envelope.reply_to,
        unsubscribe=envelope.unsubscribe,
        in_reply_to=told.in_reply_to if isinstance(told, MailAnswered | TurnJudged) else "",
        references=told.references if isinstance(told, MailAnswered) else (),
    )
    return Draft(letter, page.svg)


def _read(context: Context, notice: Notice) -> Material:
    if notice.kind not in MAILINGS:
        raise CannotCompose(f"There is no mail of the kind {notice.kind}.")
    try:
        told = read_payload(notice.kind, notice.payload)
    except DocumentError as error:
        raise CannotCompose(f"The notice does not say what a mail {notice.kind} tells: {error}") from error
    marks, keys, now = notice.payload, keys_of(context), context.clock()
    with context.database.read() as connection:
        told, reader = with_names(connection, told), reader_of(connection, notice)
        turn = judged_turn_of(connection, context, told.turn_id) if isinstance(told, TurnJudged) else None
        earlier = tuple(judged_turn_of(connection, context, each) for each in marks.get(TURNS, ()))
        match = None
        if notice.match_id is not None:
            since = marks.get(TOLD_SINCE, pages.told_since(notice.kind, turn, told))
            match = material_of(connection, context, notice.match_id, notice.ply, reader.player_id, since, now)
        added = added_to(connection, notice)
        several = _matches(connection, context, told, reader) if isinstance(told, Gathered) else ()
    return Material(notice, told, reader, match, turn, keys, added, several, earlier)


def _matches(connection: Connection, context: Context, told: Gathered, reader: Recipient) -> tuple[MatchMaterial, ...]:
    """The matches of a digest, without those that cannot be read, which are marked, or in which the
    reader has no seat any more. Raises ``CannotCompose`` where none is left.
    """
    found = []
    for place in told.matches:
        try:
            match = material_of(connection, context, place.match, place.ply, reader.player_id, None)
        except MatchUnreadable as error:
            mending.report(context, error)
            continue
        if match.seat_of(reader.player_id) is not None:
            found.append(match)
    if not found:
        raise CannotCompose("There is nothing to tell in this digest.")
    return tuple(found)


def _page(context: Context, material: Material, envelope: Envelope, pictured: bool) -> Page:
    notice, settings = material.notice, context.settings
    with_moves = notice.crashes <= 1  # this attempt is counted
    if notice.kind == "digest":
        keys = material.keys.as_of(notice.created_at)
        reply_tags = {
            match.match_id: reply_tag(keys, ReplyTo(match.match_id, seat, match.ply))
            for match in material.matches
            if (seat := match.seat_of(material.reader.player_id)) is not None
        }
        return pages.digest_page(
            material.reader,
            material.matches,
            service_address(settings.mail_from, settings.mail_addresses),
            reply_tags,
            settings.base_url,
            envelope.links,
            material.added,
            with_moves,
        )
    return pages.page(
        notice.kind,
        material.reader,
        material.match,
        material.told,
        material.turn,
        settings.base_url,
        pictured=pictured,
        with_moves=with_moves,
        links=envelope.links,
        added=material.added,
        earlier=material.earlier,
    )


@dataclass(frozen=True, slots=True)
class Lacking:
    """Why a notice cannot be made into a mail, as a child says it."""

    sentence: str


def composing(context: Context) -> Callable[[tuple[Notice, bool]], Draft | Lacking]:
    """Makes the function of a child that composes, with the arguments of ``compose``."""

    def composed(request: tuple[Notice, bool]) -> Draft | Lacking:
        try:
            return compose(context, *request)
        except CannotCompose as error:
            return Lacking(str(error))

    return composed


def _draft_of(context: Context, notice: Notice, pictured: bool) -> Draft:
    if context.composer is None:
        return compose(context, notice, pictured)
    match context.composer.ask((notice, pictured), BOUNDS):
        case Answered(Lacking(sentence)):
            raise CannotCompose(sentence)
        case Answered(draft):
            return draft  # type: ignore[no-any-return]
        case failure:
            _log.warning("notice.not_composed", notice=notice.id, kind=notice.kind, **facts(failure))
            raise NotComposed(failure)
