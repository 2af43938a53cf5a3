"""OpenPGP in the text of a mail: what is signed is read, what is encrypted cannot be (RFC 9580)."""

from __future__ import annotations

import re
from typing import Final, Literal

_SIGNED: Final = re.compile(
    r"^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[A-Za-z-]+:[^\n]*\n)*[ \t]*\n"
    r"(?P<text>.*?)"
    r"(?:^-----BEGIN PGP SIGNATURE-----.*?(?:^-----END PGP SIGNATURE-----[ \t]*$|\Z)|\Z)",
    re.MULTILINE | re.DOTALL,
)
_ENCRYPTED: Final = re.compile(
    r"^-----BEGIN PGP (?:MESSAGE|PUBLIC KEY BLOCK)-----.*?(?:^-----END PGP [A-Z ]+-----[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"^- ", re.MULTILINE)


def without_armour(text: str) -> tuple[str, Literal["encrypted", "signed"] | None]:
    """The text that a signature frames, without dash-escapes (RFC 9580, section 7.1), and without
    encrypted blocks; and which of them there were.
    """
    if "-----BEGIN PGP " not in text:
        return text, None
    signed = _SIGNED.sub(lambda found: _ESCAPE.sub("", found["text"]), text)
    read = _ENCRYPTED.sub("", signed)
    if "-----BEGIN PGP MESSAGE-----" in signed and read != signed:
        return read, "encrypted"
    return read, "signed" if signed != text else None
