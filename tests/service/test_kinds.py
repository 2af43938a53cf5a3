"""The tables of kinds: each kind has its row, its templates and its words."""

from __future__ import annotations

from typing import get_args

import pytest

from service.kinds import AUDIENCES, MAILINGS, EventKind, NoticeKind, read_kind, where
from service.notices.mail.render import kinds
from service.payloads import PAYLOADS, Payload
from service.players import preferences
from service.players.stopping import Stoppable
from service.web.unsubscribe import named


def test_every_kind_of_notices_has_a_row_a_payload_and_templates() -> None:
    assert set(MAILINGS) == set(PAYLOADS) == set(get_args(NoticeKind)) == set(kinds())
    assert set(PAYLOADS.values()) == set(get_args(Payload))


def test_every_kind_of_events_has_its_audience() -> None:
    assert set(AUDIENCES) == set(get_args(EventKind))


def test_the_kinds_that_a_player_may_do_without_are_a_preference() -> None:
    assert set(where(stopped_by="without")) == set(preferences.KINDS)


@pytest.mark.parametrize("kind", MAILINGS)
def test_what_a_link_stops_alone_is_named_on_its_page(kind: NoticeKind) -> None:
    if MAILINGS[kind].stopped_by in ("off", "nothing"):
        with pytest.raises(KeyError):
            named(Stoppable("kind", "", kind, done=False))
    else:
        assert named(Stoppable("kind", "", kind, done=False))


def test_a_name_that_is_no_kind_is_not_read_as_one() -> None:
    assert read_kind("reminder") == "reminder"
    assert read_kind("remindr") is None
