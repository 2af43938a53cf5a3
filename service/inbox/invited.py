"""Replies to an invitation by whoever is invited: ``yes`` signs up, where there is no account, and
takes the seat, with the nonce of a line ``random ...``; ``no`` declines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from service.addresses import folded
from service.context import Context
from service.errors import ServiceError
from service.events import gate
from service.inbox import answers, held, invitations, match_words, words_for_all
from service.inbox.answers import Answer, To
from service.inbox.conversations import sent_texts
from service.inbox.mail import Mail, Result, ignored
from service.inbox.orders import Words
from service.inbox.typed import typed_lines
from service.inbox.words import Word
from service.payloads import OrderHeld
from service.statuses import OrderKind
from service.store import addresses, players
from service.store.matches import StoredMatch
from service.store.outbox import NewNotice
from service.texts import gettext as _

_NONCE: Final = re.compile(r"random:?\s+(\S+)", re.IGNORECASE)


def act(context: Context, mail: Mail, match: StoredMatch, seat: int) -> Result:
    """Acts on a reply to an invitation to a seat that nobody has."""
    about = f"{match.id} {seat}"
    invited = match.seats[seat].invited_email
    if invited is None or match.status != "open":
        if not mail.sender.is_proven:
            return ignored("not_invited")
        answer = Answer("not_invited", _("This invitation does not stand any more."))
        return answers.write(context, mail, mail.key(about), _to(mail), answer)
    lines = _typed(context, mail, match, seat)
    word = _first(lines)
    if not mail.sender.is_proven:
        return _hold(context, mail, match, seat, word)
    if not _is_invited(context, mail, folded(invited)):
        return _stranger(context, mail, about)
    return answers.write(
        context, mail, mail.key(about), _to(mail, match.id), _answer(context, mail, match, seat, word, _nonce(lines))
    )


def _answer(
    context: Context, mail: Mail, match: StoredMatch, seat: int, word: Word | None, nonce: str | None
) -> Answer:
    """What a word of the invited person is answered."""
    match None if word is None else word.name:
        case "yes" | "join":
            try:
                player = invitations.accept(context, match, seat, mail.name, nonce)
            except ServiceError as error:
                return Answer(error.code, _("You have not taken the seat."), (str(error),))
            says = _("The match begins when all seats are taken; a mail tells you.")
            return Answer(
                "accepted", _("You have taken your seat, {name}.").format(name=player.name), (says,), acted=True
            )
        case "no":
            try:
                invitations.decline(context, match, seat)
            except ServiceError as error:
                return Answer(error.code, _("Nothing was done."), (str(error),))
            return Answer("declined", _("You have declined the invitation."), acted=True)
        case "rules":
            assert word is not None
            return words_for_all.rules(Word("rules", word.rest or match.game))
        case _:
            says = _("Reply yes to take the seat or no to decline; rules sends you the rules.")
            return Answer("unread", _("Nothing was done."), (says,), ("yes", "no", "rules"))


def _typed(context: Context, mail: Mail, match: StoredMatch, seat: int) -> tuple[str, ...]:
    """The lines that the sender typed."""
    address = match.seats[seat].invited_email or ""
    with context.database.read() as connection:
        player = players.by_address(connection, folded(address))
    known = sent_texts(context, None if player is None else player.id, address, match.id)
    return typed_lines(mail.opened, known)


def _first(lines: Sequence[str]) -> Word | None:
    """The first word of the mail."""
    orders = match_words.before_the_start(lines)
    return orders.words[0] if isinstance(orders, Words) else None


def _nonce(lines: Sequence[str]) -> str | None:
    """What the player adds to the draws, where a line says it."""
    found = (_NONCE.fullmatch(line.strip()) for line in lines)
    return next((nonce[1] for nonce in found if nonce is not None), None)


def _is_invited(context: Context, mail: Mail, invited: str) -> bool:
    """Whether whoever wrote the mail has the invited address."""
    if mail.sender.folded == invited:
        return True
    if mail.sender.player is None:
        return False
    with context.database.read() as connection:
        return invited in addresses.confirmed(connection, mail.sender.player)


def _stranger(context: Context, mail: Mail, about: str) -> Result:
    says = _("Only the address that is invited can answer, and this mail comes from another one.")
    answer = Answer("stranger", _("Nothing was done."), (says,))
    return answers.write(context, mail, mail.key(about), _to(mail), answer)


def _hold(context: Context, mail: Mail, match: StoredMatch, seat: int, word: Word | None) -> Result:
    """Asks the invited address for a word about a mail that nobody proved to come from it."""
    kinds: dict[str, OrderKind] = {"yes": "accept", "join": "accept", "no": "decline"}
    if word is None or word.name not in kinds:
        return ignored("unproven")
    kind, address = kinds[word.name], match.seats[seat].invited_email
    assert address is not None

    def notice(connection: Connection) -> str:
        order = held.hold(connection, context, kind, "unproven", match, seat, 0, (), mail.message_id)
        known = players.by_address(connection, folded(address))
        player_id = known.id if known is not None and known.confirmed_at is not None else None
        payload = OrderHeld(order.id, kind, seat)
        asked = NewNotice("unproven_turn", player_id, match.id, payload, None if player_id else address)
        return gate.write(connection, [asked], context.clock())[0]

    return answers.settle(context, mail.key(f"{match.id} {seat}"), folded(address), f"held_{kind}", (), notice)


def _to(mail: Mail, match_id: str | None = None) -> To:
    player = mail.sender.player
    return To(mail.sender.address, mail.sender.folded, None if player is None else player.id, match_id)
