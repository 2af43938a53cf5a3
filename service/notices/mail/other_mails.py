"""The mails that are not about what happens in a match: codes that work once, invitations, changed
addresses, and answers to mails, also to one that nobody proved to have written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from engine import registry
from service.clocks.sentences import moment_words
from service.mail_words import WORDS
from service.matches.types import CUSTOM
from service.notices.mail.errors import CannotCompose
from service.notices.mail.match_mails import MatchMail, awaited, board_shown
from service.notices.material import MatchMaterial, Recipient
from service.payloads import AboutWebhook, AddressChanged, MailAnswered, OneTimeToken, OrderHeld, SeatOffered
from service.texts import gettext as _

_PICTURE: Final = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
"""A picture in Markdown, of which a text has the description only."""
NO_MATCH: Final[Mapping[str, Any]] = {"told": (), "awaited": "", "moves": None, "board": None}
"""The values of an answer that shows no match."""


def one_time_token(payload: OneTimeToken, page: str) -> dict[str, Any]:
    """The values of the mails with a code that works once, on ``page``. Raises
    ``CannotCompose``.
    """
    if not payload.token:
        raise CannotCompose("The notice carries no one-time token.")
    at = payload.expires_at
    return {
        "token": payload.token,
        "expires": f"{at[:10]} {at[11:16]} UTC" if at else "",
        "confirm_page": f"{page}?token={quote(payload.token)}",
    }


def address_changed(payload: AddressChanged, base_url: str) -> dict[str, Any]:
    """The values of the mail that tells a player what has changed."""
    said = {
        "added": _("From now on you may write from %(address)s, too: the address was confirmed."),
        "primary": _("From now on your mails go to %(address)s, and no longer to this address."),
        "removed": _("From now on you may no longer write from %(address)s: the address was removed."),
        "undone": _("A change of your addresses was undone: %(address)s is yours again."),
    }[payload.change]
    undo = payload.undo
    return {
        "changed": said % {"address": payload.changed},
        "undo_page": f"{base_url.rstrip('/')}/undo-address?token={quote(undo)}" if undo else None,
    }


def about_webhook(payload: AboutWebhook) -> dict[str, Any]:
    """The values of the mail that a webhook was switched off."""
    return {"place": payload.place, "error": payload.error}


def invitation(reader: Recipient, material: MatchMaterial) -> dict[str, Any]:
    """The values of an invitation; ``signed_up`` says whether the reader is a player."""
    return {
        "host": material.creator,
        "signed_up": reader.player_id is not None,
        "commitment": material.commitment,
        "own_components": material.components == CUSTOM,
    }


def seat_offered(reader: Recipient, material: MatchMaterial, payload: SeatOffered) -> dict[str, Any]:
    """The values of the mail that asks somebody to take the seat of another."""
    until = moment_words(payload.lapses_at, material.zone)
    return {"host": material.names[payload.seat], "signed_up": reader.player_id is not None, "until": until}


def words() -> tuple[tuple[str, str], ...]:
    """What a mail can say, with what it does."""
    return (
        (_("a number, or a line of notation"), _("plays it; several lines are one turn")),
        *((", ".join(word.written), word.does()) for word in WORDS),
    )


def answer(payload: MailAnswered) -> dict[str, Any]:
    """The values that every answer has."""
    return {
        "headline": payload.headline,
        "says": payload.says,
        "lines": payload.lines,
        "shows": payload.shows,
        "words": words(),
        "rules": "" if payload.rules is None else _PICTURE.sub(r"(\1)", registry.rules_text(payload.rules)).strip(),
    }


def answer_about_match(mail: MatchMail, payload: MailAnswered, pictured: bool) -> dict[str, Any]:
    """What an answer shows of a match: what happened since a ply, who is awaited, the moves, the
    board, as far as the payload asks for it.
    """
    shows = payload.shows
    return {
        "told": mail.view.told if payload.since is not None else (),
        "awaited": awaited(mail.material, mail.view, mail.seat) if "moves" in shows or "board" in shows else "",
        "moves": mail.moves if "moves" in shows else None,
        "board": board_shown(mail.material, mail.view, pictured) if "board" in shows else None,
    }


def unproven_turn(payload: OrderHeld, base_url: str) -> dict[str, Any]:
    """The values of a mail about an order that was held."""
    headlines = {
        "turn": _("Did you send this turn?"),
        "resign": _("Did you want to resign?"),
        "accept": _("Did you accept this invitation?"),
        "decline": _("Did you decline this invitation?"),
    }
    return {
        "headline": headlines[payload.what],
        "why": _(
            "A mail in your name has come. Nobody could tell that it is from you: it was not signed by the"
            " domain of its sender, so nothing was done."
        ),
        "lines": payload.lines,
        "page": f"{base_url.rstrip('/')}/orders/{payload.order}",
    }
