"""The sentence for each problem, prompt and end of a match; labels of scores, words of actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from engine.games.oregon.components import GROUND, Building, Deck, Symbol, noun, terrain_name
from engine.sentences import filled_in
from engine.types import Problem, Sentence
from engine.wording import a, amount, as_sentence, either, listed

Values: TypeAlias = Mapping[str, Any]
_WISHES: Final = {"draw": "draw", "set_aside": "set a card aside", "done": "end your turn"}
_COUNT_WORDS: Final = ("none", "one", "two", "three", "four")


def explain(problem: Problem) -> str:
    """The sentence for a problem, followed by the free spaces, or by what is possible instead."""
    said = filled_in(SENTENCES, problem)
    if problem.values.get("possible"):
        return f"{said} Possible now: {either(problem.values['possible'])}."
    return f"{said} {_free(problem.values)}" if "free" in problem.values else said


def _free(values: Values) -> str:
    label = "Spaces free for it" if values["free_for"] == "tile" else "Free with these cards"
    more = f" and {values['more']} more" if values["more"] else ""
    return f"{label}: {', '.join(values['free']) or 'no space'}{more}."


def _start_tile_first(values: Values) -> str:
    tile = values["tile"]
    return f"Place your start tile first{'' if tile is None else f', {a(noun(tile))}'}."


def _plays_over(values: Values) -> str:
    because = {
        "discarded": "You have discarded because no play was possible.",
        "opening": "Cards are discarded instead of the play that opens a turn.",
    }
    return because.get(values["because"], "Your plays are over.")


def _play_first(values: Values) -> str:
    if values["wish"] == "extra_turn":
        return "An extra turn follows a play; make your first play of this turn."
    if values["extra"]:
        return f"You cannot {_WISHES[values['wish']]} now: you have used your extra turn, so its play comes first."
    return f"You cannot {_WISHES[values['wish']]} before you have made a play."


def _discard_first(values: Values) -> str:
    if values["wish"] == "extra_turn":
        return "No play is possible: discard two cards, after which no extra turn follows."
    return f"No play is possible: discard two cards before you {_WISHES[values['wish']]}."


def _extra_turn_used(values: Values) -> str:
    what = "; make its play" if values["play_due"] else ""
    return f"You have already used an extra turn, and there is at most one in a turn{what}."


def _joker_inactive(values: Values) -> str:
    said = "Your joker token is inactive; a warehouse that scores for you makes it active again."
    return said if values["play"] is None else f"{said} Possible now, for instance: {_play(values['play'])}."


def _wrong_card_count(values: Values) -> str:
    piece, number = values["piece"], values["named"]
    if piece is None:
        return f"You discard exactly two cards; you named {number}."
    joker = values["joker"]
    if piece == "farmer" and joker:
        costs = "With the joker a farmer costs one landscape card"
    elif piece == "farmer":
        costs = "A farmer costs two landscape cards, one of which an active joker can replace"
    elif joker:
        costs = "The joker stands for the landscape card of a building, so no landscape card is named"
    else:
        costs = "A building costs a landscape card too, which an active joker can replace"
    return f"{costs}; you named {_count(number)}."


def _card_not_in_hand(values: Values) -> str:
    word, held, hand = noun(values["card"]), values["held"], values["hand"]
    if held == 0:
        said = f"You hold no {word} card"
    else:
        said = f"You hold {_count(held)} {word} card{'' if held == 1 else 's'}, not {_count(values['named'])}"
    if not hand:
        return f"{said}, and no {values['kind']} card at all."
    return f"{said}; your {values['kind']} {'card is' if len(hand) == 1 else 'cards are'} {listed(map(noun, hand))}."


def _space_taken(values: Values) -> str:
    by = {"own_farmer": "your own farmer", "other_farmer": "another seat's farmer"}
    return f"{values['space']} is taken by {by[values['by']] if values['by'] in by else a(noun(values['by']))}."


def _wrong_terrain(values: Values) -> str:
    building = Building(values["building"])
    where = f"{terrain_name(GROUND[building])}{' next to water' if building is Building.HARBOUR else ''}"
    return f"{a(noun(building)).capitalize()} goes on {where}; {values['space']} is {values['terrain']}."


def _outside_area(values: Values) -> str:
    cards = [noun(card) for card in values["cards"]]
    if values["joker"]:
        named = f"{cards[0].capitalize()} and the joker name {_bands(values)}"
    elif len(values["areas"]) == 1:
        named = f"Two {cards[0]} cards name {values['areas'][0]}"
    else:
        named = f"{cards[0].capitalize()} and {cards[1]} meet in {' and '.join(values['areas'])}"
    return f"{named}; {_located(values)}."


def _bands(values: Values) -> str:
    return f"columns {values['columns']} and rows {values['rows']}"


def _located(values: Values) -> str:
    return f"{values['space']} is in {a(noun(values['column']))} column and {a(noun(values['row']))} row"


def _card_useful(values: Values) -> str:
    word, left = noun(values["building"]), values["left"]
    there = f"there {'is' if left == 1 else 'are'} {amount(left, f'{word} tile')}"
    if values["duplicates"]:
        return f"A card is set aside when no tile of it is left, or when it is a second one just drawn; {there}."
    return f"A card is set aside only when no tile of it is left; {there}, so keep the card."


def _play(values: Values) -> str:
    """A play in words: "a farmer on C7 with bison and the joker"."""
    piece = "a farmer" if values["piece"] == "farmer" else a(noun(values["piece"]))
    paid = [noun(card) for card in values["cards"]]
    if values["joker"]:
        paid.append("the joker")
    return f"{piece} on {values['space']} with {' and '.join(paid)}"


def _count(number: int) -> str:
    return _COUNT_WORDS[number] if number < len(_COUNT_WORDS) else str(number)


SENTENCES: Final[Mapping[str, Sentence]] = {
    "start_tile_first": _start_tile_first,
    "start_tile_placed": "Your start tile is already on the board.",
    "no_such_space": "There is no space {space!r}; spaces are named A1 to O10.",
    "space_taken": _space_taken,
    "wrong_terrain": _wrong_terrain,
    "harbour_without_water": "A harbour must touch water, at least at a corner; {space} does not.",
    "farmer_on_water": "{space} is water, where no farmer can stand.",
    "outside_area": _outside_area,
    "outside_band": lambda values: f"The {noun(values['card'])} card names {_bands(values)}; {_located(values)}.",
    "wrong_card_count": _wrong_card_count,
    "card_not_in_hand": _card_not_in_hand,
    "joker_inactive": _joker_inactive,
    "no_farmer_left": "All {farmers} of your farmers are on the board: what can still be placed is a building.",
    "stack_empty": lambda values: (
        f"No {noun(values['building'])} tile is left; its card can only be set aside when you draw."
    ),
    "plays_over": _plays_over,
    "play_first": _play_first,
    "discard_first": _discard_first,
    "extra_turn_needed": "You have made your play; a second one needs your extra turn token, so use that first.",
    "extra_turn_used": _extra_turn_used,
    "extra_turn_inactive": "Your extra turn token is inactive; a station that scores for you makes it active again.",
    "no_extra_turn_after_discard": "No extra turn follows when you had to discard.",
    "refill_begun": "You have begun to refill your hand, and an extra turn comes before that.",
    "no_play_left": "The cards left in your hand allow no play, so the extra turn cannot be used.",
    "play_possible": lambda values: (
        f"You discard only when no play is possible; one is, for instance {_play(values['play'])}."
    ),
    "hand_full": "You already hold four cards.",
    "hand_not_full": lambda values: (
        f"You hold {amount(values['cards'], 'card')}; draw up to four before you end your turn."
    ),
    "deck_empty": "The {deck} deck and its discards are empty.",
    "needs_both_kinds": "You must end with at least one {lacking} card in hand.",
    "card_useful": _card_useful,
    "cannot_replace": "The decks and discards could not complete your hand afterwards, so the card has to stay.",
}
"""The sentences of problems by code."""


def _start(values: Values) -> str:
    tile = values["tile"]
    return f"Place your start tile{'' if tile is None else f', {a(noun(tile))}'}."


def _refill(values: Values) -> str:
    wishes = ["use your extra turn"] if values["extra_turn"] else []
    wishes.append(f"draw {amount(values['draw'], 'card')}" if values["draw"] else "end your turn")
    if values["set_aside"]:
        wishes.append("set a useless building card aside")
    return as_sentence(", or ".join(wishes))


PROMPTS: Final[Mapping[str, Sentence]] = {
    "start": _start,
    "play": lambda values: f"Play cards to place {either(map(a, values['pieces']))}.",
    "discard": "Discard two cards, as no play is possible.",
    "extra": "Make the second play of your extra turn.",
    "refill": _refill,
}
"""The sentences of prompts by code."""


def _empty_stacks(values: Values) -> str:
    stacks = values["stacks"]
    return f"{len(stacks)} stacks of building tiles are empty ({', '.join(map(noun, stacks))})."


ENDINGS: Final[Mapping[str, Sentence]] = {
    "last_farmer": "A seat has placed its last farmer.",
    "empty_stacks": _empty_stacks,
}
"""The sentences of what triggers the end by code."""

SCORE_LABELS: Final[Mapping[str, str]] = {
    "track": "points on the track",
    "coal": "coal",
    "gold": "gold",
    "farmers": "farmers on the board",
}
"""What the lines of a score sheet are called."""

OPTION_WORDS: Final[Mapping[str, str]] = {"discard_duplicates": "Equal building cards may be set aside"}
"""What the options are called."""

ACTION_WORDS: Final[Mapping[str, str]] = {
    "space": "Space",
    "cards": "Landscape cards",
    "symbols": "Landscape cards",
    "building": "Building",
    "buildings": "Building cards",
    "joker": "Joker",
    "joker=true": "Joker",
    "deck": "Deck",
    **{f"deck={deck}": f"{deck.capitalize()} deck" for deck in Deck},
    **{f"{field}={each}": noun(each).capitalize() for field in ("cards", "symbols") for each in Symbol},
    **{f"{field}={each}": noun(each).capitalize() for field in ("building", "buildings") for each in Building},
    "type=start": "Place the start tile",
    "type=farmer": "Place a farmer",
    "type=building": "Place a building",
    "type=extra": "Use the extra turn",
    "type=draw": "Draw a card",
    "type=set_aside": "Set a card aside",
    "type=discard": "Discard cards",
    "type=done": "End the turn",
}
"""What the fields and values of actions are called."""
