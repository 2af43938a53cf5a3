"""What can go wrong with a message while it is handled."""

from __future__ import annotations


class HandlingCrashed(Exception):
    """Handling a message ended its process, or took too long. The message is a sentence."""


class HandlingWaited(Exception):
    """Handling was given up for something that is no fault of the message. The message is a
    sentence.
    """


class HandlingFailed(Exception):
    """Handling a message raised an exception in its process. The message names it."""
