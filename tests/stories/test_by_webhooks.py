"""A story of a club whose channel is told, and of nobody else."""

from __future__ import annotations

import re

import pytest

from service.webhooks.calling import calling
from service.webhooks.delivery import call_due
from tests.service.fakes import Here
from tests.service.webhooks.receiver import receiving
from tests.stories.conftest import ASKS, World, begun, text_of

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]


def test_a_channel_that_two_have_entered_follows_a_match_by_mail_to_its_end_in_single_messages(world: World) -> None:
    ada, bela = begun(world)
    match_id, tokens = ada.match_id(), {}
    for each in (ada, bela):
        each.client.post("/v1/players", json={"name": each.name, "email": each.address})
        world.settle()
        code = re.search(r"\?token=([\w-]+)", text_of(each.mails[-1]))
        assert code is not None, text_of(each.mails[-1])
        tokens[each.name] = each.client.post("/v1/confirm", json={"token": code[1]}).get_json()["token"]
        entered = each.client.post(
            f"/v1/matches/{match_id}/webhooks",
            json={"url": "http://club.example.org/channel", "format": "discord"},
            headers={"Authorization": f"Bearer {tokens[each.name]}"},
        )
        assert entered.status_code == 201, entered.text
    with receiving() as receiver:

        def call() -> None:
            world.pass_time(seconds=40)
            call_due(world.context, Here(calling(world.context, receiver.network)))

        turns = 0
        while (match := ada.ask(f"/matches/{match_id}"))["status"] == "running":
            (seat,) = [each["seat"] for each in match["seats"] if each["to_act"]]
            awaited = (ada, bela)[seat]
            awaited.reply(awaited.newest(ASKS), "1")
            turns += 1
            assert turns < 200
            call()
        said = [got.document["content"] for got in receiver.received]
    assert len(said) == turns, "one message a turn, and the end in place of the last"
    assert "is over" in said[-1]
    assert all(f"/matches/{match_id}" in each for each in said)
    assert sum("Bela:" in each for each in said) + sum("Ada:" in each for each in said) == turns - 1
