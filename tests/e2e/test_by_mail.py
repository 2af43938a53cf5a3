"""A whole match by mail alone, through a real Postfix and back: no HTTP between the mail that signs
up and the one with the scores.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import missing
from tools.by_mail.command import ADDRESS, by_postfix, check
from tools.by_mail.match import play
from tools.postfix import why_missing

pytestmark = pytest.mark.deep

GAME = "ozeanien"


def test_a_match_is_played_by_mail_alone_from_signing_up_to_the_scores(tmp_path: Path) -> None:
    if reason := why_missing():
        missing.skip(reason)
    with by_postfix(tmp_path) as (service, boxes, port):
        played = play(boxes, port, ADDRESS, GAME, 2, "a whole match", text_only=True)
        check(service)
    assert "FINAL SCORES" in played.result
    assert played.kinds["match_over"] == 2
    assert played.kinds["invitation"] == 1
    assert played.kinds["answer"] <= played.written - played.replies
    assert played.kinds["verdict"] >= played.replies / 2
    assert played.repeated == {}
