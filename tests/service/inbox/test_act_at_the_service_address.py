"""Mails to the service's own address, and replies to invitations: whoever has a mailbox needs
nothing else.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from engine.bots import random_action
from service.context import Context
from service.inbox.answers import MOST_UNREAD
from service.inbox.mail import Result
from service.matches import lobby, replays
from service.matches.types import SeatRequest
from service.notices.mail.compose import mail_of
from service.payloads import OF_THE_SEAT
from service.store import matches, players
from service.store.players import Player
from tests.service.fakes import judged_batch, notices, person, state_of
from tests.service.inbox.postman import Postman

ADA, BELA, CLEO = "ada@example.org", "bela@example.org", "cleo@example.net"
JOIN = "join@example.org"


def player_of(context: Context, address: str) -> Player | None:
    with context.database.read() as connection:
        return players.by_address(connection, address)


def join(postman: Postman, sender: str, text: str = "") -> Result:
    return postman.send(JOIN, sender, text)


def said(postman: Postman) -> str:
    """What the latest answer says."""
    payload = postman.answers()[-1].payload
    return " ".join([payload["headline"], *payload.get("says", ())])


@pytest.mark.parametrize(
    ("to", "sender", "text", "name"),
    [
        (JOIN, "Bela Kovacs <bela@example.org>", "", "Bela Kovacs"),
        (JOIN, "bela@example.org", "join Bee", "Bee"),
        ("overland+join@example.org", "bela@example.org", "Hello!", "Bela"),
        ("overland@example.org", "bela@example.org", "Join", "Bela"),
        ("overland@example.org", "bela@example.org", "join Bela B.", "Bela B"),
    ],
)
def test_a_proven_mail_signs_up_at_once(postman: Postman, to: str, sender: str, text: str, name: str) -> None:
    assert postman.send(to, sender, text).did == "joined"
    bela = player_of(postman.context, BELA)
    assert bela is not None
    assert (bela.name, bela.confirmed_at is not None) == (name, True)
    assert f"Welcome, {name}" in said(postman)
    assert {"new oregon easy bot", "new montana easy bot"} <= set(postman.answers()[-1].payload["lines"])
    assert [notice.kind for notice in notices(postman.context)] == ["answer"]


def test_the_subject_says_it_where_there_is_no_text(postman: Postman) -> None:
    assert postman.send(postman.service, BELA, "", Subject="join Bela").did == "joined"


def test_who_joins_again_is_told_so(postman: Postman) -> None:
    join(postman, BELA)
    join(postman, BELA)
    assert "signed up already" in said(postman)


def test_an_unproven_mail_signs_up_by_the_usual_code(postman: Postman) -> None:
    assert postman.send(JOIN, BELA, "", results=None).did == "sign_up"
    bela = player_of(postman.context, BELA)
    assert bela is not None
    assert bela.confirmed_at is None
    assert [notice.kind for notice in notices(postman.context)] == ["confirm_address"]


def test_who_asks_themself_is_mailed_again_after_never_again(postman: Postman) -> None:
    with postman.context.database.write() as connection:
        players.forbid_mail(connection, BELA, postman.context.clock())
    join(postman, BELA)
    with postman.context.database.read() as connection:
        assert not players.is_mail_forbidden(connection, BELA)


@pytest.mark.parametrize("text", ["list", "help", "new pearls bela@example.org", "Buy now at www.evil.example"])
def test_an_unproven_mail_is_not_answered(postman: Postman, text: str) -> None:
    person(postman.context, "Ada")
    assert postman.send(postman.service, ADA, text, results=None).status == "ignored"
    assert postman.answers() == []


def test_who_is_not_signed_up_is_told_how(postman: Postman) -> None:
    postman.send(postman.service, "eve@example.org", "list")
    assert postman.answers()[-1].payload["lines"] == ["join", "rules"]


def test_a_new_match_invites_and_is_created_once(postman: Postman, pearls: None) -> None:
    join(postman, ADA)
    mail = postman.mail(postman.service, ADA, f"new pearls {BELA}")
    postman.bring(mail)
    postman.bring(replace(mail, id="again"))
    (invitation,) = notices(postman.context, "invitation")
    assert invitation.address == BELA
    assert "Your match of Pearls" in said(postman)


def test_a_new_match_is_created_once_whatever_happens_before_the_answer(
    postman: Postman, pearls: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.inbox import answers

    join(postman, ADA)
    mail = postman.mail(postman.service, ADA, f"new pearls {BELA}")

    def die(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(answers, "settle", die)
        with pytest.raises(KeyboardInterrupt):
            postman.bring(mail)
    postman.bring(mail)
    assert len(notices(postman.context, "invitation")) == 1
    assert "Your match of Pearls" in said(postman)


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("new pearls bot", ["easy"]),
        ("new pearls fair bot", ["fair"]),
        ("New Pearls, easy bot, fair bot", ["easy", "fair"]),
        ("new pearls easy fair brisk", ["easy", "fair"]),
    ],
)
def test_a_new_match_with_bots_begins_at_once(postman: Postman, pearls: None, text: str, levels: list[str]) -> None:
    join(postman, ADA)
    mail = postman.mail(postman.service, ADA, text)
    postman.bring(mail)
    postman.bring(replace(mail, id="again"))
    (notice,) = notices(postman.context, "match_started")
    match = lobby.find(postman.context, None, notice.match_id or "")
    assert (match.status, [seat.bot for seat in match.seats]) == ("running", [None, *levels])
    assert (match.clock is not None) == ("brisk" in text)
    assert "It has begun" in said(postman)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("new perls bela@example.org", "Did you mean pearls?"),
        ("new pearls", "is for"),
        ("new pearls bela@", "is not a mail address"),
        ("new pearls ada@example.org", "your own address"),
    ],
)
def test_a_match_that_cannot_be_is_explained(postman: Postman, pearls: None, text: str, sentence: str) -> None:
    join(postman, ADA)
    postman.send(postman.service, ADA, text)
    assert said(postman).startswith("No match was created.")
    assert sentence in said(postman)


def invited(postman: Postman) -> tuple[str, str]:
    """A match to which Bela is invited, and where the reply goes."""
    join(postman, ADA)
    postman.send(postman.service, ADA, f"new pearls {BELA}")
    (invitation,) = notices(postman.context, "invitation")
    assert invitation.match_id is not None
    return invitation.match_id, postman.reply_address(invitation.match_id, 1, 0)


def test_yes_signs_up_and_takes_the_seat(postman: Postman, pearls: None) -> None:
    match_id, to = invited(postman)
    mail = postman.mail(to, "Bela K <bela@example.org>", "Yes, please!")
    assert postman.bring(mail).did == "accepted"
    assert postman.bring(replace(mail, id="again")).did == "again"
    match = lobby.find(postman.context, None, match_id)
    assert (match.status, match.seats[1].player_name) == ("running", "Bela K")


def test_a_seat_can_be_taken_with_a_nonce(postman: Postman, pearls: None) -> None:
    match_id, to = invited(postman)
    assert postman.send(to, BELA, "yes\nrandom short").did == "invalid"
    assert player_of(postman.context, BELA) is None
    postman.send(to, BELA, "yes\nrandom K7x2mQp4abZ9")
    assert lobby.find(postman.context, None, match_id).seats[1].nonce == "K7x2mQp4abZ9"


def test_no_declines(postman: Postman, pearls: None) -> None:
    match_id, to = invited(postman)
    assert postman.send(to, BELA, "No, thanks.").did == "declined"
    assert player_of(postman.context, BELA) is None
    assert not lobby.find(postman.context, None, match_id).seats[1].invited
    assert postman.send(to, BELA, "yes").did == "not_invited"


def test_the_invitation_to_a_match_that_has_begun_asks_for_nothing_and_its_no_whether_to_resign(
    postman: Postman, pearls: None
) -> None:
    match_id, _ = invited(postman)
    to = postman.reply_address(match_id, 1, 0, OF_THE_SEAT)
    postman.send(to, BELA, "yes")
    assert postman.send(to, BELA, "yes").did == "nothing_asked"
    assert said(postman).startswith("Nothing waits for your yes: you have taken your seat.")
    assert postman.send(to, BELA, "accept 3").did == "closed"
    assert postman.send(to, BELA, "no").did == "asked_back"
    assert lobby.find(postman.context, None, match_id).status == "running"
    postman.send(str(mail_of(postman.context, postman.answers()[-1])["Reply-To"]), BELA, "yes")
    assert lobby.find(postman.context, None, match_id).status == "finished"
    assert postman.send(to, BELA, "no").did == "resign"
    assert said(postman).startswith("There is nothing to resign from any more.")


def test_other_words_to_an_invitation_are_answered(postman: Postman, pearls: None) -> None:
    _, to = invited(postman)
    assert postman.send(to, BELA, "rules").did == "rules"
    assert postman.answers()[-1].payload["rules"] == "pearls"
    assert postman.send(to, BELA, "Who are you?").did == "unread"


def test_only_the_invited_address_accepts(postman: Postman, pearls: None) -> None:
    match_id, to = invited(postman)
    assert postman.send(to, CLEO, "yes").did == "stranger"
    assert "Pearls" not in said(postman)
    assert lobby.find(postman.context, None, match_id).status == "open"


def test_an_unproven_yes_asks_the_invited_address(postman: Postman, pearls: None) -> None:
    match_id, to = invited(postman)
    assert postman.send(to, BELA, "yes", results=None).did == "held_accept"
    asked = postman.answers()[-1]
    assert (asked.kind, asked.address, asked.payload["what"]) == ("unproven_turn", BELA, "accept")
    assert lobby.find(postman.context, None, match_id).status == "open"


def test_the_matches_that_wait_come_first(postman: Postman, pearls: None) -> None:
    _, to = invited(postman)
    postman.send(to, BELA, "yes")
    postman.send(postman.service, ADA, "list")
    assert said(postman).startswith("One match waits for you.")
    assert "it is your turn" in said(postman)
    postman.send(postman.service, BELA, "list")
    assert "waits for" in said(postman)


def test_a_listed_match_has_its_time_its_address_and_its_page(postman: Postman, pearls: None) -> None:
    match_id, to = invited(postman)
    postman.send(postman.service, ADA, "list")
    assert f"Its page: http://127.0.0.1:8000/matches/{match_id}" in said(postman)
    postman.send(to, BELA, "yes")
    postman.send(postman.service, ADA, "list")
    assert "You have until " in said(postman)
    assert f"/matches/{match_id}" in said(postman)
    address = re.search(r"Write your move to (\S+@\S+)\. ", said(postman))
    assert address is not None
    assert postman.send(address[1], ADA, "moves").did == "moves"
    postman.send(postman.service, BELA, "list")
    assert "Ada has until " in said(postman)
    assert "Write to overland+r-" in said(postman)


def test_nobody_is_invited_to_the_match_that_they_have_created(postman: Postman, pearls: None) -> None:
    ada, context = person(postman.context, "Ada"), postman.context
    match = lobby.create(context, ada, "pearls", None, [SeatRequest("invite", each) for each in (BELA, CLEO)])
    postman.send(postman.service, ADA, "list")
    assert "Pearls: 2 seats are free. Its page:" in said(postman)
    for seat, sender in enumerate((BELA, CLEO)):
        postman.send(postman.reply_address(match.id, seat, 0), sender, "yes")
    postman.send(postman.service, ADA, "list")
    assert re.search(r"Pearls: waits for (Bela|Cleo)\. Its page:", said(postman))


def test_words_about_a_match_need_one(postman: Postman) -> None:
    join(postman, ADA)
    for text in ("board", "resign", "say hello", "yes"):
        postman.send(postman.service, ADA, text)
        assert "Reply to" in said(postman)


def test_rules_and_settings_are_sent(postman: Postman, pearls: None) -> None:
    join(postman, ADA)
    postman.send(postman.service, ADA, "rules pearls")
    assert postman.answers()[-1].payload["rules"] == "pearls"
    postman.send(postman.service, ADA, "settings zone Europe/Zurich\nsettings digest 7\nsettings")
    assert said(postman).startswith("Your settings were changed. digest: ")
    assert "hour 7: The digest is sent at this hour. zone Europe/Zurich: " in said(postman)
    assert "at once: " not in said(postman)  # as it was before the last of the lines
    postman.send(postman.service, ADA, "settings off\nlist\nsettings zone Mars/Utopia")
    assert said(postman).startswith("Nothing was changed. 'mars/utopia' is no time zone")
    postman.send(postman.service, ADA, "settings\nsettings")
    assert said(postman).startswith("These are your settings. digest: ")


def test_anything_else_is_answered_with_help(postman: Postman) -> None:
    join(postman, ADA)
    postman.send(postman.service, ADA, "What is this?")
    assert postman.answers()[-1].payload["shows"] == ["help"]


def test_two_services_that_write_to_each_other_stop(postman: Postman) -> None:
    """Even where each strips the headers that say that a program wrote the mail."""
    join(postman, "overland@example.net")
    for _ in range(60):
        postman.send(postman.service, "overland@example.net", "This is what you can write.")
    assert len(postman.answers()) == 1 + MOST_UNREAD


def test_a_whole_match_is_played_by_mail(postman: Postman) -> None:
    """Nothing but mails between signing up and the result; every turn is the number of a move."""
    context, luck = postman.context, random.Random(3)
    join(postman, ADA)
    postman.send(postman.service, ADA, f"new ozeanien {BELA}")
    (invitation,) = notices(context, "invitation")
    assert invitation.match_id is not None
    match_id = invitation.match_id
    postman.send(postman.reply_address(match_id, 1, 0), BELA, "yes")
    with context.database.read() as connection:
        stored = matches.find(connection, match_id)
    assert stored is not None
    game, asked = replays.game_of(stored), len(postman.answers())
    while (match := lobby.find(context, None, match_id)).status == "running":
        seat = next(seat.seat for seat in match.seats if seat.to_act)
        action = random_action(game, state_of(context, match_id), seat, luck.choice)
        to = postman.reply_address(match_id, seat, match.ply)
        assert postman.send(to, (ADA, BELA)[seat], f"{game.format(action)}\n\nCheers").did == "turn"
        judged_batch(context)
        assert lobby.find(context, None, match_id).ply > match.ply
    assert match.outcome is not None
    assert len(postman.answers()) == asked
    assert {notice.kind for notice in notices(context)} >= {"invitation", "match_started", "verdict", "match_over"}
