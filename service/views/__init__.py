"""What a player or spectator may see of a match: board, observation, log, record."""
