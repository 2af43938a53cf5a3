"""What players set of themselves: name, time, mails and absences. Each part of the settings is a
page; each of its forms names what it does, and calls the use case that the API calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from flask import request

from service.api.requests import context
from service.context import Context
from service.errors import Invalid
from service.kinds import MAILINGS, optional_kinds
from service.matches import days_off
from service.matches.days_off import MOST_DAYS, SHORTEST
from service.notices import mails
from service.notices.mails import ONE_TIME, MailToPlayer
from service.players import accounts, blocks, choosing, stopping
from service.store.players import Player
from service.texts import gettext as _
from service.web.forms import LONGEST_FIELD
from service.web.unsubscribe import named

MOST_MAILS: Final = 20


@dataclass(frozen=True, slots=True)
class Once:
    """A secret that is shown once, in the answer to the form that made it."""

    heading: str
    secret: str
    use: str


@dataclass(frozen=True, slots=True)
class SettingsAct:
    """What a form does in the name of a player, and the sentence that says that it is done. ``do``
    may return a ``Once`` or a response to be shown instead, or raise ``ServiceError``. What
    ``creates`` something does so once, however often the button is pressed.
    """

    do: Callable[[Player], object]
    done: Callable[[], str] | None = None
    creates: bool = False


@dataclass(frozen=True, slots=True)
class SettingsPart:
    """A page of the settings: its title, the values that its template shows of a player, and what
    its forms do, by their names.
    """

    title: Callable[[], str]
    show: Callable[[Player], Mapping[str, Any]]
    acts: Mapping[str, SettingsAct]


def by_id(do: Callable[[Context, Player, str], object]) -> Callable[[Player], object]:
    """An act that does this with what the form names in its field `id`."""
    return lambda player: do(context(), player, typed("id"))


def typed(name: str) -> str:
    """What was typed in a field of the form."""
    return request.form.get(name, "")[:LONGEST_FIELD].strip()


def number(name: str, sentence: str) -> int:
    """The whole number in a field. Raises ``Invalid`` with that sentence where there is none."""
    text = typed(name)
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise Invalid(((f"/{name}", sentence),))
    return int(text)


def _set_time(player: Player) -> None:
    changes: dict[str, Any] = {"time_zone": typed("time_zone") or None}
    quiet = typed("quiet") or None
    if quiet != choosing.wanted(context(), player).quiet:
        changes["quiet"] = quiet
    choosing.choose(context(), player, changes)


YOU: Final = SettingsPart(
    lambda: _("You"),
    lambda player: {"wanted": choosing.wanted(context(), player), "blocked": blocks.blocked(context(), player)},
    {
        "rename": SettingsAct(
            lambda player: accounts.rename(context(), player, typed("name")),
            lambda: _("Others see your new name from now on."),
        ),
        "time": SettingsAct(_set_time, lambda: _("Your time zone and hours are as you have set them.")),
        "unblock": SettingsAct(
            by_id(blocks.unblock), lambda: _("You read again what they say, and their invitations reach you.")
        ),
    },
)


def _set_mails(player: Player) -> None:
    wanted = request.form.getlist("kind")[: len(MAILINGS)]
    choosing.choose(
        context(),
        player,
        {
            "mails": typed("mails"),
            "digest_hour": number("digest_hour", _("A digest is sent at an hour from 0 to 23.")),
            "reminders": typed("reminders"),
            "confirm": typed("confirm"),
            "without": [kind for kind, _words in _kinds() if kind not in wanted],
            **{name: bool(typed(name)) for name in ("merged", "chat", "text_only")},
        },
    )


def _stopped(player: Player) -> list[tuple[str, str]]:
    """What the player gets no mails of: what a link stops it by, and in words."""
    words = {"everything": _("All mails, except those that you ask for")}
    shown = []
    for wanted, found in stopping.stopped_now(context(), player):
        about = _("About the match {title}").format(title=found.title) if found.scope == "match" else named(found)
        shown.append((wanted.what, words.get(found.scope, about)))
    return shown


def _sent(player: Player) -> list[tuple[MailToPlayer, str, bool]]:
    """The latest mails to the player, what they are called, and whether they can be sent again."""
    found = mails.mails_of(context(), player, MOST_MAILS, None)
    return [(mail, _called(mail), mail.due_at is None and mail.kind not in ONE_TIME) for mail in found]


def _called(mail: MailToPlayer) -> str:
    called = MAILINGS[mail.kind].called
    if called is not None:
        return called()
    return _("mails about a match") if mail.match is not None else _("mails about your account")


def _kinds() -> list[tuple[str, str]]:
    """The kinds of mails that can be stopped alone, with what they are called."""
    found = [(kind, MAILINGS[kind].called) for kind in optional_kinds()]
    return [(kind, called()) for kind, called in found if called is not None]


def _mails(player: Player) -> Mapping[str, Any]:
    return {
        "wanted": choosing.wanted(context(), player),
        "kinds": _kinds(),
        "stopped": _stopped(player),
        "sent": _sent(player),
        "when": [
            ("at_once", _("At once, for what happens")),
            ("digest", _("One a day, of all that happened")),
            ("off", _("None but answers to what I ask")),
        ],
        "reminders": [
            ("both", _("Halfway, and near its end")),
            ("last", _("Near the end of my time")),
            ("none", _("Never")),
        ],
        "confirm": [
            ("never", _("It is played at once")),
            ("draws", _("I am asked first if it draws")),
            ("always", _("I am asked first")),
        ],
    }


MAILS_WANTED: Final = SettingsPart(
    lambda: _("Mails"),
    _mails,
    {
        "mails": SettingsAct(_set_mails, lambda: _("That holds at once, for mails that wait already, too.")),
        "resume": SettingsAct(by_id(stopping.resume), lambda: _("These mails come again from now on.")),
        "send": SettingsAct(by_id(mails.send_again), lambda: _("It is sent again.")),
    },
)


def _take_off(player: Player) -> None:
    sentence = _("Write how many whole days, from {least} to {most}.").format(least=SHORTEST, most=MOST_DAYS)
    days_off.declare(context(), player, number("days", sentence), _start(player))


def _start(player: Player) -> datetime | None:
    """When days off begin, by the clock of the player; now where nothing is typed."""
    text = typed("start")
    if not text:
        return None
    try:
        local = datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        raise Invalid((("/start", _("Write when they begin like 2026-12-24T18:00.")),)) from None
    return local.replace(tzinfo=ZoneInfo(choosing.wanted(context(), player).time_zone))


def _absences(player: Player) -> Mapping[str, Any]:
    return {
        "wanted": choosing.wanted(context(), player),
        "off": days_off.of_player(context(), player),
        "least": SHORTEST,
        "now": context().clock(),
    }


ABSENCES: Final = SettingsPart(
    lambda: _("Absences"),
    _absences,
    {
        "take": SettingsAct(
            _take_off, lambda: _("Your days off are noted: your clocks stand still meanwhile."), creates=True
        ),
        "end": SettingsAct(
            by_id(days_off.end), lambda: _("Your clocks run again; whole days that were not used are given back.")
        ),
        "automatic": SettingsAct(
            lambda player: choosing.choose(
                context(), player, {"automatic_days_off": bool(typed("automatic_days_off"))}
            ),
            lambda: _("It holds from now on."),
        ),
    },
)
