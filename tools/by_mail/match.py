"""Plays a match by mail: whoever gets a mail with moves replies with one of them."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tools.by_mail.mailboxes import Mailboxes, Received
from tools.by_mail.player import MailPlayer, asked_in, reply_address

NAMES: Final = ("Ada", "Bela", "Cleo", "Dora", "Emil")
SILENCE: Final = 120.0
"""Seconds without a mail after which the match counts as stuck."""


class Stuck(RuntimeError):
    """The match does not go on; the message says what was waited for and what came last."""


@dataclass(frozen=True, slots=True)
class PlayedByMail:
    """A match that was played: ``written`` are the mails of all players, ``kinds`` counts those
    that they got, ``result`` is the text of the mail about the end, empty where it was left before.
    """

    seconds: float
    written: int
    replies: int
    kinds: Counter[str]
    sizes: dict[str, list[int]]
    repeated: dict[str, int]
    result: str


def play(
    boxes: Mailboxes,
    port: int,
    service: str,
    game: str,
    seats: int,
    seed: str,
    most_replies: int | None = None,
    told: Callable[[str], None] = lambda line: None,
    text_only: bool = False,
) -> PlayedByMail:
    """Signs players up by mail, and plays one match to its end, or until ``most_replies``; with
    ``text_only`` they ask for mails without pictures when the match begins.

    ``port`` takes their mails, for the service's address ``service``. Raises ``Stuck``.
    """
    luck = random.Random(seed)
    people = [MailPlayer(name, port, luck) for name in NAMES[:seats]]
    began = time.monotonic()
    people[0].write(service, f"join {people[0].name}")
    welcome = _next(boxes, "an answer to the mail that signs up")
    told(f"{people[0].name} has signed up by a mail to {service}")
    people[0].write(service, " ".join(["new", game, *(player.address for player in people[1:])]), welcome)
    replies, result = 0, ""
    over: set[str] = set()
    by_address = {player.address: player for player in people}
    while len(over) < len(people) and (most_replies is None or replies < most_replies):
        mail = _next(boxes, f"{replies} replies were sent, {len(over)} of {len(people)} players know the end")
        player = by_address[mail.address]
        if mail.kind == "match_over":
            over.add(mail.address)
            result = mail.text
            continue
        if mail.kind == "match_started" and text_only:
            player.write(service, "settings text only", subject="overland")
        if _replied(player, mail):
            replies += 1
            if replies % 20 == 0:
                told(f"{replies} replies after {time.monotonic() - began:.1f} s")
    return PlayedByMail(
        seconds=time.monotonic() - began,
        written=sum(player.written for player in people),
        replies=replies,
        kinds=Counter(mail.kind for mail in boxes.every),
        sizes=boxes.sizes(),
        repeated=boxes.repeated(),
        result=result,
    )


def _replied(player: MailPlayer, mail: Received) -> bool:
    """Whether the player replied to the mail with a move; invitations are accepted."""
    asked = asked_in(mail)
    if asked in player.answered:
        return False
    text = "yes" if mail.kind == "invitation" else player.move(mail)
    if text is None:
        return False
    player.answered.add(asked)
    player.write(reply_address(mail), text, mail)
    return mail.kind != "invitation"


def _next(boxes: Mailboxes, waiting: str) -> Received:
    mail = boxes.next(SILENCE)
    if mail is None:
        last: Sequence[Received] = boxes.every[-3:]
        shown = "\n\n".join(f"To {each.address}, {each.kind}:\n{each.text[:1500]}" for each in last)
        raise Stuck(f"No mail came for {SILENCE:g} s: {waiting}. The last ones:\n\n{shown}")
    return mail
