"""The tables of kinds: each kind has its row, its templates and its words."""

from __future__ import annotations

from typing import get_args

import pytest

from service.kinds import MAILINGS, NoticeKind, OptionalKind, read_kind, where
from service.notices.mail.render import TEMPLATES
from service.payloads import Payload
from service.players.stopping import Stoppable
from service.web.unsubscribe import named


def test_every_kind_of_notices_has_a_row_and_a_folder_of_templates() -> None:
    assert set(MAILINGS) == set(get_args(NoticeKind))
    folders = {path.name for path in TEMPLATES.iterdir() if path.is_dir()}
    assert {row.template or kind for kind, row in MAILINGS.items()} == folders
    for folder in folders:
        assert sorted(path.name for path in (TEMPLATES / folder).iterdir()) == ["html.html", "text.txt"]


def test_every_type_of_payload_is_that_of_a_kind() -> None:
    assert {row.payload for row in MAILINGS.values()} == set(get_args(Payload))


def test_the_kinds_that_a_player_may_do_without_are_a_type_and_have_words() -> None:
    assert where(stopped_by="without") == get_args(OptionalKind)
    assert {kind for kind, row in MAILINGS.items() if row.word} == set(get_args(OptionalKind))


@pytest.mark.parametrize("kind", MAILINGS)
def test_what_a_link_stops_alone_is_named_on_its_page(kind: NoticeKind) -> None:
    stopped_alone = MAILINGS[kind].stopped_by not in ("off", "nothing")
    assert bool(named(Stoppable("kind", "", kind, done=False))) == stopped_alone


def test_a_name_that_is_no_kind_is_not_read_as_one() -> None:
    assert read_kind("reminder") == "reminder"
    assert read_kind("remindr") is None
