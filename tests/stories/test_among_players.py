"""Stories of what players say, settle and let lie."""

from __future__ import annotations

import pytest

from tests.stories.conftest import ASKS, World, begun, head_of, text_of

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]


def test_what_is_said_reaches_the_other_once_and_not_who_has_blocked_it(world: World) -> None:
    ada, bela = begun(world)
    ada.reply(ada.newest(ASKS), "1\r\nsay The sea is calm today.")
    world.pass_time(hours=1)
    assert sum("The sea is calm today." in text_of(mail) for mail in bela.mails) == 1


def test_a_turn_that_waits_for_its_word_is_played_by_yes_alone(world: World) -> None:
    ada, bela = begun(world)
    ada.write("overland@example.org", "settings confirm always")
    ada.reply(ada.newest(ASKS), "1")
    world.pass_time(hours=1)
    assert head_of(ada.mails[-1]) == "Nothing was played yet, Ada: reply yes to this mail, and this turn is."
    assert not bela.is_asked
    ada.reply(ada.mails[-1], "yes")
    world.pass_time(minutes=1)
    assert bela.is_asked


def test_a_match_without_a_clock_sleeps_until_somebody_plays(world: World) -> None:
    ada, bela = world.person("Ada"), world.person("Bela")
    ada.join()
    ada.write("overland@example.org", f"new pearls none {bela.address}")
    bela.reply(bela.newest("invites you"), "yes")
    world.pass_time(days=100)
    for person in (ada, bela):
        told = [text_of(mail) for mail in person.mails]
        assert sum("archived now, and asks nothing" in " ".join(text.split()) for text in told) == 1
    ada.reply(ada.newest(ASKS), "1")
    world.pass_time(minutes=1)
    assert bela.is_asked


def test_nothing_is_asked_after_the_end_whatever_is_written(world: World) -> None:
    ada, bela = begun(world)
    bela.reply(bela.mails[-1], "resign")
    bela.reply(bela.newest("Do you want to resign"), "yes")
    world.pass_time(minutes=1)
    over = ada.newest("is over")
    for word in ("1", "dive", "back", "resign", "pause 7 days", "moves", "clock", "accept", "undo", "board", "list"):
        told = len(ada.mails)
        ada.reply(over, word)
        assert len(ada.mails) == told + 1
        said = text_of(ada.mails[-1])
        assert "It is your turn" not in said
        assert "MOVE" not in said
    world.pass_time(days=1)
    assert text_of(ada.mails[-1]) == said


def test_a_line_that_is_no_move_leaves_the_question_open(world: World) -> None:
    ada, bela = begun(world)
    ada.reply(ada.newest(ASKS), "offer 3 pearls")
    assert head_of(ada.mails[-1]) == "Nothing was done."
    assert "It is your turn. Dive" in text_of(ada.mails[-1])
    assert not bela.is_asked
    ada.reply(ada.mails[-1], "1")
    world.pass_time(minutes=1)
    assert bela.is_asked


def test_a_seat_that_a_bot_held_to_the_end_is_not_given_back(world: World) -> None:
    ada, bela = begun(world)
    for _ in range(40):
        world.pass_time(hours=12)
        if bela.is_asked:
            bela.reply(bela.mails[-1], "1")
        if any("is over" in head_of(mail) for mail in ada.mails):
            break
    ada.reply(ada.newest("is over"), "back")
    assert "You can come back only to a match that is running." in text_of(ada.mails[-1])
