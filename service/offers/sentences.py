"""Offers in words, for mails, answers and pages."""

from __future__ import annotations

from service.store.offers import OfferKind
from service.texts import gettext as _
from service.texts import ngettext


def offer_words(kind: OfferKind, days: int, by: str, whose: str, to: str) -> str:
    """What ``by`` offers, as a sentence: ``whose`` time is to be extended; ``to`` is who is to have
    the seat, if that is known.
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
        "hand_over": _("{name} has declined that the seat is handed over."),
    }
    return said[kind].format(name=by)


def agreed_words(kind: OfferKind, by: str, whose: str, to: str, until: str) -> tuple[str, ...]:
    """What follows from an offer of ``by`` that was accepted; a pause lasts ``until`` then."""
    match kind:
        case "extend":
            return (_("It is agreed: {whose} has a day more for this turn.").format(whose=whose),)
        case "hand_over":
            return (_("It is agreed: {to} has the seat of {name} from now on.").format(to=to, name=by),)
        case "pause":
            return (
                _("It is agreed: the match is paused until {moment}, and all clocks stand still.").format(moment=until),
                _('Everybody may play all the same. "resume" ends the pause, with a day\'s notice.'),
            )
        case _:
            return (_("It is agreed: the match ends. A mail has the result, and what was hidden."),)
