"""Matches of Pearls as mails see them, without a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.play import replay, walk
from engine.sentences import outcome_told
from engine.types import Entry, Seat, Setup
from service.kinds import NoticeKind
from service.links import match_page, rules_page
from service.notices.mail.pages import MailLinks, Material, Page, page
from service.notices.mail.render import Rendered, render
from service.notices.material import JudgedTurn, MatchMaterial, Recipient
from tests.service.notices.pearls import GAME, dive, setup, toy
from tests.service.payloads import payload_of

BASE_URL = "https://play.example"
ANNA = Recipient("p-anna", "Anna", "anna@players.example")
BEN = Recipient("p-ben", "Ben", "ben@players.example")
LOG: tuple[Entry[Any], ...] = (*dive(0, 3), *dive(1, 2))


def table(log: tuple[Entry[Any], ...] = LOG, since: int = 0, bag: Setup | None = None, **changes: Any) -> MatchMaterial:
    """Anna and Ben play Pearls; the log is that of ``LOG`` unless another is given, and is told
    from ply ``since`` on.
    """
    steps = tuple(walk(GAME, GAME.setup(bag or setup()), 0, log))
    values: dict[str, Any] = {
        "match_id": "m7k2xqp4",
        "game": GAME,
        "title": "Sunday dive",
        "ply": len(log),
        "state": steps[-1].after if steps else GAME.setup(bag or setup()),
        "steps": steps[since:],
        "components": "standard",
        "names": ("Anna", "Ben"),
        "player_ids": ("p-anna", "p-ben"),
        "creator": "Anna",
        "commitment": "c0ffee" * 10 + "c0de",
        "nonces": ("nonce-of-anna", "nonce-of-ben"),
        "nonces_digest": "d16e57" * 10 + "d16e",
        "secret": None,
        "outcome": None,
    }
    values |= changes
    return MatchMaterial(
        **{"awaited": () if values.get("is_over") else values["game"].to_act(values["state"]), **values}
    )


class Killed(BaseException):
    """The end of a process, as far as a test can bear it."""


def deadly(ending: type[BaseException]) -> MatchMaterial:
    """A match in which no legal action may be played."""

    def apply(state: Any, seat: Seat, action: Any) -> Any:
        raise ending("played")

    return table(since=2, game=replace(GAME, apply=apply))


def finished(**changes: Any) -> MatchMaterial:
    """A match with two pearls in the bag, dived for."""
    log, bag = (*dive(0, 1), *dive(1, 2)), setup(bag=toy.Bag(1, 1, 0))
    outcome = GAME.outcome(replay(GAME, bag, log))
    assert outcome is not None
    return table(log, 2, bag, secret="5ec2e7" * 10 + "5ec2", outcome=outcome_told(GAME, outcome), **changes)


def shown(
    kind: NoticeKind,
    reader: Recipient = ANNA,
    of: MatchMaterial | None = None,
    payload: Mapping[str, Any] | None = None,
    turn: JudgedTurn | None = None,
) -> Rendered:
    """The words of a mail."""
    return render(kind, page_of(kind, reader, of, payload, turn).context)


def page_of(
    kind: NoticeKind,
    reader: Recipient = ANNA,
    of: MatchMaterial | None = None,
    payload: Mapping[str, Any] | None = None,
    turn: JudgedTurn | None = None,
) -> Page:
    """What is in a mail."""
    return page(Material(kind, payload_of(kind, payload or {}), reader, of, turn), BASE_URL, links_to(of))


def links_to(of: MatchMaterial | None) -> MailLinks:
    """The links that are the same for everybody."""
    if of is None:
        return MailLinks()
    return MailLinks(match=match_page(BASE_URL, of.match_id), rules=rules_page(BASE_URL, of.game.info.name))
