"""The links in mails: all lead to pages, and those that act for somebody are signed.

Opening any of them changes nothing, because programs that scan mails open links: the page has a
button. Only the one-click request of a mail program (RFC 8058), which is a POST, acts by itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import quote, urlencode

from service.signing import Keys, is_signed, sign

SIGN_IN: Final = "sign-in"
UNSUBSCRIBE: Final = "unsubscribe"
NEVER_AGAIN: Final = "never-again"
SIGN_IN_LASTS: Final = timedelta(days=30)
"""How long the links of a mail sign in whoever follows them; afterwards the page asks for more."""
EVERYTHING: Final = "all"
_WHAT: Final = re.compile(r"all|m\.[a-z0-9-]{1,20}|k\.[a-z_]{1,40}")


@dataclass(frozen=True, slots=True)
class SignIn:
    """Who is signed in by a link, the page of this service that they wanted, and when the link was
    made.
    """

    player_id: str
    path: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """Who wants no more mails about what: ``all``, ``m.`` and a match, or ``k.`` and a kind of
    mails.
    """

    player_id: str
    what: str

    @property
    def match_id(self) -> str | None:
        """The match that is meant."""
        return self.what[2:] if self.what.startswith("m.") else None

    @property
    def kind(self) -> str | None:
        """The kind of mails that is meant."""
        return self.what[2:] if self.what.startswith("k.") else None


def of_match(player_id: str, match_id: str) -> Unsubscribe:
    """No more mails about a match."""
    return Unsubscribe(player_id, f"m.{match_id}")


def of_kind(player_id: str, kind: str) -> Unsubscribe:
    """No more mails of a kind."""
    return Unsubscribe(player_id, f"k.{kind}")


def of_everything(player_id: str) -> Unsubscribe:
    """No more mails at all."""
    return Unsubscribe(player_id, EVERYTHING)


def match_page(base_url: str, match_id: str) -> str:
    """The page of a match."""
    return f"{base_url.rstrip('/')}{match_path(match_id)}"


def match_path(match_id: str) -> str:
    """The path of that page."""
    return f"/matches/{match_id}"


def rules_page(base_url: str, game: str) -> str:
    """The page of a game's rules."""
    return f"{base_url.rstrip('/')}/games/{game}/rules"


def sign_in_link(keys: Keys, base_url: str, player_id: str, path: str, now: datetime) -> str:
    """A link that leads a player to a page of this service, ``path``, and signs them in there. It
    can be used for ``SIGN_IN_LASTS``.
    """
    until = int((now + SIGN_IN_LASTS).timestamp())
    signature = sign(keys, SIGN_IN, _sign_in_text(player_id, path, until))
    fields = {"player": player_id, "to": path, "until": until, "signature": signature}
    return f"{base_url.rstrip('/')}/sign-in?{urlencode(fields, safe='/')}"


def read_sign_in(
    keys: Keys, player_id: str, path: str, until: str, signature: str, now: datetime
) -> tuple[SignIn, bool] | None:
    """Who is signed in by the fields of such a link, and whether it can still be used; ``None``
    unless the service signed it.
    """
    if not re.fullmatch(r"\d{1,11}", until, re.ASCII):
        return None
    if not is_signed(keys, SIGN_IN, _sign_in_text(player_id, path, int(until)), signature):
        return None
    last = datetime.fromtimestamp(int(until), UTC)
    return SignIn(player_id, path, last - SIGN_IN_LASTS), now <= last


def unsubscribe_link(keys: Keys, base_url: str, wanted: Unsubscribe) -> str:
    """A link to the page that stops such mails; a one-click POST to it does so at once. It can be
    used for good.
    """
    fields = {"player": wanted.player_id, "what": wanted.what, "signature": signed_unsubscribe(keys, wanted)}
    return f"{base_url.rstrip('/')}/unsubscribe?{urlencode(fields)}"


def signed_unsubscribe(keys: Keys, wanted: Unsubscribe) -> str:
    """The signature that the link, or the address for it, has."""
    return sign(keys, UNSUBSCRIBE, f"{wanted.player_id} {wanted.what}")


def read_unsubscribe(keys: Keys, player_id: str, what: str, signature: str) -> Unsubscribe | None:
    """Who wants no more mails about what; ``None`` unless the service signed it."""
    wanted = Unsubscribe(player_id, what)
    if not _WHAT.fullmatch(what) or not is_signed(keys, UNSUBSCRIBE, f"{player_id} {what}", signature):
        return None
    return wanted


def never_again_link(keys: Keys, base_url: str, folded: str) -> str:
    """A link to the page by which an address, ``folded`` as addresses are compared, gets no mail
    from this service again. It can be used for good.
    """
    signature = sign(keys, NEVER_AGAIN, folded)
    return f"{base_url.rstrip('/')}/never-again?address={quote(folded, safe='@')}&signature={signature}"


def read_never_again(keys: Keys, folded: str, signature: str) -> bool:
    """Whether the service signed such a link for that address."""
    return is_signed(keys, NEVER_AGAIN, folded, signature)


def _sign_in_text(player_id: str, path: str, until: int) -> str:
    return f"{player_id} {until} {path}"
