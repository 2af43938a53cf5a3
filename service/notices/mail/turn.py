"""The mails about turns: ``your_turn``, and ``verdict`` on a turn of the reader's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.listing import Row
from engine.pieces import nearest_lines
from service.notices.mail.errors import CannotCompose
from service.notices.mail.match_mail import MatchMail
from service.notices.material import JudgedTurn
from service.notices.scene import LegalMoves
from service.texts import gettext as _
from service.texts import ngettext
from service.turns.types import Refusal

MOST_NEAREST: Final = 3


@dataclass(frozen=True, slots=True)
class MovesShown:
    """The legal moves in a mail: ``rows`` with all ``total`` of them; ``number`` and ``line`` are
    one of them, with which ``turn``, a whole turn on one line, begins. ``inside`` is the number of
    a move in a row, within a range if there is one, and ``inside_line`` that move. A part that
    there is not, or that could not be made, is empty; ``notation`` helps where there is no list.
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


def your_turn(mail: MatchMail) -> dict[str, Any]:
    """The values of a mail to the reader who is awaited. Raises ``CannotCompose``."""
    if not mail.is_awaited:
        raise CannotCompose(f"Seat {mail.seat} was not awaited at ply {mail.material.ply}.")
    return {"moves": moves_shown(mail.scene.moves, mail.material.game.info.notation)}


def verdict(mail: MatchMail) -> dict[str, Any]:
    """The values of a mail about a judged turn. Raises ``CannotCompose``."""
    if mail.turn is None:
        raise CannotCompose("The notice names no turn.")
    judged = mail.turn.verdict
    return {
        "status": judged.status,
        "headline": headline(mail.reader.name, mail.turn),
        "refusal": refusal_shown(mail.turn.refused, judged.violation, mail.scene.moves) if judged.violation else None,
        "moves": moves_shown(mail.scene.moves, mail.material.game.info.notation) if mail.is_awaited else None,
    }


def is_failure(turn: JudgedTurn | None) -> bool:
    """Whether the turn could not be judged: its actions, which may be legal, are not to be
    played.
    """
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
