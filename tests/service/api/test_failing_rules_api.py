"""A match whose rules fail at showing it, or at its beginning: what was asked for is refused with a
sentence, nothing is lost, and all else of the match goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from engine import registry, sentences
from engine.types import Outcome, Problem, Statement
from engine.wording import LONGEST_LINE
from service.context import Context
from service.ledger.check import check_ledger
from service.matches import replays
from service.matches.replays import checked
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem

Break = Callable[..., None]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Break:
    """Replaces functions of the games of matches, as their authors wrote them."""

    def put(**functions: Any) -> None:
        monkeypatch.setattr(replays, "checked", lambda game: checked(replace(game, **functions)))

    return put


@pytest.mark.parametrize(
    ("view", "function"),
    [
        ("observation", "observe"),
        ("observation", "prompt"),
        ("board.txt", "text"),
        ("board.svg", "svg"),
        ("board.png", "svg"),
        ("log", "narrate"),
        ("record", "seen"),
        ("legal-actions", "candidates"),
    ],
)
def test_a_view_at_which_the_rules_fail_says_so_and_the_match_is_not_marked(
    ada: Person, match: str, broken: Break, view: str, function: str
) -> None:
    broken(**{function: _fail, "own_prompt": None})
    with capture_logs() as logs:
        refused = problem(ada.get(f"/v1/matches/{match}/{view}"), 503, "match_unreadable")
    assert "The rules of match" in refused["detail"]
    assert [each["match"] for each in logs if each["event"] == "match.rules_failed"] == [match]
    shown = ada.get(f"/v1/matches/{match}")
    assert (shown.status_code, shown.get_json().get("unreadable_at")) == (200, None)


def test_rules_that_hang_keep_no_second_thread(
    ada: Person, match: str, broken: Break, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that does not come is asked for again and again: all threads would wait in vain."""
    monkeypatch.setattr(replays, "SLOW_SECONDS", 0.0)
    asked, over = threading.Event(), threading.Event()

    def text(*_: Any) -> str:
        asked.set()
        over.wait()
        return "At last."

    broken(text=text)
    with ThreadPoolExecutor(1) as other, capture_logs() as logs:
        hanging = other.submit(
            replace(ada, client=ada.client.application.test_client()).get, f"/v1/matches/{match}/board.txt"
        )
        try:
            assert asked.wait(60)
            problem(ada.get(f"/v1/matches/{match}/board.svg"), 503, "match_unreadable")
            assert [each["id"] for each in ada.get("/v1/matches?mine=true").get_json()["items"]] == [match]
        finally:
            over.set()
        assert hanging.result().get_data(as_text=True) == "At last."
    assert [each["match"] for each in logs if each["event"] == "match.rules_slow"] == [match]
    assert ada.get(f"/v1/matches/{match}/board.svg").status_code == 200


def test_a_match_whose_end_has_no_words_is_listed_and_shown(
    ada: Person, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ada.post(f"/v1/matches/{match}/resign", {}).status_code == 200
    monkeypatch.setattr(sentences, "COMMON_ENDINGS", {})
    with capture_logs():
        assert [each["id"] for each in ada.get("/v1/matches?mine=true").get_json()["items"]] == [match]
        assert ada.get(f"/v1/matches/{match}").get_json()["outcome"]["ended"]["code"] == "resignation"


def test_who_joins_last_is_told_that_the_rules_fail_and_the_match_stays_open(
    ada: Person, bela: Person, broken: Break
) -> None:
    wanted = {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}]}
    created = ada.post("/v1/matches", wanted).get_json()["id"]
    broken(outcome=_fail)
    with capture_logs():
        problem(bela.post(f"/v1/matches/{created}/join", {}), 503, "match_unreadable")
    assert ada.get(f"/v1/matches/{created}").get_json()["status"] == "open"


def test_a_match_that_could_never_begin_is_not_created(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(registry.game("oregon"), setup=_fail)
    monkeypatch.setattr(registry, "game", lambda name: game)
    wanted = {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}]}
    with capture_logs():
        (fault,) = problem(ada.post("/v1/matches", wanted), 422, "invalid")["errors"]
    assert "fail at the beginning" in fault["detail"]


@pytest.mark.parametrize("scores", [(0.5, 1), (1,), "no"])
def test_an_outcome_that_could_not_be_read_again_is_not_stored(
    ada: Person, match: str, broken: Break, scores: Any
) -> None:
    broken(standing=lambda state: scores)
    with capture_logs():
        assert ada.post(f"/v1/matches/{match}/resign", {}).status_code >= 500
    assert [each["status"] for each in ada.get("/v1/matches?mine=true").get_json()["items"]] == ["running"]


@pytest.mark.parametrize("changed", [{"scores": (0.5, 1)}, {"ranks": (0, 0)}, {"details": ((),)}, {"ended": None}])
def test_a_turn_is_not_judged_that_ends_a_match_with_such_an_outcome(
    ada: Person, match: str, broken: Break, changed: dict[str, Any]
) -> None:
    legal = ada.get(f"/v1/matches/{match}/legal-actions").get_json()
    ended = replace(Outcome((3, 1), (1, 2), Statement("most_plies", {"plies": 9})), **changed)
    broken(outcome=lambda state: ended)
    turn = {"ply": legal["ply"], "actions": [legal["items"][0]["action"]]}
    with capture_logs():
        problem(ada.post(f"/v1/matches/{match}/turns", turn, headers={"Prefer": "wait=5"}), 422, "judge_failed")
    assert [each["status"] for each in ada.get("/v1/matches?mine=true").get_json()["items"]] == ["running"]


UNSEEN = "One \ud800\x00\x1b[31m\x07\r\u202etwo."
WRONG: list[Any] = [None, 7, b"bytes", ["One."]]


@pytest.mark.parametrize(
    ("address", "function"),
    [
        ("/v1/matches/{}/log", "narrate"),
        ("/v1/matches/{}/turns", "narrate"),
        ("/v1/matches/{}/board.txt", "text"),
        ("/v1/matches/{}/board.svg", "svg"),
        ("/v1/matches/{}/legal-actions", "format"),
        ("/v1/matches/{}/observation", "prompts"),
        ("/v1/matches/{}", "prompts"),
        ("/matches/{}", "text"),
        ("/matches/{}", "prompts"),
    ],
)
def test_what_nobody_can_see_in_the_texts_of_a_game_is_shown_nowhere(
    ada: Person, bela: Person, match: str, broken: Break, address: str, function: str
) -> None:
    player = _played(ada, bela, match)
    player = player if address.endswith("turns") else _awaited(ada, bela, match)
    broken(**_saying(lambda *args: UNSEEN, function))
    answer = player.get(address.format(match))
    assert answer.status_code == 200
    text = answer.get_data(as_text=True)
    assert "\ufffd[31m" in text
    assert not any(each in text for each in ("\x00", "\x1b", "\x07", "\u202e", "u0000", "u001b", "ud800"))


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(
    ("view", "function"),
    [
        ("log", "narrate"),
        ("board.txt", "text"),
        ("board.svg", "svg"),
        ("board.png", "svg"),
        ("legal-actions", "format"),
        ("observation", "prompts"),
        ("observation", "prompt"),
    ],
)
def test_what_a_game_hands_back_of_a_wrong_type_is_a_failure_of_its_rules(
    ada: Person, bela: Person, match: str, broken: Break, view: str, function: str, wrong: Any
) -> None:
    _played(ada, bela, match)
    player = _awaited(ada, bela, match)
    broken(**_saying(lambda *args: wrong, function))
    with capture_logs() as logs:
        problem(player.get(f"/v1/matches/{match}/{view}"), 503, "match_unreadable")
    assert [each["match"] for each in logs if each["event"] == "match.rules_failed"] == [match]
    with capture_logs():
        assert player.get(f"/v1/matches/{match}").status_code == player.get(f"/matches/{match}").status_code == 200


def test_half_of_a_surrogate_pair_in_what_is_observed_does_not_keep_it_from_being_shown(
    ada: Person, match: str, broken: Break
) -> None:
    asked = Statement("end_turn", {"at": "\ud800"})
    broken(prompt=lambda state, seat: asked, own_prompt=None, prompts={"end_turn": "End."})
    assert ada.get(f"/v1/matches/{match}/observation").get_json()["prompt"]["values"] == {"at": "?"}


def test_a_narration_that_is_far_too_long_is_shortened(ada: Person, bela: Person, match: str, broken: Break) -> None:
    player = _played(ada, bela, match)
    broken(narrate=lambda *args: "word " * 300_000)
    told = player.get(f"/v1/matches/{match}/log").get_json()["items"]
    assert {len(each["sentence"]) for each in told} <= set(range(LONGEST_LINE + 1))
    assert told[-1]["sentence"].endswith("\u2026")


def test_a_seat_that_is_awaited_twice_is_awaited_once(
    ada: Person, bela: Person, context: Context, match: str, broken: Break
) -> None:
    to_act = registry.game("oregon").to_act
    broken(to_act=lambda state: [*to_act(state), *to_act(state)])
    _played(ada, bela, match)
    assert check_ledger(context.database).breaches == []


@pytest.mark.parametrize("awaited", [(), (7,), (-5,), None, (True,)])
def test_a_turn_after_which_no_seat_of_the_match_is_awaited_is_not_judged(
    ada: Person, bela: Person, match: str, broken: Break, awaited: Any
) -> None:
    before, player = ada.get(f"/v1/matches/{match}").get_json(), _awaited(ada, bela, match)
    legal = player.get(f"/v1/matches/{match}/legal-actions").get_json()
    original, known = registry.game("oregon"), set[int]()

    def to_act(state: Any) -> Any:
        known.add(id(state)) if not known else None
        return original.to_act(state) if id(state) in known else awaited

    broken(to_act=to_act)
    turn = {"ply": legal["ply"], "actions": [legal["items"][0]["action"]]}
    with capture_logs():
        problem(player.post(f"/v1/matches/{match}/turns", turn, headers={"Prefer": "wait=5"}), 422, "judge_failed")
    assert ada.get(f"/v1/matches/{match}").get_json()["ply"] == before["ply"]


def test_a_refusal_that_the_rules_cannot_explain_is_shown_with_its_code(
    ada: Person, bela: Person, match: str, broken: Break
) -> None:
    player, ply = _awaited(ada, bela, match), ada.get(f"/v1/matches/{match}").get_json()["ply"]
    action = player.get(f"/v1/matches/{match}/legal-actions").get_json()["items"][0]["action"]
    broken(problems=lambda *asked: [Problem("nowhere", "R1.1", {})], explain=_fail)
    turn = {"ply": ply, "actions": [action]}
    with capture_logs() as logs:
        refused = player.post(f"/v1/matches/{match}/turns", turn, headers={"Prefer": "wait=5"})
    assert problem(refused, 422, "nowhere")["detail"] == (
        "The rules do not allow this, and fail at saying why (code nowhere, rule R1.1)."
    )
    assert "rules.not_explained" in [each["event"] for each in logs]


def _awaited(ada: Person, bela: Person, match: str) -> Person:
    seats = ada.get(f"/v1/matches/{match}").get_json()["seats"]
    return (ada, bela)[next(seat["seat"] for seat in seats if seat["to_act"])]


def _played(ada: Person, bela: Person, match: str) -> Person:
    """Plays a turn; returns who has played it."""
    player = _awaited(ada, bela, match)
    legal = player.get(f"/v1/matches/{match}/legal-actions").get_json()
    turn = {"ply": legal["ply"], "actions": [legal["items"][0]["action"]]}
    assert player.post(f"/v1/matches/{match}/turns", turn, headers={"Prefer": "wait=5"}).status_code == 200
    return player


def _saying(function: Callable[..., Any], name: str) -> dict[str, Any]:
    """A game of which that function, or every sentence of that table, is this one."""
    own = {"own_prompt": None} if name == "prompt" else {}
    return {name: dict.fromkeys(registry.game("oregon").prompts, function) if name == "prompts" else function, **own}


def _fail(*args: Any) -> Any:
    raise KeyError("A fault of the rules.")
