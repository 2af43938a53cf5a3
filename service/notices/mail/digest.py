"""The digest: for each match what happened, who is awaited, and how to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from service.links import match_page
from service.notices.mail.match_mail import GameShown, MatchShown, awaited, game_shown, match_shown, seat_of
from service.notices.mail.turn import MovesShown, moves_shown
from service.notices.material import MatchMaterial, Recipient
from service.notices.scene import look
from service.store.chat import Line

MOST_LISTINGS: Final = 3
"""The moves of so many matches are listed, so that the mail stays below the size at which mail
programs cut it.
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A match in a digest: ``page`` and ``reply_to`` are its page and the address for answers;
    ``mine`` where the reader is awaited; ``moves`` unless they are not listed.
    """

    match: MatchShown
    game: GameShown
    page: str
    reply_to: str
    told: tuple[str, ...]
    awaited: str
    mine: bool
    said: tuple[Line, ...]
    moves: MovesShown | None


def digest(
    reader: Recipient,
    materials: Sequence[MatchMaterial],
    said: Mapping[str, tuple[Line, ...]],
    reply_to: Mapping[str, str],
    base_url: str,
    with_moves: bool,
) -> dict[str, Any]:
    """The values of a digest about these matches, those that await the reader first; ``said`` and
    ``reply_to`` by match. Raises ``CannotCompose`` where the reader has no seat in one.
    """
    sections: list[Section] = []
    for material in sorted(materials, key=lambda material: not _awaits(material, reader)):
        seat, listed = seat_of(reader, material), sum(section.moves is not None for section in sections)
        with_these = with_moves and listed < MOST_LISTINGS
        game, ply = material.game, material.ply
        scene = look(game, material.state, ply, material.steps, seat, material.names, with_these, pictured=False)
        sections.append(
            Section(
                match=match_shown(material),
                game=game_shown(material),
                page=match_page(base_url, material.match_id),
                reply_to=reply_to.get(material.match_id, ""),
                told=scene.told,
                awaited=awaited(material, scene, seat),
                mine=seat in scene.awaited,
                said=said.get(material.match_id, ()),
                moves=None if scene.moves is None else moves_shown(scene.moves, material.game.info.notation),
            )
        )
    return {"sections": sections, "waiting": sum(section.mine for section in sections)}


def _awaits(material: MatchMaterial, reader: Recipient) -> bool:
    return seat_of(reader, material) in material.game.to_act(material.state)
