"""Sealed bids: a small complete game in which all seats act at once, in secret.

- B1 Setup. Every seat has the same number of coins. The lots lie face down in a bag.
- B2 A round begins with a lot that is turned up from the bag.
- B3 Everybody bids at once, secretly: from no coin to all the coins they have.
- B4 When everybody has bid, the bids are opened.
- B5 The highest bid takes the lot and pays its coins to the others, to each the same; coins that
  cannot be shared out are out of the match. Where two or more are highest, nobody takes the lot and
  nobody pays.
- B6 The match ends when the bag is empty. A lot counts its value. Most points win; of equal points,
  more coins; who is equal in both shares the rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, TypeAlias
from xml.sax.saxutils import escape

from engine.documents import About, from_document
from engine.errors import NotationError
from engine.game import Game, Info
from engine.picks import NO_CHOICES, Choices
from engine.sentences import filled_in
from engine.types import CHANCE, Layout, Outcome, Problem, ScoreLine, Seat, Setup, Statement, Viewer

MOST_COINS = 60


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid secretly for the lot."""

    type: ClassVar[str] = "bid"
    coins: Annotated[int, About("How many coins.", minimum=0, maximum=MOST_COINS, example=3)]


@dataclass(frozen=True, slots=True)
class TurnUp:
    """Chance turns up a lot from the bag."""

    type: ClassVar[str] = "turn_up"
    value: int


@dataclass(frozen=True, slots=True)
class Open:
    """The bids are opened: a draw with one outcome."""

    type: ClassVar[str] = "open"
    bids: tuple[int, ...]


Action: TypeAlias = Bid | TurnUp | Open


@dataclass(frozen=True, slots=True)
class Options:
    """There are no options."""


@dataclass(frozen=True, slots=True)
class Sale:
    """The component set: the coins of a seat and the values of the lots."""

    coins: Annotated[int, About("The coins of each seat.", minimum=1, maximum=20)]
    lots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """``bag`` is ascending, ``lot`` the one that is up; ``bids[seat]`` is ``None`` until the seat
    has bid, ``unsold`` holds the lots that nobody took.
    """

    setup: Setup
    bag: tuple[int, ...]
    coins: tuple[int, ...]
    bids: tuple[int | None, ...]
    won: tuple[tuple[int, ...], ...]
    lot: int | None = None
    unsold: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """What the viewer may know: ``bid`` is the viewer's own, until the bids are opened.

    It does not say who has bid already. So it stays the same for those who have not.
    """

    viewer: int | None
    lot: int | None
    bag: int
    coins: tuple[int, ...]
    won: tuple[tuple[int, ...], ...]
    unsold: tuple[int, ...]
    bid: int | None


def start(setup: Setup) -> State:
    sale: Sale = setup.components
    seats = setup.seats
    return State(setup, tuple(sorted(sale.lots)), (sale.coins,) * seats, (None,) * seats, ((),) * seats)


def to_act(state: State) -> tuple[Seat, ...]:
    if state.lot is None:
        return (CHANCE,) if state.bag else ()
    return tuple(seat for seat, bid in enumerate(state.bids) if bid is None) or (CHANCE,)


def prompt(state: State, seat: Seat) -> Statement:
    return Statement("bid", {"lot": state.lot})


def candidates(state: State, seat: Seat) -> tuple[Bid, ...]:
    return tuple(Bid(coins) for coins in range(state.coins[seat] + 1))


def problems(state: State, seat: Seat, action: Action) -> Iterator[Problem]:
    if isinstance(action, Bid) and action.coins > state.coins[seat]:  # B3
        yield Problem("too_few_coins", "B3", {"bid": action.coins, "held": state.coins[seat]})


def explain(problem: Problem) -> str:
    return filled_in(SENTENCES, problem)


SENTENCES = {"too_few_coins": "You cannot bid {bid}: bid from 0 to the {held} you have."}


def outcomes(state: State) -> tuple[tuple[Action, int], ...]:
    if state.lot is None:  # B2
        return tuple((TurnUp(value), state.bag.count(value)) for value in sorted(set(state.bag)))
    return ((Open(tuple(bid or 0 for bid in state.bids)), 1),)  # B4


def apply(state: State, seat: Seat, action: Action) -> State:
    match action:
        case Bid(coins):
            return replace(state, bids=with_item(state.bids, seat, coins))
        case TurnUp(value):
            at = state.bag.index(value)
            return replace(state, bag=state.bag[:at] + state.bag[at + 1 :], lot=value)
        case Open(bids):
            assert state.lot is not None
            opened = replace(state, bids=(None,) * len(bids), lot=None)
            winner = highest(bids)
            if winner is None:
                return replace(opened, unsold=(*state.unsold, state.lot))
            share = bids[winner] // (len(bids) - 1)
            return replace(
                opened,
                coins=with_item(
                    tuple(coins + share for coins in state.coins), winner, state.coins[winner] - bids[winner]
                ),
                won=with_item(state.won, winner, (*state.won[winner], state.lot)),
            )


def with_item(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])


def highest(bids: Sequence[int]) -> Seat | None:
    """The seat whose bid is the highest; ``None`` where there are two (B5)."""
    return bids.index(max(bids)) if list(bids).count(max(bids)) == 1 else None


def standing(state: State) -> tuple[int, ...]:
    return tuple(sum(lots) for lots in state.won)


def outcome(state: State) -> Outcome | None:
    if to_act(state):
        return None
    scores = standing(state)
    worth = list(zip(scores, state.coins, strict=True))
    return Outcome(
        scores,
        tuple(1 + sum(1 for other in worth if other > own) for own in worth),
        Statement("empty_bag"),
        tuple((ScoreLine("lots", points), ScoreLine("coins", coins)) for points, coins in worth),
    )


def observe(state: State, viewer: Viewer) -> Observation:
    bid = None if viewer is None else state.bids[viewer]
    return Observation(viewer, state.lot, len(state.bag), state.coins, state.won, state.unsold, bid)


def seen(state: State, seat: Seat, action: Action, viewer: Viewer) -> Action | None:
    return None if isinstance(action, Bid) and seat != viewer else action


def parse(line: str) -> tuple[Action, ...]:
    actions: list[Action] = []
    for part in re.finditer(r"[^;]+", line):
        found = re.fullmatch(r"\s*bid\s+(\d{1,2})\s*", part.group(), re.IGNORECASE | re.ASCII)
        chance = re.fullmatch(r"\s*(turn up|open)((?: \d+)+)\s*", part.group(), re.IGNORECASE | re.ASCII)
        if chance is not None:
            numbers = tuple(map(int, chance[2].split()))
            actions.append(Open(numbers) if chance[1].lower() == "open" else TurnUp(numbers[0]))
            continue
        if found is None:
            raise NotationError(f'"{part.group().strip()}" is not a bid.', line, part.start(), ("bid 3",))
        actions.append(Bid(int(found[1])))
    if not actions:
        raise NotationError("There is no bid on this line.", line, 0, ("bid 3",))
    return tuple(actions)


def format_action(action: Action) -> str:
    match action:
        case Bid(coins):
            return f"bid {coins}"
        case TurnUp(value):
            return f"turn up {value}"
        case Open(bids):
            return f"open {' '.join(map(str, bids))}"


def narrate(before: State, seat: Seat, action: Action, after: State, viewer: Viewer, names: Sequence[str]) -> str:
    match action:
        case Bid(coins):
            return f"{names[seat]} bids {coins}." if viewer == seat else f"{names[seat]} bids secretly."
        case TurnUp(value):
            return f"A lot of {value} is turned up."
        case Open(bids):
            said = ", ".join(f"{name} {bid}" for name, bid in zip(names, bids, strict=False))
            winner = highest(bids)
            took = "Nobody takes" if winner is None else f"{names[winner]} takes"
            return f"The bids are opened: {said}. {took} the lot of {before.lot}."


def text(observation: Observation, names: Sequence[str]) -> str:
    lines = [f"Lot: {observation.lot or 'none'}   In the bag: {observation.bag}   Unsold: {len(observation.unsold)}"]
    if observation.bid is not None:
        lines.append(f"Your bid: {observation.bid}")
    for seat, name in enumerate(names):
        lines.append(f"{name[:20]:20} coins: {observation.coins[seat]:2}   lots: {sum(observation.won[seat]):3}")
    return "\n".join(lines)


def svg(
    observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP, choices: Choices = NO_CHOICES
) -> str:
    rows = text(observation, names).splitlines()
    lines = "".join(
        f'<text x="8" y="{20 * (row + 1)}" font-family="DejaVu Sans">{escape(line)}</text>'
        for row, line in enumerate(rows)
    )
    size = f'viewBox="0 0 640 {20 * len(rows) + 12}"'
    about = f"<title>Sealed Bids</title><desc>{observation.bag} lots are in the bag.</desc>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{about}{lines}</svg>'


def check(state: State) -> tuple[str, ...]:
    sale: Sale = state.setup.components
    lots = [*state.bag, *state.unsold, *(lot for lots in state.won for lot in lots)]
    lots += [] if state.lot is None else [state.lot]
    broken = [] if sorted(lots) == sorted(sale.lots) else [f"There are the lots {sorted(lots)}, not {sale.lots}."]
    return (*broken, *(f"Seat {seat} has {coins} coins." for seat, coins in enumerate(state.coins) if coins < 0))


def evaluate(state: State, seat: Seat) -> float:
    bid = state.bids[seat]
    undecided = 0.0 if bid is None or state.lot is None else -abs(bid - state.lot)
    return sum(state.won[seat]) + 0.5 * state.coins[seat] + undecided


def load_components(document: Mapping[str, Any]) -> Sale:
    return from_document(Sale, document)


COMPONENTS = {"coins": 20, "lots": [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]}
SALE = load_components(COMPONENTS)
GAME: Game[State, Action, Observation] = Game(
    info=Info(
        name="sealed",
        title="Sealed Bids",
        summary="Bid for lots, all at once and in secret.",
        credits="Made for the tests.",
        seats=(2, 3),
        rules_version=1,
        notation="bid 0..60",
        seat_colours=("red", "blue", "green"),
    ),
    actions=(Bid,),
    chance_actions=(TurnUp, Open),
    options=Options,
    components=Sale,
    observation=Observation,
    load_components=load_components,
    setup=start,
    to_act=to_act,
    prompts={"bid": "Bid for the lot of {lot}."},
    endings={"empty_bag": "The bag is empty."},
    score_labels={"lots": "lots", "coins": "coins"},
    action_words={"coins": "Coins", "type=bid": "Bid"},
    prompt=prompt,
    candidates=candidates,
    problems=problems,
    explain=explain,
    outcomes=outcomes,
    apply=apply,
    outcome=outcome,
    standing=standing,
    observe=observe,
    seen=seen,
    parse=parse,
    format=format_action,
    narrate=narrate,
    text=text,
    svg=svg,
    check=check,
    evaluate=evaluate,
)
