"""The notation of Oregon: reads lines in many spellings, writes each action in one."""

from __future__ import annotations

from typing import Final, assert_never

from engine.games.oregon.actions import (
    Action,
    DealBuilding,
    DealCoal,
    DealGold,
    DealStartTile,
    DealSymbol,
    Discard,
    Done,
    DrawCard,
    PlaceBuilding,
    PlaceFarmer,
    PlaceStart,
    SetAside,
    UseExtraTurn,
)
from engine.games.oregon.grammar import ACTIONS_SAID, read_action
from engine.games.oregon.vocabulary import BUILDING_NAMES, read
from engine.reading import read_actions

NOTATION: Final = """\
One line for each action, or a whole turn on one line with ";" between them.
Capitals do not matter. A space is a column letter and a row number: C7.

  start C7                   place your start tile
  farmer bison wagon C7      two landscape cards, a farmer on C7
  farmer bison joker C7      one landscape card and your joker
  building church eagle D3   a building card and a landscape card
  building church joker D3   a building card and your joker
  church eagle D3            the same in short; so is "bison wagon C7"
  extra                      use your extra turn, then play again
  draw landscape             draw a card; "draw building" for the other deck
  draw L L B                 several at once; "draw 2 landscape, 1 building"
  set aside church           put a useless building card away for another
  discard bison church       no play is possible: give two cards away
  done                       end your turn (only when you are asked)

Cards:     wagon bison settler eagle campfire, or just w b s e c
Buildings: post office, harbour, church, coal mine, gold mine, warehouse,
           station, or PO HB CH CM GM WH ST as on the board
The beginning of a word is enough where it is clear: "f b w C7; draw l b".
Sentences are read, too: "place a farmer on C7 with bison and wagon",
"put the church aside", "use your extra turn", also in French and Italian.
A line is understood as a whole, or refused.
A whole turn: farmer bison wagon C7; extra; church eagle D3; draw L L B B
"""


def format_action(action: Action) -> str:
    """The action as a line of notation; ``parse`` reads it back."""
    match action:
        case PlaceStart(space):
            return f"start {space}"
        case PlaceFarmer(space, cards, joker):
            return " ".join(("farmer", *cards, *(("joker",) if joker else ()), space))
        case PlaceBuilding(space, building, cards, joker):
            return " ".join(("building", BUILDING_NAMES[building], *cards, *(("joker",) if joker else ()), space))
        case UseExtraTurn():
            return "extra"
        case DrawCard(deck):
            return f"draw {deck}"
        case SetAside(building):
            return f"set aside {BUILDING_NAMES[building]}"
        case Discard(symbols, buildings):
            return " ".join(("discard", *symbols, *(BUILDING_NAMES[building] for building in buildings)))
        case Done():
            return "done"
        case DealSymbol(to, symbol):
            return f"deal {symbol} to seat {to}"
        case DealBuilding(to, building):
            return f"deal {BUILDING_NAMES[building]} to seat {to}"
        case DealStartTile(to, building):
            return f"deal start {BUILDING_NAMES[building]} to seat {to}"
        case DealCoal(to, value):
            return f"deal coal {value} to seat {to}"
        case DealGold(to, value):
            return f"deal gold {value} to seat {to}"
        case _:
            assert_never(action)


def parse(line: str) -> tuple[Action, ...]:
    """The actions on a line, at least one. Raises ``NotationError``.

    Illegal actions are read, too: whether one card is enough for a farmer is checked by the rules.
    """
    return read_actions(read(line), read_action, ACTIONS_SAID)
