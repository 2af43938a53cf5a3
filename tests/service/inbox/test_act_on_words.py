"""The words that a reply about a match can say: each is answered once, and nothing else happens."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from service.inbox import answers
from service.inbox.answers import MOST_ANSWERS
from service.links import of_everything, service_address, unsubscribe_tag
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.notices.mail.compose import mail_of
from service.players import choosing
from service.signing import keys_of
from service.store import outbox, turns
from service.store.outbox import Notice
from service.store.tables import outbox as outbox_rows
from tests.service.fakes import Clock, Round, judged_batch, notices, person, played, started
from tests.service.inbox.postman import Postman
from tests.service.swept import look_after

ADA, BELA = "ada@example.org", "bela@example.org"


def answered(postman: Postman) -> Mapping[str, Any]:
    """What the only answer says."""
    (answer,) = postman.answers()
    return answer.payload


def asked_by(postman: Postman, notice: Notice) -> str:
    """Where a reply to the mail of a notice goes."""
    return str(mail_of(postman.context, notice)["Reply-To"])


def number_of_turns(postman: Postman, table: Round) -> int:
    with postman.context.database.read() as connection:
        return len(turns.of_player(connection, table.match.id, table.players[0].id, 50, None))


@pytest.mark.parametrize(("word", "shown"), [("moves", ["moves"]), ("board", ["board"]), ("help", ["help"])])
def test_moves_board_and_help_are_shown(postman: Postman, table: Round, to: str, word: str, shown: list[str]) -> None:
    assert postman.send(to, ADA, f"{word.title()}!").did == word
    assert answered(postman)["shows"] == shown
    assert number_of_turns(postman, table) == 0


def test_several_words_get_one_answer(postman: Postman, to: str) -> None:
    postman.send(to, ADA, "moves\nboard\nhelp")
    assert answered(postman)["shows"] == ["moves", "board", "help"]


def test_a_preview_plays_nothing(postman: Postman, table: Round, to: str) -> None:
    postman.send(to, ADA, "preview dive")
    told = answered(postman)
    assert "preview" in told["headline"]
    assert told["lines"] == ["dive"]
    assert "A draw comes next" in told["says"][-1]
    assert number_of_turns(postman, table) == 0


def test_a_preview_that_is_no_turn_says_so(postman: Postman, to: str) -> None:
    postman.send(to, ADA, "preview something else")
    assert "could not be read" in answered(postman)["says"][0]


def test_repeat_sends_the_last_mail_again(postman: Postman, table: Round, to: str) -> None:
    context = postman.context
    (mine,) = [notice for notice in notices(context, "your_turn") if notice.player_id == table.players[0].id]
    with context.database.write() as connection:
        sent = outbox_rows.update().where(outbox_rows.c.id == mine.id).values(status="sent", sent_at=context.clock())
        connection.execute(sent)
    mail = postman.mail(to, ADA, "repeat")
    postman.bring(mail)
    postman.bring(replace(mail, id="again"))
    assert postman.answers() == []
    with context.database.read() as connection:
        (again,) = [notice for notice in outbox.listed(connection, "pending", 50) if notice.id == mine.id]
    assert again.payload["again"] == 1


def test_resigning_is_asked_back_and_done_by_yes(postman: Postman, table: Round, to: str) -> None:
    assert postman.send(to, ADA, "resign").did == "asked_back"
    assert lobby.find(postman.context, None, table.match.id).status == "running"
    yes = postman.mail(asked_by(postman, postman.answers()[-1]), ADA, "yes")
    assert postman.bring(yes).did == "resigned"
    assert postman.bring(replace(yes, id="again")).did == "again"
    assert lobby.find(postman.context, None, table.match.id).status == "finished"
    assert len(postman.answers()) == 2


def test_no_drops_what_was_asked_back(postman: Postman, table: Round, to: str) -> None:
    postman.send(to, ADA, "resign")
    (asked,) = postman.answers()
    assert postman.reply(asked, ADA, "no").did == "dropped"
    assert postman.reply(asked, ADA, "yes").did == "closed"
    assert postman.send(to, ADA, "yes").did == "nothing_asked"
    assert lobby.find(postman.context, None, table.match.id).status == "running"


def test_an_unproven_resignation_is_held(postman: Postman, table: Round, to: str) -> None:
    assert postman.send(to, ADA, "resign", results=None).did == "held_resign"
    (asked,) = postman.answers()
    assert (asked.kind, asked.payload["what"], asked.player_id) == ("unproven_turn", "resign", table.players[0].id)
    assert postman.send(to, ADA, "yes").did == "which"
    assert postman.reply(asked, ADA, "yes", results=None).did == "asked"
    assert lobby.find(postman.context, None, table.match.id).status == "running"
    assert postman.reply(asked, ADA, "yes").did == "resigned"


def test_what_was_asked_back_is_not_done_by_an_unproven_yes(postman: Postman, table: Round, to: str) -> None:
    postman.send(to, ADA, "resign")
    assert postman.reply(postman.answers()[-1], ADA, "yes", results=None).did == "asked"
    assert lobby.find(postman.context, None, table.match.id).status == "running"
    assert postman.answers()[-1].kind == "unproven_turn"


def test_what_is_said_is_said_once(postman: Postman, table: Round, to: str) -> None:
    mail = postman.mail(to, ADA, "say Well played, 1 more and I win")
    postman.bring(mail)
    postman.bring(replace(mail, id="again"))
    (said,) = chat.heard(postman.context, table.players[1], table.match.id, 0, 10)
    assert said.text == "Well played, 1 more and I win"
    assert number_of_turns(postman, table) == 0


def test_a_turn_and_what_is_said_go_in_one_mail(postman: Postman, table: Round, to: str) -> None:
    assert postman.send(to, ADA, "dive\n\nsay Good luck!").did == "turn"
    assert number_of_turns(postman, table) == 1
    (said,) = chat.heard(postman.context, table.players[1], table.match.id, 0, 10)
    assert said.text == "Good luck!"
    assert postman.answers() == []


def test_a_match_that_a_reply_begins_is_created_once(
    postman: Postman, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = postman.mail(to, ADA, "new pearls cleo@example.org")

    def die(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(answers, "settle", die)
        with pytest.raises(KeyboardInterrupt):
            postman.bring(mail)
    assert postman.bring(mail).did == "new"
    assert len(notices(postman.context, "invitation")) == 1


def test_settings_are_shown_and_changed(postman: Postman, table: Round, to: str) -> None:
    postman.send(to, ADA, "settings")
    postman.send(to, ADA, "settings digest 19")
    shown, changed = postman.answers()
    assert any("at once" in line for line in shown.payload["says"])
    assert changed.payload["headline"] == "Your settings were changed."
    assert choosing.wanted(postman.context, table.players[0]).digest_hour == 19
    postman.send(to, ADA, "settings nonsense")
    assert postman.answers()[-1].payload["headline"] == "Nothing was changed."


def test_back_takes_days_off_back_that_are_to_come_and_says_which_are_left(
    postman: Postman, table: Round, to: str
) -> None:
    for text in ("away 2 days", "away from 2026-12-23 for 2 days", "away from 2026-12-27 for 2 days"):
        postman.send(to, ADA, text)
    ends = 'The word "back" ends them.'
    assert (ends in postman.answers()[0].payload["says"], ends in postman.answers()[1].payload["says"]) == (True, False)
    told = []
    for _ in range(4):
        postman.send(to, ADA, "back")
        told.append(postman.answers()[-1].payload)
    assert [each["headline"].partition(":")[0] for each in told] == [
        "Your days off are over",
        "You have taken your next days off back",
        "You have taken your next days off back",
        "Nothing was done.",
    ]
    assert "From Sunday, 27 December, 00:00 (UTC)" in told[1]["says"][0]
    assert told[1]["says"][-1] == ends
    assert told[2]["says"] == ["You have 6 more days off."]  # a day had begun


def wants(postman: Postman, table: Round, confirm: str) -> None:
    choosing.choose(postman.context, table.players[0], {"confirm": confirm})


@pytest.mark.parametrize("confirm", ["always", "draws"])
def test_a_player_may_be_asked_back_before_a_turn(postman: Postman, table: Round, to: str, confirm: str) -> None:
    wants(postman, table, confirm)
    assert postman.send(to, ADA, "dive").did == "asked_back"
    assert answered(postman)["lines"] == ["dive"]
    assert number_of_turns(postman, table) == 0
    yes = postman.mail(asked_by(postman, postman.answers()[-1]), ADA, "yes")
    assert postman.bring(yes).did == "turn"
    assert postman.bring(replace(yes, id="again")).did == "again"
    judged_batch(postman.context)
    assert number_of_turns(postman, table) == 1
    assert len(postman.answers()) == 1
    (turn,) = notices(postman.context, "verdict")
    assert turn.player_id == table.players[0].id


@pytest.mark.parametrize("word", ["yes", "no"])
@pytest.mark.parametrize("judged", [False, True])
def test_another_answer_to_a_turn_that_was_confirmed_is_told_that_it_was(
    postman: Postman, table: Round, to: str, word: str, judged: bool
) -> None:
    wants(postman, table, "always")
    postman.send(to, ADA, "dive")
    (asked,) = postman.answers()
    postman.reply(asked, ADA, "yes")
    if judged:
        judged_batch(postman.context)
    assert postman.reply(asked, ADA, word).did == "closed"
    told = postman.answers()[-1].payload
    assert told["headline"] == "Nothing was done. This was accepted."
    assert told["says"] == ["You were asked this: This turn is to be played for Ada: dive."]
    judged_batch(postman.context)
    assert number_of_turns(postman, table) == 1


def test_a_turn_without_a_draw_is_played_at_once(postman: Postman, table: Round) -> None:
    wants(postman, table, "draws")
    context = postman.context
    played(context, table.players[0], table.match.id, "1")
    played(context, table.players[1], table.match.id, "1")
    ply = lobby.find(context, None, table.match.id).ply
    assert postman.send(postman.reply_address(table.match.id, 0, ply), ADA, "2").did == "turn"


def test_a_yes_that_comes_too_late_plays_nothing(postman: Postman, table: Round, to: str) -> None:
    wants(postman, table, "always")
    postman.send(to, ADA, "dive")
    played(postman.context, table.players[0], table.match.id, "1")
    played(postman.context, table.players[1], table.match.id, "1")
    assert postman.reply(postman.answers()[0], ADA, "yes").did == "closed"
    assert "the match has moved on since you were asked" in postman.answers()[-1].payload["headline"]
    assert number_of_turns(postman, table) == 1


def test_an_unproven_mail_says_nothing_in_the_name_of_the_player(postman: Postman, table: Round, to: str) -> None:
    assert postman.send(to, ADA, "say I am an idiot", results=None).did == "unproven"
    assert postman.send(to, ADA, "settings off", results=None).did == "unproven"
    assert chat.heard(postman.context, table.players[1], table.match.id, 0, 10) == ()
    assert {notice.address for notice in postman.answers()} == {None}


def test_at_most_so_many_answers_go_to_one_sender_in_an_hour(postman: Postman, table: Round, to: str) -> None:
    for _ in range(MOST_ANSWERS + 5):
        assert postman.send(to, ADA, "help").status == "handled"
    assert len(postman.answers()) == MOST_ANSWERS
    postman.send(postman.reply_address(table.match.id, 1, 0), BELA, "help")
    assert len(postman.answers()) == MOST_ANSWERS + 1
    assert postman.send(to, ADA, "dive").did == "turn"
    postman.context.clock.advance(hours=1, seconds=1)  # type: ignore[attr-defined]
    postman.send(to, ADA, "help")
    assert len(postman.answers()) == MOST_ANSWERS + 2


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List_Id": "<games.example.org>"},
        {"X_Autoreply": "yes"},
        {"Content_Type": "multipart/report; report-type=delivery-status; boundary=x"},
    ],
)
def test_what_programs_write_is_not_answered(postman: Postman, table: Round, to: str, headers: dict[str, str]) -> None:
    assert postman.send(to, ADA, "1", **headers).status == "ignored"
    assert postman.answers() == []
    assert number_of_turns(postman, table) == 0


def test_a_bounce_is_not_answered(postman: Postman, to: str) -> None:
    assert postman.bring(postman.mail(to, ADA, "help", envelope_from="")).status == "ignored"


def test_a_mail_to_the_address_for_it_stops_mails(postman: Postman, table: Round) -> None:
    context, ada = postman.context, table.players[0]
    service = service_address(context.settings.mail_from)
    to = service.reached(unsubscribe_tag(keys_of(context), of_everything(ada.id)))
    assert postman.send(to, "whoever@example.net", "unsubscribe", Auto_Submitted="auto-generated").did == "stopped"
    assert choosing.wanted(context, ada).mails == "off"
    assert postman.answers() == []
    assert postman.send(postman.reply_address(table.match.id, 0, 0), ADA, "help").did == "help"


def test_what_is_no_mail_is_kept_for_the_operator(postman: Postman, to: str) -> None:
    nested = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (depth, depth) for depth in range(60)
    )
    result = postman.bring(postman.message(nested, to))
    assert (result.status, result.did) in (("kept", "malformed"), ("ignored", "nobody"))
    assert postman.answers() == []


def test_words_before_the_start_are_answered_and_nothing_can_be_played(postman: Postman, pearls: None) -> None:
    from service.matches.types import SeatRequest
    from tests.service.fakes import person

    ada = person(postman.context, "Ada")
    match = lobby.create(postman.context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    to = postman.reply_address(match.id, 0, 0)
    assert postman.send(to, ADA, "1").did == "unread"
    assert postman.send(to, ADA, "no").did == "asked_back"
    assert lobby.find(postman.context, None, match.id).status == "open"
    assert postman.send(to, ADA, "yes").did == "nothing_asked"
    assert postman.send(to, ADA, "resign").did == "asked_back"
    assert postman.reply(postman.answers()[-1], ADA, "no").did == "left"
    assert lobby.find(postman.context, None, match.id).status == "cancelled"


def test_no_bytes_make_it_fail_or_play(postman: Postman, table: Round, to: str) -> None:
    """Mails damaged at random: cut, bytes exchanged, lines doubled, and mere noise."""
    luck = random.Random(11)
    whole = postman.mail(to, ADA, "Hello,\n\nsay hi to all\n\n> 1 dive\n", results=None).raw
    assert whole is not None
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(luck.randrange(1, 40)):
            damaged[luck.randrange(len(damaged))] = luck.randrange(256)
        start = luck.randrange(len(damaged))
        raw = luck.choice([bytes(damaged), bytes(damaged[start:]), bytes(damaged) * 2, luck.randbytes(300)])
        assert postman.bring(postman.message(raw, luck.choice([to, postman.service]))).status != "later"
    assert number_of_turns(postman, table) == 0


def archived(postman: Postman, table: Round) -> None:
    """Lets the match be archived, and forgets the mails about it."""
    clock = postman.context.clock
    assert isinstance(clock, Clock)
    for days in (14, 13, 3):
        clock.now += timedelta(days=days)
        look_after(postman.context)
    assert lobby.find(postman.context, None, table.match.id).status == "archived"


@pytest.mark.parametrize(("text", "did"), [("reopen", "reopened"), ("resume", "reopened"), ("dive", "turn")])
def test_a_word_or_a_move_takes_a_match_out_of_the_archive(
    postman: Postman, table: Round, to: str, text: str, did: str
) -> None:
    archived(postman, table)
    assert postman.send(to, ADA, text).did == did
    judged_batch(postman.context)
    assert lobby.find(postman.context, None, table.match.id).status == "running"


@pytest.mark.parametrize("text", ["resign", "offer draw"])
def test_what_an_archived_match_refuses_says_what_would_work(
    postman: Postman, table: Round, to: str, text: str
) -> None:
    archived(postman, table)
    postman.send(to, ADA, text)
    payload = postman.answers()[-1].payload
    assert "The match is archived. Resume it " in " ".join([payload["headline"], *payload.get("says", ())])
    assert postman.send(to, ADA, "resume").did == "reopened"
    assert postman.send(to, ADA, text).did in ("asked_back", "offer")


def test_a_stranger_reopens_nothing(postman: Postman, table: Round, to: str) -> None:
    archived(postman, table)
    assert postman.send(to, "eve@example.org", "reopen").did == "stranger"
    assert lobby.find(postman.context, None, table.match.id).status == "archived"


@pytest.mark.parametrize(
    ("line", "did", "told"),
    [
        ("clock", "clock", "This match has no clock: take the time that you need."),
        ("How much time do I have?", "clock", "This match has no clock: take the time that you need."),
        ("score", "score", "These are the points so far."),
        ("legal", "moves", "These are your legal moves."),
        ("undo", "undo", "Nothing was done: a turn that was played cannot be taken back."),
        ("pass", "pass", "Nothing was played: pass is none of your moves now."),
        ("hlep", "unread", "help"),
        ("hlep", "unread", "Did you mean one of these? Write it on a line of its own:"),
        (
            "Shall we meet on Sunday?",
            "unread",
            "This is no move, and none of the words that can be read: Shall we meet on Sunday?",
        ),
    ],
)
def test_what_people_try_gets_a_true_answer(
    postman: Postman, table: Round, to: str, line: str, did: str, told: str
) -> None:
    assert postman.send(to, ADA, line).did == did
    payload = answered(postman)
    said = (payload["headline"], *payload.get("says", ()), *payload.get("lines", ()))
    assert told in said
    assert not any("No line of your own" in sentence for sentence in said)
    assert number_of_turns(postman, table) == 0


def test_clock_says_until_when_and_by_which_rule(postman: Postman, pearls: None) -> None:
    table = started(postman.context, "pearls", clock="brisk")
    to = postman.reply_address(table.match.id, 0, table.match.ply)
    postman.send(to, ADA, "clock")
    (mine,) = postman.answers()
    assert mine.payload["headline"].startswith("You have until ")
    assert any(sentence.startswith("Time for each player: ") for sentence in mine.payload["says"])
    postman.send(postman.reply_address(table.match.id, 1, table.match.ply), BELA, "clock")
    told = {answer.payload["headline"].partition(" until ")[0] for answer in postman.answers()}
    assert told == {"You have", "Ada has"}


@pytest.mark.parametrize("text", ["Stop", "Stop.\n\n4", "end\nresign", "STOP!\n\nAda"])
@pytest.mark.parametrize("is_begun", [True, False])
def test_who_writes_stop_is_told_what_it_means(postman: Postman, pearls: None, text: str, is_begun: bool) -> None:
    """Not that there was no line: it ends what is read, and neither mails nor the match."""
    ada, bela = (person(postman.context, name) for name in ("Ada", "Bela"))
    match = lobby.create(postman.context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    if is_begun:
        match = lobby.join(postman.context, bela, match.id)
    to = postman.reply_address(match.id, 0, match.ply)
    assert postman.send(to, ADA, text).did == "ended"
    payload = postman.answers()[-1].payload
    assert "ends what is read" in payload["says"][0]
    assert payload["lines"] == ["settings here off", "settings off", "resign"]
    for line in payload["lines"]:
        assert postman.send(to, ADA, line).did in ("settings", "asked_back")


def test_say_without_a_text_says_what_is_missing(postman: Postman, to: str) -> None:
    assert postman.send(to, ADA, "say\n\nCheers,\nAda").did == "unsaid"
    assert "1 to" in " ".join(answered(postman)["says"])


def test_a_mail_of_a_subject_alone_plays_nothing_and_is_told_that_it_is_not_read(postman: Postman, to: str) -> None:
    assert postman.send(to, ADA, "", Subject="dive").did == "empty"
    assert "its subject is not read" in " ".join(answered(postman)["says"])


@pytest.mark.parametrize("text", ["unsubscribe", "Please unsubscribe me.", "Stop sending me mails!"])
def test_who_wants_no_more_mails_is_told_how(postman: Postman, to: str, text: str) -> None:
    assert postman.send(to, ADA, text).did == "ended"
    assert "settings off" in answered(postman)["lines"]


@pytest.mark.parametrize("text", ["When is the deadline?", "How long do I have left?", "deadline?"])
def test_who_asks_for_the_deadline_is_told_it(postman: Postman, to: str, text: str) -> None:
    assert postman.send(to, ADA, text).did == "clock"
