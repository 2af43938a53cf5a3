"""A match at one ply as one seat may know it: what happened, the board, what can be done.

It contains nothing later than that ply, however late the mail is written, and nothing but what
``observe``, ``narrate``, ``text``, ``svg`` and the judge disclose to the viewer. The example of a
turn is not advice: it begins with one of the actions after which the turn ends soonest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, TypeVar

import structlog

from engine.game import AnyGame
from engine.listing import Listing, listed
from engine.play import Replayed, judge, legal_actions, prompt
from engine.sentences import prompt_told
from engine.svg import said, undescribed
from engine.types import CHANCE, Layout, Seat
from service.texts import gettext as _

Made = TypeVar("Made")
_log = structlog.get_logger("service.notices")
MOST_TRIED: Final = 8
LONGEST_TURN: Final = 12
WORLDS: Final = 64


@dataclass(frozen=True, slots=True)
class SeatView:
    """What may be shown to the viewer. ``told`` has one text per turn, ``asked`` the prompts of the
    ``awaited`` seats. ``svg`` is the board alone, the same to the letter for all who see the same
    on it, and ``words`` says what the viewer may know, a line for each matter; both are empty
    unless they were asked for. ``moves`` is ``None`` unless the viewer is awaited and they were
    asked for.
    """

    told: tuple[str, ...]
    awaited: tuple[Seat, ...]
    asked: Mapping[Seat, str]
    text: str
    svg: str
    words: tuple[str, ...]
    moves: LegalMoves | None


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """All legal actions of the viewer, and a turn that begins with one of them, unless an action
    raises when it is played, which is a fault of the game.
    """

    lines: tuple[str, ...]
    listing: Listing
    example: Example | None


def view_of(
    game: AnyGame,
    state: Any,
    steps: Sequence[Replayed],
    viewer: Seat,
    names: Sequence[str],
    awaited: tuple[Seat, ...],
    with_moves: bool = True,
    pictured: bool = True,
    match: str = "",
) -> SeatView:
    """What a seat may know in ``state``; ``steps``, which led there, are narrated. What the game
    fails at is left out, or a sentence stands in its place, and that is logged of ``match``.
    """

    @cache
    def shown() -> Any:
        return game.observe(state, viewer)

    def board() -> tuple[str, tuple[str, ...]]:
        picture = game.svg(shown(), names, Layout.BOARD)
        return undescribed(picture), said(picture, "desc")

    fails = _("It cannot be read at present.")
    nothing: tuple[str, tuple[str, ...]] = "", ()
    svg, words = _tried(match, "board", board, nothing) if pictured else nothing
    return SeatView(
        told=_tried(match, "narration", lambda: _told(game, steps, viewer, names), ()),
        awaited=awaited,
        asked={seat: _tried(match, "prompt", partial(_asked, game, state, seat, viewer), fails) for seat in awaited},
        text=_tried(match, "text", lambda: game.text(shown(), names), fails),
        svg=svg,
        words=words,
        moves=_tried(match, "moves", lambda: _moves(game, state, viewer, match), None)
        if viewer in awaited and with_moves
        else None,
    )


def _tried(match: str, part: str, make: Callable[[], Made], otherwise: Made) -> Made:
    """What is made, or that which goes without it where the game fails."""
    try:
        return make()
    except Exception:
        _log.exception(f"notice.without_{part}", match=match)
        return otherwise


def _asked(game: AnyGame, state: Any, seat: Seat, viewer: Seat) -> str:
    return prompt_told(game, prompt(game, state, seat, viewer)).sentence


def _moves(game: AnyGame, state: Any, viewer: Seat, match: str) -> LegalMoves:
    actions = legal_actions(game, state, viewer)
    lines = tuple(game.format(action) for action in actions)
    return LegalMoves(
        lines, listed(lines), _tried(match, "example", lambda: example(game, state, viewer, actions), None)
    )


def _told(game: AnyGame, steps: Sequence[Replayed], viewer: Seat, names: Sequence[str]) -> tuple[str, ...]:
    """The narrated steps; the sentences of a turn and of the draws after it are joined."""
    sentences: list[str] = []
    acting = telling = CHANCE
    for _ply, before, entry, after in steps:
        acting = acting if entry.seat == CHANCE else entry.seat
        if sentence := game.narrate(before, entry.seat, entry.action, after, viewer, names):
            if sentences and acting == telling != CHANCE:
                sentences[-1] += f" {sentence}"
            else:
                sentences.append(sentence)
            telling = acting
    return tuple(sentences)


@dataclass(frozen=True, slots=True)
class Example:
    """The ``lines`` of a legal turn; ``number`` is that of the first in the list, from 1."""

    number: int
    lines: tuple[str, ...]


def example(game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any]) -> Example:
    """A turn of an awaited seat that begins with one of ``actions``, all that are legal."""
    chosen = min(_spread(actions), key=lambda index: _way_left(game, game.apply(state, seat, actions[index]), seat))
    turn = _whole_turn(game, state, seat, actions[chosen])
    return Example(chosen + 1, tuple(game.format(action) for action in turn))


def _spread(actions: Sequence[Any]) -> list[int]:
    """Indices of some actions: the first of every type, then evenly over the list."""
    total = len(actions)
    if total <= MOST_TRIED:
        return list(range(total))
    chosen = {
        next(index for index, action in enumerate(actions) if type(action) is kind)
        for kind in dict.fromkeys(map(type, actions))
    }
    evenly = (part * total // MOST_TRIED + total // (2 * MOST_TRIED) for part in range(MOST_TRIED))
    for index in (*evenly, *range(total)):
        if len(chosen) >= MOST_TRIED:
            break
        chosen.add(index)
    return sorted(chosen)


def _whole_turn(game: AnyGame, state: Any, seat: Seat, first: Any) -> list[Any]:
    """The action and what may follow it whatever is drawn, up to the end of the turn, by the
    shortest way: an action that ends the turn, else one that draws. Real draws are not known here:
    what follows one is legal after every outcome.
    """
    turn = [first]
    worlds = _settled(game, [game.apply(state, seat, first)])
    while len(turn) < LONGEST_TURN and all(seat in game.to_act(world) for world in worlds):
        always = [
            action
            for action in legal_actions(game, worlds[0], seat)
            if all(judge(game, world, seat, action) is None for world in worlds[1:])
        ]
        if not always:
            break
        action = min(always, key=lambda action: _way_left(game, game.apply(worlds[0], seat, action), seat))
        turn.append(action)
        worlds = _settled(game, [game.apply(world, seat, action) for world in worlds])
    return turn


def _way_left(game: AnyGame, state: Any, seat: Seat) -> int:
    awaited = game.to_act(state)
    if awaited == (CHANCE,):
        return 1
    return 2 if seat in awaited else 0


def _settled(game: AnyGame, worlds: list[Any]) -> list[Any]:
    """The states after all draws that are due, at most ``WORLDS`` of them."""
    while any(game.to_act(world) == (CHANCE,) for world in worlds):
        branched = []
        for world in worlds:
            if game.to_act(world) == (CHANCE,):
                branched += [game.apply(world, CHANCE, action) for action, _ in game.outcomes(world)]
            else:
                branched.append(world)
        worlds = branched[:WORLDS]
    return worlds
