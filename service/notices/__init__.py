"""What players are told: the outbox, the mails made from it, and their delivery."""
