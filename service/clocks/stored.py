"""Clocks and what stopped them as JSON documents, in which defaults are left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final

from service.clocks.history import Stop, Stops
from service.clocks.seat import SeatClock

_DEFAULTS: Final = asdict(SeatClock(0))


def clock_document(clock: SeatClock) -> dict[str, Any]:
    """A clock as a document."""
    return {name: value for name, value in asdict(clock).items() if name == "left" or value != _DEFAULTS[name]}


def clock_of(document: Mapping[str, Any]) -> SeatClock:
    """The clock of a document."""
    return SeatClock(**document)


def stops_document(stops: Iterable[Stop]) -> list[list[Any]]:
    """Stops as a document."""
    return [[stop.kind, stop.start, stop.end] for stop in stops]


def stops_of(document: Iterable[Any]) -> Stops:
    """The stops of a document."""
    return tuple(Stop(kind, start, end) for kind, start, end in document)


def stops_by_seat_document(stops: Mapping[int, Stops]) -> dict[str, Any] | None:
    """The stops of several seats as a document; ``None`` where there are none."""
    return {str(seat): stops_document(each) for seat, each in sorted(stops.items())} or None


def stops_by_seat(document: Mapping[str, Any] | None) -> dict[int, Stops]:
    """The stops of several seats."""
    return {int(seat): stops_of(each) for seat, each in (document or {}).items()}
