"""What is shown of a match: to each seat its own, to a spectator nothing hidden, to everybody
everything once it is over.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import registry
from engine.documents import to_document
from engine.picks import choices
from engine.play import legal_actions
from engine.types import Layout, ToldStatement
from service.context import Context
from service.errors import Conflict, NotFound
from service.matches import lobby
from service.matches.resign import resign
from service.matches.types import SeatRequest
from service.store.players import Player
from service.views import match as views
from service.views.match import board_svg, board_text
from service.views.record import match_log, match_record
from tests.service.fakes import Round, person, played, played_on, started, state_of

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def table(context: Context) -> Round:
    """Seat 0 has dived, and seat 1 is awaited."""
    table = started(context, "pearls")
    played(context, table.players[0], table.match.id, "dive")
    return table


def test_a_seat_sees_its_own_hand_and_a_spectator_none(context: Context, table: Round) -> None:
    hand = list(state_of(context, table.match.id).hands[0])
    shown = [
        views.observation(context, viewer, table.match.id) for viewer in (*table.players, person(context, "Eve"), None)
    ]
    assert [view["seat"] for view in shown] == [0, 1, None, None]
    assert [view["observation"]["hands"][0] for view in shown] == [hand, None, None, None]


def test_an_observation_says_which_ply_a_turn_answers_and_who_is_asked_what(context: Context, table: Round) -> None:
    view = views.observation(context, table.players[1], table.match.id)
    assert (view["match"], view["game"], view["status"], view["ply"], view["to_act"]) == (
        table.match.id,
        "pearls",
        "running",
        2,
        (1,),
    )
    assert view["prompt"] == ToldStatement("dive", {}, "Dive, or offer a pearl.")


def test_the_log_is_told_to_the_asker_and_what_is_concealed_is_none(context: Context, table: Round) -> None:
    (value,) = state_of(context, table.match.id).hands[0]
    own = match_log(context, table.players[0], table.match.id)
    assert [(entry["ply"], entry["seat"], entry["player"]) for entry in own] == [(0, 0, "Ada"), (1, -1, None)]
    assert own[1]["sentence"] == f"Ada draws a pearl of {value}."
    assert own[1]["action"] == {"type": "draw", "to": 0, "value": value}
    for viewer in (table.players[1], None):
        dive, draw = match_log(context, viewer, table.match.id)
        assert (dive["action"], draw["action"], draw["sentence"]) == ({"type": "dive"}, None, "Ada draws a pearl.")
        assert draw["at"] == context.clock()


def test_the_log_comes_in_pages_after_a_ply(context: Context, table: Round) -> None:
    played_on(context, table, random.Random(3), plies=12)
    whole = match_log(context, None, table.match.id)
    assert match_log(context, None, table.match.id, after_ply=3, limit=4) == whole[4:8]
    assert match_log(context, None, table.match.id, after_ply=0, limit=1) == whole[1:2]
    assert match_log(context, None, table.match.id, after_ply=len(whole) - 1) == ()
    for beyond in (len(whole) + 1, 999, 10**30):
        with pytest.raises(Conflict) as refused:
            match_log(context, None, table.match.id, after_ply=beyond)
        assert refused.value.code == "ply_ahead"
    assert match_log(context, None, table.match.id, after_ply=-5, limit=10**30) == whole


def test_the_record_of_a_running_match_conceals_what_the_asker_may_not_know(context: Context, table: Round) -> None:
    for viewer, known in ((table.players[0], True), (table.players[1], False), (None, False)):
        record = match_record(context, viewer, table.match.id)
        assert (record.secret, record.outcome, record.finished_at) == (None, None, None)
        assert (record.log[1].action is not None) is known


def test_once_a_match_is_over_nothing_is_concealed(context: Context, table: Round) -> None:
    played_on(context, table, random.Random(3))
    record = match_record(context, None, table.match.id)
    assert record.secret is not None
    assert all(entry.action is not None for entry in record.log)
    assert all(entry["action"] is not None for entry in match_log(context, None, table.match.id))
    view = views.observation(context, None, table.match.id)
    assert (view["status"], view["to_act"], view["prompt"]) == ("finished", (), None)


def test_board_and_picture_show_what_the_asker_may_know(context: Context, table: Round) -> None:
    (value,) = state_of(context, table.match.id).hands[0]
    for draw in (board_text, board_svg):
        assert f"1 in hand ({value})" in draw(context, table.players[0], table.match.id)
        assert "1 in hand (hidden)" in draw(context, table.players[1], table.match.id)
        assert "1 in hand (hidden)" in draw(context, None, table.match.id)


def test_of_a_match_that_has_not_started_there_is_nothing_to_see(context: Context) -> None:
    ada = person(context, "Ada")
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    for view in (views.observation, match_record, board_text, board_svg):
        with pytest.raises(Conflict) as refused:
            view(context, ada, match.id)
        assert refused.value.code == "match_not_started"
    assert match_log(context, ada, match.id) == ()
    lobby.leave(context, ada, match.id)
    with pytest.raises(Conflict, match="cancelled"):
        views.observation(context, None, match.id)
    with pytest.raises(NotFound):
        match_log(context, None, "nowhere")


@pytest.mark.parametrize("game", ["pearls", "oregon"])
def test_everything_drawn_of_a_match_is_drawn_from_what_its_viewer_may_observe(context: Context, game: str) -> None:
    table = started(context, game)
    played_on(context, table, random.Random(8), plies=30)
    rules, state = registry.game(game), state_of(context, table.match.id)
    viewers: list[tuple[Any, int | None]] = [(table.players[0], 0), (table.players[1], 1), (None, None)]
    for player, seat in viewers:
        seen = rules.observe(state, seat)
        assert views.observation(context, player, table.match.id)["observation"] == to_document(seen)
        assert board_text(context, player, table.match.id) == rules.text(seen, ("Ada", "Bela"))
        asked = () if seat is None else legal_actions(rules, state, seat)
        drawn = rules.svg(seen, ("Ada", "Bela"), Layout.DESKTOP, choices(map(to_document, asked)))
        assert board_svg(context, player, table.match.id) == drawn


def test_only_the_awaited_viewer_has_marks_and_only_on_screens_at_the_present_ply(context: Context) -> None:
    table = started(context, "oregon")
    played_on(context, table, random.Random(8), plies=30)
    match = lobby.find(context, None, table.match.id)
    (awaited,) = (seat.seat for seat in match.seats if seat.to_act)

    def has_marks(player: Player | None, **how: Any) -> bool:
        picture = board_svg(context, player, match.id, **how)
        assert ('role="group"' in picture) == ("data-pick" in picture)
        return "data-pick" in picture

    for seat, player in enumerate(table.players):
        assert {layout for layout in Layout if has_marks(player, layout=layout)} == (
            {Layout.DESKTOP, Layout.PHONE} if seat == awaited else set()
        )
    assert not has_marks(None)
    assert not has_marks(table.players[awaited], pixels=True)
    assert not has_marks(table.players[awaited], ply=match.ply - 1)
    resign(context, table.players[1 - awaited], match.id)
    assert not has_marks(table.players[awaited])
