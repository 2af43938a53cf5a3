"""Asking before acting: previews, legal actions, numbers on a line of notation. None of it changes
anything.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine import play
from engine.picks import bag
from engine.types import Layout
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, InvalidNotation, StalePly
from service.matches import lobby
from service.matches.types import SeatRequest
from service.store import matches as match_rows
from service.turns import lookup
from service.turns.submit import submit
from service.turns.trials import legal_actions, legal_in, preview
from service.views.match import board_svg
from tests.service.fakes import Round, log_of, notices, person, played, set_apart, started, state_of

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def table(context: Context) -> Round:
    """Both seats have dived, and seat 0 is awaited with one pearl in hand."""
    table = started(context, "pearls")
    for player in table.players:
        played(context, player, table.match.id, "dive")
    return table


def pearl(context: Context, table: Round, seat: int = 0) -> int:
    return int(state_of(context, table.match.id).hands[seat][0])


def previewed(context: Context, table: Round, seat: int = 0, ply: int = 4, **rest: Any) -> dict[str, Any]:
    return dict(preview(context, table.players[seat], table.match.id, None, ply, **rest))


def test_the_legal_actions_are_listed_in_canonical_order_as_documents_and_notation(
    context: Context, table: Round
) -> None:
    value = pearl(context, table)
    legal = legal_actions(context, table.players[0], table.match.id)
    assert (legal.match, legal.ply, legal.seat) == (table.match.id, 4, 0)
    assert [(item.notation, item.action) for item in legal.items] == [
        ("dive", {"type": "dive"}),
        (f"offer {value}", {"type": "offer", "value": value}),
    ]


def test_a_seat_that_is_not_awaited_has_nothing_legal_to_do(context: Context, table: Round) -> None:
    legal = legal_actions(context, table.players[1], table.match.id)
    assert (legal.items, legal.why, legal.detail) == ((), "not_your_turn", "The match waits for Ada.")


def test_an_empty_list_says_why_and_a_full_one_has_nothing_to_say(context: Context, table: Round) -> None:
    ada, match = table.players[0], table.match.id
    assert legal_actions(context, ada, match).why is None
    drawn = legal_actions(context, ada, match, notation="dive")
    assert (drawn.items, drawn.why, drawn.detail) == ((), "chance_is_due", "Chance is due: a draw comes next.")
    offered = legal_actions(context, ada, match, notation=f"offer {pearl(context, table)}")
    assert (offered.items, offered.why) == ((), "not_your_turn")
    lobby.resign(context, ada, match)
    over = legal_actions(context, table.players[1], match)
    assert (over.items, over.why, over.detail) == ((), "match_over", "The match is over.")


def test_before_the_start_the_list_is_empty_because_of_that(context: Context) -> None:
    ada = person(context, "Ada")
    opened = lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("open")])
    legal = legal_actions(context, ada, opened.id)
    assert (legal.ply, legal.items, legal.why) == (0, (), "not_started")
    with pytest.raises(Conflict):
        legal_actions(context, ada, opened.id, notation="dive")
    lobby.leave(context, ada, opened.id)
    assert legal_actions(context, ada, opened.id).why == "match_over"


def test_a_seat_that_has_resigned_from_a_match_that_goes_on_has_nothing_to_do(context: Context) -> None:
    table = started(context, "pearls", 3)
    lobby.resign(context, table.players[0], table.match.id)
    assert legal_actions(context, table.players[0], table.match.id).why == "resigned"
    before = legal_actions(context, table.players[0], table.match.id, ply=0)
    assert (before.why, bool(before.items)) == ("resigned", False)


def test_what_was_legal_at_an_earlier_ply_is_listed_for_that_ply(context: Context, table: Round) -> None:
    ada, bela = table.players
    first = legal_actions(context, ada, table.match.id, ply=0)
    assert (first.ply, [item.notation for item in first.items]) == (0, ["dive"])
    assert legal_actions(context, ada, table.match.id, ply=1).why == "chance_is_due"
    assert [item.notation for item in legal_actions(context, bela, table.match.id, ply=2).items] == ["dive"]
    assert legal_actions(context, ada, table.match.id, ply=0, notation="dive").why == "chance_is_due"
    with pytest.raises(Conflict):
        legal_actions(context, ada, table.match.id, ply=5)


def test_actions_that_end_the_match_leave_nothing_to_do(context: Context, table: Round) -> None:
    with context.database.read() as connection:
        match = match_rows.find(connection, table.match.id)
    assert match is not None
    ending = play.Previewed(state_of(context, match.id), 1, False, ending=True)
    assert legal_in(match, 0, match.ply, ending).why == "match_over"


def test_a_player_without_a_seat_is_told_so(context: Context, table: Round) -> None:
    with pytest.raises(Forbidden):
        legal_actions(context, person(context, "Eve"), table.match.id)


def test_actions_after_a_prefix_are_listed_up_to_the_first_draw(context: Context, table: Round) -> None:
    ada = table.players[0]
    assert legal_actions(context, ada, table.match.id, notation="dive").items == ()
    with pytest.raises(Invalid) as refused:
        legal_actions(context, ada, table.match.id, actions=[{"type": "dive"}, {"type": "dive"}])
    assert (refused.value.code, refused.value.problems[0][0]) == ("behind_a_draw", "/actions/1")


def test_a_prefix_that_is_not_legal_is_refused_with_its_reason(context: Context, table: Round) -> None:
    with pytest.raises(Invalid) as refused:
        legal_actions(context, table.players[0], table.match.id, actions=[{"type": "answer", "take": True}])
    assert (refused.value.code, refused.value.problems[0][0]) == ("nothing_offered", "/actions/0")


def test_legal_actions_after_a_prefix_of_oregon(context: Context) -> None:
    table = started(context, "oregon")
    for player in table.players:
        first = legal_actions(context, player, table.match.id).items[0]
        assert played(context, player, table.match.id, first.notation).status == "accepted"
    plays = legal_actions(context, table.players[0], table.match.id).items
    after = legal_actions(context, table.players[0], table.match.id, actions=[plays[0].action]).items
    assert {item.action["type"] for item in after} <= {"draw", "extra", "set_aside"}
    assert after


def test_a_preview_shows_what_would_be_up_to_the_first_draw_and_changes_nothing(context: Context, table: Round) -> None:
    before = (log_of(context, table.match.id), notices(context), lobby.find(context, None, table.match.id))
    looked = previewed(context, table, notation="dive; dive")
    assert (looked["accepted"], looked["drawing"], looked["violation"], looked["entries"]) == (
        1,
        True,
        None,
        ("Ada dives.",),
    )
    assert looked["observation"]["to_act"] == [-1]
    assert (looked["next"].why, looked["next"].items, looked["picture"]) == ("chance_is_due", (), None)
    assert (log_of(context, table.match.id), notices(context), lobby.find(context, None, table.match.id)) == before
    assert lookup.of_player(context, table.players[0], table.match.id)[-1].ply == 0


def test_a_preview_of_an_illegal_turn_names_the_violation_and_the_alternatives(context: Context, table: Round) -> None:
    value = pearl(context, table)
    looked = previewed(context, table, notation=["take"])
    assert (looked["accepted"], looked["violation"].code, looked["violation"].pointer) == (
        0,
        "nothing_offered",
        "/actions/0",
    )
    assert [item.notation for item in looked["violation"].legal] == ["dive", f"offer {value}"]
    assert looked["next"] is None
    later = previewed(context, table, notation=[f"offer {value}", "take"])
    assert (later["accepted"], later["violation"].code, later["violation"].action_index) == (1, "not_your_turn", 1)


def test_a_preview_says_what_could_follow_and_shows_it(context: Context) -> None:
    table = started(context, "oregon")
    for player in table.players:
        played(context, player, table.match.id, legal_actions(context, player, table.match.id).items[0].notation)
    ada, ply = table.players[0], lobby.find(context, None, table.match.id).ply
    first = legal_actions(context, ada, table.match.id).items[0].action
    looked = preview(context, ada, table.match.id, None, ply, [first], layout=Layout.PHONE)
    assert looked["next"] == legal_actions(context, ada, table.match.id, actions=[first])
    assert looked["next"].items
    assert looked["picture"] is not None
    assert looked["picture"].startswith("<svg")
    assert looked["picture"] != board_svg(context, ada, table.match.id, Layout.PHONE)
    picked = {
        pair for marks in re.findall(r'data-pick="([^"]+)"', looked["picture"]) for pair in re.split("[ |]", marks)
    }
    assert picked
    assert picked <= {pair for item in looked["next"].items for pair in bag(item.action)}
    printed = preview(context, ada, table.match.id, None, ply, [first], layout=Layout.PRINT)["picture"]
    assert printed is not None
    assert "data-pick" not in printed


def test_a_preview_is_never_of_another_ply(context: Context, table: Round) -> None:
    with pytest.raises(StalePly):
        previewed(context, table, ply=2, notation="dive")


def test_a_number_is_that_legal_action(context: Context, table: Round) -> None:
    value = pearl(context, table)
    turn = submit(context, table.players[0], table.match.id, None, 4, notation="2")
    assert turn.actions == ({"type": "offer", "value": value},)
    assert turn.notation == ("2",)
    set_apart(context, turn)
    mixed = submit(context, table.players[0], table.match.id, None, 4, notation=" 1 ; offer 3")
    assert mixed.actions == ({"type": "dive"}, {"type": "offer", "value": 3})


def test_numbers_count_the_actions_that_are_legal_after_the_earlier_ones(context: Context) -> None:
    table = started(context, "oregon")
    for player in table.players:
        played(context, player, table.match.id, "1")
    ada = table.players[0]
    third = legal_actions(context, ada, table.match.id).items[2]
    after = legal_actions(context, ada, table.match.id, actions=[third.action]).items
    turn = submit(
        context, ada, table.match.id, None, lobby.find(context, None, table.match.id).ply, notation=["3", "1"]
    )
    assert turn.actions == (third.action, after[0].action)


@pytest.mark.parametrize(
    ("notation", "column", "message"),
    [
        ("3", 0, "There is no legal action 3 here; they are numbered from 1 to 2."),
        ("0", 0, "There is no legal action 0 here"),
        ("dive;  2", 7, "comes after a draw"),
        ("dive; dive; 2", 12, "comes after a draw"),
        ("take; 1", 6, 'counts what is legal after "take", but that is refused: There is no pearl to take'),
        ("2; 1", 3, "there is nothing for you to do here"),
        ("1; fly", 3, '"fly" is not an action of Pearls.'),
    ],
)
def test_a_number_that_stands_for_nothing_says_why_and_where(
    context: Context, table: Round, notation: str, column: int, message: str
) -> None:
    with pytest.raises(InvalidNotation) as refused:
        submit(context, table.players[0], table.match.id, None, 4, notation=notation)
    assert message in refused.value.message
    assert (refused.value.column, refused.value.line, refused.value.pointer) == (column, notation, "/notation")


def test_several_lines_may_come_as_one_text(context: Context, table: Round) -> None:
    turn = submit(context, table.players[0], table.match.id, None, 4, notation="dive\n\n  offer 1\n")
    assert turn.actions == ({"type": "dive"}, {"type": "offer", "value": 1})
    with pytest.raises(InvalidNotation) as refused:
        submit(context, table.players[0], table.match.id, None, 4, notation="dive\nfly")
    assert (refused.value.pointer, refused.value.line) == ("/notation", "fly")
