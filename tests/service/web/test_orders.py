"""The page with the button for an order that a mail carried: nothing is done by opening it, and
everything at most once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.documents import to_document
from engine.play import legal_actions
from service.app import create_app
from service.context import Context
from service.inbox import held
from service.matches import lobby, replays
from service.matches.types import SeatRequest
from service.statuses import OrderKind
from service.store import matches, players
from service.store.matches import StoredMatch
from service.store.questions import HeldReason
from tests.service.fakes import (
    Round,
    Timer,
    judged_batch,
    later,
    notices,
    person,
    played,
    started,
    state_of,
    wired_in,
)

BELA = "bela@example.org"


@pytest.fixture
def context(tmp_path: Path, pearls: None) -> Iterator[Context]:
    wired_context = replace(wired_in(tmp_path), timer=Timer(step=11))  # no verdict comes in time
    yield wired_context
    wired_context.close()


@pytest.fixture
def client(context: Context) -> FlaskClient:
    return create_app(context).test_client()


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "pearls")


def stored(context: Context, match_id: str) -> StoredMatch:
    with context.database.read() as connection:
        match = matches.find(connection, match_id)
    assert match is not None
    return match


def hold(context: Context, match_id: str, seat: int, kind: OrderKind = "turn", reason: HeldReason = "unproven") -> str:
    """The path of the page for an order of that seat; a turn is its first legal action."""
    match = stored(context, match_id)
    actions = []
    if kind == "turn":
        game = replays.game_of(match)
        actions = [to_document(legal_actions(game, state_of(context, match_id), seat)[0])]
    with context.database.write() as connection:
        order = held.hold(connection, context, kind, reason, match, seat, match.ply, actions, "<1@example.org>")
    return f"/orders/{order.id}"


def press(client: FlaskClient, path: str) -> TestResponse:
    """Opens the page and presses its button."""
    shown = re.search(r'name="nonce" value="([a-z2-7]+)"', client.get(path).text)
    return client.post(path, data={"nonce": "" if shown is None else shown[1]})


def awaited(context: Context, table: Round) -> int:
    return next(seat.seat for seat in lobby.find(context, None, table.match.id).seats if seat.to_act)


def test_the_page_shows_the_turn_and_opening_it_changes_nothing(
    client: FlaskClient, context: Context, table: Round
) -> None:
    seat = awaited(context, table)
    path = hold(context, table.match.id, seat)
    for _ in range(2):
        page = client.get(path)
        assert page.status_code == 200
        assert page.headers["Cache-Control"] == "no-store, no-transform"
        assert f"play this turn as {table.players[seat].name}" in page.text
        assert "<code>" in page.text
    assert judged_batch(context).judged == ()


def test_the_button_plays_exactly_this_turn_and_once(client: FlaskClient, context: Context, table: Round) -> None:
    seat = awaited(context, table)
    path = hold(context, table.match.id, seat)
    pressed = press(client, path)
    assert "Your turn is being judged" in pressed.text
    again = client.get(path)
    assert again.status_code == 409
    assert "done already" in again.text
    assert press(client, path).status_code in (403, 409)
    ply = stored(context, table.match.id).ply
    judged_batch(context)
    assert stored(context, table.match.id).ply > ply
    verdicts = [notice.player_id for notice in notices(context, "verdict")]
    assert verdicts == [table.players[seat].id]


def test_a_form_of_another_site_plays_nothing(client: FlaskClient, context: Context, table: Round) -> None:
    path = hold(context, table.match.id, awaited(context, table))
    client.get(path)
    assert client.post(path, data={"nonce": "x"}).status_code == 403
    assert client.get(path).status_code == 200


def test_a_turn_that_is_stale_is_refused_with_a_sentence(client: FlaskClient, context: Context, table: Round) -> None:
    seat = awaited(context, table)
    path = hold(context, table.match.id, seat)
    played(context, table.players[seat], table.match.id, "1")
    page = client.get(path)
    assert page.status_code == 409
    assert "moved on" in page.text or "ply" in page.text
    assert "<button" not in page.text


def test_an_unknown_order_is_not_found(client: FlaskClient) -> None:
    page = client.get("/orders/nothing")
    assert page.status_code == 404
    assert "no such order" in page.text


def test_resigning_is_for_good(client: FlaskClient, context: Context, table: Round) -> None:
    path = hold(context, table.match.id, 1, "resign", "confirm")
    assert "for good" in client.get(path).text
    assert "You have resigned" in press(client, path).text
    assert stored(context, table.match.id).status == "finished"


def invited_to(context: Context) -> str:
    """A match of Ada's with an invitation to Bela, who has no account."""
    ada = person(replace(context), "Ada")
    seats = [SeatRequest("me"), SeatRequest("invite", BELA)]
    return lobby.create(context, ada, "pearls", {}, seats).id


def test_whoever_accepts_an_invitation_is_signed_up_and_seated(client: FlaskClient, context: Context) -> None:
    match_id = invited_to(context)
    assert "taken your seat" in press(client, hold(context, match_id, 1, "accept")).text
    match = stored(context, match_id)
    assert (match.status, match.seats[1].player_name) == ("running", "Bela")
    with context.database.read() as connection:
        bela = players.by_email(connection, BELA)
    assert bela is not None
    assert bela.confirmed_at is not None


def test_whoever_declines_needs_no_account(client: FlaskClient, context: Context) -> None:
    match_id = invited_to(context)
    assert "declined" in press(client, hold(context, match_id, 1, "decline")).text
    assert stored(context, match_id).seats[1].invited_email is None
    with context.database.read() as connection:
        assert players.by_email(connection, BELA) is None


@pytest.mark.parametrize("kind", ["accept", "decline"])
def test_an_answer_is_given_in_the_name_of_nobody_who_was_invited_since(
    client: FlaskClient, context: Context, kind: OrderKind
) -> None:
    match_id = invited_to(context)
    path = hold(context, match_id, 1, kind)
    later(context, minutes=1)
    with context.database.read() as connection:
        ada = players.by_email(connection, "ada@example.org")
    assert ada is not None
    lobby.invite(context, ada, match_id, 1, "cleo@example.org")
    page = client.get(path)
    assert (page.status_code, "<button" in page.text) == (409, False)
    seat = stored(context, match_id).seats[1]
    assert (seat.player_id, seat.invited_email) == (None, "cleo@example.org")
    with context.database.read() as connection:
        assert players.by_email(connection, "cleo@example.org") is None
