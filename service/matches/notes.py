"""What players note on their matches, for themselves alone."""

from __future__ import annotations

import re
from typing import Final

from service.context import Context
from service.errors import Forbidden, Invalid
from service.players.admission import admitted
from service.store import chat as rows
from service.store import matches
from service.store.chat import Note
from service.store.players import Player
from service.texts import gettext as _

LONGEST_NOTE: Final = 4000
_UNSEEN: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def read(context: Context, player: Player, match_id: str) -> Note:
    """What the player has noted on a match. Raises ``NotFound`` and ``Forbidden``
    (``not_seated``).
    """
    with context.database.read() as connection:
        _check_seated(admitted(connection, matches.find(connection, match_id), match_id, player), player)
        return rows.find_note(connection, match_id, player.id)


def write(context: Context, player: Player, match_id: str, text: str) -> Note:
    """Replaces what the player has noted on a match; an empty text deletes it. Raises ``Invalid``,
    ``NotFound`` and ``Forbidden`` (``not_seated``).
    """
    noted = read_note(text)
    with context.database.write() as connection:
        _check_seated(admitted(connection, matches.find(connection, match_id), match_id, player), player)
        rows.put_note(connection, match_id, player.id, noted, context.clock())
        return rows.find_note(connection, match_id, player.id)


def read_note(text: str, pointer: str = "/text") -> str:
    """A note, of any number of lines. Raises ``Invalid`` at ``pointer``."""
    noted = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").strip()
    if len(noted) > LONGEST_NOTE:
        sentence = _("A note has at most {longest} characters, not {number}.")
        raise Invalid(((pointer, sentence.format(longest=LONGEST_NOTE, number=len(noted))),))
    if _UNSEEN.search(noted):
        raise Invalid(((pointer, _("A note has no control characters but line breaks.")),))
    return noted


def _check_seated(match: matches.StoredMatch, player: Player) -> None:
    if match.seat_of(player.id) is None:
        raise Forbidden(_("Only the players of a match have notes on it."), "not_seated")
