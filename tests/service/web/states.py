"""The states in which the page of a match can be: how a match gets into each, through the ways of
the service and on a clock of its own, what its page says then, and what it offers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any, Final

from sqlalchemy import update
from werkzeug.test import TestResponse

from engine import registry
from engine.bots import random_action
from engine.types import CHANCE
from service.context import Context
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.offers import offering
from service.players import tokens
from service.statuses import OfferKind
from service.store import heartbeats
from service.store import maintenance as maintenance_rows
from service.store.batched import REMEMBERED_SECONDS
from service.store.maintenance import Maintenance
from service.store.players import Player
from service.store.tables import entries, matches
from service.sweeps import sweep
from tests.service.fakes import (
    AT_ONCE,
    GAMES,
    Round,
    all_sent,
    judged_batch,
    log_of,
    person,
    played,
    played_on,
    started,
    state_of,
)
from tests.service.turns.clocks import DAY, due, let_expire, moved_to, now_is, stored
from tests.service.web.conftest import Browser, SignedIn
from tools.memory_queue import MemoryQueue


@dataclass(frozen=True)
class Scene:
    """A service in which a match is brought into a state, and browsers."""

    context: Context
    signed_in: SignedIn

    def look(self, match_id: str, player: Player | None, query: str = "") -> Shown:
        """What a player, or somebody who is not signed in, sees of a match."""
        browser = self.signed_in(player)
        return browser, browser.get(f"/matches/{match_id}{query}")

    def people(self, *names: str) -> tuple[Player, ...]:
        """New players."""
        return tuple(person(self.context, name) for name in names)


Shown = tuple[Browser, TestResponse]
"""A browser, and the page that it shows."""


@dataclass(frozen=True)
class State:
    """A state: ``bring`` brings a match into it and looks at its page, which ``says`` these
    sentences, has the buttons that it ``offers``, and neither buttons nor sentences of ``lacks``.
    ``games`` is where the game of a state is, which none of the real games has.
    """

    bring: Callable[[Scene], Shown]
    says: tuple[str, ...]
    offers: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    status: int = 200
    games: Path | None = None


PLAY: Final = ("Play",)
OVER: Final = ("Play", "Resign", "Offer a draw", "Take a seat", "It is your turn.")
"""What no match that is over offers or says."""
WATCHED: Final = (*OVER[:4], "Say", "Save", "Withdraw it", "Accept")
"""What is offered to nobody who only watches."""


def main(page: TestResponse) -> str:
    """The content of a page as text with tags, without what frames every page."""
    return unescape(page.text.partition("<main")[2].partition("</main>")[0])


def buttons(page: TestResponse) -> set[str]:
    """What the buttons of the content say."""
    return set(re.findall(r"<button[^>]*>([^<]+)</button>", main(page)))


def nonce_of(page: TestResponse) -> str:
    """What the forms of a page prove with that they are ours."""
    (nonce,) = re.findall(r'<meta name="overland-nonce" content="([^"]*)">', page.text)
    return str(nonce)


# ---- open


def _invited(scene: Scene) -> tuple[str, Player, Player, Player]:
    ada, bela, eve = scene.people("Ada", "Bela", "Eve")
    seats = [SeatRequest("me"), SeatRequest("invite", bela.email)]
    return lobby.create(scene.context, ada, "oregon", None, seats, "Evening").id, ada, bela, eve


def open_mine(scene: Scene) -> Shown:
    match, ada, _, _ = _invited(scene)
    return scene.look(match, ada)


def open_invited(scene: Scene) -> Shown:
    match, _, bela, _ = _invited(scene)
    return scene.look(match, bela)


def open_full(scene: Scene) -> Shown:
    match, _, _, eve = _invited(scene)
    return scene.look(match, eve)


def open_stranger(scene: Scene) -> Shown:
    ada, eve = scene.people("Ada", "Eve")
    match = lobby.create(scene.context, ada, "montana", None, [SeatRequest("me"), SeatRequest("open")], "Anybody?")
    return scene.look(match.id, eve)


def open_signed_out(scene: Scene) -> Shown:
    (ada,) = scene.people("Ada")
    match = lobby.create(scene.context, ada, "montana", None, [SeatRequest("me"), SeatRequest("open")], "Anybody?")
    return scene.look(match.id, None)


# ---- my turn


def first_action(scene: Scene) -> Shown:
    table = started(scene.context, "oregon")
    return scene.look(table.match.id, table.players[0])


def after_a_draw(scene: Scene) -> Shown:
    """Ada has explored, and is awaited again: what she found is not hers to take back."""
    context, luck = scene.context, random.Random(2)
    table, game = started(context, "ozeanien"), registry.game("ozeanien")
    while True:
        before = stored(context, table)
        seat = next(each.seat for each in before.seats if each.to_act)
        line = game.format(random_action(game, state_of(context, before.id), seat, luck.choice))
        turn = played(context, table.players[seat], before.id, line)
        assert turn.status == "accepted", turn
        if stored(context, table).seats[seat].to_act and log_of(context, before.id)[-1].seat == CHANCE:
            return scene.look(before.id, table.players[seat], f"?turn={turn.id}")


def in_secret(scene: Scene) -> Shown:
    table = started(scene.context, "sealed")
    played(scene.context, table.players[0], table.match.id, "1")
    return scene.look(table.match.id, table.players[1])


def in_secret_done(scene: Scene) -> Shown:
    table = started(scene.context, "sealed")
    played(scene.context, table.players[0], table.match.id, "1")
    return scene.look(table.match.id, table.players[0])


# ---- the result of a turn


def pending(scene: Scene) -> Shown:
    table, queue = started(scene.context, "oregon"), scene.context.queue
    assert isinstance(queue, MemoryQueue)
    queue.judge = lambda: None
    scene.context.timer.step = 10  # type: ignore[attr-defined]
    browser, page = scene.look(table.match.id, table.players[0])
    answer = browser.press(page, f"/matches/{table.match.id}", line="1", do="play")
    return browser, browser.get(answer.headers["Location"])


def accepted(scene: Scene) -> Shown:
    table = started(scene.context, "oregon")
    turn = played(scene.context, table.players[0], table.match.id, "1")
    return scene.look(table.match.id, table.players[0], f"?turn={turn.id}")


def refused(scene: Scene) -> Shown:
    return _pearls(scene, "offer 2")


def partly_accepted(scene: Scene) -> Shown:
    return _pearls(scene, "dive", "dive")


def _pearls(scene: Scene, *lines: str) -> Shown:
    table = started(scene.context, "pearls")
    turn = played(scene.context, table.players[0], table.match.id, *lines)
    return scene.look(table.match.id, table.players[0], f"?turn={turn.id}")


def stale(scene: Scene) -> Shown:
    """A page that was left open until Ada was awaited again."""
    table, context = started(scene.context, "oregon"), scene.context
    match = table.match.id
    browser, page = scene.look(match, table.players[0])
    known = stored(context, table).ply
    while {entry.seat for entry in log_of(context, match)[known:]} < {0, 1} or not stored(context, table).seats[
        0
    ].to_act:
        seat = next(each.seat for each in stored(context, table).seats if each.to_act)
        played(context, table.players[seat], match, "1")
    return browser, browser.press(page, f"/matches/{match}", line="1", do="play")


# ---- waiting


def for_a_person(scene: Scene) -> Shown:
    table = started(scene.context, "oregon", clock="brisk")
    return scene.look(table.match.id, table.players[1])


def for_a_bot(scene: Scene) -> Shown:
    (ada,) = scene.people("Ada")
    bots = [SeatRequest("me"), SeatRequest("bot", level="fair")]
    match = lobby.create(scene.context, ada, "oregon", None, bots, "Duel")
    assert isinstance(scene.context.queue, MemoryQueue)
    scene.context.queue.judge = lambda: None
    played(scene.context, ada, match.id, "1")
    return scene.look(match.id, ada)


# ---- time


def reserve_runs(scene: Scene) -> Shown:
    table = started(scene.context, "oregon", clock="brisk")
    now_is(scene.context, scene.context.clock() + 3 * DAY + timedelta(hours=5))
    return scene.look(table.match.id, table.players[0])


def time_is_up(scene: Scene) -> Shown:
    """The moment in which nobody has acted on it yet."""
    table = started(scene.context, "oregon", clock="brisk")
    now_is(scene.context, due(scene.context, table) + timedelta(seconds=5))
    return scene.look(table.match.id, table.players[0])


def time_was_up(scene: Scene) -> Shown:
    """A bot has played one turn of Ada's."""
    table = started(scene.context, "oregon", clock="brisk")
    let_expire(scene.context, table)
    return scene.look(table.match.id, table.players[0])


def held_by_a_bot(scene: Scene) -> Shown:
    table = _held(scene)
    return scene.look(table.match.id, table.players[0])


def held_for_others(scene: Scene) -> Shown:
    table = _held(scene)
    return scene.look(table.match.id, table.players[1])


def lost_to_a_bot(scene: Scene) -> Shown:
    """A bot has taken Ada's seat for good."""
    table = started(scene.context, "pearls", clock={"preset": "brisk", "if_late": "bot_seat"})
    let_expire(scene.context, table)
    return scene.look(table.match.id, table.players[0])


def _held(scene: Scene) -> Round:
    """A match in which Ada was late twice in a row."""
    table = started(scene.context, "pearls", clock="brisk")
    while not stored(scene.context, table).seats[0].by_bot:
        moved_to(scene.context, table, 0)
        let_expire(scene.context, table)
    return table


def paused(scene: Scene) -> Shown:
    table = _agreed(scene, "pause", days=5)
    return scene.look(table.match.id, table.players[0])


def away(scene: Scene) -> Shown:
    table = started(scene.context, "oregon", clock="brisk")
    browser, page = scene.look(table.match.id, table.players[0])
    browser.press(page, f"/matches/{table.match.id}/time", do="away", days="3")
    return scene.look(table.match.id, table.players[0])


def outage(scene: Scene) -> Shown:
    context = scene.context
    table = started(context, "oregon", clock="brisk")
    with context.database.write() as connection:
        for part in heartbeats.PARTS:
            heartbeats.beat(connection, part, context.clock())
    now_is(context, context.clock() + timedelta(hours=1))
    return scene.look(table.match.id, table.players[0])


# ---- offers


def _offered(scene: Scene) -> Round:
    table = started(scene.context, "oregon", clock="brisk")
    offering.offer(scene.context, table.players[0], table.match.id, "draw")
    return table


def offer_of_mine(scene: Scene) -> Shown:
    table = _offered(scene)
    return scene.look(table.match.id, table.players[0])


def offer_to_me(scene: Scene) -> Shown:
    table = _offered(scene)
    return scene.look(table.match.id, table.players[1])


def offer_of_others(scene: Scene) -> Shown:
    table = _offered(scene)
    return scene.look(table.match.id, person(scene.context, "Eve"))


def seat_offered(scene: Scene) -> Shown:
    table, zoe = started(scene.context, "oregon"), person(scene.context, "Zoe")
    offering.offer(scene.context, table.players[0], table.match.id, "hand_over", email=zoe.email)
    return scene.look(table.match.id, zoe)


# ---- over


def _finished(scene: Scene, game: str) -> Round:
    table = started(scene.context, game)
    played_on(scene.context, table, random.Random(5))
    return table


def _by_rank(scene: Scene, is_first: bool) -> Shown:
    table = _finished(scene, "oregon")
    outcome = lobby.find(scene.context, None, table.match.id).outcome
    assert outcome is not None
    assert sorted(outcome.ranks) == [1, 2]
    seat = next(seat for seat, rank in enumerate(outcome.ranks) if (rank == 1) == is_first)
    return scene.look(table.match.id, table.players[seat])


def won(scene: Scene) -> Shown:
    return _by_rank(scene, True)


def lost(scene: Scene) -> Shown:
    return _by_rank(scene, False)


def over_watched(scene: Scene) -> Shown:
    return scene.look(_finished(scene, "pearls").match.id, None)


def alone(scene: Scene) -> Shown:
    (ada,) = scene.people("Ada")
    match = lobby.create(scene.context, ada, "ozeanien", None, [SeatRequest("me")], "Alone")
    played_on(scene.context, Round(match, (ada,)), random.Random(5))
    return scene.look(match.id, ada)


def resigned(scene: Scene) -> Shown:
    table = started(scene.context, "oregon")
    lobby.resign(scene.context, table.players[1], table.match.id)
    return scene.look(table.match.id, table.players[1])


def shared(scene: Scene) -> Shown:
    return _over_by(scene, "draw")


def agreed(scene: Scene) -> Shown:
    return _over_by(scene, "end")


def called_off(scene: Scene) -> Shown:
    return _over_by(scene, "call_off")


def abandoned(scene: Scene) -> Shown:
    """Ada stays away for two weeks, and answers no mail."""
    table, context = _held(scene), scene.context
    offering.offer(context, table.players[1], table.match.id, "abandon")
    while stored(context, table).status == "running":
        now_is(context, context.clock() + DAY)
        all_sent(context)
        sweep(context)
        judged_batch(context)
    return scene.look(table.match.id, table.players[1])


def never_started(scene: Scene) -> Shown:
    (ada,) = scene.people("Ada")
    match = lobby.create(scene.context, ada, "oregon", None, [SeatRequest("me"), SeatRequest("open")], "Gone")
    lobby.leave(scene.context, ada, match.id)
    return scene.look(match.id, ada)


def _over_by(scene: Scene, kind: OfferKind) -> Shown:
    table = _agreed(scene, kind)
    judged_batch(scene.context)
    return scene.look(table.match.id, table.players[1])


def _agreed(scene: Scene, kind: OfferKind, **more: Any) -> Round:
    table, context = started(scene.context, "oregon", clock="brisk"), scene.context
    made = offering.offer(context, table.players[0], table.match.id, kind, **more)
    offering.answer(context, table.players[1], table.match.id, made.items[0].id, accepts=True)
    return table


# ---- what happens to a match or its page from outside


def archived(scene: Scene) -> Shown:
    table, context = started(scene.context, "oregon"), scene.context
    while stored(context, table).status == "running":
        now_is(context, context.clock() + 10 * DAY)
        sweep(context)
    return scene.look(table.match.id, table.players[0])


def unreadable(scene: Scene) -> Shown:
    """A line of its log is damaged."""
    context, table = scene.context, started(scene.context, "oregon", clock="brisk")
    (ada, bela), match = table.players, table.match.id
    chat.say(context, bela, match, "Where is the board?")
    chat.note(context, ada, match, "The eagle first")
    with context.database.write() as connection:
        connection.execute(update(entries).where(entries.c.ply == 0).values(action={"type": "fly"}))
    context.states.forget()
    return scene.look(match, ada)


def rules_are_missing(scene: Scene) -> Shown:
    context, table = scene.context, started(scene.context, "oregon")
    with context.database.write() as connection:
        connection.execute(update(matches).values(rules_version=97))
    return scene.look(table.match.id, table.players[0])


def over_and_unreadable(scene: Scene) -> Shown:
    """Its result is known all the same."""
    context, table = scene.context, started(scene.context, "oregon")
    lobby.resign(context, table.players[1], table.match.id)
    with context.database.write() as connection:
        connection.execute(update(matches).values(rules_version=97))
    return scene.look(table.match.id, table.players[0])


def maintenance(scene: Scene) -> Shown:
    context, table = scene.context, started(scene.context, "oregon")
    with context.database.write() as connection:
        maintenance_rows.begin(connection, Maintenance(context.clock(), None, "Back at noon."))
    context.timer.advance(REMEMBERED_SECONDS)  # type: ignore[attr-defined]
    return scene.look(table.match.id, table.players[0])


def signed_out(scene: Scene) -> Shown:
    table = started(scene.context, "oregon")
    browser, page = scene.look(table.match.id, table.players[0])
    cookie = browser.client.get_cookie("overland-browser")
    assert cookie is not None
    tokens.sign_out(scene.context, cookie.value)
    return browser, browser.press(page, f"/matches/{table.match.id}", line="1", do="play")


def two_tabs(scene: Scene) -> Shown:
    """The turn was played in one tab; now another one is pressed in the other."""
    table = started(scene.context, "oregon")
    path = f"/matches/{table.match.id}"
    browser, first = scene.look(table.match.id, table.players[0])
    second = browser.get(path)
    browser.press(first, path, line="1", do="play")
    return browser, browser.press(second, path, line="2", do="play")


def back_button(scene: Scene) -> Shown:
    """Back to the page of before the turn, whose button is pressed again."""
    table = started(scene.context, "oregon")
    path = f"/matches/{table.match.id}"
    browser, page = scene.look(table.match.id, table.players[0])
    browser.press(page, path, line="1", do="play")
    again = browser.press(page, path, line="1", do="play")
    return browser, browser.get(again.headers["Location"])


_UNREADABLE = ("The board cannot be shown.", "Nothing is lost", "overland matches check", "Seats")
STATES: Final[dict[str, State]] = {
    "open, me seated": State(
        open_mine,
        ("it waits for players.", "kept for somebody who is invited", "Pass this link on"),
        ("Give the seat back", "Replace the link"),
        ("Take a seat", "Play", "Every seat is taken"),
    ),
    "open, invited": State(
        open_invited, ("A seat is kept for you.",), ("Take a seat", "Decline"), ("Play", "Pass this link on")
    ),
    "open, stranger": State(open_stranger, ("free",), ("Take a seat",), ("Decline", "Give the seat back", "Say")),
    "open, not signed in": State(open_signed_out, ("A seat is free", "sign in"), (), ("Take a seat", "Say")),
    "open, full": State(
        open_full, ("Every seat is taken, or kept for somebody who is invited.",), (), ("Take a seat", "Decline", "Say")
    ),
    "my turn, first action": State(first_action, ("It is your turn.", "Since the beginning"), PLAY, ("Next match",)),
    "my turn, after a draw": State(after_a_draw, ("Your turn was played.", "It is your turn."), PLAY),
    "my turn, in secret with others": State(in_secret, ("It is your turn.",), PLAY, games=AT_ONCE),
    "waiting, in secret with others": State(in_secret_done, ("The match waits for Bela",), (), PLAY, games=AT_ONCE),
    "result, pending": State(pending, ("Your turn is stored and waits for its verdict.",), (), ("was played",)),
    "result, accepted": State(accepted, ("Your turn was played.", "The match waits for Bela"), (), PLAY),
    "result, refused": State(
        refused,
        ("Your turn was refused. Nothing was changed.", "You have no pearl of 2; your hand is empty.", "(rule P4)"),
        PLAY,
        ("was played",),
        games=GAMES,
    ),
    "result, partly accepted": State(
        partly_accepted,
        ("Only the first action of your turn was played.", "Ada dives.", "The match waits for Bela"),
        (),
        PLAY,
        games=GAMES,
    ),
    "result, stale": State(
        stale, ("the match has moved on", "Since then this happened:", "It is your turn."), PLAY, status=409
    ),
    "waiting, for a person with a clock": State(
        for_a_person, ("The match waits for Ada", "Ada has until "), ("Offer a day more for Ada",), PLAY
    ),
    "waiting, for a bot": State(for_a_bot, ("Fair bot", "plays in a moment"), (), PLAY),
    "time, my reserve runs": State(reserve_runs, ("Your reserve is running",), PLAY, ("Your time is up",)),
    "time, mine is up": State(time_is_up, ("Your time and your reserve are up",), PLAY, ("You have until",)),
    "time, mine was up": State(
        time_was_up, ("time was up once", "The match waits for Bela"), (), ("Take my seat back", "Play")
    ),
    "time, held by a bot": State(
        held_by_a_bot, ("Your time was up, and a bot plays your seat.",), ("Take my seat back",), PLAY, games=GAMES
    ),
    "time, lost to a bot": State(
        lost_to_a_bot,
        ("Your time was up, and a bot plays your seat.",),
        (),
        ("Take my seat back", "Resign", "Offer a draw", "Play"),
        games=GAMES,
    ),
    "time, held by a bot for another": State(
        held_for_others,
        ("(a bot plays)", "It is your turn."),
        ("Ask to end it as abandoned", "Play"),
        ("Take my seat back",),
        games=GAMES,
    ),
    "time, paused": State(
        paused,
        ("The match is paused until", "Your clock is stopped for a pause of the match"),
        ("End the pause a day from now", "Play"),
    ),
    "time, away": State(away, ("Your days off last from", "Your clock is stopped"), ("I am back", "Play")),
    "time, outage": State(outage, ("An outage of the service stops your clock",), PLAY, ("You have until",)),
    "offers, mine": State(offer_of_mine, ("It waits for Bela.",), ("Withdraw it",), ("Accept", "Decline")),
    "offers, to me": State(offer_to_me, ("Ada offers a draw", "#offers"), ("Accept", "Decline"), ("Withdraw it",)),
    "offers, of others": State(offer_of_others, ("The match waits for Ada",), (), (*WATCHED, "offers a draw")),
    "offers, a seat to me": State(seat_offered, ("Ada offers you their seat",), ("Accept", "Decline"), ("Play", "Say")),
    "over, won": State(won, ("is over:", "has won.", "Were the draws fair?"), ("Play once more",), OVER),
    "over, lost": State(lost, ("is over:", "has won.", "Were the draws fair?"), ("Play once more",), OVER),
    "over, watched": State(
        over_watched, ("is over:", "Were the draws fair?"), (), (*WATCHED, "Play once more"), games=GAMES
    ),
    "over, shared": State(shared, ("everyone shares the victory",), ("Play once more",), OVER),
    "over, alone": State(alone, ("Alone is over: Ada has ",), ("Play once more",), (*OVER, "has won")),
    "over, resigned": State(resigned, ("is over: Ada has won.", "(resigned)"), ("Play once more",), OVER),
    "over, agreed": State(agreed, ("agreed to end the match",), ("Play once more",), OVER),
    "over, abandoned": State(
        abandoned, ("Bela asked to end it.", "14 days"), ("Play once more",), (*OVER, "has won"), games=GAMES
    ),
    "over, called off": State(called_off, ("agreed to call it off",), ("Play once more",), (*OVER, "has won")),
    "over, before it started": State(never_started, ("was cancelled before it started",), (), OVER),
    "archived": State(
        archived, ("This match is archived", "It is your turn."), ("Reopen the match", "Play"), ("Resign",)
    ),
    "unreadable": State(
        unreadable,
        (*_UNREADABLE, "Where is the board?", "The eagle first", "Ada</bdi>"),
        ("Say", "Save", "Stop my clocks", "Offer a pause"),
        ("Play", "Resign", "Offer a draw", 'id="board"', "It is your turn."),
    ),
    "unreadable, rules are missing": State(
        rules_are_missing, (*_UNREADABLE, "version 97 of the rules"), ("Say", "Save"), ("Play", "Resign")
    ),
    "unreadable, over": State(over_and_unreadable, (*_UNREADABLE, "is over: Ada has won."), ("Say",), OVER),
    "maintenance": State(maintenance, ("It is your turn.",)),
    "signed out meanwhile": State(
        signed_out, ("You are not signed in here, or no longer.", "sign in"), (), WATCHED, status=401
    ),
    "two tabs": State(
        two_tabs, ("It is not your turn, or not any more.", "The match waits for Bela"), (), PLAY, status=409
    ),
    "back button": State(back_button, ("Your turn was played.", "The match waits for Bela"), (), PLAY),
}
