"""What mails and pages say about clocks."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from engine.record import StopKind
from service.clocks.rule import RESERVE, ClockRule, policy_words, rule_words
from service.clocks.seat import Remaining
from service.clocks.spans import duration_words, moment
from service.texts import gettext as _


def moment_words(at: int, zone: str) -> str:
    """An instant by the clock of a time zone: Thursday, 26 November, 18:30 (Europe/Berlin)."""
    return _("{moment} ({zone})").format(moment=local_words(at, zone), zone=zone)


def local_words(at: int, zone: str) -> str:
    """The same where the zone is said once for many: Thursday, 26 November, 18:30."""
    local = moment(at).astimezone(ZoneInfo(zone))
    return _("{weekday}, {day} {month}, {time}").format(
        weekday=_weekday(local.weekday()), day=local.day, month=_month(local.month), time=f"{local:%H:%M}"
    )


def day_words(at: int, zone: str) -> str:
    """The day of an instant by the clock of a time zone, with its year: 26 November 2026."""
    local = moment(at).astimezone(ZoneInfo(zone))
    return _("{day} {month} {year}").format(day=local.day, month=_month(local.month), year=local.year)


def cause_words(kind: StopKind) -> str:
    """What stops a clock, as the end of a sentence."""
    return {
        "days_off": _("for your days off"),
        "pause": _("for a pause of the match"),
        "quiet": _("in quiet hours"),
        "weekend": _("at the weekend"),
        "outage": _("for an outage of the service"),
    }[kind]


def rule_sentences(rule: ClockRule) -> tuple[str, ...]:
    """How much time there is, the reserve, and what follows when both are used up."""
    return (
        _("Time for each player: {rule}.").format(rule=rule_words(rule)),
        _("Each player also has a reserve of {time} for the whole match, which runs when the time is used up.").format(
            time=duration_words(RESERVE)
        ),
        policy_words(rule),
    )


def remaining_sentences(left: Remaining, zone: str) -> tuple[str, ...]:
    """Until when the reader has time, or what stops their clock; none where it does not run."""
    main = left.seconds > 0 or left.reserve == 0
    time = duration_words(left.seconds if main else left.reserve)
    if left.is_out:
        sentence = _("An outage of the service stops your clock; when it is over, you have {time} left.").format(
            time=time
        )
        return (sentence, *_reserve_sentences(left, zone))
    if left.deadline is None:
        return ()
    if left.seconds == left.reserve == 0 and left.stopped is None:
        return (_("Your time and your reserve are up: what the rule of this match says follows in a moment."),)
    until = moment_words(left.main_until if left.main_until and left.reserve else left.deadline, zone)
    if left.stopped is None:
        sentence = _("You have until {moment}.").format(moment=until)
    else:
        sentence = _("Your clock is stopped {cause} until {moment}; then you have {time}, until {end}.").format(
            cause=cause_words(left.stopped.kind), moment=moment_words(left.stopped.end, zone), time=time, end=until
        )
    return (sentence, *_reserve_sentences(left, zone))


def others_sentence(name: str, left: Remaining, zone: str) -> str:
    """Until when another player has time; empty where their clock does not run."""
    if left.deadline is None:
        return ""
    until = moment_words(left.main_until or left.deadline, zone)
    if left.main_until is None or left.reserve == 0:
        return _("{name} has until {moment}.").format(name=name, moment=until)
    return _("{name} has until {moment}, and then a reserve of {reserve}.").format(
        name=name, moment=until, reserve=duration_words(left.reserve)
    )


def _reserve_sentences(left: Remaining, zone: str) -> tuple[str, ...]:
    if left.reserve == 0:
        return (_("Nothing is left of your reserve."),)
    reserve = duration_words(left.reserve)
    if left.seconds == 0:
        return (_("Your reserve is running, with {reserve} left.").format(reserve=reserve),)
    if left.deadline is None:
        return (_("Your reserve is {reserve}.").format(reserve=reserve),)
    sentence = _("After that your reserve of {reserve} runs, until {moment}.")
    return (sentence.format(reserve=reserve, moment=moment_words(left.deadline, zone)),)


def _weekday(number: int) -> str:
    """Counted from 0."""
    days = (_("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday"))
    return days[number]


def _month(number: int) -> str:
    """Counted from 1."""
    first = (_("January"), _("February"), _("March"), _("April"), _("May"), _("June"))
    second = (_("July"), _("August"), _("September"), _("October"), _("November"), _("December"))
    return (*first, *second)[number - 1]
