"""Stories of matches that begin by the link that one passes on, or never begin."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from service.players import blocks
from service.store import match_lists, matches, players
from service.store.players import Player
from tests.stories.conftest import Person, World, text_of

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]
CALLED_OFF = "the match was called off"


def link_of(world: World, match: str) -> str:
    """The join link, as the host passes it on."""
    with world.context.database.read() as connection:
        found = matches.find(connection, match)
    assert found is not None
    return f"/join/{found.join_secret}"


def follow(mail: EmailMessage, page: str) -> str:
    """The path of the link in a mail that leads to such a page."""
    found = re.search(rf"https?://[^\s/]+(/{page}[^\s]*)", text_of(mail))
    assert found is not None, text_of(mail)
    return found[1]


def player_of(world: World, person: Person) -> Player:
    with world.context.database.read() as connection:
        found = players.by_address(connection, person.address)
    assert found is not None
    return found


def called_off(person: Person) -> list[str]:
    """The mails that say so, each on one line."""
    told = (" ".join(text_of(mail).split()) for mail in person.mails)
    return [text for text in told if CALLED_OFF in text.lower()]


def begins(world: World, *invited: Person) -> tuple[Person, str]:
    """Ada, who has signed up and created a match for herself and those by mail."""
    ada = world.person("Ada")
    ada.join()
    ada.write("overland@example.org", f"new pearls {' '.join(each.address for each in invited)}")
    with world.context.database.read() as connection:
        (match,) = match_lists.of_player(connection, player_of(world, ada).id, (), (), False, 2, None)
    return ada, match.id


def test_a_stranger_with_the_link_sits_three_clicks_after_the_mail(world: World) -> None:
    bela, cleo = world.person("Bela"), world.person("Cleo")
    _, match = begins(world, bela)
    link = link_of(world, match)
    bela.reply(bela.newest("invites you"), "no")  # so that there is an open seat
    cleo.press(cleo.open(link), f"{link}/sign-up", name="Cleo", email=cleo.address)
    (mail,) = cleo.new_mails()
    asked = cleo.open(follow(mail, "confirm"))
    page = cleo.press(asked, "/confirm")
    taken = cleo.press(page, link)
    assert "You play here as Cleo." in taken.text


def test_an_invitation_leads_to_the_page_where_one_takes_the_seat_without_another_mail(world: World) -> None:
    bela = world.person("Bela")
    begins(world, bela)
    link = follow(bela.newest("invites you"), "invitation")
    assert "You play here as Bela." in bela.press(bela.open(link), "/invitation", name="Bela").text
    assert not [mail for mail in bela.mails if re.search(r"/confirm\?", text_of(mail))]


def test_an_invitation_signs_a_player_in_who_takes_the_seat_by_the_same_button(world: World) -> None:
    bela = world.person("Bela")
    bela.join()
    begins(world, bela)
    link = follow(bela.newest("invites you"), "invitation")
    page = bela.open(link)
    assert "You play as Bela." in page.text
    assert "You play here as Bela." in bela.press(page, "/invitation").text


def test_a_match_that_nobody_completes_is_called_off_after_thirty_days_with_one_mail_each(world: World) -> None:
    bela, cleo = world.person("Bela"), world.person("Cleo")
    cleo.join()
    ada, match = begins(world, bela, cleo)
    cleo.reply(cleo.newest("invites you"), "yes")
    world.pass_time(days=29)
    assert [called_off(person) for person in (ada, bela, cleo)] == [[], [], []]
    world.pass_time(days=1, hours=1)
    for person in (ada, bela, cleo):
        (text,) = called_off(person)
        assert "It has not started in 30 days: one seat was still free." in text
    assert ada.ask(f"/matches/{match}")["status"] == "cancelled"
    told = {person.name: len(person.mails) for person in (ada, bela, cleo)}
    world.pass_time(days=3)
    assert {person.name: len(person.mails) for person in (ada, bela, cleo)} == told
    bela.reply(bela.newest("invites you"), "yes")
    assert ada.ask(f"/matches/{match}")["status"] == "cancelled"


def test_who_has_blocked_the_host_is_told_nothing_of_the_end(world: World) -> None:
    bela = world.person("Bela")
    bela.join()
    ada, match = begins(world, bela)
    blocks.block(world.context, player_of(world, bela), match, None)
    world.pass_time(days=30, hours=1)
    assert (len(called_off(ada)), called_off(bela)) == (1, [])


def test_a_match_that_has_started_goes_on(world: World) -> None:
    bela = world.person("Bela")
    ada, match = begins(world, bela)
    world.pass_time(days=29, hours=18)
    bela.reply(bela.newest("invites you"), "yes")
    world.pass_time(hours=12)
    assert ada.ask(f"/matches/{match}")["status"] == "running"
    assert called_off(ada) == []
