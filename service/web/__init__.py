"""Pages for browsers: start, documentation, confirmation of an address, and in development the
mails.
"""
