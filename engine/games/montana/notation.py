"""The notation of Montana: reads lines in many spellings, writes each action in one."""

from __future__ import annotations

from typing import Final, assert_never

from engine.games.montana.actions import (
    Action,
    Build,
    ChooseWorkers,
    EndTurn,
    Harvest,
    HarvestAgain,
    LayStart,
    LayTile,
    MoveArrow,
    Pass,
    PlaceInTown,
    Recruit,
    ReturnWorkers,
    Spin,
    TakeGoods,
    TradeForCoins,
    TradeForGood,
    TradeForWorker,
    Upgrade,
    UseBank,
    UseCanteen,
)
from engine.games.montana.components import Good
from engine.games.montana.grammar import ACTIONS_SAID, read_action
from engine.games.montana.vocabulary import read
from engine.reading import read_actions

NOTATION: Final = """\
One line for each action, or a whole turn on one line with ";" between them.
Capitals do not matter. A hex is a column letter and a row number: C5.

  recruit                    spin the wheel and take two workers
  wheat 2                    after it: pay 2 wheat, move the arrow 2 segments
  choose stone wheat         the arrow shows any workers: take these two
  return stone               you have more than eight workers: give one back
  bank 3 stone copper        two workers to the third space of the bank
  harvest mine 2 copper      one worker to slot 2 of the mine (large box)
  again stone wheat          two workers to the small box of the same slot
  town 2 column 3            your representative to row 2, column 3
  pass                       stay out of the shop
  take wheat wheat stone     your row of the shop gives goods: name them
  upgrade copper stone       your row upgrades: name small goods, or nothing
  build C5                   pay and build, all free settlements included
  build D4 x2                the same with two settlements in all, not more
  trade cow for wheat        or pumpkin, copper, stone, coins
  trade cow for wheat worker
  canteen                    spend a canteen: another turn follows at once
  end                        end your turn

Workers:  wheat pumpkin copper stone, or their colours beige orange brown grey
Goods:    wheat pumpkin copper stone; copper and stone are the small ones
Areas:    mine quarry field garden; "mine 2 copper" will do for a harvest
Letters w p c s and numbers are read too: "bank 3 s c", "take 2w s".
Sentences are read, too: "send stone and copper to space 3 of the bank",
"trade 2 cows for coins", also in French and Italian.
A line is understood as a whole, or refused.
A whole turn: harvest mine 2 copper; again stone wheat; end
"""


def format_action(action: Action) -> str:
    """The action as a line of notation; ``parse`` reads it back."""
    match action:
        case Recruit():
            return "recruit"
        case MoveArrow(wheat):
            return f"wheat {wheat}"
        case ChooseWorkers(workers):
            return " ".join(("choose", *workers))
        case ReturnWorkers(workers):
            return " ".join(("return", *workers))
        case UseBank(space, workers):
            return " ".join((f"bank {space}", *workers))
        case Harvest(area, slot, workers):
            return " ".join((f"harvest {area} {slot}", *workers))
        case HarvestAgain(workers):
            return " ".join(("again", *workers))
        case PlaceInTown(row, column):
            return f"town {row} column {column}"
        case Pass():
            return "pass"
        case TakeGoods(goods):
            return " ".join(("take", *(_good_words(good) for good in goods)))
        case Upgrade(goods):
            return " ".join(("upgrade", *(_good_words(good) for good in goods))) if goods else "upgrade nothing"
        case Build(hexagon, settlements):
            return f"build {hexagon}" if settlements is None else f"build {hexagon} x{settlements}"
        case TradeForGood(good):
            return f"trade cow for {_good_words(good)}"
        case TradeForCoins():
            return "trade cow for coins"
        case TradeForWorker(worker):
            return f"trade cow for {worker} worker"
        case UseCanteen():
            return "canteen"
        case EndTurn():
            return "end"
        case LayTile(tile, turned):
            return f"lay tile {tile} turned {turned}"
        case LayStart(hexagon):
            return f"lay start {hexagon}"
        case Spin(segment):
            return f"spin {segment}"
        case _:
            assert_never(action)


def parse(line: str) -> tuple[Action, ...]:
    """The actions on a line, at least one. Raises ``NotationError``.

    Illegal actions are read, too: whether two workers are enough is checked by the rules.
    """
    return read_actions(read(line), read_action, ACTIONS_SAID)


def _good_words(good: Good) -> str:
    return good.value.replace("_", " ")
