"""What commands print: texts of others do nothing to the terminal of an operator, and forge no
line.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Connection

from service.cli import main
from service.context import Context
from service.loop import Loop
from service.store import addresses, audit, leasing
from service.store.audit import Operator
from service.store.leasing import Aside
from service.store.tables import messages, outbox, players
from tests.service.inbox.test_handling import arrived
from tests.service.notices.fakes import notify, seat_players

ROOT: Final = Path(__file__).parents[3]
HOSTILE: Final = "550 no\x1b[2J\x07\u202e\x9b1m\r\n  ok  all is well"
LINES: Final = "550 no\ufffd[2J\ufffd\ufffd\ufffd1m\ufffd\ufffd  ok  all is well"


def echoed(folder: str) -> Iterator[str]:
    """The calls below a folder that print something else than a fixed text."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Attribute(attr="echo" | "secho") | ast.Name(id="print"), args=[said, *_]):
                    if not isinstance(said, ast.Constant):
                        yield f"{path.relative_to(ROOT)}: {ast.unparse(said)}"


def test_only_what_replaces_control_characters_prints_texts() -> None:
    assert [*echoed("service/commands"), *echoed("workers")] == [
        "service/commands/components.py: registry.component_text(found.info.name, name)",  # a file of a game, as it is
        "service/commands/databases.py: printable(line)",
        "service/commands/status.py: '\\n'.join(_lines(standing))",  # has colours of its own
    ]


def dead_notice(context: Context, connection: Connection) -> None:
    connection.execute(outbox.update().values(status="dead", last_error=HOSTILE))


def bounced(context: Context, connection: Connection) -> None:
    player = connection.execute(players.select().limit(1)).one()
    addresses.count_bounce(connection, player.id, (), True, HOSTILE, context.clock())


def aside(context: Context, connection: Connection) -> None:
    leasing.set_aside(connection, Aside(Loop.CLOCKS, "m1", 9, 0, context.clock(), HOSTILE, kept=True))


def kept_mail(context: Context, connection: Connection) -> None:
    connection.execute(messages.update().values(status="kept", envelope_from=HOSTILE, reason=HOSTILE))


def suspended(context: Context, connection: Connection) -> None:
    connection.execute(
        players.update().values(name=players.c.id + HOSTILE, suspended_at=context.clock(), suspended_for=HOSTILE)
    )


def act(context: Context, connection: Connection) -> None:
    audit.note(connection, Operator(HOSTILE, HOSTILE), "exported", context.clock(), subject=HOSTILE)


def run(context: Context, *arguments: str) -> Result:
    place = {
        "OVERLAND_DATA_DIR": str(context.settings.data_dir),
        "OVERLAND_DATABASE_URL": context.database.url.render_as_string(hide_password=False),
    }
    result = CliRunner().invoke(main, arguments, env=place)
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize(
    ("prepare", "command"),
    [
        (dead_notice, ("outbox", "list")),
        (bounced, ("outbox", "bounced")),
        (aside, ("aside", "list")),
        (kept_mail, ("inbox", "list")),
        (suspended, ("players", "list")),
        (suspended, ("players", "show", "p-anna")),
        (act, ("audit",)),
    ],
)
def test_a_text_of_others_is_listed_on_its_line_without_what_a_terminal_obeys(
    context: Context, prepare: Callable[[Context, Connection], None], command: tuple[str, ...]
) -> None:
    seat_players(context)
    notify(context, "confirm_address", match_id=None, token="t0ken")
    arrived(context, b"From: anna@example.org\r\n\r\nhello\r\n")
    with context.database.write() as connection:
        prepare(context, connection)
    shown = run(context, *command).stdout
    assert LINES in shown
    assert all(line.isprintable() for line in shown.split("\n"))
    if command[1:] not in (("bounced",), ("show", "p-anna")):
        documents = run(context, *command, "--json").stdout
        assert documents.isascii()
        assert any(HOSTILE in str(value) for line in documents.splitlines() for value in json.loads(line).values())
