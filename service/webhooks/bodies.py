"""What a webhook is told, in its format: who is awaited in a match, for what and until when; never
what is on the board or in a hand, and nothing that was said. `json` is signed after Standard
Webhooks (https://www.standardwebhooks.com, version 1.0.0).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

from engine.documents import About
from engine.types import ToldStatement
from service.clocks.spans import written
from service.ids import ID_PATTERN
from service.kinds import NoticeKind
from service.matches.types import OfGame
from service.store.webhooks import WebhookFormat
from service.texts import gettext as _

MatchCallType: TypeAlias = Literal["match.over", "match.started", "match.reminder", "match.turn"]

SECRET_PREFIX: Final = "whsec_"
TYPES: Final[Mapping[NoticeKind, MatchCallType]] = {
    "match_over": "match.over",
    "match_started": "match.started",
    "reminder": "match.reminder",
    "your_turn": "match.turn",
}
"""By the kind of notices; of several that are told together the first counts."""


@dataclass(frozen=True, slots=True)
class AwaitedSeat:
    """A seat that the match awaits."""

    seat: Annotated[int, About("Its number, from 0.", minimum=0)]
    player: Annotated[str, About("The name of its player.")]
    prompt: Annotated[ToldStatement | None, About("What it is asked; `null` if the match cannot be read just now.")]
    deadline: Annotated[datetime | None, About("When its time is up; `null` where no clock runs.")]


@dataclass(frozen=True, slots=True)
class MatchTold:
    """What every spectator may know of a match at the time of the call."""

    match: Annotated[str, About("The id of the match.", pattern=ID_PATTERN)]
    title: Annotated[str, About("Its title.")]
    game: Annotated[str, OfGame("game"), About("The name of its game.")]
    link: Annotated[str, About("Its page.")]
    awaited: Annotated[tuple[AwaitedSeat, ...], About("The seats that it waits for.")]


@dataclass(frozen=True, slots=True)
class NothingTold:
    """Nothing."""


@dataclass(frozen=True, slots=True)
class MatchCall:
    """What is told of a match: that it waits for somebody, whose time is nearly up, or that it has
    started or ended.
    """

    type: Annotated[MatchCallType, About("The most important of what is told.")]
    timestamp: Annotated[datetime, About("The time of what is told.")]
    data: Annotated[MatchTold, About("The match.")]


@dataclass(frozen=True, slots=True)
class PingCall:
    """A call to try a webhook."""

    type: Annotated[Literal["ping"], About("What it is: `ping`.")]
    timestamp: Annotated[datetime, About("The time of the call.")]
    data: Annotated[NothingTold, About("Nothing.")]


@dataclass(frozen=True, slots=True)
class CallContent:
    """What is told of a match, or without one that a webhook works. ``kinds`` are those of the
    notices that are told together, ``mentions`` how players are called in the format, by seat.
    """

    kinds: tuple[NoticeKind, ...]
    at: datetime
    match: MatchTold | None = None
    mentions: Mapping[int, str] = field(default_factory=dict)

    @property
    def type(self) -> MatchCallType:
        """The most important of what is told."""
        return next(name for kind, name in TYPES.items() if kind in self.kinds)


def body_of(told: CallContent, style: WebhookFormat) -> bytes:
    """The body of the request, as JSON in UTF-8."""
    documents = {"json": _json, "discord": _discord, "slack": _slack}
    body = json.dumps(documents[style](told), ensure_ascii=False, separators=(",", ":"), default=_plain)
    return body.encode("utf-8", "replace")  # a value of a game may be half of a surrogate pair


def signature(secrets: Iterable[str], message_id: str, timestamp: int, body: bytes) -> str:
    """The value of the header `webhook-signature`, with a signature for each secret."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    keys = (base64.b64decode(secret.removeprefix(SECRET_PREFIX)) for secret in secrets)
    return " ".join(f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}" for key in keys)


def _json(told: CallContent) -> MatchCall | PingCall:
    if told.match is None:
        return PingCall("ping", told.at, NothingTold())
    return MatchCall(told.type, told.at, told.match)


def _plain(value: Any) -> Any:
    """What `json` has no form for, as JSON data."""
    if isinstance(value, datetime):
        return written(value)
    return {each.name: getattr(value, each.name) for each in fields(value)}


def _discord(told: CallContent) -> dict[str, Any]:
    """A message of Discord, which mentions nobody but those who want to be, whatever names say."""
    lines = _lines(told, _plain_markdown, "<@{}>", "<t:{}:R>")
    suppress_embeds = 1 << 2
    return {
        "content": "\n".join(lines)[:2000],
        "allowed_mentions": {"parse": [], "users": sorted(set(told.mentions.values()))},
        "flags": suppress_embeds,
    }


def _slack(told: CallContent) -> dict[str, Any]:
    lines = _lines(told, _plain_slack, "<@{}>", "<!date^{}^{{date_short_pretty}} {{time}}|UTC>")
    return {"text": "\n".join(lines), "unfurl_links": False, "unfurl_media": False}


def _lines(told: CallContent, plain: Any, mention: str, time: str) -> Sequence[str]:
    match = told.match
    if match is None:
        return [_("Overland: this webhook works.")]
    news = {"match.over": _("is over"), "match.started": _("has begun"), "match.reminder": _("time is nearly up")}
    head = f"{plain(match.title)} ({plain(match.game)})"
    lines = [f"{head}: {news[told.type]}" if told.type in news else head]
    for each in match.awaited:
        called = told.mentions.get(each.seat)
        who = plain(each.player) if called is None else f"{mention.format(called)} {plain(each.player)}"
        what = "" if each.prompt is None else f": {plain(each.prompt.sentence)}"
        until = "" if each.deadline is None else f" ({time.format(int(each.deadline.timestamp()))})"
        lines.append(f"{who}{what}{until}")
    return [*lines, match.link]


def _plain_markdown(text: str) -> str:
    """A text that Discord shows as it is."""
    return re.sub(r"([\\*_~`>|\[\]()#@<:-])", r"\\\1", " ".join(text.split()))


def _plain_slack(text: str) -> str:
    """A text that Slack shows as it is."""
    escaped = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([*_~`])", "\N{ZERO WIDTH SPACE}\\1", escaped)
