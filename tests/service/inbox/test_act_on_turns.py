"""A reply plays a turn: of whoever proved to have written it, once, and as of the ply that it
answers.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.context import Context
from service.inbox import answers
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.notices.mail.compose import mail_of
from service.store import players, turns
from service.store.turns import StoredTurn
from tests.service.fakes import Round, at_once, judged_batch, notices, person, played, started, state_of
from tests.service.inbox.postman import FORGED, Postman, relayed

ADA, BELA = "ada@example.org", "bela@example.org"


def ply_of(postman: Postman, table: Round) -> int:
    return lobby.find(postman.context, None, table.match.id).ply


def turns_of(postman: Postman, table: Round, seat: int = 0) -> tuple[StoredTurn, ...]:
    """The turns of a seat."""
    with postman.context.database.read() as connection:
        return turns.of_player(connection, table.match.id, table.players[seat].id, 50, None)


def judged(postman: Postman) -> None:
    judged_batch(postman.context)


@pytest.mark.parametrize("text", ["1", "dive", "dive\n\nCheers,\nAda", "> 2  offer 1\n\n1"])
def test_a_reply_with_a_number_or_a_line_plays_it(postman: Postman, table: Round, to: str, text: str) -> None:
    assert postman.send(to, ADA, text).status == "handled"
    (turn,) = turns_of(postman, table)
    assert turn.document["actions"] == [{"type": "dive"}]
    assert turn.in_reply_to == "<0@example.org>"
    judged(postman)
    (verdict,) = notices(postman.context, "verdict")
    assert verdict.player_id == table.players[0].id
    assert postman.answers() == []  # the verdict is the answer


def test_a_mail_that_answers_another_match_is_asked_about_where_it_came_to_as_well(
    postman: Postman, table: Round, to: str
) -> None:
    ada, bela = table.players
    other = lobby.create(postman.context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    lobby.join(postman.context, bela, other.id)
    begun = notices(postman.context, "match_started")
    (notice,) = [each for each in begun if (each.match_id, each.player_id) == (other.id, ada.id)]
    asked = mail_of(postman.context, notice)
    answered = {"In_Reply_To": str(asked["Message-ID"]), "References": f"<1@example.org> {asked['Message-ID']}"}
    assert postman.send(to, ADA, "1", **answered).did == "asked_back"
    assert turns_of(postman, table) == ()
    (question,) = postman.answers()
    assert "another match" in " ".join(question.payload["says"])
    assert postman.send(str(asked["Reply-To"]), ADA, "1", **answered).did == "turn"
    assert len(turns_of(postman, replace(table, match=other))) == 1
    assert postman.reply(question, ADA, "yes").did == "turn"
    assert len(turns_of(postman, table)) == 1


def test_a_mail_that_arrives_twice_moves_once(postman: Postman, table: Round, to: str) -> None:
    mail = postman.mail(to, ADA, "1")
    assert postman.bring(mail).did == "turn"
    judged(postman)
    assert postman.bring(replace(mail, id="another-row")).did == "again"
    assert len(turns_of(postman, table)) == 1
    assert postman.answers() == []


def test_a_mail_handled_again_after_a_crash_moves_once(
    postman: Postman, table: Round, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = postman.mail(to, ADA, "1")

    def die(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(answers, "settle", die)
        with pytest.raises(KeyboardInterrupt):
            postman.bring(mail)
    judged(postman)
    played(postman.context, table.players[1], table.match.id, "1")
    assert postman.bring(mail).status == "handled"
    assert len(turns_of(postman, table)) == 1
    assert postman.answers() == []


def test_the_same_mail_to_two_of_our_addresses_moves_once(postman: Postman, table: Round, to: str) -> None:
    mail = postman.mail(to, ADA, "1", headers={"Cc": postman.service})
    postman.bring(replace(mail, recipient=postman.service))
    postman.bring(mail)
    assert len(turns_of(postman, table)) == 1
    assert postman.answers() == []


def test_another_mail_moves_again(postman: Postman, table: Round, to: str) -> None:
    postman.send(to, ADA, "1")
    judged(postman)
    played(postman.context, table.players[1], table.match.id, "1")
    postman.send(postman.reply_address(table.match.id, 0, ply_of(postman, table)), ADA, "1")
    assert len(turns_of(postman, table)) == 2


def test_while_a_turn_waits_for_its_verdict_the_next_mail_waits_too(postman: Postman, table: Round, to: str) -> None:
    postman.send(to, ADA, "1")
    waits = postman.mail(to, ADA, "dive again")
    assert postman.bring(postman.mail(to, ADA, "dive")).status == "later"
    assert len(turns_of(postman, table)) == 1
    assert waits.raw is not None


def test_a_stale_ply_is_answered_with_what_happened_and_the_moves_of_now(
    postman: Postman, table: Round, to: str
) -> None:
    ply = ply_of(postman, table)
    played(postman.context, table.players[0], table.match.id, "1")
    played(postman.context, table.players[1], table.match.id, "1")
    assert postman.send(to, ADA, "1").did == "stale"
    assert len(turns_of(postman, table)) == 1
    (answer,) = postman.answers()
    assert answer.payload["since"] == ply
    assert answer.payload["ply"] == ply_of(postman, table)
    assert answer.payload["says"] == ["Reply to this mail instead."]
    assert answer.payload["shows"] == ["moves", "board"]
    assert answer.payload["in_reply_to"] == "<0@example.org>"


@pytest.mark.parametrize("text", ["1", "Sorry, I meant 1"])
def test_a_correction_that_comes_too_late_is_not_asked_for_again(
    postman: Postman, table: Round, to: str, text: str
) -> None:
    played(postman.context, table.players[0], table.match.id, "1")
    assert postman.send(to, ADA, text).did == "stale"
    (answer,) = postman.answers()
    assert answer.payload["says"] == []


def test_who_is_not_awaited_is_told_so(postman: Postman, table: Round) -> None:
    assert postman.send(postman.reply_address(table.match.id, 1, ply_of(postman, table)), BELA, "1").did == "unread"
    (answer,) = postman.answers()
    assert "nothing for you to do" in " ".join(answer.payload["says"])


def test_a_turn_beside_what_could_be_another_plays_nothing(postman: Postman, table: Round, to: str) -> None:
    played(postman.context, table.players[0], table.match.id, "1")
    played(postman.context, table.players[1], table.match.id, "1")
    now = postman.reply_address(table.match.id, 0, ply_of(postman, table))
    (pearl,) = state_of(postman.context, table.match.id).hands[0]
    assert postman.send(now, ADA, f"dive\nofer {pearl}").did == "ambiguous"
    assert len(turns_of(postman, table)) == 1
    (answer,) = postman.answers()
    assert answer.payload["lines"] == ["1 or dive"]


@pytest.mark.parametrize(("text", "did"), [("1", "stale"), ("dive\nresign", "ambiguous"), ("divve", "unread")])
def test_what_is_said_beside_a_turn_that_is_not_taken_is_told_to_be_unsaid(
    postman: Postman, table: Round, to: str, text: str, did: str
) -> None:
    if did == "stale":
        played(postman.context, table.players[0], table.match.id, "1")
    assert postman.send(to, ADA, f"{text}\nsay Good luck!").did == did
    assert chat.heard(postman.context, table.players[1], table.match.id, 0, 10) == ()
    (answer,) = postman.answers()
    assert "What you say to the others was not said: write it again." in answer.payload["says"]


def test_what_cannot_be_read_is_answered_with_the_nearest(postman: Postman, table: Round, to: str) -> None:
    assert postman.send(to, ADA, "divve").did == "unread"
    assert turns_of(postman, table) == ()
    (answer,) = postman.answers()
    assert "divve" in answer.payload["says"][0]
    assert any("dive" in line for line in answer.payload["lines"])


@pytest.mark.parametrize("text", ["Thanks, see you on Sunday!", "", "-- \nAda\n1 Harbour Road", "Sent from my iPhone"])
def test_chat_and_signatures_never_move(postman: Postman, table: Round, to: str, text: str) -> None:
    postman.send(to, ADA, text)
    assert turns_of(postman, table) == ()


def test_any_confirmed_address_of_the_player_plays(postman: Postman, table: Round, to: str) -> None:
    from service.store import addresses
    from service.store.addresses import PlayerAddress

    ada, now = table.players[0], postman.context.clock()
    second = PlayerAddress("a2", ada.id, "ada@work.example", "ada@work.example", False, now, now)
    with postman.context.database.write() as connection:
        addresses.add(connection, second)
    postman.send(to, "Ada <ada@work.example>", "1")
    assert len(turns_of(postman, table)) == 1


def test_somebody_else_is_told_nothing_about_the_match(postman: Postman, table: Round, to: str) -> None:
    for sender in ("eve@example.org", BELA):
        assert postman.send(to, sender, "1").did == "stranger"
    assert turns_of(postman, table) == ()
    for answer, sender in zip(postman.answers(), ("eve@example.org", BELA), strict=True):
        assert answer.address == sender
        assert (answer.match_id, answer.payload.get("ply")) == (None, None)
        assert "Pearls" not in str(answer.payload)


def test_an_unproven_mail_plays_nothing_and_only_the_player_is_asked(postman: Postman, table: Round, to: str) -> None:
    for sender in (ADA, "eve@example.org"):
        assert postman.send(to, sender, "1", results=None).did == "held_turn"
    assert turns_of(postman, table) == ()
    asked = postman.answers()
    assert [notice.kind for notice in asked] == ["unproven_turn"] * 2
    assert {(notice.player_id, notice.address) for notice in asked} == {(table.players[0].id, None)}
    assert asked[0].payload["lines"] == ["dive"]


def test_an_unproven_mail_says_nothing_to_the_player_in_its_own_words(postman: Postman, table: Round, to: str) -> None:
    postman.send(to, ADA, "offer at evil.example", results=None)
    (answer,) = postman.answers()
    assert "evil" not in str(answer.payload)
    assert (answer.player_id, answer.address) == (table.players[0].id, None)


def test_a_forged_mail_uses_up_no_key_of_the_true_one(postman: Postman, table: Round, to: str) -> None:
    mail = postman.mail(to, ADA, "1")
    forged = postman.mail(to, ADA, "1", None, {"Message-ID": "<0@example.org>"})
    assert postman.bring(forged).did == "held_turn"
    assert postman.bring(mail).did == "turn"


def test_a_mail_that_the_domain_disowns_is_never_answered(postman: Postman, table: Round, to: str) -> None:
    assert postman.send(to, ADA, "1", results=FORGED).status == "ignored"
    assert turns_of(postman, table) == ()
    assert postman.answers() == []


def test_only_the_topmost_word_of_the_relay_counts(postman: Postman, table: Round, to: str) -> None:
    mail = postman.mail(to, ADA, "1", results=None)
    assert mail.raw is not None
    own = b"Authentication-Results: other.example; dkim=pass header.d=example.org\r\n"
    assert postman.bring(replace(mail, raw=own + mail.raw)).did == "held_turn"


def test_a_wrong_match_or_seat_is_passed_over(postman: Postman, table: Round) -> None:
    assert postman.send(postman.reply_address("nothing", 0, 1), ADA, "1").status == "ignored"
    assert postman.send(postman.reply_address(table.match.id, 7, 1), ADA, "1").status == "ignored"


def test_a_match_that_is_over_is_closed(postman: Postman, table: Round, to: str) -> None:
    lobby.resign(postman.context, table.players[1], table.match.id)
    assert postman.send(to, ADA, "1").did == "match_over"
    (answer,) = postman.answers()
    assert "over" in " ".join(answer.payload["says"])


def test_whoever_is_deleted_from_the_seat_cannot_play(postman: Postman, table: Round, to: str) -> None:
    lobby.resign(postman.context, table.players[0], table.match.id)
    assert postman.send(to, ADA, "1").did in ("resigned", "match_over")


def test_the_name_in_from_does_not_matter(postman: Postman, table: Round, to: str) -> None:
    cleo = person(postman.context, "Cleo")
    assert postman.send(to, f'"Ada <{ADA}>" <{cleo.email}>', "1").did == "stranger"
    with postman.context.database.read() as connection:
        assert players.find(connection, cleo.id) is not None


def test_the_name_in_from_may_be_the_address_itself(postman: Postman, table: Round, to: str) -> None:
    assert postman.bring(postman.mail(to, f"{ADA} <{ADA}>", "1", envelope_from=ADA)).did == "turn"


@pytest.mark.parametrize(("text", "number"), [("1", 0), ("help", 1), ("say Hello!", 1), ("resign", 1)])
def test_a_mail_that_two_workers_handle_at_once_is_dealt_with_once(
    context: Context, pearls: None, text: str, number: int
) -> None:
    postman = Postman(relayed(context))
    table = started(postman.context, "pearls")
    mail = postman.mail(postman.reply_address(table.match.id, 0, ply_of(postman, table)), ADA, text)
    done = at_once(lambda: postman.bring(mail), lambda: postman.bring(mail))
    assert {result.status for result in done} == {"handled"}
    assert len(turns_of(postman, table)) == 1 - number
    assert len(postman.answers()) == number
    assert len(chat.heard(postman.context, table.players[1], table.match.id, 0, 10)) == (text[:3] == "say")
