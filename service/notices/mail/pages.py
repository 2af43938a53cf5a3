"""The content of a mail of each kind: the values of its templates, and the picture of the board.

All templates have the payload and what mails about a match share; where that is not enough, further
values are computed by the payload's type, or its kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.types import Seat
from service.kinds import MAILINGS, NoticeKind
from service.links import ServiceAddress, match_page
from service.notices.additions import NOTHING, Added
from service.notices.mail.ends import match_over, match_started
from service.notices.mail.envelope import MailLinks, unsigned
from service.notices.mail.errors import CannotCompose
from service.notices.mail.match_mails import (
    MatchMail,
    MatchNamed,
    MovesShown,
    awaited,
    board_shown,
    check_awaited,
    is_failure,
    is_refused,
    match_shown,
    moves_shown,
    refusals_before,
    seat_of,
    verdict,
)
from service.notices.mail.other_mails import (
    NO_MATCH,
    about_webhook,
    address_changed,
    answer,
    answer_about_match,
    from_host,
    invitation,
    lines,
    one_time_token,
    seat_offered,
    unproven_turn,
)
from service.notices.material import JudgedTurn, MatchMaterial, Recipient
from service.notices.seat_view import SeatView, view_of
from service.payloads import (
    AboutWebhook,
    AddressChanged,
    AtPly,
    DaysOffBegan,
    HostActed,
    Invited,
    MailAnswered,
    OfferMade,
    OfferSettled,
    OneTimeToken,
    OrderHeld,
    Payload,
    Reminded,
    SeatOffered,
    Shelved,
    TimeUp,
    TurnJudged,
)
from service.store.chat import Line

MOST_LISTINGS: Final = 3
"""The moves of so many matches are listed in a digest, so that the mail stays below the size at
which mail programs cut it.
"""


@dataclass(frozen=True, slots=True)
class Page:
    """The values for the templates of a mail; ``svg`` is the board, or empty."""

    context: Mapping[str, Any]
    svg: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A match in a digest: ``page`` is its page, ``reply_to`` the address for answers, with the
    ``subject`` that they need where that is the one for all; ``write`` the link to write such one;
    ``mine`` where the reader is awaited; ``moves`` unless they are not listed.
    """

    match: MatchNamed
    page: str
    reply_to: str
    subject: str
    write: str
    told: tuple[str, ...]
    awaited: str
    mine: bool
    said: tuple[Line, ...]
    moves: MovesShown | None


def told_since(kind: NoticeKind, turn: JudgedTurn | None, payload: Payload) -> int | None:
    """The ply from which a mail narrates: for a verdict, where the turn was judged; for the start,
    the deal; for an answer what its payload says; ``None`` for everything since the reader's last
    turn.
    """
    match payload:
        case MailAnswered():
            return next((ply for ply in (payload.since, payload.ply) if ply is not None), 0)
        case TimeUp() | DaysOffBegan():
            return payload.since
        case OfferMade() | OfferSettled() | Shelved():
            return payload.ply
    if turn is not None:
        return turn.verdict.ply_before
    return 0 if kind == "match_started" else None


def page(
    kind: NoticeKind,
    reader: Recipient,
    material: MatchMaterial | None,
    payload: Payload,
    turn: JudgedTurn | None,
    base_url: str,
    pictured: bool = True,
    with_moves: bool = True,
    links: MailLinks | None = None,
    added: Added = NOTHING,
    earlier: Sequence[JudgedTurn] = (),
) -> Page:
    """Computes the content of a mail, with a picture of the board unless ``pictured`` is false, the
    mail is of text only or it tells of a refused turn, and with the legal moves unless
    ``with_moves`` is false or an action could not be judged; ``links`` are those without signatures
    unless they are given, ``added`` is what the mail tells besides, ``earlier`` the turns whose
    verdicts it tells, too.

    Raises ``CannotCompose`` where the notice lacks something.
    """
    if links is None:
        links = MailLinks() if material is None else unsigned(base_url, material.match_id, material.game.info.name)
    context = _shared(reader, base_url, links, added) | {"payload": payload}
    if material is not None:
        context |= {"match": match_shown(material), "game": material.game.info, "time": material.time}
    elif hasattr(payload, "seat") and not isinstance(payload, MailAnswered):
        raise CannotCompose(f"A mail {kind} is about a match, and the notice names none.")
    context |= _without_board(kind, payload, reader, material, base_url)
    if material is None or getattr(payload, "ply", None) is None or isinstance(payload, OrderHeld):
        return Page(context)
    seat = seat_of(reader, material)
    shows = payload.shows if isinstance(payload, MailAnswered) else None
    lists = MAILINGS[kind].lists_moves if shows is None else "moves" in shows
    with_moves = with_moves and lists and not is_failure(turn)
    drawn = not added.text_only and not is_refused(turn) and (shows is None or "board" in shows)
    view = _view(material, seat, with_moves, drawn)
    mail = MatchMail(reader, material, view, seat, turn, links, base_url)
    svg = view.svg if pictured else ""
    if isinstance(payload, MailAnswered):
        return Page(context | answer_about_match(mail, payload, pictured), svg)
    told = view.told or (turn.verdict.entries if turn else ())  # For a stale turn: what happened since its ply.
    context |= {
        "told": (*refusals_before(earlier), *told),
        "awaited": awaited(material, view, seat),
        "board": board_shown(material, view, pictured),
        "commitment": material.commitment,
        "moves": mail.moves,
    }
    return Page(context | _with_board(kind, payload, mail), svg)


def _without_board(
    kind: NoticeKind, payload: Payload, reader: Recipient, material: MatchMaterial | None, base_url: str
) -> dict[str, Any]:
    """Further values of a mail that does not show the match at a ply."""
    match payload:
        case OneTimeToken():
            page = "confirm-address" if kind == "confirm_another_address" else "confirm"
            return one_time_token(payload, f"{base_url.rstrip('/')}/{page}")
        case AddressChanged():
            return address_changed(payload, base_url)
        case AboutWebhook():
            return about_webhook(payload)
        case HostActed():
            return from_host(payload)
        case MailAnswered():
            return {**NO_MATCH, **answer(payload)}
        case OrderHeld():
            return unproven_turn(payload, base_url)
        case Invited() if material is not None:
            return invitation(reader, material)
        case SeatOffered() if material is not None:
            return seat_offered(reader, material, payload)
        case _:
            return {}


def _with_board(kind: NoticeKind, payload: Payload, mail: MatchMail) -> dict[str, Any]:
    """Further values of a mail to somebody who has a seat in the match, which shows the board."""
    match payload:
        case AtPly() if kind == "match_started":
            return match_started(mail)
        case AtPly() if kind == "match_over":
            return match_over(mail)
        case AtPly() if kind == "your_turn":
            check_awaited(mail)
            return {"prompt": mail.view.asked[mail.seat]}
        case TurnJudged():
            return verdict(mail)
        case TimeUp() | DaysOffBegan() | Reminded() | OfferMade() | OfferSettled() | Shelved():
            return lines(mail, payload)
        case _:
            return {}


def digest_page(
    reader: Recipient,
    materials: Sequence[MatchMaterial],
    service: ServiceAddress,
    reply_tags: Mapping[str, str],
    base_url: str,
    links: MailLinks,
    added: Added,
    with_moves: bool = True,
) -> Page:
    """Computes the content of a digest about these matches, those that await the reader first;
    ``reply_tags`` are the tags of ``service`` for answers, by match. Raises ``CannotCompose`` where
    the reader has no seat in one.
    """
    sections: list[Section] = []
    for material in sorted(materials, key=lambda material: not _awaits(material, reader)):
        seat, listed = seat_of(reader, material), sum(section.moves is not None for section in sections)
        lists = with_moves and listed < MOST_LISTINGS
        view = _view(material, seat, lists, pictured=False)
        tag = reply_tags.get(material.match_id, "")
        sections.append(
            Section(
                match=match_shown(material),
                page=match_page(base_url, material.match_id),
                reply_to=service.reached(tag) if tag else "",
                subject="" if service.has_plus else tag,
                write=service.mailto(tag) if tag else "",
                told=view.told,
                awaited=awaited(material, view, seat),
                mine=seat in view.awaited,
                said=added.said_in.get(material.match_id, ()),
                moves=None if view.moves is None else moves_shown(view.moves, material.game.info.notation),
            )
        )
    waiting = sum(section.mine for section in sections)
    return Page(_shared(reader, base_url, links, added) | {"sections": sections, "waiting": waiting})


def _shared(reader: Recipient, base_url: str, links: MailLinks, added: Added) -> dict[str, Any]:
    """The values that all mails share."""
    return {
        "player": {"name": reader.name},
        "base_url": base_url.rstrip("/"),
        "links": links,
        "said": added.said,
        "note": added.note.splitlines(),
    }


def _awaits(material: MatchMaterial, reader: Recipient) -> bool:
    return seat_of(reader, material) in material.awaited


def _view(material: MatchMaterial, seat: Seat, with_moves: bool, pictured: bool) -> SeatView:
    game, state = material.game, material.state
    return view_of(game, state, material.steps, seat, material.names, material.awaited, with_moves, pictured)
