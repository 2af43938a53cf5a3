"""Signatures of the service, for addresses and links in mails, and texts that it seals for itself.

A signature is bound to a purpose, so that one for one thing is none for another. It consists of
letters and digits only, and survives lower-casing. Keys rotate: the newest signs, and all that ever
signed verify, since mails are answered for months; but those that the operator has retired.

Whoever holds a sealed text can neither read nor change it; it is bound to a purpose, too.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from nacl.exceptions import CryptoError
from nacl.secret import SecretBox
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.context import Issuing
from service.errors import Conflict, NotFound
from service.store import audit, outbox
from service.store import tokens as rows
from service.store.audit import Operator
from service.store.tokens import SigningKey

SECRET_BYTES: Final = 32
SIGNATURE_BYTES: Final = 10
"""80 bits, which nobody finds by trying."""
SIGNATURE_LENGTH: Final = 16
GRACE: Final = timedelta(minutes=1)
"""A new key signs after that time: by then all processes have read it, and a mail that is sent
again is signed by the same key.
"""


@dataclass(frozen=True, slots=True)
class Keys:
    """All keys, oldest first and at least one, and the one that signs."""

    every: tuple[SigningKey, ...]
    signing: SigningKey

    def as_of(self, moment: datetime) -> Keys:
        """The same, with the key that signed at that moment: what is dated by a notice is the same
        whenever it is composed.
        """
        begun = [key for key in self.verifying if key.signs_from <= moment]
        return Keys(self.every, begun[-1] if begun else self.verifying[0])

    @property
    def verifying(self) -> tuple[SigningKey, ...]:
        """Those that verify what they signed: all but the retired ones, and at least one."""
        return tuple(key for key in self.every if key.retired_at is None)


def keys_of(context: Issuing) -> Keys:
    """The keys, of which the present one signs. Makes the first one where there is none."""
    with context.database.read() as connection:
        return read_keys(connection, context)


def read_keys(connection: Connection, context: Issuing) -> Keys:
    """The same, by a connection that reads."""
    now = context.clock()
    found = rows.every_signing_key(connection) or _first(context, now)
    return Keys(found, found[0]).as_of(now)


def rotate(context: Issuing) -> SigningKey:
    """Adds a key, which signs from ``GRACE`` on; the earlier ones verify as before."""
    keys_of(context)
    with context.database.write() as connection:
        return _add(connection, context, rows.every_signing_key(connection), context.clock() + GRACE)


@dataclass(frozen=True, slots=True)
class Retired:
    """A key that was retired. It signed from ``since`` to ``until``, in which time so many
    ``mails`` were sent, whose addresses and links lead nowhere now.
    """

    number: int
    since: datetime
    until: datetime
    mails: int


def retire(context: Issuing, number: int, by: Operator) -> Retired:
    """Has a key verify nothing from now on. Raises ``NotFound``, and ``Conflict`` for the one that
    signs, or will sign, and for one that is retired.
    """
    with context.database.write() as connection:
        now, known = context.clock(), rows.every_signing_key(connection)
        key = next((each for each in known if each.number == number), None)
        if key is None:
            raise NotFound(f"There is no key {number}.")
        if key.retired_at is not None:
            raise Conflict(f"Key {number} is retired already.")
        later = [each for each in known if each.number > number and each.retired_at is None]
        until = min((each.signs_from for each in later), default=now)
        if until >= now:
            sentence = f"Key {number} signs: `overland keys rotate` adds another, which signs a minute later."
            raise Conflict(sentence)
        rows.retire_signing_key(connection, number, now)
        audit.note(connection, by, "key_retired", now, subject=str(number))
        return Retired(number, key.signs_from, until, outbox.sent_between(connection, key.signs_from, until))


def service_name(context: Issuing) -> str:
    """A name that no other service has, and that does not change: its first key gives it."""
    return name_of(keys_of(context), "service", "")


def sign(keys: Keys, purpose: str, text: str) -> str:
    """The signature of a text for a purpose: ``SIGNATURE_LENGTH`` characters of lower-case base32,
    and the number of the key in such digits.
    """
    return _mac(keys.signing, purpose, text) + _numeral(keys.signing.number)


def is_signed(keys: Keys, purpose: str, text: str, signature: str) -> bool:
    """Whether any of the keys signed the text for that purpose; letters may be of either case."""
    folded = signature.lower()
    if not folded.isascii() or not folded.isalnum() or not SIGNATURE_LENGTH < len(folded) <= SIGNATURE_LENGTH + 4:
        return False
    mac, numeral = folded[:SIGNATURE_LENGTH], folded[SIGNATURE_LENGTH:]
    key = next((key for key in keys.verifying if _numeral(key.number) == numeral), None)
    return key is not None and hmac.compare_digest(_mac(key, purpose, text).encode(), mac.encode())


def seal(keys: Keys, purpose: str, text: str) -> str:
    """The text, encrypted, in characters of base64 for addresses (RFC 4648, section 5)."""
    return base64.urlsafe_b64encode(_box(keys.signing, purpose).encrypt(text.encode())).decode().rstrip("=")


def unseal(keys: Keys, purpose: str, sealed: str) -> str | None:
    """The text that any of the keys sealed for that purpose; ``None`` where none did."""
    try:
        box = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
    except (binascii.Error, ValueError):
        return None
    for key in reversed(keys.verifying):
        try:
            return _box(key, purpose).decrypt(box).decode()
        except (CryptoError, ValueError):
            continue
    return None


def name_of(keys: Keys, purpose: str, text: str) -> str:
    """A name for a text, by which nobody can tell it, and that does not change."""
    return _mac(keys.every[0], purpose, text)


def _box(key: SigningKey, purpose: str) -> SecretBox:
    return SecretBox(hmac.digest(key.secret, f"seal\0{purpose}".encode(), hashlib.sha256))


def _first(context: Issuing, now: datetime) -> tuple[SigningKey, ...]:
    try:
        with context.database.write() as connection:
            return rows.every_signing_key(connection) or (_add(connection, context, (), now),)
    except IntegrityError:  # another process made it at the same time
        with context.database.read() as connection:
            return rows.every_signing_key(connection)


def _add(connection: Connection, context: Issuing, known: tuple[SigningKey, ...], signs_from: datetime) -> SigningKey:
    number = known[-1].number + 1 if known else 1
    key = SigningKey(number, context.entropy.random_bytes(SECRET_BYTES), signs_from)
    rows.add_signing_key(connection, key)
    return key


def _mac(key: SigningKey, purpose: str, text: str) -> str:
    """A truncated HMAC (RFC 2104, section 5) of SHA-256."""
    digest = hmac.digest(key.secret, f"{purpose}\0{text}".encode(), hashlib.sha256)
    return base64.b32encode(digest[:SIGNATURE_BYTES]).decode().lower()


def _numeral(number: int) -> str:
    """The number in base 32, most significant digit first."""
    high, low = divmod(number, 32)
    return (_numeral(high) if high else "") + "abcdefghijklmnopqrstuvwxyz234567"[low]
