"""The town of Montana over HTTP and mail: four players, of whom exactly those are asked, listed and
written to who have to decide.

The box is a player's own, with pumpkins to spend from the beginning: so the town is contested in
the first turn, whatever the standard set costs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import registry
from engine.bots import greedy
from engine.documents import to_document
from engine.games.montana import GAME
from engine.games.montana.actions import PlaceInTown
from engine.games.montana.state import OVERTAKEN, Phase, State
from engine.games.montana.town import occupant
from engine.play import legal_actions
from engine.record import read_record, verify
from engine.sentences import prompt_told
from engine.types import CHANCE
from service.context import Context
from service.matches import replays
from service.notices.mail.compose import mail_of
from service.store import matches as rows
from service.turns import pending
from tests.service.api.conftest import Person, SignUp
from tests.service.fakes import SeededEntropy, notices
from tools.memory_queue import MemoryQueue

NAMES = ("Ada", "Bela", "Cleo", "Dora")
PUMPKINS = {
    "goods": {"wheat": 1, "pumpkin": 4, "copper": 1, "stone": 1, "large_copper": 0, "large_stone": 0},
    "shop_columns": [1, 2, 3, 4],
}
"""Everybody can pay for some columns of the shop from the beginning."""

SCRIPTED = PUMPKINS | {
    "wheel": [["wheat", "wheat"]] * 2,
    "shop_rows": [{"goods": 3}, {"goods": 2}, {"goods": 1}, {"coins": 2, "upgrades": 1}],
    "start_cows": 0,
}
"""And nobody has anything to choose before the first turn, or a cow to trade in it."""


def box(changed: dict[str, Any]) -> dict[str, Any]:
    """The standard set with some other values."""
    return (
        registry.component_document("montana")
        | {"name": "our box"}
        | {name: {"value": value, "provenance": "rulebook"} for name, value in changed.items()}
    )


@pytest.fixture
def context(context: Context) -> Context:
    """The service of the other tests, with the same luck whenever it is tested."""
    lucky = replace(context, entropy=SeededEntropy())
    assert isinstance(lucky.queue, MemoryQueue)
    lucky.queue.judge = lambda: pending.judge_pending(lucky)
    return lucky


@dataclass(frozen=True)
class Table:
    """Four people at a match of Montana, and what tells who is awaited: the answers of the API, and
    the outbox.
    """

    context: Context
    client: FlaskClient
    people: tuple[Person, ...]
    path: str

    @property
    def match_id(self) -> str:
        return self.path.rpartition("/")[2]

    def state(self) -> State:
        with self.context.database.read() as connection:
            stored = rows.find(connection, self.match_id)
            assert stored is not None
            found: State = replays.load(connection, self.context, stored)
        return found

    def play(self, seat: int, line: str) -> list[str]:
        """One turn of a seat; its sentences."""
        person = self.people[seat]
        ply = person.get(f"{self.path}/observation").get_json()["ply"]
        answer = person.post(f"{self.path}/turns", {"ply": ply, "notation": line}, headers={"Prefer": "wait=5"})
        assert (answer.status_code, answer.get_json()["status"]) == (200, "accepted"), (NAMES[seat], line, answer.text)
        found: list[str] = answer.get_json()["verdict"]["entries"]
        return found

    def asked(self) -> dict[int, str]:
        """Who is asked what: the page of the match and every observation, a spectator's included,
        have to say the same.
        """
        viewers: tuple[Person | FlaskClient, ...] = (*self.people, self.client)
        for looking in viewers:
            match, seen = (looking.get(f"{self.path}{part}").get_json() for part in ("", "/observation"))
            asked = {seat["seat"]: seat["prompt"] for seat in match["seats"] if seat["to_act"]}
            assert all(seat["prompt"] is None for seat in match["seats"] if not seat["to_act"])
            assert seen["to_act"] == list(asked)
            assert seen["awaited"] == [
                {"seat": seat, "player": NAMES[seat], "prompt": prompt} for seat, prompt in asked.items()
            ]
            assert seen["prompt"] == asked.get(seen["seat"] if seen["seat"] in asked else next(iter(asked), -1))
        return {seat: prompt["sentence"] for seat, prompt in asked.items()}

    def listed(self) -> list[int]:
        """The seats whose players find the match among those that wait for them."""
        return [
            seat for seat, person in enumerate(self.people) if person.get("/v1/matches?to_act=true").get_json()["items"]
        ]

    def written_to(self, before: int) -> list[tuple[int, int]]:
        """The ``your_turn`` notices after the first ``before``, as (seat, ply)."""
        return [
            (notice.payload["seat"], notice.payload["ply"]) for notice in notices(self.context, "your_turn")[before:]
        ]

    def told(self) -> list[str]:
        """The sentences of the log."""
        page = self.client.get(f"{self.path}/log?limit=200").get_json()
        found = [entry["sentence"] for entry in page["items"]]
        while page["next"]:
            page = self.client.get(page["next"]).get_json()
            found += [entry["sentence"] for entry in page["items"]]
        return [sentence for sentence in found if sentence]


def seated(context: Context, client: FlaskClient, sign_up: SignUp, changed: dict[str, Any]) -> Table:
    people = tuple(sign_up(name) for name in NAMES)
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in people[1:])]
    created = people[0].post(
        "/v1/matches", {"game": "montana", "title": "The county", "components": box(changed), "seats": seats}
    )
    assert created.status_code == 201, created.text
    path = created.get_json()["links"]["self"]
    for person in people[1:]:
        started = person.post(f"{path}/join").get_json()
    assert started["status"] == "running"
    return Table(context, client, people, path)


@pytest.fixture
def table(context: Context, client: FlaskClient, sign_up: SignUp) -> Table:
    return seated(context, client, sign_up, SCRIPTED)


PLACE = "Place your representative in the shop, or pass."
MOVE = "Move your overtaken representative, or pass."

TOWN: tuple[tuple[int, str, int, str], ...] = (
    (0, "town row 1 column 1", 1, PLACE),
    (1, "town row 1 column 2", 0, MOVE),  # Bela overtakes Ada, who has to decide before Cleo is asked
    (0, "town row 2 column 1", 2, PLACE),
    (2, "town row 2 column 2", 0, MOVE),
    (0, "town row 1 column 3", 1, MOVE),  # Ada overtakes Bela in turn
    (1, "town row 3 column 1", 3, PLACE),
    (3, "town row 3 column 2", 1, MOVE),
    (
        1,
        "pass",
        0,
        "Name 3 goods to take.",
    ),  # Bela gives up, all others are in different rows: the rewards begin with Ada
    (0, "take wheat wheat stone", 2, "Name 2 goods to take."),
    (2, "take copper stone", 3, "Name 1 good to take."),
    (
        3,
        "take wheat",
        1,
        "Recruit, harvest or build.",
    ),  # nothing but ending is possible for Ada, so her turn ends by itself
)
"""Who says what, and who is asked what then."""


def test_in_town_exactly_the_seat_that_has_to_decide_is_asked_listed_and_written_to(table: Table) -> None:
    """R6.3, R6.5: the other seats decide out of turn, an overtaken one before the next."""
    assert table.asked() == {0: "Recruit, harvest or build."}
    for seat, line, awaited, prompt in TOWN:
        before = len(notices(table.context, "your_turn"))
        for other in set(range(4)) - {seat}:
            assert table.people[other].get(f"{table.path}/legal-actions").get_json()["items"] == []
        table.play(seat, line)
        ply = table.people[0].get(table.path).get_json()["ply"]
        assert (table.asked(), table.listed(), table.written_to(before)) == (
            {awaited: prompt},
            [awaited],
            [(awaited, ply)],
        ), line


def test_seats_that_are_not_awaited_in_town_are_refused_even_the_one_whose_turn_it_is(table: Table) -> None:
    table.play(0, "town row 1 column 1")
    ply = table.people[0].get(table.path).get_json()["ply"]
    for seat in (0, 2, 3):
        refused = table.people[seat].post(
            f"{table.path}/turns", {"ply": ply, "notation": "town row 2 column 1"}, headers={"Prefer": "wait=5"}
        )
        assert (refused.status_code, refused.get_json(force=True)["code"]) == (409, "not_your_turn")
    assert table.asked() == {1: PLACE}


def test_mails_say_who_is_awaited_for_what_and_show_the_shop(table: Table) -> None:
    for seat, line, *_ in TOWN[:2]:
        table.play(seat, line)
    overtaken = written(table, "your_turn", 0)
    assert f"It is your turn, Ada. {MOVE}" in overtaken
    assert "Bela" in overtaken.partition("THE BOARD")[0], "who overtook, and where, is told"
    assert "row 1 [ ] [ Y ]* [ + ]" in overtaken
    assert "pass" in overtaken.partition(" MOVES")[2].partition("THE BOARD")[0]
    overtaking = written(table, "verdict", 1)
    assert f'The match waits for Ada, who is asked: "{MOVE}"' in overtaking
    assert " MOVES" not in overtaking


def written(table: Table, kind: str, seat: int) -> str:
    """The text of the latest mail of a kind to a seat, on one line."""
    found = [notice for notice in notices(table.context, kind) if notice.payload["seat"] == seat]
    part = mail_of(table.context, found[-1]).get_body(("plain",))
    assert part is not None
    return " ".join(str(part.get_content()).split())


def test_the_bot_decides_in_town_for_a_seat_that_has_resigned_and_the_next_is_asked(table: Table) -> None:
    table.play(0, "town row 1 column 1")
    assert table.people[1].post(f"{table.path}/resign").status_code == 200
    asked = table.asked()
    assert 1 not in asked
    assert list(asked) == list(GAME.to_act(table.state())) == table.listed()
    assert table.told()[-1].startswith("Bela "), "what the bot did is told as Bela's"


def sensible(state: State, contested: bool) -> Any:
    """What looks best one step ahead; but the first town is gone to, and overtaken in, as soon as
    that is possible.
    """
    (seat,) = GAME.to_act(state)
    if not contested:
        towns = [action for action in legal_actions(GAME, state, seat) if isinstance(action, PlaceInTown)]
        overtaking = [action for action in towns if occupant(state, seat, action.row - 1)]
        if found := overtaking or (towns if state.phase is Phase.TURN else []):
            return found[0]
    return greedy(GAME, state, seat)


@pytest.mark.deep
def test_four_players_play_montana_to_its_end_and_contest_the_town(
    context: Context, client: FlaskClient, sign_up: SignUp
) -> None:
    table = seated(context, client, sign_up, PUMPKINS)
    overtaken, waited, asked = 0, set(GAME.to_act(table.state())), set(table.written_to(0))
    assert {seat for seat, _ in asked} == waited
    while GAME.to_act(state := table.state()):
        ply, (seat,) = client.get(table.path).get_json()["ply"], GAME.to_act(state)
        turn = {"ply": ply, "actions": [to_document(sensible(state, overtaken > 0))]}
        answer = table.people[seat].post(f"{table.path}/turns", turn, headers={"Prefer": "wait=5"})
        assert answer.get_json()["status"] == "accepted", answer.text
        after, found = table.state(), client.get(table.path).get_json()
        overtaken += after.shop.count(OVERTAKEN)
        awaited = {each for each in GAME.to_act(after) if each != CHANCE}
        assert {each["seat"]: each["prompt"] for each in found["seats"] if each["to_act"]} == {
            each: to_document(prompt_told(GAME, GAME.prompt(after, each))) for each in awaited
        }
        asked |= {(each, found["ply"]) for each in awaited - waited}
        waited = awaited
    assert overtaken > 0
    assert sorted(table.written_to(0)) == sorted(asked)
    assert found["status"] == "finished"
    assert (table.asked(), table.listed()) == ({}, [])
    assert sorted(notice.payload["seat"] for notice in notices(context, "match_over")) == [0, 1, 2, 3]
    record = read_record(client.get(f"{table.path}/record").get_json())
    assert record.components["name"] == "our box"
    assert verify(record).plies == found["ply"]
    assert any("overtakes" in sentence for sentence in table.told())
    assert "The match is over: " in table.told()[-1]
