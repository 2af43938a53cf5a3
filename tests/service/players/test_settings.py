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
        ("digest 0", {"mails": "digest", "digest_hour": 0}),
        ("digest 23", {"mails": "digest", "digest_hour": 23}),
        ("digest 12 am", {"mails": "digest", "digest_hour": 0}),
        ("digest 1 am", {"mails": "digest", "digest_hour": 1}),
        ("digest 12 pm", {"mails": "digest", "digest_hour": 12}),
        ("digest 11 pm", {"mails": "digest", "digest_hour": 23}),
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
        ("digest 24", r"as a setting\. A digest is sent at an hour from 0 to 23\. (Settings are|Did you mean)"),
        ("digest 0 am", "hour from 0 to 23"),
        ("digest 19:30", r"as a setting\. A digest is sent at a full hour\. (Settings are|Did you mean)"),
        ("digest 13 pm", "hour from 0 to 23"),
        ("digets", "Settings are"),
        ("text onyl", 'Did you mean "text only"'),
        ("without mail", "kinds of mails are turns, verdicts"),
        ("zone Zurich", "Did you mean Europe/Zurich"),
        ("here zone UTC", "same for all matches"),
        ("here digest 19", r"as a setting\. Hours, time zone and days off are the same for all matches\. "),
        ("", "cannot be read"),
        ("x" * 500, "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_would_work(line: str, answer: str) -> None:
    with pytest.raises(Invalid, match=answer):
        read_setting(line)


@pytest.mark.parametrize("length", [59, 60, 61, 500])
def test_a_line_that_cannot_be_read_is_quoted_with_at_most_60_characters(length: int) -> None:
    line = "".join(chr(97 + place % 26) for place in range(length))
    shown = line if length <= 60 else f"{line[:59]}…"
    with pytest.raises(Invalid, match=f'^"{shown}" cannot be read as a setting'):
        read_setting(line)


EVERY_LINE = {
    "at once": "You get a mail for what happens, at once.",
    "digest": "You get one mail a day, with everything that happened.",
    "off": "You get no mails but answers to yours.",
    "hour 7": "The digest is sent at this hour.",
    "zone UTC": "The hour of the digest is that of this time zone.",
    "without turns": "You get no mails of these kinds.",
    "with all": "You get mails of all kinds.",
    "merged": "What happens in quick succession is told by one mail.",
    "single": "Everything that happens is told by a mail of its own.",
    "chat on": "You are mailed what others say.",
    "chat off": "You are not mailed what others say.",
    "text only": "Your mails are plain text.",
    "pictures": "Your mails have pictures.",
    "quiet off": "Your clocks run at night, too.",
    "quiet 22:00-07:00": (
        "Your clocks stand still in these hours (Europe/Zurich) from your next turn on, in matches of a day or more for"
        " a turn."
    ),
    "reminders both": "You are reminded at half of your time, and before it and your reserve are up.",
    "reminders last": "You are reminded before your time and your reserve are up, each once.",
    "reminders none": "You are not reminded of matches that wait for you.",
    "days off by themselves": "Where your time would be up, you take two days off, if you have them.",
    "days off by word": "You take days off only when you say so.",
    "here like all": "This match is as all others again.",
    "here off": "This holds for the match of the mail that you answer, alone.",
    "confirm never": "A turn is played at once.",
    "confirm draws": "A turn that draws is played when you have confirmed it.",
    "confirm always": "A turn is played when you have confirmed it.",
}


def test_every_line_says_what_it_means_and_is_read() -> None:
    """A line that is offered to people has its sentence, and does what it says."""
    there = replace(Preferences(), quiet_zone="Europe/Zurich")
    assert {line: meaning_of(line, there) for line in EVERY_LINE} == EVERY_LINE
    for line in EVERY_LINE:
        read_setting(line)


def test_a_match_may_be_like_all_others_again() -> None:
    assert read_setting("here like all") == Setting(here=True, like_all=True)


def test_an_unknown_member_of_a_stored_document_is_passed_over() -> None:
    assert joined(Preferences(), {"mails": "off", "colour": "green", "without": ["verdict", "new"]}) == replace(
        Preferences(), mails="off", without=("verdict",)
    )
