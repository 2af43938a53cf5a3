"""The start page: what the service is, its games, and links."""

from __future__ import annotations

from flask import Blueprint, render_template

from engine import registry


def add_pages(web: Blueprint, mails_shown: bool) -> None:
    """Adds the page at `/`."""

    def start() -> str:
        return render_template("start.html", games=registry.games().values(), mails_shown=mails_shown)

    web.add_url_rule("/", "start", start)
