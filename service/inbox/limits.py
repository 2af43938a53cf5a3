"""How much may come in."""

from __future__ import annotations

from typing import Final

from service.rates import Limit

MOST_BYTES: Final = 2 * 1024 * 1024
"""Of a mail. A reply with our mail in it, picture and all, has 0.2 MB."""
PARSING_SECONDS: Final = 1.0
"""Of processor time, to open a mail, and to tell what of it was typed. Both take some hundredths; a
process that takes longer is ended, and the mail waits in the slow lane.
"""
LONGEST_LINE: Final = 65_536
"""Bytes. Mail programs write at most 998 (RFC 5322, section 2.1.1), and some do not."""
MOST_RECIPIENTS: Final = 20
"""Of one mail; the mail server in front sends the same mail again for further ones (RFC 5321,
section 4.5.3.1.10).
"""
MOST_CONNECTIONS: Final = 200
CONNECTION_SECONDS: Final = 120.0
"""How long a command, or the transfer of a mail, may take."""
MOST_REFUSED: Final = 20
"""Recipients that are refused in one connection before it is closed."""
FROM_ONE_SENDER: Final = Limit("mails in", 120, 3600)
"""Mails that are taken from one envelope sender."""
