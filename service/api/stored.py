"""What is stored of a player, as the description has it: derived from the tables, so that a new
column is in it.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import JSON, Boolean, Column, Integer, Table, Text
from sqlalchemy.types import TypeEngine

from service.api.derived import Definitions, JsonSchema
from service.store.personal import PERSONAL, shown
from service.store.tables import Quoted, UtcDateTime, outbox

ROWS: Final = {
    "players": "You, and your bots.",
    "player_addresses": "Your addresses.",
    "address_undos": "Changes of your addresses that can be undone.",
    "confirmations": "When mails to confirm or sign in were used.",
    "tokens": "Your API tokens, without their secrets.",
    "browsers": "Browsers in which you are signed in.",
    "keyed_requests": "Requests that you sent with an idempotency key.",
    "reports": "What you have reported.",
    "audit": "What the host of the service has done about you.",
    "blocks": "Whom you have blocked.",
    "stops": "What you have stopped by a link in a mail.",
    "webhooks": "Your webhooks, without their secrets.",
    "match_preferences": "What you want to be mailed of single matches.",
    "notes": "Your notes.",
    "calendars": "That you have a calendar.",
    "calendar_entries": "What is in it.",
    "days_off": "Your days off.",
    "matches": "Matches that you have created, without their secrets.",
    "seats": "Your seats.",
    "turns": "Turns that you have submitted.",
    "clock_steps": "Extensions and days off of yours that moved clocks.",
    "chat_lines": "What you have said.",
    "events": "What was told to you alone.",
    "player_events": "Which events you could know of.",
    "outbox": "Mails and calls to you.",
}
"""What the rows of each table are."""

_TYPES: Final[tuple[tuple[type[TypeEngine[Any]], JsonSchema], ...]] = (
    (UtcDateTime, {"type": "string", "format": "date-time"}),
    (Boolean, {"type": "boolean"}),
    (Integer, {"type": "integer"}),
    (Text, {"type": "string"}),
    (Quoted, {"type": "string"}),
    (JSON, {"type": "string", "contentMediaType": "application/json"}),
)
STORED_ID: Final = "^[A-Za-z0-9._-]{1,100}$"
"""Some rows of the service itself, such as turns of clocks, have dots in theirs."""
_SUFFIXES: Final = {"_at": "When: ", "_id": "The id of: "}


def stored(definitions: Definitions) -> JsonSchema:
    """Everything that is stored of a player: the rows of each table."""
    tables = {each.column.table.name: each.column.table for each in PERSONAL if each.handed_out}
    parts = {
        name: {"description": ROWS[name], "type": "array", "items": _row(definitions, table)}
        for name, table in tables.items()
    }
    about = "Everything that is stored of you: rows, by the names of their tables; documents in them as JSON text."
    return definitions.define("Stored", _object(about, parts))


def _row(definitions: Definitions, table: Table) -> JsonSchema:
    name = "Stored" + "".join(part.capitalize() for part in table.name.split("_"))
    columns = {column.name: _column(column) for column in shown(table)}
    return definitions.define(name, _object(f"A row of `{table.name}`: {ROWS[table.name]}", columns))


def _column(column: Column[Any]) -> JsonSchema:
    head = next((words for suffix, words in _SUFFIXES.items() if column.name.endswith(suffix)), "")
    about = {"description": f"{head}{column.name.removesuffix('_at').removesuffix('_id').replace('_', ' ')}."}
    found = dict(next(schema for kind, schema in _TYPES if isinstance(column.type, kind)))
    if column.name == "id" or column.name.endswith("_id"):
        found |= {"pattern": STORED_ID}
    if column.nullable or column is outbox.c.payload:  # which is withheld where it has tokens
        found |= {"type": [found["type"], "null"]}
    return about | found


def _object(description: str, properties: JsonSchema) -> JsonSchema:
    return {
        "description": description,
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
