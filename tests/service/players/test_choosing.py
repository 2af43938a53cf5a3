"""What a player wants to be mailed, changed for all matches and for one."""

from __future__ import annotations

from typing import Any

import pytest

from service.context import Context
from service.errors import Forbidden, Invalid, NotFound
from service.players import choosing
from service.players.preferences import Preferences
from tests.service.fakes import at_once, person, started
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")


def test_without_a_choice_everything_is_mailed_at_once(context: Context) -> None:
    assert choosing.wanted(context, person(context, "Ada")) == Preferences()


def test_a_choice_is_kept_and_wakes_the_worker_of_notices(context: Context) -> None:
    ada = person(context, "Ada")
    assert isinstance(context.queue, MemoryQueue)
    before = context.queue.notices
    choosing.choose(context, ada, {"mails": "digest", "digest_hour": 7, "time_zone": "europe/zurich"})
    choosing.choose(context, ada, {"digest_hour": None, "text_only": True})
    assert choosing.wanted(context, ada) == Preferences(mails="digest", time_zone="Europe/Zurich", text_only=True)
    assert context.queue.notices > before


def test_a_match_goes_first_and_the_rest_follows_all_matches(context: Context) -> None:
    table = started(context, "pearls")
    ada, match = table.players[0], table.match.id
    choosing.choose(context, ada, {"mails": "digest", "chat": False})
    found = choosing.choose_for(context, ada, match, {"mails": "off", "without": ["verdict"]})
    assert found.preferences == Preferences(mails="off", without=("verdict",), chat=False)
    assert found.chosen == ("mails", "without")
    choosing.choose_for(context, ada, match, {"mails": None})
    assert choosing.wanted_of(context, ada, match).preferences.mails == "digest"
    choosing.choose_for(context, ada, match, {"mails": None, "without": None})
    assert choosing.wanted_of(context, ada, match).chosen == ()
    assert choosing.wanted_of(context, table.players[1], match).preferences == Preferences()


@pytest.mark.parametrize(
    ("changes", "pointers"),
    [
        ({"mails": "daily"}, ["/mails"]),
        ({"digest_hour": 24, "time_zone": "Mars/Base"}, ["/digest_hour", "/time_zone"]),
        ({"digest_hour": True}, ["/digest_hour"]),
        ({"without": ["verdict", "sign_in"]}, ["/without/1"]),
        ({"chat": "no"}, ["/chat"]),
        ({"colour": "green"}, ["/colour"]),
    ],
)
def test_a_bad_choice_is_refused_whole(context: Context, changes: dict[str, Any], pointers: list[str]) -> None:
    ada = person(context, "Ada")
    with pytest.raises(Invalid) as raised:
        choosing.choose(context, ada, {"merged": False, **changes})
    assert [pointer for pointer, _ in raised.value.problems] == pointers
    assert choosing.wanted(context, ada) == Preferences()


def test_the_hour_and_zone_of_the_digest_are_not_of_one_match(context: Context) -> None:
    table = started(context, "pearls")
    with pytest.raises(Invalid, match="known: mails"):
        choosing.choose_for(context, table.players[0], table.match.id, {"digest_hour": 7})


def test_only_who_has_a_seat_chooses_for_a_match(context: Context) -> None:
    table, eve = started(context, "pearls"), person(context, "Eve")
    with pytest.raises(Forbidden, match="no seat"):
        choosing.choose_for(context, eve, table.match.id, {"mails": "off"})
    with pytest.raises(Forbidden, match="no seat"):
        choosing.wanted_of(context, eve, table.match.id)
    with pytest.raises(NotFound, match="no match"):
        choosing.wanted_of(context, eve, "nowhere")


def test_lines_change_all_matches_and_this_one(context: Context) -> None:
    table = started(context, "pearls")
    ada, match = table.players[0], table.match.id
    lines = ["digest 7", "without verdicts", "here at once", "here with all"]
    general, here = choosing.choose_settings(context, ada, lines, match)
    assert general == Preferences(mails="digest", digest_hour=7, without=("verdict",))
    assert here is not None
    assert (here.preferences.mails, here.preferences.without) == ("at_once", ())
    _, here = choosing.choose_settings(context, ada, ["here text only"], match)
    assert here is not None
    assert here.chosen == ("mails", "without", "text_only"), "what was chosen before holds on"
    _, here = choosing.choose_settings(context, ada, ["here merged", "here like all", "here mute"], match)
    assert here is not None
    assert here.chosen == ("chat",), "what is written before that line is gone with the rest"


def test_one_bad_line_changes_nothing(context: Context) -> None:
    ada = person(context, "Ada")
    with pytest.raises(Invalid, match="cannot be read"):
        choosing.choose_settings(context, ada, ["off", "please"], None)
    with pytest.raises(Invalid, match="about none"):
        choosing.choose_settings(context, ada, ["off", "here off"], None)
    assert choosing.wanted(context, ada) == Preferences()


def test_choices_made_at_once_are_all_kept(context: Context) -> None:
    ada = person(context, "Ada")
    changes: list[dict[str, Any]] = [{"chat": False}, {"text_only": True}, {"merged": False}, {"confirm": "draws"}]
    at_once(*(lambda change=change: choosing.choose(context, ada, change) for change in changes))
    assert choosing.wanted(context, ada) == Preferences(chat=False, text_only=True, merged=False, confirm="draws")
