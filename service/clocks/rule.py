"""The rule of the clocks of a match, and its document, which the API takes and gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Literal, TypeAlias, get_args
from zoneinfo import available_timezones

from service.clocks.spans import DAY, HOUR, DurationError, duration_words, read_duration, write_duration
from service.texts import gettext as _

IfLate: TypeAlias = Literal["bot_turn", "bot_seat", "resign"]
"""What follows when the time of a seat and its reserve are up."""
POLICIES: Final[tuple[IfLate, ...]] = get_args(IfLate)
RESERVE: Final = 2 * DAY
"""What a seat has for the whole match, beyond the time of its turns."""
FIRST_TURN_LEAST: Final = 3 * DAY
LEAST_BASE: Final = HOUR
MOST: Final = 60 * DAY


class RuleError(ValueError):
    """The document is no rule: ``field`` is the part that is wrong, "" for the whole."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field, self.sentence = field, sentence


@dataclass(frozen=True, slots=True)
class ClockRule:
    """Each turn begins with ``increment`` more, up to ``most``; a total is ``base`` for the whole
    match. All in seconds. ``weekends`` is the time zone whose Saturdays and Sundays stop the
    clocks, if they do; ``days_off`` is whether players may take days off.
    """

    base: int
    increment: int = 0
    most: int = 0
    total: bool = False
    if_late: IfLate = "bot_turn"
    weekends: str | None = None
    days_off: bool = True

    @property
    def unit(self) -> int:
        """What a turn is expected to take, and what seats asked within it share out."""
        return min(DAY, self.base) if self.total else self.base

    @property
    def least_after(self) -> int:
        """What a clock has at least after its time was up."""
        return self.unit // 2

    @property
    def quiet_hours(self) -> bool:
        """Whether the quiet hours of players stop the clocks."""
        return self.unit >= DAY


PRESETS: Final[dict[str, ClockRule]] = {
    "brisk": ClockRule(DAY, 4 * HOUR, 3 * DAY),
    "relaxed": ClockRule(3 * DAY, 12 * HOUR, 5 * DAY),
    "slow": ClockRule(7 * DAY, 36 * HOUR, 10 * DAY),
    "total": ClockRule(10 * DAY, 0, 10 * DAY, total=True),
}
NONE: Final = "none"
DEFAULT: Final = "relaxed"
"""The preset that is offered."""
NAMES: Final = (NONE, *PRESETS)


def read_rule(document: Mapping[str, Any]) -> ClockRule | None:
    """The rule of a document: the name of a preset, or base, increment and most, or a total; and
    what of the rest is to differ. ``None`` for no clock. Raises ``RuleError``.
    """
    known = {"preset", "base", "increment", "most", "total", "if_late", "weekends", "days_off"}
    for name in document:
        if name not in known:
            sentence = _("A clock has no {name}; it has {known}.")
            raise RuleError(name, sentence.format(name=name, known=", ".join(sorted(known))))
    ways = [name for name in ("preset", "base", "total") if name in document]
    if len(ways) != 1:
        sentence = _("A clock is one of three: a preset ({names}), a base, or a total.")
        raise RuleError("", sentence.format(names=", ".join(NAMES)))
    rule = _READERS[ways[0]](document)
    if rule is None:
        if len(document) > 1:
            raise RuleError("", _("A match without a clock has no other settings for it."))
        return None
    return _with_rest(rule, document)


def document_of(rule: ClockRule) -> dict[str, Any]:
    """The rule as a document, which ``read_rule`` reads; all of it is written out."""
    named = {"total": rule.base} if rule.total else {"base": rule.base, "increment": rule.increment, "most": rule.most}
    times = {name: write_duration(seconds) for name, seconds in named.items()}
    return times | {"if_late": rule.if_late, "weekends": rule.weekends, "days_off": rule.days_off}


def preset_of(rule: ClockRule) -> str | None:
    """The preset with the same times, if there is one."""
    plain = replace(rule, if_late="bot_turn", weekends=None, days_off=True)
    return next((name for name, preset in PRESETS.items() if preset == plain), None)


def rule_words(rule: ClockRule | None) -> str:
    """The times, such as "3 days, 12 hours more for each turn, never more than 5 days", and
    weekends.
    """
    if rule is None:
        return _("no clock")
    if rule.weekends is not None:
        weekdays = rule_words(replace(rule, weekends=None))
        return _("{time}, without Saturdays and Sundays ({zone})").format(time=weekdays, zone=rule.weekends)
    base = duration_words(rule.base)
    if rule.total:
        return _("{base} for the whole match").format(base=base)
    if not rule.increment:
        return _("{base}, nothing more for each turn").format(base=base)
    return _("{base}, {increment} more for each turn, never more than {most}").format(
        base=base, increment=duration_words(rule.increment), most=duration_words(rule.most)
    )


def policy_words(rule: ClockRule) -> str:
    """What follows when the time of a seat and its reserve are up, as a sentence."""
    return {
        "bot_turn": _(
            "If time and reserve are used up, a bot plays this turn; after two in a row it holds the seat until its"
            " player is back."
        ),
        "bot_seat": _("If time and reserve are used up, a bot takes the seat for good."),
        "resign": _("If time and reserve are used up, the seat resigns."),
    }[rule.if_late]


def _preset(document: Mapping[str, Any]) -> ClockRule | None:
    name = document["preset"]
    if name not in NAMES:
        sentence = _("{name!r} is no preset; the presets are {names}.")
        raise RuleError("preset", sentence.format(name=name, names=", ".join(NAMES)))
    for other in ("increment", "most"):
        if other in document:
            raise RuleError(other, _("A preset has its own times; give a base instead of it."))
    return None if name == NONE else PRESETS[name]


def _increment(document: Mapping[str, Any]) -> ClockRule:
    base = _duration(document, "base", LEAST_BASE, MOST)
    increment = _duration(document, "increment", 0, base) if "increment" in document else 0
    most = _duration(document, "most", base, MOST) if "most" in document else base
    return ClockRule(base, increment, most)


def _total(document: Mapping[str, Any]) -> ClockRule:
    for other in ("increment", "most"):
        if other in document:
            raise RuleError(other, _("A total is for the whole match: nothing is added to it."))
    total = _duration(document, "total", LEAST_BASE, MOST)
    return ClockRule(total, 0, total, total=True)


_READERS: Final[dict[str, Callable[[Mapping[str, Any]], ClockRule | None]]] = {
    "preset": _preset,
    "base": _increment,
    "total": _total,
}


def _with_rest(rule: ClockRule, document: Mapping[str, Any]) -> ClockRule:
    if_late, weekends = document.get("if_late", rule.if_late), document.get("weekends", rule.weekends)
    days_off = document.get("days_off", rule.days_off)
    if if_late not in POLICIES:
        raise RuleError("if_late", _("{name!r} is none of {names}.").format(name=if_late, names=", ".join(POLICIES)))
    if weekends is not None and not (isinstance(weekends, str) and weekends in zones()):
        sentence = _("{name!r} is no time zone such as Europe/Zurich, whose weekends stop the clocks.")
        raise RuleError("weekends", sentence.format(name=weekends))
    if not isinstance(days_off, bool):
        raise RuleError("days_off", _("Write true if days off stop the clocks, and false if they do not."))
    return replace(rule, if_late=if_late, weekends=weekends, days_off=days_off)


def _duration(document: Mapping[str, Any], name: str, least: int, most: int) -> int:
    text = document[name]
    if not isinstance(text, str):
        raise RuleError(name, _("A duration is a text such as P3D or PT12H."))
    try:
        seconds = read_duration(text)
    except DurationError as error:
        raise RuleError(name, str(error)) from error
    if not least <= seconds <= most:
        bounds = _("{text} is out of bounds: it has to be {least} to {most} here ({words}).")
        words = _("{least} to {most}").format(least=duration_words(least), most=duration_words(most))
        written = {"text": text, "least": write_duration(least), "most": write_duration(most)}
        raise RuleError(name, bounds.format(words=words, **written))
    return seconds


@cache
def zones() -> frozenset[str]:
    """The names of time zones that every installation of the IANA database has; others, such as
    those below `posix/`, and the zone of this host, may mean nothing where a record is verified.
    """
    return frozenset(available_timezones() - {"Factory", "localtime"})
