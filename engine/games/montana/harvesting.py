"""Reads where workers are sent in Montana's notation: to a slot of an area, to its small box, to a
space of the bank; the place and the workers in either order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.games.montana.actions import Action, Harvest, HarvestAgain, UseBank
from engine.games.montana.amounts import AMOUNTS_SAID, at_amount, read_workers
from engine.games.montana.components import Area, Worker
from engine.games.montana.terms import Meaning, Thing, Token
from engine.games.montana.vocabulary import Kinds, Line

_PLACES: Final[Kinds] = frozenset((*Area, Token.BANK, Token.SMALL_BOX))
_PLACES_SAID: Final = (*(area.value for area in Area), "bank", "small box")
_NUMBERED: Final[Kinds] = frozenset((Token.SLOT, Token.SPACE))
_AT: Final[Kinds] = frozenset((Token.AT,))
_OF: Final[Kinds] = frozenset((Token.OF, Token.AT))


def read_work(reader: Line, again: bool = False) -> Iterable[Action]:
    """Reads one place and the workers that are sent there; with ``again``, the place is the small
    box of the same slot. Raises ``NotationError``.
    """
    before = reader.at
    place: Meaning | None = Token.SMALL_BOX if again else None
    number: int | None = None
    workers: tuple[Worker, ...] = ()
    while not reader.ended():
        found = _read_place(reader) if place is None else None
        if found is not None:
            place, number = found
        elif not workers and (reader.next_is(frozenset((Token.WITH,))) or at_amount(reader)):
            workers = read_workers(reader, "Say which workers are sent")
        else:
            break
    if again and reader.skip(_AT) is not None and reader.skip(frozenset((Token.SMALL_BOX,))) is None:
        reader.fail_at_next(("the small box",))
    if place is None:
        if not reader.ended():
            reader.take(_PLACES, _PLACES_SAID)
            reader.fail_at_next(_PLACES_SAID)
        reader.fail("Say where to harvest", _PLACES_SAID)
    return (_work(reader, before, place, number, workers),)


def _work(reader: Line, before: int, place: Meaning, number: int | None, workers: tuple[Worker, ...]) -> Action:
    """The action, or an error about what is missing."""
    words = " ".join(workers) or "copper"
    where = place.value if isinstance(place, Area) else str(place.value)
    if number is None and place is not Token.SMALL_BOX:
        what = "space of the bank" if place is Token.BANK else f"slot of the {where}"
        reader.fail(f"Say which {what}, counted from 1", (f"{where} 2 {words}",), None if reader.ended() else before)
    if not workers:
        if not reader.ended():
            reader.take(frozenset(Thing), AMOUNTS_SAID)
            reader.fail_at_next(AMOUNTS_SAID)
        reader.fail(f"Say which workers go to the {where}", AMOUNTS_SAID)
    if isinstance(place, Area) and number is not None:
        return Harvest(place, number, workers)
    if number is not None:
        return UseBank(number, workers)
    return HarvestAgain(workers)


def _read_place(reader: Line) -> tuple[Meaning, int | None] | None:
    """Reads "mine 2", "slot 2 of the mine", "2 mine", "space 3 of the bank", "the small box"; gives
    ``None``, and takes nothing, if no place is next.
    """
    before = reader.at
    reader.skip(_AT)
    label = reader.skip(_NUMBERED)
    number = reader.take_number()
    linked = reader.skip(_OF) if number is not None else None
    place = reader.next_is(_PLACES)
    if place is None or (number is not None and place is Token.SMALL_BOX):
        if label is not None and not reader.ended():
            reader.fail_at_next(_PLACES_SAID)
        reader.go_back(before)
        return None
    reader.skip(frozenset((place,)))
    if number is not None or label is not None or linked is not None:
        return place, number
    if place is not Token.SMALL_BOX:
        reader.skip(_NUMBERED)
        number = reader.take_number()
    return place, number
