"""One mail of every kind and of every game, to be looked at.

``python -m tests.service.notices.shown FOLDER`` writes each as .txt, .html (with its picture) and
.eml.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from engine import registry
from engine.game import AnyGame
from engine.play import judge, legal_actions, walk
from engine.sentences import outcome_told
from engine.types import CHANCE, Entry, Setup
from service.clocks.rule import PRESETS
from service.clocks.sentences import rule_sentences
from service.kinds import NoticeKind
from service.links import ServiceAddress
from service.notices.mail.compose import PICTURE_WIDTH
from service.notices.mail.match_mails import PICTURE
from service.notices.mail.message import Letter, Picture, Thread, build
from service.notices.mail.pages import MailLinks, Material, Page, digest_page, page
from service.notices.mail.render import Rendered, render
from service.notices.mail.transport import to_wire
from service.notices.material import Added, JudgedTurn, MatchMaterial, Recipient
from service.payloads import AboutSeat, Gathered
from service.pictures.picture import png
from service.store.chat import Line
from service.turns.types import LegalAction, Refusal, Verdict
from tests.service.notices.tables_of_pearls import links_to
from tests.service.payloads import payload_of

BASE_URL: Final = "https://play.example"
NAMES: Final = ("Ada", "Bela", "Cleo", "Dora")
SIGNATURE: Final = "k1cq7x2m4nwd5t3vbz6rya2e"
WRITTEN: Final = datetime(2026, 11, 21, 10, 30, tzinfo=UTC)
TOKEN: Final = {"token": "ovc_k2v7", "expires_at": "2026-11-23T10:30:00+00:00"}
SAID: Final = (Line(3, 1, "p-bela", "Bela", WRITTEN, "Nice <move> & good luck!"),)
SWITCHED_OFF: Final = {
    "webhook": "k2v7",
    "place": "https://example.org",
    "error": "https://example.org answered 410.",
}
CHANGED: Final = {"change": "added", "changed": "Ada@home.example", "undo": "ovc_k2v7"}
ALONE: Final[tuple[NoticeKind, ...]] = (
    "confirm_address",
    "sign_in",
    "confirm_another_address",
    "address_changed",
    "webhook",
    "from_host",
)
"""The kinds of mails that are about no match."""
STALE: Final[Mapping[str, Any]] = {
    "headline": "Nothing was played: the match has moved on since the mail that you answered.",
    "says": ["Reply to this mail instead."],
    "shows": ["moves", "board"],
    "since": 1,
}
HELP: Final[Mapping[str, Any]] = {
    "headline": "This is what you can write.",
    "shows": ["help"],
}
RULES: Final[Mapping[str, Any]] = {"headline": "The rules of Oregon", "rules": "oregon"}
TIME: Final = (
    "You have until Thursday, 26 November, 18:30 (Europe/Berlin).",
    "After that your reserve of 2 days runs, until Saturday, 28 November, 18:30 (Europe/Berlin).",
)
RULE: Final = rule_sentences(PRESETS["relaxed"])
TIME_UP: Final[Mapping[str, Any]] = {"step": "time_up_bot_hold", "due_at": 1795771800}
OFF: Final[Mapping[str, Any]] = {"due_at": 1795771800, "until": 1795944600, "left": 5}
REMIND: Final[Mapping[str, Any]] = {"also": [{"match": "m2", "title": "Monday", "until": 1795944600}]}
OFFER: Final[Mapping[str, Any]] = {"offer": "pause", "days": 7, "for_seat": None, "by": 1}
OFFERED: Final[Mapping[str, Any]] = {
    **OFFER,
    "question": 3,
    "asked": [0],
    "away": [],
    "lapses_at": 1796376600,
    "warned": False,
}
ABANDONING: Final[Mapping[str, Any]] = {
    **OFFERED,
    "offer": "abandon",
    "away": [0],
    "ends_at": 1796203800,
    "warned": True,
}
SETTLED: Final[Mapping[str, Any]] = {"result": "accepted", "maker": "Bela", "accepted": [0], "passed": []}
AGREED: Final[Mapping[str, Any]] = {**OFFER, **SETTLED, "by": None, "until": 1796376600}
PLIES: Final = 60
"""About so far in a match, where a seat has many moves, the mails are."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A mail as its templates make it, with the SVG of its picture."""

    kind: str
    reader: Recipient
    rendered: Rendered
    svg: str


def reader(seat: int) -> Recipient:
    """Who has a seat."""
    name = NAMES[seat]
    return Recipient(f"p-{name.lower()}", name, f"{name.lower()}@players.example")


def links(of: MatchMaterial | None, player: bool) -> MailLinks:
    """Links as long as real ones, to a player or to somebody who is none."""
    plain = links_to(of)
    if not player:
        never_again = f"{BASE_URL}/never-again?address=cleo@players.example&signature={SIGNATURE}"
        return replace(plain, never_again=never_again)
    if of is None:
        return plain
    path, stop = f"/matches/{of.match_id}", f"{BASE_URL}/unsubscribe?player=p7k2xqp4ab&signature={SIGNATURE}&what="
    return replace(
        plain,
        match=f"{BASE_URL}/sign-in?player=p7k2xqp4ab&to={path}&until=1797999999&signature={SIGNATURE}",
        stop_match=f"{stop}m.{of.match_id}",
        stop_kind=f"{stop}k.yourturn",
        stop_everything=f"{stop}all",
    )


@cache
def played(name: str, seats: int, seed: int, over: bool = False) -> tuple[tuple[Entry[Any], ...], Any]:
    """A log of random actions, up to the ply near ``PLIES`` at which a seat has the most moves, or
    to the end; with its last state.
    """
    game, chance = registry.game(name), Random(seed)
    state = game.setup(_setup(name, seats))
    log: list[Entry[Any]] = []
    best: tuple[int, tuple[Entry[Any], ...], Any] = (0, (), state)
    while (awaited := game.to_act(state)) and (over or len(log) < PLIES):
        if awaited == (CHANCE,):
            outcomes = game.outcomes(state)
            weights = [weight for _, weight in outcomes]
            entry = Entry(CHANCE, chance.choices([action for action, _ in outcomes], weights)[0])
        else:
            actions = legal_actions(game, state, awaited[0])
            if len(log) > PLIES // 3 and len(actions) > best[0]:
                best = (len(actions), tuple(log), state)
            entry = Entry(awaited[0], chance.choice(actions))
        log.append(entry)
        state = game.apply(state, entry.seat, entry.action)
    return (tuple(log), state) if over else best[1:]


def _setup(name: str, seats: int) -> Setup:
    game = registry.game(name)
    return Setup(seats, game.options(), registry.components(name))


def material(name: str, seats: int | None = None, seed: int = 5, over: bool = False, **changes: Any) -> MatchMaterial:
    """A match of that game, told from the last turn of whoever is awaited on."""
    game = registry.game(name)
    seats = seats or 2
    log, state = played(name, seats, seed, over)
    steps = tuple(walk(game, game.setup(_setup(name, seats)), 0, log, None))
    mine = game.to_act(state)[0] if game.to_act(state) else 0
    since = max((step.ply + 1 for step in steps if step.entry.seat == mine), default=0)
    while since < len(steps) and steps[since].entry.seat == CHANCE:
        since += 1
    outcome = game.outcome(state)
    values: dict[str, Any] = {
        "match_id": "m7k2xqp4ab",
        "game": game,
        "title": "Sunday evenings",
        "ply": len(log),
        "state": state,
        "steps": steps[since:] or steps[-4:],
        "components": "standard",
        "names": NAMES[:seats],
        "player_ids": tuple(reader(seat).player_id for seat in range(seats)),
        "creator": NAMES[0],
        "commitment": "c0ffee" * 10 + "c0de",
        "nonces": tuple(f"nonce-of-{name.lower()}" for name in NAMES[:seats]),
        "nonces_digest": "d16e57" * 10 + "d16e",
        "secret": "5ec2e7" * 10 + "5ec2" if over else None,
        "outcome": None if outcome is None else outcome_told(game, outcome),
        "time": () if over else TIME,
        "rule": RULE,
        "timed_out": (2,) * seats if over else (0,) * seats,
        "is_over": over,
        "awaited": () if over else game.to_act(state),
    }
    return MatchMaterial(**(values | changes))


def refused(game: AnyGame, state: Any, ply: int) -> JudgedTurn:
    """The verdict on a turn that does what cannot be done."""
    seat = game.to_act(state)[0]
    legal = [game.format(action) for action in legal_actions(game, state, seat)]
    action, found = next(
        (action, violation)
        for kind in game.actions[1:]
        for action in _examples(game, state, kind)
        if (violation := judge(game, state, seat, action)) is not None
    )
    shown = tuple(LegalAction({}, line) for line in legal)
    refusal = Refusal(found.code, found.rule, found.message, 0, (), shown, len(legal))
    return JudgedTurn(1, Verdict("rejected", 0, ply, ply, (), refusal), game.format(action))


def _examples(game: AnyGame, state: Any, kind: type[Any]) -> Iterator[Any]:
    """Actions that are not legal: those of earlier positions of other seeds."""
    for seed in range(6, 12):
        log, _ = played(game.info.name, 2, seed)
        yield from (entry.action for entry in log if type(entry.action) is kind)


def made(
    kind: NoticeKind, whom: Recipient, of: MatchMaterial | None, turn: JudgedTurn | None = None, **payload: Any
) -> Shown:
    """A mail with its links."""
    known = links(of, player=whom.player_id is not None and kind != "confirm_address")
    content: Page = page(Material(kind, payload_of(kind, payload), whom, of, turn), BASE_URL, known)
    return Shown(kind, whom, render(kind, content.context), content.svg)


def mails_of(name: str, seats: int | None = None, seed: int = 5) -> dict[str, Shown]:
    """One mail of every kind about a match of that game, and of every verdict."""
    running, over = material(name, seats, seed), material(name, seats, seed, over=True)
    seat = running.game.to_act(running.state)[0]
    mine, other = reader(seat), reader((seat + 1) % len(running.names))
    start = replace(running, ply=0, state=running.game.setup(_setup(name, len(running.names))), steps=())
    accepted = JudgedTurn(1, Verdict("accepted", 1, running.ply - 1, running.ply))
    stranger = Recipient(None, "", "cleo@players.example")
    judged = refused(running.game, running.state, running.ply)
    return {
        "invitation": made("invitation", stranger, replace(start, time=RULE, player_ids=(running.player_ids[0], None))),
        "match_started": made("match_started", mine, running),
        "your_turn": made("your_turn", mine, running),
        "verdict-accepted": made("verdict", other, running, accepted),
        "verdict-goes-on": made("verdict", mine, running, accepted),
        "verdict-rejected": made("verdict", mine, replace(running, steps=()), judged),
        "match_over": made("match_over", reader(0), over),
        "reminder": made("reminder", mine, running, **REMIND, ply=running.ply),
        "days_off_began": made("days_off_began", mine, replace(running, steps=()), **OFF, ply=running.ply),
        "offer_made": made("offer_made", mine, replace(running, steps=()), **OFFERED, ply=running.ply),
        "offer_made-abandon": made("offer_made", mine, replace(running, steps=()), **ABANDONING, ply=running.ply),
        "offer_settled": made("offer_settled", mine, replace(running, steps=()), **AGREED, ply=running.ply),
        "archive": made("archive", mine, replace(running, steps=()), ply=running.ply, step="archived", by=None),
        "seat_offered": made("seat_offered", stranger, running, seat=0, question=3, lapses_at=1796376600),
        "seat_handed": made("seat_handed", mine, running, seat=0, to="Cleo"),
        "seat_freed": made("seat_freed", mine, start, freed=1),
        "called_off": made("called_off", stranger, start, free=1),
        "time_up": made("time_up", other, running, **TIME_UP, ply=running.ply),
        "chat": _chat(mine, running),
        "digest": _digest(mine, running, over),
        "answer-stale": made("answer", mine, running, **STALE, ply=running.ply),
        "unproven_turn": made("unproven_turn", mine, running, order="k2v7mq3x", what="turn", lines=["dive"]),
    }


def _chat(whom: Recipient, of: MatchMaterial) -> Shown:
    """A mail of what was said."""
    content = page(Material("chat", AboutSeat(0), whom, of, added=Added(SAID)), BASE_URL, links(of, player=True))
    return Shown("chat", whom, render("chat", content.context), content.svg)


def _digest(whom: Recipient, *of: MatchMaterial) -> Shown:
    """A digest of these matches, and of the first three times more."""
    matches = [*of, *(replace(of[0], match_id=f"m{number}ab2xqp4ab", title=f"Game {number}") for number in range(3))]
    reply_tags = {each.match_id: f"r-{each.match_id}-0-60-k1cq7x2m4nwd5t3vb" for each in matches}
    service = ServiceAddress("overland", "play.example")
    said = Added(said_in={of[0].match_id: SAID})
    told = Material("digest", Gathered(()), whom, matches=matches, added=said)
    content = digest_page(told, service, reply_tags, BASE_URL, links(None, player=True))
    return Shown("digest", whom, render("digest", content.context), content.svg)


def all_mails() -> dict[str, Shown]:
    """One mail of every kind and game, by file name."""
    found: dict[str, Shown] = {
        kind: made(kind, reader(0), None, None, **TOKEN, **CHANGED, **SWITCHED_OFF) for kind in ALONE
    }
    found["answer-help"] = made("answer", reader(0), None, None, **HELP)
    found["answer-rules"] = made("answer", reader(0), None, None, **RULES)
    for name in registry.games():
        found |= {f"{name}-{kind}": mail for kind, mail in mails_of(name).items()}
    return found


def golden() -> dict[str, str]:
    """The files of ``golden/`` for the games: text and HTML of one mail of every kind."""
    files = {}
    for name, mail in all_mails().items():
        if mail.kind not in ALONE:
            files[f"{name}.txt"] = f"Subject: {mail.rendered.subject}\n\n{mail.rendered.text}"
            files[f"{name}.html"] = mail.rendered.html.rstrip("\n") + "\n"
    return files


def letter(mail: Shown, picture: bytes | None) -> Letter:
    """The mail with its headers."""
    return Letter(
        notice_id="n7k2xqp4abn7k2xqp4abn7k2xq",
        message_name="r-m7k2xqp4ab-0-60-k2cq7x2m4nwd5t3vb.b-n7k2xqp4abn7k2xqp4abn7k2xq-k2cq7x2m4nwd5t3vb",
        kind=mail.kind,
        sender="Overland <overland@play.example>",
        to_name=mail.reader.name,
        to_address=mail.reader.address,
        written_at=WRITTEN,
        subject=mail.rendered.subject,
        text=mail.rendered.text,
        html=mail.rendered.html,
        pictures=(Picture(PICTURE, picture),) if picture else (),
        thread=Thread("m7k2xqp4ab", "p-ada", "Sunday evenings") if mail.kind not in (*ALONE, "digest") else None,
    )


def write(folder: Path, mails: Mapping[str, Shown]) -> None:
    """Writes the files of each mail."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, mail in mails.items():
        picture = png(mail.svg, PICTURE_WIDTH) if mail.svg else None
        inline = f"data:image/png;base64,{base64.b64encode(picture).decode()}" if picture else ""
        (folder / f"{name}.txt").write_text(f"Subject: {mail.rendered.subject}\n\n{mail.rendered.text}")
        (folder / f"{name}.html").write_text(mail.rendered.html.replace(f"cid:{PICTURE}", inline))
        (folder / f"{name}.eml").write_bytes(to_wire(build(letter(mail, picture))))
        sizes = f"{len(mail.rendered.text):7} {len(mail.rendered.html):7} {len(picture or b''):7}"
        print(f"{name:28} text, HTML, picture: {sizes} bytes")


if __name__ == "__main__":
    write(Path(sys.argv[1]), all_mails())
