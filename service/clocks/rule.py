"""The rule of the clocks of a match: how much time the seats have, and what follows when it is up.

Its document is what the API takes and gives, and what is stored and published.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, get_args
from zoneinfo import ZoneInfo

from service.clocks.durations import DAY, HOUR, DurationError, duration_words, read_duration, write_duration
from service.texts import gettext as _

IfLate: TypeAlias = Literal["bot_turn", "bot_seat", "resign", "ask"]
"""What follows when the time of a seat is up and it has no excuse left."""
POLICIES: Final[tuple[IfLate, ...]] = get_args(IfLate)
EXCUSES: Final = 2
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
    """Each turn begins with ``increment`` more, up to ``most``; a bank is ``base`` for the whole
    match. All in seconds. ``weekends`` is the time zone whose Saturdays and Sundays stop the
    clocks, if they do; ``absences`` is whether players may be absent.
    """

    base: int
    increment: int = 0
    most: int = 0
    bank: bool = False
    if_late: IfLate = "bot_turn"
    weekends: str | None = None
    absences: bool = True

    @property
    def unit(self) -> int:
        """What a turn is expected to take: the base; of a bank a day."""
        return min(DAY, self.base) if self.bank else self.base

    @property
    def excuse(self) -> int:
        """What an excuse is worth: a turn's base, at most a day."""
        return min(self.unit, DAY)

    @property
    def least_after(self) -> int:
        """What a clock has at least after its time was up."""
        return self.unit // 2

    @property
    def pool(self) -> int:
        """What the seats asked within the turn of another share out."""
        return self.unit

    @property
    def quiet_hours(self) -> bool:
        """Whether the quiet hours of players stop the clocks."""
        return self.unit >= DAY


PRESETS: Final[dict[str, ClockRule]] = {
    "brisk": ClockRule(DAY, 4 * HOUR, 3 * DAY),
    "relaxed": ClockRule(3 * DAY, 12 * HOUR, 5 * DAY),
    "slow": ClockRule(7 * DAY, 36 * HOUR, 10 * DAY),
    "bank": ClockRule(10 * DAY, 0, 10 * DAY, bank=True),
}
NONE: Final = "none"
DEFAULT: Final = "relaxed"
"""The preset that is offered."""
NAMES: Final = (NONE, *PRESETS)


def read_rule(document: Mapping[str, Any]) -> ClockRule | None:
    """The rule of a document: the name of a preset, or base, increment and most, or a bank; and
    what of the rest is to differ. ``None`` for no clock. Raises ``RuleError``.
    """
    known = {"preset", "base", "increment", "most", "bank", "if_late", "weekends", "absences"}
    for name in document:
        if name not in known:
            raise RuleError(name, _("A clock has no {name}; it has {known}.").format(name=name, known=_list(known)))
    ways = [name for name in ("preset", "base", "bank") if name in document]
    if len(ways) != 1:
        raise RuleError(
            "", _("A clock is one of three: a preset ({names}), a base, or a bank.").format(names=", ".join(NAMES))
        )
    rule = _READERS[ways[0]](document)
    if rule is None:
        if len(document) > 1:
            raise RuleError("", _("A match without a clock has no other settings for it."))
        return None
    return _with_rest(rule, document)


def document_of(rule: ClockRule) -> dict[str, Any]:
    """The rule as a document, which ``read_rule`` reads; all of it is written out."""
    if rule.bank:
        times = {"bank": write_duration(rule.base)}
    else:
        times = {
            "base": write_duration(rule.base),
            "increment": write_duration(rule.increment),
            "most": write_duration(rule.most),
        }
    return times | {"if_late": rule.if_late, "weekends": rule.weekends, "absences": rule.absences}


def preset_of(rule: ClockRule) -> str | None:
    """The preset with the same times, if there is one."""
    plain = replace(rule, if_late="bot_turn", weekends=None, absences=True)
    return next((name for name, preset in PRESETS.items() if preset == plain), None)


def rule_words(rule: ClockRule | None) -> str:
    """The times of a rule in words, such as "3 days, 12 hours more for each turn, never more than 5
    days".
    """
    if rule is None:
        return _("no clock")
    base = duration_words(rule.base)
    if rule.bank:
        return _("{base} for the whole match").format(base=base)
    if not rule.increment:
        return _("{base}, nothing more for each turn").format(base=base)
    return _("{base}, {increment} more for each turn, never more than {most}").format(
        base=base, increment=duration_words(rule.increment), most=duration_words(rule.most)
    )


def policy_words(rule: ClockRule) -> str:
    """What follows when the time of a seat is up and it has no excuse left, as a sentence."""
    return {
        "bot_turn": _(
            "If time is up, a bot plays this turn; after two in a row it holds the seat until its player is back."
        ),
        "bot_seat": _("If time is up, a bot takes the seat for good."),
        "resign": _("If time is up, the seat resigns."),
        "ask": _("If time is up, the other players may ask that a bot plays, or that the seat resigns."),
    }[rule.if_late]


def _preset(document: Mapping[str, Any]) -> ClockRule | None:
    name = document["preset"]
    if name not in NAMES:
        raise RuleError(
            "preset", _("{name!r} is no preset; the presets are {names}.").format(name=name, names=", ".join(NAMES))
        )
    for other in ("increment", "most"):
        if other in document:
            raise RuleError(other, _("A preset has its own times; give a base instead of it."))
    return None if name == NONE else PRESETS[name]


def _increment(document: Mapping[str, Any]) -> ClockRule:
    base = _duration(document, "base", LEAST_BASE, MOST)
    increment = _duration(document, "increment", 0, base) if "increment" in document else 0
    most = _duration(document, "most", base, MOST) if "most" in document else base
    return ClockRule(base, increment, most)


def _bank(document: Mapping[str, Any]) -> ClockRule:
    for other in ("increment", "most"):
        if other in document:
            raise RuleError(other, _("A bank is for the whole match: nothing is added to it."))
    bank = _duration(document, "bank", LEAST_BASE, MOST)
    return ClockRule(bank, 0, bank, bank=True)


_READERS: Final[dict[str, Callable[[Mapping[str, Any]], ClockRule | None]]] = {
    "preset": _preset,
    "base": _increment,
    "bank": _bank,
}


def _with_rest(rule: ClockRule, document: Mapping[str, Any]) -> ClockRule:
    if_late, weekends = document.get("if_late", rule.if_late), document.get("weekends", rule.weekends)
    absences = document.get("absences", rule.absences)
    if if_late not in POLICIES:
        raise RuleError("if_late", _("{name!r} is none of {names}.").format(name=if_late, names=", ".join(POLICIES)))
    if weekends is not None and not _is_zone(weekends):
        raise RuleError(
            "weekends",
            _("{name!r} is no time zone such as Europe/Zurich, whose weekends stop the clocks.").format(name=weekends),
        )
    if not isinstance(absences, bool):
        raise RuleError("absences", _("Write true if players may be absent, and false if they may not."))
    return replace(rule, if_late=if_late, weekends=weekends, absences=absences)


def _duration(document: Mapping[str, Any], name: str, least: int, most: int) -> int:
    text = document[name]
    if not isinstance(text, str):
        raise RuleError(name, _("A duration is a text such as P3D or PT12H."))
    try:
        seconds = read_duration(text)
    except DurationError as error:
        raise RuleError(name, str(error)) from error
    if not least <= seconds <= most:
        bounds = _("{text} is out of bounds: it has to be {least} to {most} here.")
        raise RuleError(name, bounds.format(text=text, least=write_duration(least), most=write_duration(most)))
    return seconds


def _is_zone(name: object) -> bool:
    try:
        return isinstance(name, str) and name not in ("", "localtime", "Factory") and ZoneInfo(name) is not None
    except (KeyError, OSError, ValueError):
        return False


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names))
