"""What the use cases of a player answer."""

from service.store.players import Player
from service.store.tokens import Token

__all__ = ["Player", "Token"]
