"""The content of a mail of each kind: values for its templates, and the picture of the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from engine.draws import NEWEST
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
    "Every draw of this match is computed from a secret and from a random text of each seat, its nonce. The service"
    " published this commitment to the secret before {who} sent a nonce:"
)
NONCES: Final = (
    "These are the nonces. Check that the one of your seat is the one that you sent. For a player who sent none, the"
    " service made one{how}."
)
KEEP: Final = (
    "This is the digest of the match, the commitment and all nonces. Keep this mail: with it, this command finds out"
    " after the match whether anything was exchanged since, and checks every draw."
)
ASK: Final = (
    "Paste this line into a terminal. It plays one of your legal turns; replace the notation with your own. "
    "OVERLAND_TOKEN is the token you got when you confirmed your address."
)
ASK_FOR_ALL: Final = (
    "Paste this line into a terminal. It lists your legal moves, which you submit by their notation. "
    "OVERLAND_TOKEN is the token you got when you confirmed your address."
)
"""The same where no move can be suggested."""
SUGGESTING: Final = ("your_turn", "verdict")
"""The kinds of mails that suggest moves."""


@dataclass(frozen=True, slots=True)
class Page:
    """The values for the templates of a mail; ``svg`` is the board, or empty."""

    context: Mapping[str, Any]
    svg: str = ""


def told_since(kind: str, turn: JudgedTurn | None) -> int | None:
    """The ply from which a mail narrates: for a verdict, where the turn was judged; for the start,
    the deal; ``None`` for everything since the reader's last turn.
    """
    if turn is not None:
        return turn.verdict.ply_before
    return 0 if kind == "match_started" else None


def page(
    kind: str,
    reader: Recipient,
    material: MatchMaterial | None,
    payload: Mapping[str, Any],
    turn: JudgedTurn | None,
    base_url: str,
    pictured: bool = True,
    suggesting: bool = True,
) -> Page:
    """Computes the content of a mail, with a picture of the board unless ``pictured`` is false, and
    with suggestions unless ``suggesting`` is false or an action could not be judged.

    Raises ``CannotCompose`` where the notice lacks something.
    """
    context: dict[str, Any] = {"player": {"name": reader.name}, "base_url": base_url.rstrip("/")}
    if material is None:
        return Page(context | _one_time_token(payload, base_url))
    context |= {
        "match": _match(material, base_url),
        "game": _game(material),
        "rules_url": commands.rules_url(base_url, material.game.info.name),
    }
    if kind == "invitation":
        return Page(context | _invitation(reader, material, base_url))
    seat = _seat(reader, material)
    suggesting = suggesting and kind in SUGGESTING and not _is_failure(turn)
    scene = look(material.game, material.state, material.ply, material.steps, seat, material.names, suggesting)
    context |= {
        "told": scene.told or (turn.verdict.entries if turn else ()),  # For a stale turn: what happened since its ply.
        "prompt": scene.prompt,
        "awaited": _awaited(material, scene, seat),
        "board": {
            "text": scene.text.strip("\n"),
            "picture": PICTURE if pictured else "",
            "alt": described(scene.svg) or f"The board of {material.game.info.title}.",
        },
        "commitment": material.commitment,
    }
    return Page(
        context | _PAGES[kind](MatchMail(reader, material, scene, seat, turn, base_url)), scene.svg if pictured else ""
    )


def _one_time_token(payload: Mapping[str, Any], base_url: str) -> dict[str, Any]:
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


def _invitation(reader: Recipient, material: MatchMaterial, base_url: str) -> dict[str, Any]:
    return {
        "host": material.creator,
        "signed_up": reader.player_id is not None,
        "sign_up_command": commands.sign_up(base_url, reader.address),
        "join_command": commands.join(base_url, material.match_id),
        "commitment": material.commitment,
        "nonce_command": commands.join_with_nonce(base_url, material.match_id),
        "components_url": (
            f"{base_url.rstrip('/')}/v1/matches/{material.match_id}/components"
            if material.components == CUSTOM
            else None
        ),
    }


@dataclass(frozen=True, slots=True)
class MatchMail:
    """What a mail about a started match is made from: ``seat`` is the reader's, ``turn`` the one a
    verdict is about.
    """

    reader: Recipient
    material: MatchMaterial
    scene: Scene
    seat: int
    turn: JudgedTurn | None
    base_url: str

    @property
    def is_awaited(self) -> bool:
        """Whether the reader is to act."""
        return self.seat in self.scene.awaited


def _match_started(mail: MatchMail) -> dict[str, Any]:
    colours = mail.material.game.info.seat_colours
    seats = [
        {"name": name, "colour": colours[seat % len(colours)], "you": seat == mail.seat, "nonce": nonce}
        for seat, (name, nonce) in enumerate(zip(mail.material.names, mail.material.nonces, strict=True))
    ]
    return {"seats": seats, "you": seats[mail.seat], "fairness": _fairness(mail)}


def _fairness(mail: MatchMail) -> dict[str, Any]:
    """What a player has to keep to check the draws after the match."""
    material, newest = mail.material, mail.material.scheme == NEWEST
    if material.nonces_digest is None:
        raise CannotCompose(f"Match {material.match_id} has no digest of its nonces.")
    return {
        "commitment": FAIRNESS.format(who="anybody" if newest else "anybody but its creator"),
        "nonces": NONCES.format(how=" from the secret" if newest else ""),
        "keep": KEEP,
        "digest": material.nonces_digest,
        "command": commands.verify(
            mail.base_url,
            material.match_id,
            material.game.info.name,
            "--commitment",
            material.commitment,
            "--nonces",
            material.nonces_digest,
        ),
    }


def _your_turn(mail: MatchMail) -> dict[str, Any]:
    if not mail.is_awaited:
        raise CannotCompose(f"Seat {mail.seat} was not awaited at ply {mail.material.ply}.")
    return {"moves": _moves(mail, mail.scene.suggestions) | {"help": mail.material.game.info.notation.strip()}}


def _verdict(mail: MatchMail) -> dict[str, Any]:
    if mail.turn is None:
        raise CannotCompose("The notice names no turn.")
    verdict, suggestions = mail.turn.verdict, mail.scene.suggestions
    refusal = _refusal(mail, verdict.violation) if verdict.violation else None
    if suggestions is not None and refusal and refusal["legal"]:
        suggestions = replace(suggestions, some=())  # The refusal lists what is legal instead.
    return {
        "status": verdict.status,
        "headline": _headline(mail.reader.name, mail.turn),
        "refusal": refusal,
        "moves": _moves(mail, suggestions) if mail.is_awaited else None,
    }


def _match_over(mail: MatchMail) -> dict[str, Any]:
    material = mail.material
    if material.outcome is None or material.secret is None:
        raise CannotCompose(f"Match {material.match_id} is not over.")
    sheet = scores.sheet(material.outcome, material.names, mail.seat)
    return {
        "headline": scores.headline(material.outcome, material.names, material.title or material.game.info.title),
        "ended": material.outcome.ended,
        "sheet": sheet,
        "score_sheet": scores.as_text(sheet),
        "secret": material.secret,
        "verify_command": commands.verify(mail.base_url, material.match_id, material.game.info.name),
    }


_PAGES: Final[Mapping[str, Callable[[MatchMail], dict[str, Any]]]] = MappingProxyType(
    {"match_started": _match_started, "your_turn": _your_turn, "verdict": _verdict, "match_over": _match_over}
)


def _match(material: MatchMaterial, base_url: str) -> dict[str, Any]:
    title = (
        material.title
        or listed([name for name, holder in zip(material.names, material.player_ids, strict=True) if holder])
        or "a new match"
    )
    return {
        "game": material.game.info.title,
        "short": material.match_id[:8],
        "title": title,
        "name": f"{material.game.info.title} #{material.match_id[:8]}, {title}",
        "url": commands.match_url(base_url, material.match_id),
        "ply": material.ply,
        "seats": len(material.names),
    }


def _game(material: MatchMaterial) -> dict[str, Any]:
    info = material.game.info
    return {"title": info.title, "summary": info.summary, "credits": info.credits}


def _seat(reader: Recipient, material: MatchMaterial) -> int:
    """The reader's seat. Raises ``CannotCompose`` where there is none."""
    seat = material.seat_of(reader.player_id)
    if seat is None:
        raise CannotCompose(f"Player {reader.player_id} has no seat in match {material.match_id}.")
    return seat


def _awaited(material: MatchMaterial, scene: Scene, seat: int) -> str:
    if not scene.awaited:
        return "The match is over." if material.outcome else ""
    if scene.awaited == (seat,):
        return f"It is your turn: {scene.prompt}."
    asked = [
        f"{material.names[other]}, who is asked: {prompt}"
        for other, prompt in zip(scene.awaited, scene.asked, strict=True)
    ]
    return f"The match waits for {'; and for '.join(asked)}."


def _moves(mail: MatchMail, suggestions: Suggestions | None) -> dict[str, Any]:
    match_id, ply = mail.material.match_id, mail.material.ply
    every = commands.legal_actions(mail.base_url, match_id)
    if suggestions is None:
        return {"ask": ASK_FOR_ALL, "command": every, "some": (), "help": ""}
    return {
        "ask": ASK,
        "command": commands.submit(mail.base_url, match_id, ply, suggestions.example),
        "some": suggestions.some,
        "total": suggestions.total,
        "all_command": every,
        "help": "",
    }


def _is_failure(turn: JudgedTurn | None) -> bool:
    """Whether the turn could not be judged: its actions, which may be legal, are not to be
    played.
    """
    violation = None if turn is None else turn.verdict.violation
    return violation is not None and violation.code == "judge_failed"


def _headline(name: str, turn: JudgedTurn) -> str:
    accepted = turn.verdict.accepted
    match turn.verdict.status:
        case "accepted":
            return f"Your turn was accepted, {name}."
        case "partly_accepted":
            first = "first" if accepted == 1 else f"first {accepted}"
            return f"Your turn was partly accepted, {name}: only the {first} of its {turn.actions} actions."
        case "rejected":
            return f"Your turn was refused, {name}. Nothing was changed."


def _refusal(mail: MatchMail, violation: Refusal) -> dict[str, Any]:
    legal = [item.notation for item in violation.legal]
    shown = (
        legal
        if len(legal) <= REFUSAL_MOVES
        else [legal[part * len(legal) // REFUSAL_MOVES] for part in range(REFUSAL_MOVES)]
    )
    return {
        "sentence": _with_rule(violation.message, violation.rule),
        "others": [_with_rule(other.message, other.rule) for other in violation.others],
        "rules_url": commands.rules_url(mail.base_url, mail.material.game.info.name) if violation.rule else "",
        "legal": shown,
        "legal_total": violation.legal_total or len(legal),
    }


def _with_rule(sentence: str, rule: str) -> str:
    return f"{sentence} (rule {rule})" if rule else sentence


def _day(expires_at: str | None) -> str:
    """An ISO time in UTC, formatted for readers."""
    return f"{expires_at[:10]} {expires_at[11:16]} UTC" if expires_at else ""
