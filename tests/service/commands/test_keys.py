"""``overland keys``: what an operator sees of the keys, and how they rotate."""

from __future__ import annotations

from datetime import datetime

from click.testing import CliRunner, Result

from service import signing
from service.cli import main
from service.context import Context
from service.signing import GRACE


def keys(context: Context, *arguments: str) -> Result:
    environ = {
        "OVERLAND_DATA_DIR": str(context.settings.data_dir),
        "OVERLAND_DATABASE_URL": context.database.url.render_as_string(hide_password=False),
    }
    return CliRunner().invoke(main, ["keys", *arguments], env=environ)


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
