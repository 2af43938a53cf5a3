"""Questions in words, for mails, answers and pages."""

from __future__ import annotations

from collections.abc import Sequence

from engine.documents import from_document
from engine.record import EarlyEnd
from engine.wording import listed
from service.statuses import OfferKind
from service.store.matches import StoredMatch
from service.texts import gettext as _
from service.texts import ngettext


def offer_words(kind: OfferKind, days: int, by: str, whose: str, to: str) -> str:
    """What ``by`` offers: ``whose`` time is to be extended, or who is away from a match that is to
    end; ``to`` is who is to have the seat, if that is known.
    """
    match kind:
        case "extend":
            says = _("{name} asks for a day more for this turn.")
            if whose != by:
                says = _("{name} offers a day more for this turn of {whose}.")
            return says.format(name=by, whose=whose)
        case "end":
            return _("{name} offers to end the match now, with the standing.").format(name=by)
        case "draw":
            return _("{name} offers a draw: the match ends now, and all who play share the first rank.").format(name=by)
        case "call_off":
            return _("{name} offers to call the match off: it ends now, without a result.").format(name=by)
        case "abandon":
            says = _("{name} asks to end the match as abandoned, without a result, as it has to do without {whose}.")
            return says.format(name=by, whose=whose)
        case "hand_over" if to:
            return _("{name} offers to hand their seat to {to}, who has agreed to take it.").format(name=by, to=to)
        case "hand_over":
            return _("{name} wants to hand their seat over, and has asked somebody by mail.").format(name=by)
        case "pause":
            return ngettext(
                "{name} offers a pause of {n} day, in which all clocks stand still.",
                "{name} offers a pause of {n} days, in which all clocks stand still.",
                days,
            ).format(name=by, n=days)


def rule_words(kind: OfferKind, asked: Sequence[str], away: Sequence[str], until: str, ends: str) -> tuple[str, ...]:
    """Whose word an offer needs, what silence means, and that it lapses ``until`` then. ``away``
    are those without whose word the match can end as abandoned, after ``ends``.
    """
    there = [name for name in asked if name not in away]
    needs = _("It needs the word of {names}.").format(names=listed(there)) if there else ""
    match kind:
        case "pause" | "extend":
            silence = _(
                "Silence is no consent. Who has days off, or a bot at their seat, is passed over three days after the"
                " offer, or after they left if that was later."
            )
        case "abandon":
            silence = _(
                "It needs no word of {names}: the match ends without one, not before {moment}, when they have been away"
                " for 14 days, and three days after they were asked again. If they come back or decline, it goes on."
            ).format(names=listed(list(away)), moment=ends)
        case "end" | "draw" | "call_off" | "hand_over":
            silence = _("Silence accepts nothing, also of who has days off or a bot at their seat.")
    lapses = _("It lapses on {moment}.").format(moment=until)
    if kind == "extend":
        lapses = _("It lapses with this turn, and on {moment} at the latest.").format(moment=until)
    return tuple(sentence for sentence in (needs, silence, lapses) if sentence)


def how_to_answer(number: int) -> str:
    """How that question is answered by a reply to the mail that asks it, and by others."""
    return _(
        'Reply to this mail with "accept" or "decline". In any other mail of this match, write "accept {number}" or'
        ' "decline {number}".'
    ).format(number=number)


def declined_words(kind: OfferKind, by: str | None) -> str:
    """That ``by`` has declined an offer; ``None`` is whoever was asked to take a seat."""
    if by is None:
        return _("Whoever was to have the seat has declined.")
    said = {
        "pause": _("{name} has declined a pause."),
        "extend": _("{name} has declined a day more for this turn."),
        "end": _("{name} has declined to end the match with the standing."),
        "draw": _("{name} has declined a draw."),
        "call_off": _("{name} has declined to call the match off."),
        "abandon": _("{name} has declined to end the match: it is not abandoned."),
        "hand_over": _("{name} has declined that the seat is handed over."),
    }
    return said[kind].format(name=by)


def accepted_words(by: str, accepted: Sequence[str], passed: Sequence[str]) -> tuple[str, ...]:
    """Who has accepted what ``by`` offered, and over whom it passed."""
    says = _("{names} agreed to what {by} offered.").format(names=listed(accepted), by=by) if accepted else ""
    over = _("{names} did not answer: who is away is passed over after three days.").format(names=listed(passed))
    return tuple(sentence for sentence in (says, over if passed else "") if sentence)


def agreed_words(kind: OfferKind, by: str, whose: str, to: str, until: str) -> tuple[str, ...]:
    """What follows from an offer of ``by`` that was accepted; a pause lasts ``until`` then."""
    match kind:
        case "extend":
            return (_("{whose} has a day more for this turn.").format(whose=whose),)
        case "hand_over":
            return (_("{to} has the seat of {name} from now on.").format(to=to, name=by),)
        case "pause":
            return (
                _("The match is paused until {moment}, and all clocks stand still.").format(moment=until),
                _('Everybody may play all the same. "resume" ends the pause, with a day\'s notice.'),
            )
        case "end" | "draw" | "call_off" | "abandon":
            return (_("The match ends now. A mail has the result, and what was hidden."),)


def ended_words(match: StoredMatch) -> str:
    """Why a match that was played has ended without a result; empty for any other."""
    if match.early_end is None or match.outcome is not None:
        return ""
    end: EarlyEnd = from_document(EarlyEnd, match.early_end)
    names, alone = listed(match.names[seat] for seat in end.seats), len(end.seats) == 1
    if end.how == "abandoned":
        away = listed(match.names[seat.seat] for seat in match.seats if seat.is_owned and seat.seat not in end.seats)
        return _(
            "{names} asked to end it. {away} had been away for 14 days or longer, and had been asked twice."
        ).format(names=names, away=away)
    return (
        _("{names}, the only player left, called it off.") if alone else _("{names} agreed to call it off.")
    ).format(names=names)
