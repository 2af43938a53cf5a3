"""What operations refuse: the codes of their problems, which the description enumerates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from service.api.problems import KINDS

USUAL: Final[Mapping[int, tuple[str, ...]]] = {
    400: ("malformed_json", "bad_request"),
    401: ("unauthorized", "unknown_token"),
    403: ("missing_scope", "foreign_page", "not_for_guests", "suspended"),
    404: ("not_found",),
    409: ("idempotency_key_reused",),
    412: ("precondition_failed",),
    413: ("body_too_large",),
    415: ("unsupported_media_type",),
    422: ("invalid",),
    429: ("too_many_requests",),
    500: ("internal_error",),
    503: ("temporarily_unavailable", "database_replaced", "overloaded", "maintenance"),
}
"""The codes of the problems that operations share, by status."""
OF_MATCHES: Final[Mapping[int, tuple[str, ...]]] = {
    404: ("not_found", "match_not_found"),
    409: ("rules_version_missing",),
    503: (*USUAL[503], "match_unreadable"),
}
"""The same for operations of one match, where they differ."""


@dataclass(frozen=True, slots=True)
class Refused:
    """What an operation refuses: the codes of its problems by status, whether a game does, and the
    ``headers`` of what was judged.
    """

    operation: str
    codes: Mapping[int, tuple[str, ...]]
    by_game: bool
    headers: tuple[str, ...]

    def name_of(self, status: int) -> str:
        """The name of the component that describes its problems of a status. Operations with the
        same few codes beside the usual ones share one, which is named by these.
        """
        codes = self.codes[status]
        if not (self.by_game and status == HTTPStatus.UNPROCESSABLE_ENTITY):
            for head, usual in (("Problem", USUAL.get(status, ())), ("MatchProblem", OF_MATCHES.get(status, ()))):
                own = codes[len(usual) :]
                if codes[: len(usual)] == usual and len(own) <= MOST_NAMED:
                    return f"{head}{status}" + "".join(part.capitalize() for code in own for part in code.split("_"))
        return f"{self.operation[0].upper()}{self.operation[1:]}Problem{status}"


MOST_NAMED: Final = 2
"""Codes in the name of a component."""

REFUSED: Final[dict[str, Refused]] = {}
"""By endpoint."""


def codes_of(
    rule: str, problems: Iterable[str], *, private: bool, changes: bool, creates: bool
) -> dict[int, tuple[str, ...]]:
    """The codes of all problems that an operation of this route can answer, by status; ``problems``
    are its own. Raises ``KeyError`` for a code that no problem has.
    """
    statuses = {401, 415, 422, 429, 500, 503}
    statuses |= {403} if private else set()
    statuses |= {404} if "<" in rule else set()
    statuses |= {400, 412, 413} if changes else set()
    statuses |= {409} if creates else set()
    usual: dict[int, tuple[str, ...]] = dict(USUAL)
    if ":match>" in rule:
        statuses.add(409)
        usual |= OF_MATCHES
        usual[409] = (*USUAL[409], *OF_MATCHES[409]) if creates else OF_MATCHES[409]
    found = {status: usual[status] for status in statuses}
    for code in problems:
        status = KINDS[code].status
        found[status] = (*found.get(status, ()), code)
    return dict(sorted(found.items()))
