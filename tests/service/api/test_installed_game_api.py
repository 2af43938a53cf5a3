"""The game of the tutorial, installed as a package of its own: nothing here knows it, and it is
played, mailed, drawn and described like any other.
"""

from __future__ import annotations

import email
from collections.abc import Iterator
from email.policy import default
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from engine.record import read_record, verify
from service.app import create_app
from service.context import Context
from service.notices.delivery import deliver_due
from tests.installed import EXAMPLE, install
from tests.service.api.conftest import Person
from tools.installed import at_hand


@pytest.fixture(autouse=True)
def connect_four(tmp_path: Path) -> Iterator[None]:
    install(EXAMPLE, tmp_path / "site")
    with at_hand(tmp_path / "site"):
        yield


@pytest.fixture
def app(context: Context) -> Flask:
    """An application of its own: its document has the game."""
    return create_app(context)


def begun(ada: Person, bela: Person) -> str:
    seats = [{"kind": "me"}, {"kind": "invite", "email": bela.email}]
    created = ada.post("/v1/matches", {"game": "connect_four", "title": "Four", "seats": seats})
    assert created.status_code == 201, created.text
    match: str = created.get_json()["id"]
    assert bela.post(f"/v1/matches/{match}/join").get_json()["status"] == "running"
    return match


def drop(person: Person, match: str, column: str) -> str:
    """What becomes of dropping a disc there."""
    ply = person.get(f"/v1/matches/{match}").get_json()["ply"]
    turn = person.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": column}, headers={"Prefer": "wait=5"})
    found = turn.get_json(force=True)
    return str(found["status"] if turn.status_code == 200 else found["code"])


def test_a_match_is_played_to_its_end_and_its_record_holds(ada: Person, bela: Person) -> None:
    match, people = begun(ada, bela), (ada, bela)
    for ply, column in enumerate("dcdcd"):
        assert drop(people[ply % 2], match, column) == "accepted"
    assert drop(bela, match, "h") == "no_such_column"
    assert [drop(bela, match, "c"), drop(ada, match, "d")] == ["accepted", "accepted"]
    found = ada.get(f"/v1/matches/{match}").get_json()
    assert (found["status"], found["outcome"]["scores"], found["outcome"]["ranks"]) == ("finished", [1, 0], [1, 2])
    assert found["outcome"]["ended"] == {
        "code": "four_in_a_row",
        "values": {},
        "sentence": "Four discs lie in a row.",
    }
    observation = bela.get(f"/v1/matches/{match}/observation").get_json()["observation"]
    assert observation["rows"][2:] == ["...X...", "..OX...", "..OX...", "..OX..."]
    assert observation["four"] == ["d1", "d2", "d3", "d4"]
    assert "  . . O X . . .\n" in ada.get(f"/v1/matches/{match}/board.txt").text
    assert ada.get(f"/v1/matches/{match}/board.svg").text.startswith("<svg")
    assert ada.get(f"/v1/matches/{match}/board.png").data.startswith(b"\x89PNG")
    assert verify(read_record(ada.get(f"/v1/matches/{match}/record").get_json())).plies == 7


def test_a_full_column_is_refused_with_its_rule_and_the_columns_that_have_room(ada: Person, bela: Person) -> None:
    match, people = begun(ada, bela), (ada, bela)
    for ply, column in enumerate("aaaaaa"):
        assert drop(people[ply % 2], match, column) == "accepted"
    ply = ada.get(f"/v1/matches/{match}").get_json()["ply"]
    refused = ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": "a"}, headers={"Prefer": "wait=5"})
    problem = refused.get_json(force=True)
    assert (refused.status_code, problem["code"], problem["rule"]) == (422, "column_full", "R2.3")
    assert problem["detail"] == "Column a is full; there is room in b, c, d, e, f, g."


def test_the_players_get_mails_with_the_board(ada: Person, bela: Person, context: Context) -> None:
    match = begun(ada, bela)
    assert drop(ada, match, "d") == "accepted"
    assert deliver_due(context)["sent"] > 2
    mails = [
        email.message_from_bytes(file.read_bytes(), policy=default)
        for file in sorted((context.settings.data_dir / "mail").rglob("*.eml"))
    ]
    bodies = [mail.get_body(("plain",)) for mail in mails if mail["To"].addresses[0].addr_spec == bela.email]
    texts = [body.get_content().replace("\r\n", "\n") for body in bodies if body is not None]
    (told,) = [text for text in texts if "Ada drops a disc into column d." in text]
    assert "  . . . X . . .\n  a b c d e f g\n" in told
    assert "> O Bela" in told
    assert "Drop a disc into a column." in told


def test_the_catalogue_and_the_description_of_the_api_have_it(client: FlaskClient) -> None:
    assert client.get("/v1/games/connect_four").get_json()["title"] == "Connect Four"
    assert client.get("/v1/games/connect_four/rules").text.startswith("# Connect Four")
    assert client.get("/v1/games/connect_four/components").get_json()["components"]["columns"]["value"] == 7
    document = client.get("/openapi.json").get_json()
    validate(document)
    described = document["components"]["schemas"]
    assert described["Connect_FourDrop"]["properties"]["column"]["pattern"] == "^[a-i]$"
    assert described["Connect_FourObservation"]["properties"]["rows"]["type"] == "array"
    assert "Connect Four" in client.get("/").text
