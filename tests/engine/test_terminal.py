"""The match at one keyboard, driven by lines as from a pipe."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import NoReturn

import pytest

from engine import __main__ as door
from engine import registry
from engine.errors import NotationError, UnknownGame
from engine.game import AnyGame
from engine.record import Record, read_record, verify
from engine.terminal import LocalMatch, run
from engine.types import Setup
from tests.engine.toy import BAG, COMPONENTS, GAME, Options

SECRET = bytes(32)


def played(*lines: str, bots: Sequence[int] = (), seats: int = 2, game: AnyGame = GAME) -> str:
    said: list[str] = []
    table = LocalMatch(
        game,
        Setup(seats, Options(), BAG),
        COMPONENTS,
        ("Ann", "Bob", "Cleo", "Dan")[:seats],
        bots,
        "hotseat-test",
        SECRET,
    )
    run(table, iter(lines), said.append, lambda name: said.append(f"(the screen goes to {name})"))
    return "\n".join(said)


def test_the_board_of_the_seat_to_act_is_shown_and_what_it_is_asked() -> None:
    text = played()
    assert "=== Ann ===" in text
    assert "Bag: 12" in text
    assert "Ann: Dive, or offer a pearl. (? lists what is legal" in text


def test_the_end_of_the_input_leaves_the_match_unfinished() -> None:
    assert played().endswith("The match is left unfinished.")


def test_quit_leaves_the_match_at_once() -> None:
    text = played("quit", "dive")
    assert text.endswith("The match is left unfinished.")
    assert "dives" not in text


def test_a_line_of_notation_is_played_and_narrated_and_the_screen_passed_on() -> None:
    text = played("dive")
    assert "Ann dives.\nAnn draws a pearl of" in text
    assert "(the screen goes to Bob)" in text


def test_the_next_seat_is_told_only_what_it_may_know() -> None:
    for_bob = played("dive").split("=== Bob ===")[1]
    assert "Ann draws a pearl." in for_bob
    assert "pearl of" not in for_bob
    assert "1 in hand (hidden)" in for_bob


def test_a_question_mark_lists_the_legal_actions_with_numbers() -> None:
    text = played("dive", "dive", "?")
    assert "\n   1  dive\n   2  offer" in text


def test_a_word_after_the_question_mark_filters_the_list_with_its_numbers() -> None:
    listed = played("dive", "dive", "? offer").rsplit("explains)", 2)[1]
    assert "   2  offer" in listed
    assert "1  dive" not in listed
    assert 'No legal action has "swim" in it; legal actions in all: 1.' in played("? swim")


def test_a_number_selects_an_action_of_the_list() -> None:
    assert "Ann offers Bob a pearl" in played("1", "1", "2")


@pytest.mark.parametrize("number", ["0", "2", "99"])
def test_a_number_that_is_not_in_the_list_is_refused(number: str) -> None:
    assert f"There is no number {number}: the legal actions are numbered from 1 to 1." in played(number)


def test_a_line_that_cannot_be_read_is_shown_with_a_caret() -> None:
    text = played("dive; swim")
    assert '  dive; swim\n        ^\n"swim" is not an action of Pearls. Expected dive, offer 1' in text


def test_what_would_fit_is_said_once() -> None:
    def parse(line: str) -> NoReturn:
        raise NotationError('"swim" is no action. Expected dive.', line, 0, ("dive",))

    said: list[str] = []
    table = LocalMatch(
        replace(GAME, parse=parse), Setup(2, Options(), BAG), COMPONENTS, ("Ann", "Bob"), (), "hotseat-test", SECRET
    )
    run(table, iter(["swim"]), said.append, lambda name: None)
    assert "\n".join(said).count("Expected") == 1


def test_an_illegal_action_is_refused_with_its_rule() -> None:
    *shown, asked, left = played().splitlines()
    assert played("offer 2").splitlines() == [
        *shown,
        asked,
        "[P4] You have no pearl of 2; your hand is empty.",
        asked,
        left,
    ]


def test_one_line_may_hold_a_whole_turn_and_more_is_refused() -> None:
    text = played("dive; dive")
    assert "Ann draws a pearl of" in text
    assert "Your turn ended with the action before this one: seat 1 is awaited." in text


def test_an_out_of_turn_seat_is_asked() -> None:
    text = played("dive", "dive", "2")
    assert "(the screen goes to Bob)" in text
    assert "Bob: Take or leave the pearl of" in text


def test_of_several_awaited_seats_the_first_is_asked() -> None:
    assert played(game=replace(GAME, to_act=lambda state: (1, 0))).startswith("\n=== Bob ===")


def test_the_last_narration_can_be_shown_again_to_the_same_seat() -> None:
    text = played("dive", "log")
    assert text.rsplit("explains)", 2)[1].strip().startswith("Ann dives.\nAnn draws a pearl.")


def test_undo_does_not_go_back_past_a_draw_or_another_seat() -> None:
    refusal = "There is nothing to take back: a draw or another seat came in between."
    assert refusal in played("undo")
    assert refusal in played("dive", "undo")
    assert refusal in played("dive", "dive", "2", "undo")


def test_undo_takes_back_actions_that_no_draw_has_followed() -> None:
    patient = replace(
        GAME,
        apply=lambda state, seat, action: state if type(action).__name__ == "Dive" else GAME.apply(state, seat, action),
    )
    said: list[str] = []
    table = LocalMatch(patient, Setup(2, Options(), BAG), COMPONENTS, ("Ann", "Bob"), (), "hotseat-test", SECRET)
    run(table, iter(["dive", "undo", "undo"]), said.append, lambda name: None)
    assert "There is nothing to take back" in "\n".join(said)
    assert len([text for text in said if "Bag: 12" in text]) == 3


def test_board_and_help_are_shown_on_request_and_an_empty_line_is_nothing() -> None:
    text = played("", "board", "help")
    assert text.count("Bag: 12") == 2
    assert "save FILE" in text
    assert GAME.info.notation in text


def test_a_bot_plays_its_seat_and_the_other_is_told() -> None:
    text = played("dive", bots=(1,))
    assert "Bob dives.\nBob draws a pearl." in text
    assert "the screen goes to" not in text


def test_a_bot_plays_a_whole_match_alone() -> None:
    text = played(bots=(0, 1, 2), seats=3)
    assert "The bag is empty." in text
    assert "\n1. " in text


def whole_match(*after: str) -> str:
    luck = Random(1)
    return played(*(luck.choice(["1", "2"]) for _ in range(500)), *after)


def test_at_the_end_the_whole_board_and_the_ranking_are_shown() -> None:
    text = whole_match()
    assert "The bag is empty." in text
    assert "\n1. " in text
    assert "hidden" not in text.split("The bag is empty.")[0].rsplit("Bag: 0", 1)[1]


def test_a_saved_finished_match_is_a_record_that_verifies(tmp_path: Path) -> None:
    file = tmp_path / "pearls.json"
    text = whole_match(f"save {file}", "log", "", "dive", "quit", "save nowhere")
    assert f"The record is in {file}." in text
    assert "The match is over: log, save FILE or quit." in text
    verify(read_record(json.loads(file.read_text())), lambda name, version: GAME)


def test_a_running_match_is_saved_without_its_secrets(tmp_path: Path) -> None:
    file = tmp_path / "pearls.json"
    played("dive", f"save {file}")
    record = read_record(json.loads(file.read_text()))
    assert record.secret is None
    assert record.outcome is None
    assert [logged.action for logged in record.log] == [{"type": "dive"}, None]


def test_saving_needs_a_file_that_can_be_written(tmp_path: Path) -> None:
    assert "Name the file" in played("save")
    assert "cannot be written" in played(f"save {tmp_path / 'missing' / 'pearls.json'}")


@pytest.fixture
def pearls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pearls as if it were registered."""
    monkeypatch.setattr(registry, "games", lambda: MappingProxyType({"pearls": GAME}))
    sets = {"standard": COMPONENTS, "deep-sea": {"ones": 1, "twos": 1, "threes": 7}}
    monkeypatch.setattr(registry, "component_sets", lambda name: tuple(sets))
    monkeypatch.setattr(registry, "component_text", lambda name, which: json.dumps(sets[known(which, sets)]))


def known(name: str, sets: Collection[str]) -> str:
    if name not in sets:
        raise UnknownGame(name)
    return name


def at_the_door(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: str, *arguments: str
) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    assert door.main(("pearls", *arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("pearls")
def test_a_match_can_be_played_through_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = at_the_door(monkeypatch, capsys, "dive\ndive\n", "--seats", "3", "--seed", "s")
    assert "=== Red ===" in text
    assert "=== Green ===" in text
    assert text.endswith("The match is left unfinished.\n")


def verified(file: Path) -> Record:
    """The record in the file, after it was verified."""
    record = read_record(json.loads(file.read_text()))
    verify(record, lambda name, version: GAME)
    return record


@pytest.mark.usefixtures("pearls")
def test_a_record_with_options_and_a_named_component_set_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "saved.json"
    lines = f"save {file}\n"
    at_the_door(
        monkeypatch, capsys, lines, "--option", "hoard=true", "--components", "deep-sea", "--bot", "0", "--bot", "1"
    )
    record = verified(file)
    assert record.options == {"hoard": True}
    assert record.components == {"ones": 1, "twos": 1, "threes": 7}


@pytest.mark.usefixtures("pearls")
def test_a_record_with_components_of_ones_own_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own, file = tmp_path / "own.json", tmp_path / "saved.json"
    own.write_text('{"ones": 3, "twos": 3.0, "threes": 3}')
    at_the_door(monkeypatch, capsys, f"save {file}\n", "--components", f"{own}", "--bot", "0", "--bot", "1")
    assert verified(file).components == {"ones": 3, "twos": 3, "threes": 3}


@pytest.mark.usefixtures("pearls")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--option", "hoards=true"), "/hoards There is no"),
        (("--option", "hoard=perhaps"), '/hoard "perhaps" is not true or false.'),
        (("--option", "hoard"), '"hoard" is not an option with its value'),
        (("--option", "hoard=true", "--option", "hoard=false"), "/hoard This option is given twice."),
        (("--components", "lagoon"), "no component set 'lagoon', and no such file can be read"),
    ],
)
def test_a_wrong_choice_is_refused_with_what_would_work(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        door.main(("pearls", *arguments))
    assert refused.value.code == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert "--option hoard=true or false (default false)" in shown
    assert "--components deep-sea" in shown


@pytest.mark.usefixtures("pearls")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"ones": "many", "twos": 1, "threes": 1}', '/ones "many" is not a whole number.'),
        ('{"ones": 1, "ones": 2}', "occurs twice"),
        ('{"ones": NaN}', "NaN is not a JSON number"),
        ("[]", "is an object"),
        ("{", "This is not JSON"),
        ("\udcff", "not text in UTF-8"),
    ],
)
def test_components_of_ones_own_are_refused_by_json_pointer(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.json"
    own.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SystemExit) as refused:
        door.main(("pearls", "--components", f"{own}"))
    assert refused.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.usefixtures("pearls")
def test_the_help_lists_options_and_component_sets(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as shown:
        door.main(("--help",))
    assert shown.value.code == 0
    text = capsys.readouterr().out
    assert "What can be chosen in Pearls:" in text
    assert "--option hoard=true or false (default false)" in text
    assert "--components deep-sea" in text


@pytest.mark.usefixtures("pearls")
def test_the_same_seed_gives_the_same_match(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "dive\n" * 6
    one, same, other = (at_the_door(monkeypatch, capsys, lines, "--seed", seed) for seed in ("a", "a", "b"))
    assert one == same != other


@pytest.mark.usefixtures("pearls")
def test_a_seat_of_a_bot_is_named_as_such(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Blue (bot) dives." in at_the_door(monkeypatch, capsys, "dive\n", "--bot", "1")


@pytest.mark.usefixtures("pearls")
@pytest.mark.parametrize("arguments", [("chess",), ("pearls", "--seats", "5"), ("pearls", "--bot", "2"), ()])
def test_invalid_arguments_are_refused_with_a_sentence(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        door.main(arguments)
    assert refused.value.code == 2
    assert "error:" in capsys.readouterr().err


@pytest.mark.usefixtures("pearls")
def test_at_a_terminal_hands_are_hidden_until_the_next_player_confirms(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard = io.StringIO("dive\n\n\n")
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", keyboard)
    assert door.main(("pearls", "--seed", "s")) == 0
    before, after = capsys.readouterr().out.split("\033[2J\033[3J\033[H")
    assert "Pass the screen to Blue: press Enter." in before
    assert "Blue, press Enter when nobody else is looking." in after
    assert "=== Blue ===" in after


@pytest.mark.usefixtures("pearls")
def test_an_end_of_file_before_the_confirmation_shows_no_hand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard = io.StringIO("dive\n")
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", keyboard)
    assert door.main(("pearls", "--seed", "s")) == 0
    text = capsys.readouterr().out
    assert "=== Blue ===" not in text
    assert text.endswith("The match is left unfinished.\n")
