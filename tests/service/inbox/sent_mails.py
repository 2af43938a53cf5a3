"""Mails of ours that the replies in the tests answer: composed by the service, of every game."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from engine import registry
from engine.bots import greedy
from engine.documents import to_document
from engine.draws import commitment, digest, terms
from engine.game import AnyGame
from engine.play import drawn, legal_actions
from engine.types import CHANCE, Entry, Seat, Setup
from service.inbox.hypertext import text_of
from service.notices.mail.compose import compose
from service.store import matches
from service.store.matches import StoredMatch, StoredSeat, StoredStep
from tests.service.notices.fakes import NAMES, NOON, SECRET, Mailbag, context, notice, notify, seat_players

MATCH = "m-mailed"
PLIES = {"oregon": 60, "montana": 60, "ozeanien": 24}
"""Where in a match the mail of each game is written, at the next turn with a choice."""


@dataclass(frozen=True)
class Sent:
    """A mail that asks a seat for a turn, and what it is about."""

    game: AnyGame
    state: Any
    seat: Seat
    subject: str
    text: str
    html: str

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What a reply may quote: the text, and what the HTML says."""
        return (self.text, re.sub(r"(?m)^> ?", "", text_of(self.html)))

    @cached_property
    def legal(self) -> tuple[str, ...]:
        """The legal actions as notation."""
        return tuple(self.game.format(action) for action in legal_actions(self.game, self.state, self.seat))


@cache
def turn_mail(name: str) -> Sent:
    """The mail that asks for a turn in a match of that game for two."""
    game = registry.game(name)
    log, state = _played(name)
    seat = game.to_act(state)[0]
    with tempfile.TemporaryDirectory() as folder:
        service = context(Path(folder), Mailbag())
        try:
            seat_players(service)
            _store(service, game, log, seat)
            draft = compose(service, notice(service, _notified(service, seat, len(log))), False)
        finally:
            service.close()
    return Sent(game, state, seat, draft.letter.subject, draft.letter.text, draft.letter.html)


def _notified(service: Any, seat: Seat, ply: int) -> str:
    return notify(service, "your_turn", f"p-{NAMES[seat].lower()}", MATCH, seat=seat, ply=ply)


def _played(name: str) -> tuple[tuple[Entry[Any], ...], Any]:
    """The log of a match of bots, up to a turn with more than four legal actions, and its state."""
    game = registry.game(name)
    state = game.setup(Setup(2, game.options(), registry.components(name)))
    log: list[Entry[Any]] = []
    while len(log) < PLIES[name] or game.to_act(state) == (CHANCE,) or _choices(game, state) < 5:
        seat = game.to_act(state)[0]
        if seat == CHANCE:
            action = drawn(game, state, len(log), lambda ply, total: (7 * ply + 3) % total)
        else:
            action = greedy(game, state, seat)
        state = game.apply(state, seat, action)
        log.append(Entry(seat, action))
    return tuple(log), state


def _choices(game: AnyGame, state: Any) -> int:
    return len(legal_actions(game, state, game.to_act(state)[0]))


def _store(service: Any, game: AnyGame, log: tuple[Entry[Any], ...], awaited: Seat) -> None:
    name = game.info.name
    options, components = to_document(game.options()), registry.component_document(name)
    seats = tuple(
        StoredSeat(seat, f"p-{each.lower()}", each, None, None, f"nonce-of-{each}", NOON, None, None, seat == awaited)
        for seat, each in enumerate(NAMES)
    )
    match = StoredMatch(
        id=MATCH,
        game=name,
        rules_version=game.info.rules_version,
        components_name="standard",
        components_digest=digest(components),
        options=options,
        title="On the trail",
        status="running",
        created_by="p-anna",
        created_at=NOON,
        started_at=NOON,
        finished_at=None,
        ply=len(log),
        secret=SECRET,
        commitment=commitment(SECRET, terms(MATCH, name, game.info.rules_version, 2, options, components)),
        outcome=None,
        seats=seats,
    )
    entries = tuple((entry.seat, to_document(entry.action)) for entry in log)
    with service.database.write() as connection:
        matches.add(connection, match, components)
        matches.write_steps(connection, [StoredStep(MATCH, 0, entries, None, {}, None)], NOON)
