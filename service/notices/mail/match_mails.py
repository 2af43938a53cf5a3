"""What the mails about a match share: its names, the board, who is awaited, the moves; and those of
turns: ``your_turn``, and ``verdict`` on a turn of the reader's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.listing import Row
from engine.pieces import nearest_lines
from engine.types import Seat
from engine.wording import listed
from service.notices.mail.errors import CannotCompose
from service.notices.material import JudgedTurn, MatchMaterial, Recipient
from service.notices.seat_view import LegalMoves, SeatView
from service.texts import gettext as _
from service.texts import ngettext
from service.turns.types import Refusal

PICTURE: Final = "board"
"""The name of the picture in the HTML."""
MOST_NEAREST: Final = 3


@dataclass(frozen=True, slots=True)
class MatchMail:
    """What a mail about a started match is made from: ``seat`` is the reader's."""

    reader: Recipient
    material: MatchMaterial
    view: SeatView
    seat: Seat
    turn: JudgedTurn | None
    base_url: str

    @property
    def is_awaited(self) -> bool:
        """Whether the reader is to act."""
        return self.seat in self.view.awaited

    @property
    def moves(self) -> MovesShown | None:
        """What the reader may do; ``None`` where another is awaited."""
        return moves_shown(self.view.moves, self.material.game.info.notation) if self.is_awaited else None


@dataclass(frozen=True, slots=True)
class MatchNamed:
    """A match in a mail: ``name`` has all of ``game``, ``short``, its short id, and ``title``."""

    game: str
    short: str
    title: str
    name: str
    ply: int
    seats: int


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


def match_shown(material: MatchMaterial) -> MatchNamed:
    """The match; one without a title is named by who plays."""
    title = (
        material.title
        or listed([name for name, holder in zip(material.names, material.player_ids, strict=True) if holder])
        or _("a new match")
    )
    game, short = material.game.info.title, material.match_id[:8]
    return MatchNamed(game, short, title, f"{game} #{short}, {title}", material.ply, len(material.names))


def board_shown(material: MatchMaterial, view: SeatView, pictured: bool) -> BoardShown:
    """The board, with a picture where the view has one and it is wanted."""
    alt = _("The board of {game}.").format(game=material.game.info.title)
    facts = tuple(map(_fact, view.words))
    return BoardShown(view.text.strip("\n"), PICTURE if view.svg and pictured else "", alt, facts)


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


def awaited(material: MatchMaterial, view: SeatView, seat: Seat) -> str:
    """The sentences that say who is awaited, and what they are asked."""
    if not view.awaited:
        return _("The match is over.") if material.is_over else ""
    said = [
        _("It is your turn. {prompt}").format(prompt=prompt)
        if other == seat
        else _('The match waits for {name}, who is asked: "{prompt}"').format(name=material.names[other], prompt=prompt)
        for other, prompt in view.asked.items()
    ]
    return " ".join(said)


@dataclass(frozen=True, slots=True)
class MovesShown:
    """The legal moves in a mail: ``rows`` with all ``total`` of them; ``number`` and ``line`` are
    one of them, with which ``turn``, a whole turn on one line, begins. ``inside`` is the number of
    a move in a row, within a range if there is one, and ``inside_line`` that move. Without a list
    there is ``notation``.
    """

    total: int = 0
    rows: tuple[Row, ...] = ()
    number: int = 0
    line: str = ""
    turn: str = ""
    inside: int = 0
    inside_line: str = ""
    notation: str = ""


@dataclass(frozen=True, slots=True)
class RefusalShown:
    """Why a turn was refused: ``others`` are further rules that it broke, ``nearest`` the legal
    moves that come nearest to what was refused.
    """

    sentence: str
    others: tuple[str, ...]
    by_rule: bool
    nearest: tuple[str, ...]


def moves_shown(moves: LegalMoves | None, notation: str) -> MovesShown:
    """The legal moves, with an example; or else the help of the game's notation."""
    if moves is None:
        return MovesShown(notation=notation.strip())
    shown = MovesShown(moves.listing.total, moves.listing.rows)
    if moves.example is not None:
        lines = moves.example.lines
        turn = "; ".join(lines) if len(lines) > 1 else ""
        shown = replace(shown, number=moves.example.number, line=lines[0], turn=turn)
    cells = [cell for row in shown.rows if row.title for cell in row.cells]
    ranges = (cell.first + 1 for cell in cells if cell.first != cell.last)
    if inside := next(ranges, cells[0].first if cells else 0):
        shown = replace(shown, inside=inside, inside_line=moves.lines[inside - 1])
    return shown


def check_awaited(mail: MatchMail) -> None:
    """Raises ``CannotCompose`` unless the reader is awaited."""
    if not mail.is_awaited:
        raise CannotCompose(f"Seat {mail.seat} was not awaited at ply {mail.material.ply}.")


def verdict(mail: MatchMail) -> dict[str, Any]:
    """The values of a mail about a judged turn. Raises ``CannotCompose``."""
    if mail.turn is None:
        raise CannotCompose("The notice names no turn.")
    judged = mail.turn.verdict
    return {
        "status": judged.status,
        "headline": headline(mail.reader.name, mail.turn),
        "refusal": refusal_shown(mail.turn.refused, judged.violation, mail.view.moves) if judged.violation else None,
    }


def is_failure(turn: JudgedTurn | None) -> bool:
    """Whether the turn could not be judged: its actions, legal or not, are not to be played."""
    violation = None if turn is None else turn.verdict.violation
    return violation is not None and violation.code == "judge_failed"


def is_refused(turn: JudgedTurn | None) -> bool:
    """Whether nothing of the turn was played."""
    return turn is not None and turn.verdict.status == "rejected"


def headline(name: str, turn: JudgedTurn) -> str:
    """The sentence that says what became of a turn."""
    accepted = turn.verdict.accepted
    match turn.verdict.status:
        case "accepted":
            return _("Your turn was accepted, {name}.").format(name=name)
        case "partly_accepted":
            return ngettext(
                "Your turn was partly accepted, {name}: only the first of its {actions} actions.",
                "Your turn was partly accepted, {name}: only the first {accepted} of its {actions} actions.",
                accepted,
            ).format(name=name, accepted=accepted, actions=turn.actions)
        case "rejected":
            return _("Your turn was refused, {name}. Nothing was changed.").format(name=name)


def refusals_before(turns: Sequence[JudgedTurn]) -> tuple[str, ...]:
    """A sentence for each of these earlier turns of the reader's of which something was refused."""
    violations = (turn.verdict.violation for turn in turns)
    return tuple(
        _("An earlier turn of yours was refused: {sentence}").format(sentence=_with_rule(broken.message, broken.rule))
        for broken in violations
        if broken is not None
    )


def refusal_shown(refused: str, violation: Refusal, moves: LegalMoves | None) -> RefusalShown:
    """The refusal of the action ``refused``, with the moves that come nearest to it of those that
    are legal in its place: all of ``moves`` where it was the first of its turn.
    """
    legal = [item.notation for item in violation.legal]
    known = moves.lines if moves is not None and violation.action_index == 0 else legal
    return RefusalShown(
        sentence=_with_rule(violation.message, violation.rule),
        others=tuple(_with_rule(other.message, other.rule) for other in violation.others),
        by_rule=bool(violation.rule),
        nearest=nearest_lines(refused, known, MOST_NEAREST),
    )


def _with_rule(sentence: str, rule: str) -> str:
    return _("{sentence} (rule {rule})").format(sentence=sentence, rule=rule) if rule else sentence
