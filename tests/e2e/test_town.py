"""The town of Montana, contested by four players: real processes, real queue, real mails, each to
exactly who has to decide.
"""

import re
from pathlib import Path

import pytest

from tests.service.api.test_town_api import NAMES, SCRIPTED, TOWN, box
from tools.client import Account, Client, sign_up
from tools.launch import running
from tools.waiting import until

pytestmark = pytest.mark.deep


def asked_by_mail(client: Client, player: Account) -> list[str]:
    """What the player was asked in mails that say that it is their turn; the first is that of the
    start.
    """
    texts = (" ".join(text.splitlines()) for text in client.mail_texts(player.email))
    said = re.compile(rf"It is your turn(?:, {player.name})?\. (.*?\.)")
    return sorted(found[1] for text in texts if (found := said.search(text)))


def until_asked(client: Client, player: Account, prompts: list[str]) -> None:
    """Waits for the mails with all of these prompts. One that still waited when the next turn came
    would be merged with that turn's.
    """
    until(lambda: asked_by_mail(client, player) == sorted(prompts), f"{player.name} is asked to {prompts[-1]}")


def own_prompt(client: Client, path: str, player: Account) -> str:
    """What the player is asked, in the words for the player alone."""
    sentence: str = client.get(f"{path}/observation", player)["prompt"]["sentence"]
    return sentence


def test_every_player_who_has_to_decide_in_town_gets_a_mail_and_nobody_else(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        client = Client(service.url)
        people = [sign_up(client, name) for name in NAMES]
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in people[1:])]
        path = (
            "/v1/matches/"
            + client.post("/v1/matches", {"game": "montana", "components": box(SCRIPTED), "seats": seats}, people[0])[
                "id"
            ]
        )
        for player in people[1:]:
            client.post(f"{path}/join", {}, player)
        expected: list[list[str]] = [[own_prompt(client, path, people[0])], [], [], []]
        until_asked(client, people[0], expected[0])
        for seat, line, awaited, prompt in TOWN:
            ply = client.get(path)["ply"]
            turn = client.post(f"{path}/turns", {"ply": ply, "notation": line}, people[seat], Prefer="wait=30")
            assert turn["status"] == "accepted", turn
            (each,) = client.get(f"{path}/observation")["awaited"]
            assert (each["seat"], each["player"], each["prompt"]["sentence"]) == (awaited, NAMES[awaited], prompt)
            expected[awaited].append(own_prompt(client, path, people[awaited]))
            until_asked(client, people[awaited], expected[awaited])
        assert [asked_by_mail(client, player) for player in people] == [sorted(prompts) for prompts in expected]
        assert "Traceback" not in service.output()
