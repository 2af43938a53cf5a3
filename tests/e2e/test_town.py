"""The town of Montana, contested by four strangers: real processes, real queue, real mails, each to
exactly who has to decide.
"""

import re
from pathlib import Path

from tests.e2e.running import Running, free_port, until
from tests.service.api.test_town_api import NAMES, SCRIPTED, TOWN, box
from tools.client import Player, Service, mails_to, sign_up

PATIENCE = 120.0


def asked_by_mail(service: Service, player: Player) -> list[str]:
    """What the player was asked in mails that say that it is their turn."""
    openings = (" ".join(mail["text"].splitlines()[:2]) for mail in mails_to(service, player.email))
    return sorted(
        found[1] for opening in openings if (found := re.match(rf"Your turn, {player.name}: (.*?)\.", opening))
    )


def test_each_who_has_to_decide_in_town_gets_a_mail_and_nobody_else(tmp_path: Path) -> None:
    with Running(tmp_path / "data", free_port()) as running:
        service = Service(running.url)
        people = [sign_up(service, name) for name in NAMES]
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in people[1:])]
        path = (
            "/v1/matches/"
            + service.post("/v1/matches", {"game": "montana", "components": box(SCRIPTED), "seats": seats}, people[0])[
                "id"
            ]
        )
        for player in people[1:]:
            service.post(f"{path}/join", {}, player)
        expected: list[list[str]] = [["recruit, harvest or build"], [], [], []]
        for seat, line, awaited, prompt in TOWN:
            ply = service.get(path)["ply"]
            turn = service.post(f"{path}/turns", {"ply": ply, "notation": line}, people[seat], Prefer="wait=30")
            assert turn["status"] == "accepted", turn
            assert service.get(f"{path}/observation")["awaited"] == [
                {"seat": awaited, "player": NAMES[awaited], "prompt": prompt}
            ]
            expected[awaited].append(prompt)
        mails = sum(map(len, expected))
        until(
            lambda: sum(len(asked_by_mail(service, player)) for player in people) >= mails, PATIENCE, f"{mails} mails"
        )
        assert [asked_by_mail(service, player) for player in people] == [sorted(prompts) for prompts in expected]
        assert "Traceback" not in running.said()
