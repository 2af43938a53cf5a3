"""Stories in which mail, page and API meet, or the service has a bad day."""

from __future__ import annotations

import pytest

from tests.stories.conftest import Person, World, begun, head_of, text_of

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]


def signed_in(person: Person, words: str) -> str:
    """Signs the browser in by the link of the newest mail with these words; returns the path of the
    match.
    """
    mail = person.newest(words)
    link = next(line for line in text_of(mail).splitlines() if line.startswith("Page: ")).removeprefix("Page: ")
    page = person.press(person.open(link), "/sign-in")
    assert page.status_code == 200
    return page.request.path


def test_turns_by_mail_and_by_page_stand_in_one_log_as_the_api_shows_it(world: World) -> None:
    ada, bela = begun(world)
    ada.reply(ada.mails[-1], "1")
    world.pass_time(minutes=1)
    path = signed_in(bela, "It is your turn, Bela")
    assert "accepted" in bela.press(bela.open(path), path, line="1", do="play").text
    world.pass_time(hours=1)
    assert head_of(ada.mails[-1]).startswith("It is your turn, Ada")
    assert bela.open(path).text.count("Bela dives") == 1
    log = ada.ask(f"{path}/log")["items"]
    seats = [entry["seat"] for entry in log if entry["seat"] >= 0]
    assert seats == [0, 1]


def test_what_was_played_meanwhile_is_said_to_who_plays_an_old_page(world: World) -> None:
    ada, bela = begun(world)
    path = signed_in(ada, "Pearls has begun")
    old = ada.open(path)
    ada.reply(ada.newest("Pearls has begun"), "1")
    answer = ada.press(old, path, line="1", do="play")
    assert answer.status_code in (409, 422)
    world.pass_time(minutes=1)
    assert [entry["seat"] for entry in ada.ask(f"{path}/log")["items"] if entry["seat"] >= 0] == [0]
    assert bela.is_asked


def test_a_host_whose_mail_server_and_service_are_down_costs_nobody_time_or_mails(world: World) -> None:
    ada, bela = begun(world)
    path = signed_in(ada, "Pearls has begun")
    world.mailman.is_down = True
    ada.press(ada.open(path), path, line="1", do="play")
    told = len(bela.mails)
    world.pass_time(hours=5)
    assert len(bela.mails) == told
    world.be_down(days=9)
    world.mailman.is_down = False
    world.pass_time(hours=3)
    assert bela.is_asked
    assert not any("time was up" in text_of(mail) for mail in bela.mails)
    bela.reply(bela.mails[-1], "1")
    world.pass_time(minutes=1)
    assert ada.is_asked
