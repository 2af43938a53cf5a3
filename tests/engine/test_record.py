"""Records: reading, writing, verification, and the refusal of every change in a finished one."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from engine.conformance.subject import played
from engine.documents import to_document
from engine.draws import commitment, drawing, made_nonce
from engine.errors import DocumentError, RecordError, UnknownGame, UnknownVersion
from engine.game import AnyGame
from engine.play import conceded, ended_early, read_action, replay
from engine.record import (
    EarlyEnd,
    Handover,
    LoggedAction,
    Record,
    RecordedClock,
    RecordedStep,
    Resignation,
    StepKind,
    check_noted,
    digest_of,
    names_at,
    read_record,
    setup_of,
    terms_of,
    verify,
    write_record,
)
from engine.types import CHANCE, Ending, Entry, Outcome, Statement
from tests.engine.matches import SECRET, finished_record
from tests.engine.toy import COMPONENTS, GAME

RECORD = finished_record(GAME, COMPONENTS, 2, "one")
DRAWS = [ply for ply, logged in enumerate(RECORD.log) if logged.seat == CHANCE]


def find(name: str, rules_version: int) -> AnyGame:
    if name != "pearls":
        raise UnknownGame(f"There is no game {name!r}.")
    if rules_version != GAME.info.rules_version:
        raise UnknownVersion(f"There is no rules_version {rules_version} of {name}.")
    return GAME


def refusal(record: Record) -> RecordError:
    with pytest.raises(RecordError) as refused:
        verify(record, find)
    return refused.value


def recommitted(record: Record) -> Record:
    """The record of a host who commits to whatever it now says."""
    committed = replace(record, commitment=commitment(SECRET, terms_of(record)))
    return replace(committed, nonces_digest=digest_of(committed))


def with_nonces(*nonces: str) -> Record:
    """The record of a host who exchanged the nonces, and drew and played accordingly."""
    game, setup = setup_of(RECORD, find)
    draw = drawing(SECRET, RECORD.match, RECORD.commitment, nonces)
    log, states = played(game, setup, draw, Random("one"))
    logged = tuple(LoggedAction(entry.seat, to_document(entry.action)) for entry in log)
    exchanged = replace(RECORD, nonces=nonces, log=logged, outcome=game.outcome(states[-1]))
    return replace(exchanged, nonces_digest=digest_of(exchanged))


def with_entry(ply: int, logged: LoggedAction) -> Record:
    return replace(RECORD, log=(*RECORD.log[:ply], logged, *RECORD.log[ply + 1 :]))


def test_a_finished_record_verifies() -> None:
    verified = verify(RECORD, find)
    assert (verified.plies, verified.draws, verified.game, verified.seats) == (len(RECORD.log), len(DRAWS), "Pearls", 2)
    assert verified.outcome == RECORD.outcome


def test_a_record_goes_through_json_unchanged() -> None:
    assert read_record(json.loads(json.dumps(write_record(RECORD)))) == RECORD


def test_a_record_says_which_field_is_missing_or_unknown() -> None:
    document = write_record(RECORD) | {"weather": "fine"}
    del document["log"]
    with pytest.raises(DocumentError) as refused:
        read_record(document)
    assert [pointer for pointer, _ in refused.value.problems] == ["/weather", "/log"]


@pytest.mark.parametrize(("field", "value"), [("format", "overland-record/0"), ("scheme", "overland/0")])
def test_a_record_of_another_version_is_refused_by_name(field: str, value: str) -> None:
    with pytest.raises(DocumentError, match=f'"{value}" is not one of'):
        read_record(write_record(RECORD) | {field: value})


MUTATIONS: dict[str, tuple[Any, str]] = {
    "match": ("match-two", "commitment does not match"),
    "game": ("chess", "no game 'chess'"),
    "rules_version": (2, "rules_version 2"),
    "players": (("Ann", "Bob", "Cleo"), "commitment does not match"),
    "options": ({"hoard": True}, "options"),
    "components": ({**COMPONENTS, "ones": 5}, "components"),
    "commitment": ("0" * 64, "commitment does not match"),
    "nonces": (("nonce-of-0", "nonce-of-9"), "nonces"),
    "log": (RECORD.log[:-1], "log ends before the match does"),
    "secret": ("00" * 32, "secret"),
    "nonces_digest": ("0" * 64, "digest of the nonces is not the one"),
    "outcome": (
        replace(RECORD.outcome or Outcome((), (), Statement("empty_bag")), scores=(99, 0)),
        "outcome does not follow",
    ),
    "resignations": ((Resignation(1, 3),), "resignations"),
    "bots": ({"0": "easy", "1": "easy"}, "Bots are said to have had the seats 0, 1 of 2"),
    "early_end": (EarlyEnd("draw", (0, 1)), "was over before"),
    "handovers": ((Handover(0, 2, "", "Eve", "Fay"),), "Fay, Player 1 have the seats"),
}
UNPROVABLE: dict[str, Any] = {
    "started_at": "1999-01-01T00:00:00Z",
    "finished_at": None,
    "clock": RecordedClock({}, ()),  # service.clocks.recorded verifies it
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_record_with_one_header_changed_is_refused_by_name(name: str) -> None:
    value, words = MUTATIONS[name]
    assert words in str(refusal(replace(RECORD, **{name: value})))


@pytest.mark.parametrize("name", UNPROVABLE)
def test_what_a_record_cannot_prove_is_not_checked(name: str) -> None:
    verify(replace(RECORD, **{name: UNPROVABLE[name]}), find)


def test_the_names_of_players_are_not_checked() -> None:
    verify(replace(RECORD, players=("Somebody", "Else")), find)


def test_every_field_of_a_record_is_changed_in_a_test() -> None:
    assert {field.name for field in fields(Record)} == {*MUTATIONS, *UNPROVABLE, "format", "scheme"}


@pytest.mark.parametrize("ply", DRAWS)
def test_a_changed_draw_is_refused_with_its_ply(ply: int) -> None:
    action = dict(RECORD.log[ply].action or {})
    for value in {1, 2, 3} - {action["value"]}:
        error = refusal(with_entry(ply, LoggedAction(CHANCE, action | {"value": value})))
        assert error.ply == ply
        assert str(error).startswith(f"Ply {ply}: the draw does not follow from the secret")


@pytest.mark.parametrize("ply", range(len(RECORD.log)))
def test_an_entry_of_the_wrong_seat_is_refused_with_its_ply(ply: int) -> None:
    logged = RECORD.log[ply]
    assert refusal(with_entry(ply, replace(logged, seat=0 if logged.seat else 1))).ply == ply


@pytest.mark.parametrize("ply", range(len(RECORD.log)))
def test_an_entry_left_out_or_put_in_is_refused(ply: int) -> None:
    for log in (RECORD.log[:ply] + RECORD.log[ply + 1 :], (*RECORD.log[: ply + 1], *RECORD.log[ply:])):
        assert (refusal(replace(RECORD, log=log)).ply or 0) >= ply


@pytest.mark.parametrize("ply", range(len(RECORD.log)))
def test_an_unreadable_entry_is_refused_with_its_ply(ply: int) -> None:
    error = refusal(with_entry(ply, LoggedAction(RECORD.log[ply].seat, {"type": "fly"})))
    assert (error.ply, "is not an action of Pearls" in str(error)) == (ply, True)


def test_the_first_failure_is_reported_even_if_a_later_entry_is_unreadable() -> None:
    first, last = DRAWS[0], len(RECORD.log) - 1
    tampered = with_entry(first, LoggedAction(CHANCE, {"type": "draw", "to": 0, "value": 9}))
    assert refusal(replace(tampered, log=(*tampered.log[:last], LoggedAction(0, {})))).ply == first


def test_an_entry_after_the_end_is_refused() -> None:
    error = refusal(replace(RECORD, log=(*RECORD.log, LoggedAction(0, {"type": "dive"}))))
    assert error.ply == len(RECORD.log)


def test_a_running_record_is_not_verified() -> None:
    assert "not revealed" in str(refusal(replace(RECORD, secret=None)))


def test_a_concealed_entry_is_not_verified() -> None:
    error = refusal(with_entry(DRAWS[1], LoggedAction(CHANCE, None)))
    assert (error.ply, "concealed" in str(error)) == (DRAWS[1], True)


@pytest.mark.parametrize("secret", ["", "xyz", SECRET.hex().upper() + " ", SECRET.hex()[:-2]])
def test_a_secret_that_is_not_32_bytes_of_hexadecimal_is_refused(secret: str) -> None:
    assert "32 bytes" in str(refusal(replace(RECORD, secret=secret)))


def test_a_new_commitment_of_the_host_does_not_match_the_draws() -> None:
    assert "the draw does not follow" in str(refusal(recommitted(replace(RECORD, match="match-two"))))


def test_options_that_change_only_the_score_do_not_match_the_draws() -> None:
    assert "draw does not follow" in str(refusal(recommitted(replace(RECORD, options={"hoard": True}))))


def test_a_nonce_that_was_swapped_does_not_match_the_draws() -> None:
    swapped = replace(RECORD, nonces=("nonce-of-9", RECORD.nonces[1]))
    assert "digest of the nonces" in str(refusal(swapped))
    assert "draw does not follow" in str(refusal(replace(swapped, nonces_digest=digest_of(swapped))))


def test_a_host_who_swaps_a_nonce_and_all_draws_is_found_by_the_digest_of_the_start() -> None:
    swapped = with_nonces("nonce-of-9", RECORD.nonces[1])
    verify(swapped, find)
    assert swapped.log != RECORD.log
    check_noted(swapped, RECORD.commitment, None)
    with pytest.raises(RecordError, match=f"digest you noted is {RECORD.nonces_digest}"):
        check_noted(swapped, RECORD.commitment, RECORD.nonces_digest)


def test_a_host_who_keeps_the_stated_digest_of_the_start_is_found_by_it_too() -> None:
    swapped = replace(with_nonces("nonce-of-9", RECORD.nonces[1]), nonces_digest=RECORD.nonces_digest)
    assert "digest of the nonces is not the one" in str(refusal(swapped))
    with pytest.raises(RecordError, match="not those of the start"):
        check_noted(swapped, None, RECORD.nonces_digest)


def test_a_host_who_swaps_the_commitment_is_found_by_either_noted_value() -> None:
    other = replace(RECORD, commitment="0" * 64)
    with pytest.raises(RecordError, match=f"you have {RECORD.commitment}, the record has 000"):
        check_noted(other, RECORD.commitment, RECORD.nonces_digest)
    with pytest.raises(RecordError, match="not those of the start"):
        check_noted(other, None, RECORD.nonces_digest)


def test_a_fair_record_is_what_a_player_noted() -> None:
    check_noted(RECORD, None, None)
    check_noted(RECORD, RECORD.commitment, RECORD.nonces_digest)
    assert verify(RECORD, find).nonces_digest == RECORD.nonces_digest


def test_a_record_states_the_digest() -> None:
    assert "the record says None" in str(refusal(replace(RECORD, nonces_digest=None)))


def test_the_seats_whose_nonce_follows_from_the_secret_are_named() -> None:
    assert verify(RECORD, find).made == ()
    assert verify(with_nonces(RECORD.nonces[0], made_nonce(SECRET, RECORD.match, 1)), find).made == (1,)
    assert verify(with_nonces(RECORD.nonces[0], made_nonce(SECRET, RECORD.match, 0)), find).made == ()


def test_nonces_that_could_be_joined_differently_are_refused() -> None:
    assert "a nonce is 8 to 64" in str(refusal(replace(RECORD, nonces=("nonce-of-0\nnonce", "of-1-long-enough"))))
    assert "each seat, 2 in all, not 1" in str(refusal(replace(RECORD, nonces=RECORD.nonces[:1])))


def test_a_match_id_that_could_be_joined_differently_is_refused() -> None:
    assert "not an id" in str(refusal(recommitted(replace(RECORD, match="match\n1"))))


def test_headers_that_describe_no_match_are_refused() -> None:
    assert "/options" in str(refusal(replace(RECORD, options={"hoard": 3})))
    assert "/ones" in str(refusal(replace(RECORD, components={"ones": "many"})))
    assert "is for 2, 3 or 4 players, not 1." in str(refusal(replace(RECORD, players=("Solo",))))


def test_the_setup_of_a_record_is_the_one_it_was_played_with() -> None:
    game, setup = setup_of(RECORD, find)
    assert (game.info.name, setup.seats, to_document(setup.options)) == ("pearls", 2, {"hoard": False})


def given_up(ply: int) -> Record:
    """The record of a match that seat 1 gave up at that ply."""
    game, setup = setup_of(RECORD, find)
    log = [Entry(logged.seat, read_action(game, logged.seat, logged.action or {})) for logged in RECORD.log[:ply]]
    state = replay(game, setup, log)
    return replace(
        RECORD, log=RECORD.log[:ply], resignations=(Resignation(1, ply),), outcome=conceded(game, state, (1,))
    )


def test_a_match_ended_by_resignation_verifies() -> None:
    verified = verify(given_up(DRAWS[3] + 1), find)
    assert verified.outcome is not None
    assert verified.outcome.ranks == (1, 2)


def test_a_resignation_is_checked() -> None:
    record = given_up(DRAWS[3] + 1)
    end = len(record.log)
    for resignations, words in {
        (): "log ends before",
        (Resignation(1, end - 2),): "resignations end the match at ply",
        (Resignation(0, end),): "outcome does not follow",
        (Resignation(5, end),): "seat of the match",
        (Resignation(1, end), Resignation(1, end)): "at most once",
        (Resignation(1, end + 1),): "within the log",
        (Resignation(0, end), Resignation(1, end)): "every seat",
    }.items():
        assert words in str(refusal(replace(record, resignations=resignations)))


def test_a_seat_that_resigned_among_three_leaves_the_outcome_to_the_rules() -> None:
    record = finished_record(GAME, COMPONENTS, 3, "three")
    verify(replace(record, resignations=(Resignation(2, 4),)), find)
    assert "would have ended the match" in str(
        refusal(replace(record, resignations=(Resignation(2, 4), Resignation(0, 6))))
    )
    assert "in order" in str(refusal(replace(record, resignations=(Resignation(2, 9), Resignation(0, 6)))))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"secret": None}, "The secret is not revealed: the match was still running when this record was written."),
        ({"secret": "AB" * 32}, "The secret is not 32 bytes in lower-case hexadecimal."),
        ({"match": "a b"}, "The match 'a b' is not an id of letters, digits, '_' and '-'."),
        ({"nonces": ("nonce-of-0",)}, "There is a nonce for each seat, 2 in all, not 1."),
        (
            {"nonces": ("nonce-of-0", "short")},
            "The nonces have 'short' for seat 1: a nonce is 8 to 64 letters, digits, '_' and '-'.",
        ),
        ({"players": ("Ann",) * 7}, "Pearls is for 2, 3 or 4 players, not 7."),
        (
            {"resignations": (Resignation(0, 1), Resignation(0, 2))},
            "The resignations name the seats [0, 0]: each seat of the match can resign at most once.",
        ),
        (
            {"resignations": (Resignation(0, 2), Resignation(1, 1))},
            "The resignations are at the plies [2, 1]: they have to be in order and within the log.",
        ),
        (
            {"resignations": (Resignation(0, 1), Resignation(1, 2))},
            "The resignations name every seat: the last one left has won and cannot resign.",
        ),
        (
            {"resignations": (Resignation(0, 3),)},
            "The resignations would have ended the match before its log does.",
        ),
    ],
)
def test_a_refusal_of_a_record_says_what_is_wrong(change: dict[str, Any], sentence: str) -> None:
    assert str(refusal(replace(RECORD, **change))) == sentence


def test_a_concealed_entry_and_one_of_another_game_are_refused_with_their_ply() -> None:
    concealed = refusal(with_entry(3, LoggedAction(0, None)))
    assert str(concealed) == "Ply 3 is concealed: the match was still running when this record was written."
    unknown = refusal(with_entry(4, LoggedAction(0, {"type": "fly"})))
    assert str(unknown).startswith("Ply 4 is not an action of Pearls: ")
    assert (concealed.ply, unknown.ply) == (3, 4)


def agreed_on(how: Ending, ply: int = 4) -> Record:
    """The record of a match that both ended by agreement at that ply."""
    game, setup = setup_of(RECORD, find)
    log = [Entry(logged.seat, read_action(game, logged.seat, logged.action or {})) for logged in RECORD.log[:ply]]
    outcome = ended_early(game, replay(game, setup, log), how, (0, 1), ())
    return replace(RECORD, log=RECORD.log[:ply], early_end=EarlyEnd(how, (0, 1)), outcome=outcome)


@pytest.mark.parametrize("how", ["standing", "draw", "called_off"])
def test_a_match_ended_by_agreement_verifies_as_what_was_agreed_and_as_nothing_else(how: Ending) -> None:
    record = agreed_on(how)
    assert verify(record, find).outcome == record.outcome
    assert read_record(json.loads(json.dumps(write_record(record)))) == record
    assert "log ends before" in str(refusal(replace(record, early_end=None)))
    others: tuple[Ending, ...] = ("standing", "draw", "called_off")
    for other in set(others) - {how}:
        claimed = replace(record, early_end=EarlyEnd(other, (0, 1)))
        assert "outcome does not follow" in str(refusal(claimed))


def test_an_agreed_draw_shares_the_first_rank_and_the_standing_ranks_by_scores() -> None:
    drawn, standing = agreed_on("draw", 12).outcome, agreed_on("standing", 12).outcome
    assert drawn is not None
    assert standing is not None
    assert drawn.ranks == (1, 1)
    assert drawn.scores == standing.scores
    assert len(set(standing.scores)) == 2
    assert standing.ranks == ((1, 2) if standing.scores[0] > standing.scores[1] else (2, 1))


@pytest.mark.parametrize("seats", [(), (1, 0), (0, 0), (0, 2), (-1,)])
def test_whoever_agreed_is_checked(seats: tuple[int, ...]) -> None:
    record = agreed_on("draw")
    assert "said to have ended the match" in str(refusal(replace(record, early_end=EarlyEnd("draw", seats))))


@pytest.mark.parametrize("how", ["standing", "draw", "called_off"])
def test_no_end_is_agreed_on_without_the_word_of_everybody_who_has_a_seat(how: Ending) -> None:
    record = replace(agreed_on(how), early_end=EarlyEnd(how, (0,)))
    assert "without the word of the players of the seats [1]" in str(refusal(record))


def test_an_early_end_after_a_resignation_or_by_a_bot_is_refused() -> None:
    record = agreed_on("draw")
    assert "said to have ended the match" in str(refusal(replace(record, bots={"1": "easy"})))
    given = replace(record, resignations=(Resignation(1, 4),), early_end=EarlyEnd("draw", (0,)))
    assert "over before" in str(refusal(given))


def test_the_only_person_left_ends_a_match_and_it_does_not_say_that_others_agreed() -> None:
    record = agreed_on("draw")
    game, setup = setup_of(record, find)
    log = [Entry(logged.seat, read_action(game, logged.seat, logged.action or {})) for logged in record.log]
    outcome = ended_early(game, replay(game, setup, log), "draw", (0,), ())
    assert outcome is not None
    assert outcome.ended == Statement("draw_chosen")
    alone = replace(record, bots={"1": "easy"}, early_end=EarlyEnd("draw", (0,)), outcome=outcome)
    assert verify(alone, find).outcome == outcome
    replaced = (RecordedStep("time_up_bot_seat", 1, 4, "2026-11-01T00:00:00Z", "2026-11-01T00:00:00Z"),)
    assert verify(replace(alone, bots={}, clock=RecordedClock({}, replaced)), find).outcome == outcome


def held(*kinds: StepKind) -> Record:
    """A match that seat 0 has ended as abandoned, with steps of these kinds of the clock of seat
    1.
    """
    at = "2026-11-01T00:00:00Z"
    steps = [RecordedStep(kind, None if kind == "over" else 1, 4, at, at) for kind in (*kinds, "over")]
    record = replace(agreed_on("abandoned"), early_end=EarlyEnd("abandoned", (0,)))
    return replace(record, clock=RecordedClock({}, tuple(steps)))


def test_a_match_is_abandoned_while_bots_hold_the_seats_of_all_who_did_not_ask_for_its_end() -> None:
    record = held("time_up_bot_hold", "back", "time_up_bot_hold")
    assert verify(record, find).outcome is None
    assert read_record(json.loads(json.dumps(write_record(record)))) == record


@pytest.mark.parametrize(
    "record",
    [
        held(),
        held("time_up_bot_turn"),
        held("time_up_bot_hold", "back"),
        replace(held("time_up_bot_hold"), clock=None),
        replace(held("time_up_bot_hold"), early_end=EarlyEnd("abandoned", (0, 1))),
    ],
)
def test_a_forged_abandonment_is_refused(record: Record) -> None:
    assert "said to have been abandoned" in str(refusal(record))


def test_who_played_when_is_said_and_has_to_fit_together() -> None:
    first, second = Handover(0, 2, "", "Zoe", "Eve"), Handover(0, 5, "", "Eve", "Player 0")
    record = replace(RECORD, handovers=(first, second))
    verify(record, find)
    assert read_record(json.loads(json.dumps(write_record(record)))) == record
    assert [names_at(record.players, record.handovers, ply)[0] for ply in (0, 1, 2, 4, 5)] == [
        "Zoe",
        "Zoe",
        "Eve",
        "Eve",
        "Player 0",
    ]
    for handovers in (
        (second, first),
        (first,),
        (replace(first, to="Fay"), second),
        (replace(first, seat=5), second),
        (first, replace(second, ply=len(RECORD.log) + 1)),
    ):
        assert refusal(replace(record, handovers=handovers))
