"""The one judge: why a seat may not do what it wants, and what it is asked."""

from __future__ import annotations

from dataclasses import replace

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
from engine.games.montana.options import candidates
from engine.games.montana.refusals import (
    Problems,
    again_problems,
    arrow_problems,
    bank_problems,
    build_problems,
    choice_problems,
    harvest_problems,
    return_problems,
    trade_problems,
)
from engine.games.montana.refusals_town import place_problems, reward_problems
from engine.games.montana.state import MOST_BUILT, OVERTAKEN, Phase, State, surplus, to_act
from engine.games.montana.town import row_reward
from engine.types import Seat, Violation
from engine.wording import amount

__all__ = ["candidates", "prompt", "violation"]

_MOMENTS = {
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
"""When each action has its place; returning and trading have none of their own."""


def violation(state: State, seat: Seat, action: Action) -> Violation | None:
    """Why the action is refused, the rule that refuses it first in front and every other broken
    rule in ``others``; ``None`` if it is legal.
    """
    if seat not in to_act(state):
        return Violation("not_your_turn", "R3.1", "It is not your turn to decide; wait until you are awaited.")
    problems = _moment_problems(state, seat, action)
    problems += _problems(state, seat, action)
    if not problems:
        return None
    return replace(problems[0], others=tuple(problems[1:])) if len(problems) > 1 else problems[0]


def prompt(state: State, seat: Seat) -> str:
    """What the seat is asked."""
    me = state.seats[seat]
    if spare := surplus(me):
        return f"return {amount(spare, 'worker')} to the supply"
    match state.phase:
        case Phase.CHOOSE:
            return "choose two workers"
        case Phase.TURN:
            return "recruit, harvest or build"
        case Phase.RECRUITED:
            return "move the arrow with wheat, or end your turn"
        case Phase.HARVESTED:
            return "harvest once more in the same slot, or end your turn"
        case Phase.TOWN:
            place = (
                "move your overtaken representative"
                if state.shop[seat] == OVERTAKEN
                else "place your representative in the shop"
            )
            return f"{place}, or pass"
        case Phase.REWARDS:
            row = row_reward(state, seat)
            if row.goods:
                return f"name {amount(row.goods, 'good')} to take"
            return f"name up to {amount(row.upgrades, 'good')} to upgrade"
        case Phase.BUILDING if state.built < MOST_BUILT and me.settlements:
            return "build another settlement, or end your turn"
        case Phase.BUILDING | Phase.DONE:
            wishes = ["trade a cow"] * (me.cows > 0) + ["use a canteen"] * (me.canteens > 0) + ["end your turn"]
            return " or ".join((", ".join(wishes[:-1]), wishes[-1])) if len(wishes) > 1 else wishes[0]
        case Phase.LAYING | Phase.START | Phase.SPIN | Phase.OVER:
            return ""


def _moment_problems(state: State, seat: Seat, action: Action) -> Problems:
    if isinstance(action, ReturnWorkers | TradeForGood | TradeForCoins | TradeForWorker):
        return []
    if surplus(state.seats[seat]):
        return [
            Violation("return_first", "R3.5", f"You have room for eight workers only; first {prompt(state, seat)}.")
        ]
    moments = _MOMENTS.get(type(action))
    if moments is None or state.phase in moments:
        return []
    match state.phase:
        case Phase.CHOOSE:
            return [Violation("choose_first", "R4.2", "The arrow shows workers of any kind; first choose two.")]
        case Phase.TURN:
            return [_nothing_done_yet(action)]
        case Phase.TOWN:
            return [Violation("in_town", "R6.3", f"The town comes first: {prompt(state, seat)}.")]
        case Phase.REWARDS:
            return [Violation("reward_due", "R6.9", f"Your reward comes first: {prompt(state, seat)}.")]
        case _:
            return [_action_taken(state, seat, action)]


def _nothing_done_yet(action: Action) -> Violation:
    match action:
        case MoveArrow():
            return Violation("spin_first", "R4.3", "Wheat moves the arrow only after a spin; recruit first.")
        case HarvestAgain():
            return Violation(
                "harvest_first",
                "R5.6",
                "The small box comes after the large box of the same slot; harvest there first.",
            )
        case ChooseWorkers():
            return Violation(
                "nothing_to_choose", "R4.2", "Workers are chosen only when the arrow shows any; recruit first."
            )
        case Pass():
            return Violation(
                "nobody_in_town", "R6.3", "Nobody is in town, so there is nothing to pass; recruit, harvest or build."
            )
        case TakeGoods() | Upgrade():
            return Violation("no_reward_due", "R6.7", "Goods are taken and exchanged in the shop; go to town first.")
        case _:
            return Violation(
                "act_first", "R3.2", "A turn is one of recruit, harvest and build; do one of them before you end it."
            )


def _action_taken(state: State, seat: Seat, action: Action) -> Violation:
    now = f"now {prompt(state, seat)}"
    match action:
        case MoveArrow() if state.spins > 1:
            return Violation("arrow_moved", "R4.4", f"You have moved the arrow, and it moves once in a turn; {now}.")
        case HarvestAgain() if state.slot >= 0:
            return Violation("small_box_used", "R5.6", f"You have used the small box of your slot; {now}.")
        case MoveArrow():
            return Violation(
                "no_spin",
                "R4.3",
                f"Wheat moves the arrow only when you recruit, and this turn you did something else; {now}.",
            )
        case HarvestAgain():
            return Violation("no_slot", "R5.6", f"You have harvested in no slot this turn; {now}.")
        case ChooseWorkers():
            return Violation("nothing_to_choose", "R4.2", f"The arrow shows no workers to choose; {now}.")
        case Pass():
            return Violation("nobody_in_town", "R6.3", f"There is nothing to pass; {now}.")
        case TakeGoods() | Upgrade():
            return Violation("no_reward_due", "R6.7", f"No reward of the shop is due; {now}.")
        case _:
            return Violation(
                "action_taken", "R3.2", f"A turn is one of recruit, harvest and build, and you have done one; {now}."
            )


def _problems(state: State, seat: Seat, action: Action) -> Problems:
    match action:
        case Harvest():
            return harvest_problems(state, seat, action)
        case UseBank():
            return bank_problems(state, seat, action)
        case PlaceInTown():
            return place_problems(state, seat, action)
        case Build():
            return build_problems(state, seat, action)
        case TradeForGood() | TradeForCoins() | TradeForWorker():
            return trade_problems(state, seat, action)
        case ReturnWorkers():
            return return_problems(state, seat, action)
        case MoveArrow():
            return arrow_problems(state, seat, action)
        case HarvestAgain():
            return again_problems(state, seat, action)
        case ChooseWorkers():
            return choice_problems(action)
        case TakeGoods() | Upgrade():
            return reward_problems(state, seat, action)
        case UseCanteen():
            return (
                []
                if state.seats[seat].canteens
                else [Violation("no_canteen", "R8.6", "You have no canteen; just end your turn.")]
            )
        case Recruit() | Pass() | EndTurn():
            return []
        case _:
            return [
                Violation(
                    "chance_only",
                    "R1.10",
                    f"Only chance does that; a seat cannot submit {str(getattr(action, 'type', 'this'))[:20]!r}.",
                )
            ]
