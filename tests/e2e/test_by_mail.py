"""A whole match by mail alone, through a real Postfix and back: no HTTP between the mail that signs
up and the one with the scores. The mails to the service are handed to it, or lie in a mailbox of a
real Dovecot, with plus-addresses and without.
"""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from engine import registry
from tests import missing
from tools import dovecot, postfix
from tools.by_mail.command import ADDRESS, WAYS, ComingIn, by_way, check
from tools.by_mail.match import play

pytestmark = pytest.mark.deep

MATCHES = list(zip(cycle(WAYS), registry.games(), strict=False))
"""The ways in turn: no way reads the mails of one game otherwise than those of another."""


@pytest.mark.parametrize(("way", "game"), MATCHES)
def test_a_match_is_played_by_mail_alone_from_signing_up_to_the_scores(
    tmp_path: Path, way: ComingIn, game: str
) -> None:
    if reason := postfix.why_missing() or (dovecot.why_missing() if way != "lmtp" else ""):
        missing.skip(reason)
    with by_way(way, tmp_path) as (service, boxes, port):
        played = play(boxes, port, ADDRESS, game, 2, "a whole match", text_only=True)
        check(service)
    assert "FINAL SCORES" in played.result
    assert played.kinds["match_over"] == 2
    assert played.kinds["invitation"] == 1
    assert played.kinds["answer"] <= played.written - played.replies
    assert played.kinds["verdict"] >= played.replies / 2
    assert played.repeated == {}
