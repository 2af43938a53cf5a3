"""Narrates entries in sentences, as a seat or a spectator may know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engine.games.oregon import actions
from engine.games.oregon.board import INDEX, NAMES
from engine.games.oregon.components import Building, Deck, Symbol, noun
from engine.games.oregon.score import Gain, building_gains, farmer_gains, outcome
from engine.games.oregon.state import Due, Ending, Phase, State, building_at
from engine.types import Seat, Viewer
from engine.wording import a, amount, listed, victory

Names = Sequence[str]


def narrate(before: State, seat: Seat, action: actions.Action, after: State, viewer: Viewer, names: Names) -> str:
    """The sentences for one log entry; "" if there is nothing that the viewer may be told."""
    sentences = [_what(before, seat, action, after, viewer, names)]
    if after.ending and not before.ending:
        sentences.append(_ending(after, seat, names))
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        sentences.append(_result(after, names))
    return " ".join(sentence for sentence in sentences if sentence)


def _what(before: State, seat: Seat, action: actions.Action, after: State, viewer: Viewer, names: Names) -> str:
    match action:
        case actions.PlaceStart():
            building = building_at(after, INDEX[action.space])
            assert building is not None
            return f"{names[seat]} places the start tile on {action.space}. It is {a(noun(building))}."
        case actions.PlaceFarmer():
            gains = farmer_gains(after.board, seat, INDEX[action.space])
            placed = f"{names[seat]} places a farmer on {action.space} with {_paid(action.cards, action.joker)}."
            return f"{placed}{_farmer_score(before, after, gains, names)}"
        case actions.PlaceBuilding():
            gains = building_gains(after.board, seat, before.table.seats, INDEX[action.space])
            paid = _paid(action.cards, action.joker)
            built = f"{names[seat]} builds {a(noun(action.building))} on {action.space} with {paid}."
            return f"{built}{_building_score(before, after, action.building, gains, names)}"
        case actions.UseExtraTurn():
            return f"{names[seat]} uses the extra turn."
        case actions.DrawCard():
            return _draw(before, seat, action.deck, viewer, names)
        case actions.SetAside():
            return f"{names[seat]} sets {a(noun(action.building))} card aside."
        case actions.Discard():
            cards = listed([*(noun(card) for card in action.symbols), *(noun(card) for card in action.buildings)])
            return f"{names[seat]} discards {cards}. No play was possible."
        case actions.Done():
            return f"{names[seat]} ends the turn."
        case actions.DealSymbol() | actions.DealBuilding():
            if viewer != action.to:
                return ""
            card = noun(action.symbol if isinstance(action, actions.DealSymbol) else action.building)
            return f"{names[action.to]} {'is dealt' if before.phase is Phase.DEALING else 'draws'} {a(card)} card."
        case actions.DealStartTile():
            return f"{names[action.to]} gets {a(noun(action.building))} as a start tile."
        case actions.DealCoal():
            return f"{names[action.to]} takes a coal token{f' worth {action.value}' if viewer == action.to else ''}."
        case actions.DealGold():
            return f"{names[action.to]} takes a gold token{f' worth {action.value}' if viewer == action.to else ''}."
    assert_never(action)


def _paid(cards: Sequence[Symbol], joker: bool) -> str:
    if len(cards) == 2 and cards[0] is cards[1]:
        return f"two {noun(cards[0])} cards"
    return listed([*(noun(card) for card in cards), *(["the joker"] if joker else [])])


def _farmer_score(before: State, after: State, gains: tuple[Gain, ...], names: Names) -> str:
    if not gains:
        return ""
    seat = gains[0].seat
    points = sum(gain.points for gain in gains)
    total = f" ({amount(points, 'point')} in all)" if len([gain for gain in gains if gain.points > 0]) > 1 else ""
    earned = listed(_gain(gain) for gain in gains)
    return f" {names[seat]} earns {earned}{total}{_short(after, gains)}{_flipped(before, after, seat)}."


def _gain(gain: Gain) -> str:
    source = "a new group" if gain.building is None else f"the {noun(gain.building)} on {NAMES[gain.space]}"
    if gain.mine:
        return f"a {gain.mine.value} token for {source}"
    return f"{amount(gain.points, 'point')} for {source}"


def _building_score(before: State, after: State, building: Building, gains: tuple[Gain, ...], names: Names) -> str:
    if not gains:
        return ""
    parts = []
    for gain in gains:
        earned = amount(gain.points, "point") if gain.mine is None else amount(gain.tokens, f"{gain.mine.value} token")
        farmers = amount(gain.farmers, "farmer")
        parts.append(f"{earned} for {names[gain.seat]} ({farmers}{_flipped(before, after, gain.seat)})")
    return f" The {noun(building)} earns {listed(parts)}{_short(after, gains)}."


def _short(after: State, gains: tuple[Gain, ...]) -> str:
    """R6.7: the sentence part that says that the supply had fewer tokens than were earned."""
    short = [
        mine.value
        for mine in (Due.COAL, Due.GOLD)
        if sum(gain.tokens for gain in gains if gain.mine is mine) > sum(1 for due, _ in after.due if due is mine)
    ]
    return "".join(f"; the {mine} supply is too small for all" for mine in short)


def _flipped(before: State, after: State, seat: Seat) -> str:
    was, now = before.seats[seat], after.seats[seat]
    # A joker that is spent and regained in the same play is active before and after; then nothing
    # is said.
    flipped = ["joker"] if now.joker and not was.joker else []
    flipped += ["extra turn"] if now.extra and not was.extra else []
    return f"; the {' and the '.join(flipped)} {'are' if len(flipped) > 1 else 'is'} active again" if flipped else ""


def _draw(before: State, seat: Seat, deck: Deck, viewer: Viewer, names: Names) -> str:
    drawn = f"{names[seat]} draws a {deck} card."
    if not any(before.landscape_deck if deck is Deck.LANDSCAPE else before.building_deck):
        return f"{drawn} The {deck} discards were shuffled into a new deck for it."
    # The next entry tells the owner which card it is.
    return "" if viewer == seat else drawn


def _ending(after: State, seat: Seat, names: Names) -> str:
    cause = f"{after.stacks.count(0)} stacks of building tiles are empty"
    if after.ending is Ending.LAST_FARMER:
        cause = f"{names[seat]} has placed the last farmer"
    return f"{cause}, so the match ends with this round."


def _result(after: State, names: Names) -> str:
    result = outcome(after)
    assert result is not None
    order = sorted(range(len(names)), key=lambda seat: (result.ranks[seat], seat))
    standings = ", ".join(
        f"{names[seat]} {result.scores[seat]} ({after.seats[seat].score} on the track, coal"
        f" {sum(after.seats[seat].coal)}, gold {sum(after.seats[seat].gold)})"
        for seat in order
    )
    winners = [names[seat] for seat in result.winners]
    tied = [seat for seat in order if result.scores[seat] == result.scores[order[0]]]
    by_farmers = ", with more farmers on the board" if len(winners) == 1 and len(tied) > 1 else ""
    return f"The match is over: {standings}. {victory(winners)}{by_farmers}."
