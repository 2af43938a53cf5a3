"""What a webhook is told, in its format: who is awaited in a match, for what and until when; never
what is on the board or in a hand, and nothing that was said.

`json` is signed after Standard Webhooks (https://www.standardwebhooks.com, version 1.0.0).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from engine.documents import to_document
from engine.types import ToldStatement
from service.kinds import NoticeKind
from service.store.webhooks import WebhookFormat
from service.texts import gettext as _

SECRET_PREFIX: Final = "whsec_"
TYPES: Final[Mapping[NoticeKind, str]] = {
    "match_over": "match.over",
    "match_started": "match.started",
    "reminder": "match.reminder",
    "your_turn": "match.turn",
    "webhook": "ping",
}
"""By the kind of notices; of several that are told together the first counts."""


@dataclass(frozen=True, slots=True)
class AwaitedSeat:
    """A seat that the match awaits; ``mention`` is how its player is called in the format."""

    seat: int
    player: str
    prompt: ToldStatement | None
    deadline: datetime | None
    mention: str | None = None


@dataclass(frozen=True, slots=True)
class CallContent:
    """What is told of a match, or without one that a webhook works. ``kinds`` are those of the
    notices that are told together.
    """

    kinds: tuple[NoticeKind, ...]
    at: datetime
    match: str = ""
    title: str = ""
    game: str = ""
    link: str = ""
    awaited: tuple[AwaitedSeat, ...] = ()

    @property
    def type(self) -> str:
        """The most important of what is told."""
        return next(name for kind, name in TYPES.items() if kind in self.kinds)


def body_of(told: CallContent, style: WebhookFormat) -> bytes:
    """The body of the request, as JSON in UTF-8."""
    documents = {"json": _json, "discord": _discord, "slack": _slack}
    return json.dumps(documents[style](told), ensure_ascii=False, separators=(",", ":")).encode()


def signature(secrets: Iterable[str], message_id: str, timestamp: int, body: bytes) -> str:
    """The value of the header `webhook-signature`, with a signature for each secret."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    keys = (base64.b64decode(secret.removeprefix(SECRET_PREFIX)) for secret in secrets)
    return " ".join(f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}" for key in keys)


def _json(told: CallContent) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if told.match:
        data = {
            "match": told.match,
            "title": told.title,
            "game": told.game,
            "link": told.link,
            "awaited": [
                {
                    "seat": each.seat,
                    "player": each.player,
                    "prompt": None if each.prompt is None else to_document(each.prompt),
                    "deadline": None if each.deadline is None else each.deadline.isoformat(),
                }
                for each in told.awaited
            ],
        }
    return {"type": told.type, "timestamp": told.at.isoformat(), "data": data}


def _discord(told: CallContent) -> dict[str, Any]:
    """A message of Discord, which mentions nobody but those who want to be, whatever names say."""
    lines = _lines(told, _plain_markdown, "<@{}>", "<t:{}:R>")
    mentioned = sorted({each.mention for each in told.awaited if each.mention is not None})
    suppress_embeds = 1 << 2
    return {
        "content": "\n".join(lines)[:2000],
        "allowed_mentions": {"parse": [], "users": mentioned},
        "flags": suppress_embeds,
    }


def _slack(told: CallContent) -> dict[str, Any]:
    lines = _lines(told, _plain_slack, "<@{}>", "<!date^{}^{{date_short_pretty}} {{time}}|UTC>")
    return {"text": "\n".join(lines), "unfurl_links": False, "unfurl_media": False}


def _lines(told: CallContent, plain: Any, mention: str, time: str) -> Sequence[str]:
    if not told.match:
        return [_("Overland: this webhook works.")]
    heads = {
        "match.over": _("is over"),
        "match.started": _("has begun"),
        "match.reminder": _("time is nearly up"),
        "match.turn": "",
    }
    head = f"{plain(told.title)} ({plain(told.game)})" + (f": {heads[told.type]}" if heads[told.type] else "")
    lines = [head]
    for each in told.awaited:
        who = plain(each.player) if each.mention is None else f"{mention.format(each.mention)} {plain(each.player)}"
        what = "" if each.prompt is None else f": {plain(each.prompt.sentence)}"
        until = "" if each.deadline is None else f" ({time.format(int(each.deadline.timestamp()))})"
        lines.append(f"{who}{what}{until}")
    return [*lines, told.link]


def _plain_markdown(text: str) -> str:
    """A text that Discord shows as it is."""
    return re.sub(r"([\\*_~`>|\[\]()#@<:-])", r"\\\1", " ".join(text.split()))


def _plain_slack(text: str) -> str:
    """A text that Slack shows as it is."""
    escaped = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([*_~`])", "\N{ZERO WIDTH SPACE}\\1", escaped)
