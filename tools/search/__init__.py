"""`overland search`: tries many component sets of a game and keeps the best."""
