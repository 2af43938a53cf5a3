"""Replies as mail programs write them, and what each must do; built around real mails of ours."""
