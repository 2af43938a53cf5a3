"""What a mail may say of a match: what happened up to its ply, for one viewer."""

from __future__ import annotations

from typing import Any

from engine.play import walk
from engine.types import Entry
from service.notices.seat_view import Example, SeatView, view_of
from tests.service.notices.pearls import GAME, NAMES, dive, setup

LOG: tuple[Entry[Any], ...] = (*dive(0, 3), *dive(1, 2), *dive(0, 1))


def seen_by(log: tuple[Entry[Any], ...], viewer: int, since: int = 0) -> SeatView:
    steps = list(walk(GAME, GAME.setup(setup()), 0, log))
    state = steps[-1].after
    return view_of(GAME, state, steps[since:], viewer, NAMES, GAME.to_act(state))


def test_what_happened_is_told_from_the_ply_asked_for() -> None:
    assert seen_by(LOG, 1, since=4).told == ("Anna dives. Anna draws a pearl.",)


def test_the_sentences_of_each_turn_are_grouped() -> None:
    assert seen_by(LOG, 1).told == (
        "Anna dives. Anna draws a pearl.",
        "Ben dives. Ben draws a pearl of 2.",
        "Anna dives. Anna draws a pearl.",
    )


def test_a_player_is_told_of_their_own_draws() -> None:
    assert seen_by(LOG, 0).told[0] == "Anna dives. Anna draws a pearl of 3."


def test_the_awaited_player_is_asked_and_gets_the_legal_moves() -> None:
    seen = seen_by(LOG, 1)
    assert (seen.awaited, seen.asked) == ((1,), {1: "Dive, or offer a pearl."})
    assert seen.moves is not None
    assert seen.moves.lines == ("dive", "offer 2")
    assert seen.moves.listing.total == 2
    assert seen.moves.example == Example(2, ("offer 2",))


def test_a_waiting_player_is_asked_nothing_but_sees_what_others_are_asked() -> None:
    seen = seen_by(LOG, 0)
    assert seen.moves is None
    assert (seen.awaited, seen.asked) == ((1,), {1: "Dive, or offer a pearl."})


def test_logs_that_differ_in_hidden_draws_give_equal_views() -> None:
    other = (*dive(0, 1), *dive(1, 2), *dive(0, 2))
    assert seen_by(LOG, 1) == seen_by(other, 1)
    assert seen_by(LOG, 0) != seen_by(other, 0)
