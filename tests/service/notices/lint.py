"""What SpamAssassin says of our mails, by the rules that need no network.

``python -m tests.service.notices.lint`` (``make lint-mail``) prints the score of one mail of every
kind and game, and fails where one reaches ``LIMIT``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Final

from service.notices.mail.compose import PICTURE_WIDTH
from service.notices.mail.message import build
from service.notices.mail.transport import to_wire
from service.pictures.picture import png
from tests.service.notices.shown import Shown, all_mails, letter

LIMIT: Final = 0.3
"""Points; a mail is taken for spam from 5 on."""
RELAYED: Final = (
    b"Received: from mail.play.example (mail.play.example [93.184.216.34])\n"
    b"\tby mx.players.example (Postfix) with ESMTPS id 4Fx0Qm5bPzz9sT1\n"
    b"\tfor <reader@players.example>; Sat, 21 Nov 2026 10:30:02 +0000 (UTC)\n"
)
"""What the recipient's server writes above a mail."""


@dataclass(frozen=True, slots=True)
class Score:
    """The points of a mail, and the rules that gave them."""

    points: float
    rules: str


def is_installed() -> bool:
    """Whether there is a SpamAssassin."""
    return shutil.which("spamassassin") is not None


def scores(mails: Mapping[str, bytes]) -> dict[str, Score]:
    """The score of each mail, all found by one run of SpamAssassin with its own rules alone."""
    box = b"".join(
        b"From overland Sat Nov 21 10:30:00 2026\n" + RELAYED + re.sub(rb"(?m)^From ", b">From ", mail) + b"\n"
        for mail in (content.replace(b"\r\n", b"\n") for content in mails.values())
    )
    with TemporaryDirectory() as home:
        done = subprocess.run(
            ["spamassassin", "--local", "--nocreate-prefs", "--mbox", "--cf=use_bayes 0"],
            input=box,
            capture_output=True,
            env={**os.environ, "HOME": home, "LC_ALL": "C"},
            check=True,
        )
    heads = re.sub(rb"\n[ \t]+", b" ", done.stdout)
    found = re.findall(rb"^X-Spam-Status: \w+, score=(-?[\d.]+) .*?tests=([\w,= .-]*?) autolearn", heads, re.M)
    assert len(found) == len(mails), done.stderr.decode()
    return {
        name: Score(float(points), rules.decode().replace(" ", ""))
        for name, (points, rules) in zip(mails, found, strict=True)
    }


def written(shown: Mapping[str, Shown]) -> dict[str, bytes]:
    """The mails as they are sent, with pictures."""
    return {
        name: to_wire(build(letter(mail, png(mail.svg, PICTURE_WIDTH) if mail.svg else None)))
        for name, mail in shown.items()
    }


if __name__ == "__main__":
    if not is_installed():
        sys.exit("There is no spamassassin here. On Debian and Ubuntu: apt install spamassassin. Then try again.")
    every = scores(written(all_mails()))
    for each, score in every.items():
        print(f"{score.points:5.1f}  {each:28} {score.rules}")
    if bad := [each for each, score in every.items() if score.points >= LIMIT]:
        sys.exit(f"These reach {LIMIT} points: {', '.join(bad)}.")
