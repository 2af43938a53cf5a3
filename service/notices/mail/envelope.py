"""Where a mail comes from and where answers to it go: its reply address, its envelope sender, and
the links by which such mails are stopped.

All are signed by the key of the time at which the notice was written, so that a mail that is sent
again is the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.addresses import folded
from service.kinds import MAILINGS
from service.links import (
    Invitee,
    ReplyTo,
    ServiceAddress,
    Unsubscribe,
    bounce_address,
    invitation_link,
    join_page,
    match_page,
    match_path,
    message_name,
    never_again_link,
    of_everything,
    of_kind,
    of_match,
    reply_address,
    rules_page,
    sign_in_link,
    unsubscribe_link,
    unsubscribe_tag,
)
from service.notices.mail.message import Thread
from service.notices.material import MatchMaterial, Recipient
from service.payloads import AGAIN
from service.signing import Keys
from service.store.outbox import Notice


@dataclass(frozen=True, slots=True)
class Envelope:
    """The addresses of a mail besides those of its sender and recipient; an empty one is not in it.
    ``message_name`` stands before the @ in its Message-ID.

    ``unsubscribe`` are the addresses of the header of that name, a page first; ``links`` are those
    in the text.
    """

    message_name: str
    sender: str
    reply_to: str
    unsubscribe: tuple[str, ...]
    links: MailLinks


def envelope_of(
    keys: Keys, service: ServiceAddress, base_url: str, notice: Notice, reader: Recipient, match: MatchMaterial | None
) -> Envelope:
    """The envelope of the mail of a notice to ``reader``; ``keys`` are those of the present."""
    signing = keys.as_of(notice.created_at)
    seat = _seat(notice, reader, match)
    to = None if match is None or seat is None else ReplyTo(match.match_id, seat, match.ply, notice.question)
    reply_to = "" if to is None else reply_address(signing, service, to)
    wanted = _unsubscribed(notice, reader, match)
    stranger = ""
    if reader.player_id is None or MAILINGS[notice.kind].to_strangers:
        stranger = never_again_link(signing, base_url, folded(reader.address))
    pages = [unsubscribe_link(signing, base_url, each) for each in wanted]
    header: tuple[str, ...] = (stranger,) if stranger else ()
    if wanted:
        header = (pages[0], service.mailto(unsubscribe_tag(signing, _by_mail(wanted))))
    stops = {_stop(each): page for each, page in zip(wanted, pages, strict=True)}
    links = MailLinks(
        match=_match_page(signing, base_url, notice, reader, match),
        rules="" if match is None else rules_page(base_url, match.game.info.name),
        stop_match=stops.get("match", ""),
        stop_kind=stops.get("kind", ""),
        stop_everything=stops.get("everything", ""),
        never_again=stranger,
    )
    name = message_name(signing, notice.id, to, int(notice.payload.get(AGAIN, 0)))
    return Envelope(name, bounce_address(signing, service, notice.id), reply_to, header, links)


def thread_of(notice: Notice, reader: Recipient, match: MatchMaterial) -> Thread:
    """The thread of the mail about a match, and the conversation that its notice was placed in."""
    seat, _, number = (notice.conversation or "").rpartition(".")
    if not seat:
        held = _seat(notice, reader, match)
        return Thread(match.match_id, "x" if held is None else str(held), match.title)
    return Thread(match.match_id, seat, match.title, int(number))


def _match_page(keys: Keys, base_url: str, notice: Notice, reader: Recipient, match: MatchMaterial | None) -> str:
    """The page of the match, of an invitation that where one takes the seat; its reader is signed
    in there.
    """
    if match is None:
        return ""
    if notice.kind == "invitation" and notice.seat is not None:
        invitee = Invitee(match.match_id, notice.seat, reader.player_id or folded(reader.address))
        return invitation_link(keys, base_url, invitee, notice.created_at)
    if reader.player_id is not None:
        return sign_in_link(keys, base_url, reader.player_id, match_path(match.match_id), notice.created_at)
    return match_page(base_url, match.match_id) if match.join_secret is None else join_page(base_url, match.join_secret)


def _stop(wanted: Unsubscribe) -> str:
    if wanted.match_id is not None:
        return "match"
    return "everything" if wanted.kind is None else "kind"


def _seat(notice: Notice, reader: Recipient, match: MatchMaterial | None) -> int | None:
    """The seat that a reply is of: the one that the notice names, otherwise the reader's."""
    if notice.seat is not None:
        return notice.seat
    return None if match is None else match.seat_of(reader.player_id)


def _unsubscribed(notice: Notice, reader: Recipient, match: MatchMaterial | None) -> tuple[Unsubscribe, ...]:
    """What a player can have stopped by the links of a mail, the narrowest first."""
    stopped_by = MAILINGS[notice.kind].stopped_by
    if reader.player_id is None or stopped_by == "nothing":
        return ()
    one_match = () if match is None else (of_match(reader.player_id, match.match_id),)
    one_kind = (of_kind(reader.player_id, notice.kind),) if stopped_by != "off" else ()
    return (*one_match, *one_kind, of_everything(reader.player_id))


def _by_mail(wanted: tuple[Unsubscribe, ...]) -> Unsubscribe:
    """The narrowest that an address can say."""
    return next(each for each in wanted if each.kind is None)


@dataclass(frozen=True, slots=True)
class MailLinks:
    """Addresses of pages; an empty one is not in the mail.

    ``match`` is the page of the match, ``rules`` that of the rules of its game. ``stop_match``,
    ``stop_kind`` and ``stop_everything`` lead to a page that stops mails to a player, about this
    match, of this kind or all; ``never_again`` to one that stops all mails to an address that
    belongs to no player.
    """

    match: str = ""
    rules: str = ""
    stop_match: str = ""
    stop_kind: str = ""
    stop_everything: str = ""
    never_again: str = ""


def unsigned(base_url: str, match_id: str | None, game: str | None) -> MailLinks:
    """The links that are the same for everybody."""
    base = base_url.rstrip("/")
    return MailLinks(
        match=f"{base}/matches/{match_id}" if match_id else "",
        rules=rules_page(base, game) if game else "",
    )
