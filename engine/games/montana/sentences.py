"""The sentence for each problem, prompt and end of a match; labels of scores, words of actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from engine.games.montana.components import AREAS, GOODS, WORKERS, Area, Good, noun, quantity
from engine.sentences import filled_in
from engine.types import Problem, Sentence, Statement
from engine.wording import amount, as_sentence, either, listed

Values: TypeAlias = Mapping[str, Any]


def explain(problem: Problem) -> str:
    """The sentence for a problem, followed by the hexes to build on if the problem has some."""
    said = filled_in(SENTENCES, problem)
    if problem.values.get("sites"):
        more = f" and {problem.values['more']} more" if problem.values["more"] else ""
        said += f" You could build on {', '.join(problem.values['sites'])}{more}."
    return said


def _now(values: Values) -> str:
    return filled_in(PROMPTS, Statement(**values["asked"]))


def _unless_asked(first: str, asked: str) -> Sentence:
    """``first`` while the seat has yet to act; then ``asked``, and what the seat is asked now."""
    return lambda values: first.format_map(values) if values["asked"] is None else f"{asked} {_now(values)}"


def _no_such_space(values: Values) -> str:
    if values["place"] == "bank":
        return f"The bank has spaces 1 to {values['spaces']}, not {values['space']}."
    return (
        f"The shop has rows 1 to {values['rows']} and columns 1 to {values['columns']}; you said row {values['row']},"
        f" column {values['column']}."
    )


def _slot(values: Values) -> str:
    return f"Slot {values['slot']} of the {noun(Area(values['area']))}"


def _wrong_workers(values: Values) -> str:
    named = values["named"]
    match values["for"]:
        case "bank":
            wanted = amount(values["wanted"], "worker")
            return f"Space {values['space']} of the bank takes exactly {wanted}; you named {named}."
        case "choice":
            return f"Choose exactly two workers; you named {named}."
        case "return":
            return (
                f"You have {values['held']} workers and room for eight: return exactly {values['wanted']}, not {named}."
            )
        case _:
            wanted = "one worker of its own kind" if values["kind"] is None else f"one {values['kind']} worker"
            said = "one of another kind" if named == 1 else named
            return f"A box takes {wanted}, or any two; you named {said}."


def _worker_missing(values: Values) -> str:
    named = amount(values["named"], f"{values['worker']} worker")
    crew = ", ".join(f"{worker} {count}" for worker, count in values["workers"]) or "none"
    return f"You named {named} and have {values['held']}; your workers: {crew}."


def _not_for_cows(values: Values) -> str:
    return (
        f"A cow cannot be traded for {noun(Good(values['good']))}; the goods you can get are wheat, pumpkin, small"
        " copper and small stone."
    )


def _nothing_to_take(values: Values) -> str:
    what = noun(Good(values["good"])) if "good" in values else f"{values['worker']} worker"
    return (
        f"There is no {what} in the supply, and no other seat has one to give back; trade the cow for something else."
    )


def _too_few_goods(values: Values) -> str:
    match values["for"]:
        case "arrow":
            segments = amount(values["wheat"], "segment")
            return f"Moving the arrow {segments} costs {values['wheat']} wheat; you have {values['held']}."
        case "upgrade":
            named = quantity(values["named"], Good(values["good"]))
            return f"You named {named} to upgrade and have {values['held']}."
        case _:
            return f"{values['hex']} costs {_goods(values['cost'])}; you lack {_goods(values['lacking'])}."


def _hex_taken(values: Values) -> str:
    what = "the start tile" if values["by"] == "start_tile" else "a settlement"
    return f"{values['hex']} already has {what}."


def _wrong_settlements(values: Values) -> str:
    can = "one settlement" if values["most"] == 1 else f"1 to {values['most']} settlements"
    return f"You can build {can} on {values['hex']} now, not {values['named']}."


def _not_to_the_right(values: Values) -> str:
    column = values["free_from"]
    free = "use another row" if column is None else f"use column {column} or further right"
    return f"A representative is in row {values['row']}, column {values['column']}; {free}."


def _too_few_pumpkins(values: Values) -> str:
    with_it = ", including the one you take" if values["one_to_come"] else ""
    cost = amount(values["cost"], "pumpkin")
    return f"Column {values['column']} costs {cost}; you have {values['held']}{with_it}."


def _wrong_reward(values: Values) -> str:
    if values["goods"]:
        return f"Row {values['row']} upgrades nothing; name {amount(values['goods'], 'good')} to take."
    return f"Row {values['row']} gives no goods to take; name up to {amount(values['upgrades'], 'good')} to upgrade."


def _wrong_number(values: Values) -> str:
    if values["goods"]:
        return f"Row {values['row']} gives exactly {amount(values['goods'], 'good')}; you named {values['named']}."
    return f"Row {values['row']} upgrades up to {values['upgrades']}; you named {values['named']}."


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"


def _goods(goods: Sequence[Sequence[Any]]) -> str:
    return listed(quantity(count, Good(good)) for good, count in goods) or "nothing"


SENTENCES: Final[Mapping[str, Sentence]] = {
    "return_first": _unless_asked(
        "You have {held} workers and room for eight; return some before you take another.",
        "You have room for eight workers only; that comes first.",
    ),
    "choose_first": "The arrow shows workers of any kind; first choose two.",
    "in_town": lambda values: f"The town comes first. {_now(values)}",
    "reward_due": lambda values: f"Your reward comes first. {_now(values)}",
    "spin_first": "Wheat moves the arrow only after a spin; recruit first.",
    "harvest_first": "The small box comes after the large box of the same slot; harvest there first.",
    "nothing_to_choose": _unless_asked(
        "You choose workers only when the arrow shows workers of any kind; recruit first.",
        "The arrow shows no workers to choose.",
    ),
    "nobody_in_town": _unless_asked(
        "Nobody is in town, so there is nothing to pass; recruit, harvest or build.", "There is nothing to pass."
    ),
    "no_reward_due": _unless_asked(
        "Goods are taken and exchanged in the shop; go to town first.", "No reward of the shop is due."
    ),
    "act_first": "In a turn you recruit, harvest or build; do one of them before you end it.",
    "arrow_moved": lambda values: f"You have already moved the arrow, which moves only once in a turn. {_now(values)}",
    "small_box_used": lambda values: f"You have already used the small box of your slot. {_now(values)}",
    "no_spin": lambda values: (
        f"Wheat moves the arrow only when you recruit, and this turn you did something else. {_now(values)}"
    ),
    "no_slot": lambda values: f"You have not harvested in any slot this turn. {_now(values)}",
    "action_taken": lambda values: (
        f"In a turn you recruit, harvest or build, and you have already done that. {_now(values)}"
    ),
    "no_canteen": "You have no canteen; just end your turn.",
    "no_such_space": _no_such_space,
    "no_such_slot": lambda values: (
        f"The {noun(Area(values['area']))} has slots 1 to {values['slots']}, not {values['slot']}."
    ),
    "slot_taken": lambda values: f"{_slot(values)} is taken; free there: {_numbers(values['free'])}.",
    "too_few_coins": lambda values: (
        f"{_slot(values)} costs {amount(values['price'], 'coin')}; you have {values['held']}."
    ),
    "space_taken": lambda values: f"Space {values['space']} of the bank is taken; free: {_numbers(values['free'])}.",
    "wrong_workers": _wrong_workers,
    "worker_missing": _worker_missing,
    "wrong_segments": "The arrow moves 1 to {most} segments, one wheat for each; you said {wheat}.",
    "too_few_goods": _too_few_goods,
    "nothing_to_return": "You return workers only when you have more than eight; you have {held}.",
    "not_in_your_turn": "Cows are traded in your own turn only.",
    "no_cow": "You have no cow to trade; a settlement on a hex with a cow, or the shop, gives one.",
    "not_for_cows": _not_for_cows,
    "nothing_to_take": _nothing_to_take,
    "three_built": "You have built three times this turn, which is the maximum.",
    "no_settlement_left": "All your settlements are on the board.",
    "no_such_hex": "The board has no hex {hex}.",
    "wrong_terrain": "{hex} is a {terrain}, where nothing can be built.",
    "hex_taken": _hex_taken,
    "not_adjacent": "{hex} is next to neither the start tile nor a settlement.",
    "wrong_settlements": _wrong_settlements,
    "not_to_the_right": _not_to_the_right,
    "too_few_pumpkins": _too_few_pumpkins,
    "wrong_reward": _wrong_reward,
    "wrong_number": _wrong_number,
    "not_in_row": lambda values: (
        f"Row {values['row']} gives wheat, small copper and small stone; not {noun(Good(values['good']))}."
    ),
    "not_upgradable": lambda values: (
        f"Only small copper and small stone can be upgraded, not {noun(Good(values['good']))}."
    ),
}
"""The sentences of problems by code."""


def _end(values: Values) -> str:
    wishes = ["trade a cow"] if values["trade"] else []
    wishes += ["use a canteen"] if values["canteen"] else []
    return as_sentence(either([*wishes, "end your turn"]))


PROMPTS: Final[Mapping[str, Sentence]] = {
    "return": lambda values: f"Return {amount(values['number'], 'worker')} to the supply.",
    "choose": "Choose two workers.",
    "turn": lambda values: as_sentence(either(values["possible"])),
    "recruited": "Move the arrow with wheat, or end your turn.",
    "harvested": "Harvest once more in the same slot, or end your turn.",
    "move": "Move your overtaken representative, or pass.",
    "place": "Place your representative in the shop, or pass.",
    "take": lambda values: f"Name {amount(values['number'], 'good')} to take.",
    "upgrade": lambda values: f"Name up to {amount(values['number'], 'good')} to upgrade.",
    "build": "Build another settlement, or end your turn.",
    "end": _end,
}
"""The sentences of prompts by code."""

ENDINGS: Final[Mapping[str, Sentence]] = {
    "last_settlement": "A seat has built its last settlement.",
    "no_room": "There is no hex left to build on.",
}
"""The sentences of what triggers the end by code."""

SCORE_LABELS: Final[Mapping[str, str]] = {
    "settlements": "settlements",
    "animals": "cows and canteens",
    "belongings": "goods, coins and workers",
    "left": "settlements left",
}
"""What the lines of a score sheet are called."""

ACTION_WORDS: Final[Mapping[str, str]] = {
    "wheat": "Wheat for the arrow",
    "workers": "Workers",
    "worker": "Worker",
    **{f"{field}={kind}": f"{kind.capitalize()} worker" for field in ("workers", "worker") for kind in WORKERS},
    "goods": "Goods",
    "good": "Good",
    **{f"{field}={good}": noun(good).capitalize() for field in ("goods", "good") for good in GOODS},
    "space": "Space of the bank",
    "area": "Area",
    **{f"area={area}": noun(area).capitalize() for area in AREAS},
    "slot": "Slot",
    "row": "Row of the shop",
    "column": "Column of the shop",
    "hex": "Hex",
    "settlements": "Settlements",
    "type=recruit": "Spin the wheel",
    "type=move_arrow": "Move the arrow",
    "type=choose": "Choose workers",
    "type=return": "Return workers",
    "type=bank": "Use the bank",
    "type=harvest": "Harvest",
    "type=again": "Harvest one more",
    "type=town": "Go to the shop",
    "type=pass": "Stay out of the shop",
    "type=take": "Take goods",
    "type=upgrade": "Upgrade goods",
    "type=build": "Build",
    "type=trade_good": "Trade a cow for a good",
    "type=trade_coins": "Trade a cow for coins",
    "type=trade_worker": "Trade a cow for a worker",
    "type=canteen": "Use a canteen",
    "type=end": "End the turn",
}
"""What the fields and values of actions are called."""
