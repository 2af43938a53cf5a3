"""Plays for the bots that have seats of their own."""
