"""How players are mentioned in Discord and Slack: by the ids that they have named."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from service.context import Context
from service.players import preferences
from service.store.webhooks import WebhookFormat


def mentions_of(context: Context, player_ids: Collection[str], style: WebhookFormat) -> Mapping[str, str]:
    """The ids of those of these players who have named one, by player."""
    if style == "json":
        return {}
    with context.database.read() as connection:
        wanted = {each: preferences.effective(connection, each) for each in player_ids}
    named = {each: found.discord if style == "discord" else found.slack for each, found in wanted.items()}
    return {each: name for each, name in named.items() if name is not None}
