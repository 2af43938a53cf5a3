"""From rows to mails: what is in them, and that nothing is in them which the reader may not
know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from engine import registry
from engine.documents import to_document
from engine.play import IllegalAction, adjudicate, legal_actions, replay
from engine.types import CHANCE, Entry, Problem, Setup
from service.context import Context
from service.notices.mail.compose import PICTURE_WIDTH, mail_of, write
from service.notices.mail.errors import CannotCompose
from service.notices.mail.pages import Material
from service.payloads import AtPly
from service.pictures.pool import PictureFailed, Pictures
from service.signing import keys_of
from service.store import matches, turns
from service.store.matches import StoredStep
from service.store.turns import StoredTurn
from service.turns.types import LegalAction
from service.turns.verdicts import StoredRefusal, StoredVerdict
from tests.service.notices.fakes import SECRET, Mailbag, context, dealt, notice, notify, seat_players, store_match
from tests.service.notices.tables_of_pearls import ANNA, Killed, deadly

OREGON: Any = registry.game("oregon")
Log = tuple[Entry[Any], ...]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Context]:
    made = context(tmp_path, Mailbag())
    seat_players(made)
    yield made
    made.close()


def mail(service: Context, notice_id: str) -> EmailMessage:
    return mail_of(service, notice(service, notice_id))


def body(message: EmailMessage, kind: str = "plain") -> str:
    part = message.get_body((kind,))
    assert part is not None
    content: str = part.get_content()
    return content


def after(log: Log) -> Any:
    state = OREGON.setup(Setup(2, OREGON.options(), registry.components("oregon")))
    for entry in log:
        state = OREGON.apply(state, entry.seat, entry.action)
    return state


def played(log: Log, turns: int) -> Log:
    """The log and so many more actions, always the first legal one, with a chance that always picks
    the first outcome.
    """
    state = after(log)
    for _ in range(turns):
        seat = OREGON.to_act(state)[0]
        judgement = adjudicate(
            OREGON, state, len(log), seat, [legal_actions(OREGON, state, seat)[0]], lambda ply, total: 0
        )
        log, state = (*log, *judgement.entries), judgement.state
    return log


def test_your_turn_tells_shows_and_helps(service: Context) -> None:
    log = played(dealt(), 2)
    store_match(service, log)
    message = mail(service, notify(service, "your_turn", seat=0, ply=len(log)))
    text = body(message)
    assert text.startswith('Reply with a number or a line, for example "')
    assert "\nIt is your turn, Anna. " in text
    assert "SINCE YOUR LAST TURN\n\n- Ben places the start tile" in text
    assert "Your hand: " in text
    assert "OREGON  Round 1" in text
    assert "https://play.example/sign-in?player=p-anna&to=/matches/m-oregon&until=" in text
    assert "https://play.example/unsubscribe?player=p-anna&what=m.m-oregon&" in text
    assert "https://play.example/unsubscribe?player=p-anna&what=k.your_turn&" in text
    assert "https://play.example/unsubscribe?player=p-anna&what=all&" in text
    actions = legal_actions(OREGON, after(log), 0)
    assert f"YOUR {len(actions)} MOVES" in text
    assert message["Subject"] == "Re: [Oregon #m-oregon] On the trail"


def test_the_board_is_a_picture_in_the_html_with_words_for_those_who_cannot_see_it(service: Context) -> None:
    log = dealt()
    store_match(service, log)
    message = mail(service, notify(service, "match_started", ply=len(log)))
    picture = next(part for part in message.walk() if part.get_content_type() == "image/png")
    assert picture["Content-ID"] == "<board>"
    content = picture.get_content()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20]) == PICTURE_WIDTH, "pixels, by the first chunk of the file"
    html = body(message, "html")
    assert 'src="cid:board"' in html
    assert 'alt="The board of Oregon."' in html
    assert '<p class="fact"' in html


def test_a_mail_whose_picture_cannot_be_drawn_goes_without_it(service: Context) -> None:
    class Broken(Pictures):
        def png(self, svg: str, width: int, patience: float = 0.0) -> bytes:
            raise PictureFailed("This picture cannot be drawn just now.", 60)

    store_match(service, dealt())
    row = notice(service, notify(service, "your_turn", seat=0, ply=len(dealt())))
    with capture_logs() as logs:
        message = mail_of(replace(service, pictures=Broken()), row)
    assert [(entry["event"], entry["notice"]) for entry in logs] == [("notice.without_picture", row.id)]
    assert [part.get_content_type() for part in message.walk() if not part.is_multipart()] == [
        "text/plain",
        "text/html",
    ]
    html, pictured = body(message, "html"), body(mail_of(service, row), "html")
    assert "cid:" not in html
    assert "The picture could not be drawn this time." in html
    without = re.sub("<p[^>]*>The picture could not.*?</p>", "", html)
    assert without.split() == re.sub("<img[^>]*>", "", pictured).split()


def test_a_mail_of_a_ply_shows_the_match_at_that_ply(service: Context, tmp_path: Path) -> None:
    log = played(dealt(), 2)
    store_match(service, played(log, 6))
    late = notice(service, notify(service, "your_turn", seat=0, ply=len(log)))
    earlier = context(tmp_path / "earlier", Mailbag())
    seat_players(earlier)
    store_match(earlier, log)
    assert mail_of(service, late).as_bytes() == mail_of(earlier, late).as_bytes()
    earlier.close()


def hidden_pairs() -> list[tuple[str, Log, Log]]:
    """Pairs of logs that differ only in what Anna may not know: another card dealt to Ben, another
    card drawn by Ben.
    """
    log = played(played(dealt(), 2), 1)
    while OREGON.to_act(after(log)) == (0,):
        log = played(log, 1)
    log = played(log, 1)
    while OREGON.to_act(after(log)) == (1,):
        log = played(log, 1)
    pairs = []
    for ply, entry in enumerate(log):
        if entry.seat != CHANCE or OREGON.seen(after(log[:ply]), CHANCE, entry.action, 0) is not None:
            continue
        for action, _ in OREGON.outcomes(after(log[:ply])):
            other = (*log[:ply], Entry(CHANCE, action), *log[ply + 1 :])
            if action != entry.action and playable(other):
                pairs.append((f"ply {ply}", log, other))
                break
    return pairs


def playable(log: Log) -> bool:
    """Whether every entry could have happened."""
    try:
        replay(OREGON, Setup(2, OREGON.options(), registry.components("oregon")), log)
    except IllegalAction:
        return False
    return True


def test_there_are_pairs_that_differ_in_hidden_things() -> None:
    assert len(hidden_pairs()) >= 2


@pytest.mark.parametrize("kind", ["match_started", "your_turn", "verdict"])
def test_mails_about_matches_that_differ_in_hidden_things_are_equal_to_the_byte(tmp_path: Path, kind: str) -> None:
    for number, (where, one, other) in enumerate(hidden_pairs()):
        messages = mails_about(tmp_path / str(number), kind, one, other, 0)
        assert messages[0] == messages[1], where


def test_a_player_who_may_know_is_told(tmp_path: Path) -> None:
    for number, (where, one, other) in enumerate(hidden_pairs()):
        messages = mails_about(tmp_path / str(number), "match_started", one, other, 1)
        assert messages[0] != messages[1], where


class Undrawn(Pictures):
    """The SVG in the place of a picture: what differs in it is seen, however it is drawn."""

    def png(self, svg: str, width: int, patience: float = 0.0) -> bytes:
        return svg.encode()


def mails_about(folder: Path, kind: str, one: Log, other: Log, seat: int) -> list[bytes]:
    """The same notice, written about each of two matches."""
    messages = []
    for side, log in enumerate((one, other)):
        service = context(folder / str(side), Mailbag())
        seat_players(service)
        store_match(service, log)
        if kind == "verdict":
            store_verdict(service, StoredVerdict("accepted", 1, 0, len(log)))
        row = notice(service, notify(service, kind, f"p-{('anna', 'ben')[seat]}", ply=len(log), turn_id="t1"))
        messages.append(mail_of(replace(service, pictures=Undrawn()), replace(row, id="1" * 32)).as_bytes())
        service.close()
    return messages


WATER = Problem("farmer_on_water", "R4.2", {"space": "C9"})
FULL = Problem("hand_full", "R8.1")


def store_verdict(service: Context, verdict: StoredVerdict, turn_id: str = "t1", ply: int = 0) -> None:
    with service.database.write() as connection:
        document = {"actions": [{"type": "draw", "deck": "landscape"}, {"type": "draw", "deck": "building"}]}
        now = service.clock()
        queued = StoredTurn(
            id=turn_id,
            match_id="m-oregon",
            seat=0,
            player_id="p-anna",
            ply=ply,
            document=document,
            submitted_at=now,
        )
        turns.add_all(connection, [queued])
        turns.set_verdicts(
            connection, [replace(queued, status=verdict.status, verdict=to_document(verdict), judged_at=now)]
        )


def verdict_mail(service: Context, log: Log, verdict: StoredVerdict) -> str:
    store_match(service, log)
    store_verdict(service, verdict)
    return body(mail(service, notify(service, "verdict", seat=0, ply=verdict.ply_after, turn_id="t1")))


def test_an_accepted_turn_is_told(service: Context) -> None:
    log = played(dealt(), 1)
    text = verdict_mail(service, log, StoredVerdict("accepted", 1, len(dealt()), len(log)))
    assert text.startswith("WHAT HAPPENED\n\n- Anna places the start tile")
    assert "Your turn was accepted, Anna." in text
    assert 'The match waits for Ben, who is asked: "Place your start tile' in text
    assert "MOVES" not in text


def test_a_mail_tells_of_earlier_turns_that_were_refused_too(service: Context) -> None:
    log, deal = played(dealt(), 1), len(dealt())
    store_match(service, log)
    store_verdict(service, StoredVerdict("rejected", 0, deal, deal, StoredRefusal((WATER,))), "t0")
    store_verdict(service, StoredVerdict("accepted", 1, deal, len(log)))
    row = notify(service, "verdict", seat=0, ply=len(log), turn_id="t1", told_since=deal, turns=["t0"])
    text = body(mail(service, row))
    assert text.startswith(
        "WHAT HAPPENED\n\n- An earlier turn of yours was refused: C9 is water, where no farmer can\n"
    )
    assert "- Anna places the start tile" in text


def test_a_partly_accepted_turn_says_how_many_actions_were_accepted(service: Context) -> None:
    refusal = StoredRefusal((FULL,), 1)
    text = verdict_mail(
        service, played(dealt(), 2), StoredVerdict("partly_accepted", 1, len(dealt()), len(played(dealt(), 2)), refusal)
    )
    assert text.startswith("Your turn was partly accepted, Anna: only the first of its 2 actions.")
    assert "You already hold four cards. (rule R8.1)" in text
    assert "https://play.example/games/oregon#rules" in text


def test_a_refused_turn_says_what_is_legal_and_comes_nearest(service: Context) -> None:
    refusal = StoredRefusal(
        (WATER, FULL), 1, (LegalAction({}, "farmer bison wagon C7"), LegalAction({}, "draw landscape")), 54
    )
    text = verdict_mail(service, played(dealt(), 2), StoredVerdict("rejected", 0, len(dealt()), len(dealt()), refusal))
    assert text.startswith("Your turn was refused, Anna. Nothing was changed.")
    assert "- Also: You already hold four cards" in text
    assert "What comes nearest and is legal:\n\n    draw landscape\n\n" in text
    assert " MOVES\n" in text


def test_a_stale_turn_is_told_what_it_had_not_seen(service: Context) -> None:
    log, deal = played(dealt(), 1), len(dealt())
    stale = Problem("stale_ply", "", {"answered": deal, "current": len(log)})
    store_match(service, log)
    store_verdict(service, StoredVerdict("rejected", 0, len(log), len(log), StoredRefusal((stale,))), ply=deal)
    text = body(mail(service, notify(service, "verdict", seat=0, ply=len(log), turn_id="t1")))
    assert "- Anna places the start tile" in text


def finish(service: Context) -> int:
    """A match of Oregon played to its end."""
    game = OREGON
    log = dealt()
    state = after(log)
    while game.to_act(state):
        seat = game.to_act(state)[0]
        judgement = adjudicate(
            game, state, len(log), seat, [legal_actions(game, state, seat)[0]], lambda ply, total: ply % total
        )
        log, state = (*log, *judgement.entries), judgement.state
    store_match(service, log, status="finished", finished_at=service.clock())
    with service.database.write() as connection:
        matches.write_steps(
            connection,
            [StoredStep("m-oregon", len(log), (), None, {}, to_document(game.outcome(state)))],
            service.clock(),
        )
    return len(log)


def test_the_last_mail_has_the_scores_and_the_reveal(service: Context) -> None:
    text = body(mail(service, notify(service, "match_over", seat=0, ply=finish(service))))
    assert "FINAL SCORES" in text
    assert "1. Anna" in text or "1. Ben" in text
    assert SECRET.hex() in text
    assert "overland verify oregon-m-oregon.json" in text


def test_no_mail_of_a_running_match_holds_its_secret(service: Context) -> None:
    log = played(dealt(), 2)
    store_match(service, log)
    for kind in ("invitation", "match_started", "your_turn"):
        message = mail(service, notify(service, kind, seat=0, ply=len(log)))
        for part in ("plain", "html"):
            assert SECRET.hex() not in body(message, part)
            assert SECRET.hex()[:12] not in body(message, part)


def test_match_over_is_not_written_before_it_is(service: Context) -> None:
    store_match(service, dealt())
    with pytest.raises(CannotCompose, match="not over"):
        mail(service, notify(service, "match_over", seat=0, ply=len(dealt())))


@pytest.mark.parametrize(
    ("kind", "changes", "why"),
    [
        ("your_turn", {"player_id": "p-ben", "ply": 0}, "not awaited"),
        ("your_turn", {"ply": 9999}, "is only at"),
        ("your_turn", {"match_id": None}, "names none"),
        ("verdict", {"turn_id": "t9"}, "no verdict"),
        ("verdict", {"turn_id": "gone"}, r"^There is no verdict on turn gone\.$"),
        ("invitation", {"player_id": None}, "for nobody"),
    ],
)
def test_a_notice_that_cannot_be_written_says_why(
    service: Context, kind: str, changes: dict[str, Any], why: str
) -> None:
    store_match(service, dealt())
    with pytest.raises(CannotCompose, match=why):
        mail(service, notify(service, kind, **changes))


def test_an_invitation_reaches_somebody_who_is_no_player_yet(service: Context) -> None:
    store_match(service, ())
    message = mail(service, notify(service, "invitation", player_id=None, address="cleo@players.example"))
    assert message["To"] == "cleo@players.example"
    text = body(message)
    assert "Anna invites you to a match of Oregon" in text
    assert text.startswith('Reply with "yes" to take your seat, or with "no" to decline.')
    assert "You need no account" in text
    assert message["Subject"] == "[Oregon #m-oregon] On the trail"


def test_an_invitation_says_that_the_components_are_not_the_standard_ones(service: Context) -> None:
    store_match(service, (), components_name="custom")
    message = mail(service, notify(service, "invitation", player_id=None, address="cleo@players.example"))
    for kind in ("plain", "html"):
        assert "Anna plays with components from their own box" in " ".join(body(message, kind).split())


def test_an_invitation_with_the_standard_components_does_not_speak_of_them(service: Context) -> None:
    store_match(service, ())
    assert "components" not in body(
        mail(service, notify(service, "invitation", player_id=None, address="cleo@players.example"))
    )


def test_every_mail_of_a_match_has_the_same_subject_after_re(service: Context) -> None:
    log = dealt()
    store_match(service, log)
    subjects = {
        mail(service, notify(service, kind, seat=0, ply=len(log)))["Subject"].removeprefix("Re: ")
        for kind in ("invitation", "match_started", "your_turn")
    }
    assert subjects == {"[Oregon #m-oregon] On the trail"}


@pytest.mark.parametrize("kind", ["confirm_address", "sign_in"])
def test_a_confirmation_or_sign_in_mail_has_the_token_in_a_link(service: Context, kind: str) -> None:
    message = mail(service, notify(service, kind, match_id=None, token="ovc_t0ken"))
    assert "https://play.example/confirm?token=ovc_t0ken\n" in body(message)
    assert 'href="https://play.example/confirm?token=ovc_t0ken"' in body(message, "html")
    assert "\novc_t0ken\n" in body(message)
    assert message["References"] is None


NASTY = '<script>alert("1")</script>\r\nBcc: all@players.example'


def test_a_hostile_title_stays_text(service: Context) -> None:
    log = dealt()
    store_match(service, log, title=NASTY)
    message = mail(service, notify(service, "your_turn", seat=0, ply=len(played(log, 0))))
    assert message["Bcc"] is None
    assert "<script>" not in body(message, "html")
    assert "&lt;script&gt;" in body(message, "html")
    assert [address.addr_spec for address in message["To"].addresses] == ["anna@players.example"]


def test_names_are_those_of_the_seats(service: Context) -> None:
    store_match(service, dealt())
    assert "Anna, red (you)\nBen, blue" in body(mail(service, notify(service, "match_started", ply=len(dealt()))))


def test_after_an_attempt_that_ended_its_process_no_action_is_played(service: Context) -> None:
    row = replace(notice(service, notify(service, "your_turn", match_id=None)), crashes=1)
    material = Material("your_turn", AtPly(0, 0), ANNA, deadly(Killed))
    with pytest.raises(Killed):
        write(service, row, material, keys_of(service), pictured=False)
    draft = write(service, replace(row, crashes=2), material, keys_of(service), pictured=False)
    assert "The list of your moves could not be made" in draft.letter.text
    assert "NOTATION\n\ndive | offer 1..3" in draft.letter.text
