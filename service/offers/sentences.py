"""Offers in words, for mails, answers and pages."""

from __future__ import annotations

from service.store.offers import OfferKind
from service.texts import gettext as _
from service.texts import ngettext


def offer_words(kind: OfferKind, days: int, by: str, whose: str) -> str:
    """What ``by`` offers, as a sentence; ``whose`` time is to be extended."""
    if kind == "extend":
        return _("{name} offers a day more for this turn of {whose}.").format(name=by, whose=whose)
    return ngettext(
        "{name} offers a pause of {n} day, in which all clocks stand still.",
        "{name} offers a pause of {n} days, in which all clocks stand still.",
        days,
    ).format(name=by, n=days)


def agreed_words(kind: OfferKind, whose: str, until: str) -> tuple[str, ...]:
    """What follows from an offer that was accepted; a pause lasts ``until`` then."""
    if kind == "extend":
        return (_("It is agreed: {whose} has a day more for this turn.").format(whose=whose),)
    return (
        _("It is agreed: the match is paused until {moment}, and all clocks stand still.").format(moment=until),
        _('Everybody may play all the same. "resume" ends the pause, with a day\'s notice.'),
    )
