"""The values that the mails about a match share: its names, the board, who is awaited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.types import Seat
from engine.wording import listed
from service.notices.mail.errors import CannotCompose
from service.notices.mail.mail_links import MailLinks
from service.notices.material import JudgedTurn, MatchMaterial, Recipient
from service.notices.scene import Scene
from service.texts import gettext as _

PICTURE: Final = "board"
"""The name of the picture in the HTML."""


@dataclass(frozen=True, slots=True)
class MatchMail:
    """What a mail about a started match is made from: ``seat`` is the reader's, ``turn`` the one a
    verdict is about.
    """

    reader: Recipient
    material: MatchMaterial
    scene: Scene
    seat: Seat
    turn: JudgedTurn | None
    links: MailLinks
    base_url: str

    @property
    def is_awaited(self) -> bool:
        """Whether the reader is to act."""
        return self.seat in self.scene.awaited


@dataclass(frozen=True, slots=True)
class MatchShown:
    """A match in a mail: ``name`` has all of ``game``, ``short``, its short id, and ``title``."""

    game: str
    short: str
    title: str
    name: str
    ply: int
    seats: int


@dataclass(frozen=True, slots=True)
class GameShown:
    """A game in a mail."""

    title: str
    summary: str
    credits: str


@dataclass(frozen=True, slots=True)
class BoardShown:
    """The board as text, and the name of its picture, empty where there is none, with what stands
    in its place. ``facts`` is everything that the reader may know, hand and scores too, by what it
    is about, which may be empty.
    """

    text: str
    picture: str
    alt: str
    facts: tuple[tuple[str, str], ...]


def match_shown(material: MatchMaterial) -> MatchShown:
    """The match; one without a title is named by who plays."""
    title = (
        material.title
        or listed([name for name, holder in zip(material.names, material.player_ids, strict=True) if holder])
        or _("a new match")
    )
    game, short = material.game.info.title, material.match_id[:8]
    return MatchShown(game, short, title, f"{game} #{short}, {title}", material.ply, len(material.names))


def game_shown(material: MatchMaterial) -> GameShown:
    """The match's game."""
    info = material.game.info
    return GameShown(info.title, info.summary, info.credits)


def board_shown(material: MatchMaterial, scene: Scene, pictured: bool) -> BoardShown:
    """The board of a scene, with a picture where the scene has one and it is wanted."""
    alt = _("The board of {game}.").format(game=material.game.info.title)
    facts = tuple(map(_fact, scene.words))
    return BoardShown(scene.text.strip("\n"), PICTURE if scene.svg and pictured else "", alt, facts)


def _fact(line: str) -> tuple[str, str]:
    """What a line of a description is about, and what it says."""
    about, colon, said = line.partition(": ")
    return (about, said) if colon and ". " not in about else ("", line)


def seat_of(reader: Recipient, material: MatchMaterial) -> Seat:
    """The reader's seat. Raises ``CannotCompose`` where there is none."""
    seat = material.seat_of(reader.player_id)
    if seat is None:
        raise CannotCompose(f"Player {reader.player_id} has no seat in match {material.match_id}.")
    return seat


def awaited(material: MatchMaterial, scene: Scene, seat: Seat) -> str:
    """The sentence that says who is awaited, and what they are asked."""
    if not scene.awaited:
        return _("The match is over.") if material.outcome else ""
    if scene.awaited == (seat,):
        return _("It is your turn: {prompt}.").format(prompt=scene.prompt)
    asked = [
        _("{name}, who is asked: {prompt}").format(name=material.names[other], prompt=prompt)
        for other, prompt in zip(scene.awaited, scene.asked, strict=True)
    ]
    return _("The match waits for {players}.").format(players=_("; and for ").join(asked))
