"""``overland simulate GAME``: figures of a sound game, and the seeds of an unsound one."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine import registry
from engine.game import AnyGame
from engine.play import replay
from engine.types import Entry, Setup
from service.cli import main
from service.matches import replays
from tests.engine.toy import BAG, GAME, Bag, Options
from tools.simulate import play as simulation
from tools.simulate.cold import Whole, stored
from tools.simulate.command import Plan, play
from tools.simulate.play import play_match, seeds

pytestmark = pytest.mark.deep

SETUP = Setup(2, Options(), BAG)


def simulated(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "120"}).invoke(main, ["simulate", *arguments])


def figure(result: Result, name: str) -> str:
    found = re.search(rf"{re.escape(name)}\s*│\s*(.*?)\s*│", result.stdout)
    assert found, result.stdout
    return found.group(1)


def test_whole_matches_of_oregon_have_no_dead_end_and_no_broken_invariant() -> None:
    result = simulated("oregon", "--matches", "4", "--players", "3", "--seed", "sound")
    assert result.exit_code == 0
    assert "oregon, 3 seats, random players, seed sound" in result.stdout
    assert (figure(result, "matches"), figure(result, "dead ends"), figure(result, "broken invariants")) == (
        "4",
        "0",
        "0",
    )
    assert float(figure(result, "matches per second")) > 0
    for name in ("plies a match, mean (least to most)", "turns a seat, set-up included", "scores", "winning scores"):
        assert re.fullmatch(r"-?[\d.]+ \(-?\d+ to \d+\)", figure(result, name))
    tenths = [int(limit) for limit in figure(result, "scores, the nine limits between tenths").split()]
    assert (len(tenths), tenths) == (9, sorted(tenths))
    assert figure(result, "listing legal actions, 99th percentile").endswith(" ms")
    assert figure(result, "applying an action, mean").endswith(" ms")


def test_wins_are_shared_out_among_the_seats() -> None:
    shares = figure(simulated("oregon", "--matches", "3", "--seed", "s"), "wins by seat (a shared one in parts)")
    assert sum(float(share) for share in re.findall(r"[\d.]+", shares)) == pytest.approx(100, abs=0.2)


def test_the_same_seed_plays_the_same_matches_whatever_the_number_of_processes() -> None:
    one, same = (
        simulated("oregon", "--matches", "4", "--seed", "s"),
        simulated("oregon", "--matches", "4", "--seed", "s", "--jobs", "2"),
    )
    for name in ("plies a match, mean (least to most)", "scores", "turns a seat, set-up included"):
        assert figure(one, name) == figure(same, name)


def test_greedy_players_score_more_than_random_ones() -> None:
    random, greedy = (
        simulated("oregon", "--matches", "2", "--seed", "s", "--bot", bot) for bot in ("random", "greedy")
    )
    assert float(figure(greedy, "scores").split()[0]) > float(figure(random, "scores").split()[0])


def test_turns_are_not_counted_for_a_player_who_plays_alone() -> None:
    result = simulated("ozeanien", "--players", "1", "--matches", "1", "--seed", "s")
    assert figure(result, "matches") == "1"
    assert "turns a seat" not in result.stdout


def test_a_seed_is_drawn_and_printed_where_none_is_given() -> None:
    result = simulated("oregon", "--matches", "1")
    assert re.search(r"seed [0-9a-f]{8}", result.stdout)


def test_several_bots_move_on_a_seat_by_match_and_their_wins_are_told() -> None:
    result = simulated("oregon", "--matches", "4", "--seed", "s", "--bot", "greedy,random")
    assert "oregon, 2 seats, greedy and random players, seed s" in result.stdout
    assert figure(result, "wins by bot (a shared one in parts)") == "greedy 100.0 %  random 0.0 %"
    assert figure(result, "wins by seat (a shared one in parts)") == "50.0 %  50.0 %"
    plan = Plan("oregon", 3, ("greedy", "random", "random"), "standard")
    assert [play(plan, (number, "s")).bots.index("greedy") for number in range(4)] == [0, 1, 2, 0]


def test_shares_of_scores_beyond_thresholds_are_told() -> None:
    result = simulated("oregon", "--matches", "3", "--seed", "s", "--below", "0", "--below", "1000", "--above", "-100")
    assert (
        figure(result, "scores below 0"),
        figure(result, "scores below 1000"),
        figure(result, "scores above -100"),
    ) == ("0.0 %", "100.0 %", "100.0 %")
    quarters = [int(limit) for limit in figure(result, "scores, the three limits between quarters").split()]
    assert len(quarters) == 3
    assert sorted(quarters) == quarters


def test_what_the_seats_did_is_counted() -> None:
    result = simulated("oregon", "--matches", "2", "--seed", "s", "--actions")
    done = result.stdout.partition("what the seats did")[2]
    (draws,) = re.findall(r"│ draw +│ +│ +(\d+) │ +([\d.]+) │", done)
    decks = re.findall(r"│ +│ deck (?:building|landscape) +│ +(\d+) │", done)
    assert int(draws[0]) == sum(map(int, decks))
    assert float(draws[1]) == pytest.approx(int(draws[0]) / 4, abs=0.01)
    assert re.search(r"│ start +│ +│ +4 │ +1.00 │", done)
    assert "what the seats did" not in simulated("oregon", "--matches", "1", "--seed", "s").stdout


def test_what_a_game_counts_of_its_matches_is_told_with_quarters() -> None:
    result = simulated("montana", "--matches", "2", "--seed", "s")
    mean, *limits = re.findall(r"│ turns +│" + r" +([\d.]+) │" * 6, result.stdout)[0]
    assert [float(limit) for limit in limits] == sorted(float(limit) for limit in limits)
    assert float(limits[0]) <= float(mean) <= float(limits[-1])
    assert "by match" not in simulated("oregon", "--matches", "1", "--seed", "s").stdout


def test_the_longest_match_is_loaded_cold_on_demand() -> None:
    result = simulated("oregon", "--matches", "2", "--seed", "s", "--cold")
    longest = figure(result, "plies a match, mean (least to most)").split(" to ")[1].rstrip(")")
    assert re.search(
        rf"The longest match, {longest} plies, loads cold from SQLite in [\d.]+ to [\d.]+ ms",
        " ".join(result.stdout.split()),
    )
    assert "cold" not in simulated("oregon", "--matches", "1", "--seed", "s").stdout


@pytest.mark.parametrize("name", registry.games())
def test_a_match_loads_cold_into_the_state_it_ended_with(name: str) -> None:
    log: list[Entry[Any]] = []
    game = registry.game(name)
    setup = Setup(max(game.info.seats), game.options(), registry.components(name))
    play_match(game, setup, ("random",), "cold", log)
    with stored(Whole(game, setup, tuple(log))) as (database, match), database.read() as connection:
        assert match.ply == len(log)
        assert replays.rebuilt(connection, match) == replay(game, setup, log)


def test_what_an_action_names_is_counted_once_for_each_time_it_is_named() -> None:
    played = play_match(GAME, SETUP, ("random",), "a")
    offers = {value: count for (kind, name, value), count in played.done.items() if (kind, name) == ("offer", "value")}
    answers = {value: count for (kind, name, value), count in played.done.items() if (kind, name) == ("answer", "take")}
    assert set(offers) <= {"1", "2", "3"}
    assert set(answers) <= {"yes", "no"}
    assert sum(offers.values()) == sum(answers.values()) == played.done["offer", "", ""] > 0


def test_a_component_set_may_be_a_file_and_options_may_be_given(tmp_path: Path) -> None:
    file = tmp_path / "few farmers.json"
    file.write_text(
        json.dumps(registry.component_document("oregon") | {"farmers": {"value": 2, "provenance": "reconstructed"}})
    )
    few = simulated(
        "oregon",
        "--matches",
        "3",
        "--seed",
        "s",
        "--components",
        str(file),
        "--options",
        '{"discard_duplicates": true}',
    )
    assert few.exit_code == 0, few.stderr
    many = simulated("oregon", "--matches", "3", "--seed", "s")
    name = "plies a match, mean (least to most)"
    assert float(figure(few, name).split()[0]) < float(figure(many, name).split()[0])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("oregon", "--bot", "greedy,random,random"), "There are 3 bots for 2 seats"),
        (("oregon", "--options", '{"speed": 1}'), '/speed There is no field "speed" here'),
        (("oregon", "--options", "upright"), "'upright' is not JSON"),
        (("oregon", "--options", "[]"), "'[]' is not an object"),
        (("chess",), "There is no game 'chess'"),
        (("oregon", "--players", "7"), "Oregon is for 2, 3 or 4 players, not 7."),
        (("oregon", "--matches", "0"), "--matches"),
        (("oregon", "--components", "none"), "no component set 'none'"),
        (("oregon", "--bot", "clever"), "--bot"),
    ],
)
def test_what_cannot_be_played_is_a_usage_error(arguments: tuple[str, ...], words: str) -> None:
    result = simulated(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_single_match_has_the_seed_itself_so_that_any_of_many_can_be_played_alone() -> None:
    assert seeds("s", 1) == ["s"]
    assert seeds("s", 3) == ["s/1", "s/2", "s/3"]


def test_a_match_is_a_function_of_its_seed() -> None:
    one, same, other = (play_match(GAME, SETUP, ("random",), seed) for seed in ("a", "a", "b"))
    assert (one.plies, one.scores, one.turns) == (same.plies, same.scores, same.turns)
    assert (one.plies, one.scores) != (other.plies, other.scores)


def test_a_played_match_has_its_figures() -> None:
    played = play_match(GAME, SETUP, ("greedy",), "a")
    assert len(played.scores) == len(played.turns) == 2
    assert played.winners
    assert played.dead_end is None
    assert played.broken == ()
    assert len(played.listing) == sum(played.turns) >= 8
    assert played.applying > 0


def test_a_planning_player_ends_its_matches_and_repeats_them() -> None:
    one, same = (play_match(GAME, SETUP, ("planned",), "a") for _ in range(2))
    assert one.scores
    assert (one.plies, one.scores, one.done) == (same.plies, same.scores, same.done)


def test_what_a_game_counts_of_actions_is_added_up() -> None:
    counting = unsound(occurrences=lambda before, seat, action, after: (f"seat {seat} acted", "acted"))
    played = play_match(counting, SETUP, ("random",), "a")
    assert played.occurred["acted"] == sum(number for (_, name, _), number in played.done.items() if not name)
    assert 0 < played.occurred["seat 0 acted"] < played.occurred["acted"]


def test_what_happened_in_town_is_shown_with_the_actions() -> None:
    result = simulated("montana", "--matches", "1", "--seed", "s", "--bot", "greedy", "--actions")
    assert "row 1 served" in result.stdout.partition("what happened")[2]
    assert "what happened" not in simulated("oregon", "--matches", "1", "--seed", "s", "--actions").stdout


def unsound(**parts: object) -> AnyGame:
    return replace(GAME, **parts)  # type: ignore[arg-type]


def test_a_dead_end_is_found_at_its_ply() -> None:
    played = play_match(
        unsound(candidates=lambda state, seat: () if state.hands[1] else GAME.candidates(state, seat)),
        SETUP,
        ("random",),
        "a",
    )
    assert played.dead_end == played.plies > 0


def test_a_broken_invariant_is_found_at_its_ply() -> None:
    played = play_match(
        unsound(check=lambda state: ("A pearl is lost.",) if sum(state.bag) < 10 else ()), SETUP, ("random",), "a"
    )
    assert played.broken == ((played.plies, "A pearl is lost."),)


def test_a_match_without_outcome_is_broken() -> None:
    played = play_match(unsound(outcome=lambda state: None), SETUP, ("random",), "a")
    assert played.broken == ((played.plies, "Nobody is awaited, but there is no outcome."),)


def test_a_match_without_end_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "MAX_PLIES", 50)
    played = play_match(GAME, Setup(2, Options(), Bag(99, 0, 0)), ("random",), "a")
    assert played.broken == ((50, "The match is not over after 50 plies."),)


def test_an_unsound_game_fails_the_command_and_prints_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = replace(registry.game("oregon"), check=lambda state: ("A card is lost.",))
    monkeypatch.setattr(registry, "game", lambda name: broken)
    result = simulated("oregon", "--matches", "2", "--seed", "s")
    assert result.exit_code == 1
    assert figure(result, "broken invariants") == "2"
    assert (
        "Broken at ply 0: A card is lost. Again: overland simulate oregon --matches 1 --players 2 --bot random"
        " --seed s/2" in result.stderr
    )


def test_a_dead_end_fails_the_command_and_prints_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = replace(registry.game("oregon"), candidates=lambda state, seat: ())
    monkeypatch.setattr(registry, "game", lambda name: stuck)
    result = simulated("oregon", "--matches", "1", "--seed", "s")
    assert result.exit_code == 1
    assert re.search(
        r"Dead end at ply \d+: nothing is legal. Again: overland simulate oregon .* --seed s\n", result.stderr
    )
