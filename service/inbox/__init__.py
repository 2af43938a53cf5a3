"""Mails that come in: stored, read, and acted on."""
