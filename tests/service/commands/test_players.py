"""``overland players`` and ``overland audit``: what an operator sees of players, and does."""

from __future__ import annotations

import json
import os
import pwd

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.context import Context
from service.players import bots, own_addresses, tokens
from service.store import players as rows
from service.store.players import Player
from tests.service.fakes import notices, person, person_with_token, started

WHY = ("--reason", "Rude  words.")


def run(context: Context, *arguments: str, **environ: str) -> Result:
    known = {
        "OVERLAND_DATA_DIR": str(context.settings.data_dir),
        "OVERLAND_DATABASE_URL": context.database.url.render_as_string(hide_password=False),
        "OVERLAND_REDIS_URL": "redis://127.0.0.1:1/0",
        "SUDO_USER": "",
    }
    return CliRunner().invoke(main, list(arguments), env=known | environ)


def done(context: Context, *arguments: str, **environ: str) -> str:
    result = run(context, *arguments, **environ)
    assert result.exit_code == 0, result.output
    return result.output


def now(context: Context, player: Player) -> Player:
    with context.database.read() as connection:
        found = rows.find(connection, player.id)
    assert found is not None
    return found


def test_players_are_found_by_parts_of_name_and_address(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela", "bela_x@example.com")
    assert {line.split()[0] for line in done(context, "players").splitlines()} == {ada.id, bela.id}
    assert done(context, "players", "list", "EXAMPLE.com").splitlines() == [
        f"{bela.id}  Bela, bela_x@example.com: confirmed, here since {bela.created_at:%Y-%m-%d %H:%M} UTC"
    ]
    assert "No player" in done(context, "players", "list", "a%x")
    document = json.loads(done(context, "players", "list", "ada", "--json"))
    assert (document["id"], document["status"]) == (ada.id, "confirmed")


@pytest.mark.usefixtures("pearls")
def test_one_player_is_shown_with_what_helps_them(context: Context) -> None:
    table = started(context, "pearls")
    ada = table.players[0]
    bots.make(context, ada, "Mine")
    tokens.sign_in(context, ada)
    shown = done(context, "players", "show", "ADA@example.org")
    assert f"match {table.match.id}: pearls" in shown
    assert "awaits them" in shown
    assert "address ada@example.org: confirmed" in shown
    assert "browsers: 1, the latest signed in" in shown
    assert "of the bot Mine bot" in shown
    assert "never used" in shown
    assert done(context, "players", "show", "Ada") == done(context, "players", "show", ada.id) == shown


def test_no_secret_is_shown_and_no_control_character(context: Context) -> None:
    ada, secret = person_with_token(context, "Ada")
    cookie = tokens.sign_in(context, ada)
    done(context, "players", "suspend", "Ada", "--reason", "\x1b[2J\x07 Rude.")
    for words in (("show", "Ada"), ("list",), ("export", "Ada", *WHY)):
        shown = done(context, "players", *words)
        assert secret not in shown
        assert cookie not in shown
        assert "\x1b" not in shown


def test_suspending_and_lifting_name_who_did_it_and_why(context: Context) -> None:
    ada = person(context, "Ada")
    done(context, "players", "suspend", "Ada", *WHY)
    assert now(context, ada).suspended_for == "Rude words."
    assert f"{ada.id}  Ada" in done(context, "players", "list", "--suspended")
    again = run(context, "players", "suspend", "Ada", *WHY)
    assert (again.exit_code, again.stderr) == (2, "Ada is suspended already.\n")
    done(context, "players", "lift", "Ada", "--reason", "Sorry.", SUDO_USER="ann")
    assert now(context, ada).suspended_at is None
    me = pwd.getpwuid(os.geteuid()).pw_name
    by = f"ann as {me}" if me != "ann" else me
    latest, first = done(context, "audit").splitlines()
    assert latest.endswith(f"{by}: lifted {ada.id}: Sorry.")
    assert first.endswith(f"{me}: suspended {ada.id}: Rude words.")
    assert done(context, "audit", "--player", "Ada").splitlines() == [latest, first]
    assert "There is no player Adda" in run(context, "audit", "--player", "Adda").stderr
    assert [json.loads(line)["act"] for line in done(context, "audit", "--json").splitlines()] == [
        "lifted",
        "suspended",
    ]


@pytest.mark.parametrize("act", ["suspend", "lift", "revoke-tokens", "sign-out", "export", "erase"])
def test_every_act_needs_a_player_and_a_reason(context: Context, act: str) -> None:
    person(context, "Ada")
    unknown = run(context, "players", act, "nobody@example.org", *WHY)
    assert unknown.exit_code == 2
    assert "There is no player nobody@example.org" in unknown.stderr
    assert run(context, "players", act, "Ada").exit_code == 2
    blank = run(context, "players", act, "Ada", "--reason", " ", "--yes") if act == "erase" else None
    blank = blank or run(context, "players", act, "Ada", "--reason", " ")
    assert blank.stderr == "Say why: --reason is empty.\n"
    assert "Nothing was done yet." in done(context, "audit")


def test_a_changed_address_is_proven_by_its_owner(context: Context) -> None:
    ada = person(context, "Ada")
    assert "asks its owner to confirm it" in done(context, "players", "change-address", "Ada", "a@example.com", *WHY)
    own_addresses.confirm(context, notices(context, "confirm_another_address")[-1].payload["token"])
    assert now(context, ada).email == "a@example.com"


def test_a_bot_gets_no_address(context: Context) -> None:
    bot, *_ = bots.make(context, person(context, "Ada"), "Greedy")
    refused = run(context, "players", "change-address", bot.id, "bela@example.org", *WHY)
    assert (refused.exit_code, refused.stderr) == (2, "A bot has no address: change that of its owner.\n")
    assert own_addresses.of_player(context, bot) == ()
    assert "Nothing was done yet." in done(context, "audit")


def test_what_gives_access_ends_at_once(context: Context) -> None:
    ada, secret = person_with_token(context, "Ada")
    cookie = tokens.sign_in(context, ada)
    done(context, "players", "revoke-tokens", "Ada", *WHY)
    done(context, "players", "sign-out", "Ada", *WHY)
    assert tokens.recognise_at(context, secret, None)[0] is None
    assert tokens.signed_in(context, cookie) is None


@pytest.mark.usefixtures("pearls")
def test_an_export_is_what_the_player_would_get(context: Context) -> None:
    ada = started(context, "pearls").players[0]
    found = json.loads(done(context, "players", "export", "Ada", *WHY))
    assert found["players"][0]["id"] == ada.id
    assert found["audit"][0]["act"] == "exported"


@pytest.mark.usefixtures("pearls")
def test_who_is_erased_is_nowhere_in_the_audit_log_but_by_the_id(context: Context) -> None:
    ada = started(context, "pearls").players[0]
    done(context, "players", "suspend", "Ada", "--reason", "Ada was rude.")
    assert run(context, "players", "erase", "Ada", *WHY).exit_code == 1
    done(context, "players", "erase", "Ada", *WHY, "--yes")
    assert now(context, ada).left_at is not None
    assert now(context, ada).suspended_at is None
    log = done(context, "audit")
    assert "rude" not in log.lower()
    assert [line.split()[-2:] for line in log.splitlines()] == [["erased", ada.id], ["suspended", ada.id]]
    assert run(context, "players", "lift", ada.id, *WHY).stderr == f"{ada.id} has left for good.\n"
