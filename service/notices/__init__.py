"""Notices to players: the mails made from the outbox, and their delivery."""
