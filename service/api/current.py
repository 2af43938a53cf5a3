"""What a request works with: the wired service, kept in the application."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import current_app

if TYPE_CHECKING:
    from service.wiring import Overland

KEY = "overland"


def overland() -> Overland:
    """The wired service behind the application that answers this request."""
    return cast("Overland", current_app.extensions[KEY])
