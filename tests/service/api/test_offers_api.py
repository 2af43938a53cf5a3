"""Offers over HTTP."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from engine.record import read_record, verify
from service.context import Context
from service.store import matches
from tests.service.api.conftest import Person
from tests.service.fakes import judged_batch

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def at(ada: Person, bela: Person) -> str:
    """The path of a match of the two with a clock."""
    body = {"game": "pearls", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": "brisk"}
    match = ada.post("/v1/matches", body).get_json()["id"]
    assert bela.post(f"/v1/matches/{match}/join", {}).status_code == 200
    return f"/v1/matches/{match}"


def pause(person: Person, at: str, days: int = 7) -> Any:
    answer = person.post(f"{at}/offers", {"kind": "pause", "days": days})
    assert answer.status_code == 201, answer.get_json()
    return answer.get_json()["items"][0]


def test_a_pause_is_offered_accepted_and_ended(ada: Person, bela: Person, at: str) -> None:
    offer = pause(ada, at)
    assert (offer["kind"], offer["seat"], offer["status"], offer["waits_for"]) == ("pause", 0, "open", [1])
    accepted = bela.post(f"{at}/offers/{offer['id']}/answer", {"answer": "accept"}).get_json()
    assert accepted["items"][0]["accepted_by"] == [1]
    assert accepted["paused_until"]
    seat = ada.get(at).get_json()["seats"][0]
    assert seat["clock"]["stopped_by"] == "pause"
    assert seat["clock"]["stopped_until"] == accepted["paused_until"]
    (item,) = ada.get("/v1/me/awaiting").get_json()["items"]
    assert item["clock"]["stopped_by"] == "pause"
    resumed = bela.post(f"{at}/resume").get_json()["seats"][0]["clock"]
    assert resumed["stopped_until"] < accepted["paused_until"]
    assert ada.get(f"{at}/offers").get_json()["paused_until"] == resumed["stopped_until"]


def test_a_record_that_is_kept_is_written_anew_when_a_clock_is_changed_at_the_same_ply(
    ada: Person, bela: Person, at: str
) -> None:
    before = [ada.get(f"{at}/record").get_json() for _ in range(2)]
    offer = bela.post(f"{at}/offers", {"kind": "extend"}).get_json()["items"][0]
    ada.post(f"{at}/offers/{offer['id']}/answer", {"answer": "accept"})
    after = ada.get(f"{at}/record").get_json()
    assert before[0] == before[1]
    assert after["log"] == before[0]["log"]
    assert len(after["clock"]["steps"]) == len(before[0]["clock"]["steps"]) + 1


def test_offers_are_declined_and_withdrawn(ada: Person, bela: Person, at: str) -> None:
    offer = pause(ada, at)
    assert (
        bela.post(f"{at}/offers/{offer['id']}/answer", {"answer": "decline"}).get_json()["items"][0]["status"]
        == "declined"
    )
    again = pause(ada, at)
    assert (
        ada.post(f"{at}/offers/{again['id']}/answer", {"answer": "withdraw"}).get_json()["items"][0]["status"]
        == "withdrawn"
    )
    statuses = [offer["status"] for offer in ada.get(f"{at}/offers").get_json()["items"]]
    assert statuses == ["withdrawn", "declined"]


def test_what_cannot_be_is_refused_by_its_code(ada: Person, bela: Person, at: str, sign_up: Any) -> None:
    offer = pause(ada, at)
    eve = sign_up("Eve")
    refused = [
        (ada.post(f"{at}/offers", {"kind": "pause"}), 409, "offer_open"),
        (ada.post(f"{at}/offers", {"kind": "pause", "days": 15}), 422, "invalid"),
        (ada.post(f"{at}/offers", {"kind": "extend", "seat": 1}), 409, "not_awaited"),
        (ada.post(f"{at}/offers/{offer['id']}/answer", {"answer": "accept"}), 403, "not_asked"),
        (bela.post(f"{at}/offers/{offer['id']}/answer", {"answer": "withdraw"}), 403, "not_asked"),
        (bela.post(f"{at}/offers/unknown/answer", {"answer": "accept"}), 404, "offer_not_found"),
        (bela.post(f"{at}/resume"), 409, "not_paused"),
        (eve.post(f"{at}/offers/{offer['id']}/answer", {"answer": "accept"}), 403, "not_seated"),
        (eve.post("/v1/matches/none/offers", {"kind": "pause"}), 404, "match_not_found"),
    ]
    assert [(answer.status_code, answer.get_json()["code"]) for answer, _, _ in refused] == [
        (status, code) for _, status, code in refused
    ]


def test_a_day_more(ada: Person, bela: Person, at: str) -> None:
    before = ada.get(at).get_json()["seats"][0]["clock"]["remaining"]
    offer = bela.post(f"{at}/offers", {"kind": "extend"}).get_json()["items"][0]
    assert offer["for_seat"] == 0
    ada.post(f"{at}/offers/{offer['id']}/answer", {"answer": "accept"})
    after = ada.get(at).get_json()["seats"][0]["clock"]["remaining"]
    assert 86_000 < after - before <= 86_400


@pytest.mark.parametrize(("kind", "status"), [("draw", "finished"), ("end", "finished"), ("call_off", "cancelled")])
def test_a_match_ends_by_agreement(
    context: Context, ada: Person, bela: Person, at: str, kind: str, status: str
) -> None:
    offer = ada.post(f"{at}/offers", {"kind": kind}).get_json()["items"][0]
    bela.post(f"{at}/offers/{offer['id']}/answer", {"answer": "accept"})
    judged_batch(context)
    match = ada.get(at).get_json()
    assert match["status"] == status
    assert match["early_end"]["seats"] == [0, 1]
    assert (match["outcome"] is None) == (kind == "call_off")
    record = bela.get(f"{at}/record").get_json()
    assert record["early_end"] == match["early_end"]
    verify(read_record(record))
    late = bela.post(f"{at}/turns", {"ply": match["ply"], "notation": "dive"})
    assert (late.status_code, late.get_json()["code"]) == (409, "match_over")


def test_the_end_of_an_abandoned_match_is_asked_for(context: Context, ada: Person, bela: Person, at: str) -> None:
    early = bela.post(f"{at}/offers", {"kind": "abandon"})
    assert (early.status_code, early.get_json()["code"]) == (409, "nobody_away")
    held_at = context.clock().replace(microsecond=0)
    with context.database.write() as connection:
        matches.hold_seat(connection, at.rpartition("/")[2], 0, held_at, for_good=False)
    offer = bela.post(f"{at}/offers", {"kind": "abandon"}).get_json()["items"][0]
    assert (offer["away"], offer["waits_for"]) == ([0], [0])
    assert datetime.fromisoformat(offer["ends_at"]) == held_at + timedelta(days=14)
    assert ada.post(f"{at}/offers", {"kind": "abandon"}).get_json()["code"] == "offer_open"
    assert (
        bela.post(f"{at}/offers/{offer['id']}/answer", {"answer": "withdraw"}).get_json()["items"][0]["status"]
        == "withdrawn"
    )
    assert ada.post(f"{at}/offers", {"kind": "abandon"}).get_json()["code"] == "seat_held"
    assert bela.post(f"{at}/offers", {"kind": "abandon"}).get_json()["code"] == "asked_lately"


def test_a_seat_is_handed_to_somebody_who_then_plays(ada: Person, bela: Person, at: str, sign_up: Any) -> None:
    carl = sign_up("Carl")
    offer = ada.post(f"{at}/offers", {"kind": "hand_over", "email": carl.email}).get_json()["items"][0]
    assert (offer["kind"], offer["to"], offer["waits_for"]) == ("hand_over", None, [])
    assert carl.email not in bela.get(f"{at}/offers").get_data(as_text=True)
    early = bela.post(f"{at}/offers/{offer['id']}/answer", {"answer": "accept"})
    assert (early.status_code, early.get_json()["code"]) == (403, "not_asked")
    taken = carl.post(f"{at}/offers/{offer['id']}/answer", {"answer": "accept"}).get_json()["items"][0]
    assert (taken["to"], taken["waits_for"]) == ("Carl", [1])
    settled = bela.post(f"{at}/offers/{offer['id']}/answer", {"answer": "accept"}).get_json()["items"][0]
    assert settled["status"] == "accepted"
    match = carl.get(at).get_json()
    assert match["seats"][0]["player"] == "Carl"
    (item,) = carl.get("/v1/me/awaiting").get_json()["items"]
    assert item["match"] in at
    gone = ada.post(f"{at}/turns", {"ply": match["ply"], "notation": "dive"})
    assert (gone.status_code, gone.get_json()["code"]) == (403, "not_seated")
    assert carl.post(f"{at}/turns", {"ply": match["ply"], "notation": "dive"}).status_code == 202


def test_whom_a_seat_cannot_be_handed_to(ada: Person, bela: Person, at: str) -> None:
    refused = [
        (ada.post(f"{at}/offers", {"kind": "hand_over"}), 422, "invalid"),
        (ada.post(f"{at}/offers", {"kind": "hand_over", "email": "nobody"}), 422, "invalid"),
        (ada.post(f"{at}/offers", {"kind": "hand_over", "email": ada.email}), 409, "already_seated"),
    ]
    assert [(answer.status_code, answer.get_json()["code"]) for answer, _, _ in refused] == [
        (status, code) for _, status, code in refused
    ]
