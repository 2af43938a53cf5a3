"""Every rule that an action breaks, in the order in which a player should correct them: problems of
the phase here, all others in the modules of this package.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.games.montana.actions import (
    Action,
    Build,
    ChooseWorkers,
    EndTurn,
    Harvest,
    HarvestAgain,
    MoveArrow,
    Pass,
    PlaceInTown,
    Recruit,
    ReturnWorkers,
    TakeGoods,
    TradeForCoins,
    TradeForGood,
    TradeForWorker,
    Upgrade,
    UseBank,
    UseCanteen,
)
from engine.games.montana.legal import asked, candidates, prompt
from engine.games.montana.refusals.land import build_problems
from engine.games.montana.refusals.town import place_problems, reward_problems
from engine.games.montana.refusals.work import (
    again_problems,
    arrow_problems,
    bank_problems,
    choice_problems,
    harvest_problems,
    return_problems,
    trade_problems,
)
from engine.games.montana.state import Phase, State, surplus
from engine.types import Problem, Seat
from engine.wording import either

_MOMENTS: Final = {
    Recruit: (Phase.TURN,),
    UseBank: (Phase.TURN,),
    Harvest: (Phase.TURN,),
    Build: (Phase.TURN, Phase.BUILDING),
    PlaceInTown: (Phase.TURN, Phase.TOWN),
    MoveArrow: (Phase.RECRUITED,),
    HarvestAgain: (Phase.HARVESTED,),
    ChooseWorkers: (Phase.CHOOSE,),
    Pass: (Phase.TOWN,),
    TakeGoods: (Phase.REWARDS,),
    Upgrade: (Phase.REWARDS,),
    EndTurn: (Phase.RECRUITED, Phase.HARVESTED, Phase.BUILDING, Phase.DONE),
    UseCanteen: (Phase.RECRUITED, Phase.HARVESTED, Phase.BUILDING, Phase.DONE),
}
"""The phases in which each action is possible; returning and trading do not depend on the phase."""


_END: Final = ((EndTurn,), "end your turn")
_NAMED: Final[Mapping[Phase, tuple[tuple[tuple[type[Action], ...], str], ...]]] = {
    Phase.TURN: (
        ((Recruit,), "recruit"),
        ((UseBank, Harvest, PlaceInTown), "harvest"),
        ((Build,), "build"),
    ),
    Phase.RECRUITED: (((MoveArrow,), "move the arrow with wheat"), _END),
    Phase.HARVESTED: (((HarvestAgain,), "harvest once more in the same slot"), _END),
    Phase.BUILDING: (((Build,), "build another settlement"), _END),
    Phase.DONE: (_END,),
}
"""What is asked in a phase: kinds of actions, and the words for them."""


def problems(state: State, seat: Seat, action: Action) -> Iterator[Problem]:
    """Every rule that the action of an awaited seat breaks; nothing if it is legal."""
    out_of_turn = _moment_problem(state, seat, action)
    if out_of_turn is not None:
        yield out_of_turn
    match action:
        case Harvest():
            yield from harvest_problems(state, seat, action)
        case UseBank():
            yield from bank_problems(state, seat, action)
        case PlaceInTown():
            yield from place_problems(state, seat, action)
        case Build():
            yield from build_problems(state, seat, action)
        case TradeForGood() | TradeForCoins() | TradeForWorker():
            yield from trade_problems(state, seat, action)
        case ReturnWorkers():
            yield from return_problems(state, seat, action)
        case MoveArrow():
            yield from arrow_problems(state, seat, action)
        case HarvestAgain():
            yield from again_problems(state, seat, action)
        case ChooseWorkers():
            yield from choice_problems(action)
        case TakeGoods() | Upgrade():
            yield from reward_problems(state, seat, action)
        case UseCanteen() if not state.seats[seat].canteens:
            yield Problem("no_canteen", "R8.6")


def own_prompt(state: State, seat: Seat) -> str:
    """What the awaited seat itself is asked: of what ``prompt`` names, what is legal for it."""
    if surplus(state.seats[seat]) or state.phase not in _NAMED:
        return prompt(state, seat)
    legal = {type(action) for action in candidates(state, seat) if not any(problems(state, seat, action))}
    wishes = [words for kinds, words in _NAMED[state.phase] if not legal.isdisjoint(kinds)]
    if state.phase is Phase.TURN:
        return either(wishes)
    if len(wishes) > 1:
        return ", or ".join(wishes)
    wishes = ["trade a cow"] if legal & {TradeForGood, TradeForCoins, TradeForWorker} else []
    return either([*wishes, *(["use a canteen"] if UseCanteen in legal else []), "end your turn"])


def _moment_problem(state: State, seat: Seat, action: Action) -> Problem | None:
    if isinstance(action, ReturnWorkers | TradeForGood | TradeForCoins | TradeForWorker):
        return None
    if surplus(state.seats[seat]):
        return Problem("return_first", "R3.5", {"asked": asked(state, seat)})
    moments = _MOMENTS.get(type(action))
    if moments is None or state.phase in moments:
        return None
    match state.phase:
        case Phase.CHOOSE:
            return Problem("choose_first", "R4.2")
        case Phase.TURN:
            return _nothing_done_yet(action)
        case Phase.TOWN:
            return Problem("in_town", "R6.3", {"asked": asked(state, seat)})
        case Phase.REWARDS:
            return Problem("reward_due", "R6.9", {"asked": asked(state, seat)})
        case _:
            return _action_taken(state, seat, action)


def _nothing_done_yet(action: Action) -> Problem:
    match action:
        case MoveArrow():
            return Problem("spin_first", "R4.3")
        case HarvestAgain():
            return Problem("harvest_first", "R5.6")
        case ChooseWorkers():
            return Problem("nothing_to_choose", "R4.2", {"asked": None})
        case Pass():
            return Problem("nobody_in_town", "R6.3", {"asked": None})
        case TakeGoods() | Upgrade():
            return Problem("no_reward_due", "R6.7", {"asked": None})
        case _:
            return Problem("act_first", "R3.2")


def _action_taken(state: State, seat: Seat, action: Action) -> Problem:
    now = {"asked": asked(state, seat)}
    match action:
        case MoveArrow() if state.spins:
            return Problem("arrow_moved", "R4.4", now)
        case HarvestAgain() if state.slot >= 0:
            return Problem("small_box_used", "R5.6", now)
        case MoveArrow():
            return Problem("no_spin", "R4.3", now)
        case HarvestAgain():
            return Problem("no_slot", "R5.6", now)
        case ChooseWorkers():
            return Problem("nothing_to_choose", "R4.2", now)
        case Pass():
            return Problem("nobody_in_town", "R6.3", now)
        case TakeGoods() | Upgrade():
            return Problem("no_reward_due", "R6.7", now)
        case _:
            return Problem("action_taken", "R3.2", now)
