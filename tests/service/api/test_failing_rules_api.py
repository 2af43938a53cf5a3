"""A match whose rules fail at showing it, or at its beginning: what was asked for is refused with a
sentence, nothing is lost, and all else of the match goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from engine import registry, sentences
from engine.types import Outcome, Statement
from service.matches import replays
from service.turns import trials
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem

Break = Callable[..., None]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Break:
    """Replaces functions of the games of matches."""

    def put(**functions: Any) -> None:
        game_of = replays.game_of
        for module in (replays, trials):
            monkeypatch.setattr(module, "game_of", lambda match: replace(game_of(match), **functions))

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


def _fail(*args: Any) -> Any:
    raise KeyError("A fault of the rules.")
