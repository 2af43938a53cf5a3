"""Webhooks: addresses of players, and of their matches, to which events are told by HTTP."""
