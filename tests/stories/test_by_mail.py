"""Stories of people who have nothing but a mailbox."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import main
from tests.stories.conftest import ASKS, UNSIGNED, Person, World, begun, head_of, text_of

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]


def played_on(world: World, people: Sequence[Person], turns: int = 200) -> None:
    """Whoever is asked replies with the first move, so many times, or until nobody is asked."""
    for _ in range(turns):
        asked = [person for person in people if person.is_asked]
        if not asked:
            return
        asked[0].reply(asked[0].newest(ASKS), "1")
        world.pass_time(minutes=1)


def test_two_friends_play_a_match_to_its_end_and_check_its_draws(world: World, tmp_path: Path) -> None:
    ada, bela = begun(world)
    played_on(world, [ada, bela])
    assert {head_of(person.mails[-1]) for person in (ada, bela)} == {"Pearls is over: everyone shares the victory."}
    match = ada.match_id()
    record = tmp_path / "record.json"
    record.write_text(json.dumps(ada.ask(f"/matches/{match}/record")))
    checked = CliRunner().invoke(main, ["verify", str(record)])
    assert checked.exit_code == 0, checked.output


def test_a_reader_of_digests_is_mailed_at_the_hour_for_a_week_and_plays_from_it(world: World) -> None:
    ada, bela = begun(world)
    bela.write("overland@example.org", "settings digest 19")
    bela.new_mails()
    for _ in range(6):
        if ada.is_asked:
            ada.reply(ada.mails[-1], "1")
        world.pass_time(days=1)
        (mail,) = bela.new_mails()
        assert world.mailman.sent_at[mail["Message-ID"]].time() == time(19)
        bela.reply(mail, "1")
        assert head_of(bela.new_mails()[0]).startswith("Your turn was accepted, Bela.")
    world.pass_time(days=1)  # for what is left to be told


def test_a_mail_that_nobody_signed_plays_after_its_button_was_pressed(world: World) -> None:
    ada, bela = begun(world)
    ada.reply(ada.mails[-1], "1", UNSIGNED)
    world.pass_time(minutes=1)
    assert head_of(ada.mails[-1]) == "Did you send this turn?"
    assert not bela.is_asked
    link = next(line for line in text_of(ada.mails[-1]).splitlines() if "/orders/" in line)
    ada.press(ada.open(link), "/orders/")
    world.pass_time(minutes=1)
    assert bela.is_asked


def test_a_player_who_vanished_takes_the_seat_back_from_its_bot(world: World) -> None:
    ada, bela = begun(world)
    for _ in range(24):
        world.pass_time(hours=12)
        if bela.is_asked and "It holds your seat" not in text_of(ada.mails[-1]):
            bela.reply(bela.mails[-1], "1")
    told = [text_of(mail) for mail in ada.mails]
    assert sum("Your next one is yours again" in text for text in told) == 1
    assert sum("It holds your seat" in text for text in told) == 1
    assert any(text.startswith("Pearls waits for you") for text in told)
    ada.reply(ada.newest("It holds your seat"), "back")
    assert head_of(ada.mails[-1]) == "Your seat is yours again."
    bela.reply(bela.newest("It is your turn, Bela"), "1")
    world.pass_time(minutes=1)
    assert ada.is_asked


def test_days_off_stop_the_clock_and_its_reminders(world: World) -> None:
    ada, _ = begun(world)
    ada.write("overland@example.org", "away 6 days")
    assert head_of(ada.new_mails()[-1]) == "You have days off."
    world.pass_time(days=5)
    assert ada.new_mails() == []
    ada.write("overland@example.org", "back")
    assert "your clocks run again" in head_of(ada.new_mails()[-1])
    ada.reply(ada.newest("Pearls has begun"), "clock")
    assert "You have until Sunday, 29 November, 12:00 (UTC)." in " ".join(text_of(ada.mails[-1]).split())


def test_an_accept_counts_for_the_question_of_its_mail(world: World) -> None:
    ada, bela = begun(world)
    ada.reply(ada.mails[-1], "offer draw")
    ada.reply(ada.newest("Pearls has begun"), "pause 7 days")
    bela.reply(bela.newest("offers a pause"), "accept")
    assert "Accepted in your name, Bela" in text_of(bela.mails[-1])
    world.pass_time(days=4)
    assert not any("Pearls is over" in text_of(mail) for mail in ada.mails)
    assert not any("Your time was up" in text_of(mail) for mail in ada.mails)
    bela.reply(bela.newest("offers a draw"), "accept")
    world.pass_time(minutes=1)
    assert head_of(ada.mails[-1]).startswith("Pearls is over")


def test_a_stranger_takes_a_seat_over_and_plays_on(world: World) -> None:
    ada, bela = begun(world)
    played_on(world, [ada, bela], turns=3)
    zoe = world.person("Zoe")
    bela.reply(bela.newest("It is your turn, Bela"), "hand over to zoe@example.org")
    zoe.reply(zoe.newest("offers you their seat"), "accept")
    assert zoe.address not in "".join(str(mail) for mail in ada.mails)
    ada.reply(ada.newest("needs the word of"), "accept")
    world.pass_time(minutes=1)
    assert zoe.is_asked
    bela.new_mails()
    played_on(world, [ada, zoe])
    assert head_of(zoe.mails[-1]).startswith("Pearls is over")


def test_resigning_is_asked_back_and_ends_a_match_of_two(world: World) -> None:
    ada, bela = begun(world)
    ada.reply(ada.mails[-1], "resign")
    assert head_of(ada.mails[-1]).startswith("Do you want to resign, Ada?")
    world.pass_time(minutes=5)
    assert not any("is over" in head_of(mail) for mail in bela.mails)
    ada.reply(ada.newest("Do you want to resign"), "yes")
    world.pass_time(minutes=1)
    assert head_of(bela.mails[-1]) == "Pearls is over: Bela has won."


def test_a_link_stops_the_mails_of_a_kind_and_nothing_else(world: World) -> None:
    ada, bela = begun(world)
    link = next(line for line in text_of(ada.mails[-1]).splitlines() if line.startswith("No more mails of this kind"))
    ada.reply(ada.mails[-1], "1")
    world.pass_time(minutes=1)
    verdicts = next(
        line.partition(": ")[2] for line in text_of(bela.mails[-1]).splitlines() if "No more mails of this kind" in line
    )
    assert "match_started" in link
    bela.press(bela.open(verdicts), "/unsubscribe")
    bela.reply(bela.mails[-1], "1")
    world.pass_time(minutes=1)
    ada.reply(ada.newest("It is your turn, Ada"), "1")
    bela.new_mails()
    world.pass_time(hours=2)
    assert bela.new_mails() == []
    bela.write("overland@example.org", "list")
    assert "Pearls" in text_of(bela.mails[-1])


def test_a_match_with_a_bot_of_the_house_is_played_by_mail(world: World) -> None:
    ada = world.person("Ada")
    ada.join()
    ada.write("overland@example.org", "new pearls easy bot")
    world.pass_time(minutes=1)
    played_on(world, [ada])
    assert head_of(ada.mails[-1]).startswith("Pearls is over")


def test_a_mail_that_comes_twice_moves_once_and_is_answered_once(world: World) -> None:
    ada, bela = begun(world)
    asked = ada.mails[-1]
    for _ in range(2):
        ada.write(asked["Reply-To"], "1", Message_ID="<once@example.org>")
    world.pass_time(minutes=1)
    assert sum("Your turn was accepted" in text_of(mail) for mail in ada.mails) == 1
    assert bela.is_asked
