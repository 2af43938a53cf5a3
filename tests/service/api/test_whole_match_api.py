"""A whole match of Oregon over HTTP alone, to a record that anybody can check."""

from __future__ import annotations

import random

from engine.record import read_record, verify
from tests.service.api.conftest import Person

MOST_TURNS = 600


def test_a_match_is_played_to_its_end_and_its_record_holds(ada: Person, bela: Person, match: str) -> None:
    people, luck = (ada, bela), random.Random(20261121)
    for _ in range(MOST_TURNS):
        found = ada.get(f"/v1/matches/{match}").get_json()
        awaited = [seat["seat"] for seat in found["seats"] if seat["to_act"]]
        if not awaited:
            break
        person = people[awaited[0]]
        legal = person.get(f"/v1/matches/{match}/legal-actions").get_json()
        chosen = luck.choice(legal["items"])
        form = {"notation": chosen["notation"]} if luck.random() < 0.5 else {"actions": [chosen["action"]]}
        answer = person.post(f"/v1/matches/{match}/turns", {"ply": legal["ply"]} | form, headers={"Prefer": "wait=5"})
        assert (answer.status_code, answer.get_json()["status"]) == (200, "accepted"), (chosen, answer.text)
    assert found["status"] == "finished"
    assert sorted(found["outcome"]["ranks"])[0] == 1
    record = read_record(ada.get(f"/v1/matches/{match}/record").get_json())
    assert verify(record).plies == found["ply"]
    assert bela.get(f"/v1/matches/{match}/observation").get_json()["to_act"] == []
    late = ada.post(f"/v1/matches/{match}/turns", {"ply": found["ply"], "notation": "1"})
    assert (late.status_code, late.get_json(force=True)["code"]) == (409, "match_over")
