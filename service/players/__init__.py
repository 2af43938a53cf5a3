"""The use cases of a player: accounts and tokens."""
