"""What a player wants to be mailed, when, and in which form: for all matches, and for single ones.
Only what was chosen is stored; that for a match goes first, and the rest is by default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from sqlalchemy import Connection

from engine.documents import About, quoted
from service.clocks.seat import Reminders
from service.errors import Invalid
from service.kinds import OptionalKind, optional_kinds
from service.players import local_time
from service.players.local_time import read_zone
from service.store import players as rows
from service.texts import gettext as _

Mails: TypeAlias = Literal["at_once", "digest", "off"]
Confirm: TypeAlias = Literal["never", "draws", "always"]

MAILS: Final[tuple[Mails, ...]] = get_args(Mails)
CONFIRM: Final[tuple[Confirm, ...]] = get_args(Confirm)
REMINDERS: Final[tuple[Reminders, ...]] = get_args(Reminders)
OF_MATCH: Final = ("mails", "without", "merged", "chat", "text_only", "confirm")
"""The preferences that can be chosen for a single match."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player wants: ``digest_hour`` is the hour of ``time_zone``, a name of the IANA
    database, at which everything since the last digest is told in one mail.
    """

    mails: Annotated[
        Mails,
        About("`at_once`: a mail for what happens; `digest`: one a day; `off`: none but answers to what you ask."),
    ] = "at_once"
    digest_hour: Annotated[int, About("The local hour of the digest.", minimum=0, maximum=23)] = 19
    time_zone: Annotated[str, About("A time zone of the IANA database.", example="Europe/Zurich")] = "UTC"
    without: Annotated[tuple[OptionalKind, ...], About("The kinds of mails that you do not want.")] = ()
    merged: Annotated[
        bool, About("True to be told what happens in quick succession by one mail, false for a mail each.")
    ] = True
    chat: Annotated[bool, About("False to be mailed nothing of what is said in matches.")] = True
    text_only: Annotated[bool, About("True for mails that are plain text, without HTML and pictures.")] = False
    confirm: Annotated[
        Confirm,
        About(
            "Which turns, by mail, page or API, are played only when you have seen what they do and confirmed it:"
            " `draws`, those that draw."
        ),
    ] = "never"
    quiet: Annotated[
        str | None,
        About(
            "Hours in which your clocks stand still in matches of a day or more for a turn, at most nine; of the time"
            " zone that you have when you set them, and from your next turn on. They can be set once in a week. `null`"
            " for none.",
            example="22:00-07:00",
        ),
    ] = None
    quiet_zone: Annotated[
        str | None,
        About("The time zone of your quiet hours; it changes when you set them.", example="Europe/Zurich"),
    ] = None
    reminders: Annotated[
        Reminders,
        About(
            "When you are reminded that a match waits: `both`, at half of your time, and in the last 12 to 24 hours of"
            " it and of your reserve; `last`, only then; `none`."
        ),
    ] = "both"
    automatic_days_off: Annotated[
        bool, About("True to take two days off where your time would be up, as long as you have them.")
    ] = False
    discord: Annotated[
        str | None,
        About(
            "Your id in Discord: who you are in what webhooks tell of your matches there. `null` to be named only.",
            example="80351110224678912",
        ),
    ] = None
    slack: Annotated[str | None, About("Your id in Slack, likewise.", example="U012AB3CDE")] = None


def effective(connection: Connection, player_id: str, match_id: str | None = None) -> Preferences:
    """What a player wants; of that match, where one is named."""
    wanted = joined(Preferences(), rows.preferences_of(connection, [player_id]).get(player_id, {}))
    return wanted if match_id is None else joined(wanted, rows.match_preferences_of(connection, player_id, match_id))


def joined(preferences: Preferences, document: Mapping[str, Any]) -> Preferences:
    """The preferences, with those of a stored document that are known in their place."""
    known = {field.name for field in fields(Preferences)}
    chosen = {name: value for name, value in document.items() if name in known}
    if "without" in chosen:
        chosen["without"] = tuple(kind for kind in optional_kinds() if kind in chosen["without"])
    return replace(preferences, **chosen)


def change(connection: Connection, player_id: str, changes: Mapping[str, Any], now: datetime) -> Preferences:
    """Changes what the player wants of all matches, within the caller's transaction; ``None`` sets
    one back to its default. Returns the result. Raises ``Invalid``.
    """
    checked = _checked(changes, tuple(_READ))
    before = rows.lock_preferences(connection, player_id)
    document = _changed(before, checked)
    document = local_time.settled(before, document, checked, joined(Preferences(), document).time_zone, now)
    rows.set_preferences(connection, player_id, document)
    return joined(Preferences(), document)


def change_for(
    connection: Connection, player_id: str, match_id: str, changes: Mapping[str, Any], now: datetime
) -> None:
    """Changes what the player wants of one match, within the caller's transaction; ``None`` sets
    one back to what the player wants of all. Raises ``Invalid``.
    """
    checked = _checked(changes, OF_MATCH)
    rows.lock_preferences(connection, player_id, match_id)
    document = _changed(rows.match_preferences_of(connection, player_id, match_id), checked)
    if document:
        rows.set_match_preferences(connection, player_id, match_id, document, now)
    else:
        rows.forget_match_preferences(connection, player_id, match_id)


def _changed(stored: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**stored, **changes}
    return {name: value for name, value in merged.items() if value is not None}


def _checked(changes: Mapping[str, Any], allowed: tuple[str, ...]) -> dict[str, Any]:
    """The changes as they are stored. Raises ``Invalid`` with everything that is wrong."""
    problems: list[tuple[str, str]] = []
    checked: dict[str, Any] = {}
    for name, value in changes.items():
        pointer = f"/{name}"
        if name not in allowed:
            sentence = _("There is no preference {name} here; known: {known}.")
            problems.append((pointer, sentence.format(name=name, known=", ".join(allowed))))
        elif value is None:
            checked[name] = None
        else:
            try:
                checked[name] = _READ[name](value, pointer)
            except Invalid as error:
                problems.extend(error.problems)
    if problems:
        raise Invalid(tuple(problems))
    return checked


def _one_of(choices: tuple[str, ...]) -> Any:
    def read(value: Any, pointer: str) -> str:
        if value not in choices:
            known = ", ".join(choices)
            raise Invalid(((pointer, _("{value} is not one of {known}.").format(value=quoted(value), known=known)),))
        return str(value)

    return read


def _truth(value: Any, pointer: str) -> bool:
    if not isinstance(value, bool):
        raise Invalid(((pointer, _("{value} is not true or false.").format(value=quoted(value))),))
    return value


def _hour(value: Any, pointer: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 23:
        raise Invalid(((pointer, _("{value} is not an hour from 0 to 23.").format(value=quoted(value))),))
    return value


def _kinds(value: Any, pointer: str) -> list[str]:
    found, kinds = list(value), optional_kinds()
    for index, kind in enumerate(found):
        if kind not in kinds:
            sentence = _("There is no kind of mails {kind} that can be stopped; known: {known}.")
            raise Invalid(((f"{pointer}/{index}", sentence.format(kind=quoted(kind), known=", ".join(kinds))),))
    return [kind for kind in kinds if kind in found]


def _id_in(service: str, pattern: str, example: str) -> Any:
    def read(value: Any, pointer: str) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            sentence = _("{value} is no id in {service}; it is not the name, but looks like {example}.")
            raise Invalid(((pointer, sentence.format(value=quoted(value), service=service, example=example)),))
        return value

    return read


_READ: Final[Mapping[str, Any]] = {
    "mails": _one_of(MAILS),
    "digest_hour": _hour,
    "time_zone": lambda value, pointer: read_zone(str(value), pointer),
    "without": _kinds,
    "merged": _truth,
    "chat": _truth,
    "text_only": _truth,
    "confirm": _one_of(CONFIRM),
    "quiet": local_time.read_hours,
    "reminders": _one_of(REMINDERS),
    "automatic_days_off": _truth,
    "discord": _id_in("Discord", "[0-9]{15,20}", "80351110224678912"),
    "slack": _id_in("Slack", "[UW][A-Z0-9]{6,12}", "U012AB3CDE"),
}
