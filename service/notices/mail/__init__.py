"""Notices as mails: composed, rendered from templates, and sent."""
