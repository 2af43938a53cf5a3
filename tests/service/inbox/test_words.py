"""Words on lines of their own."""

from __future__ import annotations

import pytest

from engine import registry
from engine.errors import NotationError
from service.inbox.words import Word, as_written, nearest_words, read_word
from service.mail_words import WORDS
from service.notices.mail.other_mails import words
from service.players import settings
from tests.service.inbox import manual


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("help", Word("help")),
        ("HELP!", Word("help")),
        ("\u201cHelp\u201d.", Word("help")),
        ("Help?", Word("help")),
        ("aiuto", Word("help")),
        ("  moves  ", Word("moves")),
        ("règles", Word("rules")),
        ("rules oregon", Word("rules", "oregon")),
        ("yes, please", Word("yes")),
        ("sì", Word("yes")),
        ("No thanks.", Word("no")),
        ("say hello, all", Word("say", "hello, all")),
        ('Say: "hello"', Word("say", "hello")),
        ("say", Word("say")),
        ("preview 7; draw L.", Word("preview", "7; draw L")),
        ("settings digest 18:00", Word("settings", "digest 18:00")),
        ("join", Word("join")),
        ("join Anna Rossi", Word("join", "Anna Rossi")),
        ("new oregon brisk bela@example.org", Word("new", "oregon brisk bela@example.org")),
        ("new oregon none", Word("new", "oregon none")),
        ("New Oregon, easy bot", Word("new", "Oregon, easy bot")),
        ("new oregon easy bot", Word("new", "oregon easy bot")),
        ("new montana fair easy brisk.", Word("new", "montana fair easy brisk")),
        ("new oregon soon", None),
        ("away 3 days", Word("away", "3 days")),
        ("I'm away until 2027-01-06.", Word("away", "until 2027-01-06")),
        ("away from it all", None),
        ("pause 7 days", Word("pause", "7 days")),
        ("Pause for 2 weeks.", Word("pause", "2 weeks")),
        ("pause the game, my dog is ill", None),
        ("I accept!", Word("yes")),
        ("Extend.", Word("extend")),
        ("resume", Word("resume")),
        ("I'm back!", Word("back")),
        ("new oregon bela@example.org, cleo@example.org", Word("new", "oregon bela@example.org, cleo@example.org")),
        ("new oregon", Word("new", "oregon")),
        ("resign", Word("resign")),
        ("repeat", Word("repeat")),
        ("end of mail", Word("end")),
        ("legal", Word("moves")),
        ("What's the score?", Word("score")),
        ("How much time do I have?", Word("clock")),
        ("Clock?", Word("clock")),
        ("undo!", Word("undo")),
        ("Can I undo that?", Word("undo")),
        ("I pass.", Word("pass")),
        ("confirm", Word("yes")),
        ("Accept 3.", Word("yes", "3")),
        ("accept #12", Word("yes", "12")),
        ("decline 3", Word("no", "3")),
        ("no 3", None),
        ("yes 3", None),
        ("accept that it rains", None),
        ("withdraw", Word("withdraw")),
        ("withdraw 2", Word("withdraw", "2")),
        ("End as abandoned", Word("abandon")),
        ("abandonner", Word("resign")),
    ],
)
def test_a_word_is_read(line: str, word: Word) -> None:
    assert read_word(line) == word


@pytest.mark.parametrize(
    "line",
    [
        "I need help with this",
        "yes it is a nice game",
        "new rules would be nice",
        "rules are rules, my friend",
        "rules are rules, friend",
        "no idea",
        "board looks good",
        "preview",
        "",
        "...",
        "7",
        "farmer bison wagon C7",
    ],
)
def test_a_sentence_is_no_word(line: str) -> None:
    assert read_word(line) is None


def test_what_follows_a_word_is_split_at_blanks_and_commas() -> None:
    assert Word("new", "oregon a@b.example, c@d.example").arguments == ("oregon", "a@b.example", "c@d.example")


@pytest.mark.parametrize("game", ["oregon", "montana", "ozeanien"])
@pytest.mark.parametrize(
    "line",
    [
        "help",
        "moves",
        "board",
        "list",
        "repeat",
        "resign",
        "settings",
        "confirm",
        "yes",
        "join",
        "rules",
        "undo",
        "clock",
        "score",
    ],
)
def test_words_are_no_notation(game: str, line: str) -> None:
    with pytest.raises(NotationError):
        registry.game(game).parse(line)


@pytest.mark.parametrize("written", [line for word in WORDS for line in word.written])
def test_every_word_is_read_as_the_table_writes_it(written: str) -> None:
    word = read_word(written)
    assert word is not None
    assert word.name in next(each.names for each in WORDS if written in each.written)


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ("clokc", ("clock",)),
        ("udno", ("undo",)),
        ("setings", ("settings",)),
        ("show me the score please", ("score",)),
        ("cal off", ("call off",)),
        ("What do you think, Overland?", ()),
        ("Let me think about it until Sunday evening, when the clock strikes", ()),
        ("", ()),
    ],
)
def test_a_line_that_is_no_word_is_near_to_some(line: str, nearest: tuple[str, ...]) -> None:
    assert nearest_words(line) == nearest


@pytest.mark.parametrize("line", [line for word in WORDS for line in word.written])
def test_a_word_is_written_so_that_it_is_read_as_the_same(line: str) -> None:
    word = read_word(line)
    assert word is not None
    assert read_word(as_written(word)) == word


def test_the_tables_of_the_manual_are_current() -> None:
    text = manual.PAGE.read_text()
    assert all(f"<!-- {name} -->" in text for name in manual.tables())
    assert text == manual.page(text), "run: python -m tests.service.inbox.manual"


def test_the_mails_of_help_and_settings_say_what_the_manual_says() -> None:
    tables = manual.tables()
    for written, does in words()[1:]:
        row = f"| {', '.join(f'`{line}`' for line in written.split(', '))} | {does} |"
        assert row in tables["words of a match"] + tables["words of all mails"]
    for line in settings.EXAMPLES:
        settings.read_setting(line)
        assert f"| `{line}` |" in tables["settings"]


@pytest.mark.parametrize(
    "line",
    [
        "Report back soon",
        "report in later",
        "Report card day!",
        "Report Monday",
        "Set off",
        "Set off tomorrow",
        "Setting off",
        "Take back the town",
    ],
)
def test_a_sentence_that_begins_as_a_word_does_is_none(line: str) -> None:
    assert read_word(line) is None


@pytest.mark.parametrize(
    "line",
    ["report That is rude.", "report: spam", "report : spam", "report he insults me", 'Report "hey"', "segnala questo"],
)
def test_a_report_says_what_is_reported(line: str) -> None:
    found = read_word(line)
    assert found is not None
    assert found.name == "report"
    assert found.rest


def test_a_move_that_is_to_be_taken_back_ends_no_days_off() -> None:
    assert read_word("take back") == Word("undo")
