"""The words that a mail can say, in one table: the mail of help, the page for players and the
reader of mails have them from here.

A new word is a name and a row here, how it is written in ``service.inbox.words``, and what it does
in ``service.inbox.match_words`` or ``words_for_all``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from service.texts import gettext as _

Name: TypeAlias = Literal[
    "abandon",
    "away",
    "back",
    "board",
    "call_off",
    "clock",
    "draw",
    "end",
    "end_match",
    "extend",
    "hand_over",
    "help",
    "join",
    "list",
    "moves",
    "new",
    "no",
    "pass",
    "pause",
    "preview",
    "reopen",
    "repeat",
    "report",
    "resign",
    "resume",
    "rules",
    "say",
    "score",
    "settings",
    "undo",
    "withdraw",
    "yes",
]
"""What a word asks for."""


@dataclass(frozen=True, slots=True)
class MailWord:
    """Words that are explained together: as they may be written, and what they do. ``anywhere``:
    also in a mail to the address of the service, about no match. ``acts``: they may change
    something, so that their answer is owed.
    """

    names: tuple[Name, ...]
    written: tuple[str, ...]
    does: Callable[[], str]
    anywhere: bool = False
    acts: bool = True


WORDS: Final = (
    MailWord(("moves",), ("moves",), lambda: _("lists your legal moves"), acts=False),
    MailWord(("board",), ("board",), lambda: _("shows the board"), acts=False),
    MailWord(("score",), ("score",), lambda: _("shows the board with the points that everybody may know"), acts=False),
    MailWord(("clock",), ("clock",), lambda: _("says how much time you have"), acts=False),
    MailWord(("preview",), ("preview 17",), lambda: _("says what a turn would do, and plays nothing"), acts=False),
    MailWord(
        ("say",),
        ("say Well played!",),
        lambda: _("tells the others something with their next mails; it may stand beside a turn"),
    ),
    MailWord(
        ("report",),
        ("report", "report This is no way to talk."),
        lambda: _("shows the host of the service what somebody said last, or the invitation that you answer"),
    ),
    MailWord(("repeat",), ("repeat",), lambda: _("sends the last mail again"), acts=False),
    MailWord(
        ("pause", "resume"),
        ("pause 7 days", "resume"),
        lambda: _("offers the others a pause; ends it with a day's notice"),
    ),
    MailWord(("extend",), ("extend",), lambda: _("offers the others a day more for this turn")),
    MailWord(
        ("draw", "end_match", "call_off"),
        ("offer draw", "end match", "call off"),
        lambda: _("offers that the match ends: as a draw, with the standing, or for nothing"),
    ),
    MailWord(
        ("abandon",),
        ("end as abandoned",),
        lambda: _("asks to end the match without a player who has been away for 14 days"),
    ),
    MailWord(
        ("hand_over",),
        ("hand over to carl@example.org",),
        lambda: _("asks somebody to take your seat, and the others whether they may"),
    ),
    MailWord(
        ("yes", "no"),
        ("accept", "decline", "yes", "no"),
        lambda: _("answer the mail that asks you; no to an invitation also leaves a match that has not begun"),
    ),
    MailWord(
        ("yes", "no"),
        ("accept 3", "decline 3"),
        lambda: _("answer the question of that number, in any mail of the match"),
    ),
    MailWord(
        ("withdraw",),
        ("withdraw", "withdraw 3"),
        lambda: _("takes your own offer back, in reply to the answer to it, or by its number"),
    ),
    MailWord(("resign",), ("resign",), lambda: _("gives the match up for good, after asking you back")),
    MailWord(("reopen",), ("reopen",), lambda: _("takes a match out of the archive, as a turn does")),
    MailWord(
        ("undo", "pass"),
        ("undo", "pass"),
        lambda: _("play nothing, and say why: no move is taken back, and passing is a move where it is legal"),
        acts=False,
    ),
    MailWord(
        ("away",),
        ("away 3 days", "away until 2027-01-06", "away from 2026-12-23 for 10 days"),
        lambda: _("takes days off, which stop your clocks in all matches"),
        anywhere=True,
    ),
    MailWord(
        ("back",),
        ("back",),
        lambda: _("ends your days off, or takes your seat back from the bot that holds it"),
        anywhere=True,
    ),
    MailWord(
        ("list",),
        ("list",),
        lambda: _("lists your matches, first those that wait for you, with your time and how to reply"),
        anywhere=True,
        acts=False,
    ),
    MailWord(
        ("new",),
        ("new oregon bela@example.org", "new oregon brisk easy bot"),
        lambda: _("starts a match with those whom you invite, bots among them, and the clock of that name"),
        anywhere=True,
    ),
    MailWord(
        ("rules",),
        ("rules", "rules oregon"),
        lambda: _("names the games, or sends the rules of one"),
        anywhere=True,
        acts=False,
    ),
    MailWord(
        ("settings",),
        ("settings", "settings digest 19"),
        lambda: _("shows or changes what you are mailed, and when"),
        anywhere=True,
    ),
    MailWord(("join",), ("join", "join Ada"), lambda: _("signs you up"), anywhere=True),
    MailWord(("help",), ("help",), lambda: _("lists these words"), anywhere=True, acts=False),
    MailWord(("end",), ("end",), lambda: _("ends your mail: nothing below is read"), anywhere=True, acts=False),
)
ACTING: Final = frozenset(name for word in WORDS if word.acts for name in word.names)
