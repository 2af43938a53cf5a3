"""What the guide to the API shows of refusals is what the service says."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from engine.games.oregon.sentences import explain
from engine.types import Problem
from service.kinds import EventKind
from service.players.preferences import OF_MATCH, Preferences
from tests.service.api.conftest import Person

GUIDE = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")
SHOWN = {json.loads(each) for each in re.findall(r'"detail": ("(?:[^"\\]|\\.)+")', GUIDE)} - {"…"}
"""The sentences of `detail`; of one that lists what is free, that depends on the match."""


def details(document: dict[str, Any]) -> set[str]:
    return {each["detail"] for each in (document, *document.get("errors", ())) if "detail" in each}


def test_every_sentence_that_the_guide_shows_is_the_one_of_the_service(ada: Person, bela: Person, match: str) -> None:
    components = ada.get("/v1/games/oregon/components").get_json()["components"] | {"name": "mine"}
    components["terrain"]["value"][9] = components["terrain"]["value"][9][:14]
    seats = [{"kind": "me"}, {"kind": "open"}]
    before = ada.get(f"/v1/matches/{match}").get_json()
    first, second = (ada, bela) if before["seats"][0]["to_act"] else (bela, ada)
    turns, ply = f"/v1/matches/{match}/turns", before["ply"]
    answers = [
        ada.post("/v1/players", {"name": "Bela", "email": "bela@example.org"}),
        ada.post("/v1/matches", {"game": "chess", "tilte": "Westward", "seats": [{"kind": "invite"}]}),
        ada.post("/v1/matches", {"game": "oregon", "seats": seats, "components": components}),
        first.post(turns, {"ply": ply, "notation": "start Z99"}),
        first.post(turns, {"ply": ply, "notation": "1"}),
        second.post(turns, {"ply": ply, "notation": "1"}),
    ]
    told = set().union(*(details(answer.get_json()) for answer in answers))
    told |= {explain(Problem("wrong_terrain", "R4.1", {"building": "station", "space": "A1", "terrain": "prairie"}))}
    assert len(SHOWN) >= 8
    assert {sentence for sentence in SHOWN if not sentence.startswith(tuple(told))} == set()


def test_the_guide_says_of_every_kind_of_events_what_it_tells() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", GUIDE.split("\n## Events\n")[1].split("\n## ")[0], re.MULTILINE)
    kinds = [kind for row in rows[1:] for kind in re.findall(r"`(\w+)`", row)]
    assert sorted(kinds) == sorted(get_args(EventKind))


def test_the_guide_lists_every_preference_and_says_which_are_not_of_one_match() -> None:
    table = GUIDE.split("\n| member | values | |\n")[1].split("\n\n")[0]
    named = {name: row for row in table.splitlines()[1:] for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named.keys() == {each.name for each in fields(Preferences)} - {"quiet_zone"}
    assert {name for name, row in named.items() if "not of one match" not in row} == set(OF_MATCH)
