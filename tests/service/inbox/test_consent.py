"""Nobody agrees to what they did not agree to: mails in, mails out, each answered at the address
that its mail came from.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.clocks.spans import moment
from service.context import Context
from service.matches import lobby
from service.notices.mail.compose import mail_of
from service.offers import offering
from service.players import choosing
from service.statuses import OfferKind
from service.store.outbox import Notice
from service.sweeps import sweep
from tests.service.fakes import Round, all_sent, judged_batch, notices, played, started
from tests.service.inbox.postman import Postman
from tests.service.turns.clocks import DAY, let_expire, now_is, stored

ADA, BELA = "ada@example.org", "bela@example.org"


@pytest.fixture
def table(behind_a_relay: Context, pearls: None) -> Round:
    """Ada, who is awaited, and Bela, with clocks."""
    return started(behind_a_relay, "pearls", clock="slow")


def status(postman: Postman, table: Round) -> str:
    judged_batch(postman.context)
    return lobby.find(postman.context, None, table.match.id).status


def statuses(postman: Postman, table: Round) -> dict[OfferKind, str]:
    found = offering.of_match(postman.context, table.match.id, postman.context.clock()).items
    return {offer.kind: offer.status for offer in found}


def text_of(postman: Postman, notice: Notice) -> str:
    """The plain text of the mail of a notice, without line breaks."""
    part = mail_of(postman.context, notice).get_body(("plain",))
    assert part is not None
    return " ".join(part.get_content().split())


def answer(postman: Postman) -> str:
    """The text of the newest answer."""
    return text_of(postman, postman.answers()[-1])


def your_turn(postman: Postman, table: Round, seat: int) -> Notice:
    """The newest mail that asks a player for a move."""
    return postman.newest("your_turn", table.players[seat])


def asked(postman: Postman, table: Round, seat: int, kind: OfferKind) -> Notice:
    """The mail that asks a player about an offer of that kind."""
    found = [each for each in notices(postman.context, "offer_made") if each.payload["offer"] == kind]
    return [each for each in found if each.player_id == table.players[seat].id][-1]


def move(postman: Postman, table: Round) -> None:
    """Whoever is awaited dives."""
    match = lobby.find(postman.context, None, table.match.id)
    seat = next(each.seat for each in match.seats if each.to_act)
    assert played(postman.context, table.players[seat], table.match.id, "dive").status == "accepted"


def test_an_accept_in_reply_to_the_mail_of_an_extension_accepts_no_draw(postman: Postman, table: Round) -> None:
    postman.reply(your_turn(postman, table, 0), ADA, "offer draw")
    postman.reply(your_turn(postman, table, 0), ADA, "extend")
    assert postman.reply(asked(postman, table, 1, "extend"), BELA, "accept").did == "accepted"
    assert "Accepted in your name, Bela: Ada asks for a day more for this turn." in answer(postman)
    assert "Ada has a day more for this turn." in answer(postman)
    assert statuses(postman, table) == {"draw": "open", "extend": "accepted"}
    assert status(postman, table) == "running"
    assert postman.reply(asked(postman, table, 1, "draw"), BELA, "accept").did == "accepted"
    assert "Accepted in your name, Bela: Ada offers a draw" in answer(postman)
    assert "The match ends now. A mail has the result" in answer(postman)
    assert status(postman, table) == "finished"


def test_a_bare_accept_to_another_mail_is_asked_back_with_all_that_is_open(postman: Postman, table: Round) -> None:
    move(postman, table)
    postman.reply(postman.newest("match_started", table.players[0]), ADA, "offer draw")
    assert postman.reply(your_turn(postman, table, 1), BELA, "accept").did == "which"
    assert "Is this what you mean? Nothing was done yet. - Ada offers a draw" in answer(postman)
    assert statuses(postman, table) == {"draw": "open"}
    postman.reply(postman.newest("match_started", table.players[0]), ADA, "call off")
    assert postman.reply(your_turn(postman, table, 1), BELA, "yes").did == "which"
    assert "Which of these do you mean? Nothing was done yet." in answer(postman)
    assert "Ada offers a draw: the match ends now, and all who play share the first rank. Write accept 1" in answer(
        postman
    )
    assert "without a result. Write accept 2, or decline 2." in answer(postman)
    assert statuses(postman, table) == {"draw": "open", "call_off": "open"}
    assert postman.reply(postman.answers()[-1], BELA, "accept").did == "which"
    assert postman.reply(your_turn(postman, table, 1), BELA, "accept 1\ndecline 2").did == "which"
    assert postman.reply(your_turn(postman, table, 1), BELA, "decline 1").did == "declined"
    assert postman.reply(your_turn(postman, table, 1), BELA, "accept 3").did == "closed"
    assert "no question 3 is asked of you" in answer(postman)
    assert postman.reply(your_turn(postman, table, 1), BELA, "accept 2").did == "accepted"
    assert status(postman, table) == "cancelled"


def test_the_question_in_return_about_a_single_thing_is_answered_by_a_reply_to_it(
    postman: Postman, table: Round
) -> None:
    postman.reply(your_turn(postman, table, 0), ADA, "offer draw")
    postman.reply(postman.newest("match_started", table.players[1]), BELA, "ok")
    assert postman.reply(postman.answers()[-1], BELA, "yes").did == "accepted"
    assert status(postman, table) == "finished"


def test_with_nothing_open_a_yes_is_told_so(postman: Postman, table: Round) -> None:
    assert postman.reply(your_turn(postman, table, 0), ADA, "yes").did == "nothing_asked"
    assert "Nothing waits for your yes or no." in answer(postman)


def test_who_has_lost_the_seat_for_good_resigns_neither_by_a_yes_nor_by_the_word(
    postman: Postman, behind_a_relay: Context, pearls: None
) -> None:
    table = started(behind_a_relay, "pearls", 3, clock={"preset": "brisk", "if_late": "bot_seat"})
    assert postman.reply(your_turn(postman, table, 0), ADA, "resign").did == "asked_back"
    question = postman.answers()[-1]
    let_expire(behind_a_relay, table)
    assert postman.reply(question, ADA, "yes").did == "closed"
    assert postman.reply(your_turn(postman, table, 0), ADA, "resign").did == "resign"
    assert "There is nothing to resign from any more." in answer(postman)
    assert stored(behind_a_relay, table).seats[0].resigned_at is None


def test_an_old_resignation_is_not_carried_out_by_a_yes_to_a_mail_of_a_turn(postman: Postman, table: Round) -> None:
    assert postman.reply(your_turn(postman, table, 0), ADA, "resign").did == "asked_back"
    question = postman.answers()[-1]
    assert "Do you want to resign, Ada? Reply yes to this mail, and you have." in answer(postman)
    assert postman.reply(your_turn(postman, table, 0), ADA, "yes").did == "which"
    assert "Ada is to resign, for good." in answer(postman)
    move(postman, table)
    move(postman, table)
    now_is(postman.context, postman.context.clock() + 4 * DAY)
    assert postman.reply(your_turn(postman, table, 0), ADA, "yes").did == "nothing_asked"
    assert postman.reply(question, ADA, "yes").did == "closed"
    assert "the match has moved on since you were asked" in answer(postman)
    assert status(postman, table) == "running"


def test_a_resignation_lapses_after_two_days_in_which_nobody_moves(postman: Postman, table: Round) -> None:
    postman.reply(your_turn(postman, table, 0), ADA, "resign")
    question = postman.answers()[-1]
    now_is(postman.context, question.created_at + 2 * DAY)
    sweep(postman.context)
    assert postman.reply(question, ADA, "yes").did == "closed"
    assert postman.reply(your_turn(postman, table, 0), ADA, "yes").did == "nothing_asked"
    assert status(postman, table) == "running"


def test_a_resignation_that_is_meant_says_who_has_resigned_and_what_follows(postman: Postman, table: Round) -> None:
    postman.reply(your_turn(postman, table, 0), ADA, "resign")
    now_is(postman.context, postman.context.clock() + 1.9 * DAY)
    assert postman.reply(postman.answers()[-1], ADA, "yes").did == "resigned"
    assert "You have resigned from this match, Ada, for good." in answer(postman)
    assert "The match is over with that" in answer(postman)
    assert status(postman, table) == "finished"


def test_a_yes_to_a_turn_that_is_asked_back_does_not_resign(postman: Postman, table: Round) -> None:
    choosing.choose(postman.context, table.players[0], {"confirm": "always"})
    to_move = your_turn(postman, table, 0)
    assert postman.reply(to_move, ADA, "dive").did == "asked_back"
    turn = postman.answers()[-1]
    assert postman.reply(to_move, ADA, "resign").did == "asked_back"
    resignation = postman.answers()[-1]
    assert postman.reply(to_move, ADA, "yes").did == "which"
    assert "This turn is to be played for Ada: dive. Write accept 1" in answer(postman)
    assert "Ada is to resign, for good. Write accept 2" in answer(postman)
    assert postman.reply(turn, ADA, "yes").did == "turn"
    assert status(postman, table) == "running"
    assert lobby.find(postman.context, None, table.match.id).ply > 0
    assert postman.reply(resignation, ADA, "yes").did == "closed"
    assert status(postman, table) == "running"


def test_another_turn_takes_the_place_of_the_one_that_was_asked_back(postman: Postman, table: Round) -> None:
    choosing.choose(postman.context, table.players[0], {"confirm": "always"})
    to_move = your_turn(postman, table, 0)
    postman.reply(to_move, ADA, "dive")
    first = postman.answers()[-1]
    postman.reply(to_move, ADA, "1")
    assert postman.reply(first, ADA, "yes").did == "closed"
    assert postman.reply(postman.answers()[1], ADA, "yes").did == "turn"


@pytest.mark.parametrize("text", ["yes", "no"])
def test_a_confirmation_that_is_handled_again_after_a_crash_says_nothing_else(
    postman: Postman, table: Round, text: str
) -> None:
    choosing.choose(postman.context, table.players[0], {"confirm": "always"})
    postman.reply(your_turn(postman, table, 0), ADA, "dive")
    to = str(mail_of(postman.context, postman.answers()[-1])["Reply-To"])
    mail = postman.mail(to, ADA, text)
    postman.bring(mail)
    status(postman, table)
    assert postman.bring(replace(mail, id="again")).did == "again"


def test_an_unproven_yes_is_nobodys_consent(postman: Postman, table: Round) -> None:
    postman.reply(your_turn(postman, table, 0), ADA, "offer draw")
    assert postman.reply(asked(postman, table, 1, "draw"), BELA, "accept", results=None).did == "unproven"
    assert statuses(postman, table) == {"draw": "open"}


def test_the_mail_of_an_end_says_that_silence_accepts_nothing(postman: Postman, table: Round) -> None:
    postman.reply(your_turn(postman, table, 0), ADA, "end match")
    text = text_of(postman, asked(postman, table, 1, "end"))
    assert "It needs the word of Bela." in text
    assert "Silence accepts nothing, also of who has days off or a bot at their seat." in text
    assert "It lapses on Saturday, 5 December" in text
    assert 'write "accept 1" or "decline 1"' in text


def held(postman: Postman, table: Round) -> None:
    """Lets Ada be late until a bot holds her seat."""
    while not lobby.find(postman.context, None, table.match.id).seats[0].by_bot:
        match = lobby.find(postman.context, None, table.match.id)
        if match.seats[1].to_act:
            move(postman, table)
        now_is(postman.context, postman.context.clock() + DAY)
        sweep(postman.context)
        judged_batch(postman.context)


def test_a_match_whose_opponent_has_left_is_ended_by_mail_as_abandoned(postman: Postman, table: Round) -> None:
    assert (
        postman.reply(postman.newest("match_started", table.players[1]), BELA, "end as abandoned").did == "nobody_away"
    )
    held(postman, table)
    mail = postman.newest("your_turn", table.players[1])
    assert postman.reply(mail, BELA, "end as abandoned").did == "offer"
    assert "In your name, Bela: Bela asks to end the match as abandoned" in answer(postman)
    first = asked(postman, table, 0, "abandon")
    assert "It needs no word of Ada: the match ends without one, not before" in text_of(postman, first)
    for _ in range(40):
        now_is(postman.context, postman.context.clock() + DAY)
        all_sent(postman.context)
        sweep(postman.context)
        if status(postman, table) != "running":
            break
    assert status(postman, table) == "cancelled"
    second = asked(postman, table, 0, "abandon")
    assert second.id != first.id
    assert "This is the second mail about it, and the last one." in text_of(postman, second)
    ended = postman.context.clock()
    assert ended - second.created_at >= 3 * DAY
    assert ended >= moment(first.payload["ends_at"])
    for player in table.players:
        over = text_of(postman, postman.newest("match_over", player))
        assert "has ended without a result" in over
        assert "Bela asked to end it. Ada had been away for 14 days or longer" in over
        assert "agreed" not in over


@pytest.mark.parametrize("text", ["back", "decline"])
def test_who_comes_back_or_declines_has_not_abandoned_the_match(postman: Postman, table: Round, text: str) -> None:
    held(postman, table)
    postman.reply(postman.newest("your_turn", table.players[1]), BELA, "end as abandoned")
    assert postman.reply(asked(postman, table, 0, "abandon"), ADA, text).did in ("back", "declined")
    for _ in range(20):
        now_is(postman.context, postman.context.clock() + DAY)
        sweep(postman.context)
    assert statuses(postman, table) == {"abandon": "declined" if text == "decline" else "lapsed"}
    assert status(postman, table) == "running"
