"""The settings: every form calls the use case of the API, and says beside it what was wrong."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html import unescape
from typing import Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service import links
from service.api.notices import ChangedPreferencesSchema
from service.context import Context
from service.kinds import MAILINGS, NoticeKind
from service.matches import days_off, lobby
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.players import accounts, blocks, bots, choosing, own_addresses, stopping, tokens
from service.players.preferences import CONFIRM, MAILS, REMINDERS
from service.store.players import Player
from service.web.players import PARTS
from service.webhooks import owning
from tests.service.fakes import holder, notices, person, sent_token
from tests.service.web.conftest import Browser, SignedIn

MAILS_FORM = {"mails": "digest", "digest_hour": "7", "reminders": "last", "confirm": "draws", "chat": "yes"}


@pytest.fixture
def ada(context: Context) -> Player:
    return person(context, "Ada")


@pytest.fixture
def browser(signed_in: SignedIn, ada: Player) -> Browser:
    """A browser in which Ada is signed in, without a proof."""
    return signed_in(ada)


@pytest.fixture
def proven(context: Context, browser: Browser, ada: Player) -> Browser:
    """The same, after the link of a mail was opened there."""
    browser.press(browser.get("/settings/addresses"), "/settings/addresses", do="prove")
    answer = browser.press(browser.get(f"/confirm?token={sent_token(context, ada.email)}"), "/confirm")
    assert answer.headers["Location"] == "/settings/addresses"
    return browser


def sent(browser: Browser, part: str, do: str, **typed: str) -> TestResponse:
    """What is answered to a form of a part."""
    path = f"/settings/{part}"
    return browser.press(browser.get(path), path, None, do=do, **typed)


def done(browser: Browser, part: str, do: str, **typed: str) -> str:
    """The page after a form was done."""
    answer = sent(browser, part, do, **typed)
    assert (answer.status_code, answer.headers.get("Location")) == (303, f"/settings/{part}?done={do}"), answer.text
    page = browser.get(answer.headers["Location"]).text
    assert 'class="note" role="status"' in page
    return unescape(page)


def wrong(answer: TestResponse, status: int, sentence: str, field: str = "") -> None:
    """That a form was refused with that sentence, beside the field where one is named."""
    assert answer.status_code == status
    text = unescape(answer.text).partition("<main")[2]
    if not field:
        assert re.search(rf'<p class="note warning" role="alert">[^<]*{re.escape(sentence)}', text)
        return
    found = re.search(rf'id="{field}".*?<span class="warning">(.*?)</span>', text, re.DOTALL)
    assert found is not None
    assert sentence in found[1]


def once(answer: TestResponse) -> str:
    """The secret that is shown this once."""
    found = re.search(r'<pre class="token"[^>]*>(.*?)</pre>', answer.text)
    assert answer.status_code == 201
    assert found is not None
    return unescape(found[1])


@pytest.mark.parametrize("part", PARTS)
def test_the_settings_are_for_who_is_signed_in(signed_in: SignedIn, browser: Browser, part: str) -> None:
    stranger = signed_in(None)
    assert stranger.get(f"/settings/{part}").headers["Location"] == "/sign-in"
    wrong(stranger.client.post(f"/settings/{part}", data={"do": "rename"}), 401, "Nothing was done: you are not")
    page = browser.get(f"/settings/{part}").text
    for other in PARTS:
        assert f'href="/settings/{other}"' in page
    assert browser.get("/settings").headers["Location"] == "/settings/you"


@pytest.mark.parametrize(("part", "do"), [(part, do) for part, found in PARTS.items() for do in found.acts])
def test_no_form_of_another_site_is_done(context: Context, browser: Browser, part: str, do: str) -> None:
    answer = browser.client.post(f"/settings/{part}", data={"do": do, "name": "Eve", "nonce": "x"})
    wrong(answer, 403, "This did not come from the page with the button")
    assert notices(context, "sign_in") == []


def test_what_creates_something_does_so_once_for_a_form_however_often_its_button_is_pressed(
    context: Context, browser: Browser, ada: Player
) -> None:
    page = browser.get("/settings/programs")
    for fields in (
        {"do": "issue", "label": "mine", "scope": "read", "expires_in": "0"},
        {"do": "make-bot", "name": "Rusty"},
        {"do": "enter", "format": "json", "url": "https://example.org/overland"},
    ):
        pressed = [browser.press(page, "/settings/programs", None, **fields) for _ in "ab"]
        assert once(pressed[0]) == once(pressed[1])
    issued = [token.label for token in tokens.of_player(context, ada)]
    assert issued.count("mine") == 1
    assert len(bots.of_player(context, ada)) == len(owning.of_player(context, ada)) == 1
    again = browser.press(browser.get("/settings/programs"), "/settings/programs", None, **fields)
    assert once(again) != once(pressed[0]), "a page that is shown anew is another form"
    page = browser.get("/settings/absences")
    taken = [browser.press(page, "/settings/absences", None, do="take", days="2", start="") for _ in "ab"]
    assert [answer.headers["Location"] for answer in taken] == ["/settings/absences?done=take"] * 2
    assert len(days_off.of_player(context, ada).items) == 1


def test_a_form_that_says_nothing_is_refused(browser: Browser) -> None:
    assert sent(browser, "you", "everything").status_code == 400


def test_the_name(context: Context, browser: Browser) -> None:
    person(context, "Bela")
    assert 'value="Ada Lovelace"' in done(browser, "you", "rename", name="Ada Lovelace")
    answer = sent(browser, "you", "rename", name="bela")
    wrong(answer, 409, "Another player is called bela")
    assert 'value="bela"' in answer.text
    wrong(sent(browser, "you", "rename", name=""), 422, "name", "rename-name")


def test_time_zone_and_hours(context: Context, browser: Browser, ada: Player) -> None:
    done(browser, "you", "time", time_zone="europe/zurich", quiet="22:00-07:00")
    wanted = choosing.wanted(context, ada)
    assert (wanted.time_zone, wanted.quiet) == ("Europe/Zurich", "22:00-07:00")
    done(browser, "you", "time", time_zone="Europe/Berlin", quiet="22:00-07:00")
    wrong(sent(browser, "you", "time", time_zone="Zurig", quiet=""), 422, "Did you mean", "time-time_zone")
    wrong(sent(browser, "you", "time", time_zone="UTC", quiet="late"), 422, "no quiet hours such as", "time-quiet")


def test_mails(context: Context, browser: Browser, ada: Player) -> None:
    done(browser, "mails", "mails", **MAILS_FORM, kind="verdict")
    wanted = choosing.wanted(context, ada)
    assert (wanted.mails, wanted.digest_hour, wanted.reminders, wanted.confirm) == ("digest", 7, "last", "draws")
    assert (wanted.merged, wanted.chat, wanted.text_only) == (False, True, False)
    assert "verdict" not in wanted.without
    assert "your_turn" in wanted.without
    wrong(sent(browser, "mails", "mails", **MAILS_FORM | {"digest_hour": "24"}), 422, "24", "mails-digest_hour")
    wrong(sent(browser, "mails", "mails", **MAILS_FORM | {"mails": "never"}), 422, "never", "mails-mails")
    answer = sent(browser, "mails", "mails", **MAILS_FORM | {"mails": "never", "chat": "", "merged": "yes"})
    assert '<input type="checkbox" name="merged" value="yes" checked>' in answer.text, "what was chosen is kept"
    page = browser.get("/settings/mails").text
    assert '<input type="checkbox" name="merged" value="yes">' in page
    for value in (*MAILS, *REMINDERS, *CONFIRM):
        assert f'<option value="{value}"' in page


@pytest.mark.parametrize("day", ["2027-03-27", "2027-10-30"])
def test_two_days_off_have_48_hours_also_where_the_clocks_change(
    context: Context, browser: Browser, ada: Player, day: str
) -> None:
    choosing.choose(context, ada, {"time_zone": "Europe/Zurich"})
    done(browser, "absences", "take", days="2", start=f"{day}T18:00")
    (taken,) = days_off.of_player(context, ada).items
    assert taken.end - taken.start == timedelta(hours=48)
    for start in ("0001-01-01T00:00", "9999-12-31T23:59"):
        wrong(sent(browser, "absences", "take", days="2", start=start), 422, "within a year", "take-start")


def test_absences(context: Context, browser: Browser, ada: Player) -> None:
    choosing.choose(context, ada, {"time_zone": "Europe/Zurich"})
    start = (context.clock() + timedelta(days=30)).strftime("%Y-%m-%dT18:00")
    page = done(browser, "absences", "take", days="2", start=start)
    (taken,) = days_off.of_player(context, ada).items
    assert taken.start.hour in (16, 17), "by the clock of the player"
    assert "Take them back" in page
    wrong(sent(browser, "absences", "take", days="two", start=""), 422, "Write how many whole days", "take-days")
    wrong(sent(browser, "absences", "take", days="2", start="soon"), 422, "Write when they begin", "take-start")
    wrong(sent(browser, "absences", "take", days="2", start=start), 409, "off")
    done(browser, "absences", "end", id=taken.id)
    assert days_off.of_player(context, ada).items == ()
    wrong(sent(browser, "absences", "end", id=taken.id), 404, "no such days off")
    done(browser, "absences", "automatic", automatic_days_off="yes")
    assert choosing.wanted(context, ada).automatic_days_off


def test_addresses_need_a_proof(context: Context, browser: Browser) -> None:
    assert "Mail me a link" in browser.get("/settings/addresses").text
    assert "Another address" not in browser.get("/settings/addresses").text
    wrong(sent(browser, "addresses", "add", email="ada@home.example"), 403, "sign in by mail again")
    assert notices(context, "confirm_another_address") == []


def test_addresses(context: Context, proven: Browser, ada: Player) -> None:
    wrong(sent(proven, "addresses", "add", email="ada"), 422, "is not a mail address", "add-email")
    assert "not confirmed yet" in done(proven, "addresses", "add", email="Ada@home.example")
    code = notices(context, "confirm_another_address")[-1].payload["token"]
    page = proven.get(f"/confirm-address?token={code}")
    proven.press(page, "/confirm-address")
    other = own_addresses.of_player(context, ada)[1]
    done(proven, "addresses", "primary", id=other.id)
    assert own_addresses.of_player(context, ada)[0].address == "Ada@home.example"
    wrong(sent(proven, "addresses", "remove", id=other.id), 409, "make another one primary")
    done(proven, "addresses", "remove", id=own_addresses.of_player(context, ada)[1].id)
    assert [each.address for each in own_addresses.of_player(context, ada)] == ["Ada@home.example"]


def test_tokens_are_shown_once_and_revoked(context: Context, browser: Browser, ada: Player) -> None:
    secret = once(sent(browser, "programs", "issue", label="my bot", scope="read", expires_in="30"))
    assert holder(context, secret).id == ada.id
    page = browser.get("/settings/programs").text
    assert secret not in page
    token = next(each for each in tokens.of_player(context, ada) if each.label == "my bot")
    assert (token.scopes, token.expires_at is not None) == (("read",), True)
    assert "my bot" in page
    assert "my bot" not in done(browser, "programs", "revoke", id=token.id)
    assert tokens.recognise_at(context, secret, None)[0] is None
    wrong(sent(browser, "programs", "revoke", id="nothing"), 404, "You have no token nothing")
    wrong(sent(browser, "programs", "issue", label="", scope="read", expires_in="0"), 422, "label", "issue-label")
    assert "Choose at least one thing" in sent(browser, "programs", "issue", label="x", expires_in="0").text
    wrong(sent(browser, "programs", "issue", label="x", scope="account", expires_in="0"), 403, "sign in by mail again")


def test_a_token_that_manages_the_account_needs_a_proof(context: Context, proven: Browser, ada: Player) -> None:
    secret = once(sent(proven, "programs", "issue", label="all", scope="account", expires_in="0"))
    assert holder(context, secret).id == ada.id


def test_bots(context: Context, browser: Browser, ada: Player) -> None:
    first = once(sent(browser, "programs", "make-bot", name="Greedy"))
    (bot,) = bots.of_player(context, ada)
    assert holder(context, first).id == bot.id
    second = once(sent(browser, "programs", "issue-bot", id=bot.id, label="another machine"))
    assert holder(context, second).id == bot.id
    assert "another machine" in browser.get("/settings/programs").text
    wrong(sent(browser, "programs", "make-bot", name="greedy bot"), 409, "is called greedy bot")
    done(browser, "programs", "delete-bot", id=bot.id)
    assert bots.of_player(context, ada) == ()


def test_webhooks(context: Context, browser: Browser, ada: Player) -> None:
    assert once(sent(browser, "programs", "enter", url="https://example.org/x", format="json")).startswith("whsec_")
    done(browser, "programs", "enter", url="https://discord.com/api/webhooks/1/a", format="discord")
    own, discord = owning.of_player(context, ada)
    done(browser, "programs", "ping", id=own.id)
    owning.change(context, ada, own.id, None, None, False)
    wrong(sent(browser, "programs", "ping", id=own.id), 409, "Switch it on first")
    done(browser, "programs", "switch-on", id=own.id)
    done(browser, "programs", "remove", id=discord.id)
    assert [each.id for each in owning.of_player(context, ada)] == [own.id]
    wrong(sent(browser, "programs", "enter", url="ftp://x", format="json"), 422, "https", "enter-url")


def test_the_ids_by_which_webhooks_mention_somebody(context: Context, browser: Browser, ada: Player) -> None:
    done(browser, "programs", "mention", discord="80351110224678912", slack="")
    wanted = choosing.wanted(context, ada)
    assert (wanted.discord, wanted.slack) == ("80351110224678912", None)
    wrong(sent(browser, "programs", "mention", discord="ada", slack=""), 422, "id", "mention-discord")


def test_the_calendar(browser: Browser) -> None:
    address = once(sent(browser, "programs", "renew-calendar"))
    path = address[address.index("/calendar.ics") :]
    assert browser.get(path).mimetype == "text/calendar"
    done(browser, "programs", "stop-calendar")
    assert browser.get(path).status_code == 404


def test_all_that_is_stored_is_downloaded(signed_in: SignedIn, browser: Browser) -> None:
    answer = browser.get("/settings/export")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="overland.json"'
    assert json.loads(answer.text)["players"][0]["name"] == "Ada"
    assert signed_in(None).get("/settings/export").headers["Location"] == "/sign-in"


def test_signing_out_everywhere(signed_in: SignedIn, browser: Browser, ada: Player) -> None:
    other = signed_in(ada)
    assert "signed out everywhere" in sent(browser, "account", "sign-out").text
    for each in (browser, other):
        assert each.get("/settings/account").headers["Location"] == "/sign-in"


def test_leaving_for_good_needs_a_proof_and_the_name(context: Context, browser: Browser, ada: Player) -> None:
    wrong(sent(browser, "account", "leave", name="Ada"), 403, "sign in by mail again")
    accounts.sign_in(context, ada.email)
    browser.press(browser.get(f"/confirm?token={sent_token(context, ada.email)}"), "/confirm")
    wrong(sent(browser, "account", "leave", name="ada"), 422, "Type your name, Ada", "leave-name")
    assert "You have left" in sent(browser, "account", "leave", name="Ada").text
    assert browser.get("/settings/account").headers["Location"] == "/sign-in"
    assert browser.get(f"/players/{ada.id}").status_code == 404


def test_a_player_who_is_blocked_is_listed_and_unblocked(
    context: Context, signed_in: SignedIn, browser: Browser, ada: Player
) -> None:
    assert "You have blocked nobody." in browser.get("/settings/you").text
    bela, eve = person(context, "Bela"), person(context, "Eve")
    match = lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")])
    lobby.join(context, bela, match.id)
    assert "Block this player" not in browser.get(f"/players/{eve.id}").text
    assert "Block this player" not in signed_in(None).get(f"/players/{bela.id}").text
    page = browser.get(f"/players/{bela.id}")
    assert browser.press(page, f"/players/{bela.id}/block").headers["Location"] == f"/players/{bela.id}"
    assert "You have blocked them" in browser.get(f"/players/{bela.id}").text
    assert [each.player_id for each in blocks.blocked(context, ada)] == [bela.id]
    assert ">Bela<" in browser.get("/settings/you").text
    assert "their invitations reach you" in done(browser, "you", "unblock", id=bela.id)
    assert blocks.blocked(context, ada) == ()


def test_nobody_is_blocked_by_another_site_or_without_a_common_match(
    context: Context, browser: Browser, ada: Player
) -> None:
    bela = person(context, "Bela")
    assert browser.client.post(f"/players/{bela.id}/block", data={"nonce": "a" * 32}).status_code == 403
    shown = re.search('name="nonce" value="([^"]*)"', browser.get("/settings/you").text)
    assert shown is not None
    assert browser.client.post(f"/players/{bela.id}/block", data={"nonce": shown[1]}).status_code == 403
    assert blocks.blocked(context, ada) == ()


def what_is_stopped(browser: Browser) -> list[str]:
    page = browser.get("/settings/mails").text
    return re.findall('name="id" value="([^"]*)"><button class="button quiet" name="do" value="resume"', page)


@pytest.mark.parametrize("kind", [kind for kind, mailing in MAILINGS.items() if mailing.called is not None])
def test_a_kind_of_mails_that_a_link_has_stopped_comes_again(
    context: Context, browser: Browser, ada: Player, kind: NoticeKind
) -> None:
    if MAILINGS[kind].stopped_by == "digest":
        choosing.choose(context, ada, {"mails": "digest"})
    before = choosing.wanted(context, ada)
    stopping.stop(context, links.of_kind(ada.id, kind), one_click=True)
    assert choosing.wanted(context, ada) != before
    assert what_is_stopped(browser) == [f"k.{kind}"]
    done(browser, "mails", "resume", id=f"k.{kind}")
    assert choosing.wanted(context, ada) == before
    assert what_is_stopped(browser) == []


def test_the_mails_of_a_match_and_all_mails_come_again(context: Context, browser: Browser, ada: Player) -> None:
    match, other = (
        lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")], f"<{title}>").id
        for title in ("West", "East")
    )
    stopping.stop(context, links.of_match(ada.id, match), one_click=False)
    choosing.choose_for(context, ada, other, {"mails": "off"})
    assert what_is_stopped(browser) == [f"m.{match}", f"m.{other}"]
    assert "About the match &lt;West&gt;" in browser.get("/settings/mails").text
    for each in (match, other):
        done(browser, "mails", "resume", id=f"m.{each}")
        assert choosing.wanted_of(context, ada, each).preferences.mails == "at_once"
    stopping.stop(context, links.of_everything(ada.id), one_click=True)
    assert what_is_stopped(browser) == ["all"]
    done(browser, "mails", "resume", id="all")
    assert choosing.wanted(context, ada).mails == "at_once"


@pytest.mark.parametrize("what", ["m.k3v7q2m5xa", "k.confirm_address", "k.nothing", ""])
def test_what_cannot_be_stopped_cannot_come_again(context: Context, browser: Browser, ada: Player, what: str) -> None:
    before = choosing.wanted(context, ada)
    assert sent(browser, "mails", "resume", id=what).status_code in (303, 404, 409)
    assert choosing.wanted(context, ada) == before


def test_a_mail_is_sent_again(context: Context, browser: Browser, ada: Player) -> None:
    match = lobby.create(
        context, person(context, "Bela"), "oregon", {}, [SeatRequest("me"), SeatRequest("invite", ada.email)]
    )
    deliver_due(context)
    page = browser.get("/settings/mails").text
    assert f'<a href="/matches/{match.id}">invitations</a>' in page
    [mail] = re.findall('value="([^"]*)"><button class="button quiet" name="do" value="send"', page)
    done(browser, "mails", "send", id=mail)
    assert "It is sent again" in browser.get("/settings/mails?done=send").text
    assert [notice.status for notice in notices(context, "invitation")] == ["pending"]


def test_the_secret_of_a_webhook_is_renewed(context: Context, browser: Browser, ada: Player) -> None:
    webhook = owning.enter(context, ada, "json", "https://example.org/")
    shown = once(sent(browser, "programs", "renew-secret", id=webhook.id))
    assert shown != webhook.secret
    assert shown == owning.of_player(context, ada)[0].secret


ON_PAGES: Final = {
    "getMe": "/settings/you",
    "renameMe": "rename",
    "leaveForGood": "leave",
    "exportMe": "/settings/export",
    "listAddresses": "/settings/addresses",
    "addAddress": "add",
    "makeAddressPrimary": "primary",
    "removeAddress": "remove",
    "getPreferences": "/settings/mails",
    "changePreferences": "mails",
    "listMails": "/settings/mails",
    "sendMailAgain": "send",
    "listBlocks": "/settings/you",
    "block": "/players/{player}/block",
    "unblock": "unblock",
    "listBots": "/settings/programs",
    "makeBot": "make-bot",
    "issueBotToken": "issue-bot",
    "deleteBot": "delete-bot",
    "listAwaiting": "/matches",
    "listDaysOff": "/settings/absences",
    "declareDaysOff": "take",
    "endDaysOff": "end",
    "renewCalendar": "renew-calendar",
    "endCalendar": "stop-calendar",
    "listWebhooks": "/settings/programs",
    "enterWebhook": "enter",
    "changeWebhook": "switch-on",
    "removeWebhook": "remove",
    "pingWebhook": "ping",
    "renewWebhookSecret": "renew-secret",
}
"""Every operation below `/v1/me`: the page that shows it, or the act of a form that does it."""


def test_everything_that_the_api_lets_one_change_of_oneself_is_on_a_page(client: FlaskClient) -> None:
    document = client.get("/openapi.json").json
    assert document is not None
    operations = {
        operation["operationId"]
        for path, methods in document["paths"].items()
        for operation in methods.values()
        if re.match("/v1/me(/|$)", path) and "operationId" in operation
    }
    assert operations == ON_PAGES.keys()
    acts = {act for part in PARTS.values() for act in part.acts}
    assert {each for each in ON_PAGES.values() if not each.startswith("/")} <= acts


def test_every_preference_of_the_api_has_a_field(context: Context, browser: Browser) -> None:
    pages = "".join(browser.get(f"/settings/{part}").text for part in PARTS)
    fields = set(re.findall(' name="([a-z_]+)"', pages)) | {"without"}
    assert 'name="kind"' in pages, "without has a box for each kind"
    assert ChangedPreferencesSchema().fields.keys() <= fields
