"""Notices as mails: composed from a row of the outbox, rendered from templates, sent by a
transport.
"""
