"""The mails ``match_started``, and ``match_over`` with its score sheet; both with the shell command
by which anybody checks the draws.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.types import Seat, ToldOutcome
from engine.wording import listed
from service.notices.mail.errors import CannotCompose
from service.notices.mail.match_mails import MatchMail
from service.texts import gettext as _
from service.texts import ngettext


def match_started(mail: MatchMail) -> dict[str, Any]:
    """The first mail of a match, also that of the first turn. Raises ``CannotCompose``."""
    material, colours = mail.material, mail.material.game.info.seat_colours
    seats = [
        {"name": name, "colour": colours[seat % len(colours)], "you": seat == mail.seat, "nonce": nonce}
        for seat, (name, nonce) in enumerate(zip(material.names, material.nonces, strict=True))
    ]
    time = (*material.rule, *material.time)
    return {"seats": seats, "you": seats[mail.seat], "fairness": _fairness(mail), "time": time}


def match_over(mail: MatchMail) -> dict[str, Any]:
    """The last mail; without a result it has no ``sheet``. Raises ``CannotCompose``."""
    material, title = mail.material, mail.material.title or mail.material.game.info.title
    if material.secret is None:
        raise CannotCompose(f"Match {material.match_id} is not over.")
    headline, ended, sheet = _("%(title)s has ended without a result") % {"title": title}, material.without_result, None
    if material.outcome is not None:
        headline, ended = won_words(material.outcome, material.names, title), material.outcome.ended.sentence
        sheet = score_sheet(material.outcome, material.names, mail.seat)
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
        "score_sheet": "" if sheet is None else sheet_text(sheet),
        "secret": material.secret,
        "verify_command": verify(mail.base_url, material.match_id, material.game.info.name, material.is_unlisted),
    }


def _fairness(mail: MatchMail) -> dict[str, str]:
    """What a player has to keep to check the draws. Raises ``CannotCompose`` without nonces."""
    material, digest = mail.material, mail.material.nonces_digest
    if digest is None:
        raise CannotCompose(f"Match {material.match_id} has no digest of its nonces.")
    options = ("--commitment", material.commitment, "--nonces", digest)
    return {
        "value": _(
            "All draws come from a value that nobody is told until the match is over, and from a random text of each"
            " player. Before anybody sent a text, the service published this fingerprint of the value:"
        ),
        "texts": _(
            "These are the texts. Check that yours is the one that you sent; for whoever sent none, the service made"
            " one."
        ),
        "keep": _(
            "Proof that nobody can tamper with the draws: keep this mail. After the match the command below checks"
            " every draw, and finds out by the two fingerprints whether anything was exchanged. The second is that of"
            " all of the above:"
        ),
        "digest": digest,
        "command": verify(mail.base_url, material.match_id, material.game.info.name, material.is_unlisted, *options),
    }


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The row of a seat: ``points`` in the order of the sheet's labels."""

    rank: int
    name: str
    you: bool
    points: tuple[int, ...]
    score: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet, best rank first."""

    labels: tuple[str, ...]
    rows: tuple[ScoreRow, ...]


def score_sheet(outcome: ToldOutcome, names: Sequence[str], mine: Seat | None) -> Sheet:
    """The score sheet: a column for every label of the details, then the score."""
    details = outcome.details or ((),) * len(names)
    labels = {line.code: line.label for lines in details for line in lines}
    rows = (
        ScoreRow(
            outcome.ranks[seat],
            name,
            seat == mine,
            tuple(sum(line.number for line in details[seat] if line.code == code) for code in labels),
            outcome.scores[seat],
        )
        for seat, name in enumerate(names)
    )
    return Sheet(tuple(labels.values()), tuple(sorted(rows, key=lambda row: row.rank)))


def sheet_text(sheet: Sheet) -> str:
    """The sheet transposed, narrow enough for text: a column per player, a line per label."""
    heads = [f"{row.rank}. {row.name}"[:14] for row in sheet.rows]
    edge = max(map(len, (*sheet.labels, _("Points"))))
    lines = [" " * edge + "".join(f"  {head:>14}" for head in heads)]
    lines += [
        f"{label:<{edge}}" + "".join(f"  {row.points[index]:>14}" for row in sheet.rows)
        for index, label in enumerate(sheet.labels)
    ]
    lines.append(f"{_('Points'):<{edge}}" + "".join(f"  {row.score:>14}" for row in sheet.rows))
    return "\n".join(lines)


def won_words(outcome: ToldOutcome, names: Sequence[str], title: str) -> str:
    """The sentence that says who won; alone, nobody wins, and the points are said."""
    if len(names) == 1:
        points = outcome.scores[0]
        said = ngettext(
            "{title} is over: {name} has {points} point.", "{title} is over: {name} has {points} points.", abs(points)
        )
        return said.format(title=title, name=names[0], points=points)
    winners = [names[seat] for seat in outcome.winners]
    if len(winners) == len(names):
        return _("{title} is over: everyone shares the victory.").format(title=title)
    if len(winners) > 1:
        return _("{title} is over: {players} share the victory.").format(title=title, players=listed(winners))
    return _("{title} is over: {name} has won.").format(title=title, name=winners[0])


def verify(base_url: str, match_id: str, game: str, is_unlisted: bool, *options: str) -> str:
    """Fetches the record, of an unlisted match with the reader's token, and checks it offline."""
    file = f"{game}-{match_id}.json"
    record = f"{base_url.rstrip('/')}/v1/matches/{match_id}/record"
    check = shlex.join(("overland", "verify", file, *options))
    token = ' -H "Authorization: Bearer $OVERLAND_TOKEN"' if is_unlisted else ""
    return f"curl -sS{token} {shlex.quote(record)} -o {shlex.quote(file)} && {check}"
