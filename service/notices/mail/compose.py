"""Composes the mail for a row of the outbox.

1. ``_read`` reads what it is made of: the match as of the notice's ply, the turn, the recipient,
   the keys.
2. ``write`` has ``pages`` compute the values that the templates turn into text and HTML.
3. ``mail_of`` has the picture drawn and makes the message. A mail whose picture cannot be drawn
   goes without it; the board is also in it as text. One that ended a process when it was composed
   before goes without the legal moves, for which actions of the game are judged and played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from email.message import EmailMessage
from typing import Final

import structlog
from sqlalchemy import Connection

from engine.errors import DocumentError
from engine.types import Seat
from service import links
from service.addresses import folded
from service.context import Context
from service.errors import Unavailable
from service.guard import Answered, Bounds, facts
from service.kinds import MAILINGS, read_payload
from service.links import Invitee, ReplyTo, ServiceAddress, Unsubscribe
from service.matches import mending
from service.matches.replays import MatchUnreadable
from service.notices.mail import pages
from service.notices.mail.errors import CannotCompose, NotComposed
from service.notices.mail.match_mails import PICTURE
from service.notices.mail.message import Draft, Letter, Picture, Thread, build, continued, numbered
from service.notices.mail.pages import MailLinks, Material
from service.notices.mail.render import render, subject_of
from service.notices.material import (
    MatchMaterial,
    Recipient,
    added_to,
    judged_turn_of,
    material_of,
    reader_of,
    with_names,
)
from service.payloads import AGAIN, TOLD_SINCE, TURNS, Gathered, MailAnswered, TurnJudged
from service.signing import Keys, read_keys
from service.store.outbox import Notice

PICTURE_WIDTH: Final = 420
"""Pixels (docs/decisions/0026-one-picture-for-all-widths.md)."""
BOUNDS: Final = Bounds(seconds=10)
"""Composing takes a few hundredths of a second."""
PICTURE_SECONDS: Final = 60.0
"""Enough to start the process that draws on an overloaded machine."""
_log = structlog.get_logger("service.notices")


def mail_of(context: Context, notice: Notice) -> EmailMessage:
    """The mail for a notice, by ``context.composer`` if any. Raises as ``compose``, and
    ``NotComposed``.
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

    No transaction is open while it is written. Raises ``CannotCompose`` where the notice lacks
    content or a recipient, and ``MatchUnreadable``, of which it marks the match.
    """
    try:
        material, keys = _read(context, notice)
    except MatchUnreadable as error:
        mending.report(context, error)
        raise
    return write(context, notice, material, keys, pictured)


def write(context: Context, notice: Notice, material: Material, keys: Keys, pictured: bool) -> Draft:
    """The mail of a notice made of that, signed by ``keys``. Raises ``CannotCompose``."""
    told, reader, match, settings = material.told, material.reader, material.match, context.settings
    service = links.service_address(settings.mail_from, settings.mail_addresses)
    held = None if match is None else match.seat_of(reader.player_id)
    seat = held if notice.seat is None else notice.seat
    to = None if match is None or seat is None else ReplyTo(match.match_id, seat, match.ply, notice.question)
    unsubscribe, shown = _links(keys, service, settings.base_url, notice, material)
    with_moves = notice.crashes <= 1  # this attempt is counted
    if notice.kind == "digest":
        tags = {
            each.match_id: links.reply_tag(keys, ReplyTo(each.match_id, own, each.ply))
            for each in material.matches
            if (own := each.seat_of(reader.player_id)) is not None
        }
        page = pages.digest_page(material, service, tags, settings.base_url, shown, with_moves)
    else:
        page = pages.page(material, settings.base_url, shown, pictured, with_moves)
    thread = None if match is None else _thread(notice, match, seat)
    before = "" if thread is None else continued(subject_of(notice.kind, page.context), thread)
    values = {**page.context, "continued": before} if before else page.context
    rendered = render(notice.kind, values, material.added.text_only)
    letter = Letter(
        notice_id=notice.id,
        message_name=links.message_name(keys, notice.id, to, int(notice.payload.get(AGAIN, 0))),
        kind=notice.kind,
        sender=settings.mail_from,
        to_name=reader.name,
        to_address=reader.address,
        written_at=notice.created_at,
        subject=rendered.subject if thread is None else numbered(rendered.subject, thread),
        text=rendered.text,
        html=rendered.html,
        thread=thread,
        envelope_sender=links.bounce_address(keys, service, notice.id),
        reply_to="" if to is None else links.reply_address(keys, service, to),
        unsubscribe=unsubscribe,
        in_reply_to=told.in_reply_to if isinstance(told, MailAnswered | TurnJudged) else "",
        references=told.references if isinstance(told, MailAnswered) else (),
    )
    return Draft(letter, page.svg)


def _thread(notice: Notice, match: MatchMaterial, seat: Seat | None) -> Thread:
    """The thread of the mail about a match, and the conversation that its notice was placed in."""
    placed, _, number = (notice.conversation or "").rpartition(".")
    if placed:
        return Thread(match.match_id, placed, match.title, int(number))
    return Thread(match.match_id, "x" if seat is None else str(seat), match.title)


def _links(
    keys: Keys, service: ServiceAddress, base_url: str, notice: Notice, material: Material
) -> tuple[tuple[str, ...], MailLinks]:
    """The addresses that stop such mails, a page first, and the links in the text."""
    reader, match, row = material.reader, material.match, MAILINGS[notice.kind]
    stranger, stops = "", dict[str, Unsubscribe]()
    if reader.player_id is None or row.to_strangers:
        stranger = links.never_again_link(keys, base_url, folded(reader.address))
    if reader.player_id is not None and row.stopped_by != "nothing":
        if match is not None:
            stops["stop_match"] = links.of_match(reader.player_id, match.match_id)
        if row.stopped_by != "off":
            stops["stop_kind"] = links.of_kind(reader.player_id, notice.kind)
        stops["stop_everything"] = links.of_everything(reader.player_id)
    to_stop = {name: links.unsubscribe_link(keys, base_url, each) for name, each in stops.items()}
    unsubscribe: tuple[str, ...] = (stranger,) if stranger else ()
    if stops:
        by_mail = next(each for each in stops.values() if each.kind is None)  # the narrowest that an address can say
        unsubscribe = (next(iter(to_stop.values())), service.mailto(links.unsubscribe_tag(keys, by_mail)))
    page = "" if match is None else _match_page(keys, base_url, notice, reader, match)
    rules = "" if match is None else links.rules_page(base_url, match.game.info.name)
    return unsubscribe, MailLinks(page, rules, never_again=stranger, **to_stop)


def _match_page(keys: Keys, base_url: str, notice: Notice, reader: Recipient, match: MatchMaterial) -> str:
    """The page of the match, or of an invitation; its reader is signed in there."""
    if notice.kind == "invitation" and notice.seat is not None:
        invitee = Invitee(match.match_id, notice.seat, reader.player_id or folded(reader.address))
        return links.invitation_link(keys, base_url, invitee, notice.created_at)
    if reader.player_id is not None:
        path = links.match_path(match.match_id)
        return links.sign_in_link(keys, base_url, reader.player_id, path, notice.created_at)
    if match.join_secret is None or notice.kind != "seat_offered":
        return links.match_page(base_url, match.match_id)
    return links.join_page(base_url, match.join_secret)


def _read(context: Context, notice: Notice) -> tuple[Material, Keys]:
    """What the mail is made of, and the keys of the time at which the notice was written, so that a
    mail that is sent again is the same.
    """
    if notice.kind not in MAILINGS:
        raise CannotCompose(f"There is no mail of the kind {notice.kind}.")
    try:
        told = read_payload(notice.kind, notice.payload)
    except DocumentError as error:
        raise CannotCompose(f"The notice does not say what a mail {notice.kind} tells: {error}") from error
    marks, now = notice.payload, context.clock()
    with context.database.read() as connection:
        told, reader = with_names(connection, told), reader_of(connection, notice)
        turn = judged_turn_of(connection, context, told.turn_id) if isinstance(told, TurnJudged) else None
        earlier = tuple(judged_turn_of(connection, context, each) for each in marks.get(TURNS, ()))
        match = None
        if notice.match_id is not None:
            since = marks.get(TOLD_SINCE, pages.told_since(notice.kind, turn, told))
            match = material_of(connection, context, notice.match_id, notice.ply, reader.player_id, since, now)
        added = added_to(connection, notice)
        several = _matches(connection, context, told, reader, now) if isinstance(told, Gathered) else ()
        keys = read_keys(connection, context).as_of(notice.created_at)
    return Material(notice.kind, told, reader, match, turn, earlier, several, added), keys


def _matches(
    connection: Connection, context: Context, told: Gathered, reader: Recipient, now: datetime
) -> tuple[MatchMaterial, ...]:
    """The matches of a digest that can be read; others are marked. Raises ``CannotCompose`` where
    there is none in which the reader has a seat.
    """
    found = []
    for place in told.matches:
        try:
            match = material_of(connection, context, place.match, place.ply, reader.player_id, None, now)
        except MatchUnreadable as error:
            mending.report(context, error)
            continue
        if match.seat_of(reader.player_id) is not None:
            found.append(match)
    if not found:
        raise CannotCompose("There is nothing to tell in this digest.")
    return tuple(found)


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
