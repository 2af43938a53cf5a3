"""Preferences as lines in a reply and an answer: ``digest 19``, ``here off``, ``text only``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.pieces import close_words
from service.errors import Invalid
from service.kinds import MAILINGS, OptionalKind, optional_kinds
from service.players.local_time import read_hours, read_zone
from service.players.preferences import CONFIRM, OF_MATCH, REMINDERS, Preferences
from service.texts import gettext as _

EXAMPLES: Final = (
    "at once",
    "digest 19",
    "off",
    "zone Europe/Zurich",
    "without verdicts",
    "with all",
    "merged",
    "single",
    "chat off",
    "text only",
    "pictures",
    "confirm draws",
    "quiet 22:00-07:00",
    "days off by themselves",
    "reminders last",
    "here off",
    "here like all",
)
"""Lines that can be read, one of each form."""
_HOUR: Final = re.compile(r"(?:at )?(\d{1,2})(?::(\d\d))? ?(am|pm|h|o'clock)?")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a line changes: preferences by name; kinds of mails that are stopped and resumed;
    ``here``: of the match that the mail is about; ``like_all``: that is as all others again.
    """

    changes: Mapping[str, Any] = field(default_factory=dict)
    stopped: tuple[OptionalKind, ...] = ()
    resumed: tuple[OptionalKind, ...] = ()
    here: bool = False
    like_all: bool = False


def read_setting(line: str) -> Setting:
    """Reads a line, whatever its case. Raises ``Invalid`` at ``/line``, with what would work."""
    words = " ".join(line.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split()).rstrip(".!").lower()
    for opening in ("here ", "this match "):
        if words.startswith(opening):
            return _of_this_match(words.removeprefix(opening), line)
    return _read(words, line)


def format_settings(preferences: Preferences) -> tuple[str, ...]:
    """The lines that set a player's preferences to these, where they are as by default before."""
    stopped = " ".join(MAILINGS[kind].word for kind in optional_kinds() if kind in preferences.without)
    return (
        {"at_once": "at once", "digest": "digest", "off": "off"}[preferences.mails],
        f"hour {preferences.digest_hour}",
        f"zone {preferences.time_zone}",
        f"without {stopped}" if stopped else "with all",
        "merged" if preferences.merged else "single",
        "chat on" if preferences.chat else "chat off",
        "text only" if preferences.text_only else "pictures",
        f"confirm {preferences.confirm}",
        f"quiet {preferences.quiet}" if preferences.quiet else "quiet off",
        f"reminders {preferences.reminders}",
        "days off by themselves" if preferences.automatic_days_off else "days off by word",
    )


def meaning_of(line: str, preferences: Preferences) -> str:
    """A sentence that says what a line of ``format_settings`` means."""
    said = next(sentence() for words, sentence in _MEANINGS.items() if line.startswith(words))
    return said.format(zone=preferences.quiet_zone)


def applied(settings: Sequence[Setting], without: Sequence[OptionalKind]) -> dict[str, Any]:
    """The changes of some settings, of which later ones win; ``without`` were stopped before."""
    changes: dict[str, Any] = {}
    left = set(without)
    for setting in settings:
        changes |= setting.changes
        if setting.stopped or setting.resumed:
            left = (left | set(setting.stopped)) - set(setting.resumed)
            changes["without"] = [kind for kind in optional_kinds() if kind in left]
    return changes


def _of_this_match(words: str, line: str) -> Setting:
    if words in ("like all", "as always", "as all"):
        return Setting(here=True, like_all=True)
    found = _read(words, line)
    general = [name for name in found.changes if name not in OF_MATCH]
    if general:
        raise _unread(line, _("Hours, time zone and days off are the same for all matches."))
    return replace(found, here=True)


def _read(words: str, line: str) -> Setting:
    if words in _FIXED:
        return Setting(dict(_FIXED[words]))
    first, _blank, rest = words.partition(" ")
    match first:
        case "digest":
            return Setting({"mails": "digest", "digest_hour": _hour(rest, line)})
        case "hour":
            return Setting({"digest_hour": _hour(rest, line)})
        case "zone":
            return Setting({"time_zone": read_zone(rest, "/line")})
        case "time" if rest.startswith("zone "):
            return Setting({"time_zone": read_zone(rest.removeprefix("zone "), "/line")})
        case "without":
            return Setting(stopped=_kinds(rest, line))
        case "with":
            return Setting(resumed=_kinds(rest, line))
        case "reminders" | "reminder" if rest in REMINDERS or rest == "off":
            return Setting({"reminders": "none" if rest == "off" else rest})
        case "quiet":
            return Setting({"quiet": None if rest in ("off", "none") else read_hours(rest, "/line")})
        case "confirm" if rest in CONFIRM:
            return Setting({"confirm": rest})
    raise _unread(line, "")


def _hour(words: str, line: str) -> int:
    read = _HOUR.fullmatch(words)
    hour = -1 if read is None else int(read[1])
    if read is not None and read[3] in ("am", "pm"):
        hour = -1 if not 1 <= hour <= 12 else hour % 12 + (12 if read[3] == "pm" else 0)
    if read is None or not 0 <= hour <= 23:
        raise _unread(line, _("A digest is sent at an hour from 0 to 23."))
    if read[2] not in (None, "00"):
        raise _unread(line, _("A digest is sent at a full hour."))
    return hour


def _kinds(words: str, line: str) -> tuple[OptionalKind, ...]:
    named = [word for word in re.split(r"[ ,]+", words) if word not in ("", "and", "mails")]
    kinds = {MAILINGS[kind].word: kind for kind in optional_kinds()}
    if named == ["all"]:
        return tuple(kinds.values())
    if not named or any(word not in kinds for word in named):
        raise _unread(line, _("The kinds of mails are {kinds}.").format(kinds=", ".join(kinds)))
    return tuple(kinds[word] for word in named)


def _unread(line: str, why: str) -> Invalid:
    shown = " ".join(line.split())
    shown = shown if len(shown) <= 60 else shown[:59] + "…"
    sentence = _('"{line}" cannot be read as a setting.').format(line=shown)
    close = close_words(shown.lower(), EXAMPLES)
    offered = (
        _("Did you mean {lines}?").format(lines=_(" or ").join(f'"{each}"' for each in close))
        if close
        else _("Settings are {lines}.").format(lines=", ".join(f'"{each}"' for each in EXAMPLES))
    )
    return Invalid((("/line", " ".join(part for part in (sentence, why, offered) if part)),))


_FIXED: Final[Mapping[str, Mapping[str, Any]]] = {
    "at once": {"mails": "at_once"},
    "digest": {"mails": "digest"},
    "off": {"mails": "off"},
    "merged": {"merged": True},
    "single": {"merged": False},
    "chat on": {"chat": True},
    "unmute": {"chat": True},
    "chat off": {"chat": False},
    "mute": {"chat": False},
    "text only": {"text_only": True},
    "text": {"text_only": True},
    "pictures": {"text_only": False},
    "confirm": {"confirm": "always"},
    "days off by themselves": {"automatic_days_off": True},
    "days off by word": {"automatic_days_off": False},
}
_MEANINGS: Final[Mapping[str, Callable[[], str]]] = {
    "at once": lambda: _("You get a mail for what happens, at once."),
    "digest": lambda: _("You get one mail a day, with everything that happened."),
    "off": lambda: _("You get no mails but answers to yours."),
    "hour": lambda: _("The digest is sent at this hour."),
    "zone": lambda: _("The hour of the digest is that of this time zone."),
    "without": lambda: _("You get no mails of these kinds."),
    "with all": lambda: _("You get mails of all kinds."),
    "merged": lambda: _("What happens in quick succession is told by one mail."),
    "single": lambda: _("Everything that happens is told by a mail of its own."),
    "chat on": lambda: _("You are mailed what others say."),
    "chat off": lambda: _("You are not mailed what others say."),
    "text only": lambda: _("Your mails are plain text."),
    "pictures": lambda: _("Your mails have pictures."),
    "quiet off": lambda: _("Your clocks run at night, too."),
    "quiet": lambda: _(
        "Your clocks stand still in these hours ({zone}) from your next turn on, in matches of a day or more for a"
        " turn."
    ),
    "reminders both": lambda: _("You are reminded at half of your time, and before it and your reserve are up."),
    "reminders last": lambda: _("You are reminded before your time and your reserve are up, each once."),
    "reminders none": lambda: _("You are not reminded of matches that wait for you."),
    "days off by themselves": lambda: _("Where your time would be up, you take two days off, if you have them."),
    "days off by word": lambda: _("You take days off only when you say so."),
    "here like all": lambda: _("This match is as all others again."),
    "here": lambda: _("This holds for the match of the mail that you answer, alone."),
    "confirm never": lambda: _("A turn is played at once."),
    "confirm draws": lambda: _("A turn that draws is played when you have confirmed it."),
    "confirm always": lambda: _("A turn is played when you have confirmed it."),
}
