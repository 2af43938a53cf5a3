"""The mails about the ends of a match: ``match_started`` and ``match_over``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from service.notices.mail import commands, scores
from service.notices.mail.errors import CannotCompose
from service.notices.mail.match_mail import MatchMail
from service.notices.mail.turn import moves_shown
from service.texts import gettext as _
from service.texts import ngettext


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat in a mail, with its holder's name and nonce; ``you`` is the reader's."""

    name: str
    colour: str
    you: bool
    nonce: str | None


@dataclass(frozen=True, slots=True)
class Fairness:
    """What a player has to keep to check the draws after the match: sentences, the digest of the
    nonces, and the command that checks.
    """

    value: str
    texts: str
    keep: str
    digest: str
    command: str


def match_started(mail: MatchMail) -> dict[str, Any]:
    """The values of the first mail of a match that has started, which to whoever is awaited is that
    of their first turn, too. Raises ``CannotCompose``.
    """
    material = mail.material
    colours = material.game.info.seat_colours
    seats = [
        SeatShown(name, colours[seat % len(colours)], seat == mail.seat, nonce)
        for seat, (name, nonce) in enumerate(zip(material.names, material.nonces, strict=True))
    ]
    time = (*material.rule, *material.time)
    moves = moves_shown(mail.scene.moves, material.game.info.notation) if mail.is_awaited else None
    return {"seats": seats, "you": seats[mail.seat], "moves": moves, "fairness": fairness(mail), "time": time}


def match_over(mail: MatchMail) -> dict[str, Any]:
    """The values of the last mail of a match; one without a result has no ``sheet``. Raises
    ``CannotCompose``.
    """
    material, title = mail.material, mail.material.title or mail.material.game.info.title
    if material.secret is None:
        raise CannotCompose(f"Match {material.match_id} is not over.")
    if material.outcome is None:
        headline, ended = _("%(title)s has ended without a result") % {"title": title}, material.without_result
        sheet = None
    else:
        headline, ended = scores.headline(material.outcome, material.names, title), material.outcome.ended
        sheet = scores.sheet(material.outcome, material.names, mail.seat)
    late = [
        ngettext("The time of {name} was up once.", "The time of {name} was up {number} times.", number).format(
            name=name, number=number
        )
        for name, number in zip(material.names, material.timed_out, strict=False)
        if number
    ]
    return {
        "late": " ".join(late),
        "headline": headline,
        "ended": ended,
        "sheet": sheet,
        "score_sheet": "" if sheet is None else scores.as_text(sheet),
        "secret": material.secret,
        "verify_command": commands.verify(mail.base_url, material.match_id, material.game.info.name),
    }


def fairness(mail: MatchMail) -> Fairness:
    """What a player has to keep. Raises ``CannotCompose`` where a match has no nonces yet."""
    material = mail.material
    if material.nonces_digest is None:
        raise CannotCompose(f"Match {material.match_id} has no digest of its nonces.")
    return Fairness(
        value=_(
            "All draws come from a value that nobody is told until the match is over, and from a random text of each"
            " player. Before anybody sent a text, the service published this fingerprint of the value:"
        ),
        texts=_(
            "These are the texts. Check that yours is the one that you sent; for whoever sent none, the service made"
            " one."
        ),
        keep=_(
            "Proof that nobody can tamper with the draws: keep this mail. After the match the command below checks"
            " every draw, and finds out by the two fingerprints whether anything was exchanged. The second is that of"
            " all of the above:"
        ),
        digest=material.nonces_digest,
        command=commands.verify(
            mail.base_url,
            material.match_id,
            material.game.info.name,
            "--commitment",
            material.commitment,
            "--nonces",
            material.nonces_digest,
        ),
    )
