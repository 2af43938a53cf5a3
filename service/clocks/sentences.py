"""What mails and pages say about clocks."""

from __future__ import annotations

from typing import Final
from zoneinfo import ZoneInfo

from service.clocks.durations import duration_words
from service.clocks.history import Remaining, Stop, StopKind
from service.clocks.instants import moment
from service.clocks.rule import ClockRule, policy_words, rule_words
from service.texts import gettext as _
from service.texts import ngettext

_DAYS: Final = (
    lambda: _("Monday"),
    lambda: _("Tuesday"),
    lambda: _("Wednesday"),
    lambda: _("Thursday"),
    lambda: _("Friday"),
    lambda: _("Saturday"),
    lambda: _("Sunday"),
)
_MONTHS: Final = (
    lambda: _("January"),
    lambda: _("February"),
    lambda: _("March"),
    lambda: _("April"),
    lambda: _("May"),
    lambda: _("June"),
    lambda: _("July"),
    lambda: _("August"),
    lambda: _("September"),
    lambda: _("October"),
    lambda: _("November"),
    lambda: _("December"),
)


def moment_words(at: int, zone: str) -> str:
    """An instant by the clock of a time zone: Thursday, 26 November, 18:30 (Europe/Berlin)."""
    local = moment(at).astimezone(ZoneInfo(zone))
    return _("{weekday}, {day} {month}, {time} ({zone})").format(
        weekday=_DAYS[local.weekday()](),
        day=local.day,
        month=_MONTHS[local.month - 1](),
        time=f"{local:%H:%M}",
        zone=zone,
    )


def cause_words(kind: StopKind) -> str:
    """What stops a clock, as the end of a sentence."""
    return {
        "absence": _("for an absence"),
        "pause": _("for a pause of the match"),
        "quiet": _("in quiet hours"),
        "weekend": _("at the weekend"),
        "outage": _("for an outage of the service"),
    }[kind]


def rule_sentences(rule: ClockRule) -> tuple[str, ...]:
    """How much time there is, and what follows when it is up."""
    return (_("Time for each player: {rule}.").format(rule=rule_words(rule)), policy_words(rule))


def remaining_sentence(left: Remaining, zone: str) -> str:
    """What is left of the reader's clock: until when, or that it is stopped; empty where it neither
    runs nor has run out.
    """
    if left.deadline is None:
        return ""
    if left.stopped is not None:
        return stopped_sentence(left.stopped, left.seconds, zone)
    return _("You have until {moment}.").format(moment=moment_words(left.deadline, zone))


def stopped_sentence(stop: Stop, seconds: int, zone: str) -> str:
    """That a clock is stopped, until when, and what is left of it."""
    return _("Your clock is stopped {cause} until {moment}; then you have {time}.").format(
        cause=cause_words(stop.kind), moment=moment_words(stop.end, zone), time=duration_words(seconds)
    )


def excuses_sentence(number: int) -> str:
    """How many excuses are left."""
    if number == 0:
        return _("You have no excuse left.")
    return ngettext("You have {number} excuse left.", "You have {number} excuses left.", number).format(number=number)
