"""The form of the ids of players, matches, turns and of all else that has an address, and of names,
as the API describes them.
"""

from __future__ import annotations

from typing import Final

ID_PATTERN: Final = "^[A-Za-z0-9_-]{1,64}$"
NAME_PATTERN: Final = "^.{1,40}$"
"""What is a name: ``service.addresses``."""
