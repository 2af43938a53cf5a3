"""The content of a mail of each kind: values for its templates, and the picture of the board.

kind                               values        templates
confirm_address, sign_in,
invitation                         entrance.py   templates/<kind>/
match_started, match_over          match_ends.py
your_turn, verdict                 turn.py
time_up,
days_off_began, reminder            clock_mails.py
archive                            archive_mails.py
offer_made, offer_settled,
seat_offered, seat_handed          offer_mails.py
digest                             digest.py
chat                               none but what mails about a match share
answer, unproven_turn              answer.py
what mails about a match share     match_mail.py templates/_*
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from service.kinds import NoticeKind, where
from service.notices.additions import NOTHING, Added
from service.notices.mail import archive_mails
from service.notices.mail.answer import NOTHING as NO_ANSWER
from service.notices.mail.answer import answer, answer_about_match, unproven_turn
from service.notices.mail.clock_mails import days_off_began, reminder, time_up
from service.notices.mail.digest import digest
from service.notices.mail.entrance import address_changed, another_address, invitation, one_time_token
from service.notices.mail.errors import CannotCompose
from service.notices.mail.mail_links import MailLinks, unsigned
from service.notices.mail.match_ends import match_over, match_started
from service.notices.mail.match_mail import (
    PICTURE,
    MatchMail,
    awaited,
    board_shown,
    game_shown,
    match_shown,
    seat_of,
)
from service.notices.mail.offer_mails import offer_made, offer_settled, seat_handed, seat_offered
from service.notices.mail.turn import is_failure, is_refused, refusals_before, verdict, your_turn
from service.notices.material import JudgedTurn, MatchMaterial, Recipient
from service.notices.scene import look
from service.payloads import (
    AboutSeat,
    AddressChanged,
    AtPly,
    DaysOffBegan,
    Gathered,
    Invited,
    MailAnswered,
    OfferMade,
    OfferSettled,
    OneTimeToken,
    OrderHeld,
    Payload,
    Reminded,
    SeatHanded,
    SeatOffered,
    Shelved,
    TimeUp,
    TurnJudged,
)

__all__ = ["PICTURE", "Page", "page", "told_since"]

LISTING: Final = where(lists_moves=True)


@dataclass(frozen=True, slots=True)
class Page:
    """The values for the templates of a mail; ``svg`` is the board, or empty."""

    context: Mapping[str, Any]
    svg: str = ""


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
    text_only: bool = False,
    added: Added = NOTHING,
    earlier: Sequence[JudgedTurn] = (),
) -> Page:
    """Computes the content of a mail, with a picture of the board unless ``pictured`` is false, the
    mail is ``text_only`` or it tells of a refused turn, and with the legal moves unless
    ``with_moves`` is false or an action could not be judged; ``links`` are those without signatures
    unless they are given, ``added`` is what the mail tells besides, ``earlier`` the turns whose
    verdicts it tells, too.

    Raises ``CannotCompose`` where the notice lacks something.
    """
    if links is None:
        links = MailLinks() if material is None else unsigned(base_url, material.match_id, material.game.info.name)
    context = _shared(reader, base_url, links, added)
    if isinstance(payload, MailAnswered):
        context |= {**NO_ANSWER, **answer(payload)}
    if material is None:
        return Page(context | _about_no_match(kind, payload, base_url))
    context |= {"match": match_shown(material), "game": game_shown(material), "time": material.time}
    match payload:
        case AboutSeat():
            return Page(context)
        case Invited():
            return Page(context | invitation(reader, material))
        case SeatOffered():
            return Page(context | seat_offered(reader, material, payload))
        case SeatHanded():
            return Page(context | seat_handed(payload))
        case OrderHeld():
            return Page(context | unproven_turn(payload, base_url))
        case MailAnswered(ply=None):
            return Page(context)
    seat = seat_of(reader, material)
    shows = payload.shows if isinstance(payload, MailAnswered) else None
    with_moves = with_moves and (kind in LISTING if shows is None else "moves" in shows) and not is_failure(turn)
    drawn = not text_only and not is_refused(turn) and (shows is None or "board" in shows)
    scene = look(material.game, material.state, material.ply, material.steps, seat, material.names, with_moves, drawn)
    mail = MatchMail(reader, material, scene, seat, turn, links, base_url)
    if isinstance(payload, MailAnswered):
        return Page(context | answer_about_match(mail, payload, pictured), scene.svg if pictured else "")
    told = scene.told or (turn.verdict.entries if turn else ())  # For a stale turn: what happened since its ply.
    context |= {
        "told": (*refusals_before(earlier), *told),
        "prompt": scene.prompt,
        "awaited": awaited(material, scene, seat),
        "board": board_shown(material, scene, pictured),
        "commitment": material.commitment,
    }
    return Page(context | _of_seat(kind, payload, mail), scene.svg if pictured else "")


def _about_no_match(kind: NoticeKind, payload: Payload, base_url: str) -> dict[str, Any]:
    match payload:
        case MailAnswered():
            return {}
        case AddressChanged():
            return address_changed(payload, base_url)
        case OneTimeToken() if kind == "confirm_another_address":
            return another_address(payload, base_url)
        case OneTimeToken():
            return one_time_token(payload, base_url)
    raise CannotCompose(f"A mail {kind} is about a match, and the notice names none.")


def _of_seat(kind: NoticeKind, payload: Payload, mail: MatchMail) -> dict[str, Any]:
    """The values of a mail to somebody who has a seat in the match."""
    match payload:
        case AtPly() if kind == "match_started":
            return match_started(mail)
        case AtPly() if kind == "match_over":
            return match_over(mail)
        case AtPly():
            return your_turn(mail)
        case TurnJudged():
            return verdict(mail)
        case TimeUp():
            return time_up(mail, payload)
        case DaysOffBegan():
            return days_off_began(mail, payload)
        case Reminded():
            return reminder(mail, payload)
        case OfferMade():
            return offer_made(mail, payload)
        case OfferSettled():
            return offer_settled(mail, payload)
        case Shelved():
            return archive_mails.archive(mail, payload)
        case OneTimeToken() | AddressChanged() | MailAnswered() | OrderHeld() | Gathered():
            raise CannotCompose(f"A mail {kind} is about no match.")
        case AboutSeat() | Invited() | SeatOffered() | SeatHanded():
            raise CannotCompose(f"A mail {kind} is to somebody who has no seat.")


def digest_page(
    reader: Recipient,
    materials: Sequence[MatchMaterial],
    reply_to: Mapping[str, str],
    base_url: str,
    links: MailLinks,
    added: Added,
    with_moves: bool = True,
) -> Page:
    """Computes the content of a digest about these matches; ``reply_to`` are the addresses for
    answers, by match. Raises ``CannotCompose``.
    """
    context = _shared(reader, base_url, links, added)
    return Page(context | digest(reader, materials, added.said_in, reply_to, base_url, with_moves))


def _shared(reader: Recipient, base_url: str, links: MailLinks, added: Added) -> dict[str, Any]:
    """The values that all mails share."""
    return {
        "player": {"name": reader.name},
        "base_url": base_url.rstrip("/"),
        "links": links,
        "said": added.said,
        "note": added.note.splitlines(),
    }
