"""What is remembered of matches: the latest states, earlier ones spread over the match, no more;
and a cache that is bounded by the size of what it keeps.
"""

from __future__ import annotations

import pytest

from service.kept import EARLIER, RECENT, SHARE, SizedCache, States


def walked(states: States, match_id: str, plies: int) -> None:
    for ply in range(plies + 1):
        states.remember(match_id, ply, f"{match_id} at {ply}")


def found(states: States, match_id: str, ply: int) -> int:
    """The ply that a walk to ``ply`` begins at."""
    nearest = states.nearest(match_id, ply)
    assert nearest is not None
    assert nearest[1] == f"{match_id} at {nearest[0]}", "a state is remembered with its ply"
    return nearest[0]


def test_nothing_is_known_of_a_match_that_was_not_looked_at_or_only_later() -> None:
    states = States(2)
    states.remember("a", 5, "a at 5")
    assert states.nearest("b", 9) is None
    assert states.nearest("a", 4) is None
    assert states.nearest("a", 9) == (5, "a at 5")


def test_the_least_recently_used_match_is_forgotten_first() -> None:
    states = States(2)
    states.remember("a", 1, "a at 1")
    states.remember("b", 1, "b at 1")
    assert found(states, "a", 1) == 1
    states.remember("c", 1, "c at 1")
    assert states.nearest("b", 1) is None
    assert found(states, "a", 1) == 1


def test_an_earlier_state_does_not_replace_a_later_one() -> None:
    states = States(2)
    states.remember("a", 5, "a at 5")
    states.remember("a", 3, "a at 3")
    assert (found(states, "a", 5), found(states, "a", 4)) == (5, 3)
    states.forget()
    assert states.nearest("a", 5) is None


def test_the_latest_states_are_all_there() -> None:
    states = States(2)
    walked(states, "a", 1000)
    assert [found(states, "a", ply) for ply in range(1001 - RECENT, 1001)] == list(range(1001 - RECENT, 1001))


@pytest.mark.parametrize("plies", [10, 100, 1000, 3000])
def test_every_ply_has_a_remembered_state_shortly_before_it(plies: int) -> None:
    states = States(2)
    walked(states, "a", plies)
    farthest = max(ply - found(states, "a", ply) for ply in range(plies + 1))
    assert farthest <= plies / 15


def test_only_the_matches_that_were_used_last_keep_their_earlier_states() -> None:
    states = States(3 * SHARE)
    matches = [f"m{number}" for number in range(3 * SHARE)]
    for match_id in matches:
        walked(states, match_id, 200)
    known = {
        match_id: {found for ply in range(201) if (found := states.nearest(match_id, ply))} for match_id in matches
    }
    assert [len(known[match_id]) for match_id in matches[:-3]] == [RECENT] * (3 * SHARE - 3)
    assert all(EARLIER <= len(known[match_id]) <= RECENT + EARLIER for match_id in matches[-3:])


def test_what_was_not_used_for_the_longest_time_is_forgotten_first() -> None:
    cache = SizedCache[str](6)
    for key, content in (("a", "12"), ("b", "34"), ("c", "56")):
        cache.keep(key, content)
    assert cache.get("a") == "12"
    cache.keep("d", "78")
    assert [cache.get(key) for key in "abcd"] == ["12", None, "56", "78"]


def test_a_larger_content_takes_the_room_of_several() -> None:
    cache = SizedCache[bytes](4)
    cache.keep("a", b"12")
    cache.keep("b", b"34")
    cache.keep("c", b"1234")
    assert [cache.get(key) for key in "abc"] == [None, None, b"1234"]


def test_what_is_larger_than_the_cache_is_not_kept_and_displaces_nothing() -> None:
    cache = SizedCache[str](3)
    cache.keep("a", "123")
    cache.keep("b", "1234")
    assert (cache.get("a"), cache.get("b")) == ("123", None)


def test_a_content_that_is_kept_again_counts_once() -> None:
    cache = SizedCache[str](4)
    cache.keep("a", "12")
    cache.keep("a", "21")
    cache.keep("b", "34")
    assert (cache.get("a"), cache.get("b")) == ("21", "34")
