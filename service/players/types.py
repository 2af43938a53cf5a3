"""Result types of the use cases of a player."""

from service.store.players import Player
from service.store.tokens import Token

__all__ = ["Player", "Token"]
