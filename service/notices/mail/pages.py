"""The content of a mail of each kind: the values of its templates, and the picture of the board.

All templates have the payload and what mails about a match share; where that is not enough, further
values are computed by the payload's type, or its kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.types import Seat
from service import payloads
from service.kinds import MAILINGS, NoticeKind
from service.links import ServiceAddress, match_page
from service.notices.mail import match_mails, other_mails
from service.notices.mail.ends import match_over, match_started
from service.notices.mail.errors import CannotCompose
from service.notices.mail.match_mails import MatchMail, MatchNamed, MovesShown
from service.notices.material import NOTHING, Added, JudgedTurn, MatchMaterial, Recipient
from service.notices.seat_view import SeatView, view_of
from service.store.chat import Line

MOST_LISTINGS: Final = 3
"""A digest lists the moves of so many matches: mail programs cut larger mails."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a mail is made of: ``earlier`` are the turns whose verdicts it tells besides that of
    ``turn``, ``added`` what else it tells; a digest is of several ``matches``.
    """

    kind: NoticeKind
    told: payloads.Payload
    reader: Recipient
    match: MatchMaterial | None = None
    turn: JudgedTurn | None = None
    earlier: Sequence[JudgedTurn] = ()
    matches: Sequence[MatchMaterial] = ()
    added: Added = NOTHING


@dataclass(frozen=True, slots=True)
class MailLinks:
    """Addresses of pages; an empty one is not in the mail. ``stop_match``, ``stop_kind`` and
    ``stop_everything`` stop mails to a player, ``never_again`` all mails to an address that belongs
    to no player.
    """

    match: str = ""
    rules: str = ""
    stop_match: str = ""
    stop_kind: str = ""
    stop_everything: str = ""
    never_again: str = ""


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
    time: tuple[str, ...]
    mine: bool
    said: tuple[Line, ...]
    moves: MovesShown | None


def told_since(kind: NoticeKind, turn: JudgedTurn | None, payload: payloads.Payload) -> int | None:
    """The ply from which a mail narrates; ``None``: all since the reader's last turn."""
    match payload:
        case payloads.MailAnswered():
            return next((ply for ply in (payload.since, payload.ply) if ply is not None), 0)
        case payloads.TimeUp() | payloads.DaysOffBegan():
            return payload.since
        case payloads.OfferMade() | payloads.OfferSettled() | payloads.Shelved():
            return payload.ply
    if turn is not None:
        return turn.verdict.ply_before
    return 0 if kind == "match_started" else None


def page(material: Material, base_url: str, links: MailLinks, pictured: bool = True, with_moves: bool = True) -> Page:
    """The content of a mail, with a picture of the board unless ``pictured`` is false, the mail is
    of text only or it tells of a refused turn, and with the legal moves unless ``with_moves`` is
    false or an action could not be judged. Raises ``CannotCompose``.
    """
    payload, match, turn = material.told, material.match, material.turn
    context = _shared(material, base_url, links) | {"payload": payload}
    if match is not None:
        context |= {"match": match_mails.match_shown(match), "game": match.game.info, "time": match.time}
    elif hasattr(payload, "seat") and not isinstance(payload, payloads.MailAnswered):
        raise CannotCompose(f"A mail {material.kind} is about a match, and the notice names none.")
    context |= _without_board(material, base_url)
    if match is None or getattr(payload, "ply", None) is None or isinstance(payload, payloads.OrderHeld):
        return Page(context)
    seat = match_mails.seat_of(material.reader, match)
    shows = payload.shows if isinstance(payload, payloads.MailAnswered) else None
    lists = MAILINGS[material.kind].lists_moves if shows is None else "moves" in shows
    with_moves = with_moves and lists and not match_mails.is_failure(turn)
    drawn = not material.added.text_only and not match_mails.is_refused(turn) and (shows is None or "board" in shows)
    view = _view(match, seat, with_moves, drawn)
    mail = MatchMail(material.reader, match, view, seat, turn, base_url)
    svg = view.svg if pictured else ""
    if isinstance(payload, payloads.MailAnswered):
        return Page(context | other_mails.answer_about_match(mail, payload, pictured), svg)
    told = view.told or (turn.verdict.entries if turn else ())  # For a stale turn: what happened since its ply.
    context |= {
        "told": (*match_mails.refusals_before(material.earlier), *told),
        "awaited": match_mails.awaited(match, view, seat),
        "board": match_mails.board_shown(match, view, pictured),
        "commitment": match.commitment,
        "moves": mail.moves,
    }
    return Page(context | _with_board(material.kind, payload, mail), svg)


def _without_board(material: Material, base_url: str) -> dict[str, Any]:
    """Further values of a mail that does not show the match at a ply."""
    match material.told, material.match:
        case payloads.OneTimeToken() as token, _:
            page = "confirm-address" if material.kind == "confirm_another_address" else "confirm"
            return other_mails.one_time_token(token, f"{base_url.rstrip('/')}/{page}")
        case payloads.AddressChanged() as changed, _:
            return other_mails.address_changed(changed, base_url)
        case payloads.HostActed() as acted, _:
            return other_mails.from_host(acted)
        case payloads.MailAnswered() as answered, _:
            return other_mails.answer(answered)
        case payloads.OrderHeld() as order, _:
            return other_mails.unproven_turn(order, base_url)
        case payloads.Invited(), MatchMaterial() as match:
            return other_mails.invitation(material.reader, match)
        case payloads.SeatOffered() as offered, MatchMaterial() as match:
            return other_mails.seat_offered(material.reader, match, offered)
        case _:
            return {}


def _with_board(kind: NoticeKind, payload: payloads.Payload, mail: MatchMail) -> dict[str, Any]:
    """Further values of a mail to somebody who has a seat in the match, which shows the board."""
    match payload:
        case payloads.AtPly() if kind == "match_started":
            return match_started(mail)
        case payloads.AtPly() if kind == "match_over":
            return match_over(mail)
        case payloads.AtPly() if kind == "your_turn":
            match_mails.check_awaited(mail)
            return {"prompt": mail.view.asked[mail.seat]}
        case payloads.TurnJudged():
            return match_mails.verdict(mail)
        case (
            payloads.TimeUp()
            | payloads.DaysOffBegan()
            | payloads.Reminded()
            | payloads.OfferMade()
            | payloads.OfferSettled()
            | payloads.Shelved()
        ):
            return other_mails.lines(mail, payload)
        case _:
            return {}


def digest_page(
    material: Material,
    service: ServiceAddress,
    reply_tags: Mapping[str, str],
    base_url: str,
    links: MailLinks,
    with_moves: bool = True,
) -> Page:
    """The content of a digest, the matches that await the reader first; ``reply_tags`` are those
    for answers, by match. Raises ``CannotCompose`` where the reader has no seat in one.
    """
    sections: list[Section] = []
    seated = ((match, match_mails.seat_of(material.reader, match)) for match in material.matches)
    for match, seat in sorted(seated, key=lambda each: each[1] not in each[0].awaited):
        listed = sum(section.moves is not None for section in sections)
        view = _view(match, seat, with_moves and listed < MOST_LISTINGS, pictured=False)
        tag = reply_tags.get(match.match_id, "")
        sections.append(
            Section(
                match=match_mails.match_shown(match),
                page=match_page(base_url, match.match_id),
                reply_to=service.reached(tag) if tag else "",
                subject="" if service.has_plus else tag,
                write=service.mailto(tag) if tag else "",
                told=view.told,
                awaited=match_mails.awaited(match, view, seat),
                time=match.time,
                mine=seat in view.awaited,
                said=material.added.said_in.get(match.match_id, ()),
                moves=None if view.moves is None else match_mails.moves_shown(view.moves, match.game.info.notation),
            )
        )
    waiting = sum(section.mine for section in sections)
    return Page(_shared(material, base_url, links) | {"sections": sections, "waiting": waiting})


def _shared(material: Material, base_url: str, links: MailLinks) -> dict[str, Any]:
    """The values that all mails share."""
    return {
        "player": {"name": material.reader.name},
        "base_url": base_url.rstrip("/"),
        "links": links,
        "said": material.added.said,
        "note": material.added.note.splitlines(),
    }


def _view(match: MatchMaterial, seat: Seat, with_moves: bool, pictured: bool) -> SeatView:
    asked = match.names, match.awaited, with_moves, pictured, match.match_id
    return view_of(match.game, match.state, match.steps, seat, *asked)
