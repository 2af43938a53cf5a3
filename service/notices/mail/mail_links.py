"""The links of a mail: all lead to pages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MailLinks:
    """Addresses of pages; an empty one is not in the mail.

    ``match`` is the page of the match, ``rules`` that of the rules of its game. ``stop_match``,
    ``stop_kind`` and ``stop_everything`` lead to a page that stops mails to a player, about this
    match, of this kind or all; ``never_again`` to one that stops all mails to an address that
    belongs to no player.
    """

    match: str = ""
    rules: str = ""
    stop_match: str = ""
    stop_kind: str = ""
    stop_everything: str = ""
    never_again: str = ""


def unsigned(base_url: str, match_id: str | None, game: str | None) -> MailLinks:
    """The links that are the same for everybody."""
    base = base_url.rstrip("/")
    return MailLinks(
        match=f"{base}/matches/{match_id}" if match_id else "",
        rules=f"{base}/games/{game}/rules" if game else "",
    )
