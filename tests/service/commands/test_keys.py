"""``overland keys``: what an operator sees of the keys, and how they rotate."""

from __future__ import annotations

from datetime import datetime

from click.testing import CliRunner, Result

from service import signing
from service.cli import main
from service.context import Context
from service.notices.delivery import deliver_due
from service.signing import GRACE
from service.store.tables import signing_keys
from tests.service.fakes import later, person


def environ_of(context: Context) -> dict[str, str]:
    return {
        "OVERLAND_DATA_DIR": str(context.settings.data_dir),
        "OVERLAND_DATABASE_URL": context.database.url.render_as_string(hide_password=False),
    }


def keys(context: Context, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["keys", *arguments], env=environ_of(context))


def test_without_mails_there_is_no_key(context: Context) -> None:
    assert "no key yet" in keys(context).output


def test_a_rotation_adds_a_key_and_leaves_the_others(context: Context) -> None:
    before = signing.keys_of(context)
    rotated = keys(context, "rotate")
    assert rotated.exit_code == 0, rotated.output
    assert "Key 2 signs from" in rotated.output
    listed = keys(context, "list").output.splitlines()
    assert listed[0] == f"1  signs and verifies, signing from {before.signing.signs_from:%Y-%m-%d %H:%M:%S} UTC"
    assert listed[1].startswith("2  verifies, signing from ")
    second = datetime.fromisoformat(listed[1].removeprefix("2  verifies, signing from ").replace(" UTC", "+00:00"))
    assert second - before.signing.signs_from > GRACE


def test_a_secret_is_never_shown(context: Context) -> None:
    secret = signing.keys_of(context).signing.secret
    assert secret.hex() not in keys(context, "list").output


def test_a_retired_key_verifies_nothing_and_the_others_do(context: Context) -> None:
    person(context, "Ada")
    deliver_due(context)
    first = signing.keys_of(context)
    before = signing.sign(first, "reply", "text"), signing.seal(first, "seal", "text")
    assert "overland keys rotate" in keys(context, "retire", "1", "--reason", "Lost.", "--yes").stderr
    keys(context, "rotate")
    assert keys(context, "retire", "1", "--reason", "Lost.", "--yes").exit_code == 2  # the new one signs a minute later
    with context.database.write() as connection:
        connection.execute(
            signing_keys.update().where(signing_keys.c.number == 2).values(signs_from=context.clock() + GRACE)
        )
    later(context, minutes=2)
    after = signing.sign(signing.keys_of(context), "reply", "text")
    name = signing.service_name(context)
    told = keys(context, "retire", "1", "--reason", "Lost.", "--yes")
    assert told.exit_code == 0, told.output
    assert "1 mails of that time" in told.output
    now = signing.keys_of(context)
    assert not signing.is_signed(now, "reply", "text", before[0])
    assert signing.unseal(now, "seal", before[1]) is None
    assert signing.is_signed(now, "reply", "text", after)
    assert now.as_of(first.signing.signs_from).signing.number == 2
    assert signing.service_name(context) == name
    assert "1  retired on" in keys(context, "list").output
    assert "retired already" in keys(context, "retire", "1", "--reason", "Lost.", "--yes").stderr
    assert "There is no key 9" in keys(context, "retire", "9", "--reason", "Lost.", "--yes").stderr
    assert "key_retired 1: Lost." in CliRunner().invoke(main, ["audit"], env=environ_of(context)).output
