"""Lines of settings: read, written, and refused with what would work."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.errors import Invalid
from service.kinds import optional_kinds
from service.players.preferences import CONFIRM, MAILS, OF_MATCH, Preferences, joined
from service.players.settings import EXAMPLES, Setting, applied, format_settings, meaning_of, read_setting

KINDS = optional_kinds()

WANTED = st.builds(
    Preferences,
    mails=st.sampled_from(MAILS),
    digest_hour=st.integers(0, 23),
    time_zone=st.sampled_from(["UTC", "Europe/Zurich", "America/Argentina/Buenos_Aires"]),
    without=st.sets(st.sampled_from(KINDS)).map(lambda kinds: tuple(kind for kind in KINDS if kind in kinds)),
    merged=st.booleans(),
    chat=st.booleans(),
    text_only=st.booleans(),
    confirm=st.sampled_from(CONFIRM),
)


@given(WANTED)
def test_what_is_written_is_read_as_the_same(wanted: Preferences) -> None:
    lines = format_settings(wanted)
    changes = applied([read_setting(line) for line in lines], ())
    assert joined(Preferences(), changes) == wanted
    assert all(meaning_of(line, wanted).endswith(".") for line in lines)


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("At once.", {"mails": "at_once"}),
        ("digest 19", {"mails": "digest", "digest_hour": 19}),
        ("  Digest at 7 pm ", {"mails": "digest", "digest_hour": 19}),
        ("digest 19:00", {"mails": "digest", "digest_hour": 19}),
        ("digest 12 am", {"mails": "digest", "digest_hour": 0}),
        ("digest", {"mails": "digest"}),
        ("OFF", {"mails": "off"}),
        ("time zone europe/zurich", {"time_zone": "Europe/Zurich"}),
        ("text\N{NO-BREAK SPACE}only", {"text_only": True}),
        ("mute", {"chat": False}),
        ("confirm", {"confirm": "always"}),
    ],
)
def test_a_line_is_read_whatever_its_case_and_spaces(line: str, changes: dict[str, object]) -> None:
    assert read_setting(line) == Setting(changes)
    if changes.keys() <= set(OF_MATCH):
        assert read_setting(f"here {line}") == Setting(changes, here=True)


def test_every_example_can_be_read() -> None:
    for line in EXAMPLES:
        read_setting(line)


def test_kinds_of_mails_are_stopped_and_resumed_one_by_one() -> None:
    settings = [read_setting("without verdicts and ends"), read_setting("with verdicts")]
    assert applied(settings, ("your_turn",)) == {"without": ["your_turn", "match_over"]}
    assert applied([read_setting("with all")], ("your_turn",)) == {"without": []}


def test_of_two_lines_about_the_same_the_later_holds() -> None:
    assert applied([read_setting("off"), read_setting("at once")], ()) == {"mails": "at_once"}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("digest 25", "hour from 0 to 23"),
        ("digest 19:30", "full hour"),
        ("digest 13 pm", "hour from 0 to 23"),
        ("digets", "Settings are"),
        ("text onyl", 'Did you mean "text only"'),
        ("without mail", "kinds of mails are turns, verdicts"),
        ("zone Zurich", "Did you mean Europe/Zurich"),
        ("here zone UTC", "same for all matches"),
        ("here digest 19", "same for all matches"),
        ("", "cannot be read"),
        ("x" * 500, "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_would_work(line: str, answer: str) -> None:
    with pytest.raises(Invalid, match=answer):
        read_setting(line)


def test_a_match_may_be_like_all_others_again() -> None:
    assert read_setting("here like all") == Setting(here=True, like_all=True)


def test_an_unknown_member_of_a_stored_document_is_passed_over() -> None:
    assert joined(Preferences(), {"mails": "off", "colour": "green", "without": ["verdict", "new"]}) == replace(
        Preferences(), mails="off", without=("verdict",)
    )
