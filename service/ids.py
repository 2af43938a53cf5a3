"""The form of ids, names, codes and secrets, as the API describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.draws import NONCE_PATTERN

ID_PATTERN: Final = "^[A-Za-z0-9_-]{1,64}$"
NAME_PATTERN: Final = "^.{1,40}$"  # what is a name: ``service.addresses``

_CODE: Final = {"pattern": "^[a-z][a-z0-9_]{0,63}$"}
_DIGEST: Final = {"pattern": "^[0-9a-f]{64}$"}
_ID: Final = {"pattern": ID_PATTERN}
_NAME: Final = {"pattern": NAME_PATTERN}
FORMS: Final[Mapping[str, Mapping[str, str | int]]] = {
    "code": _CODE,
    "commitment": _DIGEST,
    "components_digest": _DIGEST,
    "components_name": _NAME,
    "cursor": {"pattern": "^[A-Za-z0-9_-]{1,300}$"},
    "digest": _DIGEST,
    "id": _ID,
    "match": _ID,
    "name": _NAME,
    "nonce": {"pattern": f"^{NONCE_PATTERN}$"},
    "nonces_digest": _DIGEST,
    "owner_id": _ID,
    "player": _NAME,
    "player_id": _ID,
    "secret": {"pattern": "^whsec_.{1,100}$"},
    "token": {"pattern": "^ovl_.{1,100}$"},
    "turn": {"pattern": "^[A-Za-z0-9._-]{1,100}$"},
    "url": {"format": "uri"},
}
"""By the name of a field, for all texts of that name that have no other form."""
