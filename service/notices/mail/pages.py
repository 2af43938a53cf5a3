"""What stands in a mail of each kind: the values its templates put into words, and the picture of
the board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from engine.wording import listed
from service.matches.types import CUSTOM
from service.notices.mail import commands, scores
from service.notices.mail.errors import CannotCompose
from service.notices.material import JudgedTurn, MatchMaterial, Recipient
from service.notices.scene import Scene, described, look
from service.notices.suggestions import Suggestions
from service.turns.types import Refusal

PICTURE: Final = "board"
REFUSAL_MOVES: Final = 8
FAIRNESS: Final = (
    "Every draw of this match follows from a secret that was drawn before anyone sat down, and from a word that each"
    " seat added. The line below binds the service to that secret. When the match is over the secret is published, and"
    " anyone can check every draw."
)
ASK: Final = (
    "Paste this line into a terminal. It plays one of your legal turns; put your own in the place of the notation. "
    "OVERLAND_TOKEN is the token you got when you confirmed your address."
)


@dataclass(frozen=True, slots=True)
class Page:
    """``svg`` is the board, empty where there is none to show."""

    context: Mapping[str, Any]
    svg: str = ""


def told_since(kind: str, turn: JudgedTurn | None) -> int | None:
    """The ply from which on a mail tells what happened: of a verdict, where the turn was judged; of
    the start, from the deal on; ``None`` for what has happened since the reader's last turn.
    """
    if turn is not None:
        return turn.verdict.ply_before
    return 0 if kind == "match_started" else None


def page(
    kind: str,
    reader: Recipient,
    table: MatchMaterial | None,
    payload: Mapping[str, Any],
    turn: JudgedTurn | None,
    base_url: str,
) -> Page:
    """The page of a mail. Raises ``CannotCompose`` where the notice lacks what its kind needs."""
    context: dict[str, Any] = {"player": {"name": reader.name}, "base_url": base_url.rstrip("/")}
    if table is None:
        return Page(context | _entrance(payload, base_url))
    context |= {
        "match": _match(table, base_url),
        "game": _game(table),
        "rules_url": commands.rules_url(base_url, table.game.info.name),
    }
    if kind == "invitation":
        return Page(context | _invitation(reader, table, base_url))
    seat = _seat(reader, table)
    scene = look(table.game, table.state, table.ply, table.steps, seat, table.names)
    context |= {
        "told": scene.told or (turn.verdict.entries if turn else ()),  # A stale turn is told what it had not seen.
        "prompt": scene.prompt,
        "awaited": _awaited(table, scene, seat),
        "board": {
            "text": scene.text.strip("\n"),
            "picture": PICTURE,
            "alt": described(scene.svg) or f"The board of {table.game.info.title}.",
        },
        "commitment": table.commitment,
    }
    return Page(context | _PAGES[kind](MatchMail(reader, table, scene, seat, turn, base_url)), scene.svg)


def _entrance(payload: Mapping[str, Any], base_url: str) -> dict[str, Any]:
    """confirm_address and sign_in: one-time tokens."""
    if not payload.get("token"):
        raise CannotCompose("The notice carries no one-time token.")
    token = payload["token"]
    return {
        "token": token,
        "expires": _day(payload.get("expires_at")),
        "confirm_page": commands.confirm_page(base_url, token),
        "confirm_command": commands.confirm(base_url, token),
    }


def _invitation(reader: Recipient, table: MatchMaterial, base_url: str) -> dict[str, Any]:
    return {
        "host": table.creator,
        "signed_up": reader.player_id is not None,
        "sign_up_command": commands.sign_up(base_url, reader.address),
        "join_command": commands.join(base_url, table.match_id),
        "components_url": (
            f"{base_url.rstrip('/')}/v1/matches/{table.match_id}/components" if table.components == CUSTOM else None
        ),
    }


@dataclass(frozen=True, slots=True)
class MatchMail:
    """A reader in front of a match that has begun: ``seat`` is the reader's, ``turn`` the one a
    verdict is about.
    """

    reader: Recipient
    table: MatchMaterial
    scene: Scene
    seat: int
    turn: JudgedTurn | None
    base_url: str


def _match_started(sight: MatchMail) -> dict[str, Any]:
    colours = sight.table.game.info.seat_colours
    seats = [
        {"name": name, "colour": colours[seat % len(colours)], "you": seat == sight.seat}
        for seat, name in enumerate(sight.table.names)
    ]
    return {"seats": seats, "you": seats[sight.seat], "fairness": FAIRNESS}


def _your_turn(sight: MatchMail) -> dict[str, Any]:
    if sight.scene.suggestions is None:
        raise CannotCompose(f"Seat {sight.seat} was not awaited at ply {sight.table.ply}.")
    return {"moves": _moves(sight, sight.scene.suggestions) | {"help": sight.table.game.info.notation.strip()}}


def _verdict(sight: MatchMail) -> dict[str, Any]:
    if sight.turn is None:
        raise CannotCompose("The notice names no turn.")
    verdict, suggestions = sight.turn.verdict, sight.scene.suggestions
    refusal = _refusal(sight, verdict.violation) if verdict.violation else None
    if suggestions is not None and refusal and refusal["legal"]:
        suggestions = replace(suggestions, some=())  # The refusal lists what is legal instead.
    return {
        "status": verdict.status,
        "headline": _headline(sight.reader.name, sight.turn),
        "refusal": refusal,
        "moves": _moves(sight, suggestions) if suggestions else None,
    }


def _match_over(sight: MatchMail) -> dict[str, Any]:
    table = sight.table
    if table.outcome is None or table.secret is None:
        raise CannotCompose(f"Match {table.match_id} is not over.")
    sheet = scores.sheet(table.outcome, table.names, sight.seat)
    return {
        "headline": scores.headline(table.outcome, table.names, table.title or table.game.info.title),
        "ended": table.outcome.ended,
        "sheet": sheet,
        "score_sheet": scores.as_text(sheet),
        "secret": table.secret,
        "verify_command": commands.verify(sight.base_url, table.match_id, table.game.info.name),
    }


_PAGES: Final[Mapping[str, Callable[[MatchMail], dict[str, Any]]]] = MappingProxyType(
    {"match_started": _match_started, "your_turn": _your_turn, "verdict": _verdict, "match_over": _match_over}
)


def _match(table: MatchMaterial, base_url: str) -> dict[str, Any]:
    title = (
        table.title
        or listed([name for name, holder in zip(table.names, table.player_ids, strict=True) if holder])
        or "a new match"
    )
    return {
        "game": table.game.info.title,
        "short": table.match_id[:8],
        "title": title,
        "name": f"{table.game.info.title} #{table.match_id[:8]}, {title}",
        "url": commands.match_url(base_url, table.match_id),
        "ply": table.ply,
        "seats": len(table.names),
    }


def _game(table: MatchMaterial) -> dict[str, Any]:
    info = table.game.info
    return {"title": info.title, "summary": info.summary, "credits": info.credits}


def _seat(reader: Recipient, table: MatchMaterial) -> int:
    """The seat through whose eyes the mail looks."""
    seat = table.seat_of(reader.player_id)
    if seat is None:
        raise CannotCompose(f"Player {reader.player_id} has no seat in match {table.match_id}.")
    return seat


def _awaited(table: MatchMaterial, scene: Scene, seat: int) -> str:
    if not scene.awaited:
        return "The match is over." if table.outcome else ""
    if scene.awaited == (seat,):
        return f"It is your turn: {scene.prompt}."
    asked = [
        f"{table.names[other]}, who is asked: {prompt}"
        for other, prompt in zip(scene.awaited, scene.asked, strict=True)
    ]
    return f"The match waits for {'; and for '.join(asked)}."


def _moves(sight: MatchMail, suggestions: Suggestions) -> dict[str, Any]:
    return {
        "ask": ASK,
        "command": commands.submit(sight.base_url, sight.table.match_id, sight.table.ply, suggestions.example),
        "some": suggestions.some,
        "total": suggestions.total,
        "all_command": commands.legal_actions(sight.base_url, sight.table.match_id),
        "help": "",
    }


def _headline(name: str, turn: JudgedTurn) -> str:
    accepted = turn.verdict.accepted
    match turn.verdict.status:
        case "accepted":
            return f"Your turn was accepted, {name}."
        case "partly_accepted":
            stands = "first action stands" if accepted == 1 else f"first {accepted} actions stand"
            return f"Your turn was partly accepted, {name}: the {stands}, of {turn.actions}."
        case "rejected":
            return f"Your turn was refused, {name}. Nothing was changed."


def _refusal(sight: MatchMail, violation: Refusal) -> dict[str, Any]:
    legal = [item.notation for item in violation.legal]
    shown = (
        legal
        if len(legal) <= REFUSAL_MOVES
        else [legal[part * len(legal) // REFUSAL_MOVES] for part in range(REFUSAL_MOVES)]
    )
    return {
        "sentence": _with_rule(violation.message, violation.rule),
        "others": [_with_rule(other.message, other.rule) for other in violation.others],
        "rules_url": commands.rules_url(sight.base_url, sight.table.game.info.name) if violation.rule else "",
        "legal": shown,
        "legal_total": violation.legal_total or len(legal),
    }


def _with_rule(sentence: str, rule: str) -> str:
    return f"{sentence} (rule {rule})" if rule else sentence


def _day(expires_at: str | None) -> str:
    """An ISO time as people read it, in UTC."""
    return f"{expires_at[:10]} {expires_at[11:16]} UTC" if expires_at else ""
